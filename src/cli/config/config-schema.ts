/** The configuration file. One schema: what it does not name is refused, so a misspelt limit is never ignored. */
import { z } from 'zod';
import { operations } from '../../contract/index.ts';
import { isTimeZone } from '../../domain/clock.ts';
import { currencyOf } from '../../domain/currency.ts';
import { languages } from '../../domain/language.ts';
import { LONGEST_ORGANISATION, longestOfRow } from '../../domain/lengths.ts';
import { isQuietEnough, LEAST_REQUEST_TIMEOUT_MS } from '../../domain/quiet-time.ts';
import { kinds } from '../../kinds/index.ts';
import { isPostgresAddress } from '../../ledger/postgres/address.ts';
import { defaultSheetLimits } from '../../sheet/sheet-limits.ts';
import { approval } from './approval-schema.ts';
import { journalSchema } from './journal-schema.ts';
import { notify } from './notify-schema.ts';
import { remitterFields } from './remitter-schema.ts';
import { currencyCode, decimal, isOrigin, isReachable, milliseconds, textUpTo } from './setting-values.ts';

const route = z.strictObject({
  routeId: z.string().min(1).describe('Identifier of the route, issued by the provider'),
  channelType: z.int().describe('Number of the channel, issued by the provider'),
  transactionTypeId: z.string().min(1).describe('Transaction type whose charges apply'),
});

const sending = z.strictObject({
  concurrency: z.int().min(1).max(256).default(16).describe('Orders on their way at once'),
  ratePerSecond: z.number().min(0).default(0).describe('Orders sent in a second, at most; 0: no limit of our own'),
  linesPerOrder: z.int().min(1).max(500).default(1).describe('Rows that go out as one order, at most'),
  requestTimeoutMs: milliseconds
    .min(LEAST_REQUEST_TIMEOUT_MS)
    .default(30_000)
    .describe('How long an answer is waited for; after it the row is in doubt and is looked up'),
  canary: z.int().min(0).optional().describe('Rows that are sent first; the rest leaves when they are completed'),
  stopAfterFailures: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Rows without payment after which a run sends nothing more; 0: whatever fails; missing: the first 20 that ended',
    ),
  feeTolerancePercent: z
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe('How far fees may exceed the charges quoted of the batch, before a run sends nothing more; missing: 1'),
});

const polling = z.strictObject({
  firstMs: milliseconds.min(10).default(2000).describe('Time until an order is looked up first'),
  maxMs: milliseconds.min(10).default(60_000).describe('Longest time between two look-ups of an order'),
  deadlineMs: milliseconds.default(900_000).describe('How long one run follows an accepted order'),
});

const inDoubt = z.strictObject({
  resend: z
    .enum(['same-id', 'never'])
    .default('same-id')
    .describe('same-id: an order that was proven absent is sent again as it was; never: a person decides'),
  unknownGapMs: milliseconds
    .default(60_000)
    .describe('Time between two look-ups that have to say that an order is unknown'),
  quietMs: milliseconds
    .default(120_000)
    .describe('Silence after the last sending of an order, before its absence is believed'),
  maxAgeMs: milliseconds.default(86_400_000).describe('Age of an order from which it is never sent again'),
  maxResends: z.int().min(0).max(10).default(3).describe('How often an order may be sent again'),
  lookFirst: z
    .enum(['doubt', 'always'])
    .default('doubt')
    .describe('always: every payment is looked up twice before it is sent, as by a ledger in doubt'),
});

const callbacks = z.strictObject({
  url: z
    .string()
    .refine(isReachable, 'an https address; http to this machine only')
    .optional()
    .describe('Where the service reports what became of airtime, bills and account validations'),
  secretFile: z
    .string()
    .optional()
    .describe('Holds the secret of the address of `paybatch listen`; without it one is made in the state folder'),
});

/** Those of the API: the token operation has a whole address of its own, `tokenUrl`. */
const operationNames = Object.values(operations).flatMap(({ name, host }) => (host === 'api' ? [name] : []));
/** Ways of paying, as the type column calls them. */
const kindNames = kinds.map(({ name }): string => name);

const operationPath = z.string().regex(/^\/[^\s?#]*$/, 'a path that begins with /, without spaces, ? and #');

/** Marks the mistake of two settings that do not fit each other: `config-mistakes.ts` says it in words. */
export const SHORT_QUIET = 'short-quiet';

const profileFields = z.strictObject({
  baseUrl: z.string().optional().describe('Address of the service, as the provider gave it'),
  tokenUrl: z
    .string()
    .optional()
    .describe('Address that gives tokens; missing: connect/token at the address of the service'),
  clientId: z.string().optional().describe('Name of the account at the provider'),
  idNamespace: z
    .string()
    .min(1)
    .optional()
    .describe(
      'What identifiers of payments are made from; missing: the client id. It stays as it is when the provider gives the account another client id',
    ),
  clientSecretFile: z.string().optional().describe('File that holds the client secret, readable by you alone'),
  clientSecretCredential: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,100}$/, 'the name of a systemd credential: letters, digits and . _ @ -')
    .optional()
    .describe('The client secret is this credential of the systemd unit that starts paybatch, and in no other place'),
  clientSecretKeychain: z
    .boolean()
    .optional()
    .describe('The client secret is in the keychain of the system (paybatch login), and in no other place'),
  proxy: z
    .string()
    .optional()
    .describe(
      'Address of the proxy (http://host:port) through which service, tokens and webhooks are reached; missing: none, whatever the environment says',
    ),
  scope: z.string().optional().describe('What the token is asked for, as the provider names it; missing: service_api'),
  secretOrigins: z
    .array(z.string().refine(isOrigin, 'an origin: https, host and port alone'))
    .default([])
    .describe('Where the client secret may go besides the addresses that stand beside it'),
  routes: z.partialRecord(z.enum(kindNames), route).default({}).describe('How the service carries each way of paying'),
  paths: z
    .partialRecord(z.enum(operationNames), operationPath)
    .default({})
    .describe('Paths of operations by name, in place of those of the contract; see paybatch api --list'),
  sending: sending.prefault({}).describe('How orders go out'),
  polling: polling.prefault({}).describe('How orders are followed'),
  inDoubt: inDoubt.prefault({}).describe('What happens to an order whose answer was lost'),
  ledger: z
    .string()
    .refine(isPostgresAddress, 'an address that begins with postgres://')
    .optional()
    .describe('PostgreSQL that has the ledger, for several people or machines; missing: a file of the state folder'),
  stateFolder: z
    .enum(['local', 'shared'])
    .default('local')
    .describe('shared: it may be a network or synchronised folder; only where its locks and syncs are known to hold'),
  callbacks: callbacks.prefault({}).describe('Where the service reports by itself'),
  approval: approval.optional().describe('Who has to agree before money leaves'),
  notify: notify.optional(),
});

const profile = profileFields.superRefine(({ inDoubt: { quietMs }, sending: { requestTimeoutMs } }, context) => {
  const waits = { quietMs, requestTimeoutMs };
  if (!isQuietEnough(waits)) context.addIssue({ code: 'custom', message: SHORT_QUIET, params: waits });
});

/** 5 days are longer than an Easter weekend and shorter than a week; 25 end before the next month's pay day. */
const duplicates = z
  .strictObject({
    withinDays: z.int().min(1).max(366).default(45).describe('For a batch named after the same month or week'),
    samePersonDays: z.int().min(1).max(366).default(25).describe('For a sheet with a batch name of its own'),
    otherPeriodDays: z.int().min(0).max(31).default(5).describe('For a batch named after another month or week'),
  })
  .describe('For how many days a batch stands in the way of the same payments in another sheet');

export const configSchema = z.strictObject({
  $schema: z.string().optional().describe('Where the schema of this file is, for an editor'),
  organisation: textUpTo(LONGEST_ORGANISATION)
    .min(1)
    .default('My organisation')
    .describe('Who pays, as people read it'),
  currency: z
    .string()
    .refine((code) => currencyOf(code.toUpperCase()) !== undefined, 'a currency code of three letters')
    .default('KES')
    .describe('Currency of a batch that names none'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'a country code of two capital letters')
    .default('KE')
    .describe('Country whose phone numbers are read without their country code'),
  timezone: z
    .string()
    .refine(isTimeZone, 'a time zone of the IANA list')
    .default('Africa/Nairobi')
    .describe('In which times are told, and pay days are counted'),
  purpose: textUpTo(longestOfRow.purpose).min(1).default('Payment').describe('Purpose of rows that give none'),
  language: z.enum(languages).optional().describe('In which people are told what is wrong with their sheet'),
  defaultProfile: z.string().optional().describe('Profile of commands that name none; missing: the practice service'),
  profiles: z.record(z.string(), profile).default({}).describe('Accounts at services, each under a name of yours'),
  remitter: z
    .strictObject(remitterFields)
    .default({})
    .describe('Who pays: banks ask for it, and its phone stands for one that a till or a bill does not give'),
  limits: z
    .strictObject({
      perRow: z.record(currencyCode, decimal).default({}).describe('Largest amount of a row, by currency'),
      perBatch: z.record(currencyCode, decimal).default({}).describe('Largest sum of a batch, by currency'),
      rows: z
        .int()
        .min(1)
        .max(defaultSheetLimits.rows)
        .optional()
        .describe('Most rows of a sheet, headings among them'),
    })
    .prefault({})
    .describe('What is refused before anything is sent'),
  duplicates: duplicates.prefault({}),
  journal: journalSchema.prefault({}),
  schedule: z
    .strictObject({
      catchUpHours: z
        .int()
        .min(1)
        .max(672)
        .default(12)
        .describe('For how long a scheduled payment is made up for when nothing ran at its time'),
    })
    .prefault({})
    .describe('Payments on their day'),
});

export type Config = z.infer<typeof configSchema>;
export type ProfileConfig = z.infer<typeof profile>;

/** A profile that the file does not have: all defaults. */
export const emptyProfile = (): ProfileConfig => profile.parse({});

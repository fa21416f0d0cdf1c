/** The configuration file. One schema: what it does not name is refused, so a misspelt limit is never ignored. */
import { z } from 'zod';
import { isApproverName, isPublicKey } from '../../approval/approver-key.ts';
import { operations } from '../../contract/index.ts';
import { isTimeZone } from '../../domain/clock.ts';
import { currencyOf } from '../../domain/currency.ts';
import { languages } from '../../domain/language.ts';
import { LONGEST_ORGANISATION, longestOfRemitter, longestOfRow } from '../../domain/lengths.ts';
import { isQuietEnough, LEAST_REQUEST_TIMEOUT_MS } from '../../domain/quiet-time.ts';
import type { RemitterField } from '../../domain/settings.ts';
import { kinds } from '../../kinds/index.ts';
import { defaultSheetLimits } from '../../sheet/sheet-limits.ts';
import { journalSchema } from './journal-schema.ts';

const decimal = z.string().regex(/^\d+(\.\d+)?$/, 'an amount in double quotes, with digits and a point');
/** Exactly as batches carry it: a limit under any other spelling would hold nobody. */
const currencyCode = z
  .string()
  .refine((code) => currencyOf(code)?.code === code, 'a currency code of three capital letters');
const milliseconds = z.int().min(0);

/** Reports on payments cross no network unencrypted. */
function isReachable(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}

const isOrigin = (address: string): boolean => isReachable(address) && new URL(address).origin === address;

const route = z.strictObject({
  routeId: z.string().min(1).describe('Route identifier issued by the provider'),
  channelType: z.int(),
  transactionTypeId: z.string().min(1).describe('Transaction type whose charges apply'),
});

const sending = z.strictObject({
  concurrency: z.int().min(1).max(256).default(16).describe('Submissions in flight at once'),
  ratePerSecond: z.number().min(0).default(0).describe('0: no limit of our own'),
  linesPerOrder: z.int().min(1).max(500).default(1),
  requestTimeoutMs: milliseconds.min(LEAST_REQUEST_TIMEOUT_MS).default(30_000),
  canary: z.int().min(0).optional().describe('Rows that are sent first; the rest leaves when they are completed'),
  stopAfterFailures: z
    .int()
    .min(0)
    .optional()
    .describe('Rows without payment after which a run sends nothing more; 0: whatever fails'),
  feeTolerancePercent: z
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe('Fees above the charges quoted, in percent of those of the batch, after which a run sends nothing more'),
});

const polling = z.strictObject({
  firstMs: milliseconds.min(10).default(2000),
  maxMs: milliseconds.min(10).default(60_000),
  deadlineMs: milliseconds.default(900_000).describe('How long one run follows an accepted order'),
});

const inDoubt = z.strictObject({
  resend: z.enum(['same-id', 'never']).default('same-id'),
  unknownGapMs: milliseconds.default(60_000),
  quietMs: milliseconds.default(120_000),
  maxAgeMs: milliseconds.default(86_400_000),
  maxResends: z.int().min(0).max(10).default(3),
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

/** Who has to agree before money leaves. It counts by the ledger as well: see `paybatch approver change`. */
const approval = z
  .strictObject({
    makerKey: z.boolean().default(false).describe('Plans have to be signed by their maker, who cannot approve them'),
    tiers: z
      .array(z.strictObject({ above: z.record(currencyCode, decimal), required: z.int().min(1).max(20) }))
      .max(20)
      .default([])
      .describe('So many have to approve what is above; the last 24 hours count along'),
    approvers: z
      .record(
        z.string().refine(isApproverName, 'a name of letters, digits, dots, hyphens and underscores'),
        z.string().refine(isPublicKey, 'a public key as paybatch approver create prints it'),
      )
      .default({}),
  })
  .superRefine(({ tiers, approvers }, context) => {
    const keys = Object.values(approvers);
    if (new Set(keys).size !== keys.length) {
      context.addIssue({ code: 'custom', path: ['approvers'], message: 'names with a key of its own for each' });
    }
    for (const [index, { required }] of tiers.entries()) {
      if (required <= keys.length) continue;
      const message = `at most the number of approvers, ${keys.length}`;
      context.addIssue({ code: 'custom', path: ['tiers', index, 'required'], message });
    }
  });
const MAIL_SERVER = /^smtps?:\/\/[^\s/?#@]+$/;

const notify = z
  .strictObject({
    command: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('A program and its arguments; the event comes as JSON on its stdin'),
    webhook: z
      .strictObject({
        url: z.string().refine(isReachable, 'an https address; http to this machine only'),
        secretFile: z.string().describe('Holds the secret of the receiver: whsec_ and Base64 (Standard Webhooks)'),
      })
      .optional(),
    mail: z
      .strictObject({
        server: z.string().regex(MAIL_SERVER, 'smtps://host:port or smtp://host:port'),
        user: z.string().optional(),
        passwordFile: z.string().optional(),
        from: z.string().min(3),
        to: z.array(z.string().min(3)).min(1).max(20),
      })
      .optional(),
    timeoutMs: milliseconds.min(100).max(60_000).default(10_000).describe('For one try of one way'),
  })
  .describe('Who is told of payments that nobody watches, and how');

/** Those of the API: the token operation has a whole address of its own, `tokenUrl`. */
const operationNames = Object.values(operations).flatMap(({ name, host }) => (host === 'api' ? [name] : []));
/** Ways of paying, as the type column calls them. */
const kindNames = kinds.map(({ name }): string => name);

const operationPath = z.string().regex(/^\/[^\s?#]*$/, 'a path that begins with /, without spaces, ? and #');

/** Marks the mistake of two settings that do not fit each other: `config-mistakes.ts` says it in words. */
export const SHORT_QUIET = 'short-quiet';

const profileFields = z.strictObject({
  baseUrl: z.string().optional(),
  tokenUrl: z.string().optional(),
  clientId: z.string().optional(),
  clientSecretFile: z.string().optional(),
  clientSecretCredential: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,100}$/, 'the name of a systemd credential: letters, digits and . _ @ -')
    .optional()
    .describe('The client secret is this credential of the systemd unit that starts paybatch, and in no other place'),
  clientSecretKeychain: z
    .boolean()
    .optional()
    .describe('The client secret is in the keychain of the system (paybatch login), and in no other place'),
  scope: z.string().optional(),
  secretOrigins: z
    .array(z.string().refine(isOrigin, 'an origin: https, host and port alone'))
    .default([])
    .describe('Where the client secret may go besides the addresses that stand beside it'),
  routes: z.partialRecord(z.enum(kindNames), route).default({}).describe('By way of paying, as in the type column'),
  paths: z
    .partialRecord(z.enum(operationNames), operationPath)
    .default({})
    .describe('Paths of operations by name, in place of those of the contract; see paybatch api --list'),
  sending: sending.prefault({}),
  polling: polling.prefault({}),
  inDoubt: inDoubt.prefault({}),
  stateFolder: z
    .enum(['local', 'shared'])
    .default('local')
    .describe('shared: it may be a network or synchronised folder; only where its locks and syncs are known to hold'),
  callbacks: callbacks.prefault({}),
  approval: approval.optional(),
  notify: notify.optional(),
});

const profile = profileFields.superRefine(({ inDoubt: { quietMs }, sending: { requestTimeoutMs } }, context) => {
  const waits = { quietMs, requestTimeoutMs };
  if (!isQuietEnough(waits)) context.addIssue({ code: 'custom', message: SHORT_QUIET, params: waits });
});

/** 5 days are longer than an Easter weekend and shorter than a week; 25 end before the next month's pay day. */
const duplicates = z
  .strictObject({
    withinDays: z.int().min(1).max(366).default(45),
    samePersonDays: z.int().min(1).max(366).default(25).describe('For a sheet with a batch name of its own'),
    otherPeriodDays: z.int().min(0).max(31).default(5).describe('For a batch named after another month or week'),
  })
  .describe('For how many days a batch stands in the way of the same payments in another sheet');

const textUpTo = (longest: number) => z.string().max(longest);

/** A day of the calendar, in the one form that payments take. */
function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})\/(\d{2})\/(\d{2})$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const remitterText = (field: RemitterField) => textUpTo(longestOfRemitter[field]).optional();
const remitterDay = z.string().refine(isDay, 'a date as year/month/day').optional();

/** One of each field that settings can say; a payment carries them under these names. */
const remitterFields = {
  name: remitterText('name'),
  phoneNumber: remitterText('phoneNumber'),
  country: remitterText('country'),
  sourceOfFunds: remitterText('sourceOfFunds'),
  principalActivity: remitterText('principalActivity'),
  address: remitterText('address'),
  idType: remitterText('idType'),
  idNumber: remitterText('idNumber'),
  idIssuePlace: remitterText('idIssuePlace'),
  idIssueDate: remitterDay,
  idExpireDate: remitterDay,
  dateOfBirth: remitterDay,
  nationality: remitterText('nationality'),
  email: remitterText('email'),
  city: remitterText('city'),
  postalCode: remitterText('postalCode'),
  state: remitterText('state'),
  financialInstitution: remitterText('financialInstitution'),
  institutionIdentifier: remitterText('institutionIdentifier'),
} satisfies Record<RemitterField, z.ZodType>;

export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  organisation: textUpTo(LONGEST_ORGANISATION).min(1).default('My organisation'),
  idNamespace: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The earlier name of an organisation that changed it: identifiers of payments go on being made from this one',
    ),
  currency: z
    .string()
    .refine((code) => currencyOf(code.toUpperCase()) !== undefined, 'a currency code of three letters')
    .default('KES'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'a country code of two capital letters')
    .default('KE'),
  timezone: z.string().refine(isTimeZone, 'a time zone of the IANA list').default('Africa/Nairobi'),
  purpose: textUpTo(longestOfRow.purpose).min(1).default('Payment'),
  language: z.enum(languages).optional().describe('In which people are told what is wrong with their sheet'),
  defaultProfile: z.string().optional(),
  profiles: z.record(z.string(), profile).default({}),
  remitter: z
    .strictObject(remitterFields)
    .default({})
    .describe('Who pays: banks ask for it, and its phone stands for one that a till or a bill does not give'),
  limits: z
    .strictObject({
      perRow: z.record(currencyCode, decimal).default({}),
      perBatch: z.record(currencyCode, decimal).default({}),
      rows: z
        .int()
        .min(1)
        .max(defaultSheetLimits.rows)
        .optional()
        .describe('Most rows of a sheet, headings among them'),
    })
    .prefault({}),
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
    .prefault({}),
});

export type Config = z.infer<typeof configSchema>;
export type ProfileConfig = z.infer<typeof profile>;

/** A profile that the file does not have: all defaults. */
export const emptyProfile = (): ProfileConfig => profile.parse({});

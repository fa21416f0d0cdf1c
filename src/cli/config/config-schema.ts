/** The schema of all settings. Files are read with it, values are explained by it, and the page on settings is built from it. */
import { z } from 'zod';
import { isApproverName, isPublicKey } from '../../approval/approver-key.ts';
import { isTimeZone } from '../../domain/clock.ts';
import { currencyOf } from '../../domain/currency.ts';
import { journalDates, journalFields, usualJournal } from '../../domain/journal.ts';
import { languages } from '../../domain/language.ts';
import { LONGEST_ORGANISATION, longestOfRemitter, longestOfRow } from '../../domain/lengths.ts';
import { mayBeUnencrypted } from '../../domain/own-host.ts';
import { isQuietEnough, LEAST_REQUEST_TIMEOUT_MS } from '../../domain/quiet-time.ts';
import type { RemitterField } from '../../domain/settings.ts';
import { kinds } from '../../kinds/index.ts';
import { isPostgresAddress } from '../../ledger/postgres/address.ts';
import { writtenDay } from '../../schedule/day.ts';
import { holidayCountries } from '../../schedule/holidays.ts';
import { operations } from '../../service/contract/index.ts';
import { defaultSheetLimits } from '../../sheet/sheet-limits.ts';

const decimal = z.string().regex(/^\d+(\.\d+)?$/, 'an amount in double quotes, with digits and a point');
/** A currency code exactly as batches carry it: a limit under any other spelling would limit nothing. */
const currencyCode = z
  .string()
  .refine((code) => currencyOf(code)?.code === code, 'a currency code of three capital letters');

const milliseconds = z.int().min(0);

/** Reports whether an address is https, or http on this machine: reports on payments must not cross a network unencrypted. */
function isReachable(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && mayBeUnencrypted(url.hostname));
}

/** An address that may get notifications of payments. */
const reachable = z.string().refine(isReachable, 'an https address; http to this machine only');

const isOrigin = (address: string): boolean => isReachable(address) && URL.parse(address)?.origin === address;

const textUpTo = (longest: number) => z.string().max(longest);

/** The people who must approve before money leaves. The ledger keeps this setting too: see `paybatch approver change`. */
const approval = z
  .strictObject({
    makerKey: z.boolean().default(false).describe('Plans have to be signed by their maker, who cannot approve them'),
    tiers: z
      .array(
        z.strictObject({
          above: z.record(currencyCode, decimal).describe('Sum, by currency, above which the tier counts'),
          required: z.int().min(1).max(20).describe('How many have to approve'),
        }),
      )
      .max(20)
      .default([])
      .describe('How many people must approve a sum above a limit; payments of the last 24 hours count too'),
    approvers: z
      .record(
        z.string().refine(isApproverName, 'a name of letters, digits, dots, hyphens and underscores'),
        z.string().refine(isPublicKey, 'a public key as paybatch approver create prints it'),
      )
      .default({})
      .describe('Who approves: names, each with its public key'),
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

/** Ways of paying, as the type column calls them. */
const kindNames = kinds.map(({ name }): string => name);

/** The name of an account in the books, at most 200 characters: longer than any accounting program accepts. */
const account = z.string().trim().min(1).max(200);
const heading = z.string().max(100);
const once = z.boolean().optional().describe('Only in the first line of an entry');
const word = z.string().max(200);

const column = z.union(
  [
    z.strictObject({ heading, field: z.enum(journalFields), once }),
    z.strictObject({ heading, text: word, once }),
    z.strictObject({ heading, debit: word, credit: word, once }),
  ],
  `a heading with one of: field (${journalFields.join(', ')}), text, or debit and credit`,
);

const { accounts } = usualJournal;

const journalSchema = z
  .strictObject({
    entry: z.enum(['batch', 'row']).default(usualJournal.entry).describe('One entry for a batch, or one for each row'),
    dates: z.enum(journalDates).default(usualJournal.dates).describe('How days are written'),
    accounts: z
      .strictObject({
        payments: account.default(accounts.payments).describe('Debited with what was paid'),
        kinds: z
          .partialRecord(z.enum(kindNames), account)
          .default(accounts.kinds)
          .describe('Debited instead of payments, for one way of paying'),
        fees: account.default(accounts.fees).describe('Debited with fees that were charged'),
        wallet: account.default(accounts.wallet).describe('Credited with all that left the wallet'),
        suspense: account.optional().describe('Debited with what may have left the wallet; missing: that is left out'),
      })
      .prefault({}),
    columns: z
      .array(column)
      .min(1)
      .max(60)
      .default([...usualJournal.columns])
      .describe('The columns of the file, in their order'),
  })
  .describe('How report --format journal writes payments for the books');

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
        url: reachable.describe('Address that gets the notifications'),
        secretFile: z.string().describe('Holds the secret of the receiver: whsec_ and Base64 (Standard Webhooks)'),
      })
      .optional()
      .describe('A web address that gets signed notifications'),
    mail: z
      .strictObject({
        server: z.string().regex(MAIL_SERVER, 'smtps://host:port or smtp://host:port').describe('Mail server'),
        user: z.string().optional().describe('User name for the mail server'),
        passwordFile: z.string().optional().describe('File that holds the password for it'),
        from: z.string().min(3).describe('Address of the sender'),
        to: z.array(z.string().min(3)).min(1).max(20).describe('People who get the notifications'),
        resultsTo: z
          .array(z.string().min(3))
          .max(20)
          .optional()
          .describe('Which of these people also get the results workbook; it names everybody who was paid'),
      })
      .refine(({ to, resultsTo = [] }) => resultsTo.every((one) => to.includes(one)), {
        path: ['resultsTo'],
        message: 'addresses that are also in to',
      })
      .optional()
      .describe('Mails to people'),
    timeoutMs: milliseconds.min(100).max(60_000).default(10_000).describe('For one try of one channel'),
  })
  .describe('Who is notified of unattended payments, and how');

/** Reports whether a text is a calendar day in the one form that payments take, year/month/day. */
const isDay = (text: string): boolean => !text.includes('-') && writtenDay(text.replaceAll('/', '-')) !== undefined;

const remitterText = (field: RemitterField) => textUpTo(longestOfRemitter[field]).optional();
const remitterDay = z.string().refine(isDay, 'a date as year/month/day, from 1900 to 2199').optional();

/** Every field of the remitter that settings can set. A payment carries them under the same names. */
const remitterFields = {
  name: remitterText('name').describe('Name'),
  phoneNumber: remitterText('phoneNumber').describe('Phone, international: +254700000000'),
  country: remitterText('country').describe('Country, two capital letters'),
  sourceOfFunds: remitterText('sourceOfFunds').describe('Where the money comes from'),
  principalActivity: remitterText('principalActivity').describe('What the organisation does'),
  address: remitterText('address').describe('Street and town'),
  idType: remitterText('idType').describe('Kind of document that proves who pays'),
  idNumber: remitterText('idNumber').describe('Its number'),
  idIssuePlace: remitterText('idIssuePlace').describe('Where it was issued'),
  idIssueDate: remitterDay.describe('When it was issued, as year/month/day'),
  idExpireDate: remitterDay.describe('When it expires, as year/month/day'),
  dateOfBirth: remitterDay.describe('Date of birth, as year/month/day'),
  nationality: remitterText('nationality').describe('Nationality, in a word: Kenyan'),
  email: remitterText('email').describe('Email address'),
  city: remitterText('city').describe('City'),
  postalCode: remitterText('postalCode').describe('Postal code'),
  state: remitterText('state').describe('County or state'),
  financialInstitution: remitterText('financialInstitution').describe('Bank of the payer'),
  institutionIdentifier: remitterText('institutionIdentifier').describe('Code of that bank'),
} satisfies Record<RemitterField, z.ZodType>;

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
    .describe('How long to wait for an answer; after that the row is in doubt and is looked up'),
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
  firstMs: milliseconds.min(10).default(2000).describe('Time until the first look-up of an order'),
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
    .enum(['recovery', 'always'])
    .default('recovery')
    .describe('always: every payment is looked up twice before it is sent, as by a ledger in recovery'),
});

const callbacks = z.strictObject({
  url: reachable.optional().describe('Where the service reports what became of airtime, bills and account validations'),
  secretFile: z
    .string()
    .optional()
    .describe('Holds the secret of the address of `paybatch listen`; without it one is made in the state folder'),
});

/** Names of the operations of the API. The token operation is not one of them: `tokenUrl` is its whole address. */
const operationNames = Object.values(operations).flatMap(({ name, host }) => (host === 'api' ? [name] : []));
const operationPath = z.string().regex(/^\/[^\s?#]*$/, 'a path that begins with /, without spaces, ? and #');

/** Marks the mistake of two settings that do not fit each other. `config-mistakes.ts` puts it into words. */
export const SHORT_QUIET = 'short-quiet';

const profileFields = z.strictObject({
  baseUrl: z.string().optional().describe('Address of the service, as the provider gave it'),
  tokenUrl: z
    .string()
    .optional()
    .describe('Address that issues tokens; missing: connect/token at the address of the service'),
  clientId: z.string().optional().describe('Name of the account at the provider'),
  idNamespace: z
    .string()
    .min(1)
    .optional()
    .describe(
      'What identifiers of payments are made from; missing: the client id. It stays as it is when the provider gives the account another client id',
    ),
  clientSecretFile: z.string().optional().describe('File that holds the client secret, readable only by you'),
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
      'Address of the proxy (http://host:port) through which service, tokens and webhooks are reached; missing: none, even if the environment names one',
    ),
  scope: z.string().optional().describe('Scope of the token, as the provider names it; missing: service_api'),
  secretOrigins: z
    .array(z.string().refine(isOrigin, 'an origin: only https, host and port'))
    .default([])
    .describe('Origins to which the client secret may be sent, in addition to the addresses in the same file'),
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
  callbacks: callbacks.prefault({}).describe('Where the service sends callbacks'),
  approval: approval.optional().describe('Who has to agree before money leaves'),
  notify: notify.optional(),
});

const profile = profileFields.superRefine(({ inDoubt: { quietMs }, sending: { requestTimeoutMs } }, context) => {
  const waits = { quietMs, requestTimeoutMs };
  if (!isQuietEnough(waits)) context.addIssue({ code: 'custom', message: SHORT_QUIET, params: waits });
});

/** The defaults: 5 days are longer than an Easter weekend and shorter than a week; 25 days end before next month's pay day. */
const duplicates = z
  .strictObject({
    withinDays: z.int().min(1).max(366).default(45).describe('For a batch named after the same month or week'),
    samePersonDays: z.int().min(1).max(366).default(25).describe('For a sheet with a batch name of its own'),
    otherPeriodDays: z.int().min(0).max(31).default(5).describe('For a batch named after another month or week'),
  })
  .describe('For how many days a batch blocks the same payments in another sheet');

export const configSchema = z.strictObject({
  $schema: z.string().optional().describe('Where the schema of this file is, for an editor'),
  organisation: textUpTo(LONGEST_ORGANISATION)
    .min(1)
    .default('My organisation')
    .describe('Name of the payer, for people to read'),
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
    .describe('Time zone in which times are shown and pay days are counted'),
  purpose: textUpTo(longestOfRow.purpose).min(1).default('Payment').describe('Purpose of rows that give none'),
  language: z.enum(languages).optional().describe('Language of the problems of a sheet and of the pages in a browser'),
  defaultProfile: z.string().optional().describe('Profile of commands that name none; missing: the practice service'),
  profiles: z
    .record(z.string(), profile)
    .default({})
    .describe('Accounts at services, each under a name that you choose'),
  remitter: z
    .strictObject(remitterFields)
    .default({})
    .describe('Who pays: banks require it, and tills and bills without a phone get its phone'),
  limits: z
    .strictObject({
      perRow: z.record(currencyCode, decimal).default({}).describe('Largest amount of a row, by currency'),
      perBatch: z.record(currencyCode, decimal).default({}).describe('Largest sum of a batch, by currency'),
      rows: z
        .int()
        .min(1)
        .max(defaultSheetLimits.rows)
        .optional()
        .describe('Most rows of a sheet, including the headings'),
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
        .describe('For how long after its time a scheduled payment is still made, when nothing ran at its time'),
      holidays: z
        .enum(holidayCountries)
        .optional()
        .describe('Country whose public holidays count for schedules that are added without --holidays'),
    })
    .prefault({})
    .describe('Payments on their day'),
});

export type Config = z.infer<typeof configSchema>;
export type ProfileConfig = z.infer<typeof profile>;

/** Returns the settings of a profile that is not in the file: all defaults. */
export const emptyProfile = (): ProfileConfig => profile.parse({});

/**
 * Returns the JSON Schema of the configuration, in draft 7, the latest that editors fully support. It refuses unknown
 * settings.
 */
export const settingsJsonSchema = (): Readonly<Record<string, unknown>> => ({
  ...z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }),
  title: 'The configuration of paybatch',
});

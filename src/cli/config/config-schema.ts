/** The schema of all settings. Files are read with it, values are explained by it, and the page on settings is built from it. */
import { z } from 'zod';
import { isApproverName, isPublicKey } from '../../approval/approver-key.ts';
import { isPostgresAddress } from '../../database/postgres/address.ts';
import { isTimeZone } from '../../domain/clock.ts';
import { currencyOf } from '../../domain/currency.ts';
import { journalDates, journalFields, usualJournal } from '../../domain/journal.ts';
import { languages } from '../../domain/language.ts';
import { LONGEST_ORGANISATION, longestOfRemitter, longestOfRow } from '../../domain/lengths.ts';
import { mayBeUnencrypted } from '../../domain/own-host.ts';
import { isQuietEnough, LEAST_REQUEST_TIMEOUT_MS } from '../../domain/quiet-time.ts';
import type { RemitterField } from '../../domain/settings.ts';
import { kinds } from '../../kinds/index.ts';
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
    makerKey: z.boolean().default(false).describe('The maker signs the plan, and cannot approve it'),
    tiers: z
      .array(
        z.strictObject({
          above: z.record(currencyCode, decimal).describe('Sum above which the tier counts, by currency'),
          required: z.int().min(1).max(20).describe('How many must approve'),
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
      .describe('Public key of each approver'),
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
    entry: z.enum(['batch', 'row']).default(usualJournal.entry).describe('An entry for the batch, or for each row'),
    dates: z.enum(journalDates).default(usualJournal.dates).describe('How days are written'),
    accounts: z
      .strictObject({
        payments: account.default(accounts.payments).describe('Debited with what was paid'),
        kinds: z
          .partialRecord(z.enum(kindNames), account)
          .default(accounts.kinds)
          .describe('Debited instead of payments, for one way of paying'),
        fees: account.default(accounts.fees).describe('Debited with fees that were charged'),
        wallet: account.default(accounts.wallet).describe('Credited with what left the wallet'),
        suspense: account.optional().describe('Debited with what may have left it; missing: not booked'),
      })
      .prefault({}),
    columns: z
      .array(column)
      .min(1)
      .max(60)
      .default([...usualJournal.columns])
      .describe('Columns of the file'),
  })
  .describe('How report --format journal writes payments for the books');

const MAIL_SERVER = /^smtps?:\/\/[^\s/?#@]+$/;

const notify = z
  .strictObject({
    command: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('Program and arguments; gets the event as JSON on stdin'),
    webhook: z
      .strictObject({
        url: reachable.describe('Address that gets notifications'),
        secretFile: z.string().describe('File with the secret: whsec_ and Base64 (Standard Webhooks)'),
      })
      .optional()
      .describe('A web address that gets signed notifications'),
    mail: z
      .strictObject({
        server: z
          .string()
          .regex(MAIL_SERVER, 'smtps://host:port or smtp://host:port')
          .describe('Mail server: smtps://host:port'),
        user: z.string().optional().describe('User of the mail server'),
        passwordFile: z.string().optional().describe('File with the password'),
        from: z.string().min(3).describe('Sender'),
        to: z.array(z.string().min(3)).min(1).max(20).describe('Who gets notifications'),
        resultsTo: z
          .array(z.string().min(3))
          .max(20)
          .optional()
          .describe('People in `to` who also get the results workbook, which names everybody who was paid'),
      })
      .refine(({ to, resultsTo = [] }) => resultsTo.every((one) => to.includes(one)), {
        path: ['resultsTo'],
        message: 'addresses that are also in to',
      })
      .optional()
      .describe('Mails to people'),
    timeoutMs: milliseconds.min(100).max(60_000).default(10_000).describe('Time limit for one try of a channel'),
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
  routeId: z.string().min(1).describe('Identifier of the route'),
  channelType: z.int().describe('Number of the channel'),
  transactionTypeId: z.string().min(1).describe('Transaction type whose charges apply'),
});

const sending = z.strictObject({
  concurrency: z.int().min(1).max(256).default(16).describe('Orders on their way at the same time'),
  ratePerSecond: z.number().min(0).default(0).describe('Most orders per second; 0: no limit'),
  linesPerOrder: z.int().min(1).max(500).default(1).describe('Most rows of one order'),
  requestTimeoutMs: milliseconds
    .min(LEAST_REQUEST_TIMEOUT_MS)
    .default(30_000)
    .describe('How long to wait for an answer; then the row is in doubt'),
  canary: z.int().min(0).optional().describe('Rows sent first; the rest leaves when they are completed'),
  stopAfterFailures: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Unpaid rows after which a run stops sending; 0: never; missing: if the first 20 that ended are all unpaid',
    ),
  feeTolerancePercent: z
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe('How far fees may exceed the quoted charges before a run stops sending; missing: 1'),
});

const polling = z.strictObject({
  firstMs: milliseconds.min(10).default(2000).describe('Time until the first look-up of an order'),
  maxMs: milliseconds.min(10).default(60_000).describe('Longest time between two look-ups'),
  deadlineMs: milliseconds.default(900_000).describe('How long one run follows an accepted order'),
});

const inDoubt = z.strictObject({
  resend: z
    .enum(['same-id', 'never'])
    .default('same-id')
    .describe('What happens to an order that is proven absent: sent again under its id, or left to a person'),
  unknownGapMs: milliseconds.default(60_000).describe('Time between the two look-ups that must both say "unknown"'),
  quietMs: milliseconds.default(120_000).describe('Silence after an order was sent, before "unknown" is believed'),
  maxAgeMs: milliseconds.default(86_400_000).describe('Age from which an order is never sent again'),
  maxResends: z.int().min(0).max(10).default(3).describe('How often an order may be sent again'),
  lookFirst: z
    .enum(['recovery', 'always'])
    .default('recovery')
    .describe('always: look up every payment twice before it is sent, as in recovery'),
});

const callbacks = z.strictObject({
  url: reachable.optional().describe('Public address for callbacks of the service'),
  secretFile: z
    .string()
    .optional()
    .describe('File with the secret of the address of `paybatch listen`; missing: made in the state folder'),
});

/** Names of the operations of the API. The token operation is not one of them: `tokenUrl` is its whole address. */
const operationNames = Object.values(operations).flatMap(({ name, host }) => (host === 'api' ? [name] : []));
const operationPath = z.string().regex(/^\/[^\s?#]*$/, 'a path that begins with /, without spaces, ? and #');

/** Marks the mistake of two settings that do not fit each other. `config-mistakes.ts` puts it into words. */
export const SHORT_QUIET = 'short-quiet';

const profileFields = z.strictObject({
  baseUrl: z.string().optional().describe('Address of the service, as the provider gave it'),
  tokenUrl: z.string().optional().describe('Address that gives tokens; missing: connect/token at baseUrl'),
  clientId: z.string().optional().describe('Name of the account at the provider'),
  idNamespace: z
    .string()
    .min(1)
    .optional()
    .describe('What payment ids are made from; missing: the client id. Keep it when the client id changes'),
  clientSecretFile: z.string().optional().describe('File with the client secret, readable only by you'),
  clientSecretCredential: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,100}$/, 'the name of a systemd credential: letters, digits and . _ @ -')
    .optional()
    .describe('Name of the systemd credential that holds the client secret'),
  clientSecretKeychain: z
    .boolean()
    .optional()
    .describe('The client secret is in the keychain (paybatch login), and nowhere else'),
  proxy: z
    .string()
    .optional()
    .describe(
      'Proxy (http://host:port) for service, tokens and webhooks; missing: none, even if the environment names one',
    ),
  scope: z.string().optional().describe('Scope of the token; missing: service_api'),
  secretOrigins: z
    .array(z.string().refine(isOrigin, 'an origin: only https, host and port'))
    .default([])
    .describe('More origins to which the client secret may be sent'),
  routes: z.partialRecord(z.enum(kindNames), route).default({}).describe('How the service carries each way of paying'),
  paths: z
    .partialRecord(z.enum(operationNames), operationPath)
    .default({})
    .describe('Path of an operation where the provider uses another one: paybatch api --list'),
  sending: sending.prefault({}).describe('How orders go out'),
  polling: polling.prefault({}).describe('How orders are followed'),
  inDoubt: inDoubt.prefault({}).describe('What happens to an order whose answer was lost'),
  ledger: z
    .string()
    .refine(isPostgresAddress, 'an address that begins with postgres://')
    .optional()
    .describe('PostgreSQL with the ledger; missing: a file in the state folder'),
  stateFolder: z
    .enum(['local', 'shared'])
    .default('local')
    .describe('shared: a network or synchronised folder is allowed; only if you know that its locks and syncs work'),
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
    withinDays: z.int().min(1).max(366).default(45).describe('How long a batch of the same month or week is compared'),
    samePersonDays: z.int().min(1).max(366).default(25).describe('How long all other batches are compared'),
    otherPeriodDays: z
      .int()
      .min(0)
      .max(31)
      .default(5)
      .describe('How long a batch of another month or week is compared'),
  })
  .describe('For how many days a batch blocks the same payments in another sheet');

export const configSchema = z.strictObject({
  $schema: z.string().optional().describe('Schema of this file, for an editor'),
  organisation: textUpTo(LONGEST_ORGANISATION)
    .min(1)
    .default('My organisation')
    .describe('Name of the payer, for people to read'),
  currency: z
    .string()
    .refine((code) => currencyOf(code.toUpperCase()) !== undefined, 'a currency code of three letters')
    .default('KES')
    .describe('Currency of a batch that has none'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'a country code of two capital letters')
    .default('KE')
    .describe('Country of phone numbers without a country code'),
  timezone: z
    .string()
    .refine(isTimeZone, 'a time zone of the IANA list')
    .default('Africa/Nairobi')
    .describe('Time zone of times and pay days'),
  purpose: textUpTo(longestOfRow.purpose).min(1).default('Payment').describe('Purpose of rows that have none'),
  language: z.enum(languages).optional().describe('Language of problems and of pages in a browser'),
  defaultProfile: z.string().optional().describe('Profile of commands that name none; missing: sandbox'),
  profiles: z.record(z.string(), profile).default({}).describe('Accounts at services, each under a name of yours'),
  remitter: z
    .strictObject(remitterFields)
    .default({})
    .describe('Who pays: banks require it, and tills and bills without a phone get its phone'),
  limits: z
    .strictObject({
      perRow: z.record(currencyCode, decimal).default({}).describe('Largest amount of a row, by currency'),
      perBatch: z.record(currencyCode, decimal).default({}).describe('Largest sum of a batch, by currency'),
      rows: z.int().min(1).max(defaultSheetLimits.rows).optional().describe('Most rows of a sheet, headings included'),
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
        .describe('How long a scheduled payment that is late can still be made'),
      holidays: z.enum(holidayCountries).optional().describe('Holidays of schedules that are added without --holidays'),
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

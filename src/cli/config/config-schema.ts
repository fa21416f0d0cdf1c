/** The schema of all settings. Files are read with it, values are explained by it, and the page on settings is built from it. */
import { z } from 'zod';
import { isPublicKey } from '../../approval/approver-key.ts';
import { isPostgresAddress } from '../../database/postgres/address.ts';
import { isTimeZone } from '../../domain/clock.ts';
import { currencyOf } from '../../domain/currency.ts';
import { isPlainName } from '../../domain/ids.ts';
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

/** What a setting is for, and an example for messages and editors. Where the default or the choices are one, none is given. */
const about = (description: string, example: string | number) => ({ description, examples: [example] });

const decimal = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'an amount in double quotes, with digits and a point')
  .meta({ examples: ['250000'] });
/** A currency code exactly as batches carry it: a limit under any other spelling would limit nothing. */
const currencyCode = z
  .string()
  .refine((code) => currencyOf(code)?.code === code, 'a currency code of three capital letters')
  .meta({ examples: ['KES'] });

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
          required: z.int().min(1).max(20).meta(about('How many must approve', 1)),
        }),
      )
      .max(20)
      .default([])
      .describe('How many people must approve a sum above a limit; payments of the last 24 hours count too'),
    approvers: z
      .record(
        z
          .string()
          .refine(isPlainName, 'a name of letters, digits, dots, hyphens and underscores')
          .meta({ examples: ['jane'] }),
        z
          .string()
          .refine(isPublicKey, 'a public key as paybatch approver create prints it')
          .meta({ examples: ['Wl3VXTdkbs8Y0qVrW2ZpNaU6yL9vXhQ4c1sT7mKo2eE'] }),
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
          .partialRecord(z.enum(kindNames), account.meta({ examples: ['Suppliers'] }))
          .default(accounts.kinds)
          .describe('Debited instead of payments, for one way of paying'),
        fees: account.default(accounts.fees).describe('Debited with fees that were charged'),
        wallet: account.default(accounts.wallet).describe('Credited with what left the wallet'),
        suspense: account
          .optional()
          .meta(about('Debited with what may have left it; missing: not booked', 'Payments to clear')),
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

const person = z
  .string()
  .min(3)
  .meta({ examples: ['finance@acme.example'] });

const notify = z
  .strictObject({
    command: z
      .array(
        z
          .string()
          .min(1)
          .meta({ examples: ['/usr/local/bin/tell-finance'] }),
      )
      .min(1)
      .optional()
      .describe('Program and arguments; gets the event as JSON on stdin'),
    webhook: z
      .strictObject({
        url: reachable.meta(about('Address that gets notifications', 'https://hooks.acme.example/paybatch')),
        secretFile: z
          .string()
          .meta(about('File with the secret: whsec_ and Base64 (Standard Webhooks)', '/etc/paybatch/webhook-secret')),
      })
      .optional()
      .describe('A web address that gets signed notifications'),
    mail: z
      .strictObject({
        server: z
          .string()
          .regex(MAIL_SERVER, 'smtps://host:port or smtp://host:port')
          .meta(about('Mail server: smtps://host:port', 'smtps://mail.acme.example:465')),
        user: z.string().optional().meta(about('User of the mail server', 'paybatch')),
        passwordFile: z.string().optional().meta(about('File with the password', '/etc/paybatch/mail-password')),
        from: z.string().min(3).meta(about('Sender', 'paybatch@acme.example')),
        to: z.array(person).min(1).max(20).describe('Who gets notifications'),
        resultsTo: z
          .array(person)
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
  name: remitterText('name').meta(about('Name', 'Acme Ltd')),
  phoneNumber: remitterText('phoneNumber').meta(about('Phone, international: +254700000000', '+254700000000')),
  country: remitterText('country').meta(about('Country, two capital letters', 'KE')),
  sourceOfFunds: remitterText('sourceOfFunds').meta(about('Where the money comes from', 'Business')),
  principalActivity: remitterText('principalActivity').meta(about('What the organisation does', 'Trading')),
  address: remitterText('address').meta(about('Street and town', 'Moi Avenue 1, Nairobi')),
  idType: remitterText('idType').meta(about('Kind of document that proves who pays', 'Passport')),
  idNumber: remitterText('idNumber').meta(about('Its number', 'A1234567')),
  idIssuePlace: remitterText('idIssuePlace').meta(about('Where it was issued', 'Nairobi')),
  idIssueDate: remitterDay.meta(about('When it was issued, as year/month/day', '2020/01/31')),
  idExpireDate: remitterDay.meta(about('When it expires, as year/month/day', '2030/01/31')),
  dateOfBirth: remitterDay.meta(about('Date of birth, as year/month/day', '1990/12/31')),
  nationality: remitterText('nationality').meta(about('Nationality, in a word: Kenyan', 'Kenyan')),
  email: remitterText('email').meta(about('Email address', 'accounts@acme.example')),
  city: remitterText('city').meta(about('City', 'Nairobi')),
  postalCode: remitterText('postalCode').meta(about('Postal code', '00100')),
  state: remitterText('state').meta(about('County or state', 'Nairobi')),
  financialInstitution: remitterText('financialInstitution').meta(about('Bank of the payer', 'Example Bank')),
  institutionIdentifier: remitterText('institutionIdentifier').meta(about('Code of that bank', 'EXMPKENA')),
} satisfies Record<RemitterField, z.ZodType>;

const route = z.strictObject({
  routeId: z.string().min(1).meta(about('Identifier of the route', '3fa85f64-5717-4562-b3fc-2c963f66afa6')),
  channelType: z.int().meta(about('Number of the channel', 1)),
  transactionTypeId: z
    .string()
    .min(1)
    .meta(about('Transaction type whose charges apply', '7c9e6679-7425-40de-944b-e07fc1f90ae7')),
});

const sending = z.strictObject({
  concurrency: z.int().min(1).max(256).default(16).describe('Orders on their way at the same time'),
  ratePerSecond: z.number().min(0).default(0).meta(about('Most orders per second; 0: no limit', 10)),
  linesPerOrder: z.int().min(1).max(500).default(1).describe('Most rows of one order'),
  requestTimeoutMs: milliseconds
    .min(LEAST_REQUEST_TIMEOUT_MS)
    .default(30_000)
    .describe('How long to wait for an answer; then the row is in doubt'),
  canary: z.int().min(0).optional().meta(about('Rows sent first; the rest leaves when they are completed', 3)),
  stopAfterFailures: z
    .int()
    .min(0)
    .optional()
    .meta(
      about(
        'Unpaid rows after which a run stops sending; 0: never; missing: if the first 20 that ended are all unpaid',
        20,
      ),
    ),
  feeTolerancePercent: z
    .int()
    .min(0)
    .max(1000)
    .optional()
    .meta(about('How far fees may exceed the quoted charges before a run stops sending; missing: 1', 1)),
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
  url: reachable
    .optional()
    .meta(about('Public address for callbacks of the service', 'https://pay.acme.example/callbacks')),
  secretFile: z
    .string()
    .optional()
    .meta(
      about(
        'File with the secret of the address of `paybatch listen`; missing: made in the state folder',
        '/etc/paybatch/callback-secret',
      ),
    ),
});

/** Names of the operations of the API. The token operation is not one of them: `tokenUrl` is its whole address. */
const operationNames = Object.values(operations).flatMap(({ name, host }) => (host === 'api' ? [name] : []));
const operationPath = z
  .string()
  .regex(/^\/[^\s?#]*$/, 'a path that begins with /, without spaces, ? and #')
  .meta({ examples: ['/v1/routes'] });

/** Marks the mistake of two settings that do not fit each other. `config-mistakes.ts` puts it into words. */
export const SHORT_QUIET = 'short-quiet';

const profileFields = z.strictObject({
  baseUrl: z
    .string()
    .optional()
    .meta(about('Address of the service, as the provider gave it', 'https://pay.example.com')),
  tokenUrl: z
    .string()
    .optional()
    .meta(
      about('Address that gives tokens; missing: connect/token at baseUrl', 'https://login.example.com/connect/token'),
    ),
  clientId: z.string().optional().meta(about('Name of the account at the provider', 'acme')),
  idNamespace: z
    .string()
    .min(1)
    .optional()
    .meta(about('What payment ids are made from; missing: the client id. Keep it when the client id changes', 'acme')),
  clientSecretFile: z
    .string()
    .optional()
    .meta(about('File with the client secret, readable only by you', '/etc/paybatch/secret')),
  clientSecretCredential: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,100}$/, 'the name of a systemd credential: letters, digits and . _ @ -')
    .optional()
    .meta(about('Name of the systemd credential that holds the client secret', 'paybatch-live')),
  clientSecretKeychain: z
    .boolean()
    .optional()
    .describe('The client secret is in the keychain (paybatch login), and nowhere else'),
  proxy: z
    .string()
    .optional()
    .meta(
      about(
        'Proxy (http://host:port) for service, tokens and webhooks; missing: none, even if the environment names one',
        'http://proxy.acme.example:3128',
      ),
    ),
  scope: z.string().optional().meta(about('Scope of the token; missing: service_api', 'service_api')),
  secretOrigins: z
    .array(
      z
        .string()
        .refine(isOrigin, 'an origin: only https, host and port')
        .meta({ examples: ['https://gateway.example.com'] }),
    )
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
    .meta(
      about(
        'PostgreSQL with the ledger; missing: a file in the state folder',
        'postgres://paybatch@db.example.com/paybatch',
      ),
    ),
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
  $schema: z.string().optional().meta(about('Schema of this file, for an editor', './paybatch.schema.json')),
  organisation: textUpTo(LONGEST_ORGANISATION)
    .min(1)
    .default('My organisation')
    .meta(about('Name of the payer, for people to read', 'Acme Ltd')),
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
  defaultProfile: z.string().optional().meta(about('Profile of commands that name none; missing: sandbox', 'live')),
  profiles: z.record(z.string(), profile).default({}).describe('Accounts at services, each under a name of yours'),
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
        .meta(about('Most rows of a sheet, headings included', 20_000)),
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

/** The configuration file. One schema: what it does not name is refused, so a misspelt limit is never ignored. */
import { z } from 'zod';
import { currencyOf } from '../domain/currency.ts';
import { languages } from '../domain/language.ts';

const decimal = z.string().regex(/^\d+(\.\d+)?$/, 'an amount as text, for example "250000"');
/** Exactly as batches carry it: a limit under any other spelling would hold nobody. */
const currencyCode = z.string().refine((code) => currencyOf(code)?.code === code, 'a currency code like KES');
const milliseconds = z.int().min(0);

/** The time zone is first used when money has gone out already, so an unknown one is refused here. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const route = z.strictObject({
  routeId: z.string().min(1).describe('Route identifier issued by the provider'),
  channelType: z.int(),
  transactionTypeId: z.string().min(1).describe('Transaction type whose charges apply'),
});

const sending = z.strictObject({
  concurrency: z.int().min(1).max(256).default(16).describe('Submissions in flight at once'),
  ratePerSecond: z.number().min(0).default(0).describe('0: no limit of our own'),
  linesPerOrder: z.int().min(1).max(500).default(1),
  requestTimeoutMs: milliseconds.min(100).default(30_000),
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
});

const profile = z.strictObject({
  baseUrl: z.string().optional(),
  tokenUrl: z.string().optional(),
  clientId: z.string().optional(),
  clientSecretFile: z.string().optional(),
  scope: z.string().optional(),
  routes: z.record(z.string(), route).default({}),
  sending: sending.prefault({}),
  polling: polling.prefault({}),
  inDoubt: inDoubt.prefault({}),
});

export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  organisation: z.string().min(1).default('My organisation'),
  currency: z.string().length(3).default('KES'),
  country: z.string().length(2).default('KE'),
  timezone: z.string().refine(isTimeZone, 'an IANA time zone, for example Africa/Nairobi').default('Africa/Nairobi'),
  purpose: z.string().min(1).default('Payment'),
  language: z.enum(languages).optional().describe('In which people are told what is wrong with their sheet'),
  defaultProfile: z.string().optional(),
  profiles: z.record(z.string(), profile).default({}),
  remitter: z
    .strictObject({
      name: z.string().optional(),
      phoneNumber: z.string().optional(),
      country: z.string().optional(),
      sourceOfFunds: z.string().optional(),
      principalActivity: z.string().optional(),
    })
    .default({}),
  limits: z
    .strictObject({
      perRow: z.record(currencyCode, decimal).default({}),
      perBatch: z.record(currencyCode, decimal).default({}),
    })
    .prefault({}),
});

export type Config = z.infer<typeof configSchema>;
export type ProfileConfig = z.infer<typeof profile>;

/** A profile that the file does not have: all defaults. */
export const emptyProfile = (): ProfileConfig => profile.parse({});

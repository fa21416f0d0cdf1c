/**
 * The run as programs call it. No compiler may have checked such a call, so everything that the caller left out is named
 * before anything is opened or sent. Each function wraps the function of the same name in its own room.
 */

import type { BatchHeader } from './domain/batch.ts';
import { type Clock, isTimeZone } from './domain/clock.ts';
import { Fault } from './domain/fault.ts';
import { bareHost, isLoopback, plainAddress } from './domain/own-host.ts';
import type { RunEnd } from './domain/run-end.ts';
import type { Settings } from './domain/settings.ts';
import type { Account } from './ledger/account-binding.ts';
import { keysInFolder as keysInWholeFolder } from './ledger/key-folder.ts';
import { type Ledger, type LedgerOptions, openLedger as openWholeLedger } from './ledger/ledger.ts';
import type { LedgerKeys } from './ledger/signing.ts';
import { type RunRequest, resumeBatch as resumeWhole, runSheet as runWhole } from './run/paybatch.ts';
import { refreshBatch as refreshWhole } from './run/refresh.ts';
import { type ReportPlace, reportBatch as reportWhole } from './run/report.ts';
import type { RunDeps } from './run/run-deps.ts';
import { type CheckDeps, type CheckRequest, validateSheet as validateWhole } from './run/validate.ts';
import {
  parseScenario as parseWholeScenario,
  type Sandbox,
  type SandboxOptions,
  startSandbox as startWholeSandbox,
} from './sandbox/sandbox.ts';
import { checkedAddress } from './service/client/address.ts';
import {
  type Client,
  type ClientDeps,
  type ClientSettings,
  openClient as openClientWhole,
} from './service/client/client.ts';

type ReportDeps = Parameters<typeof reportWhole>[1];

/**
 * What must be present under a required name: a value of a type, a text that must not be empty (`text`), or a record with
 * required names of its own.
 */
type Need = 'string' | 'text' | 'number' | 'boolean' | 'function' | 'object' | Needs;
interface Needs {
  readonly [name: string]: Need;
}

type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];
/** The needs of a type: each of its required names, and no other. */
type NeedsOf<T> = { readonly [K in RequiredKeys<T>]: NeedOf<T[K]> };
type NeedOf<V> = V extends (...args: never[]) => unknown
  ? 'function'
  : V extends string
    ? 'string' | 'text'
    : V extends number
      ? 'number'
      : V extends boolean
        ? 'boolean'
        : 'object' | NeedsOf<V>;

const settings = {
  organisation: 'text',
  idNamespace: 'text',
  currency: 'string',
  country: 'string',
  timezone: 'string',
  purpose: 'string',
  profile: 'string',
  sandbox: 'boolean',
  routes: 'object',
  sending: { concurrency: 'number', ratePerSecond: 'number', linesPerOrder: 'number', requestTimeoutMs: 'number' },
  polling: { firstMs: 'number', maxMs: 'number', deadlineMs: 'number' },
  inDoubt: {
    resend: 'string',
    unknownGapMs: 'number',
    quietMs: 'number',
    maxAgeMs: 'number',
    maxResends: 'number',
  },
  limits: { perRow: 'object', perBatch: 'object' },
  duplicates: { withinDays: 'number', samePersonDays: 'number', otherPeriodDays: 'number' },
} as const satisfies NeedsOf<Settings>;

const clock = { now: 'function', monotonicMs: 'function', sleep: 'function' } as const satisfies NeedsOf<Clock>;

const checkRequest = {
  sheet: 'text',
  reading: 'object',
  allowIdentical: 'number',
} as const satisfies NeedsOf<CheckRequest>;
const checkDeps = { settings, emit: 'function' } as const satisfies NeedsOf<CheckDeps>;
const runRequest = { ...checkRequest, dryRun: 'boolean' } as const satisfies NeedsOf<RunRequest>;
const runDeps = {
  settings,
  clock,
  random: 'function',
  emit: 'function',
  client: 'object',
  ledger: 'object',
  service: 'string',
  signal: 'object',
  confirm: 'function',
  maker: 'string',
  version: 'string',
} as const satisfies NeedsOf<RunDeps>;
const reportDeps = { ledger: 'object', clock, settings, emit: 'function' } as const satisfies NeedsOf<ReportDeps>;
const ledgerOptions = {
  path: 'text',
  keys: 'object',
  clock,
  holder: 'object',
} as const satisfies NeedsOf<LedgerOptions>;
const clientSettings = {
  baseUrl: 'string',
  tokenUrl: 'string',
  clientId: 'string',
  clientSecret: 'string',
  scope: 'string',
  requestTimeoutMs: 'number',
  ratePerSecond: 'number',
} as const satisfies NeedsOf<ClientSettings>;
const clientDeps = { transport: 'object', clock, random: 'function' } as const satisfies NeedsOf<ClientDeps>;
const sandboxOptions = { clock, random: 'function' } as const satisfies NeedsOf<SandboxOptions>;
/** The part of a batch, as the ledger returns it, that distinguishes it from anything else. */
const batchHeader = { id: 'string', key: 'string', sheet: 'object' } as const satisfies Partial<NeedsOf<BatchHeader>>;

/** Returns the names that are missing or hold something else, each with the type that is required there. */
function missingIn(given: unknown, needs: Needs, at: string): readonly string[] {
  return Object.entries(needs).flatMap(([name, need]) => {
    const value: unknown = Object(given)[name];
    const where = at === '' ? name : `${at}.${name}`;
    const type = typeof need === 'object' ? 'object' : need === 'text' ? 'string' : need;
    const isThere = typeof value === type && value !== null && !(need === 'text' && value === '');
    if (isThere && typeof need !== 'string') return missingIn(value, need, where);
    return isThere ? [] : [`${where} (${type})`];
  });
}

/** Throws a Fault `usage` that names everything that is missing from a call. */
function requireGiven(called: string, given: object, needs: Needs): void {
  const missing = missingIn(given, needs, '');
  if (missing.length === 0) return;
  throw new Fault(
    'usage',
    `${called} was called without ${missing.join(', ')}. Nothing was opened, and nothing was sent.`,
    'Pass the arguments that are missing. paybatch help library shows complete calls.',
  );
}

/** Throws a Fault `configuration` if the time zone is unknown: results could not be written once everything is paid. */
function requireTimezone({ timezone }: Settings): void {
  if (isTimeZone(timezone)) return;
  throw new Fault(
    'configuration',
    `There is no time zone "${timezone}" (deps.settings.timezone). Nothing was sent.`,
    'Use a name of the IANA, for example Africa/Nairobi.',
  );
}

/** The accounts of the clients and ledgers that were opened here. A run that is given parts of two accounts is refused. */
const accounts = new WeakMap<Client | Ledger, Account>();

/**
 * Throws a Fault `configuration` unless the time zone is known, and client, ledger, `service` and `sandbox` belong to one
 * account. The payment ids of one account mean nothing at another, and real payments would be recorded as a rehearsal. A
 * client or ledger that was not opened here cannot be checked.
 */
function requireProfile(called: string, { client, ledger, service, settings }: RunDeps): void {
  requireTimezone(settings);
  const pays = accounts.get(client);
  if (!pays) return;
  const { service: recorded, ...others } = accounts.get(ledger) ?? pays;
  const said: readonly (readonly [what: string, said: string, isPaying: string])[] = [
    ['deps.service', service, pays.service],
    ['deps.ledger.useFor, service', recorded, pays.service],
    ['deps.ledger.useFor, tokenUrl', others.tokenUrl, pays.tokenUrl],
    ['deps.ledger.useFor, clientId', others.clientId, pays.clientId],
  ];
  const wrong = said
    .filter(([, one, other]) => plainAddress(one) !== plainAddress(other))
    .map(([what, one, other]) => `${what} is ${one}, and deps.client has ${other}`);
  const host = bareHost(URL.parse(pays.service)?.hostname);
  if (settings.sandbox && !isLoopback(host)) {
    wrong.push(
      `deps.settings.sandbox is true, and deps.client is at ${pays.service}, which is not a practice service of this machine`,
    );
  }
  if (wrong.length === 0) return;
  throw new Fault(
    'configuration',
    `${called} was given two accounts: ${wrong.join('; ')}. Nothing was sent.`,
    'Give client, ledger, service and settings of one profile.',
  );
}

/** Pays a sheet once. Fault `configuration` if it is given parts of two accounts. */
export async function runSheet(request: RunRequest, deps: RunDeps): Promise<RunEnd> {
  requireGiven('runSheet', { request, deps }, { request: runRequest, deps: runDeps });
  requireProfile('runSheet', deps);
  return await runWhole(request, deps);
}

/**
 * Resumes a batch that was stopped: sends what was not sent, and finds out what is not known. `outFolder` is the folder for
 * the results; if absent, they are written next to the sheet.
 */
export async function resumeBatch(
  batch: BatchHeader,
  deps: RunDeps,
  outFolder?: string,
  upToBalance?: number,
): Promise<RunEnd> {
  requireGiven('resumeBatch', { batch, deps }, { batch: batchHeader, deps: runDeps });
  requireProfile('resumeBatch', deps);
  return await resumeWhole(batch, deps, outFolder, upToBalance);
}

/** Checks a sheet and does nothing else: it calls no service and touches no ledger. */
export async function validateSheet(request: CheckRequest, deps: CheckDeps): Promise<RunEnd> {
  requireGiven('validateSheet', { request, deps }, { request: checkRequest, deps: checkDeps });
  return await validateWhole(request, deps);
}

/** Looks up once everything that is not final; sends no payment. */
export async function refreshBatch(batch: BatchHeader, deps: RunDeps): Promise<RunEnd> {
  requireGiven('refreshBatch', { batch, deps }, { batch: batchHeader, deps: runDeps });
  requireProfile('refreshBatch', deps);
  return await refreshWhole(batch, deps);
}

/** Writes the results of a batch from the ledger only, and returns the files. */
export async function reportBatch(
  batch: BatchHeader,
  deps: ReportDeps,
  place: ReportPlace = {},
): Promise<RunEnd['files']> {
  requireGiven('reportBatch', { batch, deps }, { batch: batchHeader, deps: reportDeps });
  requireTimezone(deps.settings);
  return await reportWhole(batch, deps, place);
}

/**
 * Opens a ledger, or creates one. Fault `ledger-unsafe` if it cannot be relied on, `ledger-version` if its tables are those
 * of another version; `upgrade` brings older tables up to date.
 */
export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  requireGiven('openLedger', { options }, { options: ledgerOptions });
  const opened = await openWholeLedger(options);
  const ledger: Ledger = {
    ...opened,
    async useFor(account) {
      await opened.useFor(account);
      accounts.set(ledger, account);
    },
  };
  return ledger;
}

/**
 * Opens a client of the service for a run; closing the client closes `transport`. Nothing is sent until the first call. Fault
 * `configuration` for an address that is not https, unless it is on this machine.
 */
export function openClient(whole: ClientSettings, deps: ClientDeps): Client {
  requireGiven('openClient', { settings: whole, deps }, { settings: clientSettings, deps: clientDeps });
  const service = checkedAddress(whole.baseUrl, 'settings.baseUrl');
  const tokenUrl = checkedAddress(whole.tokenUrl, 'settings.tokenUrl');
  const { clientId } = whole;
  const client = openClientWhole({ ...whole, baseUrl: service, tokenUrl }, deps);
  accounts.set(client, { service, tokenUrl, clientId });
  return client;
}

/** Starts the practice service, and resolves when it listens. Throws a Fault if its port or its books cannot be used. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  requireGiven('startSandbox', { options }, { options: sandboxOptions });
  return await startWholeSandbox(options);
}

/** Reads how the practice service is to behave, from words such as `settle-min=20,settle-max=80`. */
export function parseScenario(text: string): ReturnType<typeof parseWholeScenario> {
  requireGiven('parseScenario', { text }, { text: 'string' });
  return parseWholeScenario(text);
}

/** Returns the store of the signing keys of ledgers: files in a folder, which must never be that of the ledger. */
export function keysInFolder(folder: string): LedgerKeys {
  requireGiven('keysInFolder', { folder }, { folder: 'text' });
  return keysInWholeFolder(folder);
}

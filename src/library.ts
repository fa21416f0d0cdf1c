/**
 * The run as programs call it, which no compiler may have checked: what a caller leaves out is named, before anything is opened or
 * sent. Each function is that of the same name in its own room.
 */

import type { BatchHeader } from './domain/batch.ts';
import { type Clock, isTimeZone } from './domain/clock.ts';
import { Fault } from './domain/fault.ts';
import { bareHost, isLoopback, plainAddress } from './domain/own-host.ts';
import type { RunEnd } from './domain/run-end.ts';
import type { Settings } from './domain/settings.ts';
import { keysInFolder as keysInWholeFolder } from './ledger/key-folder.ts';
import { type Ledger, type LedgerOptions, openLedger as openWholeLedger } from './ledger/ledger.ts';
import type { Account } from './ledger/pin.ts';
import type { LedgerKeys } from './ledger/signing.ts';
import { type RunDeps, type RunRequest, resumeBatch as resumeWhole, runSheet as runWhole } from './run/paybatch.ts';
import { refreshBatch as refreshWhole } from './run/refresh.ts';
import { type ReportPlace, reportBatch as reportWhole } from './run/report.ts';
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

/** What stands under a name that may not be missing: a value of a type, a text that may not be empty, or a record with names of its own. */
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
const checkDeps = { settings, tell: 'function' } as const satisfies NeedsOf<CheckDeps>;
const runRequest = { ...checkRequest, dryRun: 'boolean' } as const satisfies NeedsOf<RunRequest>;
const runDeps = {
  settings,
  clock,
  random: 'function',
  tell: 'function',
  client: 'object',
  ledger: 'object',
  service: 'string',
  signal: 'object',
  confirm: 'function',
  maker: 'string',
  version: 'string',
} as const satisfies NeedsOf<RunDeps>;
const reportDeps = { ledger: 'object', clock, settings, tell: 'function' } as const satisfies NeedsOf<ReportDeps>;
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
/** Of what the ledger gives: enough to tell it from anything else. */
const batchHeader = { id: 'string', key: 'string', sheet: 'object' } as const satisfies Partial<NeedsOf<BatchHeader>>;

/** Names that are missing, or hold something else, with what should stand there. */
function lackingIn(given: unknown, needs: Needs, at: string): readonly string[] {
  return Object.entries(needs).flatMap(([name, need]) => {
    const value: unknown = Object(given)[name];
    const where = at === '' ? name : `${at}.${name}`;
    const type = typeof need === 'object' ? 'object' : need === 'text' ? 'string' : need;
    const isThere = typeof value === type && value !== null && !(need === 'text' && value === '');
    if (isThere && typeof need !== 'string') return lackingIn(value, need, where);
    return isThere ? [] : [`${where} (${type})`];
  });
}

/** Throws a Fault `usage` that names all of a call that is missing. */
function requireGiven(called: string, given: object, needs: Needs): void {
  const lacking = lackingIn(given, needs, '');
  if (lacking.length === 0) return;
  throw new Fault(
    'usage',
    `${called} was called without ${lacking.join(', ')}. Nothing was opened, and nothing was sent.`,
    'Give what is named. paybatch help library shows whole calls.',
  );
}

/** Throws a Fault `configuration` for a time zone that nobody knows: results could not be written once all is paid. */
function requireTimezone({ timezone }: Settings): void {
  if (isTimeZone(timezone)) return;
  throw new Fault(
    'configuration',
    `There is no time zone "${timezone}" (deps.settings.timezone). Nothing was sent.`,
    'Use a name of the IANA, for example Africa/Nairobi.',
  );
}

/** The accounts of clients and ledgers that were opened here: a run that is given those of two is refused. */
const accounts = new WeakMap<Client | Ledger, Account>();

/**
 * Throws a Fault `configuration` unless the time zone is known, and client, ledger, `service` and `sandbox` are those of one account: the
 * ids of another account's payments mean nothing at it, and what was paid would be recorded as a rehearsal. Of a client or ledger that
 * was not opened here nothing is known.
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
  if (settings.sandbox && host !== 'localhost' && !isLoopback(host)) {
    wrong.push(
      `deps.settings.sandbox is true, and deps.client is at ${pays.service}, which is no practice service of this machine`,
    );
  }
  if (wrong.length === 0) return;
  throw new Fault(
    'configuration',
    `${called} was given two accounts: ${wrong.join('; ')}. Nothing was sent.`,
    'Give client, ledger, service and settings of one profile.',
  );
}

/** Pays a sheet once. A Fault `configuration` when it is given parts of two accounts. */
export async function runSheet(request: RunRequest, deps: RunDeps): Promise<RunEnd> {
  requireGiven('runSheet', { request, deps }, { request: runRequest, deps: runDeps });
  requireProfile('runSheet', deps);
  return await runWhole(request, deps);
}

/** Goes on with a batch that was stopped: sends what was not sent, finds out what is not known. `outFolder`: for the results; missing: beside the sheet. */
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

/** Checks a sheet and nothing else: it asks no service and touches no ledger. */
export async function validateSheet(request: CheckRequest, deps: CheckDeps): Promise<RunEnd> {
  requireGiven('validateSheet', { request, deps }, { request: checkRequest, deps: checkDeps });
  return await validateWhole(request, deps);
}

/** Asks the service once about everything that is not final; sends nothing. */
export async function refreshBatch(batch: BatchHeader, deps: RunDeps): Promise<RunEnd> {
  requireGiven('refreshBatch', { batch, deps }, { batch: batchHeader, deps: runDeps });
  requireProfile('refreshBatch', deps);
  return await refreshWhole(batch, deps);
}

/** Writes the results of a batch from the ledger alone, and gives the files. */
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
 * Opens a ledger, or makes a new one. A Fault `ledger-unsafe` when it cannot be relied on, `ledger-version` when its tables are those of
 * another version; `upgrade` brings older ones up to date.
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
 * Opens a client of the service for a run; it closes `transport`. Nothing is sent until the first call. A Fault `configuration` for an
 * address that is not https, but on this machine.
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

/** Starts the practice service; resolves when it listens. A Fault when port or books cannot be used. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  requireGiven('startSandbox', { options }, { options: sandboxOptions });
  return await startWholeSandbox(options);
}

/** How the practice service behaves, from words such as `settle-min=20,settle-max=80`. */
export function parseScenario(text: string): ReturnType<typeof parseWholeScenario> {
  requireGiven('parseScenario', { text }, { text: 'string' });
  return parseWholeScenario(text);
}

/** The signing keys of ledgers as files in a folder, which is never that of the ledger. */
export function keysInFolder(folder: string): LedgerKeys {
  requireGiven('keysInFolder', { folder }, { folder: 'text' });
  return keysInWholeFolder(folder);
}

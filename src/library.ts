/**
 * The run as programs call it, which no compiler may have checked: what a caller leaves out is named, before anything is opened or
 * sent. Each function is that of the same name in its own room.
 */

import type { BatchHeader } from './domain/batch.ts';
import type { Clock } from './domain/clock.ts';
import { Fault } from './domain/fault.ts';
import type { RunEnd } from './domain/run-end.ts';
import type { Settings } from './domain/settings.ts';
import { keysInFolder as keysInWholeFolder } from './ledger/key-folder.ts';
import { type Ledger, type LedgerOptions, openLedger as openWholeLedger } from './ledger/ledger.ts';
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
import {
  type Client,
  type ClientDeps,
  type ClientSettings,
  openClient as openClientWhole,
} from './service/client/client.ts';

type ReportDeps = Parameters<typeof reportWhole>[1];

/** What stands under a name that may not be missing: a value of a type, or a record with names of its own. */
type Need = 'string' | 'number' | 'boolean' | 'function' | 'object' | Needs;
interface Needs {
  readonly [name: string]: Need;
}

type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];
/** The needs of a type: each of its required names, and no other. */
type NeedsOf<T> = { readonly [K in RequiredKeys<T>]: NeedOf<T[K]> };
type NeedOf<V> = V extends (...args: never[]) => unknown
  ? 'function'
  : V extends string
    ? 'string'
    : V extends number
      ? 'number'
      : V extends boolean
        ? 'boolean'
        : 'object' | NeedsOf<V>;

const settings = {
  organisation: 'string',
  idNamespace: 'string',
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
  sheet: 'string',
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
  path: 'string',
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
    const type = typeof need === 'string' ? need : 'object';
    const isThere = typeof value === type && value !== null;
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

/** Pays a sheet once. */
export async function runSheet(request: RunRequest, deps: RunDeps): Promise<RunEnd> {
  requireGiven('runSheet', { request, deps }, { request: runRequest, deps: runDeps });
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
  return await refreshWhole(batch, deps);
}

/** Writes the results of a batch from the ledger alone, and gives the files. */
export async function reportBatch(
  batch: BatchHeader,
  deps: ReportDeps,
  place: ReportPlace = {},
): Promise<RunEnd['files']> {
  requireGiven('reportBatch', { batch, deps }, { batch: batchHeader, deps: reportDeps });
  return await reportWhole(batch, deps, place);
}

/**
 * Opens a ledger, or makes a new one. A Fault `ledger-unsafe` when it cannot be relied on, `ledger-version` when its tables are those of
 * another version; `upgrade` brings older ones up to date.
 */
export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  requireGiven('openLedger', { options }, { options: ledgerOptions });
  return await openWholeLedger(options);
}

/** Opens a client of the service for a run; it closes `transport`. Nothing is sent until the first call. */
export function openClient(whole: ClientSettings, deps: ClientDeps): Client {
  requireGiven('openClient', { settings: whole, deps }, { settings: clientSettings, deps: clientDeps });
  return openClientWhole(whole, deps);
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
  requireGiven('keysInFolder', { folder }, { folder: 'string' });
  return keysInWholeFolder(folder);
}

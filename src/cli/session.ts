/**
 * What a command that works with a service needs, opened once and closed whatever happens: the configuration, the
 * client, the ledger, and the embedded practice service when the profile is the sandbox.
 */
import path from 'node:path';
import { openCallbacks } from '../callbacks/open-callbacks.ts';
import { type Client, openClient } from '../client/client.ts';
import { openTransport } from '../client/transport.ts';
import type { RunEvent, Tell } from '../domain/event.ts';
import { loggedText } from '../domain/masked-text.ts';
import { NOBODYS_ADDRESS, type RemitterSettings, type Settings } from '../domain/settings.ts';
import { useOwnFolder } from '../files/own-folder.ts';
import { kinds } from '../kinds/index.ts';
import { freeBytesOf, requireLocal } from '../ledger/file-system.ts';
import { type LeaseHolder, openLedger } from '../ledger/ledger.ts';
import type { RunDeps } from '../paybatch.ts';
import { OTHER_NAMES } from '../preflight/payees/paid-names.ts';
import { parseScenario, practicePaths, practiceRoutes, type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import type { Account } from './config/account.ts';
import type { Config } from './config/config-schema.ts';
import type { LoadedConfig } from './config/load-config.ts';
import type { RunLimits } from './flags/limit-options.ts';
import { askBatchName } from './screens/ask-batch-name.ts';
import { confirmTotals, type ExpectedTotals } from './screens/confirm.ts';
import { paidFrom, paidFromText } from './screens/paid-from.ts';
import type { Shell } from './shell.ts';
import { ledgerKeys } from './state/ledger-keys.ts';
import { jsonable, openLog } from './state/log.ts';
import { requireNewLedger } from './state/other-ledgers.ts';
import { isAlive, makerName, thisProcess } from './state/system.ts';

/** What the ledger and the audit call the embedded service: its port changes, it does not. */
export const EMBEDDED = 'embedded sandbox';
/**
 * The practice service is on this machine, honest and quick, so waiting that a real service needs would only teach
 * people to wait. A profile named "sandbox" in the configuration overrides these.
 */
const practiceTimings = {
  requestTimeoutMs: 1000,
  polling: { firstMs: 150, maxMs: 2000, deadlineMs: 20_000 },
  inDoubt: { resend: 'same-id', unknownGapMs: 500, quietMs: 2000, maxAgeMs: 86_400_000, maxResends: 3 },
} as const;

/** Who pays in a rehearsal, as far as the configuration does not say it. */
const practiceRemitter = ({ organisation, country }: Config): RemitterSettings => ({
  name: organisation,
  phoneNumber: '+254700000000',
  country,
  sourceOfFunds: 'Business',
  principalActivity: 'Trading',
});

/** Connections beyond the submissions in flight: look-ups and the token. */
const SPARE_CONNECTIONS = 4;

export interface SessionOptions {
  readonly command: string;
  readonly currency?: string;
  readonly purpose?: string;
  readonly concurrency?: number;
  readonly limits?: RunLimits;
  readonly expected?: ExpectedTotals;
  /** How many airtime and bill payments are sent though the ledger may not know that they were. */
  readonly acceptUnverifiable?: number;
  /** Scenario of the practice service. */
  readonly scenario?: string;
  /** The command may send payments. */
  readonly sends?: boolean;
  /** The command has begun before: its start is not told once more. */
  readonly again?: boolean;
}

/** The ledger and what a command needs that reads nothing else: no service is asked, and a run may be going on. */
export interface Records extends AsyncDisposable {
  readonly deps: Pick<RunDeps, 'settings' | 'clock' | 'ledger' | 'tell' | 'service'>;
  readonly loaded: LoadedConfig;
}

export interface Session extends AsyncDisposable {
  readonly deps: RunDeps;
  readonly loaded: LoadedConfig;
}

export const settingsOf = (
  { config, file, profileName, profile, account, language }: LoadedConfig,
  options: Omit<SessionOptions, 'command'>,
): Settings => {
  const currency = (options.currency ?? config.currency).toUpperCase();
  const sandbox = account === undefined;
  const practised = sandbox && config.profiles[profileName] === undefined;
  // The practice service answers look-ups, so that a rehearsal needs no listener.
  const callbackUrl = profile.callbacks.url ?? (sandbox ? NOBODYS_ADDRESS : undefined);
  return {
    organisation: config.organisation,
    ...(config.idNamespace !== undefined && { idNamespace: config.idNamespace }),
    currency,
    country: config.country,
    timezone: config.timezone,
    language,
    purpose: options.purpose ?? config.purpose,
    profile: profileName,
    sandbox,
    routes: { ...(sandbox && routesOfPractice(currency)), ...withoutGaps(profile.routes) },
    sending: {
      ...profile.sending,
      ...(practised && { requestTimeoutMs: practiceTimings.requestTimeoutMs }),
      ...options.limits,
      // What the operator says of it goes before what was recorded, what the profile says does not.
      canary: profile.sending.canary,
      ...(options.concurrency !== undefined && { concurrency: options.concurrency }),
    },
    polling: practised ? practiceTimings.polling : profile.polling,
    inDoubt: practised ? practiceTimings.inDoubt : profile.inDoubt,
    remitter: { ...(sandbox && practiceRemitter(config)), ...given(config.remitter) },
    ...(file !== undefined && { file }),
    ...(callbackUrl !== undefined && { callbackUrl }),
    limits: config.limits,
    duplicates: config.duplicates,
  };
};

/** What is there of a record whose entries may be missing. */
const withoutGaps = <T>(record: Readonly<Record<string, T | undefined>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** What a configuration says of the remitter, without the fields that it leaves out or blank. */
const given = (remitter: Config['remitter']): RemitterSettings =>
  Object.fromEntries(Object.entries(remitter).filter(([, text]) => text?.trim()));

/** The practice rails by kind: the one with the kind's channel type, in the batch's currency if there is one. */
function routesOfPractice(currency: string): Settings['routes'] {
  const routes = kinds.flatMap(({ name, channelType }) => {
    const rails = practiceRoutes.filter((rail) => rail.channelType === channelType);
    const rail = rails.find((candidate) => candidate.currency === currency) ?? rails[0];
    return rail
      ? [[name as string, { routeId: rail.routeId, channelType, transactionTypeId: rail.transactionTypeId }] as const]
      : [];
  });
  return Object.fromEntries(routes);
}

/** The folder of a profile's state: its ledger, its callbacks, and the books of the practice service. */
export const stateFolder = ({ home, profileName }: LoadedConfig): string => path.join(home, profileName);

export const ledgerFile = (loaded: LoadedConfig): string => path.join(stateFolder(loaded), 'ledger.db');

/** The second mark of a profile's ledger: outside of its folder, because people delete and restore folders. */
export const markCopyOf = (home: string, profileName: string): string =>
  path.join(home, 'marks', `${profileName}.json`);

export async function openRecords(shell: Shell, options: SessionOptions): Promise<Records> {
  const { clock } = shell;
  const loaded = shell.config();
  const settings = settingsOf(loaded, options);
  useOwnFolder(stateFolder(loaded));
  useOwnFolder(path.dirname(markCopyOf(loaded.home, loaded.profileName)));
  const { log, trouble } = openLog(loaded.home, clock.now(), shell.secrets);
  const tell: Tell = (event) => {
    shell.reporter.tell(event);
    if (!isUnlogged(event)) log.info(jsonable(event, loggedText) as object); // an object stays one
  };
  if (trouble !== undefined) tell({ type: 'notice', level: 'warning', message: trouble });
  const ledger = await openLedger({
    path: ledgerFile(loaded),
    markCopy: markCopyOf(loaded.home, loaded.profileName),
    keys: ledgerKeys(loaded),
    clock,
    holder: thisProcess(`${makerName()}: ${options.command}`, loaded.machineName),
    isAlive,
    onSilence: (holder, forMs) => tell({ type: 'notice', level: 'info', message: silenceNotice(holder, forMs) }),
    signal: shell.signal,
  });
  const service = loaded.account?.baseUrl ?? EMBEDDED;
  return { deps: { settings, clock, ledger, tell, service }, loaded, [Symbol.asyncDispose]: () => ledger.close() };
}

/** What people are told while a lease is watched. */
const silenceNotice = ({ description, pid, host }: LeaseHolder, forMs: number): string =>
  `Another run used the ledger, ${description} (process ${pid} on ${host}), and may have stopped. If it says nothing for ${forMs / 1000} s, this one takes the ledger over.`;

/** Progress says nothing afterwards, and the log is no place for whose an account is. */
const unlogged: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>([
  'progress',
  'payees.progress',
  'reconcile.progress',
  'payee',
]);

const isUnlogged = (event: RunEvent): boolean =>
  unlogged.has(event.type) || (event.type === 'notice' && event.code === OTHER_NAMES);

/** The first event of a command that works on the ledger. */
export function tellStart({ deps, loaded }: Pick<Records, 'deps' | 'loaded'>, command: string, version: string): void {
  const { tell, settings, service } = deps;
  const { profile, sandbox } = settings;
  tell({ type: 'start', command, version, profile, sandbox, service, ...paidFrom(loaded) });
}

export async function openSession(shell: Shell, options: SessionOptions): Promise<Session> {
  const { clock, random, version, signal, secrets } = shell;
  const closing = new AsyncDisposableStack();
  try {
    if (options.sends === true) requirePlace(shell.config());
    const { deps: records, loaded } = closing.use(await openRecords(shell, options));
    if (options.sends === true) requireNewLedger(loaded);
    const { ledger, settings, service } = records;
    // The embedded service keeps its books beside the ledger, and one process at a time may.
    if (!loaded.account) await ledger.takeLease();
    const embedded = loaded.account ? undefined : await embeddedSandbox(shell, stateFolder(loaded), options);
    if (embedded) closing.adopt(embedded, (open: Sandbox) => open.close());
    const account = loaded.account ?? accountOf(embedded);
    const tokenUrl = loaded.account ? account.tokenUrl : EMBEDDED;
    await ledger.useFor({ service, tokenUrl, clientId: account.clientId });
    const { concurrency, requestTimeoutMs, ratePerSecond } = settings.sending;
    const paths = { ...(embedded && practicePaths), ...loaded.profile.paths };
    const transport = openTransport(concurrency + SPARE_CONNECTIONS);
    const client = closing.adopt(
      openClient({ ...account, requestTimeoutMs, ratePerSecond, paths }, { transport, clock, random, secrets }),
      (open: Client) => open.close(),
    );
    const callbacks = await openCallbacks(stateFolder(loaded), loaded.profile.callbacks.url, records.tell);
    if (callbacks) closing.use(callbacks);
    const deps: RunDeps = {
      ...records,
      random,
      client,
      ...(callbacks && { callbacks }),
      ...(options.acceptUnverifiable !== undefined && { acceptUnverifiable: options.acceptUnverifiable }),
      ...(options.limits?.canary !== undefined && { canary: options.limits.canary }),
      signal,
      working: (batch) => shell.working(batch),
      freeBytes: () => freeBytesOf(stateFolder(loaded)),
      maker: makerName(),
      version,
      nameBatch: (proposal) => askBatchName(proposal, shell),
      confirm: (statement) =>
        confirmTotals(statement, options.expected ?? {}, {
          sandbox: settings.sandbox,
          shell,
          paidFrom: paidFromText(loaded),
        }),
    };
    if (options.again !== true) tellStart({ deps, loaded }, options.command, version);
    return { deps, loaded, [Symbol.asyncDispose]: () => closing.disposeAsync() };
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

/** A rehearsal may be kept anywhere. Asked before the ledger is opened: opening it in such a place could already damage it. */
function requirePlace(loaded: LoadedConfig): void {
  if (loaded.account && loaded.profile.stateFolder === 'local') requireLocal(stateFolder(loaded));
}

function embeddedSandbox({ clock, random }: Shell, folder: string, { scenario }: SessionOptions): Promise<Sandbox> {
  return startSandbox({ folder, clock, random, ...(scenario !== undefined && { scenario: parseScenario(scenario) }) });
}

/** The account of the embedded service. */
export function accountOf(sandbox: Sandbox | undefined): Account {
  const { url = '', clientId = '', clientSecret = '' } = sandbox ?? {};
  const tokenUrl = `${url}/connect/token`;
  return { baseUrl: url, tokenUrl, clientId, clientSecret, scope: 'service_api', secretOrigins: [url] };
}

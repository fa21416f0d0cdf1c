/**
 * The session of a command that works with a service, opened in order and closed whatever happens: the records and, for a command
 * that calls the service, the client, the callbacks and the questions to a person.
 */

import path from 'node:path';
import { openCallbacks } from '../callbacks/open-callbacks.ts';
import { freeBytesOf, requireLocal } from '../database/file-system.ts';
import type { Emit, RunEvent } from '../domain/event.ts';
import type { Fault } from '../domain/fault.ts';
import { loggedText } from '../domain/msisdn.ts';
import { present } from '../domain/present.ts';
import { shown } from '../domain/shown-text.ts';
import { useOwnFolder } from '../files/own-folder.ts';
import type { Upgrade, Upgraded } from '../ledger/ledger.ts';
import type { ExpectedTotals } from '../preflight/control-totals.ts';
import { OTHER_NAMES } from '../preflight/payees/paid-names.ts';
import type { RunDeps } from '../run/run-deps.ts';
import { Closing, once } from './closing.ts';
import { withSecret } from './config/account.ts';
import type { LoadedConfig } from './config/load-config.ts';
import type { SettingsOptions } from './config/run-settings.ts';
import { jsonable } from './events/jsonable.ts';
import { EMBEDDED, Resources } from './resources.ts';
import { askBatchName, askChangedPayees, confirmTotals, paidFrom, paidFromText } from './screens/confirm.ts';
import type { Shell } from './shell.ts';
import { type OpenedLog, openLog } from './state/log.ts';
import { requireNewLedger } from './state/other-ledgers.ts';
import { checkpointFile, stateFolder } from './state/state-files.ts';
import { makerName } from './state/system.ts';

/** Connections in addition to those of the submissions in flight, for look-ups and the token. */
const SPARE_CONNECTIONS = 4;

export interface SessionOptions extends SettingsOptions {
  readonly expected?: ExpectedTotals;
  /** Number of airtime and bill payments to send although the ledger may not know that they were sent before. */
  readonly acceptUnverifiable?: number | undefined;
  /** How to bring an older ledger up to date; if absent, a command that sends does it, and any other command refuses the ledger. */
  readonly upgrade?: Upgrade;
  /** Scenario of the practice service. */
  readonly scenario?: string | undefined;
  /** File to which every row is written as a line of JSON. */
  readonly rowsFile?: string | undefined;
  /** Headings of the sheet by which the Summary counts rows. */
  readonly groupBy?: readonly string[] | undefined;
  /** Whether the command may send payments. */
  readonly sends?: boolean;
  /** Whether the command has begun before: its start is not reported again. */
  readonly again?: boolean;
}

/** What a command works with, until it is closed. */
interface Opened<Deps> extends AsyncDisposable {
  readonly deps: Deps;
  readonly loaded: LoadedConfig;
}

/** The ledger and what a command needs that reads nothing else: it does not call the service, and another run may be in progress. */
export type Records = Opened<
  Pick<RunDeps, 'settings' | 'clock' | 'ledger' | 'emit' | 'service' | 'emitsEveryRow' | 'pictures'>
>;

/** Everything that a run needs. */
export type Session = Opened<RunDeps>;

/** The resources of a command, and how it reports events; both exist before anything is opened. */
interface Site {
  readonly resources: Resources;
  /** Reports an event to the user and to the log, which is opened with the first event. */
  readonly emit: Emit;
  /** Returns the log. */
  readonly opened: () => OpenedLog;
}

function siteOf(shell: Shell, options: SessionOptions): Site {
  const say = (level: 'info' | 'warning', message: string): void => emit({ type: 'notice', level, message });
  const resources = new Resources(shell, {
    ...options,
    hold: useOwnFolder,
    transport: async ({ sending }, proxy) => {
      // Loaded on demand: a command that never calls the service does not need the transport.
      const { openTransport } = await import('../service/client/transport.ts');
      return openTransport(sending.concurrency + SPARE_CONNECTIONS, proxy);
    },
    emit: (event) => emit(event),
    ...(options.sends === true && {
      upgrade: { onUpgraded: (upgraded) => say('info', upgradedText(upgraded)) },
    }),
    waiting: {
      onHeld: (who, forMs) =>
        say('info', `Another run is in progress: ${who}. Waiting up to ${forMs / 1000} s for it to finish.`),
      // A command that does not send fails immediately instead of waiting for the server.
      ...(options.sends === true && {
        onAway: (fault, forMs) =>
          say(
            'warning',
            `${soFarOf(fault)} Nothing is sent meanwhile. Waiting up to ${forMs / 1000} s for the server; press Ctrl-C to stop waiting.`,
          ),
      }),
      signal: shell.signal,
    },
  });
  const { emit, opened } = emittedAndLogged(shell, () => resources.loaded().home);
  return { resources, emit, opened };
}

/** What a fault of opening the ledger says about the server. It does not know what this run had sent before an outage. */
export const soFarOf = ({ message }: Fault): string => message.replace(/ Nothing (more )?was sent\.$/, '');

/** Returns how to report an event to the user and keep it in the log, which is opened with the first event. */
export function emittedAndLogged(shell: Shell, home: () => string) {
  const opened = once(() => openLog(home(), shell.clock.now(), shell.secrets));
  const emit: Emit = (event) => {
    shell.reporter.emit(event);
    if (!isUnlogged(event)) opened().log.info(jsonable(event, loggedText) as object); // an object stays an object
  };
  return { emit, opened };
}

export async function openRecords(shell: Shell, options: SessionOptions = {}): Promise<Records> {
  const site = siteOf(shell, options);
  try {
    return await openRecordsAt(site, shell, options);
  } catch (error) {
    await site.resources[Symbol.asyncDispose]();
    throw error;
  }
}

/** The caller closes the resources if this throws. */
async function openRecordsAt(
  { resources, emit, opened }: Site,
  { clock, flags, pictures }: Shell,
  { again }: Pick<SessionOptions, 'again'>,
): Promise<Records> {
  const [loaded, settings] = [resources.loaded(), resources.settings()];
  resources.folder();
  useOwnFolder(path.dirname(checkpointFile(loaded)));
  const { trouble } = opened();
  if (trouble !== undefined) emit({ type: 'notice', level: 'warning', message: trouble });
  const ledger = await resources.ledger();
  const elsewhere = await ledger.elsewhere();
  if (elsewhere !== undefined && again !== true) emit({ type: 'notice', level: 'warning', message: elsewhere });
  const { service } = resources;
  return {
    deps: { settings, clock, ledger, emit, service, emitsEveryRow: flags.json, ...present({ pictures }) },
    loaded,
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

/** The notice about a ledger whose tables were brought up to date. */
export function upgradedText({ from, to, kept }: Upgraded): string {
  const says = `The tables of the ledger were brought from version ${from} to version ${to}.`;
  if (kept === undefined) return says;
  return `${says} The ledger as it was is kept in ${shown(kept)}: it holds names, phones and accounts that purge does not reach, so remove it when you no longer need it.`;
}

/**
 * Events that are not logged: progress is useless afterwards, and the log must not hold the holder of an account or every row of a
 * sheet.
 */
const unlogged: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>([
  'progress',
  'payees.progress',
  'reconcile.progress',
  'payee',
  'row.outcome',
]);

const isUnlogged = (event: RunEvent): boolean =>
  unlogged.has(event.type) || (event.type === 'notice' && event.code === OTHER_NAMES);

/** Reports the start of a command that works on the ledger. */
export function emitStart({ command, version }: Shell, { deps, loaded }: Pick<Records, 'deps' | 'loaded'>): void {
  const { emit, settings, service } = deps;
  const { profile, sandbox } = settings;
  emit({ type: 'start', command, version, profile, sandbox, service, ...paidFrom(loaded) });
}

export async function openSession(shell: Shell, options: SessionOptions): Promise<Session> {
  const { random, version, signal } = shell;
  const closing = new Closing();
  try {
    const site = siteOf(shell, options);
    const resources = closing.use(site.resources);
    const { account: own, profileName } = resources.loaded();
    // A profile without a secret can only read: it fails before anything is created in its state folder.
    if (own) withSecret(profileName, own);
    if (options.sends === true) requirePlace(resources.loaded());
    const { deps: records, loaded } = await openRecordsAt(site, shell, options);
    const { ledger, settings, service } = records;
    if (options.sends === true) await requireNewLedger(loaded, ledger);
    const account = await resources.account();
    const tokenUrl = loaded.account ? account.tokenUrl : EMBEDDED;
    await ledger.useFor({ service, tokenUrl, clientId: account.clientId });
    const client = await resources.client();
    const callbacks = await openCallbacks(stateFolder(loaded), loaded.profile.callbacks.url, records.emit);
    if (callbacks) closing.use(callbacks);
    const deps: RunDeps = {
      ...records,
      random,
      client,
      signal,
      working: (batch) => shell.working(batch),
      freeBytes: () => freeBytesOf(stateFolder(loaded)),
      ...present({
        callbacks,
        acceptUnverifiable: options.acceptUnverifiable,
        canary: options.limits?.canary,
        rowsFile: options.rowsFile,
        groupBy: options.groupBy,
      }),
      maker: makerName(),
      version,
      nameBatch: (proposal) => askBatchName(proposal, shell),
      askChangedPayees: (changed) => askChangedPayees(changed, shell),
      confirm: (statement) =>
        confirmTotals(statement, options.expected ?? {}, {
          sandbox: settings.sandbox,
          shell,
          paidFrom: paidFromText(loaded),
        }),
    };
    if (options.again !== true) emitStart(shell, { deps, loaded });
    return { deps, loaded, [Symbol.asyncDispose]: () => closing.disposeAsync() };
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

/**
 * Throws a Fault `ledger-unsafe` if no ledger can be relied on in the state folder; a rehearsal may be kept anywhere. Called
 * before the ledger is opened, because opening it in such a place could already damage it.
 */
function requirePlace(loaded: LoadedConfig): void {
  if (loaded.account && loaded.profile.stateFolder === 'local') requireLocal(stateFolder(loaded));
}

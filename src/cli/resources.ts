/**
 * The resources of commands, opened here and nowhere else: the configuration, the state folder, the ledger, the practice service
 * and the client. Each is opened once, when it is first asked for, and closed in the opposite order.
 */

import { shownAddress } from '../database/postgres/address.ts';
import { durationText } from '../domain/counted.ts';
import type { Emit, RunEvent } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import { present } from '../domain/present.ts';
import type { Settings } from '../domain/settings.ts';
import {
  type Ledger,
  type LedgerOptions,
  type Moved,
  type MoveOrder,
  openLedger,
  type SharedLedger,
} from '../ledger/ledger.ts';
import type { Restored } from '../ledger/restore.ts';
import { practicePaths } from '../sandbox/practice-account.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/sandbox.ts';
import { parseScenario } from '../sandbox/scenario.ts';
import { type Client, type ClientDeps, type ClientSettings, openClient } from '../service/client/client.ts';
import type { Transport } from '../service/client/transport.ts';
import { Closing, once } from './closing.ts';
import { type PayingAccount, withSecret } from './config/account.ts';
import type { LoadedConfig } from './config/load-config.ts';
import { type SettingsOptions, settingsOf } from './config/run-settings.ts';
import type { Shell } from './shell.ts';
import { ledgerPlaces, stateFolder } from './state/state-files.ts';
import { makerName, thisProcess } from './state/system.ts';

/** The name of the embedded service in the ledger and the audit: its port changes, the service does not. */
export const EMBEDDED = 'embedded sandbox';

export interface ResourceOptions extends SettingsOptions {
  /** Secures the state folder before anything in it is opened, and returns its path. */
  readonly hold: (folder: string) => string;
  /** Opens the transport of the client, which closes it. */
  readonly transport: (settings: Settings, proxy: string | undefined) => Promise<Transport>;
  /** How to wait for another process that holds what is needed, and for a server that is away. */
  readonly waiting?: Pick<LedgerOptions, 'onHeld' | 'onAway' | 'signal'>;
  /** How to bring an older ledger up to date; if absent, an older ledger is refused. */
  readonly upgrade?: LedgerOptions['upgrade'];
  /** Receives the notice that the service asks to wait; if absent, the notice goes only to the user. */
  readonly emit?: Emit;
  /** Scenario of the practice service. */
  readonly scenario?: string | undefined;
  /** Whether to use new books in memory if another run holds the books of the practice service. */
  readonly practisesBeside?: boolean;
}

export class Resources implements AsyncDisposable {
  /** The configuration. Fault `configuration`. */
  readonly loaded: () => LoadedConfig;
  readonly settings: () => Settings;
  /** The state folder of the profile, created if it is missing. Fault `ledger-unsafe` if it cannot be used. */
  readonly folder: () => string;
  readonly ledger: () => Promise<Ledger>;
  /** The account of the profile, or that of the practice service, which is then started. Fault `configuration` without a secret. */
  readonly account: () => Promise<PayingAccount>;
  readonly client: () => Promise<Client>;
  readonly #shell: Shell;
  readonly #options: ResourceOptions;
  readonly #closing = new Closing();
  #hasOwnBooks = true;

  constructor(shell: Shell, options: ResourceOptions) {
    this.#shell = shell;
    this.#options = options;
    this.loaded = once(() => shell.config());
    this.settings = once(() => settingsOf(this.loaded(), options));
    this.folder = once(() => options.hold(stateFolder(this.loaded())));
    this.ledger = once(() => this.#openLedger());
    this.account = once(async () => {
      const { account, profileName } = this.loaded();
      return account ? withSecret(profileName, account) : accountOf(await this.#openPractice());
    });
    this.client = once(() => this.#openClient());
  }

  /** Address of the service, for the record. */
  get service(): string {
    return this.loaded().account?.baseUrl ?? EMBEDDED;
  }

  /** Whether the practice service keeps the books of this profile; false if another run holds them. */
  get hasOwnBooks(): boolean {
    return this.#hasOwnBooks;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#closing.disposeAsync();
  }

  async #openLedger(): Promise<Ledger> {
    const { waiting, upgrade } = this.#options;
    this.folder();
    const loaded = this.loaded();
    const ledger = await openLedgerFor(this.#shell, loaded, {
      ...ledgerPlaces(loaded),
      ...waiting,
      ...present({ shared: loaded.ledger, upgrade }),
    });
    return this.#closing.use(ledger);
  }

  /** Starts the practice service. It keeps its books next to the ledger, where only one process at a time may use them. */
  async #openPractice(): Promise<Sandbox> {
    const { scenario, practisesBeside } = this.#options;
    try {
      const ledger = await this.ledger();
      await ledger.takePractice();
      const options = { folder: this.folder(), scenario: scenario === undefined ? undefined : parseScenario(scenario) };
      return this.#closing.use(await startPractice(this.#shell, present(options)));
    } catch (error) {
      if (practisesBeside !== true || !(error instanceof Fault)) throw error;
      this.#hasOwnBooks = false;
      return this.#closing.use(await startPractice(this.#shell, {}));
    }
  }

  async #openClient(): Promise<Client> {
    const account = await this.account();
    const loaded = this.loaded();
    const settings = this.settings();
    const { requestTimeoutMs, ratePerSecond } = settings.sending;
    const paths = { ...(loaded.account === undefined && practicePaths), ...loaded.profile.paths };
    const transport = await this.#options.transport(settings, account.proxy);
    const askedToWait: ClientDeps['askedToWait'] = (waitMs, pauseMs) => {
      const { emit = this.#shell.reporter.emit } = this.#options;
      emit(waitNotice(waitMs, pauseMs));
    };
    const asWhom = { ...account, requestTimeoutMs, ratePerSecond, paths };
    const client = openClientAt(asWhom, transport, { ...this.#shell, askedToWait });
    return this.#closing.adopt(client, (open) => open.close());
  }
}

/** Opens a client with the clock and the randomness of this process. The client closes `transport`. */
export const openClientAt = (
  settings: ClientSettings,
  transport: Transport,
  {
    clock,
    random,
    secrets,
    senders,
    askedToWait,
  }: Pick<Shell, 'clock' | 'random' | 'secrets' | 'senders'> & Pick<ClientDeps, 'askedToWait'>,
): Client =>
  openClient(settings, {
    transport,
    clock,
    random,
    secrets,
    ...present({ senders, askedToWait }),
  });

/** The notice that the service asks all its clients to wait. */
function waitNotice(waitMs: number, pauseMs: number): RunEvent {
  const sooner =
    pauseMs < waitMs ? `It is asked again in ${durationText(pauseMs)} at the earliest` : 'It is not asked until then';
  return {
    type: 'notice',
    level: 'warning',
    code: 'asked-to-wait',
    message: `The service asks to wait for ${durationText(waitMs)} (Retry-After). ${sooner}.`,
    waitSeconds: Math.ceil(waitMs / 1000),
  };
}

/** Opens a ledger for a command, which other processes see as its holder. */
export const openLedgerFor = (
  shell: Pick<Shell, 'clock' | 'command'>,
  loaded: Pick<LoadedConfig, 'machineName'>,
  options: Omit<LedgerOptions, 'clock' | 'holder'>,
): Promise<Ledger> => openLedger({ ...options, clock: shell.clock, holder: holderOf(shell, loaded) });

const holderOf = ({ command }: Pick<Shell, 'command'>, { machineName }: Pick<LoadedConfig, 'machineName'>) =>
  thisProcess(`${makerName()}: ${command}`, machineName);

/** Replaces the ledger of a profile with a backup. Throws a Fault `usage` for a ledger on a server, which the server restores. */
export async function restoreFrom(
  backup: string,
  shell: Pick<Shell, 'clock' | 'command'>,
  loaded: LoadedConfig,
): Promise<Restored> {
  if (loaded.ledger) {
    throw new Fault(
      'usage',
      `The ledger is ${shownAddress(loaded.ledger.address)}, and a ledger on a server must be restored on that server. Nothing was changed.`,
      'Use pg_restore, or point-in-time recovery. Afterwards the ledger is in recovery: every payment is looked up before anything is sent.',
    );
  }
  const { restoreLedger } = await import('../ledger/restore.ts');
  return restoreLedger(backup, {
    ...ledgerPlaces(loaded),
    clock: shell.clock,
    holder: holderOf(shell, loaded),
  });
}

/** Moves the ledger of a profile from its file to PostgreSQL. */
export async function moveTo(
  target: SharedLedger,
  shell: Pick<Shell, 'clock' | 'command' | 'signal'>,
  loaded: LoadedConfig,
  order: MoveOrder,
): Promise<Moved> {
  await using ledger = await openLedgerFor(shell, loaded, { ...ledgerPlaces(loaded), signal: shell.signal });
  return await ledger.moveTo(target, order);
}

/** Starts the practice service with the clock and the randomness of this process. */
export async function startPractice(
  { clock, random }: Pick<Shell, 'clock' | 'random'>,
  options: Omit<SandboxOptions, 'clock' | 'random'>,
): Promise<Sandbox> {
  // Loaded on demand: a command that pays from an account does not need it.
  const { startSandbox } = await import('../sandbox/sandbox.ts');
  return startSandbox({ ...options, clock, random });
}

/** The account of the practice service. */
function accountOf({ url, clientId, clientSecret }: Sandbox): PayingAccount {
  const tokenUrl = `${url}/connect/token`;
  return { baseUrl: url, tokenUrl, clientId, clientSecret, scope: 'service_api', secretOrigins: [url] };
}

/**
 * What the checks look at, opened when the first of them needs it. What cannot be opened throws the same Fault to every
 * check that needs it, so that one cause is told once. Nothing here ties the ledger to an account, or sends money.
 */
import path from 'node:path';
import { type Client, openClient } from '../../client/client.ts';
import { openTransport } from '../../client/transport.ts';
import { requestToken } from '../../contract/token.ts';
import { type Currency, currencyOrFault } from '../../domain/currency.ts';
import { Fault } from '../../domain/fault.ts';
import type { Settings } from '../../domain/settings.ts';
import { makeOwnFolder } from '../../files/own-folder.ts';
import { type Ledger, openLedger } from '../../ledger/ledger.ts';
import { refusedCaller, valueOrFault } from '../../preflight/read-service.ts';
import { practicePaths, type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import type { Account } from '../config/account.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { paidFrom } from '../screens/paid-from.ts';
import { accountOf, EMBEDDED, markCopyOf, settingsOf, stateFolder } from '../session.ts';
import type { Shell } from '../shell.ts';
import { ledgerKeys } from '../state/ledger-keys.ts';
import { isAlive, makerName, thisProcess } from '../state/system.ts';
import { type ServiceTimes, withServiceTimes } from './service-times.ts';

/** The checks ask one after the other; only made-up orders are looked up side by side. */
const CONNECTIONS = 4;

/** A token as it was given, and the times of this machine's clock between which that was. */
export interface TokenGiven {
  readonly text: string;
  /** As the service said it, in seconds; undefined when it cannot be read. */
  readonly lifeSeconds: number | undefined;
  readonly type: string | undefined;
  readonly scope: string | undefined;
  readonly before: number;
  readonly after: number;
}

export class DoctorContext implements AsyncDisposable {
  readonly shell: Shell;
  /** Whether the whole ledger is replayed. */
  readonly full: boolean;
  /** Readings of the two clocks when the checks began, in milliseconds. */
  readonly startedAt: { readonly wall: number; readonly monotonic: number };
  readonly serviceTimes: ServiceTimes;
  readonly #loaded: LoadedConfig | Fault;
  readonly #closing = new AsyncDisposableStack();
  #currency: Currency | Fault | undefined;
  #folder: string | Fault | undefined;
  #ledger: Promise<Ledger> | undefined;
  #held: Promise<void> | undefined;
  #reached: Promise<{ readonly account: Account; readonly client: Client }> | undefined;
  #token: Promise<TokenGiven> | undefined;
  /** Why no answer came at all; nobody waits for the next one that will not come either. */
  #silence: Fault | undefined;
  #ownBooks = true;

  constructor(shell: Shell, full: boolean) {
    this.shell = shell;
    this.full = full;
    this.startedAt = { wall: shell.clock.now(), monotonic: shell.clock.monotonicMs() };
    this.serviceTimes = withServiceTimes(openTransport(CONNECTIONS), shell.clock);
    this.#loaded = valueOrThrown(() => shell.config());
  }

  get signal(): AbortSignal {
    return this.shell.signal;
  }

  /** What the first event of a command says; undefined without a usable configuration. */
  get service() {
    if (this.#loaded instanceof Fault) return undefined;
    const { profileName: profile, account } = this.#loaded;
    return {
      profile,
      sandbox: account === undefined,
      service: account?.baseUrl ?? EMBEDDED,
      ...paidFrom(this.#loaded),
    };
  }

  get loaded(): LoadedConfig {
    return orThrow(this.#loaded);
  }

  get settings(): Settings {
    return settingsOf(this.loaded, {});
  }

  /** Of the configuration; a Fault `configuration` when there is no such currency. */
  get currency(): Currency {
    const { settings } = this;
    this.#currency ??= valueOrThrown(() => currencyOrFault(settings.currency));
    return orThrow(this.#currency);
  }

  /** The state folder of the profile, which is made when it is missing. Fault `ledger-unsafe` when it cannot be used. */
  get folder(): string {
    const { loaded } = this;
    this.#folder ??= valueOrThrown(() => makeOwnFolder(stateFolder(loaded)));
    return orThrow(this.#folder);
  }

  get ledgerPath(): string {
    return path.join(this.folder, 'ledger.db');
  }

  ledger(): Promise<Ledger> {
    this.#ledger ??= this.#openLedger();
    return this.#ledger;
  }

  /** The ledger, used for the account of the profile. Fault `configuration` when it belongs to another one. */
  async heldLedger(): Promise<Ledger> {
    await this.#requireAccount();
    return this.ledger();
  }

  /** Whether the practice service keeps the books of this profile: another run may have them. */
  get hasOwnBooks(): boolean {
    return this.#ownBooks;
  }

  async client(): Promise<Client> {
    return (await this.#reach()).client;
  }

  /** A token, asked for once. Fault `credentials` or `unreachable`. */
  token(): Promise<TokenGiven> {
    this.#token ??= this.#requestToken();
    return this.#token;
  }

  /** Asks something that needs a token; at once the earlier Fault when the service has not answered before. */
  async ask<T>(work: (client: Client) => Promise<T>): Promise<T> {
    await this.token();
    if (this.#silence) throw this.#silence;
    const answersBefore = this.serviceTimes.answers();
    try {
      return await work(await this.client());
    } catch (error) {
      const isSilent = this.serviceTimes.answers() === answersBefore;
      if (error instanceof Fault && error.code === 'unreachable' && isSilent) this.#silence = error;
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closing.disposeAsync();
    await this.serviceTimes.transport.close();
  }

  async #openLedger(): Promise<Ledger> {
    const { clock } = this.shell;
    const holder = thisProcess(`${makerName()}: doctor`, this.loaded.machineName);
    const { home, profileName } = this.loaded;
    const markCopy = markCopyOf(home, profileName);
    const ledger = await openLedger({
      path: this.ledgerPath,
      markCopy,
      keys: ledgerKeys(this.loaded),
      clock,
      holder,
      isAlive,
    });
    return this.#closing.adopt(ledger, (open) => open.close());
  }

  #reach(): Promise<{ readonly account: Account; readonly client: Client }> {
    this.#reached ??= this.#openClient();
    return this.#reached;
  }

  async #openClient(): Promise<{ readonly account: Account; readonly client: Client }> {
    const { settings, loaded, shell } = this;
    const account = loaded.account ?? accountOf(await this.#openPractice());
    const { requestTimeoutMs, ratePerSecond } = settings.sending;
    const paths = { ...(loaded.account === undefined && practicePaths), ...loaded.profile.paths };
    const { clock, random, secrets } = shell;
    const { transport } = this.serviceTimes;
    const client = openClient(
      { ...account, requestTimeoutMs, ratePerSecond, paths },
      { transport, clock, random, secrets },
    );
    this.#closing.adopt(client, (open) => open.close());
    return { account, client };
  }

  /** With the books of the profile when nobody else has them, or else with new ones in memory. */
  async #openPractice(): Promise<Sandbox> {
    const { clock, random } = this.shell;
    const close = (open: Sandbox): Promise<void> => open.close();
    try {
      await (await this.ledger()).takeLease();
      return this.#closing.adopt(await startSandbox({ clock, random, folder: this.folder }), close);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#ownBooks = false;
      return this.#closing.adopt(await startSandbox({ clock, random }), close);
    }
  }

  /** The secret goes to no service that the ledger does not belong to: the address may be somebody else's. */
  async #requireAccount(): Promise<void> {
    const { account } = this.loaded;
    const ledger = await this.ledger().catch(unlessFault);
    // A ledger that cannot be opened is told by its own check, and belongs to nobody else as far as is known.
    if (account && ledger) this.#held ??= ledger.useFor({ ...account, service: account.baseUrl });
    await this.#held;
  }

  async #requestToken(): Promise<TokenGiven> {
    await this.#requireAccount();
    const { account, client } = await this.#reach();
    const before = this.shell.clock.now();
    const reply = await client.call(requestToken, {
      body: {
        client_id: account.clientId,
        client_secret: account.clientSecret,
        grant_type: 'client_credentials',
        scope: account.scope,
      },
      signal: this.signal,
    });
    if (reply.tag === 'refused') throw refusedCaller({ ...reply, tag: 'unauthorised' }, 'a token');
    const { access_token, expires_in, token_type, scope } = valueOrFault(reply, 'a token');
    const life = Number(expires_in);
    return {
      text: access_token,
      lifeSeconds: Number.isFinite(life) && life > 0 ? life : undefined,
      type: token_type,
      scope,
      before,
      after: this.shell.clock.now(),
    };
  }
}

function valueOrThrown<T>(make: () => T): T | Fault {
  try {
    return make();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

function unlessFault(error: unknown): undefined {
  if (!(error instanceof Fault)) throw error;
}

function orThrow<T>(value: T | Fault): T {
  if (value instanceof Fault) throw value;
  return value;
}

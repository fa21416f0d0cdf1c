/**
 * What the checks look at, opened when the first of them needs it. Whatever cannot be opened throws the same Fault for
 * every check that needs it, so that one cause is reported once. Nothing here binds the ledger to an account, or sends
 * money.
 */
import type { Clock } from '../../domain/clock.ts';
import { type Currency, currencyOrFault } from '../../domain/currency.ts';
import { Fault } from '../../domain/fault.ts';
import type { Settings } from '../../domain/settings.ts';
import { makeOwnFolder } from '../../files/own-folder.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { refusedCaller, valueOrFault } from '../../preflight/read-service.ts';
import type { Client } from '../../service/client/client.ts';
import { openTransport, type Transport } from '../../service/client/transport.ts';
import { requestToken } from '../../service/contract/token.ts';
import { once } from '../closing.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { Resources } from '../resources.ts';
import { paidFrom } from '../screens/paid-from.ts';
import type { Shell } from '../shell.ts';
import { ledgerFile } from '../state/state-files.ts';

/**
 * A time that the service stated, in whole seconds, and the times on the clock of this machine before and after; all in wall-clock
 * milliseconds.
 */
export interface TimeHeard {
  readonly service: number;
  readonly before: number;
  readonly after: number;
}

/** Wraps a transport so that `hear` is called with every answer: with its `Date`, or with `undefined` if it has none. */
const overheard = (transport: Transport, clock: Clock, hear: (time: TimeHeard | undefined) => void): Transport => ({
  async exchange(request) {
    const before = clock.now();
    const answer = await transport.exchange(request);
    if (answer.tag !== 'answered') return answer;
    const service = Date.parse(answer.date ?? '');
    hear(Number.isNaN(service) ? undefined : { service, before, after: clock.now() });
    return answer;
  },
  close: () => transport.close(),
});

/** Connections to the service. The checks ask one after the other; only made-up orders are looked up concurrently. */
const CONNECTIONS = 4;

/** What the service said of a token that it issued. */
export interface TokenGiven {
  /** Lifetime as the service stated it, in seconds; `undefined` if it cannot be read. */
  readonly lifeSeconds: number | undefined;
  readonly type: string | undefined;
  readonly scope: string | undefined;
}

export class DoctorContext implements AsyncDisposable {
  readonly shell: Shell;
  /** Whether the whole ledger is replayed. */
  readonly full: boolean;
  /** Readings of the two clocks when the checks began, in milliseconds. */
  readonly startedAt: { readonly wall: number; readonly monotonic: number };
  /** Returns a token, which is requested once. Fault `credentials` or `unreachable`. */
  readonly token: () => Promise<TokenGiven>;
  readonly #resources: Resources;
  readonly #currency: () => Currency;
  readonly #account: () => Promise<void>;
  /** Number of answers of any kind so far. */
  #answers = 0;
  #heard: TimeHeard | undefined;
  /** Why a request got no answer at all. Later requests fail with this Fault immediately, because they would get none either. */
  #silence: Fault | undefined;

  constructor(shell: Shell, full: boolean) {
    this.shell = shell;
    this.full = full;
    this.startedAt = { wall: shell.clock.now(), monotonic: shell.clock.monotonicMs() };
    const hear = (time: TimeHeard | undefined): void => {
      this.#answers += 1;
      this.#heard = time ?? this.#heard;
    };
    this.#resources = new Resources(shell, {
      command: 'doctor',
      hold: makeOwnFolder,
      transport: async (_, proxy) => overheard(openTransport(CONNECTIONS, proxy), shell.clock, hear),
      practisesBeside: true,
    });
    this.#currency = once(() => currencyOrFault(this.settings.currency));
    this.#account = once(() => this.#requireAccount());
    this.token = once(() => this.#requestToken());
  }

  get signal(): AbortSignal {
    return this.shell.signal;
  }

  /** The time in the latest answer that stated one; `undefined` if none has so far. */
  get heard(): TimeHeard | undefined {
    return this.#heard;
  }

  /** The content of the first event of a command; `undefined` without a usable configuration. */
  get service() {
    try {
      const { profileName: profile, account } = this.loaded;
      return { profile, sandbox: account === undefined, service: this.#resources.service, ...paidFrom(this.loaded) };
    } catch (error) {
      return unlessFault(error);
    }
  }

  get loaded(): LoadedConfig {
    return this.#resources.loaded();
  }

  get settings(): Settings {
    return this.#resources.settings();
  }

  /** The currency of the configuration. Fault `configuration` if there is no such currency. */
  get currency(): Currency {
    return this.#currency();
  }

  /** The state folder of the profile, which is created if it is missing. Fault `ledger-unsafe` if it cannot be used. */
  get folder(): string {
    return this.#resources.folder();
  }

  get ledgerPath(): string {
    return ledgerFile(this.loaded);
  }

  ledger(): Promise<Ledger> {
    return this.#resources.ledger();
  }

  /** Returns the ledger, for use with the account of the profile. Fault `configuration` if it belongs to another account. */
  async heldLedger(): Promise<Ledger> {
    await this.#account();
    return this.ledger();
  }

  /** Whether the practice service keeps the books of this profile; false if another run has them. */
  get hasOwnBooks(): boolean {
    return this.#resources.hasOwnBooks;
  }

  client(): Promise<Client> {
    return this.#resources.client();
  }

  /** Asks the service something that needs a token. Throws the earlier Fault immediately if the service did not answer before. */
  async ask<T>(work: (client: Client) => Promise<T>): Promise<T> {
    await this.token();
    if (this.#silence) throw this.#silence;
    const answersBefore = this.#answers;
    try {
      return await work(await this.client());
    } catch (error) {
      const isSilent = this.#answers === answersBefore;
      if (error instanceof Fault && error.code === 'unreachable' && isSilent) this.#silence = error;
      throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources[Symbol.asyncDispose]();
  }

  /**
   * Throws a Fault `configuration` if the ledger belongs to another account: the secret must not go to an address that may
   * be somebody else's.
   */
  async #requireAccount(): Promise<void> {
    const { account } = this.loaded;
    const ledger = await this.ledger().catch(unlessFault);
    // A ledger that cannot be opened is reported by its own check, and as far as is known it belongs to no other account.
    if (account && ledger) await ledger.useFor({ ...account, service: account.baseUrl });
  }

  async #requestToken(): Promise<TokenGiven> {
    await this.#account();
    const [account, client] = [await this.#resources.account(), await this.client()];
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
    const { expires_in, token_type, scope } = valueOrFault(reply, 'a token');
    const life = Number(expires_in);
    return {
      lifeSeconds: Number.isFinite(life) && life > 0 ? life : undefined,
      type: token_type,
      scope,
    };
  }
}

function unlessFault(error: unknown): undefined {
  if (!(error instanceof Fault)) throw error;
}

/**
 * What the checks look at, opened when the first of them needs it. Something that cannot be opened throws the same Fault for
 * every check that needs it, so that one cause is reported once. Nothing here binds the ledger to an account, or sends
 * money.
 */
import type { Clock } from '../../domain/clock.ts';
import { type Currency, currencyOrFault } from '../../domain/currency.ts';
import { Fault } from '../../domain/fault.ts';
import { makeOwnFolder } from '../../files/own-folder.ts';
import { refusedCaller, valueOrFault } from '../../preflight/read-service.ts';
import type { Client } from '../../service/client/client.ts';
import { openTransport, type Transport } from '../../service/client/transport.ts';
import { requestToken } from '../../service/contract/token.ts';
import { once } from '../closing.ts';
import { Resources } from '../resources.ts';
import type { Shell } from '../shell.ts';

/**
 * A time that the service stated, in whole seconds, and the times on the clock of this machine before and after; all in wall-clock
 * milliseconds.
 */
export interface TimeHeard {
  readonly service: number;
  readonly before: number;
  readonly after: number;
}

/** What the answers of the service have shown so far. */
interface Heard {
  /** Number of answers of any kind. */
  answers: number;
  /** The latest time that an answer stated in its `Date`. */
  time?: TimeHeard;
}

/** Wraps a transport so that every answer is noted in `heard`. */
const overheard = (transport: Transport, clock: Clock, heard: Heard): Transport => ({
  async exchange(request) {
    const before = clock.now();
    const answer = await transport.exchange(request);
    if (answer.tag !== 'answered') return answer;
    heard.answers += 1;
    const service = Date.parse(answer.date ?? '');
    if (!Number.isNaN(service)) heard.time = { service, before, after: clock.now() };
    return answer;
  },
  close: () => transport.close(),
});

/** Connections to the service. The checks ask one after the other; only made-up orders are looked up concurrently. */
const CONNECTIONS = 4;

/** What the service said about a token that it issued. */
export interface TokenGiven {
  /** Lifetime as the service stated it, in seconds; `undefined` if it cannot be read. */
  readonly lifeSeconds: number | undefined;
  readonly type: string | undefined;
  readonly scope: string | undefined;
}

export class DoctorContext extends Resources {
  readonly shell: Shell;
  /** Whether the whole ledger is replayed. */
  readonly full: boolean;
  /** Readings of the two clocks when the checks began, in milliseconds. */
  readonly startedAt: { readonly wall: number; readonly monotonic: number };
  readonly heard: Readonly<Heard>;
  /** The currency of the configuration. Fault `configuration` if there is no such currency. */
  readonly currency: () => Currency;
  /** Returns a token, which is requested once. Fault `credentials` or `unreachable`. */
  readonly token: () => Promise<TokenGiven>;
  /**
   * Throws a Fault `configuration` if the ledger belongs to another account: the secret must not go to an address that may be
   * somebody else's.
   */
  readonly requireAccount: () => Promise<void>;
  /** Why a request got no answer at all. Later requests fail with this Fault immediately, because they would get none either. */
  #silence: Fault | undefined;

  constructor(shell: Shell, full: boolean) {
    const heard: Heard = { answers: 0 };
    super(shell, {
      hold: makeOwnFolder,
      transport: async (_, proxy) => overheard(openTransport(CONNECTIONS, proxy), shell.clock, heard),
      practisesBeside: true,
    });
    this.shell = shell;
    this.full = full;
    this.startedAt = { wall: shell.clock.now(), monotonic: shell.clock.monotonicMs() };
    this.heard = heard;
    this.currency = once(() => currencyOrFault(this.settings().currency));
    this.token = once(() => this.#requestToken());
    this.requireAccount = once(async () => {
      const { account } = this.loaded();
      // A ledger that cannot be opened is reported by its own check, and as far as is known it belongs to no other account.
      const ledger = await unlessFault(() => this.ledger());
      if (account && ledger) await ledger.useFor({ ...account, service: account.baseUrl });
    });
  }

  /** Asks the service something that needs a token. Throws the earlier Fault immediately if the service did not answer before. */
  async ask<T>(work: (client: Client) => Promise<T>): Promise<T> {
    await this.token();
    if (this.#silence) throw this.#silence;
    const answersBefore = this.heard.answers;
    try {
      return await work(await this.client());
    } catch (error) {
      const isSilent = this.heard.answers === answersBefore;
      if (error instanceof Fault && error.code === 'unreachable' && isSilent) this.#silence = error;
      throw error;
    }
  }

  async #requestToken(): Promise<TokenGiven> {
    await this.requireAccount();
    const [account, client] = [await this.account(), await this.client()];
    const reply = await client.call(requestToken, {
      body: {
        client_id: account.clientId,
        client_secret: account.clientSecret,
        grant_type: 'client_credentials',
        scope: account.scope,
      },
      signal: this.shell.signal,
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

/** Returns what `find` returns; `undefined` if it throws a Fault, which the check of that subject reports. */
export async function unlessFault<T>(find: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/**
 * One bearer token for all callers: requested once however many of them wait, renewed before it expires, and dropped when the
 * service refuses it. Spec: "Authentication".
 */
import type { Clock } from '../../domain/clock.ts';
import type { Reply } from './reply.ts';

/** Share of its life after which a token is renewed. */
const RENEW_AT_SHARE = 0.8;
/** Bounds of a believable token life, in seconds; a life that cannot be read counts as the shortest. */
const LIFE_SECONDS_MIN = 60;
const LIFE_SECONDS_MAX = 3600;

export interface TokenAnswer {
  readonly access_token: string;
  readonly expires_in?: string | number | undefined;
}

export type Token = { readonly tag: 'token'; readonly value: string } | Exclude<Reply<never>, { tag: 'accepted' }>;

export class TokenCache {
  readonly #request: () => Promise<Reply<TokenAnswer>>;
  readonly #clock: Clock;
  #token: string | undefined;
  #renewAtMs = 0;
  #pending: Promise<Token> | undefined;

  constructor(request: () => Promise<Reply<TokenAnswer>>, clock: Clock) {
    this.#request = request;
    this.#clock = clock;
  }

  /** The current token; `undefined` if one has to be requested. */
  get current(): Token | undefined {
    if (this.#token === undefined || this.#clock.monotonicMs() >= this.#renewAtMs) return undefined;
    return { tag: 'token', value: this.#token };
  }

  /** Returns the current token, or the reply that says why there is none. */
  async get(): Promise<Token> {
    if (this.current) return this.current;
    this.#pending ??= this.#renew().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  /** Forgets a token that the service refused, unless it has been renewed since. */
  drop(refused: string): void {
    if (this.#token === refused) this.#token = undefined;
  }

  async #renew(): Promise<Token> {
    const reply = await this.#request();
    if (reply.tag !== 'accepted') return reply;
    const life = Number(reply.value.expires_in);
    const seconds = Number.isFinite(life)
      ? Math.min(Math.max(life, LIFE_SECONDS_MIN), LIFE_SECONDS_MAX)
      : LIFE_SECONDS_MIN;
    this.#token = reply.value.access_token;
    this.#renewAtMs = this.#clock.monotonicMs() + seconds * 1000 * RENEW_AT_SHARE;
    return { tag: 'token', value: this.#token };
  }
}

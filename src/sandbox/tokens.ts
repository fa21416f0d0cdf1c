/** Bearer tokens of the practice service. They are kept in memory, so every client needs a new one after a restart. */
import { isoTime, type Random } from '../domain/clock.ts';
import { hexText } from './draw.ts';
import { type Reply, unauthorisedReply } from './reply.ts';

/**
 * Most tokens that are kept. Expired ones are kept, so that an answer can say when they expired. At this number, all tokens
 * are forgotten.
 */
const MOST_TOKENS = 10_000;

export class Tokens {
  readonly #random: Random;
  readonly #expiry = new Map<string, number>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Issues a token that is valid for `seconds` from `at`. */
  issue(at: number, seconds: number): string {
    if (this.#expiry.size >= MOST_TOKENS) this.#expiry.clear();
    const token = `practice-${hexText(this.#random, 48)}`;
    this.#expiry.set(token, at + seconds * 1_000);
    return token;
  }

  /** Makes every token expire at `at`. */
  expireAll(at: number): void {
    for (const [token, expiry] of this.#expiry) if (expiry > at) this.#expiry.set(token, at);
  }

  /** Returns the answer to an Authorization header that is not valid at `at`, or `undefined` if it is valid. */
  refusal(header: string | undefined, at: number): Reply | undefined {
    const token = /^Bearer (\S+)$/i.exec(header ?? '')?.[1];
    if (token === undefined) return unauthorisedReply();
    const expiry = this.#expiry.get(token);
    if (expiry === undefined) return unauthorisedReply('error_description="The token is not known"');
    if (expiry > at) return undefined;
    return unauthorisedReply(`error_description="The token expired at '${americanTime(expiry)}'"`);
  }
}

/** Formats a time as `MM/DD/YYYY HH:MM:SS`, as the service was observed to write it. */
function americanTime(ms: number): string {
  const [date = '', time = ''] = isoTime(ms).split('T');
  const [year, month, day] = date.split('-');
  return `${month}/${day}/${year} ${time.slice(0, 8)}`;
}

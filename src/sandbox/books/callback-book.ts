/**
 * Which callbacks are due. That a callback falls due follows from the other facts; that it was delivered is a fact of its
 * own, so a callback that was not delivered before a restart is due after it.
 */

import type { BookedRequest } from './booked.ts';
import type { CallbackEffort, CallbackEnd } from './journal.ts';

/** A callback that is to be sent. */
export interface CallbackDue {
  /** The key of the request, with the number of its parts or submissions when the callback fell due. */
  readonly key: string;
  readonly url: string;
  readonly request: BookedRequest;
  /** Whether it reports the end of the request, or that the identifier was repeated. */
  readonly tells: 'end' | 'duplicate';
}

/** Counts of all callbacks of these books. */
export interface CallbackCounts {
  /** Requests that were sent, counting every try of a callback. */
  readonly sent: number;
  readonly acknowledged: number;
  /** Requests that repeated an unacknowledged one. */
  readonly retried: number;
  /** Callbacks that were not acknowledged even at the last try. */
  readonly givenUp: number;
  /** Callbacks to addresses outside this machine, which are never called. */
  readonly notSent: number;
}

/** Reports whether an address is on this machine and without TLS. Only such addresses are called. */
export function isLoopback(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'http:' && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}

/** Callbacks that are awaited, due or done. */
export class CallbackBook {
  readonly #due = new Map<string, CallbackDue>();
  readonly #counts = { sent: 0, acknowledged: 0, retried: 0, givenUp: 0, notSent: 0 };
  #awaited = 0;

  /** Records that a part of this request was accepted and will end. */
  await({ callbackUrl }: BookedRequest): void {
    if (callbackUrl !== undefined && isLoopback(callbackUrl)) this.#awaited += 1;
  }

  /** Whether any part whose callback can be sent has not ended yet. */
  get isAwaiting(): boolean {
    return this.#awaited > 0;
  }

  /** Records that a part of a request has ended. With the last part, its callback falls due. */
  ended(request: BookedRequest): void {
    const { callbackUrl, parts } = request;
    if (callbackUrl === undefined) return;
    if (isLoopback(callbackUrl)) this.#awaited -= 1;
    if (parts.every(({ result }) => result !== undefined)) this.#fallsDue(request, 'end', parts.length);
  }

  /** Records that the identifier of a request was submitted `posts` times, and that the last time is reported as a duplicate. */
  repeated(request: BookedRequest, posts: number): void {
    this.#fallsDue(request, 'duplicate', posts);
  }

  #fallsDue(request: BookedRequest, tells: CallbackDue['tells'], number: number): void {
    const url = request.callbackUrl;
    if (url === undefined) return;
    const key = `${request.key}|${tells === 'duplicate' ? 'duplicate|' : ''}${number}`;
    if (isLoopback(url)) this.#due.set(key, { key, url, request, tells });
    else this.#counts.notSent += 1;
  }

  /**
   * Records that a callback was delivered or given up. While a journal is read again, that callback is still due, because
   * nothing has taken it.
   */
  finished(key: string, { tries, retries }: CallbackEffort, end: CallbackEnd): void {
    this.#due.delete(key);
    this.#counts.sent += tries;
    this.#counts.retried += retries;
    if (end === 'acknowledged') this.#counts.acknowledged += 1;
    else this.#counts.givenUp += 1;
  }

  /** Removes and returns the callback that fell due first; `undefined` if none is left. */
  take(): CallbackDue | undefined {
    for (const [key, due] of this.#due) {
      this.#due.delete(key);
      return due;
    }
    return undefined;
  }

  counts(): CallbackCounts {
    return { ...this.#counts };
  }
}

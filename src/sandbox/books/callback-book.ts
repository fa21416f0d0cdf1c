/**
 * Which callbacks are due. That one falls due follows from the other facts; that it was delivered is a fact of its own, so
 * what was not delivered before a restart is due after it.
 */

import type { Subject } from './booked.ts';
import type { CallbackEffort, CallbackEnd } from './journal.ts';

/** A callback that is to be sent. */
export interface CallbackDue {
  /** The key of the subject and how often its callback fell due. */
  readonly key: string;
  readonly url: string;
  readonly subject: Subject;
  /** How it ended, or that its identifier was repeated. */
  readonly tells: 'end' | 'duplicate';
}

/** What became of all callbacks of these books. */
export interface CallbackCounts {
  /** Requests that went out, every try of a callback counted. */
  readonly sent: number;
  readonly acknowledged: number;
  /** Requests that repeated one which was not acknowledged. */
  readonly retried: number;
  /** Callbacks that nobody acknowledged until the last try. */
  readonly givenUp: number;
  /** Callbacks to addresses outside this machine, which are never called. */
  readonly notSent: number;
}

/** Whether an address is on this machine, without TLS: only such are called. */
export function isLoopback(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'http:' && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}

/** Callbacks that are awaited, due and done. */
export class CallbackBook {
  readonly #due = new Map<string, CallbackDue>();
  readonly #counts = { sent: 0, acknowledged: 0, retried: 0, givenUp: 0, notSent: 0 };
  #awaited = 0;

  /** Something with this subject was taken that will end. */
  await(subject: Subject): void {
    if (subject.callbackUrl !== undefined && isLoopback(subject.callbackUrl)) this.#awaited += 1;
  }

  /** Whether anything is still to end whose callback can be sent. */
  get isAwaiting(): boolean {
    return this.#awaited > 0;
  }

  /** A part of a subject has ended. With the last one its callback falls due. */
  ended(subject: Subject): void {
    const url = subject.callbackUrl;
    if (url === undefined) return;
    if (isLoopback(url)) this.#awaited -= 1;
    if (!subject.settling.every(({ result }) => result !== undefined)) return;
    this.#fallsDue(subject, 'end', subject.settling.length);
  }

  /** The identifier of a subject was submitted so many times, and the last one told as a duplicate. */
  repeated(subject: Subject, posts: number): void {
    this.#fallsDue(subject, 'duplicate', posts);
  }

  #fallsDue(subject: Subject, tells: CallbackDue['tells'], number: number): void {
    const url = subject.callbackUrl;
    if (url === undefined) return;
    const key = `${subject.key}|${tells === 'duplicate' ? 'duplicate|' : ''}${number}`;
    if (isLoopback(url)) this.#due.set(key, { key, url, subject, tells });
    else this.#counts.notSent += 1;
  }

  /** A callback was delivered, or given up. In a journal that is read again it was not handed over before. */
  finished(key: string, { tries, retries }: CallbackEffort, end: CallbackEnd): void {
    this.#due.delete(key);
    this.#counts.sent += tries;
    this.#counts.retried += retries;
    if (end === 'acknowledged') this.#counts.acknowledged += 1;
    else this.#counts.givenUp += 1;
  }

  /** Hands over the callback that fell due first, once; undefined when none is left. */
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

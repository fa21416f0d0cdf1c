/**
 * Calls clients back. Spec: "Events": a POST with JSON to the address of the request, acknowledged by HTTP 200.
 *
 *   due ─→ in flight ─→ acknowledged
 *            ↑   └─ no 200 ─→ waiting, longer each time ─→ … ─→ given up after TRIES_MAX
 *
 * The retries are the practice service's own, because the specification shows none. Only this machine is called: a practice
 * run must not reach the callback receiver of a live system.
 */
import { request as httpRequest } from 'node:http';
import type { Clock } from '../domain/clock.ts';
import type { Bookkeeper } from './books/bookkeeper.ts';
import type { CallbackDue } from './books/callback-book.ts';
import { keptRequests } from './operations/handlers.ts';

/** Tries of one body before it is given up. With the waits below, a receiver may be away for half a minute. */
const TRIES_MAX = 7;
const FIRST_WAIT_MS = 500;
const WAIT_GROWTH = 2;
/** How long a receiver may take to answer, in milliseconds. */
const ANSWER_MS = 5_000;
/** Most requests in flight at the same time, so that a slow receiver does not cost a connection for each callback. */
const AT_ONCE_MAX = 8;
const ACKNOWLEDGED = 200;

/** Sends callbacks until they are acknowledged or given up. */
export class Callbacks {
  readonly #books: Bookkeeper;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #deliveries = new Set<Promise<void>>();
  #inFlight = 0;
  /** Tries that wait until fewer are in flight. */
  readonly #queue: (() => void)[] = [];
  #wake: { readonly at: number; readonly cancel: AbortController } | undefined;

  constructor(books: Bookkeeper, clock: Clock) {
    this.#books = books;
    this.#clock = clock;
  }

  /** Sends what is due, and watches for what will be. Must be called whenever the books may have changed. */
  attend(): void {
    if (this.#stop.signal.aborted) return;
    if (this.#books.callbacks.isAwaiting) this.#books.advance();
    for (let due = this.#books.callbacks.take(); due; due = this.#books.callbacks.take()) {
      const delivery = this.#deliver(due).finally(() => this.#deliveries.delete(delivery));
      this.#deliveries.add(delivery);
    }
    this.#watch();
  }

  /** Stops sending. Callbacks that were not acknowledged stay due, and are sent after a restart. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#wake?.cancel.abort();
    await Promise.all(this.#deliveries);
  }

  /** Sends the bodies of a callback one after the other. Each waits until the body before it is acknowledged. */
  async #deliver(due: CallbackDue): Promise<void> {
    if (!(await this.#written())) return this.#stop.abort();
    const effort = { tries: 0, retries: 0 };
    for (const body of callbackBodiesOf(due, this.#books, this.#books.advance())) {
      const said = await this.#insist(due.url, JSON.stringify(body));
      if (this.#stop.signal.aborted) return;
      effort.tries += said.tries;
      effort.retries += said.tries - 1;
      if (!said.acknowledged) return this.#books.calledBack(due.key, effort, 'given-up');
    }
    this.#books.calledBack(due.key, effort, 'acknowledged');
  }

  async #insist(url: string, body: string): Promise<{ readonly tries: number; readonly acknowledged: boolean }> {
    let waitMs = FIRST_WAIT_MS;
    for (let tries = 1; ; tries += 1) {
      const status = await this.#postInTurn(url, body);
      if (status === ACKNOWLEDGED) return { tries, acknowledged: true };
      if (tries >= TRIES_MAX || this.#stop.signal.aborted) return { tries, acknowledged: false };
      await this.#clock.sleep(waitMs, this.#stop.signal);
      waitMs *= WAIT_GROWTH;
    }
  }

  /** Posts once fewer than `AT_ONCE_MAX` requests are in flight; `undefined` if there was no answer, or sending has stopped. */
  async #postInTurn(url: string, body: string): Promise<number | undefined> {
    while (this.#inFlight >= AT_ONCE_MAX) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#inFlight += 1;
    try {
      return this.#stop.signal.aborted ? undefined : await post(url, body, this.#stop.signal);
    } finally {
      this.#inFlight -= 1;
      this.#queue.shift()?.();
    }
  }

  /** Waits until the journal is written, because no callback may report what the journal does not hold yet. */
  #written(): Promise<boolean> {
    return new Promise((resolve) => this.#books.whenWritten(resolve));
  }

  /** Sleeps until the next end whose callback is awaited. Without requests, nothing else would notice that end. */
  #watch(): void {
    const at = this.#books.callbacks.isAwaiting ? this.#books.nextEndAt() : undefined;
    if (at === undefined || (this.#wake && this.#wake.at <= at)) return;
    this.#wake?.cancel.abort();
    const cancel = new AbortController();
    const before = this.#clock.now();
    this.#wake = { at, cancel };
    void this.#clock.sleep(Math.max(1, at - before), cancel.signal).then(() => {
      if (cancel.signal.aborted) return;
      this.#wake = undefined;
      this.#books.advance();
      // A clock that does not move belongs to a test. Once the test moves it, its next request calls `attend`.
      if (this.#clock.now() > before) this.attend();
    });
  }
}

/** Posts a body and returns the status of the answer, or `undefined` if there was no answer. */
function post(url: string, body: string, signal: AbortSignal): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const request = httpRequest(url, { method: 'POST', headers, agent: false, signal: limit }, (response) => {
      response.on('close', () => resolve(response.complete ? response.statusCode : undefined)).resume();
    });
    request.on('error', () => resolve(undefined));
    request.end(body);
  });
}

/** Returns the bodies of a callback as of `at`. */
function callbackBodiesOf({ request, tells }: CallbackDue, books: Bookkeeper, at: number): readonly object[] {
  const shownAsDuplicateUntil = tells === 'duplicate' ? Number.POSITIVE_INFINITY : 0;
  return keptRequests[request.kind].tells?.({ ...request, shownAsDuplicateUntil }, at, books) ?? [];
}

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
  #slots = AT_ONCE_MAX;
  /** Callbacks whose wait is over, and which need a slot for their next try. */
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
    while (this.#slots > 0) {
      const due = this.#books.callbacks.take();
      if (!due) break;
      this.#slots -= 1;
      this.#send(due);
    }
    this.#watch();
  }

  /** Stops sending. Callbacks that were not acknowledged stay due, and are sent after a restart. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#wake?.cancel.abort();
    for (const go of this.#queue.splice(0)) go();
    await Promise.all(this.#deliveries);
  }

  #send(due: CallbackDue): void {
    const delivery = this.#deliver(due).finally(() => {
      this.#deliveries.delete(delivery);
      this.#release();
    });
    this.#deliveries.add(delivery);
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
      const status = await post(url, body, this.#stop.signal);
      if (status === ACKNOWLEDGED) return { tries, acknowledged: true };
      if (tries >= TRIES_MAX || this.#stop.signal.aborted) return { tries, acknowledged: false };
      this.#release();
      await this.#clock.sleep(waitMs, this.#stop.signal);
      await this.#slot();
      waitMs *= WAIT_GROWTH;
    }
  }

  /** Passes a slot to the callback that has waited longest for one, or to one that was not tried yet. */
  #release(): void {
    const go = this.#queue.shift();
    if (go) go();
    else {
      this.#slots += 1;
      this.attend();
    }
  }

  /** Waits for a slot, or returns immediately if sending has stopped. */
  async #slot(): Promise<void> {
    if (this.#slots > 0) this.#slots -= 1;
    else if (!this.#stop.signal.aborted) await new Promise<void>((resolve) => this.#queue.push(resolve));
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
      // A clock that stands still belongs to a test. Once the test moves it, its next request calls `attend`.
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

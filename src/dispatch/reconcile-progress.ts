/** How far a run is with what it asks before it sends anything, for people who wait. */
import type { Clock } from '../domain/clock.ts';
import type { Tell } from '../domain/event.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import type { AttemptsDeps } from './attempts.ts';

/** Look-ups that are still to be made: before the silence is over, and after it. */
export interface LooksLeft {
  readonly before: number;
  readonly after: number;
}

/** How many other orders of its rows are looked up for an order: up to the next attempt, and in all. */
export interface LooksBeside {
  readonly next: number;
  readonly all: number;
}

export const looksBeside = (
  { state, body, origin }: StoredOrder,
  ordersBeside: AttemptsDeps['ordersBeside'] = () => [],
): LooksBeside => {
  const others = state.lines.flatMap(({ row }) => ordersBeside({ row, state, body, origin }));
  return { next: others.filter(({ attempt }) => attempt <= state.attempt + 1).length, all: others.length };
};

/** How far the orders are that were never sent from here. */
interface Standing {
  readonly orders: number;
  /** Unknown once, unknown twice, and of which no other order is there either. */
  readonly asked: number;
  readonly proven: number;
  readonly cleared: number;
  /** So many of those left at most are asked for in all their attempts. */
  readonly deep: number;
  readonly beside: LooksBeside | undefined;
}

/** Two look-ups of each order, and then one of every other order of its rows that may be there. */
export function looksLeft({ orders, asked, proven, cleared, deep, beside }: Standing): LooksLeft {
  const { next, all } = beside ?? { next: 0, all: 0 };
  const left = Math.max(orders - cleared, 0);
  const inAll = Math.min(deep, left);
  return {
    before: Math.max(orders - asked, 0),
    after: Math.max(orders - proven, 0) + inAll * all + (left - inAll) * next,
  };
}

export class ReconcileProgress {
  readonly #clock: Clock;
  readonly #tell: Tell;
  #done = 0;
  /** Nothing leaves before, in milliseconds of the run's clock. */
  #silentUntil = 0;
  /** The round of look-ups that is going on, without the waits between two of them. */
  #round = { began: 0, done: 0 };
  /** What one look-up took in the latest round that had any, in milliseconds. */
  #eachMs = 0;

  constructor(clock: Clock, tell: Tell) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /** All is asked for from now on, and nothing leaves before the silence is over. */
  begin(silentUntil: number): void {
    this.#done = 0;
    this.#silentUntil = silentUntil;
  }

  /** Look-ups begin, one after the other. */
  roundBegins(): void {
    this.#round = { began: this.#clock.now(), done: 0 };
  }

  /** A look-up was answered. */
  asked(): void {
    this.#done += 1;
    this.#round.done += 1;
  }

  /** Tells how far it is; nothing where nothing is asked for. */
  say({ before, after }: LooksLeft): void {
    const of = this.#done + before + after;
    if (of === 0) return;
    const now = this.#clock.now();
    const { began, done } = this.#round;
    if (done > 0) this.#eachMs = (now - began) / done;
    const leftMs = Math.max(this.#silentUntil - now, before * this.#eachMs, 0) + after * this.#eachMs;
    this.#tell({ type: 'reconcile.progress', done: this.#done, of, leftMs: Math.round(leftMs) });
  }
}

/**
 * Counts when the rows of a batch were completed, in few steps of time: in one pass, and in memory that does not grow with the
 * rows.
 */
import type { CurrencyCode } from '../domain/currency.ts';
import { type Money, zero } from '../domain/money.ts';
import { type CountAndAmount, plusRows } from './sums.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** The most steps of a timeline: a table with this many still fits next to its plot. */
const STEPS_MAX = 12;
/** The most steps while rows are counted: enough to be joined to steps of any width. */
const FINE_MAX = 120;

/** Usual widths of steps, in milliseconds. Wider steps are whole weeks, doubled until they are wide enough. */
const WIDTHS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200]
  .map((seconds) => seconds * SECOND)
  .concat(DAY, WEEK);

/** The rows that were completed from one time until the next step begins. */
export interface TimeStep extends CountAndAmount {
  /** Start of the step in local time: milliseconds whose UTC parts are the local ones. */
  readonly from: number;
}

export interface Timeline {
  /** Steps in order and without gaps; empty if nothing was completed at a known time. */
  readonly steps: readonly TimeStep[];
  /** Width of each step, in milliseconds. */
  readonly widthMs: number;
  /** Rows that a person recorded as paid, whose time of completion is unknown. */
  readonly untimed: CountAndAmount;
}

/**
 * Counts completed rows by time; rows may come in any order. Steps begin at whole multiples of their width, so the steps follow
 * from only the first and the last time. When there are too many, neighbouring steps are joined.
 */
export class TimelineCounter {
  readonly #none: CountAndAmount;
  readonly #localTime: (ms: number) => number;
  #fine = new Map<number, CountAndAmount>();
  #width = SECOND;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  #untimed: CountAndAmount;

  /** `localTime` converts wall-clock milliseconds to local time of the zone. */
  constructor(currency: CurrencyCode, localTime: (ms: number) => number) {
    this.#none = { count: 0, amount: zero(currency) };
    this.#untimed = this.#none;
    this.#localTime = localTime;
  }

  /** Adds a completed row; `at` in wall-clock milliseconds, `undefined` if it is unknown. */
  add(amount: Money, at: number | undefined): void {
    const one = { count: 1, amount };
    if (at === undefined) {
      this.#untimed = plusRows(this.#untimed, one);
      return;
    }
    const local = this.#localTime(at);
    this.#first = Math.min(this.#first, local);
    this.#last = Math.max(this.#last, local);
    if (this.#spanOf(this.#width) > FINE_MAX) this.#widen();
    const step = Math.floor(local / this.#width);
    this.#fine.set(step, plusRows(this.#fine.get(step) ?? this.#none, one));
  }

  timeline(): Timeline {
    if (this.#fine.size === 0) return { steps: [], widthMs: SECOND, untimed: this.#untimed };
    const width = widthsFrom(this.#width, (candidate) => this.#spanOf(candidate) <= STEPS_MAX);
    const joined = this.#joined(width);
    const begin = Math.floor(this.#first / width);
    const steps = Array.from({ length: this.#spanOf(width) }, (_, index) => ({
      from: (begin + index) * width,
      ...(joined.get(begin + index) ?? this.#none),
    }));
    return { steps, widthMs: width, untimed: this.#untimed };
  }

  /** Returns the number of steps of this width from the first time to the last. */
  #spanOf(width: number): number {
    return Math.floor(this.#last / width) - Math.floor(this.#first / width) + 1;
  }

  #widen(): void {
    const width = widthsFrom(this.#width, (candidate) => this.#spanOf(candidate) <= FINE_MAX);
    this.#fine = this.#joined(width);
    this.#width = width;
  }

  #joined(width: number): Map<number, CountAndAmount> {
    const joined = new Map<number, CountAndAmount>();
    for (const [step, sum] of this.#fine) {
      const wider = Math.floor((step * this.#width) / width);
      joined.set(wider, plusRows(joined.get(wider) ?? this.#none, sum));
    }
    return joined;
  }
}

/** Returns the first sufficient width that is a multiple of `width`, so that no step has to be cut. */
function widthsFrom(width: number, willDo: (candidate: number) => boolean): number {
  const listed = WIDTHS.find((candidate) => candidate % width === 0 && willDo(candidate));
  if (listed !== undefined) return listed;
  let wider = Math.max(width, WEEK);
  while (!willDo(wider)) wider *= 2;
  return wider;
}

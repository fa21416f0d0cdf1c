/** How a run ended: the exit code, the `end` event and the last lines on a terminal are built from it. */
import type { Tally } from './batch.ts';
import type { CurrencyCode } from './currency.ts';
import type { Fault } from './fault.ts';
import type { BatchId } from './ids.ts';
import type { LeftOutSums } from './left-out.ts';
import { add, type Money, zero } from './money.ts';
import { isSetAside, noOutcomes, type OutcomeCounts } from './outcome.ts';

/** A run of another process that is in progress. */
export interface RunAtWork {
  /** User, machine and command. */
  readonly by: string;
  readonly pid: number;
  /** Name of the computer on which it runs. */
  readonly host: string;
  /** Wall-clock milliseconds. */
  readonly since?: number;
}

/** The most rows that a next step names by their numbers. */
export const OPEN_ROWS_NAMED = 10;

/** What the user should do next: a sentence, and the command at its end, to be copied. */
export interface NextStep {
  /** What is done, or must not be done, before that: sentences in their order; absent if there is nothing. */
  readonly before?: readonly string[];
  readonly says: string;
  readonly command?: string;
}

export interface RunEnd {
  readonly exit: number;
  readonly batch?: BatchId;
  readonly counts: OutcomeCounts;
  /** Sums of the batch; absent if no sheet was read. */
  readonly amounts?: {
    readonly planned: Money;
    readonly completed: Money;
    /** Fees that the service charged for the completed rows. */
    readonly fees: Money;
  };
  /** Rows that the sheet leaves out on purpose, and that `amounts` does not count; absent if there are none. */
  readonly leftOut?: LeftOutSums;
  /** Unsent rows that no run of the batch sends, and the later batches that hold their payments; absent if there are none. */
  readonly superseded?: { readonly rows: number; readonly batches: readonly BatchId[] };
  /** Failed rows whose payment a later batch holds, so that `retry` leaves them alone; absent if there are none. */
  readonly failedElsewhere?: number;
  /** Rows that count as not paid but that a ledger before this one may have paid; absent if there are none. */
  readonly unconfirmed?: number;
  /**
   * Numbers of the first rows that were sent and may have been paid, in sheet order, at most `OPEN_ROWS_NAMED`; absent if there
   * are none, or if the rows were not read.
   */
  readonly openRows?: readonly number[];
  /** Rows for which the service shows more than was to be paid, until a person has dealt with them; absent if there are none. */
  readonly overpaid?: { readonly rows: readonly number[]; readonly tooMuch: Money };
  /** Set if the people of the batch were deleted, so that nothing of it can be sent again. */
  readonly purged?: true;
  /** The ends of several batches, of which this one is the sum; absent for the end of one batch. */
  readonly batches?: readonly RunEnd[];
  /** A run of another process that is using the ledger. Rows that are open may just not be done yet. */
  readonly atWork?: RunAtWork;
  readonly files: readonly { readonly kind: string; readonly path: string }[];
  /** What the user should do next, if the exit code and the rows do not say so. */
  readonly next?: NextStep;
  /** What stopped the run before its end, if anything did. */
  readonly fault?: Fault;
}

/** Returns an end that only says why there was no run. */
export const endedBy = (fault: Fault): RunEnd => ({ exit: fault.exit, counts: noOutcomes(), files: [], fault });

/** Returns the counts and sums of a batch, computed from its tallies. The counts add up to every row of the sheet. */
export function sumsOf(
  tallies: readonly Tally[],
  currency: CurrencyCode,
): Pick<RunEnd, 'counts' | 'leftOut'> & Required<Pick<RunEnd, 'amounts'>> {
  const counts = noOutcomes();
  let planned = zero(currency);
  let completed = zero(currency);
  let fees = zero(currency);
  for (const { outcome, count, amount, fees: charged } of tallies) {
    counts[outcome] += count;
    if (!isSetAside(outcome)) planned = add(planned, amount);
    if (outcome === 'completed') {
      completed = add(completed, amount);
      fees = add(fees, charged);
    }
  }
  const leftOut = leftOutIn(tallies);
  return { counts, amounts: { planned, completed, fees }, ...(leftOut && { leftOut }) };
}

/** Returns the rows of a batch that were left out on purpose; `undefined` if there are none. */
export function leftOutIn(tallies: readonly Tally[]): LeftOutSums | undefined {
  const found = tallies.find(({ outcome }) => outcome === 'left-out');
  if (!found) return undefined;
  const { count: rows, amount, unread } = found;
  return { rows, amount, ...(unread !== undefined && { unread }) };
}

/** Returns the number of unsent rows, and of those among them that no run of the batch sends, because their orders were superseded. */
export function unsentIn(tallies: readonly Tally[]): { readonly rows: number; readonly superseded: number } {
  const { count = 0, superseded = 0 } = tallies.find(({ outcome }) => outcome === 'unsent') ?? {};
  return { rows: count, superseded };
}

/** The rule of the duplicate guard, pure: whether a sheet repeats what earlier batches paid, or may still pay. */
import type { BatchId } from '../../domain/ids.ts';
import type { Comparison, Overlap } from './compare-payments.ts';
import { isShare } from './last-time.ts';

/** What the operator answers for. */
export interface DuplicateChoice {
  /** Why payments of an earlier batch are made again. */
  readonly allowDuplicate?: string;
  /** Exact number of payments that an earlier batch made and that are made again. */
  readonly acceptPaidBefore?: number;
  /** Exact number of rows with another phone or account than the last time. */
  readonly acceptChangedPayees?: number;
}

/** A sheet of which so many payments were made before is that sheet again, with a correction here and there. */
const REPEATED_PERCENT = 80;

/** Up to so many equal payments are told and no more: round amounts to the same people come about by chance. */
const TOLERATED_PERCENT = 5;

/** Fewer people than these are paid other amounts within days by chance, as a supplier is. */
const SAME_PEOPLE_MIN = 5;

type Verdict =
  | { readonly tag: 'clean' }
  /** Nearly all of it was paid before. */
  | { readonly tag: 'repeated' }
  /** Another run paid rows of it while this one asked for its totals. */
  | { readonly tag: 'overtaken'; readonly count: number }
  /** Somebody has to answer for the exact number of rows that were. */
  | { readonly tag: 'partly' }
  /** So many rows are nearly all the people of a batch of these days, with other amounts. */
  | { readonly tag: 'same-people'; readonly overlap: Overlap };

/** The rule. `rowsOf`: payable rows of an earlier batch that comes into question. */
export function judge(
  comparison: Comparison,
  { allowDuplicate, acceptPaidBefore }: DuplicateChoice,
  confirmed: Comparison | undefined,
  rowsOf: (batch: BatchId) => number | undefined,
): Verdict {
  const { held, payable } = comparison;
  const more = confirmed ? held.count - confirmed.held.count : 0;
  if (more > 0) return { tag: 'overtaken', count: more };
  if (allowDuplicate !== undefined || payable.count === 0) return { tag: 'clean' };
  if (isShare(REPEATED_PERCENT, held.count, payable.count)) return { tag: 'repeated' };
  const isChance = held.sameReference === 0 && held.count * 100 <= TOLERATED_PERCENT * payable.count;
  if (acceptPaidBefore === undefined ? !isChance : acceptPaidBefore !== held.count) return { tag: 'partly' };
  const overlap = comparison.overlaps.find(
    ({ batch, isRecent, people }) =>
      isRecent &&
      people >= SAME_PEOPLE_MIN &&
      isShare(REPEATED_PERCENT, people, payable.count) &&
      isShare(REPEATED_PERCENT, people, rowsOf(batch) ?? Number.POSITIVE_INFINITY),
  );
  return overlap ? { tag: 'same-people', overlap } : { tag: 'clean' };
}

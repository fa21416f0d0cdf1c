/** The rule of the duplicate guard, pure: decides whether a sheet repeats what earlier batches paid, or may still pay. */
import type { BatchId } from '../../domain/ids.ts';
import type { Comparison, Overlap } from './compare-payments.ts';
import { isShare } from './last-time.ts';

/** What the operator answers for. */
export interface DuplicateChoice {
  /** Reason for making payments of an earlier batch again. */
  readonly allowDuplicate?: string;
  /** Exact number of payments that an earlier batch made and that are made again. */
  readonly acceptPaidBefore?: number;
  /** Exact number of rows with another phone or account than the last time. */
  readonly acceptChangedPayees?: number;
}

/** From this share of earlier payments on, in percent, a sheet is the same sheet again, with a correction here and there. */
const REPEATED_PERCENT = 80;

/** Up to this share, in percent, equal payments are only reported: round amounts to the same people come about by chance. */
const TOLERATED_PERCENT = 5;

/** Fewest people for the verdict `same-people`. Fewer are paid other amounts within days by chance, as a supplier is. */
const SAME_PEOPLE_MIN = 5;

type Verdict =
  | { readonly tag: 'clean' }
  /** Nearly all of the sheet was paid before. */
  | { readonly tag: 'repeated' }
  /** Another run paid rows of the sheet while this run asked for its totals. */
  | { readonly tag: 'overtaken'; readonly count: number }
  /** Some rows were paid before, and a person must answer for their exact number. */
  | { readonly tag: 'partly' }
  /** The sheet pays nearly all the people of a recent batch, with other amounts. */
  | { readonly tag: 'same-people'; readonly overlap: Overlap };

/** Returns the verdict on a sheet. `rowsOf` returns the number of payable rows of an earlier batch that is held or recent. */
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
  const isChance = held.certain === 0 && held.count * 100 <= TOLERATED_PERCENT * payable.count;
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

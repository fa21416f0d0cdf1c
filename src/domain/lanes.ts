/**
 * Lanes: a large batch is planned in parts that stand one after the other, so that several processes can send it at the same time, each
 * of them a part of its own. How it is parted is said by its plan and never changes.
 */

/** How a batch is parted. A batch without says nothing of it: it is one part. */
export interface Lanes {
  /** At least two. */
  readonly count: number;
  /** Orders of each lane, in the order of the plan. The last one has the rest too, and whatever is tried again. */
  readonly orders: number;
}

/** Lanes of a batch at most: work on the whole batch writes under the leases of all of them. */
export const LANES_MAX = 32;

/** `orders`: of the batch, about; `least`: of a lane. Undefined: the batch is not parted. */
export function lanesFor(orders: number, least: number | undefined): Lanes | undefined {
  if (least === undefined) return undefined;
  const count = Math.min(LANES_MAX, Math.floor(orders / least));
  return count < 2 ? undefined : { count, orders: Math.ceil(orders / count) };
}

/** The numbers of its lanes, from 1; none of a batch that is not parted. */
export const laneNumbers = ({ lanes }: { readonly lanes?: Lanes }): readonly number[] =>
  lanes ? Array.from({ length: lanes.count }, (_, index) => index + 1) : [];

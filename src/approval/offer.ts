/** What a run would pay: the point at which a plan is made, or held against one that was approved. */
import type { BatchHeader, PlannedBlock } from '../domain/batch.ts';
import type { MoneyStatement } from '../domain/event.ts';
import type { BatchId } from '../domain/ids.ts';

/** A sheet that was checked and priced, before anybody was asked. */
export interface Offer {
  readonly batch: BatchId;
  readonly sheet: BatchHeader['sheet'];
  readonly statement: MoneyStatement;
  /** Every row and order, with the exact bytes that would be sent; made anew each time that it is asked for. */
  readonly blocks: () => Iterable<PlannedBlock>;
}

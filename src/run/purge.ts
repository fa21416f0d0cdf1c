/**
 * Which batches may be purged because nobody needs their people any more. The rule is here; `ledger/purge.ts` deletes, and each
 * other place that keeps personal data deletes its own.
 */

import type { BatchHeader } from '../domain/batch.ts';
import { DAY_MS } from '../domain/clock.ts';
import { counted } from '../domain/counted.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { isOpen } from '../domain/outcome.ts';
import type { Forgets } from '../domain/purged.ts';
import { unsentIn } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** The part of a ledger that decides whether a batch may be purged. */
type Records = Pick<Ledger, 'alarms' | 'recoveryReason' | 'tallies' | 'lastFactAt' | 'purges' | 'batches'>;

/** A batch that is old enough to be purged. With `keptBecause`, it is kept nevertheless. */
export interface OldBatch {
  readonly batch: BatchHeader;
  /** When the last fact of the batch was recorded, in wall-clock milliseconds. */
  readonly lastFactAt: number;
  /** Why the batch is kept, as a clause; absent if it may be purged. */
  readonly keptBecause?: string;
}

/**
 * Throws a Fault `usage` if people would be forgotten while they are still needed: to find duplicate payments, and to send,
 * look up and try again. A rehearsal pays nobody, so it may be forgotten at any time.
 */
export function requireLongEnough(olderThanMs: number, { sandbox, duplicates, inDoubt, polling }: Settings): void {
  const guardDays = Math.max(...Object.values(duplicates));
  const retryMs = inDoubt.maxAgeMs + polling.deadlineMs;
  const leastDays = Math.max(guardDays, Math.ceil(retryMs / DAY_MS));
  if (sandbox || olderThanMs >= leastDays * DAY_MS) return;
  const { withinDays, samePersonDays, otherPeriodDays } = duplicates;
  throw new Fault(
    'usage',
    `--older-than is too short: the duplicate guards look ${guardDays} days back (duplicates: withinDays ${withinDays}, samePersonDays ${samePersonDays}, otherPeriodDays ${otherPeriodDays}), and an order may be sent or tried again for ${hoursText(retryMs)} (inDoubt.maxAgeMs, polling.deadlineMs). Nothing was deleted.`,
    `The least is --older-than ${leastDays}d.`,
  );
}

const hoursText = (ms: number): string => counted(Math.ceil(ms / 3_600_000), 'hour');

/** Returns the batches that still have their people and have recorded nothing since `before`, the oldest first. */
export async function oldBatches(ledger: Records, before: number, only?: BatchId): Promise<readonly OldBatch[]> {
  const purges = await ledger.purges();
  const found: OldBatch[] = [];
  for (const batch of (await ledger.batches()).toReversed()) {
    if (purges.has(batch.id) || (only !== undefined && batch.id !== only)) continue;
    const lastFactAt = await ledger.lastFactAt(batch.id);
    if (lastFactAt >= before) continue;
    const keptBecause = await openBecause(batch, ledger);
    found.push({ batch, lastFactAt, ...(keptBecause !== undefined && { keptBecause }) });
  }
  return found;
}

/** Returns why a batch is not finished; `undefined` if every row has its final outcome and nothing is in question. */
async function openBecause({ id, sandbox }: BatchHeader, ledger: Records): Promise<string | undefined> {
  const tallies = await ledger.tallies(id);
  const open = tallies.filter(({ outcome }) => isOpen(outcome)).reduce((sum, { count }) => sum + count, 0);
  if (open > 0) return `${counted(open, 'row has', 'rows have')} no final outcome`;
  const unsent = unsentIn(tallies);
  const waiting = unsent.rows - unsent.superseded;
  if (waiting > 0) return `${counted(waiting, 'row was', 'rows were')} not sent and may still be`;
  if ((await ledger.alarms(id)).length > 0) return 'the service contradicts the plan, and nobody has dealt with it';
  if (!sandbox && (await ledger.recoveryReason(id)) !== undefined)
    return 'this ledger may not know all that was sent of it';
  return undefined;
}

/** Returns the rule for what is deleted outside of the ledger: everything that belongs to purged batches, and old entries of no batch. */
export function forgetsOf(ledger: Pick<Ledger, 'batchOf' | 'purges'>, before: number, only?: BatchId): Forgets {
  return async (id, at) => {
    const batch = await ledger.batchOf(id);
    if (batch === undefined) return only === undefined && at < before;
    return (only === undefined || batch === only) && (await ledger.purges()).has(batch);
  };
}

/**
 * Reads what the facts say about the runs of a batch: all of them, or those since its latest plan (the sheet, or the last
 * retry).
 */

import type { Reader } from '../database/database.ts';
import type { BatchHeader } from '../domain/batch.ts';
import type { BatchFact } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { batchFactIn } from './facts.ts';
import { LEDGER_FACTS_OF_BATCH } from './ledger-chain.ts';

type FactOf<T extends BatchFact['type']> = Extract<BatchFact, { readonly type: T }>;

export interface RunHistory {
  readonly isRetry: boolean;
  /** Rows that were to be sent alone, before all others (a canary), when the plan was made. */
  readonly plannedCanary?: number;
  /**
   * The most rows that the latest run was to send, or that the first one was to send if it never began; absent: all. See
   * `RunTerms`.
   */
  readonly rowsMost?: number;
  /** How the latest run began; absent if there was none since the plan. */
  readonly started?: FactOf<'run-started'>;
  /** How the latest run ended; absent if it was interrupted. */
  readonly stopped?: FactOf<'run-stopped'>;
}

const RUNS = `SELECT f.happened_at, f.type, f.data, f.text FROM fact f WHERE ${LEDGER_FACTS_OF_BATCH} AND f.type IN
  ('batch-planned', 'retry-planned', 'run-started', 'run-stopped') ORDER BY f.seq DESC`;

export async function runHistory(database: Reader, batch: BatchId): Promise<RunHistory> {
  const latest = (await database.read(RUNS, [batch])).map((row) => batchFactIn(row, batch));
  const at = latest.findIndex(({ type }) => type.endsWith('-planned'));
  const plan = latest[at];
  const since = latest.slice(0, at);
  const begun = since.findIndex(is('run-started'));
  const started = since.find(is('run-started'));
  // Only an end in the epoch of the latest run counts: an epoch belongs to one holder.
  const ends = since.slice(0, Math.max(begun, 0)).filter(is('run-stopped'));
  const stopped = ends.find(({ epoch }) => epoch === started?.epoch);
  const plannedCanary = plan && canaryOf(plan);
  const { rowsMost } = started ?? (plan?.type === 'batch-planned' ? headerOf(plan) : {});
  return {
    isRetry: plan?.type === 'retry-planned',
    ...(plannedCanary !== undefined && { plannedCanary }),
    ...(rowsMost !== undefined && { rowsMost }),
    ...(started && { started }),
    ...(stopped && { stopped }),
  };
}

const is =
  <T extends BatchFact['type']>(type: T) =>
  (fact: BatchFact): fact is FactOf<T> =>
    fact.type === type;

/** One run of a batch, from its beginning to its end. */
export interface RecordedRun {
  /** Wall-clock milliseconds. */
  readonly startedAt: number;
  readonly started: FactOf<'run-started'>;
  /** Absent while the run is in progress, or if it was interrupted. */
  readonly stoppedAt?: number;
  readonly stopped?: FactOf<'run-stopped'>;
}

const ALL_RUNS = `SELECT f.happened_at, f.type, f.data, f.text FROM fact f WHERE ${LEDGER_FACTS_OF_BATCH}
  AND f.type IN ('run-started', 'run-stopped') ORDER BY f.seq`;

/** Returns every run of a batch, the earliest first. */
export async function recordedRuns(database: Reader, batch: BatchId): Promise<readonly RecordedRun[]> {
  const runs: RecordedRun[] = [];
  for (const row of await database.read(ALL_RUNS, [batch])) {
    const fact = batchFactIn(row, batch);
    if (fact.type === 'run-started') runs.push({ startedAt: fact.at, started: fact });
    if (fact.type !== 'run-stopped') continue;
    // Found by its epoch, and not by its place: other facts may be in between, but a run ends under the lease that it began with.
    const at = runs.findLastIndex(({ started, stopped }) => started.epoch === fact.epoch && !stopped);
    const run = runs[at];
    if (run) runs[at] = { ...run, stoppedAt: fact.at, stopped: fact };
  }
  return runs;
}

/**
 * Returns how many rows the canary of a plan has. The plan of a sheet has the number in the header of the batch, that of a
 * retry in the fact itself.
 */
function canaryOf(plan: BatchFact): number | undefined {
  if (plan.type === 'retry-planned') return plan.canary;
  return plan.type === 'batch-planned' ? headerOf(plan).canary : undefined;
}

const headerOf = ({ header }: FactOf<'batch-planned'>): BatchHeader => header as BatchHeader; // recorded as a header

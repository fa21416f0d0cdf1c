/** What the facts say of the runs of a batch since its latest plan: the sheet, or the last retry. */
import type { BatchFact } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { type Database, numberOf, textOf } from './database.ts';

type FactOf<T extends BatchFact['type']> = Extract<BatchFact, { readonly type: T }>;

export interface RunHistory {
  readonly isRetry: boolean;
  /** Rows that were to go ahead alone when the plan was made. */
  readonly plannedCanary?: number;
  /** How the latest run began; missing when there was none since the plan. */
  readonly started?: FactOf<'run-started'>;
  /** How it ended; missing when it was broken off. */
  readonly stopped?: FactOf<'run-stopped'>;
}

const RUNS = `SELECT type, data FROM fact WHERE batch = ? AND type IN
  ('batch-planned', 'retry-planned', 'run-started', 'run-stopped') ORDER BY seq DESC`;

export async function runHistory(database: Database, batch: BatchId): Promise<RunHistory> {
  const latest = await database.read(RUNS, [batch]);
  const at = latest.findIndex((row) => /-planned$/.test(textOf(row, 'type')));
  const plan = latest[at];
  const since = latest.slice(0, at);
  const started = since.findIndex((row) => textOf(row, 'type') === 'run-started');
  const stopped = since.slice(0, Math.max(started, 0)).find((row) => textOf(row, 'type') === 'run-stopped');
  const begun = since[started];
  const plannedCanary = plan && canaryOf(JSON.parse(textOf(plan, 'data')));
  return {
    isRetry: plan !== undefined && textOf(plan, 'type') === 'retry-planned',
    ...(plannedCanary !== undefined && { plannedCanary }),
    ...(begun && { started: JSON.parse(textOf(begun, 'data')) as FactOf<'run-started'> }), // was recorded as one
    ...(stopped && { stopped: JSON.parse(textOf(stopped, 'data')) as FactOf<'run-stopped'> }), // was recorded as one
  };
}

/** One run of a batch, from its beginning to its end. */
export interface RecordedRun {
  /** Wall-clock milliseconds. */
  readonly startedAt: number;
  readonly started: FactOf<'run-started'>;
  /** Missing while it is at work, and when it was broken off. */
  readonly stoppedAt?: number;
  readonly stopped?: FactOf<'run-stopped'>;
}

const ALL_RUNS = `SELECT type, data, happened_at FROM fact WHERE batch = ? AND type IN ('run-started', 'run-stopped')
  ORDER BY seq`;

/** Every run of a batch, the first one first. */
export async function recordedRuns(database: Database, batch: BatchId): Promise<readonly RecordedRun[]> {
  const runs: RecordedRun[] = [];
  for (const row of await database.read(ALL_RUNS, [batch])) {
    const [fact, at] = [JSON.parse(textOf(row, 'data')), numberOf(row, 'happened_at')];
    if (textOf(row, 'type') === 'run-started') {
      runs.push({ startedAt: at, started: fact as FactOf<'run-started'> }); // was recorded as one
      continue;
    }
    const latest = runs.pop();
    if (latest) runs.push({ ...latest, stoppedAt: at, stopped: fact as FactOf<'run-stopped'> }); // was recorded as one
  }
  return runs;
}

/** A sheet's plan has it in the header of the batch, a retry's in the fact itself. */
const canaryOf = (plan: { readonly canary?: number; readonly header?: { readonly canary?: number } }) =>
  plan.canary ?? plan.header?.canary;

/**
 * Decides whether a worker may continue a batch, by what the ledger says about it. A worker continues a batch whose run was
 * interrupted, or was handed on. It never decides what a person has to decide: a batch that a person or a brake stopped needs
 * a `resume` first.
 */

import { HANDED_ON, whyLeftToPerson } from '../dispatch/stop-batch.ts';
import type { BatchHeader } from '../domain/batch.ts';
import { exitCode } from '../domain/exit-code.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger, RecordedRun } from '../ledger/ledger.ts';
import { knownEnd } from '../results/run-end.ts';

/** What to do about a batch now. */
export type Judgement =
  | { readonly now: 'work' }
  /** Nothing is left that a run could do. */
  | { readonly now: 'over'; readonly exit: number }
  | { readonly now: 'later'; readonly inMs: number; readonly exit: number }
  /** Nothing may be done until a person has acted; `says`: why, and what to do. */
  | { readonly now: 'left'; readonly exit: number; readonly says: string };

/** Bounds of the wait before missing final outcomes are asked for again, and its part of the time for which they have been missing. */
const WAIT_MS_MIN = 60_000;
const WAIT_MS_MAX = 6 * 3_600_000;
const WAIT_PART = 4;

/** Judges a batch by the ledger, which is proven as it is read. Writes nothing, and asks no service. `now`: wall-clock milliseconds. */
export async function judgeBatch(
  batch: BatchHeader,
  ledger: Ledger,
  { inDoubt: { maxAgeMs } }: Pick<Settings, 'inDoubt'>,
  now: number,
): Promise<Judgement> {
  if ((await ledger.purges()).has(batch.id)) return { now: 'over', exit: exitCode.ok };
  const { exit } = await knownEnd(batch, ledger);
  // What looks final is proven before it is believed.
  if (exit !== exitCode.notFinal) await ledger.proveWhole(batch.id);
  if (exit === exitCode.alarm)
    return left(batch, exit, 'the service contradicts the plan', `paybatch resolve ${batch.id}`);
  if (exit !== exitCode.notFinal) return { now: 'over', exit };
  const goOn = `paybatch resume ${batch.id}`;
  const why = await whyLeftToPerson(batch.id, ledger, { resumesInterrupted: false });
  if (why !== undefined) return left(batch, exit, why, goOn);
  const tried = lastTried(await ledger.recordedRuns(batch.id));
  if (!tried) {
    // It is forgotten by now why the batch was left, and its people may have been paid by other means.
    const quietMs = now - (await ledger.lastFactAt(batch.id));
    return quietMs > maxAgeMs ? left(batch, exit, 'nothing was done about it for a long time', goOn) : { now: 'work' };
  }
  if (now - tried.since > maxAgeMs)
    return left(batch, exit, 'some rows have had no final outcome for a long time', goOn);
  const waitMs = Math.min(Math.max((now - tried.since) / WAIT_PART, WAIT_MS_MIN), WAIT_MS_MAX);
  const inMs = tried.at + waitMs - now;
  return inMs > 0 ? { now: 'later', inMs, exit } : { now: 'work' };
}

const left = ({ id }: BatchHeader, exit: number, why: string, command: string): Judgement => ({
  now: 'left',
  exit,
  says: `Batch ${id} is left to a person: ${why}. Then: ${command}`,
});

/**
 * Returns since when runs have come to their own end, one after the other, and when the last one did; `undefined` if the last
 * one did not.
 */
function lastTried(runs: readonly RecordedRun[]): { readonly since: number; readonly at: number } | undefined {
  const others = runs.findLastIndex(({ stopped }) => stopped === undefined || stopped.reason === HANDED_ON);
  const [since, at] = [runs[others + 1]?.stoppedAt, runs.at(-1)?.stoppedAt];
  return since === undefined || at === undefined ? undefined : { since, at };
}

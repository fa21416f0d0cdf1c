/** Looks at a batch: the loop of a run that sends nothing, and asks once about everything that is not final. */
import { dispatch } from '../dispatch/dispatch.ts';
import { earlierStop, isByPerson, personNotice, supersededNotice } from '../dispatch/stop-reasons.ts';
import type { BatchHeader } from '../domain/batch.ts';
import { exitCode } from '../domain/exit-code.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { supersededOf } from '../preflight/duplicates/superseded-rows.ts';
import { afterPersonsStop } from '../results/next-step.ts';
import { dispatchedEnd, knownEnd, workedOn } from '../results/run-end.ts';
import { emitRows } from './emit-batch.ts';
import type { RunDeps } from './run-deps.ts';

interface RefreshDeps extends RunDeps {
  /** Whether rows are reported after a look-up with this end; absent: always. */
  readonly emitsRows?: (end: RunEnd) => boolean;
}

/** Asks the service once about everything that is not final, and sends nothing. Returns the end of the batch as it is then. */
export async function refreshBatch(batch: BatchHeader, deps: RefreshDeps): Promise<RunEnd> {
  const { ledger, settings, signal } = deps;
  const epoch = await ledger.takeLease(batch.id);
  const emitted = async (end: RunEnd): Promise<RunEnd> =>
    (deps.emitsRows?.(end) ?? true) ? emitRows(batch, end, deps) : end;
  // Every row of a purged batch has its final outcome, and the texts that look-ups need are deleted.
  if ((await ledger.purges()).has(batch.id)) return emitted(await knownEnd(batch, ledger));
  const polling = { ...settings.polling, deadlineMs: 0 };
  return workedOn(batch, deps, async () => {
    const asking = { ...settings, polling };
    const task = { batch: batch.id, epoch, settings: asking, signal, maySubmit: false, lookFirst: false };
    const { alarms } = await dispatch(task, deps);
    const known = await dispatchedEnd(batch, ledger, alarms, signal);
    const stopped =
      known.counts.unsent > (known.superseded?.rows ?? 0) ? (await ledger.runHistory(batch.id)).stopped : undefined;
    const stop = await ledger.stopOf(batch.id);
    if (stop) deps.emit(personNotice(stop));
    else if (stopped?.code !== undefined && !isByPerson(stopped.code)) deps.emit(earlierStop(stopped));
    const superseded = await supersededOf(batch, deps);
    if (superseded) deps.emit(supersededNotice(superseded));
    const end = await emitted(known);
    return stop && end.exit === exitCode.notFinal ? { ...end, next: afterPersonsStop(batch.id) } : end;
  });
}

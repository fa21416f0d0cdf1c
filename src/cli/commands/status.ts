import { personNotice } from '../../dispatch/stop-reasons.ts';
import { localTime } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import type { Emit } from '../../domain/event.ts';
import { exitCode, exitOfSignal } from '../../domain/exit-code.ts';
import { Fault, type FaultCode } from '../../domain/fault.ts';
import { finishedIn, openIn } from '../../domain/outcome.ts';
import { present } from '../../domain/present.ts';
import type { RunAtWork, RunEnd } from '../../domain/run-end.ts';
import { atWorkText, type HeldLease } from '../../ledger/ledger.ts';
import { knownEnd } from '../../results/run-end.ts';
import { emitRows } from '../../run/emit-batch.ts';
import { refreshBatch } from '../../run/refresh.ts';
import { cliCommand } from '../command.ts';
import { readsAlone } from '../config/account.ts';
import { wholeNumber } from '../flags/options.ts';
import { emitStart, openRecords, openSession } from '../session.ts';
import type { Shell } from '../shell.ts';
import { chosenBatch, emitAbout } from '../state/batches.ts';

/** Default time between two looks, in seconds: an order takes seconds to minutes. */
const EVERY_SECONDS = 30;

export const status = cliCommand({
  example: 'paybatch status salaries-2026-11',
  moreExamples: ['paybatch status', 'paybatch status salaries-2026-11 --watch'],
  declare: (command) =>
    command
      .argument('[batch]', 'batch; default: the latest one')
      .option('--watch', 'ask again until everything that was sent is final, or Ctrl-C')
      .option('--every <seconds>', `with --watch: time between two checks; default: ${EVERY_SECONDS}`, wholeNumber(1)),
  async run(shell, [named], options) {
    const every = options.every;
    if (options.watch === true) return await watch(shell, named, every ?? EVERY_SECONDS);
    if (every === undefined) return await look(shell, named, { isFirst: true, isLast: () => true });
    throw new Fault('usage', '--every says how often --watch asks.', 'Add --watch, or leave --every out.');
  },
});

/**
 * Looks again until nothing that was sent is open any more, or until a person has to act. The ledger is open only during
 * each look, so that other commands can work in between.
 */
async function watch(shell: Shell, named: string | undefined, everySeconds: number): Promise<RunEnd> {
  const isLast = ({ exit, counts }: RunEnd): boolean =>
    openIn(counts) === 0 || exit !== exitCode.notFinal || shell.signal.aborted;
  let reported: number | undefined;
  let batch = named;
  for (let isFirst = true; ; isFirst = false) {
    const end = await look(shell, batch, { isFirst, isLast });
    // Another batch may be the latest one by the next look.
    batch = end.batch ?? batch;
    if (isLast(end)) return end;
    const open = openIn(end.counts);
    if (open !== reported) {
      const message = `${counted(open, 'row is', 'rows are')} not final. Asking again every ${everySeconds} s; Ctrl-C ends it.`;
      shell.reporter.emit({ type: 'notice', level: 'info', message });
      reported = open;
    }
    await shell.clock.sleep(everySeconds * 1000, shell.signal);
    if (shell.signal.aborted) return { ...end, exit: exitOfSignal(shell.signal) };
  }
}

/** Whether a look is the first or the last one of a command. `isLast` can say so only when the end of the look is known. */
interface Look {
  readonly isFirst: boolean;
  readonly isLast: (end: RunEnd) => boolean;
}

/** Faults after which the status comes only from the ledger, because this process cannot record what the service says. */
const readsOn: ReadonlySet<FaultCode> = new Set<FaultCode>(['ledger-held', 'ledger-moved', 'ledger-forbidden']);

/** Asks the service once, or shows what the ledger knows if another run is in progress or nothing can be recorded. */
async function look(shell: Shell, named: string | undefined, { isFirst, isLast }: Look): Promise<RunEnd> {
  let isReported = !isFirst;
  if (readsAlone(shell.profile())) return await asRecorded(shell, named, { isFirst, isReported, isLast });
  try {
    await using session = await openSession(shell, { again: !isFirst });
    const batch = await chosenBatch(session.deps.ledger, named);
    isReported = true;
    if (isFirst) {
      await emitAbout(batch, session.deps);
      const others = await session.deps.ledger.othersAtWork();
      emitOthers(
        others.filter((one) => one.batch !== batch.id),
        session.deps.emit,
      );
    }
    return await refreshBatch(batch, { ...session.deps, emitsRows: isLast });
  } catch (error) {
    if (!(error instanceof Fault && readsOn.has(error.code))) throw error;
    return await asRecorded(shell, named, { isFirst, isReported, isLast });
  }
}

/** Shows the batch as the ledger has it, and names the run that is working on it, if any. */
async function asRecorded(
  shell: Shell,
  named: string | undefined,
  { isFirst, isReported, isLast }: Look & { readonly isReported: boolean },
): Promise<RunEnd> {
  await using records = await openRecords(shell, { again: isReported });
  const { deps } = records;
  if (!isReported) emitStart(shell, records);
  if (isFirst && readsAlone(records.loaded)) {
    const message = 'The profile has no client secret, so the service was not asked. The figures come from the ledger.';
    deps.emit({ type: 'notice', level: 'info', message });
  }
  const batch = await chosenBatch(deps.ledger, named);
  if (!isReported) await emitAbout(batch, deps);
  const stop = await deps.ledger.stopOf(batch.id);
  if (stop && isFirst) deps.emit(personNotice(stop));
  const known = await knownEnd(batch, deps.ledger);
  const held = await deps.ledger.heldLeases();
  const end = isLast(known) ? await emitRows(batch, known, deps) : known;
  // A run that has the books of the practice service has them for every batch.
  const own = held.find((lease) => lease.batch === batch.id) ?? held.find((lease) => lease.batch === undefined);
  const others = held.filter((lease) => lease !== own && lease.isLive);
  if (isFirst) emitOthers(others, deps.emit);
  // The other run has finished in the meantime.
  if (!own) return end;
  const { description: by, pid, host, since } = own.holder;
  const atWork = { by, pid, host, ...present({ since }) };
  const message = atWorkNotice(atWork, end, deps.settings.timezone);
  if (isFirst) deps.emit({ type: 'notice', level: 'info', message });
  return { ...end, atWork };
}

/** Reports the other runs of the ledger with what they work on. */
function emitOthers(others: readonly HeldLease[], emit: Emit): void {
  if (others.length === 0) return;
  emit({ type: 'notice', level: 'info', message: `Also working: ${others.map(atWorkText).join('; ')}.` });
}

/** Returns the notice that says which run is in progress, and how far the batch is. */
function atWorkNotice({ by, pid, host, since }: RunAtWork, { counts }: RunEnd, timezone: string): string {
  const { done, of } = finishedIn(counts);
  const from = since === undefined ? '' : `, since ${localTime(since, timezone)} ${timezone}`;
  return `A run is in progress: ${by} (process ${pid} on ${host}${from}). ${done} of ${counted(of, 'row')} are finished. The figures come from the ledger.`;
}

/** Notifies those whom the profile names about a batch that nobody watches: that it is being sent, and how it ended. */
import { exitCode } from '../../domain/exit-code.ts';
import { Fault } from '../../domain/fault.ts';
import { noOutcomes } from '../../domain/outcome.ts';
import { endPointOf, type PaymentNotice, workbookOf } from '../../domain/payment-notice.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import type { RunDeps } from '../../run/paybatch.ts';
import type { Session } from '../session.ts';
import type { Shell } from '../shell.ts';
import { openNotifier } from './notifier.ts';

/** Exit codes of work on an earlier batch that left rows without a final outcome. After any other exit code, nothing was sent. */
const OPEN: ReadonlySet<number> = new Set([
  exitCode.notFinal,
  exitCode.ledgerUnsafe,
  exitCode.interrupted,
  exitCode.terminated,
]);

/** Does the work, and sends notices about it unless a person watches it at a terminal. */
export const toldUnattended = (
  shell: Shell,
  session: Session,
  command: string,
  work: (deps: RunDeps) => Promise<RunEnd>,
): Promise<RunEnd> => (shell.terminal.interactive ? work(session.deps) : toldOf(shell, session, command, work));

/** Does the work, and sends notices about it, even if a person watches it: others wait to hear the outcome. */
export async function toldOf(
  shell: Shell,
  { deps, loaded }: Session,
  command: string,
  work: (deps: RunDeps) => Promise<RunEnd>,
): Promise<RunEnd> {
  await using notifier = openNotifier(shell, loaded, deps.tell);
  // Notices are sent while the payment runs, and are waited for at the end.
  const telling: Promise<void>[] = [];
  const say = (notice: Omit<PaymentNotice, 'command' | 'scheduled'>): void => {
    telling.push(notifier.notify({ ...notice, command }));
  };
  let planned: string | undefined;
  const sayEnd = ({
    exit,
    batch = planned,
    counts,
    amounts,
    fault,
    files = [],
  }: Omit<RunEnd, 'batch' | 'files'> & { readonly batch?: string; readonly files?: RunEnd['files'] }): void => {
    const mayHaveSent = planned !== undefined || OPEN.has(exit);
    const point = endPointOf(exit) ?? (mayHaveSent ? 'in-doubt' : undefined);
    if (batch === undefined || !point) return;
    const why = fault && { why: fault.code };
    say({ point, batch, exit, counts, ...(amounts && { amounts }), ...why, ...workbookOf({ files }) });
  };
  try {
    const end = await work({
      ...deps,
      tell: (event) => {
        deps.tell(event);
        if (event.type !== 'batch.planned') return;
        planned = event.batch;
        say({ point: 'sent', batch: planned, exit: exitCode.ok, counts: noOutcomes() });
      },
    });
    sayEnd(end);
    return end;
  } catch (error) {
    if (error instanceof Fault) sayEnd({ exit: error.exit, counts: noOutcomes(), fault: error });
    throw error;
  } finally {
    await Promise.all(telling);
  }
}

/** The last words of a command that is told twice to stop: it leaves at once, and whoever reads it still gets its end. */
import { once } from 'node:events';
import { exitCode, mostSevereExit } from '../domain/exit-code.ts';
import { Fault } from '../domain/fault.ts';
import { endedBy, type RunEnd } from '../domain/run-end.ts';

/** Gives how far the batch of a command is by then; undefined while the command works on none. */
export type KnownEnd = () => Promise<RunEnd>;

/** Resolves when the signal is aborted, with the end of a command that leaves everything as it is; never without one. */
export async function leftAtOnce(leave: AbortSignal | undefined, known: () => KnownEnd | undefined): Promise<RunEnd> {
  if (!leave) return new Promise<never>(() => undefined);
  if (!leave.aborted) await once(leave, 'abort');
  const terminated = leave.reason === 'SIGTERM';
  const exit = terminated ? exitCode.terminated : exitCode.interrupted;
  try {
    const end = await known()?.();
    if (end) return { ...end, exit: mostSevereExit([exit, end.exit]) };
  } catch (error) {
    // A ledger that cannot be read must not keep anybody who is leaving.
    if (!(error instanceof Fault)) throw error;
  }
  return endedBy(
    new Fault(
      terminated ? 'terminated' : 'interrupted',
      'Stopped at once.',
      'What was sent is on record, and `paybatch status` shows it. Then run the command again.',
    ),
  );
}

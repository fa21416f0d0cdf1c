/** `--detach`: a command plans, or says that a batch may go on, and the workers of a shared ledger send. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { Fault } from '../../domain/fault.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { Queue } from '../../worker/queue.ts';
import type { Shell } from '../shell.ts';

export const declareDetach = <Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) =>
  command.option('--detach', 'send nothing here: the workers of the shared ledger do, by their own settings');

/**
 * Does a command that leaves its batch to the workers, and rings for them when it has let go of the ledger. `options`: what was
 * typed; `own`: what only the sending itself reads, which nobody would remember.
 */
export async function leftToWorkers(
  shell: Shell,
  options: OptionValues,
  own: readonly string[],
  work: () => Promise<RunEnd>,
): Promise<RunEnd> {
  if (options['detach'] !== true) return work();
  const { ledger } = shell.config();
  if (!ledger) {
    throw new Fault(
      'usage',
      'Workers send from a ledger that is shared, on PostgreSQL, and this one is a file. Nothing was sent.',
      'Leave out --detach; or name a shared ledger: paybatch help workers',
    );
  }
  const [typed] = own.filter((name) => options[name] !== undefined);
  if (typed !== undefined) {
    throw new Fault(
      'usage',
      `--${typed.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} is about the sending, and --detach leaves that to the workers. Nothing was sent.`,
      'Leave out one of the two. Workers have the settings of their profile.',
    );
  }
  const end = await work();
  if (end.batch === undefined || end.fault) return end;
  try {
    const queue = await Queue.open(ledger);
    try {
      if (await queue.isThere()) await queue.ring(end.batch);
      else shell.reporter.tell({ type: 'notice', level: 'warning', code: 'no-worker', message: NOBODY });
    } finally {
      await queue.close();
    }
  } catch (error) {
    // The plan is in the ledger, where the workers find it by themselves.
    if (!(error instanceof Fault)) throw error;
  }
  return end;
}

const NOBODY = 'No worker has ever been started on this ledger, so nobody sends yet. Start one: paybatch worker';

/** Options that only the sending itself reads: no plan keeps them. */
export const OF_SENDING = [
  'concurrency',
  'stopAfterFailures',
  'feeTolerance',
  'upToBalance',
  'acceptUnverifiable',
  'jsonl',
  'groupBy',
  'out',
  'scenario',
  'dryRun',
] as const;

/** `--detach`: a command plans a batch, or allows it to continue, and the workers of a shared ledger send it. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { Fault } from '../../domain/fault.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { Queue } from '../../worker/queue.ts';
import type { Shell } from '../shell.ts';

export const declareDetach = <Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) =>
  command.option('--detach', 'send nothing here: the workers of the shared ledger do, by their own settings');

/**
 * Runs a command that leaves its batch to the workers, and notifies them when the command has released the ledger. `options`: what
 * was typed; `own`: options that only the sending itself reads, and that nothing would keep for the workers. Throws a Fault
 * `usage` if one of these was typed, or if the ledger is not shared.
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
      `--${typed.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} applies to sending, which --detach leaves to the workers. Nothing was sent.`,
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
    // The plan is in the ledger, where the workers find it on their own.
    if (!(error instanceof Fault)) throw error;
  }
  return end;
}

const NOBODY = 'No worker has ever been started on this ledger, so nobody sends yet. Start one: paybatch worker';

/** Options that only the sending itself reads: plans do not keep them. */
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

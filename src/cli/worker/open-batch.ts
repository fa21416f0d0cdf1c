/** What a worker needs to go on with a batch: the session and the run of `paybatch resume`, for one slice of work. */
import type { RunEvent, Tell } from '../../domain/event.ts';
import type { BatchId } from '../../domain/ids.ts';
import type { LeaseHolder } from '../../ledger/ledger.ts';
import { resumeBatch } from '../../paybatch.ts';
import type { OpenedBatch } from '../../worker/site.ts';
import { field } from '../flags/options.ts';
import { toldOf } from '../notify/unattended.ts';
import { openSession, type Session } from '../session.ts';
import type { Shell } from '../shell.ts';
import { isAlive } from '../state/system.ts';
import { ownShell } from './own-shell.ts';

/**
 * What this process works on under leases of the ledger, as the descriptions of its leases end. A slice that lost its server could not
 * give its lease back, and its process lives on: without this, the next slice would wait for silence.
 */
const atWork = new Set<string>();

/** From now on the process is at work on it, until that is disposed of. */
export function working(command: string): Disposable {
  atWork.add(command);
  return { [Symbol.dispose]: () => void atWork.delete(command) };
}

/** Whether the holder of a lease is at work. Of this very process it is known what it works on; `asking`: but for that. */
export const isAtWork = (holder: LeaseHolder, asking?: string): boolean =>
  isAlive(holder) &&
  (holder.pid !== process.pid ||
    [...atWork].some((command) => command !== asking && holder.description.endsWith(`: ${command}`)));

/** What the journal of a server is to hold of a run. Rows have names in them, and progress is in the metrics. */
const toldOn: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>(['ledger.head', 'file']);

/** What the lease of a slice says is working. */
const commandOf = (batch: BatchId): string => `worker, batch ${batch}`;

interface SliceOptions {
  readonly signal: AbortSignal;
  readonly hear: Tell;
  /** Folder for the results of a batch that is through; missing: `paybatch report` writes them, wherever they are wanted. */
  readonly out: string | undefined;
}

/** Opens the ledger and the client. Everything is read anew, so that a new secret counts from the next slice on. */
export async function openBatch(
  shell: Shell,
  batch: BatchId,
  { signal, hear, out }: SliceOptions,
): Promise<OpenedBatch> {
  const own = ownShell(shell, signal, tellOf(shell, batch, hear));
  const command = commandOf(batch);
  const session = await openSession(own, {
    command,
    sends: true,
    again: true,
    isAlive: (holder) => isAtWork(holder, command),
  });
  const atWork = working(command);
  const isLastSlice = (): boolean => out !== undefined && !signal.aborted;
  const deps = { ...session.deps, tellsEveryRow: false, writesResults: isLastSlice };
  return {
    ledger: deps.ledger,
    settings: deps.settings,
    goOn: (header) => endTold(own, { ...session, deps }, () => resumeBatch(header, deps, out)),
    async [Symbol.asyncDispose]() {
      try {
        await session[Symbol.asyncDispose]();
      } finally {
        atWork[Symbol.dispose]();
      }
    },
  };
}

/** Whoever is to be told hears how the work ended; not of each time that a batch was handed on. */
async function endTold(
  shell: Shell,
  session: Session,
  work: () => ReturnType<typeof resumeBatch>,
): ReturnType<typeof resumeBatch> {
  const end = await work();
  return shell.signal.aborted ? end : toldOf(shell, session, 'worker', async () => end);
}

/** What a slice says, it says of its batch. */
const tellOf =
  ({ reporter }: Shell, batch: BatchId, hear: Tell): Tell =>
  (event) => {
    hear(event);
    if (toldOn.has(event.type)) reporter.tell(event);
    else if (event.type === 'notice' && event.level !== 'info') {
      const { level, message, code } = event;
      reporter.tell({ type: 'notice', level, message: `Batch ${batch}: ${message}`, ...field('code', code) });
    }
  };

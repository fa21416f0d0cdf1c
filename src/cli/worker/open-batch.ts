/** What a worker needs to go on with a batch: the session and the run of `paybatch resume`, for one slice of work. */
import type { RunEvent, Tell } from '../../domain/event.ts';
import type { BatchId } from '../../domain/ids.ts';
import { resumeBatch } from '../../run/paybatch.ts';
import type { OpenedBatch } from '../../worker/site.ts';
import { field } from '../flags/options.ts';
import { toldOf } from '../notify/unattended.ts';
import { openSession, type Session } from '../session.ts';
import type { Shell } from '../shell.ts';
import { ownShell } from './own-shell.ts';

/** What the journal of a server is to hold of a run. Rows have names in them, and progress is in the metrics. */
const toldOn: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>(['ledger.head', 'file']);

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
  const session = await openSession(own, { command: `worker, batch ${batch}`, sends: true, again: true });
  const isLastSlice = (): boolean => out !== undefined && !signal.aborted;
  const deps = { ...session.deps, tellsEveryRow: false, writesResults: isLastSlice };
  return {
    ledger: deps.ledger,
    settings: deps.settings,
    goOn: (header) => endTold(own, { ...session, deps }, () => resumeBatch(header, deps, out)),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
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

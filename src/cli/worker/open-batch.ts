/** The session and the run of `paybatch resume`, with which a worker continues a batch for one slice of work. */
import type { RunEvent, Tell } from '../../domain/event.ts';
import type { BatchId } from '../../domain/ids.ts';
import { resumeBatch } from '../../run/paybatch.ts';
import type { OpenedBatch } from '../../worker/site.ts';
import { field } from '../flags/options.ts';
import { toldOf } from '../notify/notifier.ts';
import { openSession } from '../session.ts';
import { ownShell, type Shell } from '../shell.ts';

/** Events of a run that belong in the journal of a server. Rows contain names, and progress is in the metrics. */
const toldOn: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>(['ledger.head', 'file']);

interface SliceOptions {
  readonly signal: AbortSignal;
  readonly hear: Tell;
  /** Folder for the results of a finished batch; `undefined` if `paybatch report` is to write them, wherever they are wanted. */
  readonly out: string | undefined;
}

/** Opens the ledger and the client. Everything is read again, so that a new secret takes effect with the next slice. */
export async function openBatch(
  shell: Shell,
  batch: BatchId,
  { signal, hear, out }: SliceOptions,
): Promise<OpenedBatch> {
  const own = ownShell(shell, `worker, batch ${batch}`, signal, tellOf(shell, batch, hear));
  const session = await openSession(own, { sends: true, again: true });
  const isLastSlice = (): boolean => out !== undefined && !signal.aborted;
  const deps = { ...session.deps, tellsEveryRow: false, writesResults: isLastSlice };
  return {
    ledger: deps.ledger,
    settings: deps.settings,
    async goOn(header) {
      const end = await resumeBatch(header, deps, out);
      // Nobody is notified each time that a batch is handed on.
      return signal.aborted ? end : toldOf({ ...own, command: shell.command }, { ...session, deps }, async () => end);
    },
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

/** Returns how a slice reports its events: warnings name the batch, and most other events are only heard. */
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

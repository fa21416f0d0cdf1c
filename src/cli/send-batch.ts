/**
 * How a command sends a batch: in this process or by the workers of a shared ledger, with notifications if nobody watches, and
 * beyond an outage of the server of the ledger.
 */
import type { OptionValues } from '@commander-js/extra-typings';
import type { RunEnd } from '../domain/run-end.ts';
import type { RunDeps } from '../run/paybatch.ts';
import { rowsFileOf } from './flags/results-options.ts';
import { type RunLimitOptions, runLimitsOf } from './flags/run-options.ts';
import { toldOf } from './notify/notifier.ts';
import { outliving } from './outlive.ts';
import { openSession, type Session, type SessionOptions } from './session.ts';
import type { Shell } from './shell.ts';
import { leftToWorkers, OF_SENDING } from './worker/left-to-workers.ts';

/** The options about sending, of which no command has to have all. */
type SendingOptions = OptionValues &
  RunLimitOptions & {
    readonly concurrency?: number | undefined;
    readonly jsonl?: string | undefined;
    readonly groupBy?: readonly string[] | undefined;
    readonly scenario?: string | undefined;
    readonly out?: string | undefined;
    readonly detach?: true | undefined;
  };

interface Sending extends Pick<SessionOptions, 'currency' | 'purpose' | 'expected' | 'acceptUnverifiable'> {
  /** All options of the command, as they were typed. */
  readonly typed: SendingOptions;
  /** Options that nothing keeps for the workers, in addition to `OF_SENDING`. */
  readonly unkept?: readonly string[];
  /** Whether the batch continues as with `paybatch resume` after an outage of the server of the ledger. */
  readonly outlives: boolean;
  /** Whether others wait for the outcome, and are notified even if a person watches at a terminal. */
  readonly isAwaited?: true;
}

/** Opens the session of a command that sends, and does the work in it. */
export const sendBatch = (
  shell: Shell,
  { typed, unkept = [], outlives, isAwaited, ...own }: Sending,
  work: (session: Pick<Session, 'deps' | 'loaded'>) => Promise<RunEnd>,
): Promise<RunEnd> =>
  leftToWorkers(shell, typed, [...OF_SENDING, ...unkept], async () => {
    const { concurrency, groupBy, scenario, detach } = typed;
    const options: SessionOptions = {
      ...own,
      sends: true,
      rowsFile: await rowsFileOf(shell, typed),
      groupBy,
      concurrency,
      scenario,
      limits: runLimitsOf(typed),
    };
    await using session = await openSession(shell, options);
    const { deps, loaded } = session;
    if (detach) return await work({ deps: { ...deps, isDetached: true }, loaded });
    const inSession = (same: RunDeps) => work({ deps: same, loaded });
    const sent = (same: RunDeps) =>
      outlives ? outliving({ shell, session, options, outFolder: typed.out }, same, inSession) : inSession(same);
    const isTold = isAwaited === true || !shell.terminal.interactive;
    return await (isTold ? toldOf(shell, session, sent) : sent(deps));
  });

/**
 * How a command sends a batch: in this process or by the workers of a shared ledger, with notifications if nobody watches, and
 * beyond an outage of the server of the ledger.
 */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { isAway, PATIENCE_MS } from '../database/postgres/await-server.ts';
import type { BatchHeader } from '../domain/batch.ts';
import { caughtFault, Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { resumeBatch } from '../run/paybatch.ts';
import type { RunDeps } from '../run/run-deps.ts';
import { Queue } from '../worker/queue.ts';
import { typedOption } from './flags/options.ts';
import { outFolder, rowsFileOf } from './flags/results-options.ts';
import { type RunLimitOptions, runLimitsOf } from './flags/run-options.ts';
import { notifying } from './notify/notifier.ts';
import { openSession, type Session, type SessionOptions, soFarOf } from './session.ts';
import type { Shell } from './shell.ts';

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
    const isNotified = isAwaited === true || !shell.terminal.interactive;
    return await (isNotified ? notifying(shell, session, sent) : sent(deps));
  });

/** Most outages in one run: a server that goes away more often needs a person's attention. */
const OUTAGES_MAX = 20;

interface Outliving {
  readonly shell: Shell;
  /** The session of the work; it is closed when the server goes away. */
  readonly session: Session;
  /** The options that the session was opened with. */
  readonly options: SessionOptions;
  /** Folder for the results that a person named; absent: next to the sheet. */
  readonly outFolder?: string | undefined;
}

/**
 * Runs the work, and continues its batch after each outage of the server of its ledger. What this process knows about the ledger
 * ended with the connection: the last group may or may not be stored. So none of it is reused. The run ends, the process waits for
 * the server, and the batch continues as with `paybatch resume`: the ledger is opened and proven again, under a new lease, and each
 * payment is looked up before it leaves. Exit 10 if the server is away for longer than this process waits.
 */
export async function outliving(
  { shell, session, options, outFolder: named }: Outliving,
  deps: RunDeps,
  work: (deps: RunDeps) => Promise<RunEnd>,
): Promise<RunEnd> {
  let end = await work(deps);
  if (end.batch === undefined && isOutage(end)) return { ...end, fault: goneBefore(end.fault) };
  let latest = session;
  for (let outages = 0; outages < OUTAGES_MAX; outages += 1) {
    const { batch } = end;
    if (batch === undefined || shell.signal.aborted || !isOutage(end)) break;
    await latest[Symbol.asyncDispose]();
    deps.emit({ type: 'notice', level: 'warning', code: 'ledger-away', message: GONE });
    const opened = await openSession(shell, { ...options, again: true }).catch(caughtFault);
    if (opened instanceof Fault) return { ...end, fault: goneFor(opened, batch) };
    latest = opened;
    deps.emit({ type: 'notice', level: 'info', code: 'ledger-back', message: backNotice(batch) });
    const folderOf = ({ sheet }: BatchHeader) => outFolder(shell, { out: named }, sheet.folder);
    const gone = await goneOn(batch, { ...latest.deps, emit: deps.emit }, folderOf).catch(caughtFault);
    end = gone instanceof Fault ? { ...end, exit: gone.exit, fault: gone } : gone;
  }
  if (latest !== session) await latest[Symbol.asyncDispose]();
  return end;
}

const isOutage = ({ fault }: RunEnd): boolean => fault?.code === 'ledger-unsafe' && isAway(fault.cause);

async function goneOn(
  batch: BatchId,
  deps: RunDeps,
  folderOf: (header: BatchHeader) => string | undefined,
): Promise<RunEnd> {
  const header = await deps.ledger.findBatch(batch);
  if (!header) {
    throw new Fault(
      'ledger-unsafe',
      `The ledger server is back, but without batch ${batch}, which this run was paying: it is a different server, or it was restored from a backup.`,
      `Find out which server has the ledger. Then run the same sheet again, under the same name: what was sent is looked up first.`,
    );
  }
  return resumeBatch(header, deps, folderOf(header));
}

const GONE =
  'The connection to the ledger server was lost. Nothing more is sent; requests in flight are finished. This run continues when the server is back.';

const backNotice = (batch: BatchId): string =>
  `The ledger server is back. This run continues batch ${batch} as \`paybatch resume\` does: each payment is looked up before it is sent.`;

/**
 * The fault of a run that could not continue. Its message must not say that nothing was sent at all, because the run may have sent
 * payments before.
 */
const goneFor = (cause: Fault, batch: BatchId): Fault =>
  new Fault(
    'ledger-unsafe',
    `The connection to the ledger server was lost during the run, and the run could not continue (it waited up to ${PATIENCE_MS / 1000} s). Nothing has been sent since then. ${soFarOf(cause)}`,
    `When the server is back: paybatch resume ${batch}`,
    { cause },
  );

/**
 * The fault of a run whose connection ended before its batch was recorded, most often while a person typed the total: a proxy may
 * end connections that are idle. There is nothing to resume, nor to verify.
 */
const goneBefore = (cause: Fault | undefined): Fault =>
  new Fault(
    'ledger-unsafe',
    'The connection to the ledger server was lost before the payments were recorded. Nothing was sent.',
    'Run the same command again. If this happens while the total is typed, something in between ends idle connections: let it keep them for longer.',
    { cause },
  );

/** Declares `--detach`: a command plans a batch, or allows it to continue, and the workers of a shared ledger send it. */
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
  const typed = typedOption(options, own);
  if (typed !== undefined) {
    throw new Fault(
      'usage',
      `${typed} applies to sending, which --detach leaves to the workers. Nothing was sent.`,
      'Leave out one of the two. Workers have the settings of their profile.',
    );
  }
  const end = await work();
  if (end.batch === undefined || end.fault) return end;
  try {
    await using queue = await Queue.open(ledger);
    if (await queue.isThere()) await queue.ring(end.batch);
    else shell.reporter.emit({ type: 'notice', level: 'warning', code: 'no-worker', message: NOBODY });
  } catch (error) {
    // The plan is in the ledger, where the workers find it on their own.
    if (!(error instanceof Fault)) throw error;
  }
  return end;
}

const NOBODY = 'No worker has ever been started on this ledger, so nobody sends yet. Start one: paybatch worker';

/** Options that only the sending itself reads: plans do not keep them. */
const OF_SENDING = [
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

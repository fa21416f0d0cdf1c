/**
 * Lets a run outlive a restart of the server of its ledger. What this process knows about the ledger ended with the connection:
 * the last group may or may not be stored. So none of it is reused. The run ends, the process waits for the server, and the batch
 * continues as with `paybatch resume`: the ledger is opened and proven again, under a new lease, and each payment is looked up
 * before it leaves.
 */
import type { BatchHeader } from '../domain/batch.ts';
import { caughtFault, Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { isAway, PATIENCE_MS } from '../ledger/postgres/await-server.ts';
import { type RunDeps, resumeBatch } from '../run/paybatch.ts';
import { outFolder } from './flags/results-options.ts';
import { openSession, type Session, type SessionOptions } from './session.ts';
import type { Shell } from './shell.ts';

/** Most outages in one run: a server that goes away more often needs a person's attention. */
const OUTAGES_MAX = 20;

export interface Outliving {
  readonly shell: Shell;
  /** The session of the work; it is closed when the server goes away. */
  readonly session: Session;
  /** The options that the session was opened with. */
  readonly options: SessionOptions;
  /** Folder for the results that a person named; absent: next to the sheet. */
  readonly outFolder?: string | undefined;
}

/**
 * Runs the work, and continues its batch after each outage of the server. Exit 10 if the server is away for longer than this
 * process waits.
 */
export async function outliving(
  { shell, session, options, outFolder: named }: Outliving,
  deps: RunDeps,
  work: (deps: RunDeps) => Promise<RunEnd>,
): Promise<RunEnd> {
  let end = await work(deps);
  let latest = session;
  for (let outages = 0; outages < OUTAGES_MAX; outages += 1) {
    const { batch } = end;
    if (batch === undefined || shell.signal.aborted || !isOutage(end)) break;
    await latest[Symbol.asyncDispose]();
    deps.tell({ type: 'notice', level: 'warning', code: 'ledger-away', message: GONE });
    const opened = await openSession(shell, { ...options, again: true }).catch(caughtFault);
    if (opened instanceof Fault) return { ...end, fault: goneFor(opened, batch) };
    latest = opened;
    deps.tell({ type: 'notice', level: 'info', code: 'ledger-back', message: backNotice(batch) });
    const folderOf = ({ sheet }: BatchHeader) => outFolder(shell, { out: named }, sheet.folder);
    const gone = await goneOn(batch, { ...latest.deps, tell: deps.tell }, folderOf).catch(caughtFault);
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
    `The connection to the ledger server was lost during the run, and the run could not continue (it waited up to ${PATIENCE_MS / 1000} s). Nothing has been sent since then. ${cause.message.replace(/ Nothing (more )?was sent\.$/, '')}`,
    `When the server is back: paybatch resume ${batch}`,
    { cause },
  );

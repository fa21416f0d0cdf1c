/**
 * The state of one batch, for a page: from the events of this console's own payment while it is in progress, otherwise from the
 * ledger.
 */
import { earlierStop, isByPerson } from '../dispatch/stop-reasons.ts';
import type { BatchHeader } from '../domain/batch.ts';
import { type BatchStop, batchStopText } from '../domain/batch.ts';
import type { RunEvent } from '../domain/event.ts';
import { type Money, zero } from '../domain/money.ts';
import { isDefiniteFailure, noOutcomes, type OutcomeCounts, openIn, outcomes } from '../domain/outcome.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { atWorkText } from '../ledger/ledger.ts';
import { knownEnd } from '../results/run-end.ts';
import { tellRows } from '../run/tell-batch.ts';
import { inDoubtOf, openOf } from './batch-lines.ts';
import { batchOf } from './history-pages.ts';
import type { Routes } from './routes.ts';
import type { RunView } from './runs.ts';
import { type Seen, seenNow } from './seen.ts';
import type { Records } from './world.ts';

/** Most rows of a batch that are read for their reasons while it is being paid: reading more would slow the payment down. */
export const READ_ROWS_MAX = 1_000;

export interface Standing {
  readonly header: BatchHeader;
  readonly counts: OutcomeCounts;
  readonly paid: Money;
  /** Number of unpaid rows by reason; empty while that is not known. */
  readonly reasons: ReadonlyMap<string, number>;
  /** The process that sends or follows the batch: this console, or another one, described in words. */
  readonly atWork?: { readonly isOurs: boolean; readonly says: string };
  /** A person's order to stop the batch. */
  readonly stop?: BatchStop;
  /** Notices about the batch, latest last. */
  readonly notices: readonly string[];
  /** The payment of this console, in progress or ended. */
  readonly run?: RunView;
  /** How the work ended, or the state while no process works on the batch. */
  readonly end?: RunEnd;
}

/** What can be done about a batch on which no process works. */
export interface GoingOn {
  readonly seen: Seen;
  /** Number of rows that were sent and are not final. */
  readonly unknown: number;
  /** Number of unsent rows that cannot be looked up, in a ledger in recovery: a person has to confirm this number. */
  readonly unverifiable: number;
  /** The wallet did not cover the rest when the last run ended. */
  readonly isShort: boolean;
}

/** What was read from the ledger about a batch that this console pays. */
export type Asked = Pick<Standing, 'stop' | 'reasons'>;

/** The current state of this console's own payment, without reading the ledger again. */
export function liveStanding(header: BatchHeader, run: RunView, { stop, reasons }: Asked): Standing {
  const { progress, end, before, notices } = run;
  const counts = (end?.batch === undefined ? progress?.counts : end.counts) ?? before?.counts;
  return {
    header,
    counts: counts ?? unsentCounts(header),
    paid: end?.amounts?.completed ?? progress?.paid ?? before?.amounts?.completed ?? zero(header.currency),
    reasons: end ? run.reasons : reasons,
    ...(!end && { atWork: { isOurs: true, says: 'This console is at work on it' } }),
    ...(stop && { stop }),
    notices,
    run,
    ...(end && { end }),
  };
}

/** The counts of a batch of which only the plan is known. */
function unsentCounts({ payable, rows, leftOut }: BatchHeader): OutcomeCounts {
  const out = leftOut?.rows ?? 0;
  return { ...noOutcomes(), unsent: payable, 'left-out': out, invalid: rows - payable - out };
}

/**
 * The state from the ledger. While another process works on the batch, the index gives the progress; afterwards the whole batch
 * is proven and its rows are read.
 */
async function recordedStanding(header: BatchHeader, deps: Records): Promise<Standing> {
  const { ledger } = deps;
  const lease = (await ledger.othersAtWork()).find(({ batch }) => batch === header.id);
  if (!lease) await ledger.proveWhole(header.id);
  const known = await knownEnd(header, ledger);
  const { reasons, end } = lease
    ? { reasons: new Map<string, number>(), end: known }
    : await toldOf(header, known, deps);
  const stop = await ledger.stopOf(header.id);
  const { stopped } = await ledger.runHistory(header.id);
  const isLeft = lease === undefined && openOf({ end }) > 0;
  const earlier = isLeft && stopped?.code !== undefined && !isByPerson(stopped.code) ? [earlierStop(stopped)] : [];
  return {
    header,
    counts: end.counts,
    paid: end.amounts?.completed ?? zero(header.currency),
    reasons,
    ...(lease && { atWork: { isOurs: false, says: atWorkText(lease) } }),
    ...(stop && { stop }),
    notices: earlier.flatMap((event) => (event.type === 'notice' ? [event.message] : [])),
    end,
  };
}

/** Number of rows that ended unpaid. */
export const unpaidIn = (counts: OutcomeCounts): number =>
  outcomes.filter(isDefiniteFailure).reduce((sum, outcome) => sum + counts[outcome], 0);

/** What the rows say: the number of definitely failed ones by their reason, worded as in the results, and which are open. */
async function toldOf(
  header: BatchHeader,
  known: RunEnd,
  deps: Records,
): Promise<Pick<Standing, 'reasons'> & { readonly end: RunEnd }> {
  const reasons = new Map<string, number>();
  if (unpaidIn(known.counts) + openIn(known.counts) === 0) return { reasons, end: known };
  const tell = (event: RunEvent): void => {
    if (event.type !== 'row.outcome' || !isDefiniteFailure(event.record.outcome)) return;
    const { reason } = event.record;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  };
  const end = await tellRows(header, known, { ...deps, tell, tellsEveryRow: true });
  return { reasons, end };
}

/** `undefined` if nothing of the batch is left to send or follow, or if a process works on it. */
async function goingOn({ header, end, atWork }: Standing, seen: Seen, deps: Records): Promise<GoingOn | undefined> {
  if (!end || atWork || openOf({ end }) === 0) return undefined;
  const { ledger, settings } = deps;
  const isInRecovery = (await ledger.recoveryReason(header.id)) !== undefined && !settings.sandbox;
  const { stopped } = await ledger.runHistory(header.id);
  return {
    seen,
    unknown: openIn(end.counts),
    unverifiable: isInRecovery ? await ledger.unverifiableRows(header.id) : 0,
    isShort: stopped?.code === 'balance' || stopped?.code === 'up-to-balance',
  };
}

/** Whether rows of the batch are in doubt. */
export const isDoubtful = ({ end }: Standing): boolean => end !== undefined && inDoubtOf({ end }) > 0;

/** A person's stop in a sentence. */
export const stopText = (stop: BatchStop): string => `${batchStopText(stop)}. Nothing more of it is sent.`;

/** The state of a batch, and what can be done about it. */
export interface StandingNow {
  readonly standing: Standing;
  readonly going?: GoingOn | undefined;
}

/** Throws a Fault `usage` if there is no such batch. */
export async function standingNow(called: string, routes: Pick<Routes, 'records' | 'runs'>): Promise<StandingNow> {
  await using records = await routes.records();
  const { ledger } = records.deps;
  const header = await batchOf(called, ledger);
  const run = routes.runs.of(header.id);
  if (run && !run.view.end) {
    const stop = await ledger.stopOf(header.id);
    const counts = run.view.progress?.counts;
    const isRead = header.rows <= READ_ROWS_MAX && counts !== undefined && unpaidIn(counts) > 0;
    const reasons: Standing['reasons'] = isRead
      ? (await toldOf(header, await knownEnd(header, ledger), records.deps)).reasons
      : new Map();
    return { standing: liveStanding(header, run.view, { reasons, ...(stop && { stop }) }) };
  }
  // Taken first, so that anything recorded while the batch is read counts as a change.
  const seen = await seenNow(records.deps, { batch: header.id });
  const recorded = await recordedStanding(header, records.deps);
  const own = run?.view.end;
  // The end of this console's own payment says more than the ledger, until another process has resumed the batch.
  const isLatest = own?.batch === header.id && !recorded.atWork && isSame(own.counts, recorded.counts);
  const standing = isLatest ? { ...recorded, end: own } : recorded;
  return { standing, going: await goingOn(standing, seen, records.deps) };
}

const isSame = (one: OutcomeCounts, other: OutcomeCounts): boolean =>
  outcomes.every((outcome) => one[outcome] === other[outcome]);

/** The state of one batch, for a page: which process is working on it, or how it ended and what can be done. */
import { earlierStop, isByPerson } from '../dispatch/stop-reasons.ts';
import { type BatchHeader, type BatchStop, batchStopText } from '../domain/batch.ts';
import type { RunEvent } from '../domain/event.ts';
import { type Money, zero } from '../domain/money.ts';
import { failedIn, isDefiniteFailure, type OutcomeCounts, openIn, outcomes } from '../domain/outcome.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { atWorkText } from '../ledger/ledger.ts';
import { knownEnd } from '../results/run-end.ts';
import { emitRows } from '../run/emit-batch.ts';
import { batchOf, openOf } from './batch-lines.ts';
import type { Routes } from './routes.ts';
import type { Run } from './runs.ts';
import { type Seen, seenNow } from './seen.ts';
import type { Records } from './world.ts';

/** Most rows of a batch that are read for their reasons while it is being paid: reading more would slow the payment down. */
const READ_ROWS_MAX = 1_000;

/** The state of a batch: exactly one of `run`, `other` and `rest` is present. */
export interface BatchStatus {
  readonly header: BatchHeader;
  /** Number of unpaid rows by reason; empty while another process is working on the batch, and while a long batch is being paid. */
  readonly reasons: ReadonlyMap<string, number>;
  /** A person's order to stop the batch. */
  readonly stop?: BatchStop | undefined;
  /** The payment of this console that is in progress. It changes while a page shows it. */
  readonly run?: Run;
  /** Another process working on the batch, in words, and how far it is by the index of the ledger. */
  readonly other?: { readonly says: string; readonly known: RunEnd };
  /** No process is working on the batch. */
  readonly rest?: AtRest;
}

/** How a batch on which no process works has ended. */
export interface AtRest {
  readonly end: RunEnd;
  /** Why the last run stopped, or what became of the orders that the service was asked to stop. */
  readonly notices: readonly string[];
  /** Absent if nothing of the batch is left to send or follow. */
  readonly going?: GoingOn | undefined;
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

/** Rows by outcome, and the sum paid; `undefined` while a payment of this console has not reported any. */
export function figuresOf({
  header,
  run,
  other,
  rest,
}: BatchStatus): { readonly counts: OutcomeCounts; readonly paid: Money } | undefined {
  const known = rest?.end ?? other?.known;
  const counts = known?.counts ?? run?.progress?.counts;
  const paid = known?.amounts?.completed ?? run?.progress?.paid;
  return counts && { counts, paid: paid ?? zero(header.currency) };
}

/** A person's stop in a sentence. */
export const stopText = (stop: BatchStop): string => `${batchStopText(stop)}. Nothing more of it is sent.`;

/** Throws a Fault `usage` if there is no such batch. */
export async function batchStatus(called: string, routes: Pick<Routes, 'records' | 'runs'>): Promise<BatchStatus> {
  await using records = await routes.records();
  const { deps } = records;
  const { ledger } = deps;
  const header = await batchOf(called, ledger);
  const common = { header, stop: await ledger.stopOf(header.id) };
  const run = routes.runs.of(header.id);
  // The events of the console's own payment say how far it is. Reading that from the ledger would slow the payment down.
  if (run && !run.end) return { ...common, run, reasons: await reasonsSoFar(header, run, deps) };
  // Taken first, so that anything recorded while the batch is read counts as a change.
  const seen = await seenNow(deps, { batch: header.id });
  const lease = (await ledger.othersAtWork()).find(({ batch }) => batch === header.id);
  if (lease) {
    const other = { says: atWorkText(lease), known: await knownEnd(header, ledger) };
    return { ...common, other, reasons: new Map() };
  }
  await ledger.proveWhole(header.id);
  const { reasons, end } = await emittedRows(header, await knownEnd(header, ledger), deps);
  return { ...common, reasons, rest: await atRest(header, { seen, recorded: end, run }, deps) };
}

async function reasonsSoFar(header: BatchHeader, run: Run, deps: Records): Promise<BatchStatus['reasons']> {
  const reasons = new Map<string, number>();
  if (!lacksReasons({ header, reasons }, run)) return reasons;
  return (await emittedRows(header, await knownEnd(header, deps.ledger), deps)).reasons;
}

/** Reports whether rows of a batch that is being paid have failed whose reasons were not read yet. */
export function lacksReasons({ header, reasons }: Pick<BatchStatus, 'header' | 'reasons'>, { progress }: Run): boolean {
  if (header.rows > READ_ROWS_MAX || !progress) return false;
  return failedIn(progress.counts) > [...reasons.values()].reduce((sum, count) => sum + count, 0);
}

/** `recorded`: the end as the ledger has it; `run`: the latest payment of this console for the batch. */
async function atRest(
  header: BatchHeader,
  { seen, recorded, run }: { readonly seen: Seen; readonly recorded: RunEnd; readonly run: Run | undefined },
  deps: Records,
): Promise<AtRest> {
  const { ledger } = deps;
  // The end of this console's own payment says more than the ledger, until another process has continued the batch.
  const own = run?.end;
  const isLatest = own?.batch === header.id && isSame(own.counts, recorded.counts);
  const end = isLatest ? own : recorded;
  const said = isLatest && run?.verb === 'reject' ? run.notices : [];
  if (openOf({ end }) === 0) return { end, notices: said };
  const { stopped } = await ledger.runHistory(header.id);
  const earlier = stopped?.code !== undefined && !isByPerson(stopped.code) ? earlierStop(stopped) : undefined;
  return {
    end,
    notices: [...said, ...(earlier?.type === 'notice' ? [earlier.message] : [])],
    going: {
      seen,
      unknown: openIn(end.counts),
      unverifiable: await unverifiableIn(header, deps),
      isShort: stopped?.code === 'balance' || stopped?.code === 'up-to-balance',
    },
  };
}

async function unverifiableIn({ id }: BatchHeader, { ledger, settings }: Records): Promise<number> {
  const isInRecovery = (await ledger.recoveryReason(id)) !== undefined && !settings.sandbox;
  return isInRecovery ? ledger.unverifiableRows(id) : 0;
}

/** What the rows say: the number of definitely failed ones by their reason, worded as in the results, and which are open. */
async function emittedRows(
  header: BatchHeader,
  known: RunEnd,
  deps: Records,
): Promise<Pick<BatchStatus, 'reasons'> & { readonly end: RunEnd }> {
  const reasons = new Map<string, number>();
  if (failedIn(known.counts) + openIn(known.counts) === 0) return { reasons, end: known };
  const emit = (event: RunEvent): void => {
    if (event.type !== 'row.outcome' || !isDefiniteFailure(event.record.outcome)) return;
    const { reason } = event.record;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  };
  const end = await emitRows(header, known, { ...deps, emit, emitsEveryRow: true });
  return { reasons, end };
}

const isSame = (one: OutcomeCounts, other: OutcomeCounts): boolean =>
  outcomes.every((outcome) => one[outcome] === other[outcome]);

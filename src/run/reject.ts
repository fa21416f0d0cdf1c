/** Asks the service to stop payments that are not final, and reports what became of each row. */
import { type RejectEnd, rejectRows } from '../dispatch/reject.ts';
import type { BatchHeader } from '../domain/batch.ts';
import { andMore } from '../domain/counted.ts';
import { exitCode, mostSevereExit } from '../domain/exit-code.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { knownEnd } from '../results/run-end.ts';
import { reportBatch } from './report.ts';
import type { RunDeps } from './run-deps.ts';

/** What people read about the rows with each end. */
const words: Readonly<Record<RejectEnd, (rows: string, batch: string) => string>> = {
  rejected: (rows) => `Rejected, as the service now says itself: ${rows}.`,
  escaped: (rows) => `ESCAPED, already paid: ${rows}.`,
  ended: (rows) => `Ended otherwise, not paid: ${rows}.`,
  unknown: (rows, batch) =>
    `NOT KNOWN, may still be paid: ${rows}. Ask again: \`paybatch status ${batch}\` (resume may send what the service never had).`,
  unsent: (rows, batch) =>
    `Never sent, and still waiting: ${rows}. Do not run \`paybatch resume ${batch}\`: it sends them.`,
  'not-stoppable': (rows) => `Cannot be stopped, because airtime and bills have no such operation: ${rows}.`,
};

/** The most rows that one line names; the rest is only counted. */
const NAMED_ROWS_MAX = 50;

interface RejectWish {
  /** Rows of the sheet; empty: every row that is not final. */
  readonly rows: readonly number[];
  /** Why the rows are to be stopped; absent if no reason was given. */
  readonly note?: string;
  /** Folder for the results; absent: next to the sheet. */
  readonly outFolder?: string;
}

/**
 * Asks the service to stop the rows, reports what became of each, and writes the results again. Throws a Fault `usage` if a row
 * is final or not in the batch.
 */
export async function rejectBatch(
  batch: BatchHeader,
  { rows, note, outFolder }: RejectWish,
  deps: Pick<RunDeps, 'ledger' | 'client' | 'clock' | 'random' | 'settings' | 'emit' | 'signal' | 'maker' | 'pictures'>,
): Promise<RunEnd> {
  const { ledger, settings, emit, maker: by, signal } = deps;
  const { sending, inDoubt } = settings;
  const request = {
    rows,
    concurrency: sending.concurrency,
    quietMs: inDoubt.quietMs,
    lookFirst: inDoubt.lookFirst === 'always',
    by,
    ...(note !== undefined && { note }),
  };
  const ends = await rejectRows(batch, request, deps);
  for (const one of ends) emit({ type: 'reject', ...one });
  if (ends.length === 0) emit({ type: 'notice', level: 'info', message: 'No row is open: there is nothing to stop.' });
  for (const end of Object.keys(words) as readonly RejectEnd[]) {
    const found = ends.filter((one) => one.end === end);
    if (found.length === 0) continue;
    const message = words[end](listed(found.map(({ row }) => row)), batch.id);
    emit({ type: 'notice', level: end === 'rejected' ? 'info' : 'warning', message });
  }
  const [refused] = ends.filter(({ end, reason }) => end === 'unknown' && reason !== undefined);
  if (refused)
    emit({ type: 'notice', level: 'warning', message: `Row ${refused.row}: the service answered ${refused.reason}` });
  const files = await reportBatch(batch, deps, { folder: outFolder });
  const known = await knownEnd(batch, ledger);
  const exits = [known.exit, ...(signal.aborted ? [exitCode.interrupted] : [])];
  return { ...known, exit: mostSevereExit(exits), files };
}

const listed = (rows: readonly number[]): string => `row ${andMore(rows.slice(0, NAMED_ROWS_MAX), rows.length)}`;

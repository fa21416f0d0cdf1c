/** Reports a batch of the ledger as events: which batch it is, and what became of its rows. */
import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import { type Clock, isoTime } from '../domain/clock.ts';
import type { Tell } from '../domain/event.ts';
import { isOpen, openIn, rowsCounted } from '../domain/outcome.ts';
import { OPEN_ROWS_NAMED, type RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { withNamesCompared } from '../preflight/payees/paid-names.ts';
import { rowRecordOf } from '../results/row-record.ts';
import { withMarks } from '../results/sent-ahead.ts';
import { rowsOf } from '../results/source.ts';

/** The most rows that are reported one by one to people; the rest is only counted. */
export const ROWS_TOLD_MAX = 20;

export interface TellRowsDeps {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly tell: Tell;
  /** Whether every row is reported, for a program; absent: only the first rows that were not completed, for a person. */
  readonly tellsEveryRow?: boolean;
}

/** Reports which batch it is, when it was planned and by whom. */
export function tellBatch(batch: BatchHeader, { tell, settings }: Pick<TellRowsDeps, 'tell' | 'settings'>): void {
  const { id, sheet, rows, payable, total, maker, plannedAt } = batch;
  const { timezone } = settings;
  const when = { plannedAt: isoTime(plannedAt), timezone };
  tell({ type: 'batch', batch: id, sheet: sheet.name, rows, payable, total, maker, ...when });
}

/**
 * Reports what became of the rows of a batch, in sheet order and in the form of the results. Returns the end of the batch with
 * the numbers of the rows that may have been paid.
 */
export async function tellRows(batch: BatchHeader, end: RunEnd, deps: TellRowsDeps): Promise<RunEnd> {
  const { tell, settings, tellsEveryRow = false } = deps;
  const all = rowsCounted(end.counts);
  let most = tellsEveryRow ? all : Math.min(all - end.counts.completed, ROWS_TOLD_MAX);
  if (most === 0) return end;
  const named = Math.min(openIn(end.counts), OPEN_ROWS_NAMED);
  const openRows: number[] = [];
  for await (const row of rowsOf({ rows: () => markedRows(batch, end.unconfirmed !== undefined, deps) })) {
    if (openRows.length < named && isOpen(row.outcome)) openRows.push(row.row);
    if (most > 0 && (tellsEveryRow || row.outcome !== 'completed')) {
      tell({ type: 'row.outcome', record: rowRecordOf(row, batch, settings.timezone) });
      most -= 1;
    }
    if (most === 0 && openRows.length === named) break;
  }
  return openRows.length > 0 ? { ...end, openRows } : end;
}

/**
 * Returns the rows of a batch with the marks that no fact holds, and with other names. `inRecovery`: as in `Marks`.
 */
export function markedRows(
  { id }: BatchHeader,
  inRecovery: boolean,
  { ledger, clock }: Pick<TellRowsDeps, 'ledger' | 'clock'>,
): AsyncIterable<readonly ResultRow[]> {
  return withMarks(withNamesCompared(ledger.resultRows(id)), { now: clock.now(), inRecovery });
}

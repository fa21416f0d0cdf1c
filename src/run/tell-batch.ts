/** Reports a batch of the ledger as events: which batch it is, and what became of its rows. */
import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import { type Clock, isoTime } from '../domain/clock.ts';
import type { Tell } from '../domain/event.ts';
import { rowsCounted } from '../domain/outcome.ts';
import type { RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { withNamesCompared } from '../preflight/payees/paid-names.ts';
import { rowRecordOf } from '../results/row-record.ts';
import { withSentAhead, withUnconfirmed } from '../results/sent-ahead.ts';
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
 * Reports what became of the rows of a batch, in sheet order and in the form of the results. The second argument is how the
 * batch ended.
 */
export async function tellRows(
  batch: BatchHeader,
  { counts, unconfirmed }: Pick<RunEnd, 'counts' | 'unconfirmed'>,
  deps: TellRowsDeps,
): Promise<void> {
  const { tell, settings, tellsEveryRow = false } = deps;
  const all = rowsCounted(counts);
  let most = tellsEveryRow ? all : Math.min(all - counts.completed, ROWS_TOLD_MAX);
  if (most === 0) return;
  for await (const row of rowsOf({ rows: () => markedRows(batch, unconfirmed !== undefined, deps) })) {
    if (!tellsEveryRow && row.outcome === 'completed') continue;
    tell({ type: 'row.outcome', record: rowRecordOf(row, batch, settings.timezone) });
    most -= 1;
    if (most === 0) return;
  }
}

/**
 * Returns the rows of a batch with the marks that no fact holds: other names, and times in the future. `isUnconfirmed`: an
 * earlier ledger may have paid the rows that count as not paid, so these are marked too.
 */
export function markedRows(
  { id }: BatchHeader,
  isUnconfirmed: boolean,
  { ledger, clock }: Pick<TellRowsDeps, 'ledger' | 'clock'>,
): AsyncIterable<readonly ResultRow[]> {
  const rows = withSentAhead(withNamesCompared(ledger.resultRows(id)), clock.now());
  return isUnconfirmed ? withUnconfirmed(rows) : rows;
}

/** Reports a batch of the ledger as events: which batch it is, and what became of its rows. */
import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import { type Clock, isoTime } from '../domain/clock.ts';
import type { Emit } from '../domain/event.ts';
import { isOpen, openIn, rowsCounted } from '../domain/outcome.ts';
import { OPEN_ROWS_NAMED, type RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { withNamesCompared } from '../preflight/payees/paid-names.ts';
import { rowRecordOf } from '../results/row-record.ts';
import { withMarks } from '../results/sent-ahead.ts';
import { rowsOf } from '../results/source.ts';

/** The most rows that are reported one by one to people; the rest is only counted. */
export const ROWS_EMITTED_MAX = 20;

interface EmitRowsDeps {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly emit: Emit;
  /** Whether every row is reported, for a program; absent: only the first rows that were not completed, for a person. */
  readonly emitsEveryRow?: boolean;
}

/** Reports which batch it is, when it was planned and by whom. */
export function emitBatch(batch: BatchHeader, { emit, settings }: Pick<EmitRowsDeps, 'emit' | 'settings'>): void {
  const { id, sheet, rows, payable, total, maker, plannedAt } = batch;
  const { timezone } = settings;
  const when = { plannedAt: isoTime(plannedAt), timezone };
  emit({ type: 'batch', batch: id, sheet: sheet.name, rows, payable, total, maker, ...when });
}

/**
 * Reports what became of the rows of a batch, in sheet order and in the form of the results. Returns the end of the batch with
 * the numbers of the rows that may have been paid.
 */
export async function emitRows(batch: BatchHeader, end: RunEnd, deps: EmitRowsDeps): Promise<RunEnd> {
  const { emit, settings, emitsEveryRow = false } = deps;
  const all = rowsCounted(end.counts);
  let most = emitsEveryRow ? all : Math.min(all - end.counts.completed, ROWS_EMITTED_MAX);
  if (most === 0) return end;
  const named = Math.min(openIn(end.counts), OPEN_ROWS_NAMED);
  const openRows: number[] = [];
  for await (const row of rowsOf({ rows: () => markedRows(batch, end.unconfirmed !== undefined, deps) })) {
    if (openRows.length < named && isOpen(row.outcome)) openRows.push(row.row);
    if (most > 0 && (emitsEveryRow || row.outcome !== 'completed')) {
      emit({ type: 'row.outcome', record: rowRecordOf(row, batch, settings.timezone) });
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
  { ledger, clock }: Pick<EmitRowsDeps, 'ledger' | 'clock'>,
): AsyncIterable<readonly ResultRow[]> {
  return withMarks(withNamesCompared(ledger.resultRows(id)), { now: clock.now(), inRecovery });
}

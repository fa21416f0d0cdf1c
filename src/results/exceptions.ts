/** The Exceptions worksheet: the rows that were not paid, for the person who has to act, with columns to fill in by hand. */
import type { StyledCell } from '../sheet/writing/workbook-writer.ts';
import {
  amount,
  name,
  orderId,
  outcome,
  paidTo,
  payAgain,
  type ResultsColumn,
  reference,
  rowNumber,
} from './columns.ts';
import { isException } from './figures.ts';
import { whatHappened, whatToDo } from './reason.ts';
import type { Report } from './report.ts';
import { rowsOf } from './source.ts';
import type { Worksheet, WorksheetRow } from './worksheet.ts';

const FOR_YOU = 'For you to fill in.';
const ALL_PAID = 'Every row of the sheet was paid. There is nothing to do here.';

const byHand = (heading: string, width: number): ResultsColumn => ({
  heading,
  width,
  format: 'text',
  note: FOR_YOU,
  cell: (): StyledCell => ({ value: undefined, look: 'hand' }),
});

const exceptionColumns: readonly ResultsColumn[] = [
  rowNumber,
  reference,
  name,
  paidTo,
  amount,
  outcome,
  {
    heading: 'What happened',
    width: 46,
    format: 'text',
    wrap: true,
    cell: (row, { options }) => whatHappened(row, options.timezone),
  },
  { heading: 'What to do', width: 46, format: 'text', wrap: true, cell: whatToDo },
  { ...payAgain, heading: 'Safe to pay again?' },
  { ...orderId, width: 24, wrap: true },
  byHand('Settled by', 14),
  byHand('On', 12),
  byHand('Note', 24),
];

const handColumns = exceptionColumns.flatMap(({ note }, index) => (note === FOR_YOU ? [index + 1] : []));

export function exceptionsSheet(report: Report): Worksheet {
  const columns = exceptionColumns.map(({ cell, printed, ...column }) => column);
  const spec = { name: 'Exceptions', columns, table: true, frozenColumns: 3, tabColour: 'C00000' };
  return { spec, keyColumns: 1, handColumns, rows: worksheetRows(report) };
}

async function* worksheetRows(report: Report): AsyncGenerator<WorksheetRow> {
  let left = report.figures.exceptions;
  if (left === 0) yield { cells: [{ value: ALL_PAID, format: 'text', look: 'good', span: exceptionColumns.length }] };
  else {
    // Reading ends at the last exception: a large batch has few, and reading all of it takes seconds.
    for await (const row of rowsOf(report.source)) {
      if (!isException(row)) continue;
      yield { cells: exceptionColumns.map((column) => column.cell(row, report)) };
      left -= 1;
      if (left === 0) return;
    }
  }
}

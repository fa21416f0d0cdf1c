/** The columns of the Results worksheet, one entry for each. The columns of the user's sheet follow them. */
import type { Heading, ResultRow } from '../domain/batch.ts';
import { columnLetters } from '../domain/cell.ts';
import { type Outcome, outcomes, outcomeTable } from '../domain/outcome.ts';
import { type SheetValue, sheetValueText } from '../domain/sheet-value.ts';
import type { CellFormat, OwnFigure, RowCell, SheetColumn, StyledCell } from '../sheet/writing/workbook-writer.ts';
import { outcomeView, payAgainOf } from './outcome-view.ts';
import { reasonOf } from './reason.ts';
import type { Report } from './report.ts';
import { amountOfRow, completedAt, debitOf, feeOf, receiptOf } from './row-money.ts';
import { kindTitle, saidInSheet } from './source.ts';

export interface ResultsColumn {
  readonly heading: string;
  readonly width: number;
  readonly format: CellFormat;
  readonly wrap?: boolean;
  /** What the heading does not say, as a note of its cell. */
  readonly note?: string;
  /** Whether the column is printed; other columns are for the screen only, so that a printed page stays readable. */
  readonly printed?: boolean;
  cell(row: ResultRow, report: Report): RowCell;
}

/**
 * Returns what a row says in one of paybatch's columns: from its payout, or else from the cell of the sheet, so that a row that
 * was set aside or left out still shows its name.
 */
function saidBy(row: ResultRow, { source }: Report, column: string, payoutSays: string | undefined): string {
  return row.payout ? (payoutSays ?? '') : saidInSheet(row, source.header, column);
}

const printedText = { format: 'text', wrap: true, printed: true } as const;
const printedMoney = { format: 'money', printed: true } as const;

export const rowNumber: ResultsColumn = {
  heading: 'Row',
  width: 7,
  format: 'position',
  note: 'Number of the row in the sheet that was paid.',
  printed: true,
  cell: ({ row }) => row,
};

export const reference: ResultsColumn = {
  heading: 'Reference',
  width: 13,
  ...printedText,
  cell: (row, report) => saidBy(row, report, 'reference', row.payout?.reference),
};

export const name: ResultsColumn = {
  heading: 'Name',
  width: 23,
  ...printedText,
  cell: (row, report) => saidBy(row, report, 'name', row.payout?.name),
};

export const paidTo: ResultsColumn = {
  heading: 'Paid to',
  width: 21,
  ...printedText,
  cell: ({ payout }) => payout?.destination,
};

export const amount: ResultsColumn = {
  heading: 'Amount',
  width: 16,
  ...printedMoney,
  cell: amountOfRow,
};

/** Built once, because the writer does not examine a cell again that is the same object as in the row before. */
const outcomeCells = Object.fromEntries(
  outcomes.map((of) => [of, { value: outcomeTable[of].title, look: outcomeView[of].look }]),
) as Record<Outcome, StyledCell>;

export const outcome: ResultsColumn = {
  heading: 'Outcome',
  width: 18,
  format: 'text',
  printed: true,
  cell: ({ outcome: of }) => outcomeCells[of],
};

export const payAgain: ResultsColumn = {
  heading: 'Pay again?',
  width: 12,
  format: 'text',
  note: 'Whether this row may be paid again. "Check first": it may have been paid; find out before anything else.',
  printed: true,
  cell: (row) => payAgainOf(row).cell,
};

export const orderId: ResultsColumn = {
  heading: 'Order id',
  width: 40,
  format: 'text',
  note: 'What the provider is asked about: originatorConversationId.',
  cell: (row) => row.state?.id ?? row.order,
};

/** The way of paying. */
export const kindType: ResultsColumn = {
  heading: 'Type',
  width: 16,
  ...printedText,
  cell: (row, report) => saidBy(row, report, 'type', row.payout && kindTitle(row.payout.kind, report.options)),
};

export const feeQuoted: ResultsColumn = {
  heading: 'Fee quoted',
  width: 11,
  ...printedMoney,
  cell: ({ charge }) => charge,
};

export const feeCharged: ResultsColumn = {
  heading: 'Fee charged',
  width: 11,
  ...printedMoney,
  cell: feeOf,
};

export const totalDebit: ResultsColumn = {
  heading: 'Total debit',
  width: 16,
  ...printedMoney,
  note: 'What left the wallet for this row: amount, fee, and what was paid too much.',
  cell: debitOf,
};

/** The columns in their order on the worksheet. */
export const resultsColumns: readonly ResultsColumn[] = [
  rowNumber,
  reference,
  name,
  kindType,
  paidTo,
  amount,
  outcome,
  payAgain,
  {
    heading: 'Receipt number',
    width: 15,
    ...printedText,
    note: "The network's proof of payment.",
    cell: receiptOf,
  },
  feeQuoted,
  feeCharged,
  totalDebit,
  {
    heading: 'Completed at',
    width: 19,
    format: 'dateTime',
    note: "The service's time when it names its zone, otherwise the time when its final answer was read.",
    printed: true,
    cell: completedAt,
  },
  {
    heading: 'Reason in plain words',
    width: 42,
    ...printedText,
    cell: (row, { options }) => reasonOf(row, options.timezone),
  },
  {
    heading: 'Currency',
    width: 11,
    format: 'text',
    cell: (row) => amountOfRow(row)?.currency,
  },
  {
    heading: 'Network',
    width: 15,
    format: 'text',
    wrap: true,
    cell: (row, report) => saidBy(row, report, 'network', row.payout?.network),
  },
  {
    heading: 'Result code',
    width: 9,
    format: 'text',
    note: 'The code of the service, as it came.',
    cell: ({ line }) => line?.report?.resultCode,
  },
  { heading: 'Tracking number', width: 18, format: 'text', wrap: true, cell: ({ line }) => line?.report?.tracking },
  orderId,
  {
    heading: 'Service id',
    width: 40,
    format: 'text',
    note: "The provider's own number of the order: systemConversationId.",
    cell: ({ state }) => state?.serviceId,
  },
  {
    heading: 'Attempts',
    width: 10,
    format: 'integer',
    note: 'Attempts at paying this row; a new one is made only after a definite failure.',
    cell: ({ state }) => state?.attempt,
  },
];

const CARRIED_WIDTH_MIN = 10;
const CARRIED_WIDTH_MAX = 40;

/** Returns a column of the user's sheet for the results. `longest`: length of its longest text, in characters. */
export function carriedColumn({ column, text }: Heading, longest: number): SheetColumn {
  const wanted = Math.max(longest + 2, Math.min(text.length + 4, CARRIED_WIDTH_MAX / 2));
  return {
    heading: text,
    headingLook: 'carried',
    note: `Column ${columnLetters(column)} of the sheet, as it was read.`,
    width: Math.min(Math.max(wanted, CARRIED_WIDTH_MIN), CARRIED_WIDTH_MAX),
    format: 'text',
    wrap: true,
  };
}

const isDateFormat = (format: string | undefined): boolean => format !== undefined && /[dmyhs]/i.test(format);

/** Returns a cell of a column of the user's sheet: text as text, a number or a date as the sheet stores and shows it. */
export function carriedCell(value: SheetValue, { format }: Pick<Heading, 'format'>): string | OwnFigure {
  if (typeof value === 'string') return value;
  const text = sheetValueText(value);
  if ('number' in value) {
    // Without this format, spreadsheets show long whole numbers with an exponent.
    const plain = /^-?\d+$/.test(value.number) ? '0' : 'General';
    return { digits: value.number, numFmt: format === undefined || isDateFormat(format) ? plain : format, text };
  }
  const plain = text.length > '2026-11-25'.length ? 'yyyy-mm-dd hh:mm' : 'yyyy-mm-dd';
  return { digits: value.date, numFmt: isDateFormat(format) ? (format ?? plain) : plain, text };
}

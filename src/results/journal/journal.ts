/** The payments of a batch as a journal for bookkeeping: a CSV with the configured columns, accounts and dates. */
import { localDate } from '../../domain/clock.ts';
import {
  type JournalColumn,
  type JournalDate,
  type JournalField,
  type JournalSettings,
  usualJournal,
} from '../../domain/journal.ts';
import { decimalOf } from '../../domain/money.ts';
import { plainCsvText } from '../../sheet/writing/csv-writer.ts';
import type { Report } from '../report.ts';
import { receiptOf } from '../row-money.ts';
import { type JournalEntry, type JournalLine, journalEntries } from './entries.ts';

/** Returns the journal as text, one record at a time. */
export const journalLines = (report: Report): AsyncGenerator<string> => plainCsvText(journalRows(report));

/** Yields the headings and the lines, field by field. */
export async function* journalRows(report: Report): AsyncGenerator<readonly string[]> {
  const { journal = usualJournal } = report.options;
  yield journal.columns.map(({ heading }) => heading);
  for await (const entry of journalEntries(report, journal)) {
    for (const [index, line] of entry.lines.entries()) {
      const said = { entry, line, report, journal };
      yield journal.columns.map((column) => (column.once && index > 0 ? '' : cellOf(column, said)));
    }
  }
}

interface Said {
  readonly entry: JournalEntry;
  readonly line: JournalLine;
  readonly report: Report;
  readonly journal: JournalSettings;
}

function cellOf(column: JournalColumn, said: Said): string {
  if ('text' in column) return column.text;
  return 'field' in column ? fields[column.field](said) : column[said.line.side];
}

const fields: Readonly<Record<JournalField, (said: Said) => string>> = {
  entry: ({ entry }) => entry.number,
  date: ({ entry, report, journal }) => dateText[journal.dates](localDate(entry.at, report.options.timezone)),
  account: ({ line }) => line.account,
  description: ({ line }) => line.description,
  debit: ({ line }) => (line.side === 'debit' ? decimalOf(line.amount) : ''),
  credit: ({ line }) => (line.side === 'credit' ? decimalOf(line.amount) : ''),
  amount: ({ line }) => `${line.side === 'credit' ? '-' : ''}${decimalOf(line.amount)}`,
  size: ({ line }) => decimalOf(line.amount),
  currency: ({ line }) => line.amount.currency,
  batch: ({ report }) => report.source.header.id,
  row: ({ entry }) => (entry.row === undefined ? '' : `${entry.row.row}`),
  name: ({ entry }) => entry.row?.payout?.name ?? '',
  reference: ({ entry }) => entry.row?.payout?.reference ?? '',
  receipt: ({ entry }) => (entry.row === undefined ? '' : (receiptOf(entry.row) ?? '')),
};

const DAY = /^(\d+)-(\d+)-(\d+)$/;

/** Writes a day, given as `2026-11-21`, in each format. */
const dateText: Readonly<Record<JournalDate, (day: string) => string>> = {
  'yyyy-mm-dd': (day) => day,
  'dd/mm/yyyy': (day) => day.replace(DAY, '$3/$2/$1'),
  'mm/dd/yyyy': (day) => day.replace(DAY, '$2/$3/$1'),
};

/** The worksheet that lists every problem of a checked sheet, sorted by row, each with a link to its cell. */
import { PROBLEMS_HEADING, PROBLEMS_SHEET } from '../../domain/checked-copy.ts';
import { type Issue, issueFix, issueMessage } from '../../domain/issue.ts';
import { moneyText } from '../../domain/money.ts';
import { rangeOf } from '../xlsx/cell-text.ts';
import type { RowCell, StyledCell } from './cells.ts';
import { type Findings, isError } from './marked-rows.ts';
import type { SheetColumn, WorkbookWriter } from './workbook-writer.ts';

export interface ProblemList {
  readonly sheet: { readonly name: string; readonly worksheet: string };
  readonly findings: Findings;
  /** Whether the sheet held formulas, whose results stand in the copy. */
  readonly hasFormulas: boolean;
}

/** Links wait in memory until the worksheet ends; Excel itself opens no worksheet with more than 65,530. */
const LINKS_MAX = 50_000;

interface ListEntry {
  readonly found: Issue;
  /** The user's own heading above the cell. */
  readonly heading: string;
  readonly link: string | undefined;
}

interface ListColumn extends SheetColumn {
  readonly cell: (entry: ListEntry) => RowCell;
}

const columns: readonly ListColumn[] = [
  { heading: 'Row', width: 8, format: 'position', cell: ({ found }) => found.row },
  { heading: 'Cell', width: 10, format: 'text', cell: ({ found, link }) => linked(found.cell ?? '', link) },
  { heading: 'Heading', width: 20, format: 'text', wrap: true, cell: ({ heading }) => heading },
  { heading: 'Value', width: 24, format: 'text', wrap: true, cell: ({ found }) => found.value },
  { heading: 'Problem', width: 52, format: 'text', wrap: true, cell: ({ found }) => issueMessage(found) },
  { heading: 'How to correct', width: 52, format: 'text', wrap: true, cell: ({ found }) => issueFix(found) },
  {
    heading: 'Level',
    width: 12,
    format: 'text',
    cell: ({ found }) => ({ value: isError(found) ? 'Error' : 'Warning', look: isError(found) ? 'bad' : 'check' }),
  },
  { heading: 'Code', width: 24, format: 'text', cell: ({ found }) => found.code },
];

const linked = (value: string, link: string | undefined): StyledCell =>
  link === undefined ? { value } : { value, link, look: 'link' };

/** Adds the list as the last worksheet. */
export async function writeProblemList(book: WorkbookWriter, list: ProblemList): Promise<void> {
  const { findings, sheet } = list;
  const headings = new Map(findings.headings.map(({ column, text }) => [column, text]));
  const spec = { name: PROBLEMS_SHEET, columns, table: true, above: headlines(list), tabColour: 'C00000' };
  await book.sheet(spec, async (writer) => {
    let links = 0;
    for (const found of findings.issues) {
      const place = found.cell === undefined ? undefined : rangeOf(found.cell);
      if (place) links += 1;
      const link = place && links <= LINKS_MAX ? linkTo(sheet.worksheet, found.cell) : undefined;
      const entry: ListEntry = { found, heading: headings.get(place?.fromColumn ?? 0) ?? '', link };
      await writer.row(columns.map(({ cell }) => cell(entry)));
    }
  });
}

/** A link to a cell of another worksheet. exceljs takes a name with an exclamation mark for something else. */
const linkTo = (worksheet: string, cell = ''): string | undefined =>
  worksheet.includes('!') ? undefined : `'${worksheet.replaceAll("'", "''")}'!${cell}`;

function headlines({ sheet, findings, hasFormulas }: ProblemList): readonly (readonly RowCell[])[] {
  const { rows, payable, invalid, errors, warnings, total } = findings;
  const wide = (value: string, look: StyledCell['look'] = 'body'): RowCell[] => [
    { value, look, span: columns.length, format: 'text' },
  ];
  const ready = payable === 0 ? 'none can be paid as it is' : `${payable} can be paid as they are: ${moneyText(total)}`;
  return [
    wide(`Problems in ${sheet.name}`, 'title'),
    wide(`${counted(errors, 'error')}, ${counted(warnings, 'warning')}`, 'strong'),
    wide(`${counted(rows, 'row')}: ${ready}; ${invalid} with errors`),
    wide(
      `Correct the coloured cells in the worksheet "${sheet.worksheet}", save this file and run it. ` +
        `This list and the column "${PROBLEMS_HEADING}" are never read.`,
      'label',
    ),
    ...(hasFormulas
      ? [
          wide(
            'Formulas stand here with the results they had, or #N/A without one: when you change an amount, change the total row as well.',
            'label',
          ),
        ]
      : []),
    [],
  ];
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The rows that worksheets in sections are built from: a title, a label with its text, headings above figures. */
import type { BatchHeader } from '../domain/batch.ts';
import { isStyled, type LookName, type RowCell, type StyledCell } from '../sheet/writing/workbook-writer.ts';
import type { WorksheetRow } from './worksheet.ts';

/** Widths of the columns, in characters: what a line is about, figures, a gap, and text or a picture. */
const WIDTHS = [30, 18, 20, 20, 18, 18, 2, 68];

/** Number of columns of a worksheet in sections. The last one is as wide as a plot. */
export const SECTION_COLUMNS = WIDTHS.length;

export const sectionColumns = WIDTHS.map((width) => ({ width, format: 'text' }) as const);

export const space: WorksheetRow = { cells: [], options: { height: 9 } };

/** Returns a row with one text across all columns. */
export const wide = (value: string, look: LookName): WorksheetRow => ({
  cells: [{ value, look, span: SECTION_COLUMNS, wrap: true }],
});

export const section = (value: string): WorksheetRow => wide(value, 'section');

/** Returns the rows above the first section, with a banner if the batch was a rehearsal. */
export const titled = (title: string, { sandbox }: Pick<BatchHeader, 'sandbox'>): readonly WorksheetRow[] => [
  ...(sandbox ? [wide('SANDBOX: practice run, no money moved', 'banner')] : []),
  wide(title, 'title'),
];

/** Returns a row of headings. The headings of the `figures` columns after the first are aligned right, like their figures. */
export const headings = (figures: number, ...words: readonly string[]): WorksheetRow => ({
  cells: words.map((value, index) => ({
    value,
    look: 'heading',
    align: index > 0 && index <= figures ? 'right' : 'left',
  })),
});

/** Extends the last cell of a row to the right edge. */
export function toTheEdge({ cells, ...row }: WorksheetRow): WorksheetRow {
  const [last, ...others] = cells.toReversed();
  const styled = isStyled(last) ? last : { value: last };
  return { ...row, cells: [...others.toReversed(), { ...styled, span: SECTION_COLUMNS - others.length }] };
}

/** Returns a section that is one table as wide as the worksheet; nothing if the table has no rows. */
export const tableSection = (
  title: string,
  head: WorksheetRow,
  rows: readonly (readonly RowCell[])[],
): readonly WorksheetRow[] =>
  rows.length === 0
    ? []
    : [section(title), ...[head, ...rows.map((cells) => ({ cells, options: lined }))].map(toTheEdge), space];

const lined = { look: 'row' } as const;

/** Returns a row with a label and a figure, aligned like the texts of `fact`. */
export const figure = (label: string, value: StyledCell): WorksheetRow => ({
  cells: [
    { value: label, look: 'label' },
    { look: 'strong', align: 'left', ...value },
  ],
});

export const count = (value: number, look?: LookName): StyledCell => ({
  value,
  format: 'integer',
  ...(look && { look }),
});

/** Returns a row with a label and its text. */
export const fact = (label: string, value: string): WorksheetRow => ({
  cells: [
    { value: label, look: 'label' },
    { value, look: 'strong', span: SECTION_COLUMNS - 1, wrap: true },
  ],
});

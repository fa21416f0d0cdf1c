/** The rows that worksheets in sections are made of: a title, a label with its text, headings over figures. */
import type { BatchHeader } from '../domain/batch.ts';
import { isStyled, type LookName, type StyledCell } from '../sheet/writing/workbook-writer.ts';
import type { WorksheetRow } from './worksheet.ts';

/** Widths of the columns in characters: what a line is about, figures, a gap, and words or a picture. */
const WIDTHS = [30, 18, 20, 20, 18, 18, 2, 68];

/** Columns of a worksheet in sections. The last one is as wide as a plot. */
export const SECTION_COLUMNS = WIDTHS.length;

export const sectionColumns = WIDTHS.map((width) => ({ width, format: 'text' }) as const);

export const space: WorksheetRow = { cells: [], options: { height: 9 } };

/** One text over all columns. */
export const wide = (value: string, look: LookName): WorksheetRow => ({
  cells: [{ value, look, span: SECTION_COLUMNS, wrap: true }],
});

export const section = (value: string): WorksheetRow => wide(value, 'section');

/** The rows above the first section. What was a rehearsal says so. */
export const titled = (title: string, { sandbox }: Pick<BatchHeader, 'sandbox'>): readonly WorksheetRow[] => [
  ...(sandbox ? [wide('SANDBOX: practice run, no money moved', 'banner')] : []),
  wide(title, 'title'),
];

/** A row of headings; those of the `figures` columns after the first stand over their figures, at the right. */
export const headings = (figures: number, ...words: readonly string[]): WorksheetRow => ({
  cells: words.map((value, index) => ({
    value,
    look: 'heading',
    align: index > 0 && index <= figures ? 'right' : 'left',
  })),
});

/** A row whose last cell goes on to the right edge. */
export function toTheEdge({ cells, ...row }: WorksheetRow): WorksheetRow {
  const [last, ...others] = cells.toReversed();
  const styled = isStyled(last) ? last : { value: last };
  return { ...row, cells: [...others.toReversed(), { ...styled, span: SECTION_COLUMNS - others.length }] };
}

/** A label, and a figure under the words that follow. */
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

/** A label, and what it says. */
export const fact = (label: string, value: string): WorksheetRow => ({
  cells: [
    { value: label, look: 'label' },
    { value, look: 'strong', span: SECTION_COLUMNS - 1, wrap: true },
  ],
});

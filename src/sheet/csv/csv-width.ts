/**
 * How many fields a row must have: as many as the headings. Rows that differ may have slid into other columns, and then
 * pay another amount or another person.
 */
import { type Issue, issue } from '../../domain/issue.ts';

/** A record of the file with the row number that a spreadsheet would show. */
export interface CsvRecord {
  readonly row: number;
  readonly fields: readonly string[];
}

/** Records looked at to find the headings. */
export const headingSearchRows = 30;

export interface HeadingWidth {
  readonly row: number;
  /** Fields up to the last heading that is not empty. */
  readonly used: number;
  /** Fields with the empty ones after it. */
  readonly written: number;
}

/** Fields up to the last one that is not empty. */
function usedFields(fields: readonly string[]): number {
  return fields.findLastIndex((field) => field.trim() !== '') + 1;
}

/** A field without letters that holds a digit: an amount, a phone, a date. Headings are words. */
const isFigure = (field: string): boolean => /\d/.test(field) && !/\p{L}/u.test(field);

/**
 * The headings: the widest row of words above the last row with figures. A row with figures is never taken for them,
 * however wide: it is where an unquoted `1,500` has added a field.
 */
export function headingWidth(records: readonly CsvRecord[]): HeadingWidth | undefined {
  const lastFigures = records.findLastIndex(({ fields }) => fields.some(isFigure));
  const above = lastFigures === -1 ? records : records.slice(0, lastFigures);
  const words = above.filter(({ fields }) => !fields.some(isFigure));
  const [first, ...others] = words.length > 0 ? words : records;
  if (first === undefined) return undefined;
  const widest = others.reduce(
    (best, record) => (usedFields(record.fields) > usedFields(best.fields) ? record : best),
    first,
  );
  return { row: widest.row, used: usedFields(widest.fields), written: widest.fields.length };
}

/** A row below the headings with more or fewer fields than they have. Empty fields at its end do not count as more. */
export function raggedIssue({ row, fields }: CsvRecord, heading: HeadingWidth): Issue | undefined {
  // Empty fields at the end of a row as wide as the headings are neither more nor fewer.
  if (fields.length >= heading.used && fields.length <= heading.written) return undefined;
  const used = usedFields(fields);
  const isRagged = row > heading.row && used > 0 && (fields.length < heading.used || used > heading.written);
  return isRagged ? issue('PB-RAGGED', { row }, { fields: fields.length, expected: heading.used }) : undefined;
}

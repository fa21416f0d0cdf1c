/**
 * Checks that a row has as many fields as the headings. The values of a row with more or fewer may have slid into other
 * columns, and the row would then pay another amount or another person.
 */
import { type Issue, issue } from '../../domain/issue.ts';

/** A record of the file with the row number that a spreadsheet would show. */
export interface CsvRecord {
  readonly row: number;
  readonly fields: readonly string[];
}

/** Number of records that are searched for the headings. */
export const headingSearchRows = 30;

export interface HeadingWidth {
  readonly row: number;
  /** Number of fields up to the last heading that is not empty. */
  readonly used: number;
  /** Number of all fields, including empty ones after the last heading. */
  readonly written: number;
}

/** Counts the fields up to the last one that is not empty. */
function usedFields(fields: readonly string[]): number {
  return fields.findLastIndex((field) => field.trim() !== '') + 1;
}

/** Reports whether a field holds a digit and no letters: an amount, a phone, a date. Headings are words. */
const isFigure = (field: string): boolean => /\d/.test(field) && !/\p{L}/u.test(field);

/**
 * Finds the headings: the widest row of words above the last row with figures. A row with figures is never taken for the
 * headings, however wide it is, because an unquoted `1,500` may have added a field to it.
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

/**
 * Returns an issue for a row below the headings that has more or fewer fields than they have. Empty fields at the end of a
 * row do not count as more.
 */
export function raggedIssue({ row, fields }: CsvRecord, heading: HeadingWidth): Issue | undefined {
  // A row as wide as the headings, with or without empty fields at its end, is in order.
  if (fields.length >= heading.used && fields.length <= heading.written) return undefined;
  const used = usedFields(fields);
  const isRagged = row > heading.row && used > 0 && (fields.length < heading.used || used > heading.written);
  return isRagged ? issue('PB-RAGGED', { row }, { fields: fields.length, expected: heading.used }) : undefined;
}

/** The form in which paybatch writes CSV: a byte order mark, by which Excel recognises UTF-8, and line ends as in RFC 4180. */
import { stringify } from 'csv-stringify/sync';

export const BYTE_ORDER_MARK = '\ufeff';
export const LINE_END = '\r\n';

/**
 * What is quoted in addition to delimiters and quotes: line breaks of any system, and white space at an edge, which some
 * readers trim.
 */
const STANDS_IN_QUOTES = /[\r\n]|^\s|\s$/;

/** Returns one record with its line end. `text-field.ts` must already have made its fields safe for spreadsheet programs. */
export const csvLine = (fields: readonly string[], delimiter: string): string =>
  stringify([[...fields]], { delimiter, record_delimiter: LINE_END, quoted_match: STANDS_IN_QUOTES });

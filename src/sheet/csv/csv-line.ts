/** CSV as it is written here: UTF-8 with a byte order mark, by which Excel knows it, and lines that end as RFC 4180 says. */
import { stringify } from 'csv-stringify/sync';

export const BYTE_ORDER_MARK = '\ufeff';
export const LINE_END = '\r\n';

/** Besides delimiter and quotes: a break of any system, and space at an edge, which some readers take off. */
const STANDS_IN_QUOTES = /[\r\n]|^\s|\s$/;

/** One record with the end of its line. Its fields are texts of `text-field.ts` already. */
export const csvLine = (fields: readonly string[], delimiter: string): string =>
  stringify([[...fields]], { delimiter, record_delimiter: LINE_END, quoted_match: STANDS_IN_QUOTES });

/** Where the columns of a sheet are, as its headings say. */
import type { Heading, MappingRecord } from '../domain/batch.ts';
import type { Issue } from '../domain/issue.ts';

/** Where each of our columns is in the sheet. A name may stand in several (first name, last name). */
export interface ColumnMap {
  readonly headerRow: number;
  readonly headings: readonly Heading[];
  /** Sheet columns, counted from 1, by column id. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  readonly issues: readonly Issue[];
  /** Columns of paybatch itself, which mean nothing. */
  readonly ownColumns: readonly number[];
  readonly mapping?: MappingRecord;
}

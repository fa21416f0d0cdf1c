/** Where the columns of a sheet are, according to its headings. */
import type { Heading, MappingRecord } from '../domain/batch.ts';
import { columnLetters } from '../domain/cell.ts';
import type { Issue } from '../domain/issue.ts';
import { shared } from '../kinds/columns.ts';

/** The places of paybatch's columns in the sheet. A name may be spread over several (first name, last name). */
export interface ColumnMap {
  readonly headerRow: number;
  readonly headings: readonly Heading[];
  /** Sheet columns, counted from 1, by column id. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  readonly issues: readonly Issue[];
  /** Columns that paybatch itself wrote; they mean nothing. */
  readonly ownColumns: readonly number[];
  readonly mapping?: MappingRecord;
}

/** Returns the heading of a column as people know it: its text, or its letters if it has none. */
export const headingAt = ({ headings }: ColumnMap, column: number): string =>
  headings.find((one) => one.column === column)?.text || columnLetters(column);

/** Reports whether the notes on cells are those of people. An earlier check writes its own, which quote what it found. */
export const hasNotesOfPeople = ({ ownColumns }: ColumnMap): boolean => ownColumns.length === 0;

/** The columns that are read and hold any text, so that people write remarks into them. */
export const textColumns: readonly string[] = [shared.purpose.id, shared.note.id];

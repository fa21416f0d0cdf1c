/** What has to be decided about the headings of a sheet, and who decides it. */
import type { ColumnDescription } from '../domain/column.ts';
import { folded } from './fold-heading.ts';
import type { HeadingMapping, MappedHeading } from './heading-mapping.ts';

/** A heading of the sheet, with the first values below it. */
export interface FoundHeading {
  readonly text: string;
  readonly address: string;
  readonly samples: readonly string[];
}

/** A decision that is still to be made. */
export interface Question {
  readonly column: ColumnDescription;
  /**
   * `twice`: several headings could be the column. `one-of`: this column, or another that says where the money goes, is needed.
   * `useful`: the sheet can be paid without it.
   */
  readonly why: 'missing' | 'twice' | 'one-of' | 'useful';
  /** The headings that could be the column, the likeliest first. */
  readonly choices: readonly FoundHeading[];
}

/** Most values shown for each column. */
export const SAMPLES_MAX = 3;

/** Returns the decision that a heading is meant and that the other candidates mean nothing. */
export function decisionOf({ column, why, choices }: Question, chosen: FoundHeading): readonly MappedHeading[] {
  const others = why === 'twice' ? choices.filter(({ text }) => folded(text) !== folded(chosen.text)) : [];
  return [{ heading: chosen.text, means: column.id }, ...others.map(({ text }) => ({ heading: text }))];
}

/** Decides what the headings of a sheet leave open, and keeps earlier decisions. */
export interface HeadingDecisions {
  /** Returns the mapping that was kept for a sheet with exactly these headings. */
  keptFor(headings: readonly string[]): HeadingMapping | undefined;
  /** Asks a person; resolves to `undefined` if none of the headings is chosen. Absent if nobody can be asked. */
  readonly choose?: (question: Question) => Promise<FoundHeading | undefined>;
  /** Stores what a person chose, under the name of the mapping. */
  keep(mapping: HeadingMapping): Promise<void>;
}

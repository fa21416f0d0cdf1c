/** What has to be decided about the headings of a sheet, and who decides it. */
import type { ColumnDescription } from '../domain/column.ts';
import { folded } from './fold-heading.ts';
import type { HeadingMapping, MappedHeading } from './heading-mapping.ts';

/** A heading of the sheet, with what stands below it. */
export interface FoundHeading {
  readonly text: string;
  readonly address: string;
  readonly samples: readonly string[];
}

/** A decision that is still to be made. */
export interface Question {
  readonly column: ColumnDescription;
  /** `twice`: several headings could be the column. `one-of`: it, or another column of the kind that says where money goes. */
  readonly why: 'missing' | 'twice' | 'one-of';
  /** What it could be, the likeliest first. */
  readonly choices: readonly FoundHeading[];
}

/** Values shown of each column. */
export const SAMPLES_MAX = 3;

/** The decision that a heading is meant, and that the others it was asked about mean nothing. */
export function decisionOf({ column, why, choices }: Question, chosen: FoundHeading): readonly MappedHeading[] {
  const others = why === 'twice' ? choices.filter(({ text }) => folded(text) !== folded(chosen.text)) : [];
  return [{ heading: chosen.text, means: column.id }, ...others.map(({ text }) => ({ heading: text }))];
}

/** Who decides what a sheet leaves open, and where it was decided before. */
export interface HeadingDecisions {
  /** The mapping that was kept for a sheet with exactly these headings. */
  keptFor(headings: readonly string[]): HeadingMapping | undefined;
  /** Asks a person; undefined: none of them. Missing where nobody can be asked. */
  readonly choose?: (question: Question) => Promise<FoundHeading | undefined>;
  /** Keeps what a person chose, under the name of the mapping. */
  keep(mapping: HeadingMapping): Promise<void>;
}

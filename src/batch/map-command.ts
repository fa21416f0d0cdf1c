/** The command that decides what headings mean, whole, as it is typed. */
import type { HeadingMapping, MappedHeading } from './heading-mapping.ts';

/** What the command is told of the sheet. */
interface TypedSheet {
  readonly sheetName?: string;
  /** The mapping that the sheet is read by, to be learned again; undefined: the decisions are kept for these headings. */
  readonly mapping?: HeadingMapping;
}

/** The command of these decisions. */
export function mapCommand(headings: readonly MappedHeading[], { sheetName = 'SHEET', mapping }: TypedSheet): string {
  const said = headings.map(({ heading, means }) =>
    means === undefined ? `--ignore "${typed(heading)}"` : `--column ${means}="${typed(heading)}"`,
  );
  return ['paybatch map', sheetName, ...(mapping ? ['--save', mapping.name] : []), ...said].join(' ');
}

/**
 * A heading without what a shell could take for an order of its own. Headings are compared without punctuation, so it is still the
 * same one.
 */
const typed = (heading: string): string =>
  heading
    .replace(/[^\p{L}\p{M}\p{N} .,()/-]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();

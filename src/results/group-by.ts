/** The columns of the user's sheet by which the Summary counts rows. */
import type { Heading } from '../domain/batch.ts';
import { Fault } from '../domain/fault.ts';

const folded = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/**
 * Returns the requested headings as the sheet spells them, each once; upper and lower case do not matter. Throws a Fault
 * `usage` that names all headings if one does not exist.
 */
export function requireHeadings(asked: readonly string[], headings: readonly Heading[]): readonly string[] {
  const found = asked.map((wanted) => {
    const heading = headings.find(({ text }) => folded(text) === folded(wanted));
    if (heading) return heading.text;
    const named = headings.map(({ text }) => `"${text}"`).join(', ');
    throw new Fault(
      'usage',
      `The sheet has no column "${wanted}" to group by.`,
      `Name one of its headings with --group-by: ${named}.`,
    );
  });
  return [...new Set(found)];
}

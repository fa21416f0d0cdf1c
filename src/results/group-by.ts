/** Which columns of the user's the Summary counts rows by. */
import type { Heading } from '../domain/batch.ts';
import { Fault } from '../domain/fault.ts';

const folded = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/**
 * The headings that are asked for as the sheet has them, each once; upper and lower case do not matter. Fault `usage` names those that
 * there are.
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

/**
 * How the sheet shows a number that names something: an account, a till, a phone, a staff number. A cell that holds 12345
 * and shows 012345 is not paid to either, because people approve what they see.
 */
import { isCurrencyName } from '../domain/currency-names.ts';
import type { Issue } from '../domain/issue.ts';
import {
  DIGITS_LEFT_OUT,
  type FormatPart,
  type FormatSection,
  sectionFor,
  shownText,
} from '../domain/number-format.ts';
import { type CellView, issueAt, trimmed } from './column.ts';
import { plainDecimal } from './number-cell.ts';

/**
 * Returns the issue of a number that its cell shows with other digits or letters, or not at all. `means` is what a shown text
 * would be read as, for numbers that have several forms.
 */
export function numberShownIssue(
  view: CellView,
  means: (shown: string) => string | undefined = lettersAndDigits,
): Issue | undefined {
  const { cell } = view;
  const section = cell?.format && sectionFor(cell.format, cell);
  const held = cell?.type === 'number' ? plainDecimal(trimmed(view)) : trimmed(view);
  if (!section || held === undefined) return undefined;
  const seen = shownText(withoutLooks(section), held);
  if (lettersAndDigits(seen) === lettersAndDigits(held) || (seen !== '' && means(seen) === means(held)))
    return undefined;
  return issueAt(view, 'PB-NUMBER-SHOWN', { shown: shownText(section, held), held });
}

/** Returns what tells one number from another. Separators do not, and the mark of digits that a copy left out does. */
const lettersAndDigits = (text: string): string => text.toUpperCase().replace(SEPARATORS, '');

const SEPARATORS = new RegExp(`[^\\p{L}\\p{N}${DIGITS_LEFT_OUT}]`, 'gu');

/**
 * Returns the section without what nobody takes for a part of such a number: a currency, and the decimals that a whole number
 * does not have. Whole columns get them by accident.
 */
function withoutLooks(section: FormatSection): FormatSection {
  const { parts } = section;
  const point = parts.findIndex(({ tag }) => tag === 'point');
  const hasWhole = parts.slice(0, Math.max(point, 0)).some(isPlace);
  const isDecimal = (part: FormatPart, at: number): boolean =>
    hasWhole && at >= point && (part.tag === 'point' || isPlace(part));
  const isCurrency = (part: FormatPart): boolean =>
    part.tag === 'words' && part.currency === true && isCurrencyName(part.text.replace(/\.$/, ''));
  return { ...section, parts: parts.filter((part, at) => !isDecimal(part, at) && !isCurrency(part)) };
}

const isPlace = ({ tag }: FormatPart): boolean => tag === 'place';

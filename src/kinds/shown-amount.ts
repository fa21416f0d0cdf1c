/**
 * How the sheet shows an amount. People approve what they see, so a cell that holds 0.15 and shows 15% is not paid, and
 * neither is one that holds 1500 and shows dollars in a batch of shillings.
 */
import type { CurrencyCode } from '../domain/currency.ts';
import { isCurrencyName, namesOf } from '../domain/currency-names.ts';
import type { Issue } from '../domain/issue.ts';
import {
  type FormatPart,
  type FormatSection,
  hidesValue,
  sectionFor,
  shownText,
  showsOtherNumber,
} from '../domain/number-format.ts';
import { type CellView, issueAt, trimmed } from './column.ts';
import { plainDecimal } from './number-cell.ts';

/** What a section shows that differs from the value: another number, or another currency. */
type Oddity = 'number' | 'currency' | 'none';

/**
 * Returns the issue of an amount that is shown as something else: a percentage, thousands, digits among the words, another
 * currency, fewer cents. `undefined` if there is none, or if the format hides the value, which is another issue.
 */
export function shownIssue(view: CellView, currency: CurrencyCode): Issue | undefined {
  const { cell } = view;
  if (cell?.format === undefined || (cell.type !== 'number' && cell.type !== 'text')) return undefined;
  const section = sectionFor(cell.format, cell);
  if (!section || hidesValue(section)) return undefined;
  const oddity = oddityOf(section, currency);
  // Only a cell with cents can be shown without them.
  if (oddity === 'none' && !cell.text.includes('.')) return undefined;
  const held = cell.type === 'text' ? trimmed(view) : plainDecimal(trimmed(view));
  if (held === undefined || !isPositive(held)) return undefined;
  const parameters = { shown: shownText(section, held), held };
  if (oddity === 'none')
    return isRounded(section, held) ? issueAt(view, 'PB-AMOUNT-ROUNDED', { ...parameters, count: 1 }) : undefined;
  if (oddity === 'number') return isInLakhs(parameters) ? undefined : issueAt(view, 'PB-AMOUNT-SHOWN', parameters);
  return cell.format.ofComputer === undefined
    ? issueAt(view, 'PB-CURRENCY-SHOWN', { ...parameters, currency })
    : issueAt(view, 'PB-CURRENCY-COMPUTER', { ...parameters, currency, count: 1 });
}

/** Lakhs and crores, with commas that the format has as words: `1,25,000`. */
const LAKHS = /^\d{1,2}(?:,\d{2})*,\d{3}(?:\.0+)?$/;

/** Reports whether a number is shown as it is held, but grouped as in India. */
const isInLakhs = ({ shown, held }: { readonly shown: string; readonly held: string }): boolean =>
  LAKHS.test(shown) && shown.replaceAll(',', '').replace(/\.0+$/, '') === held;

/** Reports whether a section shows fewer decimals than a decimal has. */
function isRounded({ parts }: FormatSection, held: string): boolean {
  const point = parts.findIndex(({ tag }) => tag === 'point');
  const places = point === -1 ? 0 : parts.slice(point).filter(({ tag }) => tag === 'place').length;
  const [, decimals = ''] = held.replace(/0+$/, '').split('.');
  return parts.some(({ tag }) => tag === 'place') && decimals.length > places;
}

/** Reports whether the format of an amount cell hides its value. */
export function isUnseen({ cell }: CellView): boolean {
  if (cell?.format === undefined) return false;
  const section = sectionFor(cell.format, cell);
  return section !== undefined && hidesValue(section) && (cell.type === 'text' || Number(cell.text) > 0);
}

const isPositive = (decimal: string): boolean => !decimal.startsWith('-') && /[1-9]/.test(decimal);

/**
 * The result for each section: most cells of a column share one. The currency is kept too, because one process reads sheets
 * of several currencies.
 */
const known = new WeakMap<FormatSection, { readonly currency: CurrencyCode; readonly oddity: Oddity }>();

function oddityOf(section: FormatSection, currency: CurrencyCode): Oddity {
  const before = known.get(section);
  if (before?.currency === currency) return before.oddity;
  const oddity = showsOtherNumber(section) ? 'number' : namesOther(section.parts, currency) ? 'currency' : 'none';
  known.set(section, { currency, oddity });
  return oddity;
}

/** Returns the words of a text: `KSh.`, `K.Sh` and `KSh` are one word each; so is each sign. */
const wordsIn = (text: string): readonly string[] => text.replace(/(?<=\p{L})\./gu, '').match(/\p{L}+|\p{Sc}/gu) ?? [];

/** Reports whether the words of a section name a currency other than that of the batch. */
function namesOther(parts: readonly FormatPart[], currency: CurrencyCode): boolean {
  const own = namesOf(currency);
  const isOwn = (word: string): boolean => own.has(word.toUpperCase());
  return parts.some((part) => {
    if (part.tag !== 'words') return false;
    const words = wordsIn(part.text);
    // A text that the format marks as a currency is one, known or not.
    if (part.currency) return words.length > 0 && !isOwn(words.join('')) && !words.every(isOwn);
    return words.some((word) => !isOwn(word) && isCurrencyName(word));
  });
}

/**
 * How a spreadsheet shows the value of a cell. A number format has sections for positive, negative and zero values and for
 * texts, or for values that meet a condition. This file decides which section shows a value, and as what.
 */

/** The parts of a section, from left to right. Colours, languages, blanks and fillers are left out. */
export type FormatPart =
  /** Text that is shown with every value. `currency`: the format marks it as a currency, as in `[$KSh-441]`. */
  | { readonly tag: 'words'; readonly text: string; readonly currency?: true }
  /** Room for a digit: `0` always shows one, `#` and `?` only where the value has one. */
  | { readonly tag: 'place'; readonly sign: string }
  | { readonly tag: 'point' }
  | { readonly tag: 'percent' }
  /** The value in the form that the program chooses: General, a text, a fraction, an exponent. */
  | { readonly tag: 'value' };

interface FormatCondition {
  readonly operator: string;
  readonly limit: number;
}

export interface FormatSection {
  readonly parts: readonly FormatPart[];
  /** The values that the section is for; if absent, its position among the sections decides. */
  readonly condition?: FormatCondition;
  /** Whether thousands are separated. */
  readonly grouped: boolean;
  /** Number of three-digit groups dropped at the end: 1 shows thousands, 2 millions. */
  readonly thousands: number;
}

export interface NumberFormat {
  /** An Excel number format, for copies of the cell, that shows the same. Its words hold no digits. */
  readonly code: string;
  /** Like `code`, but without words, scale and sections, for uses where only the value counts; absent if nothing is left. */
  readonly plain?: string;
  /** Sections for numbers: at most three; none for dates. */
  readonly numbers: readonly FormatSection[];
  /** Section for texts; absent if texts are shown as they are. */
  readonly texts?: FormatSection;
  /** Number of a built-in format in which each computer shows its own currency, no matter what the file says (5 to 8, 42, 44). */
  readonly ofComputer?: number;
}

/** Replaces, in the words of a format, digits that were left out. */
export const DIGITS_LEFT_OUT = '…';

/** Returns the section that shows a value; `undefined` if the value is shown as it is. */
export function sectionFor(
  { numbers, texts }: NumberFormat,
  { type, text }: { readonly type: string; readonly text: string },
): FormatSection | undefined {
  if (type !== 'number') return type === 'text' ? texts : undefined;
  const [first, second, third] = numbers;
  const value = Number(text);
  if (first && meets(value, first, third ? value > 0 : !second || value >= 0)) return first;
  if (second && meets(value, second, !third || value < 0)) return second;
  return third;
}

/** Reports whether a section is for a number: by its condition, or else by its position. */
function meets(value: number, { condition }: FormatSection, byPlace: boolean): boolean {
  if (!condition) return byPlace;
  const { operator, limit } = condition;
  if (operator === '<>') return value !== limit;
  return (
    (operator.includes('=') && value === limit) ||
    (operator.includes('<') && value < limit) ||
    (operator.includes('>') && value > limit)
  );
}

/** Reports whether a section hides the value; it may show words instead. */
export const hidesValue = ({ parts }: FormatSection): boolean =>
  !parts.some(({ tag }) => tag === 'place' || tag === 'value');

/** A percentage, or digits and signs that are not part of the value. */
const FALSE_WORDS = new RegExp(`[\\p{N}%‰${DIGITS_LEFT_OUT}]`, 'u');
/** Words that multiply the value: `15 thousand`, `"KES millions "0`. */
const MULTIPLES = 'thousands?|millions?|billions?|lakhs?|crores?|elfu|milioni|mille|mia';
const FALSE_MULTIPLE = new RegExp(`(?<![\\p{L}-])(?:${MULTIPLES})(?![\\p{L}-])`, 'iu');
/** The same behind the value, where a letter is enough: `15k` for 15. Before it, `K` is the kwacha. */
const FALSE_SCALE = new RegExp(`(?<![\\p{L}-])(?:k|m|mn|mio|mln|bn|${MULTIPLES})(?![\\p{L}-])`, 'iu');
/** Signs that make the value negative when they precede it, which a positive section must not show. */
const FALSE_MINUS = /[-−]\s*$|\([^)]*$/u;
/** Signs that between two digits of the value would be read as its decimal point, or as thousands. */
const FALSE_MARKS = /[.,]/;

/** Reports whether a section shows another number than the value: a percentage, thousands, digits among the words. */
export function showsOtherNumber({ parts, thousands }: FormatSection): boolean {
  const isOfValue = ({ tag }: FormatPart): boolean => tag === 'place' || tag === 'value';
  const first = parts.findIndex(isOfValue);
  const last = parts.findLastIndex(isOfValue);
  return (
    thousands > 0 ||
    parts.some((part, at) => {
      if (part.tag !== 'words') return part.tag === 'percent';
      if (FALSE_WORDS.test(part.text)) return true;
      if (at < first) return FALSE_MINUS.test(part.text) || FALSE_MULTIPLE.test(part.text);
      return at < last ? FALSE_MARKS.test(part.text) : FALSE_SCALE.test(part.text);
    })
  );
}

const DECIMAL = /^\d+(?:\.\d+)?$/;

/** Returns what people see of a positive plain decimal (`15%` for 0.15, `$1,500.00` for 1500), or of a text. */
export function shownText(section: FormatSection, held: string): string {
  const isFilledIn = section.parts.some(({ tag }) => tag === 'place') && DECIMAL.test(held);
  const shown = isFilledIn ? filledIn(section, held) : section.parts.map((part) => wordsOf(part, held)).join('');
  return shown.trim().replace(/\s+/g, ' ');
}

/** Returns the parts of a section with the digits of a decimal in its places. */
function filledIn({ parts, grouped, thousands }: FormatSection, decimal: string): string {
  const point = parts.findIndex(({ tag }) => tag === 'point');
  const wholeParts = point === -1 ? parts : parts.slice(0, point);
  const fractionParts = point === -1 ? [] : parts.slice(point);
  const percents = parts.filter(({ tag }) => tag === 'percent').length;
  const places = fractionParts.filter(({ tag }) => tag === 'place').length;
  const { whole, fraction } = rounded(decimal, 2 * percents - 3 * thousands, places);
  return wholeText(wholeParts, { whole, grouped, decimal }) + fractionText(fractionParts, fraction);
}

/** Moves the point of a decimal `shift` digits to the right and rounds it to `places` decimals. */
function rounded(
  decimal: string,
  shift: number,
  places: number,
): { readonly whole: string; readonly fraction: string } {
  const [before = '', behind = ''] = decimal.split('.');
  const digits = BigInt(before + behind);
  const tooMany = behind.length - shift - places;
  const power = 10n ** BigInt(Math.abs(tooMany));
  const units = tooMany > 0 ? (digits + power / 2n) / power : digits * power;
  const text = units.toString().padStart(places + 1, '0');
  const border = text.length - places;
  return { whole: text.slice(0, border), fraction: text.slice(border) };
}

interface WholeNumber {
  readonly whole: string;
  readonly grouped: boolean;
  /** The value as plain decimal, for a part that shows it as it is. */
  readonly decimal: string;
}

/** Returns the part before the point, filled from its end. The first place takes all digits that are left. */
function wholeText(parts: readonly FormatPart[], { whole, grouped, decimal }: WholeNumber): string {
  const first = parts.findIndex(({ tag }) => tag === 'place');
  let rest = whole === '0' ? '' : whole;
  let count = 0;
  let text = '';
  const take = (empty: string): void => {
    const digit = rest.at(-1) ?? empty;
    rest = rest.slice(0, -1);
    if (digit === '') return;
    text = `${digit}${grouped && count > 0 && count % 3 === 0 ? ',' : ''}${text}`;
    count += 1;
  };
  for (const [at, part] of [...parts.entries()].reverse()) {
    if (part.tag !== 'place') text = wordsOf(part, decimal) + text;
    else {
      take(part.sign === '0' ? '0' : '');
      while (at === first && rest !== '') take('');
    }
  }
  return first === -1 && !parts.some(({ tag }) => tag === 'value') ? text + rest : text;
}

/** Returns the point and what follows it. */
function fractionText(parts: readonly FormatPart[], fraction: string): string {
  const signs = parts.flatMap((part) => (part.tag === 'place' ? [part.sign] : []));
  const seen = Math.max(fraction.replace(/0+$/, '').length, signs.lastIndexOf('0') + 1);
  let at = 0;
  return parts
    .map((part) => {
      if (part.tag !== 'place') return wordsOf(part, '');
      at += 1;
      return at > seen ? '' : (fraction[at - 1] ?? '');
    })
    .join('');
}

function wordsOf(part: FormatPart, decimal: string): string {
  if (part.tag === 'words') return part.text;
  if (part.tag === 'point') return '.';
  return part.tag === 'percent' ? '%' : decimal;
}
/** The sign between the whole part of an amount and its cents. */
export const decimalMarks = ['point', 'comma'] as const;

export type DecimalMark = (typeof decimalMarks)[number];

/** The character of a decimal mark. The other mark can then only separate thousands. */
export const signOf = (mark: DecimalMark): '.' | ',' => (mark === 'point' ? '.' : ',');

export const otherMark = (mark: DecimalMark): DecimalMark => (mark === 'point' ? 'comma' : 'point');

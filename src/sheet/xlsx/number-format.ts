/**
 * Number formats of a workbook: whether a format shows a date, and how it shows a value. A format is never carried over
 * unchanged: `"9,999"` shows that text for every value.
 */
import {
  DIGITS_LEFT_OUT,
  type FormatPart,
  type FormatSection,
  hidesValue,
  type NumberFormat,
} from '../../domain/number-format.ts';

/** The built-in formats, which every spreadsheet program knows without a code in the file. Source: ECMA-376 part 1, 18.8.30. */
const builtIn: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '[$$]#,##0',
  6: '[$$]#,##0',
  7: '[$$]#,##0.00',
  8: '[$$]#,##0.00',
  9: '0%',
  10: '0.00%',
  14: 'mm-dd-yy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yy h:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  41: '#,##0',
  42: '[$$]#,##0',
  43: '#,##0.00',
  44: '[$$]#,##0.00',
  67: '0%',
  68: '0.00%',
};

/** Built-in formats in which each computer shows its own currency. The dollar above represents it. */
const ofComputer: ReadonlySet<number> = new Set([5, 6, 7, 8, 42, 44]);

/** Numbers of the built-in formats that show dates (ECMA-376 18.8.30), including the East Asian ones. */
const builtInDates: readonly (readonly [from: number, to: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

/**
 * Returns a format without its words, which are quoted texts, colours, conditions, currencies and languages. Elapsed time
 * such as [h] stays.
 */
const bareOf = (code: string): string =>
  code
    .replace(/"[^"]*"?/g, '')
    .replace(/[\\_*]./g, '')
    .replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '')
    .replace(/general|standard/gi, '');

/** Reports whether a number format shows a date or a time. A code given by the workbook takes precedence over a built-in number. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return builtInDates.some(([from, to]) => id >= from && id <= to);
  const bare = bareOf(code);
  // A digit placeholder makes it a number format, regardless of the letters around it, except in fractions of a second.
  return /[dmyhs]/i.test(bare) && !/[#?0]/.test(bare.replace(/s[.,]0+/gi, 's'));
}

/** A date format that consists of nothing but date parts and separators. */
const PLAIN_DATE = /^(?:[dmyhs]{1,4}|AM\/PM|[/\-., :])+$/i;
const DECIMALS_MAX = 10;
/** Most leading zeros that are kept; more places than these say nothing about a value. */
const ZEROS_MAX = 15;

/** Returns how a format shows values; `undefined` if it shows all of them as they are. */
export function numberFormat(id: number, code: string | undefined): NumberFormat | undefined {
  const said = code ?? builtIn[id] ?? '';
  if (isDateFormat(id, code)) {
    const shown = plainDate(said);
    return { code: shown, plain: shown, numbers: [] };
  }
  const { numbers, texts } = sectionsOf(said);
  const odd = texts && (hidesValue(texts) || texts.parts.length > 1) ? texts : undefined;
  if (!odd && numbers.every(isGeneral)) return undefined;
  const [first] = numbers;
  const plain = first && plainNumber(first);
  const machine = ofComputer.has(id);
  const copied = [...numbers.map(sectionCode), ...(odd ? [sectionCode(odd).replaceAll('General', '@')] : [])].join(';');
  return {
    // A blank (`_)`), which no other code has, distinguishes it from a currency that the file itself names.
    code: `${copied === '' ? NO_NUMBER : copied}${machine ? '_)' : ''}`,
    ...(plain !== undefined && { plain }),
    numbers,
    ...(odd && { texts: odd }),
    ...(machine && { ofComputer: id }),
  };
}

/** A code that shows no number, and texts as they are. An empty code would show every number. */
const NO_NUMBER = ';;';

function plainDate(code: string): string {
  const [first = ''] = code.split(';');
  const bare = bareOf(first).trim();
  if (PLAIN_DATE.test(bare)) return bare;
  return /h/i.test(bare) ? 'yyyy-mm-dd hh:mm' : 'yyyy-mm-dd';
}

/**
 * Returns a plain format with the same decimals, leading zeros, separators and percent sign; `undefined` if the section has
 * no places for digits.
 */
function plainNumber({ parts, grouped }: FormatSection): string | undefined {
  const point = parts.findIndex(({ tag }) => tag === 'point');
  const signs = (from: readonly FormatPart[]) => from.map((part) => (part.tag === 'place' ? part.sign : '')).join('');
  const whole = signs(point === -1 ? parts : parts.slice(0, point));
  const decimals = point === -1 ? 0 : signs(parts.slice(point)).length;
  if (whole === '' && decimals === 0) return undefined;
  const zeros = /^0{2,}$/.test(whole) && whole.length <= ZEROS_MAX ? whole : '0';
  const cents = decimals === 0 ? '' : `.${'0'.repeat(Math.min(decimals, DECIMALS_MAX))}`;
  return `${grouped ? '#,##0' : zeros}${cents}${parts.some(({ tag }) => tag === 'percent') ? '%' : ''}`;
}

const general: FormatSection = { parts: [{ tag: 'value' }], grouped: false, thousands: 0 };

const isGeneral = ({ parts, condition }: FormatSection): boolean =>
  condition === undefined && parts.length === 1 && parts[0]?.tag === 'value';

/** A filler (`*-`) is left out, unless the cell is filled with letters or digits, which read like part of the value. */
const TOKEN =
  /"(?<quoted>[^"]*)"?|\\(?<escaped>.?)|\*(?<filler>[\p{L}\p{N}])|[_*].?|\[(?<bracket>[^\]]*)\]?|(?<general>general|standard|@)|(?<free>e[+-]|(?<=[0#?]\s*)\/\s*[0-9#?]+)|(?<sign>[0#?])|(?<mark>[.,%/;])|(?<other>.)/giu;
const CONDITION = /^(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)$/;
/** Matches `$KSh-441`: a currency, then the number of a language. */
const CURRENCY = /^\$(.*?)(?:-(?:[0-9a-f]{1,8}|x-).*)?$/i;

/** Splits a code into its sections for numbers, in order, and the section for texts, if it has one. */
function sectionsOf(code: string): { readonly numbers: readonly FormatSection[]; readonly texts?: FormatSection } {
  if (code === '') return { numbers: [] };
  const drafts = [new SectionDraft()];
  for (const { groups = {} } of code.matchAll(TOKEN)) {
    if (groups['mark'] === ';') drafts.push(new SectionDraft());
    else drafts.at(-1)?.take(groups);
  }
  const last = drafts.length === 4 || drafts.at(-1)?.isText ? drafts.at(-1) : undefined;
  const numbers = drafts.filter((draft) => draft !== last).slice(0, 3);
  return { numbers: numbers.map((draft) => draft.section()), ...(last && { texts: last.section() }) };
}

/** A section while its code is being read. */
class SectionDraft {
  readonly #parts: FormatPart[] = [];
  #condition: FormatSection['condition'];
  /** Whether the section has a colour, a language or a condition. With nothing else, it shows the value as it is. */
  #hasBracket = false;
  /** Commas after the last digit placeholder. They leave out thousands, unless another placeholder follows before the point. */
  #commas = 0;
  #thousands = 0;
  #grouped = false;
  #hasPoint = false;
  /** Whether the section shows a fraction or an exponent. */
  #isFree = false;
  /** Whether the section shows a text. */
  isText = false;

  take(found: Readonly<Record<string, string>>): void {
    const { quoted, escaped, filler, bracket, general: word, free, sign, mark, other } = found;
    if (bracket !== undefined) this.#takeBracket(bracket);
    else if (word !== undefined) this.#takeValue(word === '@');
    else if (free !== undefined) this.#isFree = true;
    else if (sign !== undefined) this.#takePlace(sign);
    else if (mark !== undefined) this.#takeMark(mark);
    else this.#takeWords(quoted ?? escaped ?? filler ?? other ?? '');
  }

  section(): FormatSection {
    const isEmpty = this.#parts.length === 0 && this.#hasBracket;
    return {
      parts: isEmpty ? general.parts : this.#isFree ? freed(this.#parts) : this.#parts,
      ...(this.#condition && { condition: this.#condition }),
      grouped: this.#grouped,
      thousands: this.#thousands + this.#commas,
    };
  }

  #takeBracket(inside: string): void {
    this.#hasBracket = true;
    const [, operator, limit] = CONDITION.exec(inside) ?? [];
    if (operator !== undefined) this.#condition = { operator, limit: Number(limit) };
    const named = CURRENCY.exec(inside)?.[1]?.trim();
    if (named) this.#parts.push({ tag: 'words', text: named, currency: true });
  }

  #takeValue(isText: boolean): void {
    this.isText ||= isText;
    this.#parts.push({ tag: 'value' });
  }

  #takePlace(sign: string): void {
    if (this.#commas > 0 && !this.#hasPoint) this.#grouped = true;
    this.#commas = 0;
    this.#parts.push({ tag: 'place', sign });
  }

  #takeMark(mark: string): void {
    const hasPlace = this.#parts.some(({ tag }) => tag === 'place');
    if (mark === '%') this.#parts.push({ tag: 'percent' });
    else if (mark === ',' && hasPlace) this.#commas += 1;
    else if (mark === '.' && !this.#hasPoint) {
      this.#hasPoint = true;
      this.#thousands = this.#commas;
      this.#commas = 0;
      this.#parts.push({ tag: 'point' });
    } else this.#takeWords(mark);
  }

  #takeWords(text: string): void {
    const last = this.#parts.at(-1);
    if (last?.tag === 'words' && !last.currency) this.#parts.splice(-1, 1, { tag: 'words', text: last.text + text });
    else if (text !== '') this.#parts.push({ tag: 'words', text });
  }
}

/** Returns the parts with the digits replaced by the value as the spreadsheet program writes it; the words around it stay. */
function freed(parts: readonly FormatPart[]): readonly FormatPart[] {
  const isValue = ({ tag }: FormatPart): boolean => tag === 'place' || tag === 'point';
  const first = parts.findIndex(isValue);
  const last = parts.findLastIndex(isValue);
  return parts.flatMap((part, at) => (at === first ? general.parts : at > first && at <= last ? [] : [part]));
}

/** Writes a section as a code of paybatch's own. */
function sectionCode({ parts, condition, grouped, thousands }: FormatSection): string {
  const point = parts.findIndex(({ tag }) => tag === 'point');
  const places = [...parts.keys()].filter((at) => parts[at]?.tag === 'place');
  const whole = point === -1 ? places : places.filter((at) => at < point);
  const written = parts.map((part, at) => {
    // A comma that separates thousands needs at least four placeholders around it.
    const more = grouped && at === whole[0] ? '#'.repeat(Math.max(0, 4 - whole.length)) : '';
    const isApart = grouped && (at === whole.at(-3) || (whole.length < 3 && at === whole[0]));
    const before = isApart ? `${more.slice(0, 1)},${more.slice(1)}` : more;
    return `${before}${partCode(part)}${at === places.at(-1) ? ','.repeat(thousands) : ''}`;
  });
  const limit = condition ? `[${condition.operator}${condition.limit}]` : '';
  return limit + written.join('');
}

function partCode(part: FormatPart): string {
  if (part.tag === 'place') return part.sign;
  if (part.tag === 'point') return '.';
  if (part.tag === 'percent') return '%';
  if (part.tag === 'value') return 'General';
  const text = wordsWithoutDigits(part.text);
  if (text === '') return '';
  return part.currency ? `[$${text.replace(/[-\]]/g, '')}]` : `"${text}"`;
}

/** Returns words as another workbook may show them: without digits and without invisible characters. */
const wordsWithoutDigits = (text: string): string =>
  text
    .replace(/\s/g, ' ')
    .replace(/\p{N}+/gu, DIGITS_LEFT_OUT)
    .replace(/[^\p{L}\p{M}\p{S}\p{P} ]|"/gu, '');

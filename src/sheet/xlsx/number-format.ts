/**
 * Number formats of a workbook: whether one shows a date, and how a value may be shown elsewhere. A format is never carried over as it
 * stands: `"9,999"` shows that text whatever the value is.
 */

/** The formats that every spreadsheet knows without a code in the file. Source: ECMA-376 part 1, 18.8.30. */
const builtIn: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
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
  42: '#,##0',
  43: '#,##0.00',
  44: '#,##0.00',
};

/** Numbers of the formats that every spreadsheet knows (ECMA-376 18.8.30), with the East Asian dates among them. */
const builtInDates: readonly (readonly [from: number, to: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

/** A format without its words: what stands in quotes, colours, conditions, currencies and languages. Elapsed time such as [h] stays. */
const bareOf = (code: string): string =>
  code
    .replace(/"[^"]*"?/g, '')
    .replace(/[\\_*]./g, '')
    .replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '')
    .replace(/general|standard/gi, '');

/** Whether a number format shows a date or a time. A code given by the workbook wins over a built-in number. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return builtInDates.some(([from, to]) => id >= from && id <= to);
  const bare = bareOf(code);
  // A place for a digit makes it a number, whatever letters stand around it; fractions of a second apart.
  return /[dmyhs]/i.test(bare) && !/[#?0]/.test(bare.replace(/s[.,]0+/gi, 's'));
}

/** A date that is shown by its parts alone. */
const PLAIN_DATE = /^(?:[dmyhs]{1,4}|AM\/PM|[/\-., :])+$/i;
/** The places of a number: whole digits, then decimals. Commas behind the digits would show thousands of it. */
const PLACES = /([#0?][#0?,]*)(?:\.([#0?]+))?/;
const DECIMALS_MAX = 10;

/**
 * How a value of such a format is shown where only its value counts: the same date, or as many decimals, zeros in front, separators
 * and percent. Undefined where the format says nothing of these.
 */
export function plainFormat(id: number, code: string | undefined): string | undefined {
  const [first = ''] = (code ?? builtIn[id] ?? '').split(';');
  const bare = bareOf(first).trim();
  if (isDateFormat(id, code)) {
    if (PLAIN_DATE.test(bare)) return bare;
    return /h/i.test(bare) ? 'yyyy-mm-dd hh:mm' : 'yyyy-mm-dd';
  }
  const [, whole, decimals = ''] = PLACES.exec(bare) ?? [];
  if (whole === undefined || /e[+-]|\//i.test(bare)) return undefined;
  const zeros = /^0{2,15}$/.test(whole) ? whole : '0';
  const digits = /[#0?],+[#0?]/.test(whole) ? '#,##0' : zeros;
  const point = decimals === '' ? '' : `.${'0'.repeat(Math.min(decimals.length, DECIMALS_MAX))}`;
  return `${digits}${point}${bare.includes('%') ? '%' : ''}`;
}

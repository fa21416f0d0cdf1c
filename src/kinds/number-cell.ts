/** The true digits of a number that a spreadsheet stored. Spreadsheets keep 15 significant digits of a double. */

/** Digits that a spreadsheet number keeps. Any further digits were made up when the file was saved. */
const SIGNIFICANT_DIGITS = 15;

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Whole digits without a leading zero, and few enough that none is lost. */
const PLAIN = /^(?:0|[1-9]\d{0,12})$/;

/**
 * Returns the plain decimal of a stored number at 15 significant digits (`2.54712345678E11` is 254712345678,
 * `1234.0999999999999` is 1234.1); `undefined` if the text is not a number.
 */
export function plainDecimal(stored: string): string | undefined {
  if (PLAIN.test(stored)) return stored;
  if (!NUMBER.test(stored)) return undefined;
  const rounded = Number(stored).toPrecision(SIGNIFICANT_DIGITS);
  const match = NUMBER.exec(rounded);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  const digits = whole + fraction;
  const point = whole.length + shift;
  const left = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const right = (point < 0 ? '0'.repeat(-point) : '') + digits.slice(Math.max(point, 0));
  const cleanLeft = left.replace(/^0+(?=\d)/, '');
  const cleanRight = right.replace(/0+$/, '');
  return sign + (cleanRight ? `${cleanLeft}.${cleanRight}` : cleanLeft);
}

/** Returns the digits of a stored whole number; `undefined` if it has decimals, is negative or lost digits. */
export function wholeDigits(stored: string): string | undefined {
  const plain = plainDecimal(stored);
  return plain !== undefined && /^\d{1,15}$/.test(plain) ? plain : undefined;
}

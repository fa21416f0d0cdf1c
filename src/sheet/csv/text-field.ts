/**
 * Writes a text as a field of a CSV file that people open in a spreadsheet program, and reads it back. Such a program would
 * calculate a text that begins like a formula, change one that looks like a number, and not show hidden characters. A text
 * written here is shown as it is, is never calculated, and is read back exactly.
 *
 *   =1+1     →  ="=1+1"        a formula whose result is that text
 *   0712     →  ="0712"        likewise
 *   J\u202ea →  J_x202E_a      as workbooks write such characters (ECMA-376 part 1, section 22.9.2.19)
 */
import { hiddenIn, withHidden } from '../../domain/shown-text.ts';

/** Beginnings that make spreadsheet programs calculate or drop a text, in ASCII and in the full width of East Asian letters. */
const STARTS_FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

/** Digits that Excel would shorten (leading zeros) or round (it keeps fifteen digits). */
const CHANGED_BY_EXCEL = /^0\d+$|^\d{16,}$/;

/** An underscore that would be read as the beginning of an escape. */
const LOOKS_ESCAPED = /_(?=x[0-9A-F]{4})/g;
const ESCAPE = /_x([0-9A-F]{4,6})_/g;
const UNDERSCORE = '_x005F_';

/** Reports whether a character is white space that shows by its effect: a tab or a line break. */
const isLayout = (character: string): boolean => '\t\n\r'.includes(character);

/** Returns the text as a field, not yet quoted. */
export function fieldOf(text: string): string {
  const visible = withHidden(text.replace(LOOKS_ESCAPED, UNDERSCORE), (character) =>
    isLayout(character) ? character : `_x${hexOf(character)}_`,
  );
  if (!STARTS_FORMULA.test(visible) && !CHANGED_BY_EXCEL.test(visible)) return visible;
  return `="${visible.replaceAll('"', '""')}"`;
}

const hexOf = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

/** A formula that is one text and nothing else. */
const TEXT_FORMULA = /^="((?:[^"]|"")*)"$/;

/** Returns the text of a field whose quotes were removed. */
export function textOf(field: string): string {
  const inside = field.startsWith('=') ? TEXT_FORMULA.exec(field)?.[1]?.replaceAll('""', '"') : undefined;
  const text = inside ?? field;
  return text.includes('_x') ? text.replace(ESCAPE, unescaped) : text;
}

/** Returns the character that an escape stands for, or the escape unchanged if paybatch would not have written it. */
function unescaped(written: string, hex: string): string {
  const code = Number.parseInt(hex, 16);
  if (written === UNDERSCORE) return '_';
  const character = code <= 0x10_ffff ? String.fromCodePoint(code) : '';
  return hiddenIn(character).length > 0 && hexOf(character) === hex && !isLayout(character) ? character : written;
}

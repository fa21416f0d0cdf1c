/**
 * A text as a field of a CSV file that people open in a spreadsheet program, and back. Such a program would calculate what
 * begins like a formula, change what looks like a number, and show nothing of hidden characters. What is written here is
 * shown as it is, is never calculated, and is read back as exactly the same text.
 *
 *   =1+1     →  ="=1+1"        a formula whose result is that text
 *   0712     →  ="0712"        likewise
 *   J\u202ea →  J_x202E_a      as workbooks write such characters (ECMA-376 part 1, section 22.9.2.19)
 */
import { hiddenIn, withHidden } from '../../domain/shown-text.ts';

/** What spreadsheet programs calculate or drop, in their own width and in that of East Asian letters. */
const STARTS_FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

/** Digits that Excel would shorten (zeros in front) or round (it keeps fifteen). */
const CHANGED_BY_EXCEL = /^0\d+$|^\d{16,}$/;

/** An underscore that would be read as the beginning of an escape. */
const LOOKS_ESCAPED = /_(?=x[0-9A-F]{4})/g;
const ESCAPE = /_x([0-9A-F]{4,6})_/g;
const UNDERSCORE = '_x005F_';

/** White space of a field, which is seen by what it does. */
const isLayout = (character: string): boolean => '\t\n\r'.includes(character);

/** The text as a field that is not quoted yet. */
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

/** The text of a field whose quotes were taken off. */
export function textOf(field: string): string {
  const inside = field.startsWith('=') ? TEXT_FORMULA.exec(field)?.[1]?.replaceAll('""', '"') : undefined;
  const text = inside ?? field;
  return text.includes('_x') ? text.replace(ESCAPE, unescaped) : text;
}

/** What an escape stands for; itself when it is none of ours. */
function unescaped(written: string, hex: string): string {
  const code = Number.parseInt(hex, 16);
  if (written === UNDERSCORE) return '_';
  const character = code <= 0x10_ffff ? String.fromCodePoint(code) : '';
  return hiddenIn(character).length > 0 && hexOf(character) === hex && !isLayout(character) ? character : written;
}

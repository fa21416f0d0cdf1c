/** Readers for columns of text, and of numbers that are identifiers: references, accounts, notes. */
import type { IssueCode } from '../domain/issue.ts';
import { codePointOf, hiddenIn, withHidden } from '../domain/shown-text.ts';
import { type CellView, damageOf, issueAt, type Reading, trimmed, value, warned, wrong } from './column.ts';
import { plainDecimal, wholeDigits } from './number-cell.ts';
import { isPlainAscii, isPlainLatin } from './plain-text.ts';
import { TEXT_MARK } from './repair.ts';
import { numberShownIssue } from './shown-number.ts';

/** Control characters that are neither white space nor a line break: the text around them was damaged in transfer. */
const CONTROL_CHARACTER = /[^\P{Cc}\s]|(?<!\n)\r(?!\n)/u;

/** Returns a character for a message: the character itself, or its number if it cannot be seen. */
export const visible = (character: string): string =>
  hiddenIn(character).length > 0 || character.trim() === '' ? codePointOf(character) : character;

/** Letters of two alphabets that look alike, and that one keyboard does not write into one name. */
const LATIN = /\p{Script=Latin}/u;
const LOOK_ALIKE_LETTER = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Warns of a name that mixes alphabets: one person may pass for another. */
export function warnOfScripts(view: CellView, reading: Reading<string>): Reading<string> {
  if (!reading.ok || isPlainLatin(reading.value)) return reading;
  const other = LATIN.test(reading.value) ? LOOK_ALIKE_LETTER.exec(reading.value)?.[0] : undefined;
  if (other === undefined) return reading;
  return warned(reading, issueAt(view, 'PB-NAME-SCRIPTS', { character: `${other} (${codePointOf(other)})` }));
}

/** Bytes 80 to BF as Windows-1252 shows them: what follows the first byte of a letter in UTF-8. */
const LATER_BYTE =
  '[\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u017d\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u017e\u0178\u00a0-\u00bf]';

/**
 * Traces of a letter that was read in another encoding than it was written in: UTF-8 read as Windows-1252 (`Å©`, `â€™`; two
 * bytes for Latin letters only, because a quote may follow the É of a name) or as Mac Roman (`√©`), the replacement
 * character, and a question mark inside a word.
 */
const DAMAGED = new RegExp(
  `[\u00c2-\u00c5]${LATER_BYTE}|[\u00e0-\u00ef]${LATER_BYTE}{2}|[\u00f0-\u00f4]${LATER_BYTE}{3}|\u221a.|\ufffd|(?<=\\p{L})\\?(?=\\p{L})`,
  'u',
);

/** Warns of a name in which letters were damaged. */
export function warnOfDamage(view: CellView, reading: Reading<string>): Reading<string> {
  // The text is checked as it is in the cell, because blanks can be part of the damage.
  const character = DAMAGED.exec(view.cell?.text ?? '')?.[0];
  return character === undefined ? reading : warned(reading, issueAt(view, 'PB-NAME-DAMAGED', { character }));
}

/** Characters with which spreadsheet programs begin a formula, in their own width and in East Asian full width. */
const BEGINS_FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/u;

/** Warns of a name that begins like a formula: no real name does, and it may be calculated where it is opened next. */
export function warnOfFormula(view: CellView, reading: Reading<string>): Reading<string> {
  const character = reading.ok ? BEGINS_FORMULA.exec(reading.value)?.[0] : undefined;
  if (!reading.ok || character === undefined) return reading;
  return warned(reading, issueAt(view, 'PB-NAME-FORMULA', { character, sent: reading.value }));
}

/** Most hidden characters that a warning lists. */
const LISTED_MAX = 5;

/** Warns of hidden characters. They are not sent, and the person who approves the sheet is shown what is sent. */
function warnOfHidden(view: CellView, reading: Reading<string>): Reading<string> {
  // Line breaks and tabs become a space, as people see them.
  const hidden = hiddenIn(view.cell?.text ?? '').filter((one) => !'\t\n\r'.includes(one));
  if (!reading.ok || hidden.length === 0) return reading;
  const listed = hidden.slice(0, LISTED_MAX).map(codePointOf);
  const characters = hidden.length > LISTED_MAX ? [...listed, '…'] : listed;
  const parameters = { count: hidden.length, characters: characters.join(', '), sent: reading.value };
  return warned(reading, issueAt(view, 'PB-TEXT-HIDDEN', parameters));
}

/** Reads free text for people. Hidden characters are removed with a warning, and runs of white space become one space. */
export function readFreeText(view: CellView, longest: number, missing?: IssueCode): Reading<string> {
  const damage = damageOf(view);
  if (damage) return { ok: false, issue: damage };
  if (view.cell?.type === 'date') return wrong(view, 'PB-CELL-DATE');
  if (missing && view.cell?.type === 'boolean') return wrong(view, 'PB-CELL-BOOLEAN');
  const written = view.cell?.text ?? '';
  if (isPlainLatin(written)) {
    return written.length > longest ? tooLongText(view, written, longest) : value(written);
  }
  const control = CONTROL_CHARACTER.exec(trimmed(view));
  if (control) return wrong(view, 'PB-CELL-CHARS', { character: codePointOf(control[0]) });
  const text = withHidden(trimmed(view).replace(/[^\S\ufeff]/gu, ' '), () => '')
    .replace(/ +/g, ' ')
    .trim()
    .normalize('NFC');
  if (text === '' && missing) return wrong(view, missing);
  if (text.length > longest) return tooLongText(view, text, longest);
  return warnOfHidden(view, value(text));
}

const tooLongText = (view: CellView, { length }: string, limit: number): Reading<never> =>
  wrong(view, 'PB-TEXT-LENGTH', { length, limit });

/**
 * Reads an identifier, of which the exact characters matter. A number cell is read as its whole digits; one with more digits
 * than a spreadsheet keeps is refused, because its last digits are not the ones that were typed. So is a cell that shows
 * other characters than it holds.
 */
export function readIdentifier(
  view: CellView,
  longest: number,
  missing: IssueCode,
  tooLong: IssueCode = 'PB-TEXT-LENGTH',
): Reading<string> {
  const held = readHeld(view, longest, missing, tooLong);
  const shown = held.ok ? numberShownIssue(view) : undefined;
  return shown ? { ok: false, issue: shown } : held;
}

/** Reads the identifier that a cell holds, however the cell shows it. */
function readHeld(view: CellView, longest: number, missing: IssueCode, tooLong: IssueCode): Reading<string> {
  const damage = damageOf(view);
  if (damage) return { ok: false, issue: damage };
  const written = view.cell?.text ?? '';
  const isPlain = isPlainAscii(written);
  const text = isPlain ? written : trimmed(view).normalize('NFKC');
  if (text === '') return wrong(view, missing);
  if (view.cell?.type === 'date') return wrong(view, 'PB-CELL-DATE');
  if (view.cell?.type === 'boolean') return wrong(view, 'PB-CELL-BOOLEAN');
  if (view.cell?.type === 'number') {
    const digits = wholeDigits(text);
    return digits === undefined ? lostDigits(view, text) : value(digits);
  }
  const [hidden] = isPlain ? [] : hiddenIn(text);
  if (hidden !== undefined) return wrong(view, 'PB-CELL-CHARS', { character: codePointOf(hidden) });
  if (text.length > longest) return wrong(view, tooLong, { length: text.length, limit: longest });
  return value(text);
}

/**
 * Returns the issue of a number cell that is not an identifier: it has a fraction or a minus, or more digits than
 * a spreadsheet keeps.
 */
function lostDigits(view: CellView, stored: string): Reading<never> {
  const stray = /[^\d]/.exec(plainDecimal(stored) ?? '');
  return stray ? wrong(view, 'PB-CELL-CHARS', { character: stray[0] }) : wrong(view, 'PB-ACCOUNT-DIGITS');
}

/**
 * Characters that folding would turn into another digit or letter (`²`, `①`, full-width `５`), digits of other scripts, and
 * the replacement character.
 */
const LOOK_ALIKE = /[^\P{N}0-9]|\ufffd/u;

/**
 * Reads an account that money goes to. Nothing in it is folded: `12²` is a footnote to account 12 at least as often as it is
 * account 122. A text mark of Excel is refused, because it is not part of the account.
 */
export function readAccount(view: CellView, longest: number, missing: IssueCode): Reading<string> {
  const identifier = readIdentifier(view, longest, missing, 'PB-ACCOUNT-LENGTH');
  const text = trimmed(view);
  if (!identifier.ok || view.cell?.type === 'number') return identifier;
  const mark = TEXT_MARK.exec(text);
  if (mark) return wrong(view, 'PB-CELL-CHARS', { character: mark[0] });
  if (isPlainAscii(text)) return identifier;
  const folded = [...text].find((character) => LOOK_ALIKE.test(character) || isFolded(character));
  return folded === undefined ? identifier : wrong(view, 'PB-CELL-CHARS', { character: visible(folded) });
}

/** Warns of an account from a number cell: a spreadsheet has dropped its leading zeros, if it had any. */
export const warnOfNumber = (view: CellView, reading: Reading<string>): Reading<string> =>
  view.cell?.type === 'number' ? warned(reading, issueAt(view, 'PB-ACCOUNT-NUMBER')) : reading;

const isFolded = (character: string): boolean =>
  character.trim() !== '' && character.normalize('NFKC') !== character.normalize('NFC');

/** Reads a number of a business: only ASCII digits, of a length in the range; spaces and hyphens between them are ignored. */
export function readDigits(view: CellView, fewest: number, most: number, code: IssueCode): Reading<string> {
  const identifier = readAccount(view, Number.POSITIVE_INFINITY, 'PB-CELL-MISSING');
  if (!identifier.ok) return identifier;
  const digits = identifier.value.replace(/[ -]/g, '');
  return new RegExp(`^[0-9]{${fewest},${most}}$`).test(digits) ? value(digits) : wrong(view, code);
}

/** Readers for columns that hold text and numbers that are names: references, accounts, notes. */
import type { IssueCode } from '../domain/issue.ts';
import { type CellView, damageOf, issueAt, type Reading, trimmed, value, wrong } from './column.ts';
import { plainDecimal, wholeDigits } from './number-cell.ts';
import { TEXT_MARK } from './repair.ts';

// Control, format (zero-width, bidirectional) and unassigned characters have no place in an identifier.
const HIDDEN_CHARACTER = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]/u;
const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]+/gu;

/** Control characters that are neither white space nor a line break: the text around them was damaged on its way. */
const CONTROL_CHARACTER = /[^\P{Cc}\s]|(?<!\n)\r(?!\n)/u;

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** A character for a message: itself, or the number of one that nobody could see. */
export const visible = (character: string): string =>
  HIDDEN_CHARACTER.test(character) || character.trim() === '' ? codePoint(character) : character;

/** Letters of two alphabets that look alike, which one keyboard does not write into one name. */
const LATIN = /\p{Script=Latin}/u;
const LOOK_ALIKE_LETTER = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** A name that mixes alphabets is warned of: somebody may pass for somebody else. */
export function warnOfScripts(view: CellView, reading: Reading<string>): Reading<string> {
  const other = reading.ok && LATIN.test(reading.value) ? LOOK_ALIKE_LETTER.exec(reading.value)?.[0] : undefined;
  if (!reading.ok || other === undefined) return reading;
  return { ...reading, warning: issueAt(view, 'PB-NAME-SCRIPTS', { character: `${other} (${codePoint(other)})` }) };
}

/** Free text for people: invisible characters inside are taken out, runs of white space become one space. */
export function readFreeText(view: CellView, longest: number, missing?: IssueCode): Reading<string> {
  const damage = damageOf(view);
  if (damage) return { ok: false, issue: damage };
  if (view.cell?.type === 'date') return wrong(view, 'PB-CELL-DATE');
  if (missing && view.cell?.type === 'boolean') return wrong(view, 'PB-CELL-BOOLEAN');
  const control = CONTROL_CHARACTER.exec(trimmed(view));
  if (control) return wrong(view, 'PB-CELL-CHARS', { character: codePoint(control[0]) });
  const text = trimmed(view)
    .replace(/\s/gu, ' ')
    .replace(HIDDEN_CHARACTERS, '')
    .replace(/ +/g, ' ')
    .trim()
    .normalize('NFC');
  if (text === '' && missing) return wrong(view, missing);
  if (text.length > longest) return wrong(view, 'PB-TEXT-LENGTH', { length: text.length, limit: longest });
  return value(text);
}

/**
 * An identifier: exact characters matter. A number cell is read as its whole digits; one that has more digits than a
 * spreadsheet keeps is refused, because its last digits are not the ones that were typed.
 */
export function readIdentifier(
  view: CellView,
  longest: number,
  missing: IssueCode,
  tooLong: IssueCode = 'PB-TEXT-LENGTH',
): Reading<string> {
  const damage = damageOf(view);
  if (damage) return { ok: false, issue: damage };
  const text = trimmed(view).normalize('NFKC');
  if (text === '') return wrong(view, missing);
  if (view.cell?.type === 'date') return wrong(view, 'PB-CELL-DATE');
  if (view.cell?.type === 'boolean') return wrong(view, 'PB-CELL-BOOLEAN');
  if (view.cell?.type === 'number') {
    const digits = wholeDigits(text);
    return digits === undefined ? lostDigits(view, text) : value(digits);
  }
  const hidden = HIDDEN_CHARACTER.exec(text);
  if (hidden) return wrong(view, 'PB-CELL-CHARS', { character: codePoint(hidden[0]) });
  if (text.length > longest) return wrong(view, tooLong, { length: text.length, limit: longest });
  return value(text);
}

/** A number cell that is no identifier: it has a fraction or a minus, or more digits than a spreadsheet keeps. */
function lostDigits(view: CellView, stored: string): Reading<never> {
  const stray = /[^\d]/.exec(plainDecimal(stored) ?? '');
  return stray ? wrong(view, 'PB-CELL-CHARS', { character: stray[0] }) : wrong(view, 'PB-ACCOUNT-DIGITS');
}

/** What folding would turn into another digit or letter (`²`, `①`, full-width `５`), and digits of other scripts. */
const LOOK_ALIKE = /[^\P{N}0-9]/u;

/**
 * An account that money goes to. Nothing in it is folded: `12²` is a footnote to account 12 at least as often as it is
 * account 122. Excel's own mark for text is no part of it.
 */
export function readAccount(view: CellView, longest: number, missing: IssueCode): Reading<string> {
  const identifier = readIdentifier(view, longest, missing, 'PB-ACCOUNT-LENGTH');
  const text = trimmed(view);
  if (!identifier.ok || view.cell?.type === 'number') return identifier;
  const mark = TEXT_MARK.exec(text);
  if (mark) return wrong(view, 'PB-CELL-CHARS', { character: mark[0] });
  const folded = [...text].find((character) => LOOK_ALIKE.test(character) || isFolded(character));
  return folded === undefined ? identifier : wrong(view, 'PB-CELL-CHARS', { character: visible(folded) });
}

/** An account from a number cell is warned of: a spreadsheet has dropped the zeros in front of it, if it had any. */
export const warnOfNumber = (view: CellView, reading: Reading<string>): Reading<string> =>
  reading.ok && view.cell?.type === 'number' ? { ...reading, warning: issueAt(view, 'PB-ACCOUNT-NUMBER') } : reading;

const isFolded = (character: string): boolean =>
  character.trim() !== '' && character.normalize('NFKC') !== character.normalize('NFC');

/** A number of a business: ASCII digits only, of a length in the range; spaces and hyphens between them are ignored. */
export function readDigits(view: CellView, fewest: number, most: number, code: IssueCode): Reading<string> {
  const identifier = readAccount(view, Number.POSITIVE_INFINITY, code);
  if (!identifier.ok) return identifier;
  const digits = identifier.value.replace(/[ -]/g, '');
  return new RegExp(`^[0-9]{${fewest},${most}}$`).test(digits) ? value(digits) : wrong(view, code);
}

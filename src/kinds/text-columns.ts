/** Readers for columns that hold text and numbers that are names: references, accounts, notes. */
import type { IssueCode } from '../domain/issue.ts';
import { type CellView, damageOf, type Reading, trimmed, value, wrong } from './column.ts';
import { plainDecimal, wholeDigits } from './number-cell.ts';

// Control, format (zero-width, bidirectional) and unassigned characters have no place in an identifier.
const HIDDEN_CHARACTER = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]/u;
const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]+/gu;

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** A character for a message: itself, or the number of one that nobody could see. */
export const visible = (character: string): string =>
  HIDDEN_CHARACTER.test(character) || character.trim() === '' ? codePoint(character) : character;

/** Free text for people: invisible characters inside are taken out, runs of white space become one space. */
export function readFreeText(view: CellView, longest: number, missing?: IssueCode): Reading<string> {
  const damage = damageOf(view);
  if (damage) return { ok: false, issue: damage };
  if (view.cell?.type === 'date') return wrong(view, 'PB-CELL-DATE');
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
export function readIdentifier(view: CellView, longest: number, missing: IssueCode): Reading<string> {
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
  if (text.length > longest) return wrong(view, 'PB-TEXT-LENGTH', { length: text.length, limit: longest });
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
 * account 122.
 */
export function readAccount(view: CellView, longest: number, missing: IssueCode): Reading<string> {
  const identifier = readIdentifier(view, longest, missing);
  const text = trimmed(view);
  if (!identifier.ok || view.cell?.type === 'number') return identifier;
  const folded = [...text].find((character) => LOOK_ALIKE.test(character) || isFolded(character));
  return folded === undefined ? identifier : wrong(view, 'PB-CELL-CHARS', { character: visible(folded) });
}

const isFolded = (character: string): boolean =>
  character.trim() !== '' && character.normalize('NFKC') !== character.normalize('NFC');

/** A number of a business: ASCII digits only, of a length in the range; spaces and hyphens between them are ignored. */
export function readDigits(view: CellView, fewest: number, most: number, code: IssueCode): Reading<string> {
  const identifier = readAccount(view, 40, code);
  if (!identifier.ok) return identifier;
  const digits = identifier.value.replace(/[ -]/g, '');
  return new RegExp(`^[0-9]{${fewest},${most}}$`).test(digits) ? value(digits) : wrong(view, code);
}

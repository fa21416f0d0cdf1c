/** Readers for columns that hold text and numbers that are names: references, accounts, notes. */
import type { IssueCode } from '../domain/issue.ts';
import { type CellView, damageOf, type Reading, trimmed, value, wrong } from './column.ts';
import { wholeDigits } from './number-cell.ts';

// Control, format (zero-width, bidirectional) and unassigned characters have no place in an identifier.
const HIDDEN_CHARACTER = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]/u;
const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]+/gu;

const named = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Free text for people: invisible characters inside are taken out, runs of white space become one space. */
export function readFreeText(view: CellView, longest: number, missing?: IssueCode): Reading<string> {
  const damage = damageOf(view);
  if (damage) return { ok: false, issue: damage };
  const text = trimmed(view)
    .replace(/[\s\u00a0]+/gu, ' ')
    .replace(HIDDEN_CHARACTERS, '')
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
  if (view.cell?.type === 'number') {
    const digits = wholeDigits(text);
    return digits === undefined ? wrong(view, 'PB-ACCOUNT-DIGITS') : value(digits);
  }
  const hidden = HIDDEN_CHARACTER.exec(text);
  if (hidden) return wrong(view, 'PB-CELL-CHARS', { character: named(hidden[0]) });
  if (text.length > longest) return wrong(view, 'PB-TEXT-LENGTH', { length: text.length, limit: longest });
  return value(text);
}

/** A number of a business: ASCII digits only, of a length in the range; spaces and hyphens between them are ignored. */
export function readDigits(view: CellView, fewest: number, most: number, code: IssueCode): Reading<string> {
  const identifier = readIdentifier(view, 40, code);
  if (!identifier.ok) return identifier;
  const digits = identifier.value.replace(/[ -]/g, '');
  return new RegExp(`^[0-9]{${fewest},${most}}$`).test(digits) ? value(digits) : wrong(view, code);
}

/**
 * What stands in a cell and is no value: what programs and people write where there is none, what a spreadsheet writes where it
 * failed, and what a program leaves of a number that it calculated with. Always the whole cell: `N/A` inside of a text is a part of it.
 */
import type { Cell } from '../domain/cell.ts';
import {
  type CellView,
  type Column,
  damageOf,
  issueAt,
  type ReadContext,
  type Reading,
  trimmed,
  warned,
  withoutEdges,
  wrong,
} from './column.ts';
import { isInk } from './plain-text.ts';

/** What people write where a value is still to come: that it is, says more than that there is none. */
const PROMISES: ReadonlySet<string> = new Set([
  'tba',
  'tbc',
  'tbd',
  'to be advised',
  'to be confirmed',
  'to be announced',
  'to follow',
  'à venir',
  'itafuata',
]);

/** Lower case. What databases and programs write for nothing, what people write for it, and what they mean to fill in later. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  ...['null', '<null>', '(null)', '[null]', 'nan', '<na>', 'none', 'nil', 'undefined', '(blank)', '(empty)'],
  ...['n/a', '#n/a', 'n.a.', 'n.a', 'na', 'not applicable', 'not available', 'unknown'],
  ...PROMISES,
  ...['hakuna', 'haipo', 'aucun', 'aucune', 'néant', 'inconnu'],
]);
const LONGEST_PLACEHOLDER = Math.max(...[...PLACEHOLDERS].map(({ length }) => length));

/** A dash, a question mark, and the like (`-`, `--`, `?`, `…`), or a zero. */
const SIGNS_OR_ZERO = /^(?:[-–—−_?.…*/\\]+|0+(?:[.,]0+)?)$/;

/** The error values of spreadsheet programs, also as a CSV file or another language has them: `#REF!`, `#NOM ?`, `Err:502`. */
const ERROR_VALUE = /^(?:#(?:N\/[AD]|GETTING_DATA|[\p{L}\d/]+[ \u00a0\u202f]?[!?])|Err:\d{3})$/iu;

/** `1.23457E+11` and `14250123456.0`: numbers that a program calculated with. Digits alone are as they were typed; `12E5` is a house. */
const CALCULATED = /^[+-]?\d+(?:[.,]\d+E[+-]?\d+|E[+-]\d+|[.,]0+)$/i;

const FIRST_DIGIT = '1'.charCodeAt(0);
const LAST_DIGIT = '9'.charCodeAt(0);

/** Whether a cell holds a placeholder; `#N/A` is one, because it says "not available". */
export function isPlaceholder({ text: written, merged }: Cell): boolean {
  // Most cells are numbers and longer texts.
  const first = written.charCodeAt(0);
  if ((first >= FIRST_DIGIT && first <= LAST_DIGIT) || merged) return false;
  const text = withoutEdges(written);
  if (text.length > LONGEST_PLACEHOLDER) return false;
  return SIGNS_OR_ZERO.test(text) || PLACEHOLDERS.has(text.toLowerCase());
}

/** Whether a placeholder announces a value: whoever is to be paid by it is not to be paid in another way meanwhile. */
const isPromise = ({ text }: Cell): boolean => PROMISES.has(withoutEdges(text).toLowerCase());

/** Whether a cell holds the error of a spreadsheet program. */
export function isErrorValue({ type, text }: Cell): boolean {
  if (type === 'error') return true;
  // Asked of every cell of a sheet, and nearly all begin with another letter or digit.
  const first = text.charAt(0);
  if (first !== '#' && first !== 'E' && first !== 'e' && isInk(text.charCodeAt(0))) return false;
  return ERROR_VALUE.test(withoutEdges(text));
}

const isNoValue = (cell: Cell): boolean => isPlaceholder(cell) || isErrorValue(cell);

/** Whether a text is a number that a program wrote; a number cell is not judged by its text. */
export const isCalculated = ({ type, text }: Cell): boolean => type === 'text' && CALCULATED.test(withoutEdges(text));

/**
 * The same column, which takes no placeholder for a value. Where it may be left empty, one is empty. Where it may not, or is the
 * reference, it is an issue that quotes the cell. A name is only warned of, because people are called Nan, Null and None, and an
 * amount has sentences of its own for what is none. A calculated number is no account, and a warning in a reference.
 */
export function withoutPlaceholders<T>(column: Column<T>): Column<T> {
  const { calculated, format, required, decides } = column;
  const read = (view: CellView, context: ReadContext): Reading<T> => {
    const { cell } = view;
    if (!cell || format === 'amount' || damageOf(view)) return column.read(view, context);
    if (column.warnsOfPlaceholders) return warnedOf(view, column.read(view, context));
    if (isNoValue(cell)) {
      const { row, address, heading } = view;
      if (!required && decides !== 'identity') return column.read({ row, address, heading }, context);
      return wrong(view, isErrorValue(cell) ? 'PB-CELL-ERROR' : 'PB-PLACEHOLDER');
    }
    if (calculated === undefined || !isCalculated(cell)) return column.read(view, context);
    if (calculated === 'refused') return wrong(view, 'PB-NUMBER-FORM');
    return warned(column.read(view, context), { ...issueAt(view, 'PB-NUMBER-FORM'), level: 'warning' });
  };
  return { ...column, read };
}

/** A name may stand in several cells, and one of them can be no value. */
function warnedOf<T>(view: CellView, reading: Reading<T>): Reading<T> {
  const { cell, parts = cell ? [cell] : [] } = view;
  const found = parts.find(isNoValue);
  return found ? warned(reading, { ...issueAt({ ...view, cell: found }, 'PB-NAME-PLACEHOLDER') }) : reading;
}

/** Whether a cell holds anything. One that lost its value, or is covered by a merged one, does. */
const holdsAnything = (view: CellView): boolean =>
  view.cell !== undefined && (trimmed(view) !== '' || damageOf(view) !== undefined);

/**
 * Which of these are filled in. Where all that is there are placeholders, one of them lacks its value, so they count then. A value that
 * is still to come always counts: a till that is `TBA` must not make its contact's phone the payee.
 */
export function filledIn<T>(all: readonly T[], viewOf: (one: T) => CellView): readonly T[] {
  const held = all.filter((one) => holdsAnything(viewOf(one)));
  const filled = held.filter((one) => {
    const { cell } = viewOf(one);
    return cell && (!isPlaceholder(cell) || isPromise(cell));
  });
  return filled.length > 0 ? filled : held;
}

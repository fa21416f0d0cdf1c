/**
 * Cells whose content is not a value: what programs and people write if there is none, what a spreadsheet writes if it
 * failed, and what a program leaves of a number that it calculated with. It is always the whole cell: `N/A` inside a text is
 * a part of that text.
 */
import type { Cell } from '../domain/cell.ts';
import {
  type CellView,
  type Column,
  damageOf,
  isEmpty,
  issueAt,
  type ReadContext,
  type Reading,
  warned,
  withoutEdges,
  wrong,
} from './column.ts';
import { isInk } from './plain-text.ts';

/** What people write if a value is still to come. That says more than that there is no value. */
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

/** In lower case: what databases and programs write for nothing, what people write for it, and what they mean to fill in later. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  ...['null', '<null>', '(null)', '[null]', 'nan', '<na>', 'none', 'nil', 'undefined', '(blank)', '(empty)'],
  ...['n/a', '#n/a', 'n.a.', 'n.a', 'na', 'not applicable', 'not available', 'unknown'],
  ...PROMISES,
  ...['hakuna', 'haipo', 'aucun', 'aucune', 'néant', 'inconnu'],
]);
const LONGEST_PLACEHOLDER = Math.max(...[...PLACEHOLDERS].map(({ length }) => length));

/** Marks that repeat the cell above, in which nobody is named. */
const DITTO = /^(?:["“”〃]|''|’’|-?\s*(?:do|ditto|idem|same)\.?\s*-?|(?:same )?as above)$/i;

/** What stands in the first rows of forms, to show how they are filled in: `e.g. Jane Wanjiku`, `SAMPLE`. */
const EXAMPLE =
  /^(?:e\.?g[.:,\s]|(?:examples?|exemples?|samples?|mfano)(?:\s+(?:name|nom|row|only))?\s*(?:$|[:–—-])|(?:test|testing|dummy|demo|john doe|vacant(?:\s+(?:post|position))?)$)/i;

/** A dash, a question mark or a similar sign (`-`, `--`, `?`, `…`), or a zero. */
const SIGNS_OR_ZERO = /^(?:[-–—−_?.…*/\\]+|0+(?:[.,]0+)?)$/;

/** The error values of spreadsheet programs, also as a CSV file or another language writes them: `#REF!`, `#NOM ?`, `Err:502`. */
const ERROR_VALUE = /^(?:#(?:N\/[AD]|GETTING_DATA|[\p{L}\d/]+[ \u00a0\u202f]?[!?])|Err:\d{3})$/iu;

/**
 * `1.23457E+11` and `14250123456.0`: numbers that a program calculated with. Digits alone are as they were typed; `12E5` is
 * a house number.
 */
const CALCULATED = /^[+-]?\d+(?:[.,]\d+E[+-]?\d+|E[+-]\d+|[.,]0+)$/i;

const FIRST_DIGIT = '1'.charCodeAt(0);
const LAST_DIGIT = '9'.charCodeAt(0);

/** Reports whether a cell holds a placeholder; `#N/A` is one, because it says "not available". */
export function isPlaceholder({ text: written, merged }: Cell): boolean {
  // Fast path: most cells are numbers or longer texts.
  const first = written.charCodeAt(0);
  if ((first >= FIRST_DIGIT && first <= LAST_DIGIT) || merged) return false;
  const text = withoutEdges(written);
  if (text.length > LONGEST_PLACEHOLDER) return false;
  return SIGNS_OR_ZERO.test(text) || PLACEHOLDERS.has(text.toLowerCase());
}

/**
 * Reports whether a placeholder announces a value. A payee whose value is still to come must not be paid in another way
 * in the meantime.
 */
const isPromise = ({ text }: Cell): boolean => PROMISES.has(withoutEdges(text).toLowerCase());

/** Reports whether a cell holds the error value of a spreadsheet program. */
export function isErrorValue({ type, text }: Cell): boolean {
  if (type === 'error') return true;
  // Every cell of a sheet is checked, and nearly all begin with another letter or digit.
  const first = text.charAt(0);
  if (first !== '#' && first !== 'E' && first !== 'e' && isInk(text.charCodeAt(0))) return false;
  return ERROR_VALUE.test(withoutEdges(text));
}

const isNoValue = (cell: Cell): boolean => isPlaceholder(cell) || isErrorValue(cell);

/** Reports whether a text is a number that a program wrote. A number cell is not judged by its text. */
export const isCalculated = ({ type, text }: Cell): boolean => type === 'text' && CALCULATED.test(withoutEdges(text));

/**
 * Returns the column in a form that takes no placeholder for a value. In a column that may be left empty, a placeholder is
 * empty. In a required column, or the reference, it is an issue that quotes the cell. A name only gets a warning, because
 * people are called Nan, Null and None, and an amount has its own sentences for what is not one. A calculated number is
 * refused as an account, and gets a warning in a reference.
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

/** Reports whether a text stands where a name would and is none: an example, or a mark that repeats the cell above. */
export const isNoName = (text: string): boolean => EXAMPLE.test(text) || DITTO.test(text);

/** Warns of a name that is not a value or is an example, or has such a part: a name may be spread over several cells. */
function warnedOf<T>(view: CellView, reading: Reading<T>): Reading<T> {
  const { cell, parts = cell ? [cell] : [] } = view;
  const found = parts.find((part) => isNoValue(part) || isNoName(withoutEdges(part.text)));
  return found ? warned(reading, { ...issueAt({ ...view, cell: found }, 'PB-NAME-PLACEHOLDER') }) : reading;
}

/**
 * Returns those of `all` that are filled in. If all of them hold placeholders, one lacks its value, so then placeholders
 * count. A value that is still to come always counts: a till that is `TBA` must not turn its contact's phone into the payee.
 */
export function filledIn<T>(all: readonly T[], viewOf: (one: T) => CellView): readonly T[] {
  const held = all.filter((one) => !isEmpty(viewOf(one)));
  const filled = held.filter((one) => {
    const { cell } = viewOf(one);
    return cell && (!isPlaceholder(cell) || isPromise(cell));
  });
  return filled.length > 0 ? filled : held;
}

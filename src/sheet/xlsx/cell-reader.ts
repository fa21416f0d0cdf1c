/**
 * Reads one cell from the XML of its row: its raw text according to how it is stored, its type, its address, and whether a
 * formula computed it.
 */
import { addressOf, type Cell, type CellType } from '../../domain/cell.ts';
import type { SheetLimits } from '../sheet-limits.ts';
import { damaged } from '../unreadable.ts';
import { ownText, positionOf, unescapeText } from './cell-text.ts';
import { richText, type SharedStrings, tooLong } from './shared-strings.ts';
import type { Styles } from './styles.ts';
import type { Attributes, XmlHandler } from './xml.ts';

/** The parts of a workbook that the cells of a worksheet refer to. */
export interface CellSources {
  readonly strings: SharedStrings;
  readonly styles: Styles;
  readonly limits: SheetLimits;
  /** Whether the dates of the workbook count from 1904. */
  readonly from1904?: boolean;
  /** Whether cells carry the texts of their formulas as well. */
  readonly formulas?: boolean;
}

/** Types of cells by the attribute `t` of `<c t="…">`; a cell without `t` is a number. */
const storedTypes: ReadonlyMap<string, CellType> = new Map([
  ['n', 'number'],
  ['s', 'text'],
  ['str', 'text'],
  ['inlineStr', 'text'],
  ['b', 'boolean'],
  ['e', 'error'],
  ['d', 'date'],
]);

/** The cell that is being read. */
interface OpenCell {
  readonly column: number;
  readonly address: string;
  readonly stored: string;
  readonly style: number;
  value: string;
  hasValue: boolean;
  hasFormula: boolean;
  formula: string;
  /** Whether a run of the cell's inline text is struck through. */
  struck: boolean;
}

export interface CellReader extends Required<Omit<XmlHandler, 'foreign'>> {
  /** Begins a row: its cells count from column A again. */
  readonly startRow: (row: number) => void;
  /** Begins a cell (`<c>`). Everything up to its end must be passed to `open`, `text` and `close`. */
  readonly start: (attributes: Attributes) => void;
  /** Reports whether a value or a formula is open, which must hold nothing but its own content. */
  readonly isInValue: () => boolean;
  /** Returns the cell that has ended, or `undefined` if it holds nothing. */
  readonly take: () => Cell | undefined;
}

export function cellReader(sources: CellSources): CellReader {
  const { cellCharacters } = sources.limits;
  const inline = richText(cellCharacters);
  let cell = openCell(0);
  let row = 0;
  let inside: 'cell' | 'value' | 'formula' | 'inline' = 'cell';

  function start({ r, t = 'n', s = '0' }: Attributes): void {
    const position = r === undefined ? { column: cell.column + 1, row } : positionOf(r);
    if (position?.row !== row) throw damaged(`Row ${row} holds a cell with the address "${r?.slice(0, 20)}".`);
    const { column } = position;
    const address = r ?? addressOf(column, row);
    if (column <= cell.column) throw damaged(`The cells of row ${row} are not in order at ${address}.`);
    cell = openCell(column, address, t, Number(s));
  }

  return {
    startRow(number) {
      row = number;
      cell = openCell(0);
    },
    start,
    open(name, attributes) {
      if (inside === 'inline') return inline.open(name, attributes);
      const isValue = name === 'v' || name === 'is';
      // Joined, two values would become a third one: 1 and 500 are not 1500.
      if (inside === 'value' || (isValue && cell.hasValue)) throw damaged(`Cell ${cell.address} holds two values.`);
      if (name === 'c' || name === 'row') throw damaged(`Cell ${cell.address} holds another cell.`);
      if (inside === 'formula' || !(isValue || name === 'f')) {
        throw damaged(`Cell ${cell.address} holds the element <${name.slice(0, 20)}>.`);
      }
      if (name === 'f') {
        cell.hasFormula = true;
        inside = 'formula';
        return;
      }
      inside = name === 'v' ? 'value' : 'inline';
      inline.start();
    },
    text(text) {
      if (inside === 'inline') inline.text(text);
      if (inside === 'formula' && sources.formulas && cell.formula.length <= cellCharacters) cell.formula += text;
      if (inside !== 'value') return;
      cell.value += text;
      if (cell.value.length > cellCharacters) throw tooLong(cellCharacters);
    },
    close(name) {
      if (inside === 'inline' && name !== 'is') inline.close(name);
      else if (name === 'f') inside = 'cell';
      else if (name === 'v' || name === 'is') {
        if (name === 'is') {
          cell.value = inline.take();
          cell.struck = inline.isStruck();
        }
        inside = 'cell';
        cell.hasValue = true;
      }
    },
    isInValue: () => inside !== 'cell',
    take: () => cellOf(cell, sources),
  };
}

const openCell = (column: number, address = '', stored = 'n', style = 0): OpenCell => ({
  column,
  address,
  stored,
  style,
  value: '',
  hasValue: false,
  hasFormula: false,
  formula: '',
  struck: false,
});

/** Returns the cell as readers of the sheet see it, or `undefined` if it holds nothing. */
function cellOf(cell: OpenCell, sources: CellSources): Cell | undefined {
  const { address, hasFormula } = cell;
  const stored = storedTypes.get(cell.stored);
  if (stored === undefined) throw damaged(`Cell ${address} is of the unknown type "${cell.stored.slice(0, 20)}".`);
  const text = cell.hasValue ? textOf(cell, sources) : '';
  // An empty text that a formula computed is an empty value, not a missing one: `=IF(A1="","",…)` dragged below the table.
  const isMissing = hasFormula && text === '' && !(cell.hasValue && stored === 'text');
  if (text === '' && !isMissing) return undefined;
  const type = stored === 'number' && text !== '' && isDateStyle(cell, sources) ? 'date' : stored;
  const read = shown(cell, type, text, sources);
  if (!hasFormula) return read;
  const said = sources.formulas ? { formulaText: cell.formula } : undefined;
  return { ...read, formula: isMissing ? 'missing' : 'cached', ...said };
}

/**
 * Returns the cell, with its number format, the 1904 date system or a strike-through where these apply. Nearly all cells are
 * built in the last line, without the rest.
 */
function shown(cell: OpenCell, type: CellType, text: string, sources: CellSources): Cell {
  const { column, address, style } = cell;
  const { styles, from1904 } = sources;
  const format = styles.formatOf(style);
  const isShown =
    format !== undefined && (type === 'text' ? format.texts !== undefined : type === 'number' || type === 'date');
  const isOf1904 = from1904 && type === 'date';
  if (isOf1904 || isStruck(cell, sources)) {
    return {
      column,
      address,
      type,
      text,
      ...(isShown && { format }),
      ...(isOf1904 && { from1904 }),
      ...(isStruck(cell, sources) && { struck: true }),
    };
  }
  return isShown ? { column, address, type, text, format } : { column, address, type, text };
}

const isStruck = ({ stored, value, style, struck }: OpenCell, { styles, strings }: CellSources): boolean =>
  struck || styles.isStruck(style) || (stored === 's' && strings.isStruck(Number(value)));

function textOf({ stored, value, address }: OpenCell, { strings }: CellSources): string {
  if (stored === 's') {
    const text = /^\s*\d+\s*$/.test(value) ? strings.get(Number(value)) : undefined;
    if (text === undefined) throw damaged(`Cell ${address} points to a shared text that does not exist.`);
    return text;
  }
  if (stored === 'str' || stored === 'inlineStr') return unescapeText(ownText(value));
  const bare = ownText(value.trim());
  if (stored !== 'b') return bare;
  // As Excel shows it, so that a ticked box is not taken for the amount 1.
  if (bare === '1' || bare === 'true') return 'TRUE';
  return bare === '0' || bare === 'false' ? 'FALSE' : bare;
}

function isDateStyle({ style, address }: OpenCell, { styles }: CellSources): boolean {
  if (styles.count > 0 && !(style >= 0 && style < styles.count)) {
    throw damaged(`Cell ${address} has a style that does not exist.`);
  }
  return styles.isDate(style);
}

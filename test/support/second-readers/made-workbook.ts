/**
 * Workbooks made up from a seed: what stands in them is known, whoever writes them. Values lean to what goes wrong:
 * escapes, long digits, dates beside numbers, formulas with and without results, sparse columns, merged ranges.
 */
import { addressOf } from '../../../src/domain/cell.ts';
import { type Chance, chanceOf } from '../seeded-random.ts';

export const programs = ['exceljs', 'openpyxl', 'xlsxwriter', 'by hand'] as const;
export type Program = (typeof programs)[number];

/** A stored value: `number` has the digits as they are to stand in the file. */
export type MadeValue =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'rich'; readonly value: readonly string[] }
  | { readonly kind: 'number'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'error'; readonly value: string };

export type MadeCell = {
  readonly row: number;
  readonly column: number;
  readonly address: string;
  /** Number format; undefined: the general one. */
  readonly format?: string;
} & (MadeValue | { readonly kind: 'formula'; readonly value: string; readonly cached?: MadeValue });

export interface MadeWorkbook {
  readonly seed: number;
  readonly program: Program;
  readonly name: string;
  readonly date1904: boolean;
  /** Texts stand in the cells instead of a table of their own. */
  readonly inline: boolean;
  /** From the top down, and from left to right. */
  readonly cells: readonly MadeCell[];
  /** Ranges that do not overlap: `B2:C4`. */
  readonly merged: readonly string[];
  readonly hidden: readonly number[];
}

/** Formats, and whether they show a date or a time. */
export const formats: ReadonlyMap<string, boolean> = new Map([
  ['yyyy-mm-dd', true],
  ['dd/mm/yyyy', true],
  ['d-mmm', true],
  ['h:mm', true],
  ['dd mmm yyyy hh:mm', true],
  ['[h]:mm:ss', true],
  ['mm:ss.0', true],
  ['[$-409]d-mmm-yy', true],
  ['yyyy"y"', true],
  ['0.00', false],
  ['#,##0.00', false],
  ['"KSh" #,##0', false],
  ['0%', false],
  ['0.00E+00', false],
  ['@', false],
  ['[Red]0.00', false],
  ['#,##0.00;[Red]-#,##0.00', false],
  ['0" days"', false],
  ['_-* #,##0_-', false],
  ['[$KES] #,##0.00', false],
  ['0\\d', false],
  ['[Magenta]0', false],
]);

const dateFormats = [...formats].filter(([, isDate]) => isDate).map(([format]) => format);
const numberFormats = [...formats].filter(([, isDate]) => !isDate).map(([format]) => format);

const pieces = [
  ...['Jane', 'Wanjikũ', 'Amount', 'a', '0712345678', '1,500.00', 'TRUE', '007', '1E5', '#N/A', '12/11/2026'],
  ...[' ', '  ', '\t', '\n', '\r', '\r\n', '\u00a0', '\u200b', '\u202e', '\u2028', '\u0085', '\ufeff', '\u00ad'],
  ...['<b>', '&amp;', '&', '"', "'", ']]>', '<!--', '%', '{0}', '\\', '/', ';', '|'],
  ...['_x000D_', '_x0041_', '_x005F_', '_x005F_x000D_', '_x', '_x00e9_', '_'],
  ...['😀', '👩‍👩‍👧', '東京', 'العربية', 'e\u0301', 'é', '🇰🇪', '\ue000', '\ufffd', 'ﬁ', '１２'],
];

const errors = ['#N/A', '#REF!', '#DIV/0!', '#VALUE!', '#NAME?', '#NUM!', '#NULL!'];
const oddNumbers = ['0', '1', '-1', '0.1', '712345678', '254712345678', '1234.5', '123456789012345', '1E+21', '1E-7'];

function textOf(chance: Chance): string {
  const text = Array.from({ length: chance.between(1, chance.onceIn(10) ? 30 : 5) }, () => chance.pick(pieces)).join(
    '',
  );
  if (chance.onceIn(8)) return `${chance.pick(['=', '+', '-', '@', '=SUM(', ' '])}${text}`;
  return chance.onceIn(60) ? text.repeat(40) : text;
}

/** The shortest digits of a double, or digits that only a text of the file can hold. */
function digitsOf(chance: Chance): string {
  switch (chance.below(5)) {
    case 0:
      return chance.pick(oddNumbers);
    case 1:
      return String(chance.below(1_000_000));
    case 2:
      return String(chance.below(100_000_000) / 100);
    case 3:
      return String((chance.below(2 ** 31) + 1) / (chance.below(997) + 1));
    default:
      return `${chance.onceIn(3) ? '-' : ''}${String(chance.below(2 ** 31) * 10 ** chance.between(-12, 9))}`;
  }
}

function drawnValue(chance: Chance): MadeValue {
  const draw = chance.below(12);
  if (draw < 6) return { kind: 'text', value: textOf(chance) };
  if (draw < 7) return { kind: 'rich', value: Array.from({ length: chance.between(2, 4) }, () => textOf(chance)) };
  if (draw < 10) return { kind: 'number', value: digitsOf(chance) };
  if (draw < 11) return { kind: 'boolean', value: chance.onceIn(2) };
  return { kind: 'error', value: chance.pick(errors) };
}

const serialOf = (chance: Chance): string => {
  const day = chance.onceIn(8) ? chance.below(61) : chance.between(61, 60_000);
  return String(chance.onceIn(3) ? day + chance.below(86_400) / 86_400 : day);
};

const formulas = ['A1', 'SUM(A1:B2)', 'IF(A1="","",A1)', 'A1&"<&>"', 'NA()', 'TODAY()', 'VLOOKUP(A1,B:C,2,FALSE)'];

function cellOf(chance: Chance, row: number, column: number, canRich: boolean): MadeCell {
  const place = { row, column, address: addressOf(column, row) };
  const draw = chance.below(20);
  if (draw === 0) return { ...place, kind: 'number', value: serialOf(chance), format: chance.pick(dateFormats) };
  const value = drawnValue(chance);
  const plain: MadeValue =
    value.kind === 'rich' && (!canRich || draw < 3) ? { kind: 'text', value: value.value.join('') } : value;
  const format = plain.kind === 'number' && chance.onceIn(3) ? { format: chance.pick(numberFormats) } : {};
  if (draw > 2) return { ...place, ...plain, ...format };
  const cached = chance.onceIn(4) ? undefined : plain;
  return { ...place, ...format, kind: 'formula', value: chance.pick(formulas), ...(cached && { cached }) };
}

/** Rising numbers with gaps, now and then with large ones. */
function rising(chance: Chance, count: number, gap: number, most: number): readonly number[] {
  const found: number[] = [];
  for (let at = 0; found.length < count; ) {
    at += chance.onceIn(4) ? chance.between(1, gap) : 1;
    if (at > most) break;
    found.push(at);
  }
  return found;
}

/** Column ZZ. */
const lastColumn = 702;

/** Workbook number `index` of a campaign with this seed; the programs take turns. */
export function madeWorkbook(seed: number, index: number): MadeWorkbook {
  const chance = chanceOf(seed, index);
  const program = programs[index % programs.length] ?? 'by hand';
  const isSparse = chance.onceIn(5);
  const columns = rising(chance, chance.between(1, 9), isSparse ? 200 : 3, lastColumn);
  const rows = rising(chance, chance.between(1, 12), isSparse ? 40 : 3, 500);
  const canRich = program !== 'openpyxl';
  const cells = rows.flatMap((row) =>
    columns.filter(() => !chance.onceIn(6)).map((column) => cellOf(chance, row, column, canRich)),
  );
  const first = { row: 1, column: 1, address: 'A1', kind: 'text', value: textOf(chance) } as const;
  const inline = chance.onceIn(3);
  // In its mode of constant memory xlsxwriter cannot go back to a row.
  const canMerge = program !== 'xlsxwriter' || !inline;
  return {
    seed: index,
    program,
    name: chance.pick(['Payouts', 'Net pay', 'Novembre é', '東京']),
    date1904: chance.onceIn(10),
    inline,
    cells: cells.length > 0 ? cells : [first],
    merged: canMerge && chance.onceIn(3) ? mergedOf(chance, rows, columns) : [],
    hidden: canMerge && chance.onceIn(4) ? rows.filter(() => chance.onceIn(3)) : [],
  };
}

/** Up to two ranges with a cell in their corner, one below the other. */
function mergedOf(chance: Chance, rows: readonly number[], columns: readonly number[]): readonly string[] {
  const ranges: string[] = [];
  let below = 0;
  for (const row of rows) {
    if (row <= below || ranges.length === 2 || !chance.onceIn(3)) continue;
    const column = chance.pick(columns);
    const [right, down] = [column + chance.below(3), row + chance.below(3)];
    if (right === column && down === row) continue;
    ranges.push(`${addressOf(column, row)}:${addressOf(right, down)}`);
    below = down;
  }
  return ranges;
}

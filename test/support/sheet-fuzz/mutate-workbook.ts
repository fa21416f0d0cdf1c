/** Workbooks made false on purpose: in their cells, in their XML, in their zip. One seed gives one mutant. */
import { addressOf } from '../../../src/domain/cell.ts';
import { contentTypes, escapeXml, stylesXml } from '../second-readers/made-workbook-writers.ts';
import { type Chance, chanceOf } from '../seeded-random.ts';
import { workbookParts, type ZipPart, zipBytes } from '../sheets/xlsx-bytes.ts';
import { type BaseCell, type BaseRow, baseTable } from './mutant-bases.ts';
import { mutateXml } from './mutate-xml.ts';

const oddValues = [
  ...['1,500', '1.500', '1 500,00', '1.234,50', '-5', '0', '0.001', '1e3', '1E400', '1e-400', '0x10', '１２', 'NaN'],
  ...[
    'Infinity',
    '-0',
    '+5',
    '5.',
    '.5',
    ' 12 ',
    '12\n',
    '00012',
    '1_000',
    '9999999999999999',
    '123456789012345678901',
  ],
  ...['7.12E+08', '2.54712345678E11', '071234567O', '020 2222222', '0712 345 678/0722 111 222', '#N/A', 'TRUE', ''],
  ...[
    '_x0031_500',
    '_x005F_x0031_',
    '__proto__',
    '=1+1',
    '@SUM(A1)',
    'total',
    'Total:',
    'Amount',
    'Name',
    '\u200b5\u200b',
  ],
  ...['x'.repeat(40_000), '1'.repeat(400), '2026-11-21', '45000.5', '99999999', 'wallet', 'paybill', '600000'],
];
const oddTypes = ['n', 's', 'str', 'inlineStr', 'b', 'e', 'd', 'x', '', 'N'];

/** What the cell layer hands to the XML layer. */
interface Draft {
  readonly rows: readonly BaseRow[];
  readonly merged: readonly string[];
  /** Attributes that replace what the builder would write: `r` of a row or a cell. */
  readonly inline: boolean;
}

type CellMutation = (draft: Draft, chance: Chance) => Draft;

const changedCell =
  (change: (cell: BaseCell, chance: Chance) => readonly BaseCell[]): CellMutation =>
  (draft, chance) => {
    const target = chance.pick(draft.rows.filter(({ cells }) => cells.length > 0));
    const index = chance.below(target.cells.length);
    const cells = target.cells.flatMap((cell, at) => (at === index ? change(cell, chance) : [cell]));
    return { ...draft, rows: draft.rows.map((row) => (row === target ? { ...row, cells } : row)) };
  };

const changedRow =
  (change: (row: BaseRow, chance: Chance) => readonly BaseRow[]): CellMutation =>
  (draft, chance) => {
    const index = chance.below(draft.rows.length);
    return { ...draft, rows: draft.rows.flatMap((row, at) => (at === index ? change(row, chance) : [row])) };
  };

const cellMutations: readonly CellMutation[] = [
  changedCell((cell, chance) => [{ ...cell, value: chance.pick(oddValues) }]),
  changedCell((cell, chance) => [{ ...cell, value: chance.pick(oddValues), type: chance.pick(oddTypes) }]),
  changedCell((cell, chance) => [{ ...cell, type: chance.pick(oddTypes) }]),
  changedCell((cell, chance) => [{ ...cell, style: chance.pick(['0', '1', '2', '3', '99', '-1', 'x', '1.5', '']) }]),
  changedCell((cell, chance) => [{ ...cell, formula: chance.pick(['A1', '', 'SUM(A1:A9)', "'[1]x'!A1"]) }]),
  changedCell((cell) => [{ ...cell, formula: 'A1', value: '' }]),
  changedCell((cell, chance) => [
    { ...cell, column: chance.pick([1, 2, 9, 26, 27, 702, 703, 1_024, 1_025, 16_384, 16_385]) },
  ]),
  changedCell((cell) => [cell, cell]),
  changedCell((cell) => [cell, { ...cell, column: cell.column + 1 }]),
  changedCell(() => []),
  changedRow((row, chance) => [
    { ...row, number: chance.pick([0, 1, 2, row.number + 1, 65_536, 1_048_576, 1_048_577]) },
  ]),
  changedRow((row) => [{ ...row, hidden: true }]),
  changedRow((row) => [row, row]),
  changedRow((row) => [row, { ...row, number: row.number + 1 }]),
  changedRow(() => []),
  changedRow((row) => [{ ...row, cells: row.cells.toReversed() }]),
  changedRow((row, chance) => {
    const total = { column: chance.between(2, 5), type: 'n', value: chance.pick(['1500', '0', '3000.5']) };
    return [row, { number: row.number + 1, hidden: false, cells: [{ column: 1, type: 's', value: 'TOTAL' }, total] }];
  }),
  (draft) => ({ ...draft, rows: draft.rows.toReversed() }),
  (draft, chance) => {
    const [left, top] = [chance.between(1, 5), chance.between(1, 8)];
    const corner = addressOf(left + chance.below(3), top + chance.below(3));
    const odd = ['A1:XFD1048576', 'A1', 'B2:A1', 'A1:', '$A$2:$B$3', '', 'A0:B2', 'ZZZ1:ZZZ2'];
    const range = chance.onceIn(3) ? chance.pick(odd) : `${addressOf(left, top)}:${corner}`;
    return { ...draft, merged: [...draft.merged, range] };
  },
  (draft) => ({ ...draft, inline: !draft.inline }),
];

function partsOf({ rows, merged, inline }: Draft, chance: Chance): ZipPart[] {
  const strings: string[] = [];
  const isBare = chance.onceIn(12);
  const cellXml = ({ column, type, value, style, formula }: BaseCell, row: number): string => {
    const place = isBare ? '' : ` r="${addressOf(column, row)}"`;
    const attributes = `${place}${style === undefined ? '' : ` s="${style}"`}`;
    const f = formula === undefined ? '' : `<f>${escapeXml(formula)}</f>`;
    const text = escapeXml(value);
    if (type === 's' && inline)
      return `<c${attributes} t="inlineStr">${f}<is><t xml:space="preserve">${text}</t></is></c>`;
    if (type === 'inlineStr') return `<c${attributes} t="inlineStr">${f}<is><t>${text}</t></is></c>`;
    if (type === 's') {
      strings.push(`<si><t xml:space="preserve">${text}</t></si>`);
      const index = chance.onceIn(80) ? chance.pick([-1, strings.length, 1e9, 0.5]) : strings.length - 1;
      return `<c${attributes} t="s">${f}<v>${index}</v></c>`;
    }
    return `<c${attributes}${type === 'n' ? '' : ` t="${type}"`}>${f}<v>${text}</v></c>`;
  };
  const rowXml = rows.map(
    ({ number, hidden, cells }) =>
      `<row${isBare ? '' : ` r="${number}"`}${hidden ? ' hidden="1"' : ''}>${cells.map((cell) => cellXml(cell, number)).join('')}</row>`,
  );
  const merges = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
  return workbookParts({
    sheets: `<sheetData>${rowXml.join('')}</sheetData>${merges && `<mergeCells>${merges}</mergeCells>`}`,
    styles: stylesXml(['0.00', 'yyyy-mm-dd', '[h]:mm']),
    ...(strings.length > 0 && { strings: strings.join('') }),
    instead: { '[Content_Types].xml': contentTypes(strings.length > 0) },
  });
}

type ZipMutation = (parts: readonly ZipPart[], chance: Chance) => readonly ZipPart[];

const changedPart =
  (change: (part: ZipPart, chance: Chance) => readonly ZipPart[]): ZipMutation =>
  (parts, chance) => {
    const index = chance.below(parts.length);
    return parts.flatMap((part, at) => (at === index ? change(part, chance) : [part]));
  };

const oddNames = [
  '',
  '/',
  '../x.xml',
  '/xl/workbook.xml',
  'XL/WORKBOOK.XML',
  'xl\\workbook.xml',
  'xl/vbaProject.bin',
  'é',
];

const zipMutations: readonly ZipMutation[] = [
  changedPart((part, chance) => [{ ...part, claims: { size: chance.pick([0, 1, 10_000, 2 ** 31, 2 ** 32 - 1]) } }]),
  changedPart((part, chance) => [{ ...part, claims: { checksum: chance.below(2 ** 32) } }]),
  changedPart((part, chance) => [{ ...part, claims: { flags: chance.pick([0, 1, 8, 0x40, 0x2000, 0xffff]) } }]),
  changedPart((part, chance) => [{ ...part, claims: { localName: chance.pick(oddNames) } }]),
  changedPart((part, chance) => [{ ...part, claims: { sharesBytesOf: chance.below(4) } }]),
  changedPart((part, chance) => [{ ...part, name: chance.pick(oddNames) }]),
  changedPart((part) => [{ ...part, name: part.name.toUpperCase() }]),
  changedPart((part) => [part, part]),
  changedPart((part) => [{ ...part, isStored: true }]),
  changedPart(() => []),
  changedPart((part, chance) => [{ ...part, content: Buffer.alloc(chance.pick([0, 10, 6 * 2 ** 20]), ' ') }]),
  changedPart((part, chance) => [
    { ...part, content: `${part.content}${chance.pick([' '.repeat(5 * 2 ** 20), '\0', '<a/>'])}` },
  ]),
  changedPart((part) => [
    { ...part, content: Buffer.from(`\ufeff${String(part.content).replace('UTF-8', 'UTF-16')}`, 'utf16le') },
  ]),
  (parts) => parts.toReversed(),
  (parts, chance) => [
    ...parts,
    { name: chance.pick(['xl/vbaProject.bin', 'mimetype', 'content.xml', 'docProps/a.xml']), content: 'x' },
  ],
];

const bytesMutations: readonly ((bytes: Buffer, chance: Chance) => Buffer)[] = [
  (bytes, chance) => bytes.subarray(0, chance.below(bytes.length)),
  (bytes, chance) => bytes.subarray(chance.below(bytes.length)),
  (bytes, chance) => flipped(bytes, chance, chance.between(1, 8)),
  (bytes, chance) => flipped(bytes, chance, 1),
  // The directory and its end, where a few bytes decide about everything.
  (bytes, chance) => flipped(bytes, chance, chance.between(1, 3), Math.max(0, bytes.length - 700)),
  (bytes, chance) => Buffer.concat([bytes, Buffer.alloc(chance.between(1, 200), chance.below(256))]),
  (bytes, chance) => Buffer.concat([Buffer.alloc(chance.between(1, 200), chance.below(256)), bytes]),
  (bytes, chance) => {
    const at = chance.below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(chance.below(bytes.length))]);
  },
];

/** The bytes with so many of them changed, from `start` on. */
export function flipped(bytes: Buffer, chance: Chance, count: number, start = 0): Buffer {
  const changed = Buffer.from(bytes);
  for (let left = count; left > 0 && changed.length > start; left -= 1) {
    const at = start + chance.below(changed.length - start);
    changed[at] = chance.onceIn(2) ? chance.below(256) : (changed[at] ?? 0) ^ (1 << chance.below(8));
  }
  return changed;
}

/** Mutant number `index` of a campaign with this seed: mostly one change, in one layer. */
export function mutantWorkbook(seed: number, index: number): Buffer {
  const chance = chanceOf(seed, index);
  let draft: Draft = { rows: baseTable(chance), merged: [], inline: chance.onceIn(3) };
  const layer = chance.below(10);
  const times = chance.onceIn(4) ? chance.between(2, 4) : 1;
  const repeat = <T>(state: T, change: (state: T) => T): T => Array.from({ length: times }).reduce<T>(change, state);
  if (layer < 4)
    draft = repeat(draft, (now) =>
      now.rows.length > 0 && hasCells(now) ? chance.pick(cellMutations)(now, chance) : now,
    );
  let parts: readonly ZipPart[] = partsOf(draft, chance);
  if (layer >= 4 && layer < 7) parts = repeat(parts, (now) => changedXml(now, chance));
  if (layer === 7) parts = repeat(parts, (now) => (now.length > 0 ? chance.pick(zipMutations)(now, chance) : now));
  const bytes = zipBytes(parts, layer === 7 && chance.onceIn(15) ? chance.below(70_000) : parts.length);
  return layer < 8 ? bytes : repeat(bytes, (now) => (now.length > 0 ? chance.pick(bytesMutations)(now, chance) : now));
}

const hasCells = ({ rows }: Draft): boolean => rows.some(({ cells }) => cells.length > 0);

/** The worksheet is changed most often: it holds what is paid. */
function changedXml(parts: readonly ZipPart[], chance: Chance): readonly ZipPart[] {
  const sheet = parts.findIndex(({ name }) => name.includes('worksheets'));
  const index = chance.onceIn(2) ? sheet : chance.below(parts.length);
  return parts.map((part, at) =>
    at === index ? { ...part, content: mutateXml(Buffer.from(part.content).toString('utf8'), chance) } : part,
  );
}

/**
 * The template workbook: instructions, the sheet to fill in, examples, and the lists of its drop-downs. All of it comes
 * from the columns' own descriptions, and the same description gives the same bytes, so that a copy that was checked in
 * can be compared with a fresh one.
 */
import { Writable } from 'node:stream';
import { addressOf, columnLetters } from '../../domain/cell.ts';
import type { ColumnDescription } from '../../domain/column.ts';
import { type Sink, type WrittenFile, writeWholeFile } from '../../files/whole-file.ts';
import { CellWriter, moneyFormat, type StyledCell } from './cells.ts';
import { StyleNumbers } from './looks.ts';
import { type BookParts, withBookParts } from './parts/book-parts.ts';
import { emptyCell } from './parts/cell-xml.ts';
import type { InputRule } from './parts/conditions.ts';
import type { WorksheetPart } from './parts/worksheet-part.ts';
import { LINE_POINTS, type RowColumn, RowWriter } from './row-writer.ts';
import type { TemplateSpec } from './template-spec.ts';
import { addStartSheet, TYPE_COLUMN } from './template-start.ts';
import { linesOf } from './text-lines.ts';

export type { FilledRow, TemplateSpec } from './template-spec.ts';

/** The worksheet that is read; the others never are. */
const PAYOUTS_SHEET = 'Payouts';
const EXAMPLES_SHEET = 'Examples';
const LISTS_SHEET = 'Lists';

/** The only date in the file: it stands for no moment, so that nothing in the file depends on when it was made. */
const FIXED_DATE = Date.UTC(2000, 0, 1);

/** Light red and grey, as RRGGBB. */
const MISSING_FILL = 'FADBD8';
const UNUSED_FILL = 'E3E3E3';

const AMOUNT_FORMAT = moneyFormat(2);
const LIST_WIDTH = 24;

/** Writes the template. See `writeWholeFile` for what is promised of the file. */
export const writeTemplate = (path: string, spec: TemplateSpec): Promise<WrittenFile> =>
  writeWholeFile(path, 'template', (sink) => fillTemplate(sink, spec));

/** The bytes of the template; equal specifications give equal bytes. */
export async function templateBytes(spec: TemplateSpec): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await fillTemplate({ stream, signal: new AbortController().signal }, spec);
  return Buffer.concat(chunks);
}

const fillTemplate = (sink: Sink, given: TemplateSpec): Promise<void> =>
  withBookParts(sink, async (book) => {
    const spec = { ...given, rows: Math.max(given.rows, given.filled?.length ?? 0) };
    const cells = new CellWriter(new StyleNumbers(book.styles), 'UTC');
    await addStartSheet(book, spec, cells);
    const lists = listsOf(spec);
    await addPayouts(book, spec, cells, lists);
    await addExamples(book, spec, cells);
    await addLists(book, lists, cells);
    await book.close({ title: spec.title, keywords: 'paybatch template 1', madeAt: FIXED_DATE });
  });

const rangeOf = (index: number, rows: number): string => {
  const letters = columnLetters(index + 1);
  return `${letters}2:${letters}${rows + 1}`;
};

async function writeHeadings(writer: RowWriter, row: number, spec: TemplateSpec): Promise<void> {
  let lines = 1;
  const cells = spec.columns.map((column): StyledCell => {
    const needed = column.neededFor.length > 0 ? `Needed for: ${column.neededFor.join(', ')}.` : 'May stay empty.';
    const example = column.example === '' ? '' : `\nExample: ${column.example}`;
    lines = Math.max(lines, linesOf(column.heading, widthOf(column)));
    return {
      value: column.heading,
      look: spec.quiet?.includes(column.id) ? 'muted' : 'heading',
      wrap: true,
      align: column.format === 'amount' ? 'right' : 'left',
      note: `${column.help}\n${needed}${example}`,
    };
  });
  await writer.write(row, cells, 'heading', LINE_POINTS * lines + 9);
}

/** Room for the heading and for the example, whatever the description says. */
const widthOf = ({ width, heading, example }: ColumnDescription): number =>
  Math.max(width, Math.ceil(heading.length * 1.15) + 3, Math.min(example.length + 3, 40));

/** The columns as rows are written into them. */
const rowColumns = (spec: TemplateSpec): readonly RowColumn[] =>
  spec.columns.map((column) => ({ width: widthOf(column), format: 'text' }));

async function addPayouts(
  book: BookParts,
  spec: TemplateSpec,
  cells: CellWriter,
  lists: readonly DropDown[],
): Promise<void> {
  const styles = spec.columns.map(({ format }) =>
    book.styles.numberOf({ numFmt: format === 'amount' ? AMOUNT_FORMAT : '@' }),
  );
  const columns = rowColumns(spec);
  const sheet = await book.worksheet({
    name: PAYOUTS_SHEET,
    tabColour: '70AD47',
    columns: columns.map(({ width }, index) => ({ width, style: styles[index] ?? 0 })),
    frozen: { columns: Math.min(2, spec.columns.length - 1), rows: 1 },
    titleRow: 1,
    footer: '&L&F&RPage &P of &N',
  });
  await writeHeadings(new RowWriter(sheet, cells, columns), 1, spec);
  for (let row = 2; row <= spec.rows + 1; row++) {
    const xml = spec.columns.map(({ id }, index) => {
      const address = addressOf(index + 1, row);
      const value = spec.filled?.[row - 2]?.[id] ?? '';
      if (value === '') return emptyCell(address, styles[index] ?? 0);
      const usual = { look: spec.quiet?.includes(id) ? 'muted' : 'body', format: 'text', wrap: false } as const;
      return cells.xmlOf(address, row, value, cells.styleOf(value, usual), usual.format);
    });
    await sheet.row(row, xml.join(''));
  }
  for (const [index, column] of spec.columns.entries()) {
    const list = lists.find(({ id }) => id === column.id);
    const range = rangeOf(index, spec.rows);
    if (list) sheet.allow(listRule(range, list.name));
    else if (column.format === 'amount') sheet.allow(amountRule(range, column));
  }
  addHints(sheet, spec, book);
  await sheet.close();
}

/** Paints what is missing for the chosen way of paying in red, and what it does not use in grey. */
function addHints(sheet: WorksheetPart, spec: TemplateSpec, { styles }: BookParts): void {
  const words = kindWords(spec);
  const typeAt = spec.columns.findIndex(({ id }) => id === TYPE_COLUMN);
  const type = `$${columnLetters(typeAt + 1)}2`;
  const begun = `COUNTA($A2:$${columnLetters(spec.columns.length)}2)>0`;
  const isOneOf = (titles: readonly string[]): string =>
    `OR(${titles.map((title) => `${type}="${words.get(title)}"`).join(',')})`;
  for (const [index, { neededFor, usedFor }] of spec.columns.entries()) {
    const cell = `${columnLetters(index + 1)}2`;
    const always = spec.kinds.every(({ title }) => neededFor.includes(title));
    const unused = spec.kinds
      .map(({ title }) => title)
      .filter((title) => !neededFor.includes(title) && !usedFor.includes(title));
    const known = typeAt >= 0 && words.size > 0;
    const missing = (when: string): string => `AND(${when},LEN(TRIM(${cell}))=0)`;
    const paint = (formula: string, colour: string, priority: number): void =>
      sheet.highlight({ range: rangeOf(index, spec.rows), formula, style: styles.highlight(colour), priority });
    if (always) paint(missing(begun), MISSING_FILL, 1);
    else if (known && neededFor.length > 0) paint(missing(isOneOf(neededFor)), MISSING_FILL, 1);
    if (known && unused.length > 0) paint(isOneOf(unused), UNUSED_FILL, 2);
  }
}

/** The word of the type column for each kind's title; empty unless every word belongs to exactly one kind. */
function kindWords({ columns, kinds, lists }: TemplateSpec): ReadonlyMap<string, string> {
  const choices = lists[TYPE_COLUMN] ?? columns.find(({ id }) => id === TYPE_COLUMN)?.choices ?? [];
  const words = new Map<string, string>();
  for (const choice of choices) {
    const own = kinds.filter(({ title }) => title.toLowerCase().includes(choice.toLowerCase()));
    const [only, other] = own;
    if (!only || other || words.has(only.title) || choice.includes('"')) return new Map();
    words.set(only.title, choice);
  }
  return words.size === kinds.length ? words : new Map();
}

async function addExamples(book: BookParts, spec: TemplateSpec, cells: CellWriter): Promise<void> {
  const columns = rowColumns(spec);
  const sheet = await book.worksheet({
    name: EXAMPLES_SHEET,
    tabColour: 'A5A5A5',
    columns: columns.map(({ width }) => ({ width })),
    frozen: { columns: 0, rows: 2 },
  });
  const writer = new RowWriter(sheet, cells, columns);
  const words = `Examples only: paybatch never reads this sheet. Fill in the sheet "${PAYOUTS_SHEET}".`;
  await writer.write(1, [words], 'section', 24);
  await writeHeadings(writer, 2, spec);
  for (const [at, example] of spec.examples.entries()) {
    const row = spec.columns.map(({ id, format }): StyledCell => {
      const text = example[id] ?? '';
      const number = format === 'amount' && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
      return { value: number ?? text, format: number === undefined ? 'text' : 'money' };
    });
    await writer.write(at + 3, row, 'row', 18);
  }
  await sheet.close();
}

/** A list to choose from: the column that has it, and the name by which its rule knows it. */
interface DropDown {
  readonly id: string;
  readonly name: string;
  readonly values: readonly string[];
}

function listsOf(spec: TemplateSpec): readonly DropDown[] {
  const choices = spec.columns.flatMap(({ id, choices: own }) => (own ? [[id, own] as const] : []));
  return [...new Map([...choices, ...Object.entries(spec.lists)])].flatMap(([id, values]) =>
    values.length === 0 ? [] : [{ id, values, name: `pb_${id.replace(/\W/g, '_')}` }],
  );
}

/** Writes the lists, a column each, and gives their cells names. */
async function addLists(book: BookParts, lists: readonly DropDown[], cells: CellWriter): Promise<void> {
  const columns = lists.map(() => ({ width: LIST_WIDTH, format: 'text' as const }));
  const sheet = await book.worksheet({ name: LISTS_SHEET, hidden: true, columns });
  const writer = new RowWriter(sheet, cells, columns);
  await writer.write(
    1,
    lists.map(({ id }) => id),
    'heading',
  );
  const rows = Math.max(0, ...lists.map(({ values }) => values.length));
  for (let row = 0; row < rows; row++) {
    await writer.write(
      row + 2,
      lists.map(({ values }) => values[row]),
      'body',
    );
  }
  for (const [index, { name, values }] of lists.entries()) {
    const letters = columnLetters(index + 1);
    const last = values.length === 1 ? '' : `:$${letters}$${values.length + 1}`;
    book.name(name, `${LISTS_SHEET}!$${letters}$2${last}`);
  }
  await sheet.close();
}

const listRule = (range: string, list: string): InputRule => ({
  range,
  allowed: { list },
  answer: 'warning',
  title: 'Not in the list',
  message: 'Choose one of the values of the list. Another value may be refused when the sheet is checked.',
});

const amountRule = (range: string, { heading }: ColumnDescription): InputRule => ({
  range,
  allowed: { above: 0 },
  answer: 'stop',
  title: heading,
  message: 'Type a number above zero, with a point or comma for the cents as your computer is set.',
});

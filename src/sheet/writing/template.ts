/**
 * The template workbook: instructions, the sheet to fill in, examples, and the lists of its drop-downs. All of it comes from
 * the columns' own descriptions. The plain writer of exceljs writes it. That writer holds the whole workbook in memory, which
 * is small; the streaming one writes the protection of a worksheet where Excel does not expect it.
 */
import type { Row, Workbook, Worksheet } from 'exceljs';
import { columnLetters } from '../../domain/cell.ts';
import type { ColumnDescription } from '../../domain/column.ts';
import { type WrittenFile, writeWholeFile } from '../../files/whole-file.ts';
import { CellRows, LINE_POINTS, type RowColumn } from './cell-rows.ts';
import { CellWriter, moneyFormat, type StyledCell } from './cells.ts';
import { type InputRule, putInputRule } from './exceljs-insides.ts';
import { conditionalFill, Styles } from './looks.ts';
import type { TemplateSpec } from './template-spec.ts';
import { addStartSheet, TYPE_COLUMN } from './template-start.ts';
import { linesOf } from './text-lines.ts';
import { addPage, WINDOWS } from './worksheet-page.ts';

export type { FilledRow, TemplateSpec } from './template-spec.ts';

/** The worksheet that paybatch reads; it never reads the others. */
const PAYOUTS_SHEET = 'Payouts';
const EXAMPLES_SHEET = 'Examples';
const LISTS_SHEET = 'Lists';

/** The only date in the workbook. It is arbitrary, so that the content of a template does not depend on when it was made. */
const FIXED_DATE = new Date(Date.UTC(2000, 0, 1));

/** Light red and grey, as RRGGBB. */
const MISSING_FILL = 'FADBD8';
const UNUSED_FILL = 'E3E3E3';

const AMOUNT_FORMAT = moneyFormat(2);
const LIST_WIDTH = 24;

/** Writes the template. See `writeWholeFile` for what is promised of the file. */
export const writeTemplate = (path: string, spec: TemplateSpec): Promise<WrittenFile> =>
  writeWholeFile(path, 'template', async ({ stream }) => {
    const book = await templateBook(spec);
    await book.xlsx.write(stream);
  });

async function templateBook(given: TemplateSpec): Promise<Workbook> {
  const spec = { ...given, rows: Math.max(given.rows, given.filled?.length ?? 0) };
  // Loaded only when needed: exceljs is the largest package of all, and most commands write no workbook.
  const { default: exceljs } = await import('exceljs');
  const book = new exceljs.Workbook();
  Object.assign(book, {
    title: spec.title,
    keywords: 'paybatch template 1',
    creator: 'paybatch',
    lastModifiedBy: 'paybatch',
    created: FIXED_DATE,
    modified: FIXED_DATE,
    views: WINDOWS,
  });
  const cells = new CellWriter(new Styles(), 'UTC');
  await addStartSheet(book, spec, cells);
  const lists = listsOf(spec);
  addPayouts(book, spec, cells, lists);
  addExamples(book, spec, cells);
  addLists(book, lists, cells);
  return book;
}

const rangeOf = (index: number, rows: number): string => {
  const letters = columnLetters(index + 1);
  return `${letters}2:${letters}${rows + 1}`;
};

function writeHeadings(rows: CellRows, spec: TemplateSpec): Row {
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
  return rows.write(cells, 'heading', LINE_POINTS * lines + 9);
}

/** Returns the width of a column, with room for the heading and the example even if its description asks for less. */
const widthOf = ({ width, heading, example }: ColumnDescription): number =>
  Math.max(width, Math.ceil(heading.length * 1.15) + 3, Math.min(example.length + 3, 40));

/** Returns the columns as the writer of rows needs them. */
const rowColumns = (spec: TemplateSpec): readonly RowColumn[] =>
  spec.columns.map((column) => ({ width: widthOf(column), format: 'text' }));

function addPayouts(book: Workbook, spec: TemplateSpec, cells: CellWriter, lists: readonly DropDown[]): void {
  const columns = rowColumns(spec);
  const sheet = addPage(book, {
    name: PAYOUTS_SHEET,
    tabColour: '70AD47',
    columns,
    frozen: { columns: Math.min(2, spec.columns.length - 1), rows: 1 },
    footer: '&L&F&RPage &P of &N',
  });
  sheet.pageSetup.printTitlesRow = '1:1';
  writeHeadings(new CellRows(sheet, cells, columns), spec);
  for (const [index, column] of spec.columns.entries()) {
    const style = { numFmt: column.format === 'amount' ? AMOUNT_FORMAT : '@' };
    sheet.getColumn(index + 1).style = style;
    for (let row = 2; row <= spec.rows + 1; row++) sheet.getCell(row, index + 1).style = style;
    const list = lists.find(({ id }) => id === column.id);
    const range = rangeOf(index, spec.rows);
    if (list) putInputRule(sheet, range, listRule(list.name));
    else if (column.format === 'amount') putInputRule(sheet, range, amountRule(column));
  }
  fillIn(sheet, spec, cells);
  addHints(sheet, spec);
}

function fillIn(sheet: Worksheet, { columns, filled = [], quiet = [] }: TemplateSpec, cells: CellWriter): void {
  for (const [at, row] of filled.entries()) {
    for (const [index, { id }] of columns.entries()) {
      const value = row[id];
      if (value === undefined || value === '') continue;
      const look = quiet.includes(id) ? 'muted' : 'body';
      cells.put(sheet.getCell(at + 2, index + 1), value, { look, format: 'text', wrap: false });
    }
  }
}

/** Paints the cells that the chosen way of paying needs red while they are empty, and those that it does not use grey. */
function addHints(sheet: Worksheet, spec: TemplateSpec): void {
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
      sheet.addConditionalFormatting({
        ref: rangeOf(index, spec.rows),
        rules: [{ type: 'expression', priority, formulae: [formula], style: { fill: conditionalFill(colour) } }],
      });
    if (always) paint(missing(begun), MISSING_FILL, 1);
    else if (known && neededFor.length > 0) paint(missing(isOneOf(neededFor)), MISSING_FILL, 1);
    if (known && unused.length > 0) paint(isOneOf(unused), UNUSED_FILL, 2);
  }
}

/** Returns the word of the type column for each kind's title; empty unless every word belongs to exactly one kind. */
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

function addExamples(book: Workbook, spec: TemplateSpec, cells: CellWriter): void {
  const columns = rowColumns(spec);
  const sheet = addPage(book, {
    name: EXAMPLES_SHEET,
    tabColour: 'A5A5A5',
    columns,
    frozen: { columns: 0, rows: 2 },
  });
  const rows = new CellRows(sheet, cells, columns);
  const words = `Examples only: paybatch never reads this sheet. Fill in the sheet "${PAYOUTS_SHEET}".`;
  rows.write([words], 'section', 24);
  writeHeadings(rows, spec);
  for (const example of spec.examples) {
    const row = spec.columns.map(({ id, format }): StyledCell => {
      const text = example[id] ?? '';
      const number = format === 'amount' && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
      return { value: number ?? text, format: number === undefined ? 'text' : 'money' };
    });
    rows.write(row, 'row', 18);
  }
}

/** A drop-down list: the column that has it, the name by which the rule of the column refers to it, and its values. */
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

/** Writes the lists, one column each, and names their ranges. */
function addLists(book: Workbook, lists: readonly DropDown[], cells: CellWriter): void {
  const columns = lists.map(() => ({ width: LIST_WIDTH, format: 'text' as const }));
  const sheet = addPage(book, { name: LISTS_SHEET, hidden: true, columns });
  const rows = new CellRows(sheet, cells, columns);
  rows.write(
    lists.map(({ id }) => id),
    'heading',
  );
  const most = Math.max(0, ...lists.map(({ values }) => values.length));
  for (let row = 0; row < most; row++) {
    rows.write(
      lists.map(({ values }) => values[row]),
      'body',
    );
  }
  for (const [index, { name, values }] of lists.entries()) {
    const letters = columnLetters(index + 1);
    const last = values.length === 1 ? '' : `:$${letters}$${values.length + 1}`;
    book.definedNames.add(`${LISTS_SHEET}!$${letters}$2${last}`, name);
  }
}

const listRule = (list: string): InputRule => ({
  type: 'list',
  allowBlank: true,
  formulae: [list],
  showErrorMessage: true,
  errorStyle: 'warning',
  errorTitle: 'Not in the list',
  error: 'Choose one of the values of the list. Another value may be refused when the sheet is checked.',
});

const amountRule = ({ heading }: ColumnDescription): InputRule => ({
  type: 'decimal',
  operator: 'greaterThan',
  allowBlank: true,
  formulae: [0],
  showErrorMessage: true,
  errorStyle: 'stop',
  errorTitle: heading,
  error: 'Type a number above zero, with a point or comma for the cents as your computer is set.',
});

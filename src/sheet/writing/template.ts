/**
 * The template workbook: instructions, the sheet to fill in, examples, and the lists of its drop-downs. All of it comes
 * from the columns' own descriptions, and the same description gives the same bytes, so that a copy that was checked in
 * can be compared with a fresh one.
 */
import type { DataValidation, Workbook, Worksheet } from 'exceljs';
import { columnLetters } from '../../domain/cell.ts';
import type { ColumnDescription } from '../../domain/column.ts';
import { type WrittenFile, writeWholeFile } from '../../files/whole-file.ts';
import { CellWriter, moneyFormat } from './cells.ts';
import { withFixedZipDates } from './fixed-zip-dates.ts';
import { solid } from './looks.ts';
import type { TemplateSpec } from './template-spec.ts';
import { addStartSheet, TYPE_COLUMN } from './template-start.ts';
import { linesOf } from './text-lines.ts';

export type { FilledRow, TemplateSpec } from './template-spec.ts';

/** The worksheet that is read; the others never are. */
const PAYOUTS_SHEET = 'Payouts';
const EXAMPLES_SHEET = 'Examples';
const LISTS_SHEET = 'Lists';

/** The only date in the file: it stands for no moment, so that nothing in the file depends on when it was made. */
const FIXED_DATE = new Date(Date.UTC(2000, 0, 1));

/** Light red and grey, as RRGGBB. */
const MISSING_FILL = 'FADBD8';
const UNUSED_FILL = 'E3E3E3';

const A4 = 9;
const LANDSCAPE = { paperSize: A4, orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0 } as const;
const AMOUNT_FORMAT = moneyFormat(2);

/** Writes the template. See `writeWholeFile` for what is promised of the file. */
export const writeTemplate = (path: string, spec: TemplateSpec): Promise<WrittenFile> =>
  writeWholeFile(path, 'template', async ({ stream }) => {
    stream.write(await templateBytes(spec));
  });

/** The bytes of the template; equal specifications give equal bytes. */
export async function templateBytes(given: TemplateSpec): Promise<Buffer> {
  const spec = { ...given, rows: Math.max(given.rows, given.filled?.length ?? 0) };
  const { default: exceljs } = await import('exceljs');
  const book = new exceljs.Workbook();
  book.title = spec.title;
  book.keywords = 'paybatch template 1';
  book.creator = 'paybatch';
  book.lastModifiedBy = 'paybatch';
  book.created = FIXED_DATE;
  book.modified = FIXED_DATE;
  const cells = new CellWriter('UTC');
  await addStartSheet(book, spec, cells);
  const payouts = addPayouts(book, spec, cells);
  addExamples(book, spec, cells);
  for (const [id, name] of addLists(book, spec, cells)) {
    const index = spec.columns.findIndex((column) => column.id === id);
    if (index >= 0) validate(payouts, rangeOf(index, spec.rows), listRule(name));
  }
  return withFixedZipDates(new Uint8Array(await book.xlsx.writeBuffer()));
}

const rangeOf = (index: number, rows: number): string => {
  const letters = columnLetters(index + 1);
  return `${letters}2:${letters}${rows + 1}`;
};

function writeHeadings(sheet: Worksheet, rowNumber: number, spec: TemplateSpec, cells: CellWriter): void {
  const row = sheet.getRow(rowNumber);
  let lines = 1;
  for (const [index, column] of spec.columns.entries()) {
    const needed = column.neededFor.length > 0 ? `Needed for: ${column.neededFor.join(', ')}.` : 'May stay empty.';
    const example = column.example === '' ? '' : `\nExample: ${column.example}`;
    cells.put(row.getCell(index + 1), {
      value: column.heading,
      look: spec.quiet?.includes(column.id) ? 'muted' : 'heading',
      wrap: true,
      align: column.format === 'amount' ? 'right' : 'left',
      note: `${column.help}\n${needed}${example}`,
    });
    lines = Math.max(lines, linesOf(column.heading, widthOf(column)));
  }
  row.height = 15 * lines + 9;
}

/** Room for the heading and for the example, whatever the description says. */
const widthOf = ({ width, heading, example }: ColumnDescription): number =>
  Math.max(width, Math.ceil(heading.length * 1.15) + 3, Math.min(example.length + 3, 40));

function addPayouts(book: Workbook, spec: TemplateSpec, cells: CellWriter): Worksheet {
  const sheet = book.addWorksheet(PAYOUTS_SHEET, {
    properties: { tabColor: { argb: 'FF70AD47' } },
    views: [{ state: 'frozen', xSplit: Math.min(2, spec.columns.length - 1), ySplit: 1 }],
    pageSetup: { ...LANDSCAPE, printTitlesRow: '1:1' },
    headerFooter: { oddFooter: '&L&F&RPage &P of &N' },
  });
  for (const [index, column] of spec.columns.entries()) {
    const style = { numFmt: column.format === 'amount' ? AMOUNT_FORMAT : '@' };
    const own = sheet.getColumn(index + 1);
    own.width = widthOf(column);
    own.style = style;
    for (let row = 2; row <= spec.rows + 1; row++) sheet.getCell(row, index + 1).style = style;
    if (column.format === 'amount') validate(sheet, rangeOf(index, spec.rows), amountRule(column));
  }
  writeHeadings(sheet, 1, spec, cells);
  fillIn(sheet, spec, cells);
  addHints(sheet, spec);
  return sheet;
}

function fillIn(sheet: Worksheet, { columns, filled = [], quiet = [] }: TemplateSpec, cells: CellWriter): void {
  for (const [at, row] of filled.entries()) {
    for (const [index, { id }] of columns.entries()) {
      const value = row[id];
      if (value === undefined || value === '') continue;
      cells.put(sheet.getCell(at + 2, index + 1), { value, look: quiet.includes(id) ? 'muted' : 'body' });
    }
  }
}

/** Paints what is missing for the chosen way of paying in red, and what it does not use in grey. */
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
    if (always) hint(sheet, rangeOf(index, spec.rows), missing(begun), MISSING_FILL, 1);
    else if (known && neededFor.length > 0)
      hint(sheet, rangeOf(index, spec.rows), missing(isOneOf(neededFor)), MISSING_FILL, 1);
    if (known && unused.length > 0) hint(sheet, rangeOf(index, spec.rows), isOneOf(unused), UNUSED_FILL, 2);
  }
}

function hint(sheet: Worksheet, ref: string, formula: string, colour: string, priority: number): void {
  const fill = { ...solid(colour), bgColor: { argb: `FF${colour}` } };
  sheet.addConditionalFormatting({
    ref,
    rules: [{ type: 'expression', priority, formulae: [formula], style: { fill } }],
  });
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

function addExamples(book: Workbook, spec: TemplateSpec, cells: CellWriter): void {
  const sheet = book.addWorksheet(EXAMPLES_SHEET, {
    properties: { tabColor: { argb: 'FFA5A5A5' } },
    views: [{ state: 'frozen', ySplit: 2 }],
    pageSetup: LANDSCAPE,
  });
  for (const [index, column] of spec.columns.entries()) sheet.getColumn(index + 1).width = widthOf(column);
  const words = `Examples only: paybatch never reads this sheet. Fill in the sheet "${PAYOUTS_SHEET}".`;
  cells.put(sheet.getCell('A1'), { value: words, look: 'section' });
  sheet.getRow(1).height = 24;
  writeHeadings(sheet, 2, spec, cells);
  for (const [at, example] of spec.examples.entries()) {
    for (const [index, { id, format }] of spec.columns.entries()) {
      const text = example[id] ?? '';
      const cell = sheet.getCell(at + 3, index + 1);
      const number = format === 'amount' && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
      cells.put(cell, { value: number ?? text, format: number === undefined ? 'text' : 'money', look: 'row' });
    }
    sheet.getRow(at + 3).height = 18;
  }
}

/** Writes the drop-down values and gives each list a name; the answer says which column has which. */
function addLists(book: Workbook, spec: TemplateSpec, cells: CellWriter): ReadonlyMap<string, string> {
  const sheet = book.addWorksheet(LISTS_SHEET, { state: 'hidden' });
  const choices = spec.columns.flatMap(({ id, choices: own }) => (own ? [[id, own] as const] : []));
  const lists = new Map([...choices, ...Object.entries(spec.lists)]);
  const names = new Map<string, string>();
  for (const [id, values] of lists) {
    if (values.length === 0) continue;
    const at = names.size + 1;
    const name = `pb_${id.replace(/\W/g, '_')}`;
    cells.put(sheet.getCell(1, at), { value: id, look: 'heading' });
    for (const [row, value] of values.entries()) cells.put(sheet.getCell(row + 2, at), { value });
    sheet.getColumn(at).width = 24;
    book.definedNames.add(`${LISTS_SHEET}!$${columnLetters(at)}$2:$${columnLetters(at)}$${values.length + 1}`, name);
    names.set(id, name);
  }
  return names;
}

const listRule = (name: string): DataValidation => ({
  type: 'list',
  allowBlank: true,
  formulae: [name],
  showErrorMessage: true,
  errorStyle: 'warning',
  errorTitle: 'Not in the list',
  error: 'Choose one of the values of the list. Another value may be refused when the sheet is checked.',
});

const amountRule = ({ heading }: ColumnDescription): DataValidation => ({
  type: 'decimal',
  operator: 'greaterThan',
  allowBlank: true,
  formulae: [0],
  showErrorMessage: true,
  errorStyle: 'stop',
  errorTitle: heading,
  error: 'Type a number above zero, with a point or comma for the cents as your computer is set.',
});

/** The collection of a worksheet's rules by range; exceljs has it and its types leave it out. */
interface RangeRules {
  readonly dataValidations: { add(range: string, rule: DataValidation): void };
}

function validate(sheet: Worksheet, range: string, rule: DataValidation): void {
  (sheet as unknown as RangeRules).dataValidations.add(range, rule); // see RangeRules
}

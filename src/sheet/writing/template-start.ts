/** The first worksheet of the template: what to do, step by step, and which way of paying needs which column. */
import type { Workbook } from 'exceljs';
import { CellRows, LINE_POINTS } from './cell-rows.ts';
import type { CellWriter, StyledCell } from './cells.ts';
import { type LookName, textSizeOf } from './looks.ts';
import type { TemplateSpec } from './template-spec.ts';
import { linesOf } from './text-lines.ts';
import { addPage } from './worksheet-page.ts';

/** Returns the texts of the steps, in the order of the work. */
const stepsOf = ({ columns, kinds, firstStep }: TemplateSpec): readonly string[] => [
  ...(firstStep === undefined ? [] : [firstStep]),
  'Go to the sheet "Payouts" (green tab) and fill in one row for every payment. Leave the headings as they are.',
  columns.some(({ id }) => id === TYPE_COLUMN)
    ? 'Choose the type of each row from its list. Columns that the type needs turn red while they are empty; columns that it does not use turn grey.'
    : `Every row is paid in one way: ${kinds.map(({ title }) => title).join(', ')}. Columns that it needs turn red while they are empty.`,
  'Type phone numbers and account numbers as they are, zeros in front included. These columns are kept as text.',
  'Give every payment its own reference (staff number, invoice number), so that nobody can be paid twice by mistake.',
  'Save the file. Open a terminal in its folder and check it; nothing is sent:   paybatch validate FILE.xlsx',
  'When the check is clean, pay it:   paybatch run FILE.xlsx',
  'If the terminal does not find paybatch, ask the person who installed it.',
];

/** Id of the column that says how a row is paid. */
export const TYPE_COLUMN = 'type';

const HEADING_WIDTH = 24;
const HELP_WIDTH = 58;
const KIND_WIDTH = 16;

/** Adds rows of cells from top to bottom, each as high as its text needs. */
class Page {
  readonly #rows: CellRows;
  readonly #widths: readonly number[];

  constructor(rows: CellRows, widths: readonly number[]) {
    this.#rows = rows;
    this.#widths = widths;
  }

  add(cells: readonly StyledCell[]): void {
    let column = 1;
    let points = LINE_POINTS;
    for (const { span = 1, value, look = 'body' } of cells) {
      const width = this.#widths.slice(column - 1, column - 1 + span).reduce((sum, own) => sum + own, 0);
      const size = textSizeOf(look) / 11;
      if (typeof value === 'string') points = Math.max(points, linesOf(value, width / size) * LINE_POINTS * size);
      column += span;
    }
    const wrapped = cells.map((cell) => ({ ...cell, wrap: true }));
    this.#rows.write(wrapped, 'body', Math.ceil(points) + 4);
  }

  /** Adds one text over the whole width. */
  line(value: string, look: LookName): void {
    this.add([{ value, look, span: this.#widths.length }]);
  }

  gap(): void {
    this.#rows.write([], 'body', 9);
  }
}

/** Adds the worksheet "Start here", which is protected without a password so that it is not changed by accident. */
export async function addStartSheet(book: Workbook, spec: TemplateSpec, cells: CellWriter): Promise<void> {
  const widths = [HEADING_WIDTH, HELP_WIDTH, ...spec.kinds.map(() => KIND_WIDTH)];
  const columns = widths.map((width) => ({ width, format: 'text' as const }));
  const sheet = addPage(book, { name: 'Start here', tabColour: '1F3864', plain: true, columns });
  const page = new Page(new CellRows(sheet, cells, columns), widths);
  page.line(spec.title, 'title');
  page.gap();
  page.line('Step by step', 'section');
  const width = 1 + spec.kinds.length;
  for (const [index, step] of stepsOf(spec).entries()) {
    page.add([
      { value: `Step ${index + 1}`, look: 'strong' },
      { value: step, span: width },
    ]);
  }
  page.gap();
  page.line('Ways of paying', 'section');
  for (const { title, summary } of spec.kinds)
    page.add([
      { value: title, look: 'strong' },
      { value: summary, span: width },
    ]);
  page.gap();
  addMatrix(page, spec);
  page.gap();
  page.line('Worked examples (more on the sheet "Examples")', 'section');
  for (const example of spec.examples) {
    const said = spec.columns.flatMap(({ id, heading }) => (example[id] ? [`${heading}: ${example[id]}`] : []));
    const [first = '', ...rest] = said;
    page.add([
      { value: first, look: 'strong' },
      { value: rest.join('  ·  '), span: width },
    ]);
  }
  await sheet.protect('', {});
}

function addMatrix(page: Page, { columns, kinds }: TemplateSpec): void {
  page.line('Which column is for what (● needed, ○ possible)', 'section');
  page.add([
    { value: 'Column', look: 'heading' },
    { value: 'What to put there', look: 'heading' },
    ...kinds.map(({ title }): StyledCell => ({ value: title, look: 'heading', align: 'center' })),
  ]);
  for (const { heading, help, example, neededFor, usedFor } of columns) {
    const mark = (title: string): string => (neededFor.includes(title) ? '●' : usedFor.includes(title) ? '○' : '');
    page.add([
      { value: heading, look: 'row' },
      { value: example === '' ? help : `${help} Example: ${example}`, look: 'row' },
      ...kinds.map(({ title }): StyledCell => ({ value: mark(title), look: 'row', align: 'center' })),
    ]);
  }
}

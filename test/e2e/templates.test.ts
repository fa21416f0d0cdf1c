import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { isShownByColumns, kinds, typeColumn } from '../../src/kinds/index.ts';
import { holdColumn } from '../../src/kinds/left-out.ts';
import { templateTypes } from '../../src/run/template.ts';
import { type Desk, openDesk, type Told } from '../support/desk/command-line.ts';
import { zipMembers } from '../support/zip-members.ts';

const TEMPLATES = path.join(import.meta.dirname, '..', '..', 'templates');
const ALL = 'payouts.xlsx';
const files = [ALL, ...kinds.map(({ name }) => `${name}.xlsx`)];

/** Fills rows of a worksheet by heading, as text unless the column is the amount. */
async function fill(file: string, rows: readonly Readonly<Record<string, string>>[]): Promise<void> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file);
  const sheet = book.getWorksheet('Payouts');
  if (!sheet) throw new Error('the template has a sheet to fill in');
  const byHeading = new Map<string, number>();
  sheet.getRow(1).eachCell((cell, column) => byHeading.set(cell.text, column));
  for (const [at, row] of rows.entries()) {
    for (const [heading, text] of Object.entries(row)) {
      const column = byHeading.get(heading);
      if (column === undefined) throw new Error(`the template has no column ${heading}`);
      const cell = sheet.getCell(at + 2, column);
      expect(cell.numFmt).toBe(heading === 'Amount' ? '#,##0.00' : '@');
      cell.value = heading === 'Amount' ? Number(text) : text;
    }
  }
  await book.xlsx.writeFile(file);
}

/** Good rows of a kind by heading, each with a reference of its own. */
const goodRows = (kind: (typeof kinds)[number]) =>
  kind.examples.good.map(({ cells }, at) => ({
    Reference: `${kind.name}-${at + 1}`,
    ...Object.fromEntries(
      Object.entries(cells).map(([id, text]) => [kind.columns.find((column) => column.id === id)?.heading ?? id, text]),
    ),
  }));

function expectReady({ exit, events }: Told, rows: number): void {
  expect(events.filter(({ type, level }) => type === 'row.problem' && level === 'error')).toEqual([]);
  expect(exit).toBe(0);
  expect(events.find(({ type }) => type === 'sheet.summary')).toMatchObject({ rows, ready: rows });
}

describe('the templates in the repository', () => {
  test('are one for every way of paying and one for all, beside the calendars of countries', async () => {
    expect((await readdir(TEMPLATES)).sort()).toEqual([...files, 'holidays'].sort());
  });

  test('are what the code writes today; npm run templates writes them again', async () => {
    const desk = await openDesk();
    for (const type of templateTypes) expect((await desk.say(['template', '--type', type])).exit).toBe(0);
    for (const file of files) {
      const fresh = await zipMembers(desk.path(file));
      expect(fresh, `${file} has drifted`).toEqual(await zipMembers(path.join(TEMPLATES, file)));
    }
  });
});

describe.each(kinds)('the template for $name', (kind) => {
  test('is ready to pay when it is filled in', async () => {
    const desk = await openDesk();
    const { end } = await desk.emit(['template', '--type', kind.name, '--rows', '20']);
    expect(end.files.map(({ path: file }) => path.basename(file))).toEqual([`${kind.name}.xlsx`]);
    // A type that the columns do not show has a column of its own.
    const typed = isShownByColumns(kind) ? {} : { [typeColumn.heading]: kind.name };
    const rows = goodRows(kind).map((row) => ({ ...row, ...typed }));
    await fill(desk.path(`${kind.name}.xlsx`), rows);
    expectReady(await desk.emit(['validate', `${kind.name}.xlsx`]), rows.length);
  });

  test('has the columns of that way alone with the one that holds a row, and as CSV the same ones', async () => {
    const desk = await openDesk();
    await desk.say(['template', '--type', kind.name, '-o', 'one.csv']);
    const text = await readFile(desk.path('one.csv'), 'utf8');
    expect(text.startsWith('\ufeff')).toBe(true);
    const headings = text
      .slice(1)
      .trim()
      .split(',')
      .filter((heading) => heading !== 'Payment type');
    expect(headings.sort()).toEqual([...kind.columns, holdColumn].map(({ heading }) => heading).sort());
  });
});

test('the template for all is ready to pay with rows of every way of paying', async () => {
  const desk = await openDesk();
  await desk.say(['template']);
  const rows = kinds.flatMap((kind) => goodRows(kind).map((row) => ({ ...row, 'Payment type': kind.name })));
  await fill(desk.path(ALL), rows);
  expectReady(await desk.emit(['validate', ALL]), rows.length);
});

describe('a template', () => {
  test('never replaces a file, which may be filled in, unless it is told to', async () => {
    const desk = await openDesk();
    await desk.write(ALL, 'precious');
    const { exit, stderr } = await desk.say(['template']);
    expect(exit).toBe(2);
    expect(stderr).toContain('already there');
    expect(await readFile(desk.path(ALL), 'utf8')).toBe('precious');
    expect((await desk.say(['template', '--force'])).exit).toBe(0);
    expect(await readFile(desk.path(ALL), 'utf8')).not.toBe('precious');
  });

  test.each([
    ['a type that there is not', ['--type', 'cheque'], 'Use one of: all, '],
    ['a format that there is not', ['--format', 'pdf'], 'Use one of: xlsx, csv.'],
    ['a name that says another format', ['--format', 'csv', '-o', 'one.xlsx'], 'would hold csv'],
    ['more rows than a workbook is made for', ['--rows', '20001'], 'too large'],
    ['a batch that there is not', ['--from', 'nothing'], 'no batch "nothing"'],
    ['the latest batch when there is none', ['--from'], 'There is no batch yet'],
  ])('is not written for %s', async (_, flags, says) => {
    const desk = await openDesk();
    const { exit, stderr } = await desk.say(['template', ...flags]);
    expect(exit).toBe(2);
    expect(stderr).toContain(says);
    expect((await readdir(desk.folder)).filter((name) => /\.(xlsx|csv)$/.test(name))).toEqual([]);
  });
});

describe('a template with the people of a batch', () => {
  const HEADINGS = [
    'Staff No',
    'Jina',
    'Njia ya Malipo',
    'Simu',
    'Till No',
    'Paybill',
    'Account',
    'Net Pay',
    'Sababu',
    'Note',
    'Grade',
  ];
  const ROWS = [
    ['E1', 'Jane Wanjiku', 'M-PESA', '0712345678', '', '', '', '1000.50', 'Wages', 'extra', 'A'],
    ['E2', '=Ali', 'wallet', '+254722000111', '', '', '', '2000', '', '', 'B'],
    ['E3', 'Duka Moja', 'Buy Goods', '', '512345', '', '', '300', '', '', ''],
    ['E4', 'Nairobi Water', 'paybill', '', '', '400200', '0012345', '400', '', '', ''],
    ['E5', 'Power', 'paybill', '', '', '400200', '1E5', '500', '', '', ''],
    ['E6', 'Not Paid', 'wallet', '0712340001', '', '', '', '600', '', '', ''],
  ] as const;

  async function paid(): Promise<Desk> {
    const desk = await openDesk();
    await desk.write('pay.csv', [HEADINGS, ...ROWS].map((row) => row.join(',')).join('\n'));
    const { exit } = await desk.say(['run', 'pay.csv', '--batch', 'june']);
    expect(exit).toBe(6);
    return desk;
  }

  test('has them all with everything but amounts and notes, and what each was paid, and needs nothing but amounts', async () => {
    const desk = await paid();
    const { exit, stderr } = await desk.say(['template', '--from', 'june', '-o', 'july.csv']);
    expect(exit).toBe(0);
    expect(stderr).toContain('6 rows are filled in, without amounts');
    const [names = [], ...rows] = parse(await readFile(desk.path('july.csv')), { bom: true }) as string[][];
    const people = rows.map((fields) => {
      return Object.fromEntries(names.map((name, at) => [name, fields[at]]).filter(([, text]) => text !== ''));
    });
    expect(people).toEqual([
      {
        Reference: 'E1',
        'Payment type': 'wallet',
        Name: 'Jane Wanjiku',
        'Last paid': '1000.50',
        Currency: 'KES',
        Purpose: 'Wages',
        Phone: '="0712345678"',
      },
      {
        Reference: 'E2',
        'Payment type': 'wallet',
        Name: '="=Ali"',
        'Last paid': '2000.00',
        Currency: 'KES',
        Phone: '="+254722000111"',
      },
      {
        Reference: 'E3',
        'Payment type': 'till',
        Name: 'Duka Moja',
        'Last paid': '300.00',
        Currency: 'KES',
        'Till number': '512345',
      },
      {
        Reference: 'E4',
        'Payment type': 'paybill',
        Name: 'Nairobi Water',
        'Last paid': '400.00',
        Currency: 'KES',
        'Paybill number': '400200',
        'Account number': '="0012345"',
      },
      {
        Reference: 'E5',
        'Payment type': 'paybill',
        Name: 'Power',
        'Last paid': '500.00',
        Currency: 'KES',
        'Paybill number': '400200',
        'Account number': '1E5',
      },
      { Reference: 'E6', 'Payment type': 'wallet', Name: 'Not Paid', Currency: 'KES', Phone: '="0712340001"' },
    ]);

    // It needs nothing but amounts to be paid, as a workbook and as CSV.
    await rm(desk.path('july.csv'));
    await desk.say(['template', '--from', '-o', 'july.xlsx']);
    await desk.say(['template', '--from', '-o', 'july.csv']);
    const amounts = ROWS.map((_, at) => ({ Amount: String(at + 1) }));
    await fill(desk.path('july.xlsx'), amounts);
    const csv = await readFile(desk.path('july.csv'), 'utf8');
    let at = 0;
    // The amount stands before what was paid last, which is a figure or empty, and the currency.
    await desk.write(
      'july.csv',
      csv.replace(/,,([\d.]*),KES/g, (_, last) => `,${++at},${last},KES`),
    );
    for (const file of ['july.xlsx', 'july.csv']) {
      const told = await desk.emit(['validate', file, '--no-copy']);
      expectReady(told, ROWS.length);
      expect(told.events.find(({ type }) => type === 'sheet.summary')?.['total']).toEqual({
        amount: '21.00',
        currency: 'KES',
      });
      expect(told.events.find(({ type }) => type === 'columns')?.['headings']).toContainEqual({
        column: 5,
        text: 'Last paid',
      });
    }

    // One way of paying has its own people.
    const said = await desk.emit(['template', '--from', 'june', '--type', kinds[0]?.name ?? '']);
    expect(said.events.find(({ type }) => type === 'template')?.['people']).toBe(3);
  });
});

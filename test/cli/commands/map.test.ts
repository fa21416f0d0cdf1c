import { readFile, stat, writeFile } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import { beforeEach, describe, expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { practiceClient } from '../../../src/sandbox/practice-account.ts';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { needsPseudoTerminal, onTerminal, type Step } from '../../support/desk/pseudo-terminal.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { keysOf } from '../../support/ledger-keys.ts';

const SHEET = [
  'Worker,Cell 1,Final pay,Amount (USD),Amount',
  'Jane Wanjiku,0712345678,1000,10,5',
  'Ali,0722000111,2000,20,6',
];
const COLUMNS = ['--column', 'amount=Final pay', '--column', 'phone=Cell 1', '--column', 'Name=WORKER'];
const DOWN = '\u001b[B';

async function deskWithSheet(lines: readonly string[] = SHEET): Promise<Desk> {
  const desk = await openDesk();
  await desk.write('pay.csv', lines.join('\n'));
  return desk;
}

const mappingFile = (desk: Desk, name = 'payroll'): string => desk.path('home', 'mappings', `${name}.json`);

describe('without a terminal, map', () => {
  test('saves what the flags say, for its owner alone', async () => {
    const desk = await deskWithSheet();
    const { exit, lines } = await desk.say([
      'map',
      'pay.csv',
      '--save',
      'payroll',
      ...COLUMNS,
      '--ignore',
      'Amount (USD)',
    ]);
    expect(exit).toBe(0);
    expect(lines).toEqual([mappingFile(desk)]);
    expect(JSON.parse(await readFile(mappingFile(desk), 'utf8'))).toEqual({
      paybatch: 'mapping',
      v: 1,
      headings: [
        { folded: 'finalpay', heading: 'Final pay', column: 'amount' },
        { folded: 'cell1', heading: 'Cell 1', column: 'phone' },
        { folded: 'worker', heading: 'Worker', column: 'name' },
        { folded: 'amountusd', heading: 'Amount (USD)', column: null },
      ],
    });
    expect((await stat(mappingFile(desk))).mode & 0o777).toBe(0o600);
    expect((await stat(desk.path('home', 'mappings'))).mode & 0o777).toBe(0o700);
  });

  test.each<readonly [string, readonly string[], RegExp]>([
    [
      'what is still missing',
      ['--column', 'amount=Final pay'],
      /Still missing: one of phone, till_number, paybill_number, bank_code, bill_service\./,
    ],
    ['a heading that the sheet lacks', [...COLUMNS, '--ignore', 'Bonus'], /no heading "Bonus"/],
    ['a column that there is not', ['--column', 'salary=Amount'], /no column "salary"/],
    ['a flag that is not COLUMN=HEADING', ['--column', 'amount'], /takes COLUMN=HEADING/],
    ['a heading that is named twice', [...COLUMNS, '--ignore', 'Final pay'], /"Final pay" is named more than once/],
    ['a name that is no file name', [...COLUMNS, '--save', '../other'], /cannot name a mapping/],
  ])('says %s, exits 2 and saves nothing', async (_, flags, says) => {
    const desk = await deskWithSheet();
    const { exit, stderr, stdout } = await desk.say(['map', 'pay.csv', '--save', 'payroll', ...flags]);
    expect(exit).toBe(2);
    expect(stderr).toMatch(says);
    expect(stdout).toBe('');
    await expect(stat(mappingFile(desk))).rejects.toThrow('ENOENT');
  });

  test('says which two headings could be one column, and takes the one that is named', async () => {
    const desk = await deskWithSheet(['Name,Phone,Salary,Amount', 'Jane,0712345678,1000,5']);
    const asked = await desk.say(['map', 'pay.csv', '--save', 'payroll']);
    expect(asked.exit).toBe(2);
    expect(asked.stderr).toContain('amount ("Salary" (C1), "Amount" (D1))');
    expect((await desk.say(['map', 'pay.csv', '--save', 'payroll', '--ignore', 'Amount'])).exit).toBe(0);
    const { exit, events } = await desk.emit(['validate', 'pay.csv', '--map', 'payroll']);
    expect(exit).toBe(0);
    expect(events.find(({ type }) => type === 'sheet.summary')?.['total']).toEqual({
      amount: '1000.00',
      currency: 'KES',
    });
  });

  test('demands no names from a sheet that can be paid without them', async () => {
    const bulk = ['Recipient Identifier Value,Amount,Comment', '254712345678,1500,Salary'];
    const desk = await deskWithSheet(bulk);
    const said = await desk.say([
      'map',
      'pay.csv',
      '--save',
      'payroll',
      '--column',
      'phone=Recipient Identifier Value',
    ]);
    expect(said.exit).toBe(0);
    const { exit, events } = await desk.emit(['validate', 'pay.csv', '--map', 'payroll']);
    expect(exit).toBe(0);
    expect(events.find(({ type }) => type === 'sheet.summary')?.['ready']).toBe(1);
  });

  test('takes the headings that are named below the form of a bank, and so does what reads the sheet then', async () => {
    const form = [
      'Debit Account,Total Amount,Narration',
      '0100012345678,1500,NOV',
      'Worker,Simu 1,Pesa',
      'Jane,0712345678,1500',
    ];
    const desk = await deskWithSheet(form);
    const flags = ['amount=Pesa', 'phone=Simu 1', 'name=Worker'].flatMap((flag) => ['--column', flag]);
    expect((await desk.say(['map', 'pay.csv', ...flags])).exit).toBe(0);
    const { exit, events } = await desk.emit(['validate', 'pay.csv']);
    expect(exit).toBe(0);
    expect(events.find(({ type }) => type === 'sheet.summary')?.['ready']).toBe(1);
  });

  test('lists all headings where none is left that could be the missing column', async () => {
    const desk = await deskWithSheet(['Name,Amount', 'Jane,5']);
    const { exit, stderr } = await desk.say(['map', 'pay.csv']);
    expect(exit).toBe(2);
    expect(stderr).toContain('Headings: "Name" (A1), "Amount" (B1).');
  });

  test('refuses two headings that are written alike, because no name could tell them apart', async () => {
    const desk = await deskWithSheet(['Name,Phone,Amount,amount', 'Jane,0712345678,1000,5']);
    const { exit, stderr } = await desk.say(['map', 'pay.csv', '--save', 'payroll']);
    expect(exit).toBe(2);
    expect(stderr).toContain('"Amount" is there twice, in C1 and D1');
  });
});

describe('--map', () => {
  const learned = async (): Promise<Desk> => {
    const desk = await deskWithSheet();
    expect((await desk.say(['map', 'pay.csv', '--save', 'payroll', ...COLUMNS])).exit).toBe(0);
    return desk;
  };

  test('tells what each heading was taken for, and why', async () => {
    const desk = await learned();
    const { events } = await desk.emit(['validate', 'pay.csv', '--map', 'payroll']);
    const columns = events.find(({ type }) => type === 'columns');
    expect(columns?.['mapping']).toEqual({ name: 'payroll', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(columns?.['headings']).toContainEqual({ column: 3, text: 'Final pay', means: 'amount', by: 'mapping' });
    expect(columns?.['headings']).toContainEqual({ column: 5, text: 'Amount' });
    const { stderr } = await desk.say(['validate', 'pay.csv', '--map', 'payroll']);
    expect(stderr).toContain('Final pay → amount (mapping)');
  });

  test('does not pay the month that it was learned on where the workbook has another one', async () => {
    const desk = await openDesk();
    const book = new ExcelJS.Workbook();
    const add = (month: string, person: string) =>
      book.addWorksheet(month).addRows([
        ['Worker', 'Cell 1', 'Final pay'],
        [person, '0712345678', 1000],
      ]);
    add('January', 'Jane');
    book.addWorksheet('Rates').addRow(['PAYE', 0.3]);
    await book.xlsx.writeFile(desk.path('pay.xlsx'));
    await desk.say(['map', 'pay.xlsx', '--worksheet', 'January', '--save', 'payroll', ...COLUMNS]);
    const first = await desk.emit(['run', 'pay.xlsx', '--map', 'payroll']);
    expect(first.exit).toBe(0);
    add('February', 'Ali');
    await book.xlsx.writeFile(desk.path('pay.xlsx'));
    const next = await desk.say(['run', 'pay.xlsx', '--map', 'payroll']);
    expect(next.exit).toBe(3);
    expect(next.stderr).toContain(
      'The mapping was learned on the worksheet "January", but these may be meant as well: "February".',
    );
    const named = await desk.emit(['validate', 'pay.xlsx', '--map', 'payroll', '--worksheet', 'February']);
    expect(named.exit).toBe(0);
    expect(named.events).toContainEqual(
      expect.objectContaining({
        type: 'notice',
        level: 'warning',
        message: 'The worksheet "January" is not paid: it has 1 row under headings like those of a payout sheet.',
      }),
    );
  });

  test('pays by the mapping, and the ledger keeps its name and hash', async () => {
    const desk = await learned();
    const { exit, end, events } = await desk.emit(['run', 'pay.csv', '--map', 'payroll']);
    expect(exit).toBe(0);
    expect(end.amounts[0]?.['completed']).toBe('3000.00');
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(end.files[0]?.path ?? '');
    const words: string[] = [];
    book.getWorksheet('Audit')?.eachRow((row) => row.eachCell((cell) => words.push(String(cell.value ?? ''))));
    expect(words.find((word) => word.startsWith('payroll (SHA-256 '))).toBeDefined();
    const ledger = await openLedger({
      path: desk.path('home', 'sandbox', 'ledger.db'),
      keys: keysOf(practiceClient.secret),
      clock: new FakeClock(),
      holder: { host: 'test', pid: 1, description: 'test' },
    });
    const batch = await ledger.latestBatch();
    await ledger.close();
    expect(batch?.sheet.mapping).toEqual(events.find(({ type }) => type === 'columns')?.['mapping']);
    expect(batch?.sheet.headings).toContainEqual({ column: 3, text: 'Final pay', means: 'amount', by: 'mapping' });
  });

  test('refuses a sheet that lost a heading of the mapping', async () => {
    const desk = await learned();
    await desk.write('next.csv', SHEET.join('\n').replace('Cell 1', 'Cell 2'));
    const { exit, events } = await desk.emit(['validate', 'next.csv', '--map', 'payroll']);
    expect(exit).toBe(3);
    const found = events.find(({ code }) => code === 'PB-MAPPING-HEADING');
    expect(found?.['message']).toContain('"Cell 1"');
    expect(found?.['message']).toContain('"Cell 2" in B1');
  });

  test('that does not exist names those that do', async () => {
    const desk = await learned();
    const { exit, stderr } = await desk.say(['run', 'pay.csv', '--map', 'other']);
    expect(exit).toBe(2);
    expect(stderr).toContain('Use one of: payroll.');
  });

  test.each([
    ['no JSON', '{'],
    ['another form', '{"paybatch":"mapping","v":2,"headings":[]}'],
    ['a column that there is not', entry('finalpay', 'Final pay', 'salary')],
    ['a heading changed by hand', entry('finalpay', 'Gross pay', 'amount')],
    ['a heading twice', entry('a', 'A', 'amount', 'a', 'a', null)],
  ])('is refused when its file holds %s', async (_, content) => {
    const desk = await learned();
    await writeFile(mappingFile(desk), content);
    const { exit, stderr } = await desk.say(['validate', 'pay.csv', '--map', 'payroll']);
    expect(exit).toBe(2);
    expect(stderr).toContain('payroll.json is not valid');
  });
});

function entry(...parts: readonly (string | null)[]): string {
  const headings: object[] = [];
  for (let at = 0; at < parts.length; at += 3) {
    headings.push({ folded: parts[at], heading: parts[at + 1], column: parts[at + 2] });
  }
  return JSON.stringify({ paybatch: 'mapping', v: 1, headings });
}

describe('on a terminal, map', () => {
  beforeEach(needsPseudoTerminal);

  test('asks for what is not known, with values of each column, and saves the answers', async () => {
    const desk = await deskWithSheet(['Worker,Cell 1,Salary,Amount', 'Jane Wanjiku,0712345678,1000,5']);
    const { exit, screen } = await onTerminal(
      desk,
      ['map', 'pay.csv', '--save', 'payroll'],
      [
        ['More than one heading could be Amount', `${DOWN}\r`],
        ['Which heading is Phone', '\r'],
        ['Which heading is Name, if the sheet has it?', '\r'],
      ],
    );
    expect(screen).toContain('Amount (D1): 5');
    expect(screen).toContain('Worker (A1): Jane Wanjiku');
    expect(exit).toBe(0);
    const { headings } = JSON.parse(await readFile(mappingFile(desk), 'utf8')) as {
      headings: Record<string, string>[];
    };
    expect(headings.map((said) => [said['heading'], said['column']])).toEqual([
      ['Amount', 'amount'],
      ['Salary', null],
      ['Cell 1', 'phone'],
      ['Worker', 'name'],
    ]);
  });

  test.each<readonly [string, Step[1]]>([
    ['the key Ctrl-C', '\u0003'],
    ['a signal before the first key', { send: 'SIGINT' }],
    ['the end of the session', { send: 'SIGTERM' }],
  ])('saves nothing when it is stopped by %s', async (_, stop) => {
    const desk = await deskWithSheet();
    const { exit, screen } = await onTerminal(
      desk,
      ['map', 'pay.csv', '--save', 'payroll'],
      [['More than one heading could be Amount', stop]],
    );
    expect(exit).toBe(8);
    expect(screen).toContain('No mapping was saved');
    await expect(stat(mappingFile(desk))).rejects.toThrow('ENOENT');
  });
});

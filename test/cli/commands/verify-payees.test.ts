import { readdir, readFile } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { type ValidationService, validationService } from '../../preflight/payees/validation-service.ts';
import { accountIn, openService, paidTraces, quickProfile } from '../../support/desk/account.ts';
import { type Desk, openDesk, type Told } from '../../support/desk/command-line.ts';
import { fastClock } from '../../support/fast-clock.ts';

const clock = fastClock();

/** The practice service names a holder by the last two digits: 78 is JANE WANJIKU, 77 HASSAN WANJIKU, 55 FATUMA ODHIAMBO. */
const MATCHING = 'Jane Wanjiku,0712345678,,1500';
const CLOSE = 'Hassan Wanjiko,0712345677,,1000';
const OTHER = 'Peter Otieno,0712345655,,20';
const TILL = 'Duka Moja,,512345,700';

const sheetOf = (...lines: readonly string[]): string => ['Name,Phone,Till,Amount', ...lines].join('\n');

async function deskWith(...lines: readonly string[]): Promise<Desk> {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', sheetOf(...lines));
  return desk;
}

const payeesIn = ({ events }: Told) => events.filter(({ type }) => type === 'payee');

describe('verify-payees', () => {
  test('answers with every payee and its verdict, and says what each verdict comes to', async () => {
    const desk = await deskWith(MATCHING, CLOSE, OTHER, TILL);
    const { exit, lines, stderr } = await desk.say(['verify-payees', 'pay.csv']);
    expect(exit).toBe(3);
    const table = lines.slice(0, 5).map((line) => line.trim().split(/\s{2,}/));
    expect(table).toEqual([
      ['Row', 'Name in the sheet', 'Holder of the account', 'Verdict'],
      ['2', 'Jane Wanjiku', 'JANE WANJIKU', 'match'],
      ['3', 'Hassan Wanjiko', 'HASSAN WANJIKU', 'close match'],
      ['4', 'Peter Otieno', 'FATUMA ODHIAMBO', 'NO MATCH'],
      ['5', 'Duka Moja', 'not possible: the service names no holder for: Business till'],
    ]);
    expect(lines.slice(5)).toEqual([desk.path('pay.checked.csv')]);
    expect(stderr).toMatch(/match +1 +1,500\.00\n +close match +1 +1,000\.00\n +NO MATCH +1 +20\.00/);
    expect(stderr).toContain('Accounts asked about: 3');
    expect(stderr).toContain('--accept-no-match 1');
  });

  test('with --json tells one event for each payee, and ends with the exit code', async () => {
    const desk = await deskWith(MATCHING, CLOSE, OTHER, TILL);
    const told = await desk.emit(['verify-payees', 'pay.csv']);
    expect(told.exit).toBe(3);
    expect(payeesIn(told)).toMatchObject([
      { row: 2, verdict: 'match', name: 'Jane Wanjiku', holder: 'JANE WANJIKU', payee: '+254712345678' },
      { row: 3, verdict: 'close-match', holder: 'HASSAN WANJIKU' },
      { row: 4, verdict: 'no-match', holder: 'FATUMA ODHIAMBO', amount: { amount: '20.00', currency: 'KES' } },
      { row: 5, verdict: 'not-possible', name: 'Duka Moja' },
    ]);
    expect(told.events.find(({ type }) => type === 'payees')).toMatchObject({ asked: 3 });
    expect(told.fault).toMatchObject({ code: 'sheet-refused' });
    expect(told.end).toMatchObject({ exit: 3, files: [{ kind: 'checked' }] });
  });

  test('sends no money, and tells the log nothing of whose an account is', async () => {
    const desk = await deskWith(MATCHING, OTHER);
    await desk.say(['verify-payees', 'pay.csv']);
    const history = await desk.say(['status']);
    expect(`${history.stdout}${history.stderr}`).not.toContain('Completed');
    const logs = desk.path('home', 'logs');
    const [log = ''] = await readdir(logs);
    const text = await readFile(`${logs}/${log}`, 'utf8');
    expect(text).toContain('verify-payees');
    expect(text).not.toMatch(/FATUMA|ODHIAMBO/);
  });

  test.each([
    ['every payee matches', [MATCHING], [], 0, false],
    ['the worst is close', [MATCHING, CLOSE], [], 0, true],
    ['some cannot be asked about', [MATCHING, TILL], [], 0, true],
    [
      'the holders that are others were accepted by their count',
      [MATCHING, OTHER],
      ['--accept-no-match', '1'],
      0,
      true,
    ],
    ['another count was accepted', [MATCHING, OTHER], ['--accept-no-match', '2'], 3, true],
    ['there was nothing to accept', [MATCHING], ['--accept-no-match', '1'], 3, false],
  ])('when %s: exit code and copy', async (_, lines, flags, exit, hasCopy) => {
    const desk = await deskWith(...lines);
    const told = await desk.emit(['verify-payees', 'pay.csv', ...flags]);
    expect(told.exit).toBe(exit);
    expect(told.end.files.map(({ kind }) => kind)).toEqual(hasCopy ? ['checked'] : []);
  });

  test('hands back a workbook with the verdicts at the names, which can be verified again', async () => {
    const desk = await openDesk(clock);
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('June');
    sheet.addRows([
      ['Staff No', 'Employee Name', 'Mobile No.', 'Net Pay'],
      ['E1', 'Jane Wanjiku', '0712345678', 1500],
      ['E2', 'Hassan Wanjiko', '0712345677', 1000],
      ['E3', 'Peter Otieno', '0712345655', 20],
    ]);
    await book.xlsx.writeFile(desk.path('pay.xlsx'));
    const { exit, end } = await desk.emit(['verify-payees', 'pay.xlsx']);
    expect(exit).toBe(3);
    const copy = new ExcelJS.Workbook();
    await copy.xlsx.readFile(end.files[0]?.path ?? '');
    const marked = copy.worksheets[0];
    const noteAt = (address: string): string => JSON.stringify(marked?.getCell(address).note ?? '');
    expect(noteAt('B2')).toBe('""');
    expect(noteAt('B3')).toContain('PB-PAYEE-CLOSE');
    expect(noteAt('B4')).toContain('PB-PAYEE-NO-MATCH');
    expect(noteAt('B4')).toContain('FATUMA ODHIAMBO');
    expect(marked?.getCell('B4').fill).not.toEqual(marked?.getCell('B2').fill);
    expect(marked?.getCell('E4').text).toContain('FATUMA ODHIAMBO');
    const again = await desk.emit(['verify-payees', end.files[0]?.path ?? '']);
    expect(again.exit).toBe(3);
    expect(payeesIn(again).map(({ verdict }) => verdict)).toEqual(['match', 'close-match', 'no-match']);
  });

  test('tells the copy in the language of the user', async () => {
    const desk = await deskWith(OTHER);
    const { end } = await desk.emit(['verify-payees', 'pay.csv', '--lang', 'sw']);
    expect(await readFile(end.files[0]?.path ?? '', 'utf8')).toContain('Mwenye +254712345655 ni');
  });

  test('asks nobody about a sheet that is refused, and only about the rest when rows are set aside', async () => {
    const desk = await deskWith(MATCHING, 'Odd,07,,5');
    const refused = await desk.emit(['verify-payees', 'pay.csv']);
    expect(refused).toMatchObject({ exit: 3, fault: { code: 'sheet-refused' } });
    expect(payeesIn(refused)).toEqual([]);
    const skipped = await desk.emit(['verify-payees', 'pay.csv', '--skip-invalid', '1']);
    expect(skipped.exit).toBe(0);
    expect(payeesIn(skipped)).toMatchObject([{ row: 2, verdict: 'match' }]);
  });

  test('leaves payees that were paid before to the past with --new-only', async () => {
    const desk = await deskWith(OTHER);
    expect((await desk.say(['run', 'pay.csv'])).exit).toBe(0);
    await desk.write('next.csv', sheetOf(OTHER, MATCHING));
    const told = await desk.emit(['verify-payees', 'next.csv', '--new-only']);
    expect(told.exit).toBe(0);
    expect(payeesIn(told)).toMatchObject([{ row: 3, verdict: 'match' }]);
    expect(told.events.find(({ type }) => type === 'payees')).toMatchObject({
      asked: 1,
      paidBefore: { count: 1, amount: { amount: '20.00', currency: 'KES' } },
    });
    const said = await desk.say(['verify-payees', 'next.csv', '--new-only']);
    expect(said.stderr).toMatch(/paid before +1 +20\.00/);
  });
});

describe('a stop while payees are verified', () => {
  test.each([
    ['verify-payees', ['verify-payees', 'pay.csv']],
    ['run', ['run', 'pay.csv', '--verify-payees']],
  ])('of %s ends with exit 130, and there is nothing to resume', async (_, argv) => {
    const desk = await deskWith(MATCHING, OTHER);
    const { exit, stderr, stdout } = await desk.say(argv, { signal: AbortSignal.abort() });
    expect(exit).toBe(130);
    expect(stderr).toContain('Run the same command again. Nothing was sent.');
    expect(stderr).not.toContain('resume');
    expect(stdout).toBe('');
  });
});

interface Office {
  readonly desk: Desk;
  readonly validations: ValidationService;
  readonly paid: () => readonly string[];
}

/** A configured account whose holders the test chooses; everything else is the practice service. */
async function openOffice(holders: Readonly<Record<string, string>>, ...lines: readonly string[]): Promise<Office> {
  const desk = await deskWith(...lines);
  const service = await openService(undefined, clock);
  const validations = await validationService(holders, { behind: service.url });
  await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
  desk.payBy(accountIn({ ...service, url: validations.url }));
  return { desk, validations, paid: () => paidTraces(service.books()) };
}

const totals = ['--expect-count', '2', '--expect-total', '1520'];

describe('run --verify-payees', () => {
  const holders = { '+254712345678': 'JANE WANJIKU', '+254712345655': 'FATUMA ODHIAMBO' };

  test('pays nobody when a holder is somebody else, until exactly these were accepted, and the record says so', async () => {
    const { desk, paid, validations } = await openOffice(holders, MATCHING, OTHER);
    expect((await desk.say(['run', 'pay.csv', '--dry-run', ...totals])).exit).toBe(0);
    expect(validations.asked()).toEqual([]);
    expect((await desk.say(['run', 'pay.csv', '--dry-run', '--verify-payees', ...totals])).exit).toBe(5);

    const refused = await desk.say(['run', 'pay.csv', '--verify-payees', ...totals]);
    expect(refused).toMatchObject({ exit: 5, stdout: '' });
    expect(refused.stderr).toContain('Payees: 1 match, 0 close match, 1 NO MATCH, 0 not possible');
    expect(refused.stderr).toMatch(/Peter Otieno +FATUMA ODHIAMBO +NO MATCH/);
    expect(refused.stderr).not.toMatch(/Jane Wanjiku +JANE WANJIKU/);
    for (const count of ['2', '99']) {
      const flags = ['--verify-payees', '--accept-no-match', count, ...totals];
      expect(await desk.emit(['run', 'pay.csv', ...flags])).toMatchObject({
        exit: 5,
        fault: {
          code: 'preflight-refused',
          message: expect.stringContaining(`--accept-no-match says ${count}`),
        },
      });
    }
    expect(paid()).toEqual([]);

    const before = validations.asked().length;
    const flags = ['--verify-payees', '--accept-no-match', '1', ...totals];
    const { exit, events, end } = await desk.emit(['run', 'pay.csv', ...flags]);
    expect(exit).toBe(0);
    expect(paid()).toHaveLength(2);
    expect(validations.asked()).toHaveLength(before + 2);
    expect(events.find(({ type }) => type === 'statement')).toMatchObject({
      statement: { payees: { match: 1, closeMatch: 0, noMatch: 1, notPossible: 0 } },
    });
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(end.files[0]?.path ?? '');
    expect(JSON.stringify(book.model)).toContain('payees: 1 match, 0 close match, 1 NO MATCH, 0 not possible');
  });

  test('asks only about new payees with --new-only', async () => {
    const { desk, validations } = await openOffice(holders, MATCHING, OTHER);
    expect((await desk.say(['run', 'pay.csv', ...totals])).exit).toBe(0);
    await desk.write('next.csv', sheetOf(OTHER, 'Ali Hassan,0722000111,,1500'));
    const flags = ['--batch', 'next', '--verify-payees', '--new-only', '--accept-paid-before', '1', ...totals];
    const { exit, events } = await desk.emit(['run', 'next.csv', ...flags]);
    expect(validations.asked().map(({ primaryAccountNumber }) => primaryAccountNumber)).toEqual(['+254722000111']);
    expect(events.find(({ type }) => type === 'statement')).toMatchObject({
      statement: { payees: { notPossible: 1, paidBefore: 1 } },
    });
    expect(exit).toBe(0);
  });

  test.each([['--new-only'], ['--accept-no-match=1']])('is what %s is about', async (flag) => {
    const desk = await deskWith(MATCHING);
    const { exit, stderr } = await desk.say(['run', 'pay.csv', flag]);
    expect(exit).toBe(2);
    expect(stderr).toContain('--verify-payees');
  });

  test('shows no holder that could steer the terminal', async () => {
    const hostile = '\u001b[31mJANE\u202e \u0007WANJIKU';
    const { desk } = await openOffice({ '+254712345678': hostile, '+254712345655': 'X' }, MATCHING, OTHER);
    for (const argv of [
      ['verify-payees', 'pay.csv'],
      ['run', 'pay.csv', '--verify-payees', ...totals],
    ]) {
      const { stdout, stderr } = await desk.say(argv);
      expect(`${stdout}${stderr}`).toContain('JANE');
      expect(`${stdout}${stderr}`).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e]/u);
    }
  });
});

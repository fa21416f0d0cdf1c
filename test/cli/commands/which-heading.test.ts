import { readdir, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { needsPseudoTerminal, onTerminal } from '../../support/desk/pseudo-terminal.ts';
import { headings, second, sheetXml, wallet } from '../../support/sheets/sheet-case.ts';
import { workbookBytes } from '../../support/sheets/xlsx-bytes.ts';

const DOWN = '\u001b[B';
const PAYROLL = [
  'Name,Phone,Salary,PAYE,Payable',
  'Jane,0712345678,50000,6000,44000',
  'Ali,0722100200,60000,7000,53000',
];

async function deskWith(lines: readonly string[] = PAYROLL): Promise<Desk> {
  const desk = await openDesk();
  await desk.write('november pay.csv', lines.join('\n'));
  return desk;
}

const totalOf = async (desk: Desk, argv: readonly string[]): Promise<unknown> =>
  (await desk.emit(argv)).events.find(({ type }) => type === 'sheet.summary')?.['total'];

describe('two headings that may be the amount', () => {
  test('refuse the sheet without a terminal, and the command that is printed decides it for these headings', async () => {
    const desk = await deskWith();
    const { exit, stderr } = await desk.say(['run', 'november pay.csv', '--no-copy']);
    expect(exit).toBe(3);
    expect(stderr).toContain('"Salary" (C1: 50000, 60000) or "Payable" (E1: 44000, 53000)');
    expect(stderr).toContain('paybatch map "november pay.csv" --column amount="Payable"');
    expect((await desk.say(['map', 'november pay.csv', '--column', 'amount=Payable'])).exit).toBe(0);
    const { exit: now, end } = await desk.emit(['run', 'november pay.csv']);
    expect([now, end.amounts[0]?.['completed']]).toEqual([0, '97000.00']);
  });

  test('are decided for the same headings in another order, and for no others', async () => {
    const desk = await deskWith();
    await desk.say(['map', 'november pay.csv', '--column', 'amount=Payable']);
    await desk.write('december.csv', 'Payable,Salary,paye,Phone,NAME\n1,2,3,0712345678,Jane\n');
    await desk.write('other.csv', 'Name,Phone,Salary,Payable\nJane,0712345678,2,1\n');
    expect(await totalOf(desk, ['validate', 'december.csv'])).toEqual({ amount: '1.00', currency: 'KES' });
    expect((await desk.say(['validate', 'other.csv', '--no-copy'])).exit).toBe(3);
  });

  test('are decided anew in a mapping that was named, by a command that keeps what it knew', async () => {
    const desk = await deskWith(['Name,Cell 1,Amount', 'Jane,0712345678,2']);
    await desk.say(['map', 'november pay.csv', '--save', 'payroll', '--column', 'phone=Cell 1']);
    await desk.write('next.csv', 'Name,Cell 1,Pay,Total\nJane,0712345678,2,1\n');
    const { stderr } = await desk.say(['validate', 'next.csv', '--map', 'payroll', '--no-copy']);
    expect(stderr).toContain('paybatch map next.csv --save payroll --column phone="Cell 1" --column amount="Pay"');
  });

  test('are named in a command that a shell takes for nothing else', async () => {
    const desk = await deskWith(['Name,Phone,"Pay `id` $(id)",Pay (KES),Total (KES)', 'Jane,0712345678,x,2,1']);
    const { stderr } = await desk.say(['validate', 'november pay.csv', '--no-copy']);
    expect(stderr).toContain('--column amount="Pay (KES)" or paybatch map');
    expect(stderr).not.toMatch(/--column amount="[^"]*[$`]/);
  });

  describe('on a terminal', () => {
    beforeEach(needsPseudoTerminal);

    test('are asked about with their first values, and the answer is remembered', async () => {
      const desk = await deskWith();
      const asked = await onTerminal(
        desk,
        ['validate', 'november pay.csv'],
        [['More than one heading could be Amount', `${DOWN}\r`]],
      );
      expect(asked.exit).toBe(0);
      expect(asked.screen).toContain('Salary (C1): 50000 · 60000');
      expect(asked.screen).toContain('Payable (E1): 44000 · 53000');
      expect(await readdir(desk.path('home', 'mappings'))).toEqual([
        expect.stringMatching(/^headings-[0-9a-f]{16}\.json$/),
      ]);
      const again = await onTerminal(desk, ['validate', 'november pay.csv'], []);
      expect(again.exit).toBe(0);
      expect(again.screen).not.toContain('could be Amount');
      expect(again.screen).toContain('Payable → amount (mapping)');
    });
  });
});

describe('two worksheets', () => {
  const deskWithBook = async (): Promise<Desk> => {
    const desk = await openDesk();
    const sheets = [
      { name: 'Staff', xml: sheetXml([headings, wallet(), second]) },
      { name: 'Casual workers', xml: sheetXml([headings, wallet()]) },
    ];
    await writeFile(desk.path('pay day.xlsx'), workbookBytes({ sheets }));
    return desk;
  };

  test('are refused without a terminal, with the whole command', async () => {
    const desk = await deskWithBook();
    const { exit, stderr } = await desk.say(['validate', 'pay day.xlsx', '--no-copy']);
    expect(exit).toBe(3);
    expect(stderr).toContain('"Staff", "Casual workers"');
    expect(stderr).toMatch(/paybatch .*validate "pay day\.xlsx" --no-copy --worksheet Staff/);
  });

  test('are named beside a mapping that was learned on one of them, which advises a whole command', async () => {
    const desk = await deskWithBook();
    const learned = await desk.say(['map', 'pay day.xlsx', '--worksheet', 'casual workers', '--save', 'casuals']);
    expect(learned.exit).toBe(0);
    expect(learned.stderr).toContain('paybatch validate "pay day.xlsx" --worksheet "Casual workers" --map casuals');
    const mapped = ['validate', 'pay day.xlsx', '--map', 'casuals'];
    expect((await desk.say(mapped)).stderr).toContain('these may be meant as well: "Staff"');
    expect(await totalOf(desk, [...mapped, '--worksheet', 'Casual workers'])).toEqual({
      amount: '1500.00',
      currency: 'KES',
    });
  });

  test('do not matter to such a mapping where another workbook has only one', async () => {
    const desk = await deskWithBook();
    await desk.say(['map', 'pay day.xlsx', '--worksheet', 'Casual workers', '--save', 'casuals']);
    await writeFile(
      desk.path('next.xlsx'),
      workbookBytes({ sheets: [{ name: 'December', xml: sheetXml([headings, second]) }] }),
    );
    expect(await totalOf(desk, ['validate', 'next.xlsx', '--map', 'casuals'])).toEqual({
      amount: '2500.00',
      currency: 'KES',
    });
  });

  test('are asked about on a terminal, from a list', async (context) => {
    needsPseudoTerminal(context);
    const desk = await deskWithBook();
    const { exit, screen } = await onTerminal(
      desk,
      ['validate', 'pay day.xlsx'],
      [['Several worksheets hold data', `${DOWN}\r`]],
    );
    expect(exit).toBe(0);
    expect(screen).toContain('worksheet "Casual workers"');
    expect(screen).toContain('1,500.00');
  });
});

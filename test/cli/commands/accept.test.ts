import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { openDesk } from '../../support/desk/command-line.ts';
import { fastClock } from '../../support/fast-clock.ts';

const clock = fastClock();

const SHEET = "Reference,Name,Phone,Amount\nE1,Jane,'0712345678,5\nE2,Ali,0722345678,6\n";
const problems = ({ events }: { readonly events: readonly Readonly<Record<string, unknown>>[] }) =>
  events
    .filter(({ type }) => type === 'row.problem')
    .map(({ code, cell, level, repair }) => ({ code, cell, level, repair }));
const found = (level: string) => [
  { code: 'PB-PHONE-CHARS', cell: 'C2', level, repair: { to: '0712345678', why: ['apostrophe'] } },
];

test('a repair is proposed by validate, and refuses the sheet until it is accepted', async () => {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', SHEET);
  const proposed = await desk.emit(['validate', 'pay.csv', '--no-copy']);
  expect(proposed.exit).toBe(3);
  expect(problems(proposed)).toEqual(found('error'));
  const said = await desk.say(['validate', 'pay.csv', '--no-copy']);
  expect(said.stderr + said.stdout).toContain('With --accept-fixes it would be read as 0712345678.');
  const accepted = await desk.emit(['validate', 'pay.csv', '--no-copy', '--accept-fixes']);
  expect(accepted.exit).toBe(0);
  expect(problems(accepted)).toEqual(found('warning'));
});

test('a run pays what was accepted and lists it in the results, and refuses a wrong count of hidden or identical rows', async () => {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', SHEET);
  for (const flag of ['--include-hidden', '--allow-identical']) {
    const refused = await desk.emit(['run', 'pay.csv', '--no-copy', '--accept-fixes', flag, '2']);
    expect([refused.exit, refused.end.files]).toEqual([3, []]);
  }
  const paid = await desk.emit(['run', 'pay.csv', '--accept-fixes']);
  expect(paid.exit).toBe(0);
  expect(paid.end).toMatchObject({ rows: { completed: 2 } });
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(paid.end.files[0]?.path ?? '');
  const repairs = book.getWorksheet('Repairs');
  const lines = repairs?.getSheetValues().slice(2) as readonly (readonly unknown[])[];
  expect(lines.map((line) => line.slice(1, 7))).toEqual([[2, 'C2', 'E1', 'Jane', "'0712345678", '0712345678']]);
});

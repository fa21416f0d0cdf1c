import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { openDesk } from '../support/desk/command-line.ts';
import { fastClock } from '../support/fast-clock.ts';

const clock = fastClock();

const SEMICOLONS = [
  'Reference;Name;Phone;Amount',
  'E1;Jane Wanjiku;0712345678;100,50',
  'E2;Ann Atieno;0722345678;1.500',
  'Total;;;1.600,50',
  '',
].join('\n');

describe('a sheet with commas before the cents', () => {
  test('is paid what it says, and that it was read so is told', async () => {
    const desk = await openDesk(clock);
    await desk.write('pay.csv', SEMICOLONS);
    const { exit, events, end } = await desk.emit(['run', 'pay.csv']);
    expect(exit).toBe(0);
    expect(end.amounts).toMatchObject([{ currency: 'KES', completed: '1600.50' }]);
    expect(events).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('100,50 is read as 100.50') }),
    );
  });

  test('is read so from a workbook, too, whatever its first rows are', async () => {
    const desk = await openDesk(clock);
    const workbook = new ExcelJS.Workbook();
    const amounts = [...Array(600).fill(7), '1.500', '1.250,00', '99,95'];
    workbook
      .addWorksheet('Pay')
      .addRows([
        ['Reference', 'Name', 'Phone', 'Amount'],
        ...amounts.map((amount, at) => [`E${at}`, `Person ${at}`, `07${String(12_000_000 + at)}`, amount]),
      ]);
    await workbook.xlsx.writeFile(desk.path('pay.xlsx'));
    const { end } = await desk.emit(['validate', 'pay.xlsx']);
    expect(end).toMatchObject({ exit: 0, amounts: [{ planned: '7049.95' }] });
  });

  test('is asked about where nothing proves it, and read as the operator says', async () => {
    const desk = await openDesk(clock);
    await desk.write('pay.csv', SEMICOLONS.replace('100,50', '2.000').replace('1.600,50', '3500'));
    const { exit, stderr } = await desk.say(['validate', 'pay.csv', '--no-copy']);
    expect(exit).toBe(3);
    expect(stderr).toContain('if the whole sheet separates thousands like this, add --decimals comma.');
    const { end } = await desk.emit(['validate', 'pay.csv', '--decimals', 'comma']);
    expect(end).toMatchObject({ exit: 0, amounts: [{ planned: '3500.00' }] });
  });
});

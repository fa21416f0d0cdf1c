import { expect, test } from 'vitest';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { fastClock } from '../../support/fast-clock.ts';

const clock = fastClock();

interface Found {
  readonly rows: readonly Record<string, unknown>[];
  readonly more: number;
}
const found = async (desk: Desk, ...argv: readonly string[]): Promise<Found> =>
  (await desk.emit(['find', ...argv])).events[0] as unknown as Found;

/** Two months, in which one person was paid, then not. */
async function twoMonths(): Promise<Desk> {
  const desk = await openDesk(clock);
  const sheet = (phone: string, other: string) =>
    `Reference,Name,Phone,Amount\nE1,Jane Wanjiku,${phone},100\n${other}\n`;
  await desk.write('may.csv', sheet('0712345678', 'E2,Ali Said,0733111222,200'));
  await desk.write('june.csv', sheet('0722000004', 'E3,Asha Njeri,0733111333,300'));
  expect((await desk.emit(['run', 'may.csv', '--batch', 'may'])).exit).toBe(0);
  expect((await desk.emit(['run', 'june.csv', '--batch', 'june'])).exit).toBe(6);
  return desk;
}

test('find says of every batch what became of a person, the latest first', async () => {
  const desk = await twoMonths();
  const { rows, more } = await found(desk, 'jane');
  expect(more).toBe(0);
  expect(rows).toMatchObject([
    { batch: 'june', row: 2, by: 'name', outcome: 'refused', payAgain: 'Yes', destination: '+254722000004' },
    { batch: 'may', row: 2, by: 'name', outcome: 'completed', payAgain: 'No', amount: '100.00', currency: 'KES' },
  ]);
  expect(rows[1]?.['receipt']).toMatch(/^\w+$/);
  expect(rows[0]).not.toHaveProperty('receipt');

  const { stdout, stderr } = await desk.say(['find', '0712 345 678']);
  expect(stdout).toContain('may');
  expect(stdout).toMatch(/Completed {2}receipt \w+/);
  expect(stdout).not.toContain('june');
  expect(stderr).toBe('Times of Africa/Nairobi:\n');
});

test('find knows an order whose place another attempt has taken', async () => {
  const desk = await twoMonths();
  const [before] = (await found(desk, '0722000004')).rows;
  expect((await desk.emit(['retry', 'june'])).exit).toBe(6);
  const [after] = (await found(desk, '0722000004')).rows;
  expect(after?.['order']).not.toBe(before?.['order']);
  expect((await found(desk, String(before?.['order']))).rows).toEqual([{ ...after, by: 'order id' }]);
});

test('find shows as many rows as are asked for, and says how many there are besides', async () => {
  const desk = await twoMonths();
  expect(await found(desk, 'jane', '--last', '1')).toMatchObject({ rows: [{ batch: 'june' }], more: 1 });
  expect((await desk.say(['find', 'jane', '--last', '1'])).stdout).toContain('1 more row: --last 2');
});

test('find says that nobody has it, and shows what was asked for without its hidden characters', async () => {
  const desk = await openDesk(clock);
  const { exit, stdout } = await desk.say(['find', 'x\u202ey']);
  expect(exit).toBe(0);
  expect(stdout).toBe(
    'No row of any batch in this ledger was found by: x<U+202E>y\n' +
      'A name is found by the beginnings of its words, a phone or account by its last digits, a receipt number or reference only when it is complete.\n',
  );
});

test('find calls a row that was left out, or could not be read, by the name in its sheet', async () => {
  const desk = await openDesk(clock);
  const lines = ['E1,Jane Wanjiku,0712345678,100,', 'E2,Cy Kip,0733111222,300,on leave', 'E3,Dee Ouma,07x,5,'];
  await desk.write('pay.csv', `Reference,Name,Phone,Amount,Hold\n${lines.join('\n')}\n`);
  expect((await desk.emit(['run', 'pay.csv', '--skip-invalid', '1'])).exit).toBe(6);
  expect((await desk.say(['find', 'cy'])).stdout).toMatch(/ row 3 {2}Cy Kip\n/);
  expect((await desk.say(['find', 'dee'])).stdout).toMatch(/ row 4 {2}Dee Ouma\n/);
});

/** RunLimits that take a run of many rows, or one that is killed again and again; the others are in the quick form. */
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/system.ts';
import { accountIn, openService, paidTraces, play, quickProfile, quickWaits } from '../support/desk/account.ts';
import { Child } from '../support/desk/child.ts';
import { openDesk, toldOf } from '../support/desk/command-line.ts';
import { csvOf, people, totalOf } from '../support/desk/payroll-sheet.ts';
import { booksOf, deskWith, QUICK, ROWS, stopsIn, timings } from './braked-run.ts';

/** Status number of a line that is paid. */
const COMPLETED = 4;

describe('--canary', () => {
  test('is kept by whoever resumes, however often the run is killed', async () => {
    const ahead = 4;
    const desk = await deskWith(people(ROWS), {}, systemClock);
    for (const command of [['run', 'pay.csv', '--canary', String(ahead)], ['resume'], ['resume']]) {
      const child = new Child(desk, [...command, '--scenario', 'settle-min=4000,settle-max=6000', '--json']);
      await child.until(/"type":"progress"/);
      child.kill('SIGKILL');
      await child.end();
      const { orders } = await booksOf(desk);
      const paid = orders.flatMap(({ lines }) => lines.filter(({ status }) => status === COMPLETED));
      if (command[0] === 'run') expect([orders.length <= ahead, paid.length]).toEqual([true, 0]);
      expect(orders.length <= ahead || paid.length >= ahead).toBe(true);
    }
    await desk.writeConfig({
      profiles: { sandbox: { ...timings, polling: { ...timings.polling, deadlineMs: 20_000 } } },
    });
    const told = toldOf(await new Child(desk, ['resume', '--scenario', QUICK, '--json']).end());
    expect(told.end.rows).toMatchObject({ total: ROWS, completed: ROWS });
    const lines = (await booksOf(desk)).orders.flatMap((order) => order.lines);
    expect(lines).toHaveLength(ROWS);
    expect(new Set(lines.map(({ trace }) => trace)).size).toBe(ROWS);
  });
});

describe('a wallet that others empty while a run goes on', () => {
  test('stops it before the rows that it does not cover; resume goes on after a top-up', async () => {
    // The wallet is read again after each 100 rows.
    const count = 240;
    const desk = await openDesk();
    const service = await openService(`${QUICK},slow=15`);
    await desk.write('pay.csv', csvOf(people(count)));
    await desk.writeConfig({
      profiles: { env: { ...quickProfile(service.routes), sending: { ...quickWaits.sending, concurrency: 4 } } },
    });
    desk.payBy(accountIn(service));
    const totals = ['--expect-count', String(count), '--expect-total', totalOf(count)];

    const child = new Child(desk, ['run', 'pay.csv', ...totals, '--json']);
    await child.until(/"type":"progress","done":[1-9]/);
    // Enough for what is on its way, and not for the rest.
    await play(service, `${QUICK},slow=15,balance=150000`);
    const first = toldOf(await child.end());
    expect(first.exit).toBe(7);
    expect(stopsIn(first)).toEqual([expect.stringMatching(/the wallet holds KES .* need KES .*Top up the wallet/)]);
    const unsent = first.end.rows['unsent'] ?? 0;
    expect(unsent).toBeGreaterThan(0);
    expect(first.end.rows['completed']).toBe(count - unsent);
    expect(service.books().orders).toHaveLength(count - unsent);

    const still = await desk.emit(['resume']);
    expect(still.end.rows['unsent']).toBe(unsent);
    expect(service.books().orders).toHaveLength(count - unsent);

    await play(service, `${QUICK},balance=90000000`);
    const last = await desk.emit(['resume']);
    expect(last.exit).toBe(0);
    expect(paidTraces(service.books())).toHaveLength(count);
  });
});

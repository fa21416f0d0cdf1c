import { describe, expect, test } from 'vitest';
import { openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people } from '../../support/desk/payroll-sheet.ts';

const TIMEOUT_MS = 90_000;

describe('a drill', () => {
  test('kills real processes under faults, and finds every payout in the books once', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', csvOf(people(60)));
    const { end, events } = await desk.emit(['drill', 'pay.csv', '--kills', '3', '--seed', 'test']);
    const told = events.find(({ type }) => type === 'drill');
    expect(told).toMatchObject({
      payouts: 60,
      once: 60,
      twice: 0,
      lost: 0,
      falsePaid: 0,
      falseUnpaid: 0,
      openAtEnd: 0,
    });
    expect(told).toMatchObject({ violations: [] });
    const kills = Object.values(told?.['kills'] as Record<string, number>).reduce((sum, count) => sum + count, 0);
    expect(kills).toBeGreaterThan(0);
    expect(Object.keys(told?.['faults'] as object).length).toBeGreaterThan(0);
    expect(end.exit).toBe(0);
    expect(end.rows['completed']).toBe(60);
  });

  test('reads the sheet by a mapping of this computer', { timeout: TIMEOUT_MS }, async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', 'Worker,Cell 1,Final pay\nJane,0712345678,100\n');
    const columns = ['name=Worker', 'phone=Cell 1', 'amount=Final pay'].flatMap((one) => ['--column', one]);
    await desk.say(['map', 'pay.csv', '--save', 'payroll', ...columns]);
    const { end, events } = await desk.emit(['drill', 'pay.csv', '--map', 'payroll', '--kills', '0']);
    expect(end.exit).toBe(0);
    expect(events).toContainEqual(expect.objectContaining({ type: 'drill', payouts: 1, once: 1 }));
  });

  test('of a sheet with problems says so and sends nothing', { timeout: TIMEOUT_MS }, async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', 'Name,Phone,Amount\nJane,12,100\n');
    const { exit, fault } = await desk.emit(['drill', 'pay.csv']);
    expect(exit).toBe(3);
    expect(fault?.['fix']).toContain('paybatch validate');
  });

  test('of what is no sheet says so, as a run would', { timeout: TIMEOUT_MS }, async () => {
    const desk = await openDesk();
    const { exit, fault } = await desk.emit(['drill', 'no.csv']);
    expect({ exit, message: fault?.['message'] }).toEqual({
      exit: 3,
      message: `The drill could not begin: There is no file "${desk.path('no.csv')}".`,
    });
    expect(fault?.['fix']).not.toContain('validate');
  });

  test('that is stopped ends at once: 130', { timeout: TIMEOUT_MS }, async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', csvOf(people(60)));
    const stop = new AbortController();
    const told = desk.emit(['drill', 'pay.csv', '--kills', '1000'], { signal: stop.signal });
    // Any moment will do: it is stopped in the same way whatever it is at.
    setTimeout(() => stop.abort('SIGINT'), 1000);
    expect(await told).toMatchObject({ exit: 130, fault: { code: 'interrupted' } });
  });
});

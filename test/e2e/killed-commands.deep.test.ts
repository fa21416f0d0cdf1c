/** Commands other than a run are killed while the service works on what they asked, and are given once more. */
import { describe, expect, test } from 'vitest';
import { until } from '../dispatch/until.ts';
import { accountIn, openService, quickProfile } from '../support/desk/account.ts';
import { Child } from '../support/desk/child.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { csvOf, people, totalOf } from '../support/desk/payroll-sheet.ts';

const ROWS = 6;
const totals = ['--expect-count', String(ROWS), '--expect-total', totalOf(ROWS)];
/** Payments to such numbers are rejected by the practice service. */
const REJECTED = '0001';

async function openOffice(scenario: string, ending?: string) {
  const [desk, service] = [await openDesk(), await openService(scenario)];
  const rows = people(ROWS).map((one, index) =>
    ending === undefined ? one : { ...one, phone: `+2547129${index}${ending}` },
  );
  await desk.write('pay.csv', csvOf(rows));
  await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
  desk.payBy(accountIn(service));
  return { desk, service };
}

describe('killed while the service works on it', () => {
  // C10
  test('a retry is resumed, and no attempt is sent twice', async () => {
    const { desk, service } = await openOffice('settle-min=5,settle-max=20,slow=60,duplicates=execute', REJECTED);
    const first = await desk.emit(['run', 'pay.csv', '--batch', 'november', ...totals]);
    expect(first.end.rows).toMatchObject({ rejected: ROWS });

    const child = new Child(desk, ['retry', 'november', ...totals, '--concurrency', '1', '--json']);
    await until(() => service.books().orders.length > ROWS);
    child.kill('SIGKILL');
    expect((await child.end()).exit).toBe(-1);
    expect(service.books().orders.length).toBeLessThan(2 * ROWS);
    const told = await desk.emit(['resume', 'november']);

    expect(told.end.rows).toMatchObject({ total: ROWS, rejected: ROWS });
    const { orders } = service.books();
    expect(orders).toHaveLength(2 * ROWS);
    expect(orders.filter(({ posts }) => posts !== 1)).toEqual([]);
    expect((await desk.say(['verify'])).exit).toBe(0);
  });

  // C09
  test('a reject that is asked for again stops what the first one did not, and says what became of each', async () => {
    const { desk, service } = await openOffice('settle-min=60000,settle-max=60001,slow=60');
    const polling = { firstMs: 30, maxMs: 200, deadlineMs: 1 };
    await desk.writeConfig({ profiles: { env: { ...quickProfile(service.routes), polling } } });
    const first = await desk.emit(['run', 'pay.csv', '--batch', 'november', ...totals]);
    expect(first.exit).toBe(7);

    const child = new Child(desk, ['reject', 'november', '--json']);
    await until(() => (service.books().requests['reject-order'] ?? 0) > 0);
    child.kill('SIGKILL');
    expect((await child.end()).exit).toBe(-1);
    const told = await desk.emit(['reject', 'november']);

    expect(told.end.rows).toMatchObject({ total: ROWS, rejected: ROWS });
    expect(service.books().paid['KES'] ?? '0.00').toBe('0.00');
    expect(service.books().orders.filter(({ posts }) => posts !== 1)).toEqual([]);
    expect((await desk.say(['verify'])).exit).toBe(0);
  });
});

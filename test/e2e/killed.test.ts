import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import type { Books } from '../../src/sandbox/sandbox.ts';
import { accountIn, openService, paidTraces, quickProfile } from '../support/desk/account.ts';
import { Child } from '../support/desk/child.ts';
import type { Desk } from '../support/desk/command-line.ts';
import { csvOf, people, totalOf } from '../support/desk/payroll-sheet.ts';
import { askedToStop, deskOf, killedTwiceAtAService, SLOWER } from './killed-run.ts';

const ROWS = 20;

/** The practice service in this process: it goes on when a run is killed. */
async function serviceHere(desk: Desk): Promise<() => Promise<Books>> {
  const service = await openService(SLOWER);
  await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
  desk.payBy(accountIn(service));
  return async () => service.books();
}

describe('a run that is killed, and whose resume is killed too', () => {
  test('pays everybody exactly once at a service of its own', () => killedTwiceAtAService(ROWS, serviceHere));
});

describe('a run that is asked to stop', () => {
  test('by Ctrl-C lets what is on its way land, saves, and exits 130; resume finishes', () =>
    askedToStop(ROWS, 'SIGINT', 130, {
      scenario: SLOWER,
      // Its practice service is its own.
      async meanwhile(desk) {
        const looked = await desk.emit(['status']);
        expect(looked.exit).toBe(7);
        expect(looked.end.rows['total']).toBe(ROWS);
        for (const argv of [['sandbox', 'reset'], ['balance']]) expect((await desk.say(argv)).exit).toBe(75);
      },
    }));
});

describe('two runs at once on one ledger', () => {
  test('pay beside each other, and whoever resumes or runs again a batch that is being paid exits 75 and sends nothing', async () => {
    const [desk, service] = [await deskOf(ROWS), await openService('slow=20,settle-min=50,settle-max=5000')];
    await desk.write('other.csv', csvOf(people(ROWS + 1).slice(ROWS)));
    await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
    desk.payBy(accountIn(service));
    const paid = ['run', 'pay.csv', '--expect-count', String(ROWS), '--expect-total', totalOf(ROWS)];
    const first = new Child(desk, [...paid, '--json']);
    await first.until(/"batch.planned"/);

    const second = await desk.say([
      'run',
      'other.csv',
      '--batch',
      'other',
      '--expect-count',
      '1',
      '--expect-total',
      '1020.25',
    ]);
    // It stands still while the others look, so that they find it at work however busy the machine is.
    first.process.kill('SIGSTOP');
    const batch = /"batch":"([^"]+)"/.exec(first.stdout)?.[1] ?? '';
    const third = await desk.say(['resume', batch]);
    const same = await desk.say(paid);
    const looked = await desk.emit(['status', batch]);
    const seen = await desk.say(['status', batch]);
    first.process.kill('SIGCONT');

    expect(second.exit, second.stderr).toBe(0);
    expect(third.exit).toBe(75);
    expect(third.stderr).toContain(`Another run works on batch ${batch}`);
    const held = /Another run works on batch[\s\S]*/;
    expect(same.exit).toBe(75);
    expect(held.exec(same.stderr)?.[0]).toBe(held.exec(third.stderr)?.[0]);
    expect(looked.exit).toBe(7);
    expect(looked.end.rows['total']).toBe(ROWS);
    expect(looked.end['atWork']).toMatchObject({ pid: first.process.pid, host: hostname() });
    expect(Date.parse((looked.end['atWork'] as { since: string }).since)).not.toBeNaN();
    expect(seen.stderr).toMatch(
      new RegExp(
        `A run is in progress: .*: run \\(process ${first.process.pid} on ${hostname()}, since 20.*\\d+ of ${ROWS} rows`,
      ),
    );
    expect(seen.stderr).toMatch(/Next .*Let that run finish/);
    expect(seen.stderr).not.toContain('paybatch resume');
    expect((await first.end()).exit).toBe(0);
    expect((await desk.emit(['status', batch])).end['atWork']).toBeUndefined();
    expect(paidTraces(service.books())).toHaveLength(ROWS + 1);
    expect(service.books().orders).toHaveLength(ROWS + 1);
  });
});

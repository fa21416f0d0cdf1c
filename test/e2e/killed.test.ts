import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { accountIn, openService, paidTraces, quickProfile } from '../support/desk/account.ts';
import { Child } from '../support/desk/child.ts';
import { csvOf, people, totalOf } from '../support/desk/payroll-sheet.ts';
import { askedToStop, deskOf, expectTheEnd, killedTwiceAtAService, SCENARIO } from './killed-run.ts';

const ROWS = 40;

describe('a run that is killed, and whose resume is killed too', () => {
  test('pays everybody exactly once at a service of its own', () => killedTwiceAtAService(ROWS));
});

describe('a run that is asked to stop', () => {
  test('by Ctrl-C lets what is on its way land, saves, and exits 130; resume finishes', () =>
    askedToStop(ROWS, 'SIGINT', 130));

  test('before anything is sent says how to go on, and resume sends everything', async () => {
    const desk = await deskOf(20);
    const stop = new AbortController();
    const stopped = await desk.tell(['run', 'pay.csv'], {
      signal: stop.signal,
      onOutput: (text) => text.includes('"batch.planned"') && stop.abort('SIGINT'),
    });
    expect(stopped.exit).toBe(130);
    expect(stopped.end.rows).toMatchObject({ total: 20, unsent: 20 });
    await expectTheEnd(await desk.tell(['resume']), 20);
  });
});

describe('two runs at once on one ledger', () => {
  test('pay beside each other, and whoever resumes a batch that is being paid exits 75 and sends nothing', async () => {
    const [desk, service] = [await deskOf(100), await openService('slow=20,settle-min=50,settle-max=5000')];
    await desk.write('other.csv', csvOf(people(103).slice(100)));
    await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
    desk.payBy(accountIn(service));
    const first = new Child(desk, [
      'run',
      'pay.csv',
      '--expect-count',
      '100',
      '--expect-total',
      totalOf(100),
      '--json',
    ]);
    await first.until(/"batch.planned"/);

    const second = await desk.say([
      'run',
      'other.csv',
      '--batch',
      'other',
      '--expect-count',
      '3',
      '--expect-total',
      '3303.75',
    ]);
    // It stands still while the others look, so that they find it at work however busy the machine is.
    first.process.kill('SIGSTOP');
    const batch = /"batch":"([^"]+)"/.exec(first.stdout)?.[1] ?? '';
    const third = await desk.say(['resume', batch]);
    const looked = await desk.tell(['status', batch]);
    const seen = await desk.say(['status', batch]);
    first.process.kill('SIGCONT');

    expect(second.exit, second.stderr).toBe(0);
    expect(third.exit).toBe(75);
    expect(third.stderr).toContain(`Another run works on batch ${batch}`);
    expect(looked.exit).toBe(7);
    expect(looked.end.rows['total']).toBe(100);
    expect(looked.end['atWork']).toMatchObject({ pid: first.process.pid, host: hostname() });
    expect(Date.parse((looked.end['atWork'] as { since: string }).since)).not.toBeNaN();
    expect(seen.stderr).toMatch(
      new RegExp(
        `A run is in progress: .*: run \\(process ${first.process.pid} on ${hostname()}, since 20.*\\d+ of 100 rows`,
      ),
    );
    expect(seen.stderr).toMatch(/Next .*Let that run finish/);
    expect(seen.stderr).not.toContain('paybatch resume');
    expect((await first.end()).exit).toBe(0);
    expect((await desk.tell(['status', batch])).end['atWork']).toBeUndefined();
    expect(paidTraces(service.books())).toHaveLength(103);
    expect(service.books().orders).toHaveLength(103);
  });

  test('status shows how far a run on the embedded sandbox is', async () => {
    const desk = await deskOf(100);
    const first = new Child(desk, ['run', 'pay.csv', '--scenario', SCENARIO, '--json']);
    await first.until(/"batch.planned"/);

    const looked = await desk.tell(['status']);
    const reset = await desk.say(['sandbox', 'reset']);
    const balance = await desk.say(['balance']);

    expect(looked.exit).toBe(7);
    expect(looked.end.rows['total']).toBe(100);
    expect(reset.exit).toBe(75);
    expect(balance.exit).toBe(75);
    expect((await first.end()).exit).toBe(0);
  });
});

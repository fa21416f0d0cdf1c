/** A service that is under maintenance for the whole of a first batch: the end says how that is settled, and it is. */
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { accountIn, openService, paidTraces, quickProfile } from '../support/desk/account.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { isSubmission, passOn } from '../support/desk/pass-on.ts';
import { csvOf, people, totalOf } from '../support/desk/payroll-sheet.ts';
import { serve } from '../support/loopback.ts';

/**
 * How slowly it takes payments when it is back, in milliseconds: the first of them is shown later than the others would be waited for
 * without it.
 */
const SLOW_MS = 350;

test.each([1, 4])(
  'a first batch of %i that was answered with a page alone is settled as its end says',
  async (rows) => {
    const [desk, service] = [await openDesk(), await openService('settle-min=5,settle-max=20')];
    let isDown = true;
    const { url } = await serve(async (one, response) => {
      if (!isSubmission(one)) return passOn(service.url, one, response);
      if (!isDown) return setTimeout(SLOW_MS).then(() => passOn(service.url, one, response));
      response.writeHead(503, { 'content-type': 'text/html' }).end('<html>Maintenance</html>');
    });
    await desk.write('pay.csv', csvOf(people(rows)));
    await desk.writeConfig({ profiles: { env: quickProfile(service.routes, 4000) } });
    desk.payBy(accountIn({ ...service, url }));

    const totals = ['--expect-count', String(rows), '--expect-total', totalOf(rows)];
    const run = await desk.say(['run', 'pay.csv', ...totals]);
    expect(run.exit).toBe(7);
    const [, row = ''] = /paybatch resolve pay --row (\d+) --never-arrived/.exec(run.stderr) ?? [];
    expect(run.stderr).toMatch(/Ask the provider whether the payment of row \d+ arrived/);
    expect(run.stderr).toContain('paybatch resume pay');

    isDown = false;
    // A resume alone proves nothing, and says the same.
    const again = await desk.say(['resume']);
    expect(again).toMatchObject({ exit: 7, stderr: expect.stringContaining('--never-arrived') });
    const amount = (1000.25 + Number(row) - 2).toFixed(2);
    const word = ['resolve', 'pay', '--row', row, '--never-arrived', '--note', 'Mary', '--amount', amount];
    expect(await desk.say(word)).toMatchObject({
      exit: 7,
      stderr: expect.stringContaining('is recorded as never arrived'),
    });
    // However slow the machine is: it ends as soon as all are paid.
    await desk.writeConfig({ profiles: { env: quickProfile(service.routes, 60_000) } });
    const settled = await desk.emit(['resume']);
    expect(settled).toMatchObject({ exit: 0, end: { rows: { completed: rows } } });
    expect(paidTraces(service.books())).toHaveLength(rows);
  },
);

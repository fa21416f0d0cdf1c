/** The clock of the computer is set back between two runs: what is in doubt waits for it, and people are told. */
import { expect, test } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import { accountIn, openService, paidTraces, quickProfile } from '../support/desk/account.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { isSubmission, passOn } from '../support/desk/pass-on.ts';
import { csvOf, people, resultsIn, totalOf } from '../support/desk/payroll-sheet.ts';
import { fastClock } from '../support/fast-clock.ts';
import { serve } from '../support/loopback.ts';

const DAY_MS = 86_400_000;

test('rows in doubt are named with the clock and what to do, and go again when it is right', async () => {
  const fast = fastClock();
  let aheadMs = 0;
  const clock: Clock = { ...fast, now: () => fast.now() + aheadMs };
  const [desk, service] = [await openDesk(clock), await openService('settle-min=5,settle-max=10', fast)];
  const stop = new AbortController();
  let isLost = true;
  const { url } = await serve((one, response, socket) => {
    if (!isLost || !isSubmission(one)) return passOn(service.url, one, response);
    stop.abort('SIGINT');
    socket.destroy();
  });
  await desk.write('pay.csv', csvOf(people(1)));
  await desk.writeConfig({ profiles: { env: quickProfile(service.routes, 2000) } });
  desk.payBy(accountIn({ ...service, url }));
  const totals = ['--expect-count', '1', '--expect-total', totalOf(1)];
  const first = await desk.emit(['run', 'pay.csv', ...totals], { signal: stop.signal });
  expect(first.end.rows).toMatchObject({ inDoubt: 1 });
  expect(first.stdout).not.toContain('clock-behind');
  isLost = false;

  aheadMs = -DAY_MS;
  for (const command of ['resume', 'status']) {
    const { exit, events } = await desk.emit([command]);
    expect(exit).toBe(7);
    const notice = events.find(({ code }) => code === 'clock-behind');
    expect(notice?.['message'], command).toMatch(
      /^The clock of this computer says .* \(Africa\/Nairobi\), and 1 row in doubt \(2\) was sent until .*: the clock was set back since, or was ahead then\..* Set the clock right .* `paybatch resume /,
    );
  }
  const [row] = await resultsIn((await desk.emit(['report'])).end.files[0]?.path ?? '');
  expect(row?.['Reason in plain words']).toContain('sent by a clock that was ahead of the one of this computer now');
  expect(paidTraces(service.books())).toEqual([]);

  aheadMs = 0;
  const alone = await desk.emit(['resume']);
  expect(alone).toMatchObject({ exit: 7, end: { rows: { inDoubt: 1 } } });
  expect(alone.stdout).not.toContain('clock-behind');
  // Nothing was sent after it that would show how late look-ups are, so a person asks the provider.
  const said = ['--row', '2', '--never-arrived', '--note', 'ticket 4711', '--amount', totalOf(1)];
  expect((await desk.emit(['resolve', first.end.batch ?? '', ...said])).stdout).toContain(
    'is recorded as never arrived',
  );
  const last = await desk.emit(['resume']);
  expect(last).toMatchObject({ exit: 0, end: { rows: { completed: 1 } } });
  expect(last.stdout).not.toContain('clock-behind');
});

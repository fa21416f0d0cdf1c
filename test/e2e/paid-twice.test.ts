/** A service that carries an order out twice, because something on the way repeated it: people are told what to ask back. */
import { expect, test } from 'vitest';
import { accountIn, openService, paidTraces, quickProfile } from '../support/desk/account.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { isSubmission, passOn } from '../support/desk/pass-on.ts';
import { csvOf, people, resultsIn, totalOf } from '../support/desk/payroll-sheet.ts';
import { fastClock } from '../support/fast-clock.ts';
import { serve } from '../support/loopback.ts';

const ROWS = 2;

test('a row that was paid twice is told on screen and in the workbook, with what was paid too much', async () => {
  const clock = fastClock();
  const [desk, service] = [
    await openDesk(clock),
    await openService('settle-min=5,settle-max=10,duplicates=execute', clock),
  ];
  let repeated = false;
  const { url } = await serve((one, response) => {
    if (isSubmission(one) && !repeated) passOn(service.url, one);
    repeated ||= isSubmission(one);
    passOn(service.url, one, response);
  });
  await desk.write('pay.csv', csvOf(people(ROWS)));
  await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
  desk.payBy(accountIn({ ...service, url }));
  const argv = [
    'run',
    'pay.csv',
    '--expect-count',
    String(ROWS),
    '--expect-total',
    totalOf(ROWS),
    '--concurrency',
    '1',
  ];

  const { exit, stdout, stderr } = await desk.say(argv);
  expect(exit).toBe(11);
  expect(stderr).toMatch(
    /ALARM +The service shows more than was to be paid: KES [\d,.]+ too much in row \d\. Ask the provider to/,
  );
  // The list of batches counts the row as completed, and says that something is wrong as well.
  const { end, ...listed } = await desk.emit(['history']);
  expect(end.exit).toBe(0);
  expect(listed.events[0]?.['batches']).toMatchObject([{ exit: 11 }]);
  expect((await desk.say(['history'])).stdout).toContain(
    '\n  ALARM: the service contradicts the plan; to see where: paybatch status ',
  );
  const seen = await desk.emit(['status']);
  const { rows, tooMuch } = seen.end['overpaid'] as { rows: readonly number[]; tooMuch: string };
  const lines = await resultsIn(stdout.trim());
  const [line] = lines.filter(({ Row }) => Number(Row) === rows[0]);
  expect(rows).toHaveLength(1);
  expect(tooMuch).toBe(line?.['Amount']);
  expect(line?.['Reason in plain words']).toMatch(
    /^The service shows 2 payments, KES .* too much: KES .* \(receipt \w+\), KES .* \(receipt \w+\)\. ALARM/,
  );
  expect(paidTraces(service.books()).length).toBeGreaterThan(new Set(paidTraces(service.books())).size);
});

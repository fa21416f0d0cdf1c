/** The service names another recipient than the sheet: people are told of the row and of both names, and nothing is stopped. */
import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { accountIn, openService, quickProfile } from '../support/desk/account.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { passOn } from '../support/desk/pass-on.ts';
import { csvOf, people, resultsIn, totalOf } from '../support/desk/payroll-sheet.ts';
import { fastClock } from '../support/fast-clock.ts';
import { serve } from '../support/loopback.ts';

const sheet = people(3).map((line, index) => ({
  ...line,
  name: ['Jane Wanjiku', 'Peter Otieno', 'Amina Yusuf'][index] ?? '',
}));

test.each([
  [
    'in what it holds of the order',
    (answer: string) => answer.replace('"name":"Peter Otieno"', '"name":"MARY ACHIENG"'),
  ],
  ['as the party that was credited', (answer: string) => answer.replace('- Peter Otieno', '- MARY ACHIENG')],
])('another name %s', async (_, change) => {
  const clock = fastClock();
  const [desk, service] = [await openDesk(clock), await openService('settle-min=5,settle-max=10', clock)];
  const { url } = await serve((one, response) =>
    passOn(service.url, one, response, (answer) =>
      change(answer).replaceAll('Jane Wanjiku', 'WANJIKU  JANE').replaceAll('Amina Yusuf', 'AMINA HASSAN YUSUF'),
    ),
  );
  await desk.write('pay.csv', csvOf(sheet));
  await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
  desk.payBy(accountIn({ ...service, url }));

  const told = await desk.emit(['run', 'pay.csv', '--expect-count', '3', '--expect-total', totalOf(3)]);
  expect(told).toMatchObject({ exit: 0, end: { rows: { completed: 3 } } });
  const notices = told.events.filter(({ code }) => code === 'other-names').map(({ message }) => message);
  expect(notices).toEqual([
    'The service names another recipient than the sheet. row 3: "Peter Otieno" in the sheet, "MARY ACHIENG" at the service. Nothing was stopped by this; find out whether the right people were paid.',
  ]);
  const lines = await resultsIn(told.end.files[0]?.path ?? '');
  expect(lines.map((line) => line['Reason in plain words'])).toEqual([
    undefined,
    'The service names the recipient "MARY ACHIENG", and the sheet "Peter Otieno".',
    undefined,
  ]);
  const logs = await readdir(desk.path('home', 'logs'));
  const logged = await Promise.all(logs.map((name) => readFile(desk.path('home', 'logs', name), 'utf8')));
  expect(logged.join('')).toContain('batch.planned');
  expect(logged.join('')).not.toContain('ACHIENG');
});

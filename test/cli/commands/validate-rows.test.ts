import { expect, test } from 'vitest';
import { openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people } from '../../support/desk/payroll-sheet.ts';

test('a sheet of more rows than the configuration allows is refused before any of them is checked', async () => {
  const desk = await openDesk();
  await desk.write('pay.csv', csvOf(people(5)));
  await desk.writeConfig({ limits: { rows: 6 } });
  expect((await desk.say(['validate', 'pay.csv'])).exit).toBe(0);

  await desk.writeConfig({ limits: { rows: 5 } });
  expect(await desk.say(['validate', 'pay.csv'])).toMatchObject({
    exit: 3,
    stderr: expect.stringContaining('The sheet has more than 5 rows.'),
  });
});

test('a sheet without errors ends with what is next, and with one empty line where two would follow each other', async () => {
  const desk = await openDesk();
  await desk.write('pay.csv', csvOf(people(2)));
  const checked = await desk.say(['validate', 'pay.csv']);
  expect(checked.stderr).toMatch(
    /^Next {6}Nothing was sent\. See what it costs, and how it is paid: paybatch run \S*pay\.csv --dry-run$/m,
  );
  expect((await desk.say(['run', 'pay.csv', '--batch', 'one'])).exit).toBe(0);
  expect((await desk.say(['status', 'one'])).stderr).not.toContain('\n\n\n');
});

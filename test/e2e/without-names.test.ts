/** A list of phones and amounts, as payment services export them: it is paid, and each row is called by its payee. */
import { expect, test } from 'vitest';
import { openDesk } from '../support/desk/command-line.ts';
import { resultsIn } from '../support/desk/payroll-sheet.ts';

const list = 'MSISDN,Amount\n254712345601,1500\n254722100200,2500\n';

test('a list without names is paid with one warning, and its results call each row by its phone', async () => {
  const desk = await openDesk();
  await desk.write('list.csv', list);
  const { exit, end, events } = await desk.emit(['run', 'list.csv']);
  expect({ exit, end }).toMatchObject({ exit: 0, end: { rows: { total: 2, completed: 2 } } });
  const problems = events.filter(({ type }) => type === 'row.problem');
  expect(problems.map(({ code, level, cell }) => [code, level, cell])).toEqual([['PB-NAME-COLUMN', 'warning', 'A1']]);
  // The practice service knows no such names, and nobody is told that it does.
  expect(events.filter(({ code }) => code === 'other-names')).toEqual([]);
  const lines = await resultsIn(end.files[0]?.path ?? '');
  expect(lines.map((line) => line['Name'])).toEqual(['+254712345601', '+254722100200']);
});

test('the same list is not paid twice when it comes again under another name with names in it', async () => {
  const desk = await openDesk();
  await desk.write('list.csv', list);
  await desk.write('named.csv', 'Name,Phone,Amount\nJane,0712345601,1500\nAli,0722100200,2500\n');
  expect((await desk.emit(['run', 'list.csv', '--batch', 'one'])).exit).toBe(0);
  const again = await desk.say(['run', 'named.csv', '--batch', 'two']);
  expect(again.stdout + again.stderr).toMatch(/batch one|"one"/i);
});

/** The disk that the output goes to is full: neither the payments nor the workbook suffer from it. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { childEnv } from '../support/desk/child.ts';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { csvOf, people, resultsIn } from '../support/desk/payroll-sheet.ts';
import { paybatchCommand } from '../support/desk/program.ts';
import { needs } from '../support/needs.ts';

const needsFullDisk = needs(existsSync('/dev/full'), 'a disk that is always full (/dev/full)');

/** Runs a line of the shell, in which `"$@"` is paybatch with its words, and returns the exit code of that. */
function exitIn(desk: Desk, line: string, argv: readonly string[]): number {
  const script = `{ ${line.replace('"$@"', '{ "$@"; echo $? >&3; }')}; } 3>&1`;
  const words = ['-c', script, 'sh', ...paybatchCommand, ...argv];
  return Number(execFileSync('/bin/sh', words, { cwd: desk.folder, env: childEnv(desk), encoding: 'utf8' }));
}

test.for<readonly [string, string, readonly string[], number]>([
  ['the answer is lost', '"$@" > /dev/full 2> said', [], 12],
  ['the events are lost', '"$@" > /dev/full 2> said', ['--json'], 12],
  ['the conversation is lost', '"$@" 2> /dev/full > said', [], 0],
  ['a reader wants no more', '"$@" 2> said | head -c 1 > first', ['--json'], 0],
])('everybody is paid once and the workbook is written, though %s', async ([, line, flags, exit], context) => {
  needsFullDisk(context);
  const desk = await openDesk();
  await desk.write('pay.csv', csvOf(people(2)));
  expect(exitIn(desk, line, ['run', 'pay.csv', ...flags])).toBe(exit);
  const { end } = await desk.emit(['run', 'pay.csv']);
  expect(end).toMatchObject({ rows: { completed: 2 } });
  const { events } = await desk.emit(['status']);
  expect(events.at(-1)).toMatchObject({ exit: 0, rows: { completed: 2 } });
  const workbook = `pay.SANDBOX-${String(end.batch)}.results.xlsx`;
  expect((await resultsIn(desk.path(workbook))).map((row) => row['Outcome'])).toEqual(['Completed', 'Completed']);
});

test('a full disk does not hide that nothing was sent', async (context) => {
  needsFullDisk(context);
  const desk = await openDesk();
  await desk.write('pay.csv', csvOf([{ name: 'Ann', phone: '12', amount: '100' }]));
  expect(exitIn(desk, '"$@" > /dev/full 2> said', ['run', 'pay.csv', '--json'])).toBe(3);
});

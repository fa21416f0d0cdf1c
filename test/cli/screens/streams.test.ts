import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { childEnv } from '../../support/desk/child.ts';
import { type Choice, type Desk, openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people, resultsIn } from '../../support/desk/payroll-sheet.ts';
import { paybatchCommand } from '../../support/desk/program.ts';

import { fastClock } from '../../support/fast-clock.ts';
import { needsPosix } from '../../support/needs.ts';

const clock = fastClock();

const ESCAPE = '\u001b';
/** Red, clears the screen, sets a title, and writes from right to left. */
const HOSTILE = `${ESCAPE}[31m${ESCAPE}[2J${ESCAPE}]0;paid\u0007\u202eJane`;
/** Any control character but the end of a line. */
const CONTROL = /[^\P{Cc}\n]|[\u202a-\u202e]/u;

async function hostileDesk(): Promise<Desk> {
  const desk = await openDesk(clock);
  const [first, ...others] = people(3);
  if (!first) throw new Error('there are people');
  await desk.write('pay.csv', csvOf([{ ...first, name: HOSTILE, amount: '99000.00' }, ...others]));
  return desk;
}

describe('off a terminal', () => {
  test.each([
    ['run', ['run', 'pay.csv']],
    ['validate', ['validate', 'pay.csv']],
    ['a usage error', ['run', `pay${ESCAPE}[31m.csv`]],
    ['an unknown batch', ['status', `${ESCAPE}[31m`]],
    ['an unknown command', [`${ESCAPE}[31mrun`]],
    ['an unknown flag', ['run', 'pay.csv', `--${ESCAPE}[31m`]],
  ])('nothing steers the terminal that shows it later: %s', async (_, argv) => {
    const { stdout, stderr } = await (await hostileDesk()).say(argv);
    expect(stdout).not.toMatch(CONTROL);
    expect(stderr).not.toMatch(CONTROL);
    expect(stderr).toMatch(/\S/);
  });

  test('not even the name of the sheet itself', async () => {
    const desk = await openDesk(clock);
    const name = `pay${ESCAPE}[31m.csv`;
    await desk.write(name, csvOf(people(1)));
    const { exit, stderr } = await desk.say(['run', name]);
    expect(exit).toBe(0);
    expect(stderr).toContain('Results');
    expect(stderr).not.toMatch(CONTROL);
  });

  test('a name that is control characters never reaches a workbook as one', async () => {
    const desk = await hostileDesk();
    const { exit, end } = await desk.emit(['run', 'pay.csv', '--skip-invalid', '1']);
    if (exit === 3) return;
    for (const row of await resultsIn(end.files[0]?.path ?? '')) {
      for (const text of Object.values(row)) expect(text).not.toContain(ESCAPE);
    }
  });

  test('progress is a plain line every tenth', async () => {
    const desk = await openDesk(clock);
    await desk.write('pay.csv', csvOf(people(40)));
    const { stderr, lines } = await desk.say(['run', 'pay.csv']);
    const shown = stderr.split('\n').filter((line) => line.startsWith('Paying') && line.includes(' of 40 '));
    expect(shown.length).toBeGreaterThan(1);
    expect(shown.length).toBeLessThanOrEqual(11);
    expect(shown.at(-1)).toContain('40 of 40');
    expect(lines).toHaveLength(1);
  });
});

describe('on a terminal', () => {
  const animated: Choice = { animated: true };

  test('progress is two lines that are drawn again, and gone at the end', async () => {
    const desk = await openDesk(clock);
    await desk.write('pay.csv', csvOf(people(40)));
    const { stderr, stdout } = await desk.say(['run', 'pay.csv'], animated);
    const drawn = stderr.split(`\r${ESCAPE}[2K`);
    expect(drawn.length).toBeGreaterThan(3);
    expect(drawn.some((text) => /Paying {4}[█░]{24} {2}\d+ of 40/.test(text))).toBe(true);
    const [, afterwards = ''] = stderr.split(/Paying[^\r]*40 of 40[^\r]*/);
    expect(afterwards.startsWith(`\r${ESCAPE}[2K`)).toBe(true);
    expect(stdout).not.toContain(ESCAPE);
  });

  test('NO_COLOR, also an empty one, TERM=dumb and --no-color take the colours away, and every word stays', async () => {
    const said = async (chosen: readonly string[], around: Record<string, string>): Promise<string> => {
      const desk = await openDesk(clock);
      await desk.write('pay.csv', csvOf([{ name: 'Ann', phone: '07123456', amount: '5.00' }]));
      const { stderr } = await desk.say(['run', 'pay.csv', ...chosen], { ...animated, env: around });
      return stderr.replaceAll(desk.folder, 'FOLDER').replaceAll(/\d+\.\d s$/gm, 'N s');
    };
    const coloured = await said([], {});
    expect(coloured).toContain(`${ESCAPE}[31m`);
    const words = coloured.replaceAll(new RegExp(`${ESCAPE}\\[\\d+m`, 'g'), '');
    expect(words).toContain('ERROR');
    for (const env of [{ NO_COLOR: '1' }, { NO_COLOR: '' }, { TERM: 'dumb' }]) {
      const plain = await said([], env);
      expect(plain, JSON.stringify(env)).not.toContain(`${ESCAPE}[3`);
      expect(plain, JSON.stringify(env)).toBe(words);
    }
    expect(await said(['--no-color'], {})).toBe(words);
  });
});

describe('the path of a file that was written', () => {
  const SHEET_TO_PAY = 'Reference,Name,Phone,Amount\nE1,Jane Wanjiku,0712345678,100\n';
  const timesIn = (text: string): number => text.split('.results.xlsx').length - 1;

  test('is the answer on stdout where somebody else reads that', async () => {
    const desk = await openDesk(clock);
    await desk.write('pay.csv', SHEET_TO_PAY);
    const { stdout, stderr } = await desk.say(['run', 'pay.csv']);
    expect([timesIn(stdout), timesIn(stderr)]).toEqual([1, 1]);
  });

  test('stands once before one pair of eyes', async () => {
    const desk = await openDesk(clock);
    await desk.write('pay.csv', SHEET_TO_PAY);
    const { stdout, stderr } = await desk.say(['run', 'pay.csv'], { animated: true });
    expect([timesIn(stdout), timesIn(stderr)]).toEqual([0, 1]);
  });

  test('stands once in a log that has both streams', async (context) => {
    needsPosix(context);
    const desk = await openDesk();
    await desk.write('pay.csv', SHEET_TO_PAY);
    const together = ['-c', 'exec "$@" > log 2>&1', 'sh', ...paybatchCommand, 'run', 'pay.csv'];
    execFileSync('/bin/sh', together, { cwd: desk.folder, env: childEnv(desk) });
    expect(timesIn(readFileSync(desk.path('log'), 'utf8'))).toBe(1);
  });
});

import { describe, expect, test } from 'vitest';
import { COLOUR } from '../../../src/cli/screens/columns.ts';
import { spoken } from '../../../src/cli/screens/terminal.ts';
import { openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people } from '../../support/desk/payroll-sheet.ts';
import { fastClock } from '../../support/fast-clock.ts';

describe('a line for a screen reader', () => {
  test.each([
    ['Staff No → reference', 'Staff No becomes reference'],
    ['paybatch 0.1.0 · SANDBOX', 'paybatch 0.1.0, SANDBOX'],
    ['  … and 3 more rows', '  and 3 more rows'],
    ['Signing in, and asking what the account can pay …', 'Signing in, and asking what the account can pay.'],
    ['Wanjiku wa Kam… KES 10.00', 'Wanjiku wa Kam (cut) KES 10.00'],
  ])('%s', (line, words) => {
    expect(spoken(line)).toBe(words);
  });

  test.each(['/pay/a→b.xlsx', 'paybatch decline PLAN --key FILE --reason "…"', 'C:\\Pay·roll\\x.csv'])(
    'leaves paths and commands as they are: %s',
    (line) => {
      expect(spoken(line)).toBe(line);
    },
  );
});

test('a run on a terminal for a screen reader has no sign that is no word, and no cursor that moves', async () => {
  const desk = await openDesk(fastClock());
  await desk.write('pay.csv', csvOf(people(6)));
  const env = { PAYBATCH_ACCESSIBLE: '1' };
  const { exit, stdout, stderr } = await desk.say(['run', 'pay.csv', '--scenario', 'fail=0.5,settle-max=200'], {
    animated: true,
    env,
  });
  expect([0, 6]).toContain(exit);
  expect(stderr).toContain('Paying');
  // Colours are heard by nobody, and each coloured word is a word.
  const screen = (stdout + stderr).replaceAll(new RegExp(COLOUR, 'g'), '');
  expect([...screen].filter((sign) => /[^\n\x20-\x7e]/.test(sign))).toEqual([]);
});

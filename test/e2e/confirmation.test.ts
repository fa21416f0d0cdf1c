import { beforeEach, describe, expect, test } from 'vitest';
import { paidTraces } from '../support/desk/account.ts';
import { totalOf } from '../support/desk/payroll-sheet.ts';
import { needsPseudoTerminal, onTerminal } from '../support/desk/pseudo-terminal.ts';
import { ASKED, ESCAPE, openOffice, ROWS, sendsNothing } from './asked-for-the-total.ts';

describe('a live run on a terminal asks for the total', () => {
  beforeEach(needsPseudoTerminal);

  // Other ways of typing it, and other words, are those of test/cli/screens/confirm.test.ts.
  test('and pays when it is typed', async () => {
    const { desk, service } = await openOffice();
    const { exit, screen } = await onTerminal(desk, ['run', 'pay.csv'], [[ASKED, '5,011.25\r']]);
    expect(exit).toBe(0);
    expect(screen).toContain('real money');
    expect(screen).toContain(`${ESCAPE}[`);
    expect(screen).toContain('Completed');
    expect(paidTraces(service.books())).toHaveLength(ROWS);
  });

  test('and sends nothing when the answer is another total', () => sendsNothing('5011.26\r', 8));

  // What else says so is in test/cli/screens/terminal.test.ts.
  test('unless CI says that nobody is there', async () => {
    const { desk, service } = await openOffice();
    const { exit, screen } = await onTerminal(desk, ['run', 'pay.csv'], [], { CI: 'true' });
    expect(exit).toBe(2);
    expect(screen).toContain(`--expect-total ${totalOf(ROWS)}`);
    expect(service.books().orders).toEqual([]);
  });
});

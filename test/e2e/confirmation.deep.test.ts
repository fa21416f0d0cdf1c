/** The other ways of not typing the total, and what a colleague does meanwhile; `confirmation.test.ts` has the common ones. */
import { beforeEach, describe, expect, test } from 'vitest';
import { paidTraces, play } from '../support/desk/account.ts';
import type { Told } from '../support/desk/command-line.ts';
import { pay, totalsOf } from '../support/desk/live-office.ts';
import { csvOf, people, totalOf } from '../support/desk/payroll-sheet.ts';
import { needsPseudoTerminal, onTerminal, type Step } from '../support/desk/pseudo-terminal.ts';
import { ASKED, ESCAPE, openOffice, ROWS, sendsNothing } from './asked-for-the-total.ts';

describe('a live run on a terminal asks for the total', () => {
  beforeEach(needsPseudoTerminal);

  test.each<readonly [string, Step[1], number]>([
    ['only yes', 'yes\r', 2],
    ['nothing', '\r', 2],
    ['Escape', ESCAPE, 8],
    ['Ctrl-C', '\u0003', 8],
    ['a signal', { send: 'SIGINT' }, 8],
    ['the end of the session', { send: 'SIGTERM' }, 8],
  ])('and sends nothing when the answer is %s', (_, answer, code) => sendsNothing(answer, code));

  test('and pays nobody twice when a colleague paid the sheet meanwhile', async () => {
    const { desk, service } = await openOffice();
    const totals = ['--expect-count', String(ROWS), '--expect-total', totalOf(ROWS)];
    const colleague: Promise<Told>[] = [];
    const { exit, screen } = await onTerminal(
      desk,
      ['run', 'pay.csv', '--batch', 'mine'],
      [
        [
          ASKED,
          async () => {
            colleague.push(desk.emit(['run', 'pay.csv', '--batch', 'colleague', ...totals]));
            await Promise.all(colleague);
            return `${totalOf(ROWS)}\r`;
          },
        ],
      ],
    );
    expect(await Promise.all(colleague)).toMatchObject([{ exit: 0 }]);
    expect(screen).toContain(` took ${ROWS} of its payments`);
    expect(exit).toBe(8);
    expect(paidTraces(service.books())).toHaveLength(ROWS);
  });

  test('and pays nobody twice whose failed row a colleague tried again meanwhile, at the phone of before', async () => {
    const { desk, service } = await openOffice();
    const [, person] = people(ROWS).map(({ name, phone, amount }) => ({ name, phone, amount }));
    if (!person) throw new Error('there are two people');
    await play(service, 'reject=1,settle-min=20,settle-max=80');
    expect((await pay(desk, [person])).end.rows).toMatchObject({ rejected: 1 });
    await play(service, 'settle-min=20,settle-max=80');
    await desk.write('corrected.csv', csvOf([{ ...person, phone: '+254719999955' }]));
    const { exit, screen } = await onTerminal(
      desk,
      ['run', 'corrected.csv', '--batch', 'corrected'],
      [
        [
          ASKED,
          async () => {
            expect((await desk.emit(['retry', 'pay', ...totalsOf([person])])).end.rows).toMatchObject({ completed: 1 });
            return `${person.amount}\r`;
          },
        ],
      ],
    );
    expect(screen).toContain('batch pay took 1 of its payments');
    expect(exit).toBe(8);
    expect(paidTraces(service.books())).toHaveLength(1);
  });
});

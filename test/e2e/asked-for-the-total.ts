/** A live run on a terminal that asks for the total, and answers to that. */
import { expect } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { accountIn, openService, quickProfile } from '../support/desk/account.ts';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { csvOf, people, totalOf } from '../support/desk/payroll-sheet.ts';
import { onTerminal, type Step } from '../support/desk/pseudo-terminal.ts';

export const ROWS = 5;
export const ASKED = 'Total KES';
export const ESCAPE = '\u001b';

export async function openOffice(): Promise<{ desk: Desk; service: Sandbox }> {
  const [desk, service] = [await openDesk(), await openService()];
  await desk.write('pay.csv', csvOf(people(ROWS)));
  await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
  desk.payBy(accountIn(service));
  return { desk, service };
}

/** An answer that is not the total ends the run with its code, and leaves nothing behind. */
export async function sendsNothing(answer: Step[1], code: number): Promise<void> {
  const { desk, service } = await openOffice();
  const { exit, screen } = await onTerminal(desk, ['run', 'pay.csv'], [[ASKED, answer]]);
  expect(exit).toBe(code);
  expect(screen).toContain('Nothing was sent');
  expect(service.books().orders).toEqual([]);
  // Nothing was recorded either: the same command may be given again.
  const totals = ['--expect-count', String(ROWS), '--expect-total', totalOf(ROWS)];
  expect((await desk.emit(['run', 'pay.csv', ...totals])).exit).toBe(0);
}

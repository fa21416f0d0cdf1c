/** `paybatch resume` without a name: many messages propose it, and on a shared ledger the latest batch may be another person's. */
import { expect, test } from 'vitest';
import { booksOf, paidTraces } from '../support/desk/account.ts';
import { type Desk, stoppedOncePlanned } from '../support/desk/command-line.ts';
import { openOffice, totalsOf } from '../support/desk/live-office.ts';
import { csvOf, people, type SheetLine } from '../support/desk/payroll-sheet.ts';

/** Plans a sheet as a batch of its name, and interrupts its run before anything leaves. */
async function planned(desk: Desk, batch: string, rows: readonly SheetLine[]): Promise<void> {
  await desk.write(`${batch}.csv`, csvOf(rows));
  const { end } = await desk.emit(['run', `${batch}.csv`, '--batch', batch, ...totalsOf(rows)], stoppedOncePlanned());
  expect(end.rows).toMatchObject({ unsent: rows.length });
}

test('continues the latest batch that no person stopped, and only its name cancels a stop', async () => {
  const { desk, service } = await openOffice();
  const [own, others] = [people(5).slice(0, 3), people(5).slice(3)];
  await planned(desk, 'own', own);
  await planned(desk, 'others', others);
  await desk.say(['stop', 'others', '--reason', 'wrong sheet']);

  expect(await desk.emit(['resume'])).toMatchObject({ exit: 0, end: { batch: 'own', rows: { completed: 3 } } });
  const refused = await desk.emit(['resume']);
  expect(refused).toMatchObject({ exit: 8, fault: { code: 'declined' } });
  expect(refused.fault?.['message']).toContain('stopped the batch (wrong sheet). Nothing was sent.');
  expect(refused.fault?.['fix']).toContain('paybatch resume others');
  expect(paidTraces(await booksOf(service))).toHaveLength(3);

  expect(await desk.emit(['resume', 'others'])).toMatchObject({ exit: 0, end: { batch: 'others' } });
  const traces = paidTraces(await booksOf(service));
  expect([traces.length, new Set(traces).size]).toEqual([5, 5]);
});

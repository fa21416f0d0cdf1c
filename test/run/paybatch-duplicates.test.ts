/** Two runs at once: what another one paid while this one asked for its totals is seen under the lease. */
import { expect, test } from 'vitest';
import type { RunEnd } from '../../src/domain/run-end.ts';
import { paidTraces } from '../support/desk/account.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';
import { openRunOffice } from '../support/desk/run-office.ts';

const ROWS = 20;

test.each<[string, string, (row: ReturnType<typeof people>[number]) => object]>([
  ['the same sheet, corrected, under another name', 'other', (row) => ({ name: `${row.name} X` })],
  ['the same sheet under another name', 'other', () => ({})],
  ['the same sheet under its name in another case', ' November', () => ({})],
])('%s, paid by another run in the meantime, is not paid again', async (_, name, change) => {
  const { desk, service, run } = await openRunOffice();
  const sheet = await desk.write('pay.csv', csvOf(people(ROWS)));
  const other = await desk.write('other.csv', csvOf(people(ROWS).map((row) => ({ ...row, ...change(row) }))));
  let between: RunEnd | undefined;
  const end = await run(sheet, 'november', async () => {
    between = await run(other, name, async () => 'typed');
    return 'typed';
  });
  expect(between).toMatchObject({ exit: 0, counts: { completed: ROWS } });
  expect(end).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });
  expect(paidTraces(service.books())).toHaveLength(ROWS);
});

test('a sheet whose batch another run plans while this one compares it is told about that batch', async () => {
  let compared = 0;
  let other: RunEnd | undefined;
  const { desk, service, run } = await openRunOffice({
    // The other run begins and ends between the look for the batch and the comparison with earlier payments.
    seenBy: (ledger) => ({
      ...ledger,
      latestBatch: async () => {
        compared += 1;
        if (compared === 1) other = await run(sheet, 'november', async () => 'typed');
        return ledger.latestBatch();
      },
    }),
  });
  const sheet = await desk.write('pay.csv', csvOf(people(ROWS)));
  const end = await run(sheet, 'november', async () => 'typed');
  expect(other).toMatchObject({ exit: 0, counts: { completed: ROWS } });
  expect(end).toMatchObject({ exit: 8, counts: { completed: ROWS }, fault: { code: 'already-paid' } });
  expect(end.fault?.message).toBe('This sheet was already paid as batch november (pay.csv). Nothing was sent.');
  expect(paidTraces(service.books())).toHaveLength(ROWS);
});

test('a program that gives a live batch no name pays nobody', async () => {
  const { desk, service, run } = await openRunOffice();
  const sheet = await desk.write('pay.csv', csvOf(people(ROWS)));
  await expect(run(sheet, undefined, async () => 'typed')).rejects.toMatchObject({ exit: 2, code: 'usage' });
  expect(service.books().requests).toEqual({});
});

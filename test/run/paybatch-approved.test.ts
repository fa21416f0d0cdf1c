/** The page of the run, held to approvals: by what it records, and under the lease. */
import { expect, test } from 'vitest';
import { stale } from '../../src/approval/approved-plan.ts';
import type { RunEnd } from '../../src/domain/run-end.ts';
import { systemClock } from '../../src/system.ts';
import { paidTraces } from '../support/desk/account.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';
import { openRunOffice } from '../support/desk/run-office.ts';
import { open } from '../support/run-harness.ts';

const KEY = 'Wl3VXTdkbs8Y0qVrW2ZpNaU6yL9vXhQ4c1sT7mKo2eE';
/** Above what either of two sheets pays, and below what both do. */
const approval = { makerKey: false, tiers: [{ above: { KES: '15000' }, required: 1 }], approvers: { jane: KEY } };

test('an order that is not the plan’s is not recorded, though all looked alike before', async () => {
  const recorded = { approval: { plan: 'f'.repeat(64), approvals: [] } };
  const { desk, service, run } = await openRunOffice({
    approved: {
      hold: () => undefined,
      *only(blocks) {
        yield* blocks;
        throw stale(['The order x: in the plan then, missing now.'], 'Make a new plan.');
      },
      recorded,
      confirmation: 'a plan',
      instead: 'approve',
    },
  });
  const sheet = await desk.write('pay.csv', csvOf(people(3)));
  const confirmed = run(sheet, 'november', async () => 'a plan');
  await expect(confirmed).rejects.toMatchObject({ code: 'plan-stale', exit: 8 });
  expect(service.books().requests['submit-order']).toBeUndefined();
  const ledger = await open(desk.path('home', 'ledger.db'), systemClock);
  expect(await ledger.batches()).toEqual([]);
  await ledger.close();
});

test('what another run paid meanwhile counts along under the lease', async () => {
  const { desk, service, run } = await openRunOffice({ approval });
  const [one, other] = [people(20).slice(0, 10), people(20).slice(10)];
  const sheet = await desk.write('pay.csv', csvOf(one));
  const second = await desk.write('other.csv', csvOf(other));
  let between: RunEnd | undefined;
  const end = await run(sheet, 'one', async () => {
    between = await run(second, 'other', async () => 'typed');
    return 'typed';
  });
  expect(between).toMatchObject({ exit: 0, counts: { completed: 10 } });
  expect(end).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
  expect(paidTraces(service.books())).toHaveLength(10);
});

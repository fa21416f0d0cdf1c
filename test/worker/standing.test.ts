/** What the leases say of jobs, as processes of this computer and of another one have left them. */
import { expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { isHeld, leftHere } from '../../src/worker/standing.ts';
import { holder, open, planOf, TestClock, temporaryPath } from '../ledger/builders.ts';

const PLAN = planOf({ name: 'salaries', rows: 9 });
const { id } = PLAN.header;
const [dead, us] = [holder('amina@desk: worker', 11), holder('amina@desk: worker', 12)];
const elsewhere = holder('otieno@server: worker', 11, 'server');

/** A planned batch, of which `who` has something; and what is asked by a process of the desk, where only 12 lives. */
async function asked(take: (theirs: Ledger, clock: TestClock) => Promise<unknown>, who = dead) {
  const path = temporaryPath();
  const clock = new TestClock();
  const planner = await open({ path, clock });
  await planner.takeLease();
  await planner.planBatch(PLAN.header, PLAN.blocks);
  await planner.releaseLease();
  await planner.releaseLease(id);
  await take(await open({ path, clock, holder: who }), clock);
  const ours = await open({ path, clock, holder: us, isAlive: ({ pid }) => pid === us.pid });
  return { clock, held: () => ours.heldLeases() };
}

test('what a process of this computer had that is gone is gone on with here, and nobody keeps it', async () => {
  const { held } = await asked((theirs) => theirs.takeLease(id));
  expect(leftHere(await held())).toEqual([id]);
  expect(isHeld(id, await held())).toBe(false);
});

test('what was taken longest ago goes first, whatever it is called', async () => {
  const other = planOf({ name: 'wages', rows: 3 });
  const { held } = await asked(async (theirs, clock) => {
    await theirs.takeLease();
    await theirs.planBatch(other.header, other.blocks);
    clock.pass(1000);
    await theirs.takeLease(id);
  });
  expect((await held()).flatMap(({ batch }) => batch ?? [])).toEqual([id, other.header.id]);
  expect(leftHere(await held())).toEqual([other.header.id, id]);
});

test('the lease of planning is no job', async () => {
  const { held } = await asked((theirs) => theirs.takeLease());
  expect(await held()).toMatchObject([{ name: 'planning', isFree: true }]);
  expect(leftHere(await held())).toEqual([]);
});

test('who lives on another computer keeps what it has, and nothing is left here, however long it is silent', async () => {
  const whole = await asked((theirs) => theirs.takeLease(id), elsewhere);
  expect(isHeld(id, await whole.held())).toBe(true);
  whole.clock.pass(3_600_000);
  // By now only a run can find out, which watches it.
  expect(isHeld(id, await whole.held())).toBe(false);
  expect(leftHere(await whole.held())).toEqual([]);
});

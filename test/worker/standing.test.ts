/** What the leases say of jobs, as other processes have left them. */

import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { BatchId } from '../../src/domain/ids.ts';
import { locksBeside } from '../../src/ledger/file-locks.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { isHeld, leftBehind } from '../../src/worker/standing.ts';
import { holder, open, planOf, TestClock, temporaryPath } from '../ledger/builders.ts';

const PLAN = planOf({ name: 'salaries', rows: 9 });
const { id } = PLAN.header;

/** A planned batch, of which a process of another computer has something, or had when it died; and what is asked here. */
async function asked(take: (theirs: Ledger, clock: TestClock) => Promise<unknown>, isDead = true) {
  const path = temporaryPath();
  const clock = new TestClock();
  const planner = await open({ path, clock });
  await planner.takeLease();
  await planner.planBatch(PLAN.header, PLAN.blocks);
  await planner.releaseLease();
  await planner.releaseLease(id);
  await take(await open({ path, clock, holder: holder('otieno@server: worker', 11, 'server') }), clock);
  if (isDead) rmSync(locksBeside(path), { recursive: true });
  const ours = await open({ path, clock, holder: holder('amina@desk: worker', 12) });
  return { clock, held: () => ours.heldLeases() };
}

test('what a process had that is gone is left behind, and nobody keeps it', async () => {
  const { held } = await asked((theirs) => theirs.takeLease(id));
  expect(leftBehind(await held(), 'desk')).toEqual([id]);
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
  expect(leftBehind(await held(), 'desk')).toEqual([other.header.id, id]);
});

test('what this computer had goes before that, however late it was taken', async () => {
  const at = (name: string, machine: string, since: number) => ({
    name: `batch ${name}` as const,
    batch: name as BatchId,
    holder: { ...holder(), machine, since },
    isLive: false,
  });
  const held = [at('first', 'server', 1), at('second', 'desk', 3), at('third', 'desk', 2)];
  expect(leftBehind(held, 'desk')).toEqual(['third', 'second', 'first']);
});

test('the lease of planning is no job', async () => {
  const { held } = await asked((theirs) => theirs.takeLease());
  expect(await held()).toMatchObject([{ name: 'planning', isLive: false }]);
  expect(leftBehind(await held(), 'desk')).toEqual([]);
});

test('who lives keeps what it has, and leaves nothing behind, however long it is silent', async () => {
  const whole = await asked((theirs) => theirs.takeLease(id), false);
  whole.clock.pass(3_600_000);
  expect(isHeld(id, await whole.held())).toBe(true);
  expect(leftBehind(await whole.held(), 'desk')).toEqual([]);
});

/** The heads that a ledger had before, as marks and workbooks name them. */
import { expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { accepted, open, type Plan, planOf, temporaryPath } from './builders.ts';
import { change, onEachDriver } from './drivers.ts';

const PLAN: Plan = planOf({ rows: 4 });
const { id } = PLAN.header;

/** Sends one order, and gives the head after it. */
async function sendOne(ledger: Ledger) {
  const [order] = await ledger.unsentOrders(id, 1);
  if (!order) throw new Error('an order is there');
  const [claimed] = await ledger.claim([order], 1000, await ledger.takeLease(id), 2000);
  if (!claimed) throw new Error('the order is claimed');
  await ledger.record([{ order: claimed, facts: [accepted(claimed.state.id, 1100)], dueAt: 3000 }]);
  const head = await ledger.head();
  if (!head) throw new Error('the ledger has a head');
  return { seq: head.seq, hash: head.hash };
}

async function planned(path: string): Promise<Ledger> {
  const ledger = await open({ path });
  await ledger.takeLease();
  await ledger.planBatch(PLAN.header, PLAN.blocks);
  return ledger;
}

onEachDriver(() => {
  test('an earlier head follows from the facts since then, however many came after it', async () => {
    const ledger = await planned(temporaryPath());
    const first = await sendOne(ledger);
    const second = await sendOne(ledger);
    expect(await ledger.headAt(first.seq)).toEqual(first);
    const third = await sendOne(ledger);
    for (const head of [first, second, third]) expect(await ledger.headAt(head.seq)).toEqual(head);
  });

  test('the facts since an earlier head are read once: a change of one is found by the next process', async () => {
    const path = temporaryPath();
    const ledger = await planned(path);
    const [first] = [await sendOne(ledger), await sendOne(ledger)];
    expect(await ledger.headAt(first.seq)).toEqual(first);
    const other = await open({ path });
    expect(await other.batches()).toHaveLength(1);
    await change(path, `UPDATE fact SET type = type || '?' WHERE seq = ${first.seq + 1}`);
    expect(await ledger.headAt(first.seq)).toEqual(first);
    await expect(other.headAt(first.seq)).rejects.toMatchObject({ code: 'ledger-unsafe' });
    // What was refused is not remembered as an answer.
    await change(path, `UPDATE fact SET type = rtrim(type, '?') WHERE seq = ${first.seq + 1}`);
    expect(await other.headAt(first.seq)).toEqual(first);
  });
});

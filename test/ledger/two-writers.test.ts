/** Two processes that write to one ledger at the same time, each to a batch of its own. */

import { copyFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import { checkpointBeside } from '../../src/ledger/checkpoint.ts';
import { leaseOf } from '../../src/ledger/lease.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { OrderStep, StoredOrder } from '../../src/ledger/recorded-orders.ts';
import { systemClock } from '../../src/system.ts';
import { fastClock } from '../support/fast-clock.ts';
import { accepted, holder, open, type Plan, planOf, TestClock, temporaryPath } from './builders.ts';
import { change, dies, onEachDriver } from './drivers.ts';

const amina = holder('amina@desk: run salaries.xlsx', 11);
const otieno = holder('otieno@desk: run supplier.xlsx', 12);

/** Two ledgers on one path, as two processes have them. */
async function two(waits: Clock = systemClock): Promise<readonly [path: string, first: Ledger, second: Ledger]> {
  const path = temporaryPath();
  // They wait for each other in real time, unless one has nothing but that to do.
  return [
    path,
    await open({ path, clock: systemClock, holder: amina }),
    await open({ path, clock: waits, holder: otieno }),
  ];
}

/** As a run plans its batch and gives the planning back. */
async function planned(ledger: Ledger, plan: Plan): Promise<number> {
  const epoch = await ledger.takeLease();
  await ledger.planBatch(plan.header, plan.blocks);
  await ledger.releaseLease();
  await ledger.recordRun(plan.header.id, '0.1.0');
  return epoch;
}

/** Claims and answers every order of a batch, one after the other. */
async function sendAll(ledger: Ledger, { header: { id } }: Plan, epoch: number): Promise<void> {
  for (;;) {
    const [order] = await ledger.unsentOrders(id, 1);
    if (!order) return;
    const [claimed] = await ledger.claim([order], 1000, epoch, 2000);
    if (!claimed) throw new Error('the order is claimed');
    await ledger.record([{ order: claimed, facts: [accepted(claimed.state.id, 1100)], dueAt: 3000 }]);
  }
}

/** The first process goes on with a batch that another one has planned, and proves it order by order. */
async function goingOn(): Promise<readonly [path: string, first: Ledger, second: Ledger, epoch: number]> {
  const [path, planner, second] = await two();
  await planned(planner, SALARIES);
  await planner.close();
  const first = await open({ path, clock: systemClock, holder: amina });
  const epoch = await first.takeLease(SALARIES.header.id);
  await first.recordRun(SALARIES.header.id, '0.1.0');
  return [path, first, second, epoch];
}

const markIn = (file: string) => JSON.parse(JSON.parse(readFileSync(file, 'utf8')).text);

const SALARIES = planOf({ name: 'salaries', rows: 8 });
const SUPPLIER = planOf({ name: 'supplier', rows: 8 });

/** What a process is told that goes on after its lease was lost: that somebody else has it, or that its lock or its session is gone. */
const lost = { code: expect.stringMatching(/^ledger-(held|unsafe)$/) };

onEachDriver(() => {
  describe('two batches of one ledger', () => {
    test('are sent at the same time, no fact is lost, and what each recorded proves itself', async () => {
      const [path, first, second] = await two();
      const one = await planned(first, SALARIES);
      const other = await planned(second, SUPPLIER);
      expect(other).toBeGreaterThan(one);
      await Promise.all([sendAll(first, SALARIES, one), sendAll(second, SUPPLIER, other)]);
      for (const ledger of [first, second]) expect(await ledger.verify()).toEqual([]);
      for (const [ledger, { header }] of [
        [first, SUPPLIER],
        [second, SALARIES],
      ] as const) {
        expect(await ledger.tallies(header.id)).toMatchObject([{ outcome: 'pending', count: 8 }]);
      }
      // The plan and its orders, the run, and for each order a claim and an answer.
      expect((await (await open({ path })).head())?.seq).toBe(2 * (1 + 8 + 1 + 2 * 8));
    });

    test('are read order by order while others move the root: that is no sign of tampering', async () => {
      const [, first, second, epoch] = await goingOn();
      const { id } = SALARIES.header;
      const [order] = await first.unsentOrders(id, 1);
      const other = await planned(second, SUPPLIER);
      let claimed = await first.claim(order ? [order] : [], 1000, epoch, 1000);
      let theirs = await second.claim(await second.unsentOrders(SUPPLIER.header.id, 1), 1000, other, 1000);
      const moved = (orders: readonly StoredOrder[], at: number): readonly OrderStep[] =>
        orders.map((one) => ({ order: one, facts: [{ type: 'order-unknown', order: one.state.id, at }], dueAt: 1000 }));
      for (let at = 1100; at < 1120; at += 1) {
        const reading = Array.from({ length: 4 }, () => first.dueOrders(id, 9999, 8));
        const recording = [second.record(moved(theirs, at)), first.record(moved(claimed, at))];
        [theirs = [], claimed = []] = await Promise.all(recording);
        for (const due of await Promise.all(reading)) expect(due).toHaveLength(1);
      }
      expect(await first.verify()).toEqual([]);
    });

    test('are proven by who reads them: another process goes on beside an edit, and not beside a forged end', async () => {
      const [path, first, second] = await two();
      const one = await planned(first, SALARIES);
      const other = await planned(second, SUPPLIER);
      await sendAll(second, SUPPLIER, other);
      await change(
        path,
        "UPDATE fact SET data = '{}' WHERE batch = 'supplier' AND type = 'order-claimed' AND number < 20",
      );
      await sendAll(first, SALARIES, one);
      expect(await first.tallies(SALARIES.header.id)).toMatchObject([{ outcome: 'pending', count: 8 }]);
      const isUnsafe = { code: 'ledger-unsafe', message: expect.stringMatching(/fact \d+: was changed/) };
      await expect(first.tallies(SUPPLIER.header.id)).rejects.toMatchObject(isUnsafe);

      await second.recordStop('done');
      await change(
        path,
        `UPDATE fact SET hash = (SELECT hash FROM fact WHERE seq = 1)
        WHERE seq = (SELECT MAX(seq) FROM fact WHERE batch = 'supplier')`,
      );
      await expect(first.recordStop('done')).rejects.toMatchObject(isUnsafe);
    });

    test('are sent one after the other by one process, also when another one has sent of the second in the meantime', async () => {
      const [path, planner, second] = await two();
      await planned(planner, SALARIES);
      await planner.releaseLease(SALARIES.header.id);
      const { id } = SALARIES.header;
      await sendAll(second, SUPPLIER, await planned(second, SUPPLIER));
      await second.releaseLease(SUPPLIER.header.id);
      expect(await second.unsentOrders(id, 8)).toHaveLength(8);

      const sending = await planner.takeLease(id);
      const [sent] = await planner.claim(await planner.unsentOrders(id, 1), 1000, sending, 2000);
      if (!sent) throw new Error('the order is claimed');
      await planner.record([{ order: sent, facts: [accepted(sent.state.id, 1100)], dueAt: 3000 }]);
      await planner.close();

      const epoch = await second.takeLease(id);
      expect(epoch).toBeGreaterThan(sending);
      expect((await second.dueOrders(id, 9999, 8)).map(({ state }) => state.id)).toEqual([sent.state.id]);
      await second.recordRun(id, '0.1.0');
      await sendAll(second, SALARIES, epoch);
      expect(await second.tallies(id)).toMatchObject([{ outcome: 'pending', count: 8 }]);
      expect(await (await open({ path })).verify()).toEqual([]);
    });

    test('are told to be taken over by all that a process does which stood still meanwhile', async () => {
      const [path, first, second, epoch] = await goingOn();
      const { id } = SALARIES.header;
      const claimed = await first.claim(await first.unsentOrders(id, 4), 1000, epoch, 1000);
      await dies(path, leaseOf(id));
      await second.takeLease(id);
      await second.recordRun(id, '0.1.0');
      const step = (order: StoredOrder, at: number): OrderStep => ({
        order,
        facts: [{ type: 'order-unknown', order: order.state.id, at }],
        dueAt: 1000,
      });
      await second.record((await second.dueOrders(id, 9999, 8)).map((order) => step(order, 1100)));
      const isHeld = lost;
      await expect(first.dueOrders(id, 9999, 8)).rejects.toMatchObject(isHeld);
      // It knows the end of the ledger by now, and what it read before is older.
      await expect(first.record(claimed.map((order) => step(order, 1200)))).rejects.toMatchObject(isHeld);
      await expect(first.claim(claimed, 1300, epoch, null)).rejects.toMatchObject(isHeld);
    });

    test('have one holder each: who comes second is told who works on which', async () => {
      const [, first, second] = await two(fastClock());
      await planned(first, SALARIES);
      await planned(second, SUPPLIER);
      await expect(second.takeLease(SALARIES.header.id)).rejects.toMatchObject({
        code: 'ledger-held',
        message: 'Another run works on batch salaries: amina@desk: run salaries.xlsx (process 11 on desk).',
      });
      expect((await first.othersAtWork()).map(({ batch, holder: { pid } }) => [batch, pid])).toEqual([
        ['supplier', 12],
      ]);
    });

    test('are written by their holder alone: who lost one writes nothing to it, and goes on with the other', async () => {
      const [path, first, second] = await two();
      const one = await planned(first, SALARIES);
      const other = await planned(second, SUPPLIER);
      const third = await open({ path });
      await dies(path, leaseOf(SALARIES.header.id));
      await third.takeLease(SALARIES.header.id);
      await expect(first.proveLease()).rejects.toMatchObject({ code: 'ledger-unsafe', exit: 10 });
      await expect(sendAll(first, SALARIES, one)).rejects.toMatchObject(lost);
      await sendAll(second, SUPPLIER, other);
      expect(await second.tallies(SALARIES.header.id)).toMatchObject([{ outcome: 'unsent', count: 8 }]);
      expect(await third.verify()).toEqual([]);
    });

    test('end with the first fact of a second holder, where somebody has changed who holds what', async () => {
      const [path, first] = await two();
      const one = await planned(first, SALARIES);
      await dies(path, leaseOf(SALARIES.header.id));
      const second = await open({ path, holder: otieno });
      const other = await second.takeLease(SALARIES.header.id);
      await sendAll(second, SALARIES, other);
      await change(path, `UPDATE lease SET epoch = ${one} WHERE name = 'batch salaries'`);
      await expect(first.recordStop('finished')).rejects.toMatchObject(lost);
    });

    test('are planned one after the other, and who plans second waits', async () => {
      const path = temporaryPath();
      const told: string[] = [];
      const first = await open({ path, holder: amina });
      await first.takeLease();
      const clock = new TestClock();
      const waiting = Object.assign(new TestClock(), {
        async sleep(ms: number): Promise<void> {
          clock.pass(ms);
          if (clock.now() - new TestClock().now() > 2000) await first.releaseLease();
        },
        monotonicMs: () => clock.now(),
      });
      const second = await open({
        path,
        clock: waiting,
        holder: otieno,
        onHeld: (who, forMs) => told.push(`${who} ${forMs}`),
      });
      expect(await second.takeLease()).toBe(2);
      expect(told).toEqual([
        expect.stringMatching(/^amina@desk: run salaries.xlsx \(process 11 on desk\) plans in this ledger.* [12]0000$/),
      ]);
      const third = await open({ path, clock: new TestClock(), holder: holder('wanjiku', 13) });
      await expect(third.takeLease()).rejects.toMatchObject({
        message: expect.stringContaining('Another run plans in this ledger, or changes it as a whole: otieno@desk'),
      });
    });

    test('never share an epoch, whoever takes which lease, and however often', async () => {
      const [, first, second] = await two();
      const drawn: number[] = [];
      for (let round = 0; round < 5; round++) {
        const names = [`a${round}`, `b${round}`] as BatchId[];
        drawn.push(...(await Promise.all([first, second].map((ledger, at) => ledger.takeLease(names[at])))));
        await Promise.all([first, second].map((ledger, at) => ledger.releaseLease(names[at])));
      }
      expect(new Set(drawn).size).toBe(10);
      expect(Math.max(...drawn)).toBe(10);
    });
  });
});

describe('the checkpoint of a ledger that two processes write to', () => {
  test('names the batches of both and the last fact of either, and never goes back', async () => {
    const path = temporaryPath();
    const checkpointPath = join(dirname(path), '..', 'checkpoints', 'live.json');
    const first = await open({ path, checkpointPath, holder: amina });
    const second = await open({ path, checkpointPath, holder: otieno });
    const one = await planned(first, SALARIES);
    const other = await planned(second, SUPPLIER);
    const seqs: number[] = [];
    const look = async (): Promise<void> => void seqs.push(markIn(checkpointPath).seq);
    for (const [ledger, plan, epoch] of [
      [second, SUPPLIER, other],
      [first, SALARIES, one],
      [second, SUPPLIER, other],
    ] as const) {
      await ledger.claim(await ledger.unsentOrders(plan.header.id, 2), 1000, epoch, null);
      await look();
    }
    // The first says once more what it did, which the checkpoint of the second already covers.
    await first.recordStop('finished');
    await look();
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    const checkpoint = markIn(checkpointPath);
    expect(checkpoint.batches.map(({ id }: { readonly id: string }) => id)).toEqual(['salaries', 'supplier']);
    expect(checkpoint.seq).toBe((await first.head())?.seq);
  });

  test('knows a claim of one though the other has not heard of it, so a copy from before it is in recovery', async () => {
    const path = temporaryPath();
    const first = await open({ path, holder: amina });
    const one = await planned(first, SALARIES);
    const copy = `${path}.copy`;
    const second = await open({ path, holder: otieno });
    const other = await planned(second, SUPPLIER);
    await first.claim(await first.unsentOrders(SALARIES.header.id, 2), 1000, one, null);
    await first.close();
    // Whoever copies it now has the claims of the first, and not those of the second.
    await second.backUp(copy, 'kept');
    await second.claim(await second.unsentOrders(SUPPLIER.header.id, 2), 1000, other, null);
    await second.close();
    copyFileSync(copy, path);
    const third = await open({ path });
    expect(await third.recoveryReason(SUPPLIER.header.id)).toBe('restored');
    expect(await third.recoveryReason(SALARIES.header.id)).toBe('restored');
  });

  test('stops a run that another one finds out about after it asked, and before it began', async () => {
    const path = temporaryPath();
    const first = await open({ path, holder: amina });
    await first.takeLease();
    await first.trustNew();
    await first.releaseLease();
    const one = await planned(first, SALARIES);
    const second = await open({ path, holder: otieno });
    const other = await second.takeLease();
    await second.planBatch(SUPPLIER.header, SUPPLIER.blocks);
    await second.releaseLease();
    expect(await second.recoveryReason(SUPPLIER.header.id)).toBeUndefined();
    await first.suspect();
    // It was told of no doubt, so it would look nothing up.
    await second.recordRun(SUPPLIER.header.id, '0.1.0');
    await expect(
      second.claim(await second.unsentOrders(SUPPLIER.header.id, 1), 1000, other, null),
    ).rejects.toMatchObject({ code: 'ledger-unsafe', message: expect.stringContaining('Another run found payments') });
    await first.claim(await first.unsentOrders(SALARIES.header.id, 1), 1000, one, null);
  });

  test('stops a run that another one finds out about, and knows what was claimed beside that', async () => {
    const path = temporaryPath();
    const first = await open({ path, holder: amina });
    await first.takeLease();
    await first.trustNew();
    await first.releaseLease();
    const one = await planned(first, SALARIES);
    const second = await open({ path, holder: otieno });
    const other = await planned(second, SUPPLIER);
    await second.claim(await second.unsentOrders(SUPPLIER.header.id, 1), 1000, other, null);
    const { seq } = markIn(checkpointBeside(path));
    await first.suspect();
    // The first has not heard of the claim of the second, which its checkpoint covers all the same.
    expect(markIn(checkpointBeside(path)).seq).toBe(seq);
    // Who found it out looks each payment up, and goes on.
    await first.claim(await first.unsentOrders(SALARIES.header.id, 1), 1000, one, null);
    await expect(
      second.claim(await second.unsentOrders(SUPPLIER.header.id, 1), 1000, other, null),
    ).rejects.toMatchObject({ code: 'ledger-unsafe', message: expect.stringContaining('Another run found payments') });
    await second.close();
    const third = await open({ path });
    expect(await third.recoveryReason(SUPPLIER.header.id)).toBe('behind');
  });
});

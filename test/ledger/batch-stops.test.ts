/** A person stops a batch that another process sends: no claim follows, and everything about it can be proven. */
import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { systemClock } from '../../src/system.ts';
import { accepted, holder, open, planOf, temporaryPath } from './builders.ts';
import { change, onEachDriver } from './drivers.ts';

const amina = holder('amina@desk: run salaries.xlsx', 11);
const otieno = holder('otieno@laptop: stop salaries', 12, 'laptop');
const SALARIES = planOf({ name: 'salaries', rows: 6 });
const { id } = SALARIES.header;
const said = { by: 'otieno@laptop', reason: 'Mary has another phone' };

interface Site {
  readonly path: string;
  readonly sender: Ledger;
  readonly person: Ledger;
  readonly epoch: number;
}

/** One process sends the batch, and has claimed one order of it; another one has the ledger open. */
async function atWork(): Promise<Site> {
  const path = temporaryPath();
  const clock = systemClock;
  const sender = await open({ path, clock, holder: amina });
  const epoch = await sender.takeLease();
  await sender.planBatch(SALARIES.header, SALARIES.blocks);
  await sender.releaseLease();
  await sender.recordRun(id, '0.1.0');
  const person = await open({ path, clock, holder: otieno });
  return { path, sender, person, epoch };
}

async function claimNext(ledger: Ledger, epoch: number) {
  const orders = await ledger.unsentOrders(id, 1);
  return ledger.claim(orders, 1000, epoch, 2000);
}

onEachDriver(() => {
  describe('a stop of a batch', () => {
    test('is recorded beside the lease, and no claim follows it; what was claimed is still recorded', async () => {
      const { sender, person, epoch } = await atWork();
      const [claimed] = await claimNext(sender, epoch);
      if (!claimed) throw new Error('nothing has stopped it yet');
      expect(await person.stopOf(id)).toBeUndefined();
      const stop = await person.stopBatch(id, said);
      expect(stop).toMatchObject({ batch: id, ...said });
      expect(sender.knownStop(id)).toBeUndefined();
      expect(await claimNext(sender, epoch)).toEqual([]);
      expect(sender.knownStop(id)).toEqual(stop);
      await sender.record([{ order: claimed, facts: [accepted(claimed.state.id, 1100)], dueAt: 3000 }]);
      await sender.recordStop('stopped', { code: 'by-person', todo: 'Ask' });
      const tallies = (await sender.tallies(id)).map(({ outcome, count }) => [outcome, count]);
      expect(Object.fromEntries(tallies)).toEqual({ unsent: 5, pending: 1 });
      for (const ledger of [sender, person]) expect(await ledger.verify()).toEqual([]);
    });

    test('is seen with the next answer that is recorded, before anything is claimed', async () => {
      const { sender, person, epoch } = await atWork();
      const [claimed] = await claimNext(sender, epoch);
      if (!claimed) throw new Error('nothing has stopped it yet');
      await person.stopBatch(id, said);
      await sender.record([{ order: claimed, facts: [accepted(claimed.state.id, 1100)], dueAt: 3000 }]);
      expect(sender.knownStop(id)).toMatchObject(said);
    });

    test('is found by a process that only asks, and by one that opens the ledger later', async () => {
      const { path, sender, person } = await atWork();
      await person.stopBatch(id, said);
      expect(await sender.stopOf(id)).toMatchObject(said);
      expect(await (await open({ path })).stopOf(id)).toMatchObject(said);
    });

    test('is of its batch alone: another one is claimed as before', async () => {
      const { person, sender } = await atWork();
      const SUPPLIER = planOf({ name: 'supplier', rows: 2 });
      const epoch = await sender.takeLease();
      await sender.planBatch(SUPPLIER.header, SUPPLIER.blocks);
      await sender.releaseLease();
      await person.stopBatch(id, said);
      const orders = await sender.unsentOrders(SUPPLIER.header.id, 1);
      expect(await sender.claim(orders, 1000, epoch, 2000)).toHaveLength(1);
    });

    test('is taken back by who has the batch, and each later stop needs that anew', async () => {
      const { sender, person, epoch } = await atWork();
      await person.stopBatch(id, said);
      const stop = await sender.stopOf(id);
      if (!stop) throw new Error('it is stopped');
      await sender.takeBack(stop, 'amina@desk');
      expect(await sender.stopOf(id)).toBeUndefined();
      expect(await claimNext(sender, epoch)).toHaveLength(1);
      await person.stopBatch(id, { ...said, reason: 'again' });
      expect(await claimNext(sender, epoch)).toEqual([]);
      expect((await person.stopsOf(id)).map(({ reason, takenBack }) => [reason, takenBack?.by])).toEqual([
        ['Mary has another phone', 'amina@desk'],
        ['again', undefined],
      ]);
    });

    test('stays in force when somebody takes an earlier one back who has not heard of it', async () => {
      const { sender, person, epoch } = await atWork();
      await person.stopBatch(id, said);
      const first = await sender.stopOf(id);
      if (!first) throw new Error('it is stopped');
      await person.stopBatch(id, { ...said, reason: 'and the total is wrong' });
      await sender.takeBack(first, 'amina@desk');
      expect(await sender.stopOf(id)).toMatchObject({ reason: 'and the total is wrong' });
      expect(await claimNext(sender, epoch)).toEqual([]);
    });

    test('is not recorded where every order has its final word', async () => {
      const path = temporaryPath();
      const ledger = await open({ path, clock: systemClock });
      const EMPTY = planOf({ name: 'nobody', rows: 0, invalid: 2 });
      await ledger.takeLease();
      await ledger.planBatch(EMPTY.header, EMPTY.blocks);
      expect(await ledger.stopBatch(EMPTY.header.id, said)).toBeUndefined();
      expect(await ledger.stopsOf(EMPTY.header.id)).toEqual([]);
    });

    test('gives up its own lease at once, so that the next one can be said', async () => {
      const { person, sender } = await atWork();
      await person.stopBatch(id, said);
      expect((await person.heldLeases()).map(({ name }) => name)).toEqual([`batch ${id}`]);
      await sender.stopBatch(id, said);
    });

    test('takes nothing else: other facts still need the lease of the batch', async () => {
      const { person } = await atWork();
      await person.stopBatch(id, said);
      await expect(person.recordRun(id, '0.1.0')).rejects.toThrow('the ledger is written under a lease');
    });

    test.each([
      ['removed', `DELETE FROM fact WHERE type = 'batch-stopped'`],
      ['changed', `UPDATE fact SET data = replace(data, 'otieno', 'amina') WHERE type = 'batch-stopped'`],
      ['turned into something else', `UPDATE fact SET type = 'batch-released' WHERE type = 'batch-stopped'`],
    ])('that was %s in the tables ends every run with 10', async (_, sql) => {
      const { path, person } = await atWork();
      await person.stopBatch(id, said);
      await change(path, sql);
      const next = await open({ path });
      await expect(next.stopOf(id)).rejects.toMatchObject({ code: 'ledger-unsafe', exit: 10 });
      expect(await next.verify()).not.toEqual([]);
    });

    test('that was removed with its head stays in force for who has read it, whose next record ends with 10', async () => {
      const { path, sender, person, epoch } = await atWork();
      const before = await person.head();
      await person.stopBatch(id, said);
      expect(await sender.stopOf(id)).toMatchObject(said);
      await change(path, `DELETE FROM fact WHERE type = 'batch-stopped'`);
      const { seq, hash, signature } = before ?? { seq: 0, hash: '', signature: '' };
      await change(path, `UPDATE head SET seq = ${seq}, hash = '${hash}', signature = '${signature}'`);
      expect(await claimNext(sender, epoch)).toEqual([]);
      await expect(sender.recordStop('stopped')).rejects.toMatchObject({ code: 'ledger-unsafe' });
    });

    test('whose words were deleted, and no purge says so, ends every run with 10', async () => {
      const { path, sender, person, epoch } = await atWork();
      await person.stopBatch(id, said);
      await change(path, "UPDATE fact SET text = NULL, salt = NULL WHERE type = 'batch-stopped'");
      await expect(claimNext(sender, epoch)).rejects.toMatchObject({ code: 'ledger-unsafe' });
    });
  });
});

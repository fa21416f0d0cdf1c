import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { locksBeside } from '../../src/database/file-locks.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import { holder, open, planOf, TestClock, temporaryPath } from './builders.ts';

/** A batch is followed for hours, and nobody waits for that. */
const PAYROLL = 'payroll' as BatchId;

const program = (name: string): string => join(import.meta.dirname, '..', 'support', 'programs', name);

/** A process of its own that keeps the lease of planning. */
async function keeping(path: string): Promise<ChildProcess> {
  const keeper = fork(program('write-under-lease.ts'), [path]);
  onTestFinished(() => ended(keeper));
  await once(keeper, 'message');
  return keeper;
}

async function ended(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null || keeper.signalCode !== null) return;
  const gone = once(keeper, 'exit');
  keeper.kill('SIGKILL');
  await gone;
}

/** What a process of its own is told that asks for the lease of a batch. */
async function asksFor(path: string, batch: BatchId): Promise<unknown> {
  const [said] = await once(fork(program('ask-for-lease.ts'), [path, batch]), 'message');
  return said;
}

describe('the lease of a ledger', () => {
  test('is refused while its holder lives, and the refusal names the holder', async () => {
    const path = temporaryPath();
    const first = await open({ path, holder: holder('amina@desk: run payroll.xlsx', 11) });
    const second = await open({ path, holder: holder('otieno@desk', 12) });
    await first.takeLease();
    const refusal = second.takeLease();
    await expect(refusal).rejects.toMatchObject({ code: 'ledger-held', exit: 75 });
    await expect(refusal).rejects.toThrow('amina@desk: run payroll.xlsx (process 11 on desk)');
  });

  test('is free as soon as its process is gone, however that ended, and goes on in a later epoch', async () => {
    const path = temporaryPath();
    const keeper = await keeping(path);
    const ledger = await open({ path });
    await expect(ledger.takeLease()).rejects.toMatchObject({
      code: 'ledger-held',
      message: expect.stringContaining(`keeps the lease (process ${keeper.pid} on desk)`),
      remedy: expect.stringContaining(`If process ${keeper.pid} on desk hangs, end it first`),
    });
    await ended(keeper);
    expect(await ledger.heldLeases()).toMatchObject([{ name: 'planning', isLive: false }]);
    expect(await ledger.othersAtWork()).toEqual([]);
    expect(await ledger.takeLease()).toBe(2);
  });

  test('stays with a process that stands still, whatever the clocks say', async () => {
    const path = temporaryPath();
    const keeper = await keeping(path);
    keeper.kill('SIGSTOP');
    const clock = new TestClock();
    clock.pass(100 * 3_600_000);
    const ledger = await open({ path, clock });
    await expect(ledger.takeLease()).rejects.toMatchObject({ code: 'ledger-held', exit: 75 });
    expect(await ledger.othersAtWork()).toMatchObject([{ name: 'planning', isLive: true }]);
    await ended(keeper);
    expect(await ledger.takeLease()).toBe(2);
  });

  test('stays with its process when the same process asks for it once more, and is refused', async () => {
    const path = temporaryPath();
    const ours = await open({ path });
    await ours.takeLease(PAYROLL);
    const again = await open({ path });
    await expect(again.takeLease(PAYROLL)).rejects.toMatchObject({ code: 'ledger-held' });
    await again.close();
    const other = await asksFor(path, PAYROLL);
    expect(other).toBe('ledger-held');
  });

  test('of planning is waited for, and who is waited for is told; that of a batch is not', async () => {
    const path = temporaryPath();
    const first = await open({ path, holder: holder('amina', 11) });
    await first.takeLease();
    await first.takeLease(PAYROLL);
    const clock = new TestClock();
    const from = clock.now();
    const told: unknown[] = [];
    const second = await open({ path, clock, holder: holder('otieno', 12), onHeld: (...one) => told.push(one) });
    await expect(second.takeLease(PAYROLL)).rejects.toMatchObject({ code: 'ledger-held' });
    expect(clock.now() - from).toBeLessThanOrEqual(600);
    await expect(second.takeLease()).rejects.toMatchObject({ code: 'ledger-held' });
    expect(told).toEqual([['amina (process 11 on desk) plans in this ledger, or changes it as a whole', 10_000]]);
  });

  test('is waited for no longer than somebody wants to wait', async () => {
    const path = temporaryPath();
    const first = await open({ path, holder: holder('amina', 11) });
    await first.takeLease();
    const stop = new AbortController();
    const clock = new TestClock();
    const from = clock.now();
    const second = await open({ path, clock, signal: stop.signal, onHeld: () => stop.abort() });
    await expect(second.takeLease()).rejects.toMatchObject({ code: 'ledger-held' });
    expect(clock.now() - from).toBeLessThan(1000);
  });

  test('is given back when the ledger is closed, and goes on in a higher epoch', async () => {
    const path = temporaryPath();
    const first = await open({ path });
    expect(await first.takeLease()).toBe(1);
    expect(await first.takeLease()).toBe(1);
    await first.close();
    const second = await open({ path, holder: holder('otieno', 12) });
    expect(await second.takeLease()).toBe(2);
  });

  test('fences off whoever lost it: nothing more is claimed or recorded', async () => {
    const path = temporaryPath();
    const { header, blocks } = planOf();
    const first = await open({ path, holder: holder('amina', 11) });
    const epoch = await first.takeLease();
    await first.planBatch(header, blocks);
    const orders = await first.unsentOrders(header.id, 10);
    await expect(first.proveLease()).resolves.toBeUndefined();
    // Somebody tidies up beside the ledger.
    rmSync(locksBeside(path), { recursive: true });
    const second = await open({ path, holder: holder('otieno', 12) });
    await second.takeLease(header.id);
    await expect(first.proveLease()).rejects.toMatchObject({
      code: 'ledger-unsafe',
      exit: 10,
      message: expect.stringMatching(/\.lock was removed, moved or replaced while this run held its lock/),
    });
    await expect(first.claim(orders, 1, epoch, 2)).rejects.toMatchObject({ code: 'ledger-held', exit: 75 });
    await expect(first.recordRun(header.id, '0.1.0')).rejects.toMatchObject({ code: 'ledger-held' });
    expect(await second.unsentOrders(header.id, 10)).toHaveLength(orders.length);
    await second.claim(await second.unsentOrders(header.id, 10), 3, 2, 4);
    expect(await second.verify()).toEqual([]);
  });

  test.each(['', '-wal'])(
    'proves nothing when the file ledger.db%s is no longer the one that was opened',
    async (suffix) => {
      const path = temporaryPath();
      const ledger = await open({ path });
      await ledger.takeLease();
      await ledger.proveLease();
      const [file, elsewhere] = [path + suffix, `${path}${suffix}.moved`];
      renameSync(file, elsewhere);
      const moved = {
        code: 'ledger-unsafe',
        exit: 10,
        message: expect.stringContaining(`${file} was removed, moved or replaced`),
      };
      await expect(ledger.proveLease()).rejects.toMatchObject(moved);
      copyFileSync(elsewhere, file);
      await expect(ledger.proveLease()).rejects.toMatchObject(moved);
      renameSync(elsewhere, file);
      await expect(ledger.proveLease()).resolves.toBeUndefined();
    },
  );

  test('is not proven, and no run ended, on a file that another one took the place of', async () => {
    const path = temporaryPath();
    const { header, blocks } = planOf();
    const ledger = await open({ path });
    await ledger.takeLease();
    await ledger.planBatch(header, blocks);
    await ledger.recordRun(header.id, '0.1.0');
    const elsewhere = `${path}.moved`;
    renameSync(path, elsewhere);
    copyFileSync(elsewhere, path);
    const replaced = { code: 'ledger-unsafe', exit: 10 };
    await expect(ledger.proveLease()).rejects.toMatchObject(replaced);
    await expect(ledger.recordStop('finished')).rejects.toMatchObject(replaced);
  });

  test('admits no claim in another epoch than its own', async () => {
    const { header, blocks } = planOf();
    const ledger = await open();
    const epoch = await ledger.takeLease();
    await ledger.planBatch(header, blocks);
    const orders = await ledger.unsentOrders(header.id, 10);
    await expect(ledger.claim(orders, 1, epoch - 1, 2)).rejects.toMatchObject({ code: 'ledger-held' });
  });

  test('of a batch that is not there yet keeps nobody from planning it, once it was given back or its process is gone', async () => {
    const path = temporaryPath();
    const { header, blocks } = planOf();
    const asking = await open({ path, holder: holder('amina: reject', 11) });
    await asking.takeLease(header.id);
    const planning = await open({ path, holder: holder('otieno: run', 12) });
    await planning.takeLease();
    await expect(planning.planBatch(header, blocks)).rejects.toMatchObject({
      code: 'ledger-held',
      message: expect.stringContaining('amina: reject (process 11'),
    });

    await asking.releaseLease(header.id);
    // Planning has an older epoch than the batch was given since, and none goes back.
    await asking.takeLease(header.id);
    await asking.releaseLease(header.id);
    await expect(planning.planBatch(header, blocks)).rejects.toMatchObject({ code: 'ledger-held' });
    await planning.releaseLease();
    await planning.takeLease();
    await planning.planBatch(header, blocks);
    const third = await open({ path, holder: holder('njeri: resume', 13) });
    await expect(third.takeLease(header.id)).rejects.toMatchObject({ code: 'ledger-held' });
  });

  test('records who worked on a batch, and why the work stopped', async () => {
    const { header, blocks } = planOf();
    const ledger = await open({ holder: holder('amina', 11) });
    await ledger.takeLease();
    await ledger.planBatch(header, blocks);
    await ledger.recordRun(header.id, '0.1.0');
    await ledger.recordStop('finished');
    const told = (await Array.fromAsync(ledger.facts(header.id))).slice(-2).map((stored) => stored.fact);
    expect(told).toEqual([
      expect.objectContaining({
        type: 'run-started',
        epoch: 1,
        holder: 'amina (process 11 on desk)',
        version: '0.1.0',
      }),
      expect.objectContaining({ type: 'run-stopped', epoch: 1, reason: 'finished' }),
    ]);
  });
});

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { BatchId } from '../../src/domain/ids.ts';
import { type LeaseHolder, leaseStatusOf, STALE_LEASE_MS } from '../../src/ledger/lease.ts';
import { fastClock } from '../support/fast-clock.ts';
import { holder, open, planOf, TestClock, temporaryPath } from './builders.ts';

/** A batch is followed for hours, and nobody waits for that. */
const PAYROLL = 'payroll' as BatchId;

const NOON = Date.UTC(2026, 10, 20, 12);

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

  test('is taken over from a process that is gone, in a new epoch', async () => {
    const path = temporaryPath();
    const first = await open({ path, holder: holder('amina', 11) });
    const second = await open({ path, holder: holder('otieno', 12), isAlive: ({ pid }) => pid !== 11 });
    expect(await first.takeLease()).toBe(1);
    expect(await second.takeLease()).toBe(2);
  });

  test('is never taken from another machine because a process of that number is not here', async () => {
    const path = temporaryPath();
    const first = await open({ path, holder: holder('amina', 11, 'other-machine') });
    const second = await open({ path, holder: holder('otieno', 12), isAlive: () => false });
    await first.takeLease();
    await expect(second.takeLease()).rejects.toMatchObject({ code: 'ledger-held' });
  });

  test('is taken over when its holder has been silent for too long', async () => {
    const path = temporaryPath();
    const clock = new TestClock();
    const first = await open({ path, clock, holder: holder('amina', 11) });
    const second = await open({ path, clock, holder: holder('otieno', 12) });
    await first.takeLease(PAYROLL);
    clock.pass(STALE_LEASE_MS);
    await first.renewLease();
    clock.pass(STALE_LEASE_MS);
    await expect(second.takeLease(PAYROLL)).rejects.toMatchObject({ code: 'ledger-held' });
    clock.pass(1);
    expect(await second.takeLease(PAYROLL)).toBe(2);
  });

  test.each([
    ['a minute and a bit ago', -STALE_LEASE_MS - 1, 'silent'],
    ['a minute ago', -STALE_LEASE_MS, 'held'],
    ['just now', 0, 'held'],
    ['a minute ahead of us', STALE_LEASE_MS, 'held'],
    ['further ahead than a living holder can be', STALE_LEASE_MS + 1, 'silent'],
  ])('that was renewed on another machine %s, %i ms from now, is %s', (_, aheadMs, standing) => {
    const lease = { epoch: 3, holder: holder('amina', 11, 'other-machine'), heartbeatAt: NOON + aheadMs };
    expect(leaseStatusOf(lease, holder('otieno', 12), () => false, { now: () => NOON })).toBe(standing);
  });

  test('is watched for its whole life before it is taken from a holder that only seems silent, and that is told', async () => {
    const path = temporaryPath();
    const clock = new TestClock();
    const told: unknown[] = [];
    const first = await open({ path, clock, holder: holder('amina', 11, 'other-machine') });
    await first.takeLease();
    clock.pass(10 * STALE_LEASE_MS);
    const from = clock.now();
    const onSilence = ({ description }: LeaseHolder, forMs: number): unknown => told.push([description, forMs]);
    const second = await open({ path, clock, onSilence });
    expect(await second.takeLease()).toBe(2);
    expect(clock.now() - from).toBeGreaterThanOrEqual(STALE_LEASE_MS);
    expect(told).toEqual([['amina', STALE_LEASE_MS]]);
  });

  test.each([
    ['behind', -600_000],
    ['ahead', 600_000],
  ])('is not taken from a computer whose clock is minutes %s while it renews', async (_, skewMs) => {
    const path = temporaryPath();
    const theirs = new TestClock(NOON + skewMs);
    const first = await open({ path, clock: theirs, holder: holder('amina', 11, 'other-machine') });
    await first.takeLease();
    // As often as the keeper of a quiet run does.
    const ours = new (class extends TestClock {
      override async sleep(ms: number): Promise<void> {
        await super.sleep(ms);
        theirs.pass(ms);
        if (this.now() % 15_000 === 0) await first.renewLease();
      }
    })(NOON);
    const second = await open({ path, clock: ours, isAlive: () => false });
    await expect(second.takeLease()).rejects.toMatchObject({ code: 'ledger-held', exit: 75 });
    await expect(first.renewLease()).resolves.toBeUndefined();
  });

  test('is watched by a clock that is never set', async () => {
    const path = temporaryPath();
    const first = await open({ path, clock: new TestClock(NOON), holder: holder('amina', 11, 'other-machine') });
    await first.takeLease();
    const set = new (class extends TestClock {
      slept = 0;
      override monotonicMs(): number {
        return this.slept;
      }
      override async sleep(ms: number): Promise<void> {
        this.slept += ms;
        // Somebody sets the clock of this computer forward while it waits.
        this.pass(STALE_LEASE_MS);
      }
    })(NOON + 2 * STALE_LEASE_MS);
    const second = await open({ path, clock: set });
    expect(await second.takeLease()).toBe(2);
    expect(set.slept).toBeGreaterThanOrEqual(STALE_LEASE_MS);
  });

  test.each(['machine', 'boot'] as const)('of a process of another %s says nothing by its number', async (what) => {
    const path = temporaryPath();
    const first = await open({ path, holder: { ...holder('amina', 11), [what]: 'one' } });
    await first.takeLease();
    const second = await open({ path, holder: { ...holder('otieno', 12), [what]: 'two' }, isAlive: () => false });
    await expect(second.takeLease()).rejects.toMatchObject({ code: 'ledger-held' });
  });

  test('that is given back while it is watched is taken at once', async () => {
    const path = temporaryPath();
    const first = await open({ path, clock: new TestClock(NOON - 600_000), holder: holder('amina', 11, 'other') });
    await first.takeLease();
    const clock = new TestClock(NOON);
    const second = await open({ path, clock, onSilence: () => void first.close() });
    expect(await second.takeLease()).toBe(2);
    expect(clock.now() - NOON).toBeLessThan(STALE_LEASE_MS);
  });

  test('is watched no longer than somebody wants to wait', async () => {
    const path = temporaryPath();
    const first = await open({ path, clock: new TestClock(NOON - 600_000), holder: holder('amina', 11, 'other') });
    await first.takeLease();
    const stop = new AbortController();
    const second = await open({ path, signal: stop.signal, onSilence: () => stop.abort() });
    await expect(second.takeLease()).rejects.toMatchObject({ code: 'ledger-held' });
  });

  test('is not stolen by another process while its own, with a clock ten minutes behind, renews it', async () => {
    const path = temporaryPath();
    const keeper = fork(join(import.meta.dirname, '..', 'support', 'programs', 'write-under-lease.ts'), [
      path,
      String(Date.now() - 600_000),
    ]);
    onTestFinished(async () => {
      const gone = once(keeper, 'exit');
      keeper.kill('SIGKILL');
      await gone;
    });
    await once(keeper, 'message');
    // On this clock the other process renews it every half second: a hundredth of the silence that would free it.
    const ledger = await open({ path, clock: fastClock(), isAlive: () => false });
    await expect(ledger.takeLease()).rejects.toThrow('keeps the lease');
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
    const second = await open({ path, holder: holder('otieno', 12), isAlive: () => false });
    await second.takeLease(header.id);
    await expect(first.proveLease()).rejects.toMatchObject({ code: 'ledger-held', exit: 75 });
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

  test('is not renewed, and no run ended, on a file that another one took the place of', async () => {
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
    await expect(ledger.renewLease()).rejects.toMatchObject(replaced);
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
    let isThere = true;
    const asking = await open({ path, holder: holder('amina: reject', 11) });
    await asking.takeLease(header.id);
    const planning = await open({ path, holder: holder('otieno: run', 12), isAlive: () => isThere });
    await planning.takeLease();
    await expect(planning.planBatch(header, blocks)).rejects.toMatchObject({
      code: 'ledger-held',
      message: expect.stringContaining('amina: reject (process 11'),
    });

    await asking.releaseLease(header.id);
    // Planning has an older epoch than the batch was given since, and none goes back.
    await asking.takeLease(header.id);
    isThere = false;
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

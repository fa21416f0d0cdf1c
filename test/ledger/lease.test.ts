import { describe, expect, test } from 'vitest';
import { STALE_LEASE_MS } from '../../src/ledger/lease.ts';
import { holder, open, planOf, TestClock, temporaryPath } from './builders.ts';

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
    await first.takeLease();
    clock.pass(STALE_LEASE_MS);
    await first.renewLease();
    clock.pass(STALE_LEASE_MS);
    await expect(second.takeLease()).rejects.toMatchObject({ code: 'ledger-held' });
    clock.pass(1);
    expect(await second.takeLease()).toBe(2);
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
    const second = await open({ path, holder: holder('otieno', 12), isAlive: () => false });
    await second.takeLease();
    await expect(first.claim(orders, 1, epoch, 2)).rejects.toMatchObject({ code: 'ledger-held', exit: 75 });
    await expect(first.recordRun(header.id, '0.1.0')).rejects.toMatchObject({ code: 'ledger-held' });
    expect(await second.unsentOrders(header.id, 10)).toHaveLength(orders.length);
    await second.claim(await second.unsentOrders(header.id, 10), 3, 2, 4);
    expect(await second.verify()).toEqual([]);
  });

  test('admits no claim in another epoch than its own', async () => {
    const { header, blocks } = planOf();
    const ledger = await open();
    const epoch = await ledger.takeLease();
    await ledger.planBatch(header, blocks);
    const orders = await ledger.unsentOrders(header.id, 10);
    await expect(ledger.claim(orders, 1, epoch - 1, 2)).rejects.toMatchObject({ code: 'ledger-held' });
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

describe('the account of a ledger', () => {
  const account = { service: 'https://pay.test', tokenUrl: 'https://id.test/token', clientId: 'acme' };

  test('is pinned at its first use, and stays', async () => {
    const path = temporaryPath();
    const first = await open({ path });
    await first.pin(account);
    const second = await open({ path });
    await expect(second.pin(account)).resolves.toBeUndefined();
  });

  test.each(Object.keys(account))('may not change its %s', async (part) => {
    const ledger = await open();
    await ledger.pin(account);
    const refusal = ledger.pin({ ...account, [part]: 'other' });
    await expect(refusal).rejects.toMatchObject({ code: 'configuration', exit: 2 });
  });
});

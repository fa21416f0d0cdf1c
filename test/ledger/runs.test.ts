import { describe, expect, test } from 'vitest';
import type { CanaryRecord } from '../../src/domain/fact.ts';
import { open, planOf } from './builders.ts';

const canary: CanaryRecord = { rows: 5, base: { completed: 1, open: 2, lost: 3 } };

async function plannedLedger(planned?: number) {
  const ledger = await open();
  const { header, blocks } = planOf();
  await ledger.takeLease();
  await ledger.planBatch({ ...header, ...(planned !== undefined && { canary: planned }) }, blocks);
  return { ledger, batch: header.id };
}

describe('the runs of a batch', () => {
  test('are none at first, and the plan says what goes ahead alone', async () => {
    const { ledger, batch } = await plannedLedger(7);
    expect(await ledger.runHistory(batch)).toEqual({ isRetry: false, plannedCanary: 7 });
  });

  test('say how the latest began and why it stopped sending', async () => {
    const { ledger, batch } = await plannedLedger();
    await ledger.recordRun(batch, '0.1.0', { canary });
    await ledger.recordStop('nothing went on', { code: 'canary', todo: 'Look' });
    expect(await ledger.runHistory(batch)).toMatchObject({
      isRetry: false,
      started: { canary },
      stopped: { reason: 'nothing went on', code: 'canary', todo: 'Look' },
    });
  });

  test('say nothing of the end of a run that was broken off, whatever ended the one before', async () => {
    const { ledger, batch } = await plannedLedger();
    await ledger.recordRun(batch, '0.1.0');
    await ledger.recordStop('nothing went on', { code: 'canary', todo: 'Look' });
    await ledger.recordRun(batch, '0.1.0', { canary });
    const { started, stopped } = await ledger.runHistory(batch);
    expect(started?.canary).toEqual(canary);
    expect(stopped).toBeUndefined();
  });

  test('leave the chain of facts as it has to be', async () => {
    const { ledger, batch } = await plannedLedger(7);
    await ledger.recordRun(batch, '0.1.0', { canary });
    await ledger.recordStop('nothing went on', { code: 'canary', todo: 'Look' });
    expect(await ledger.verify()).toEqual([]);
  });
});

describe('what a batch needs', () => {
  test('is amount and charges of the rows that were not sent', async () => {
    const { ledger, batch } = await plannedLedger();
    const before = await ledger.unsentNeed(batch);
    const [unsent] = (await ledger.tallies(batch)).filter(({ outcome }) => outcome === 'unsent');
    expect(before.amount).toEqual(unsent?.amount);
    expect(before.charges.minor).toBeGreaterThan(0n);
    const epoch = await ledger.takeLease();
    const [first] = await ledger.unsentOrders(batch, 1);
    if (!first) throw new Error('the plan has an order');
    const quotes = await Promise.all(first.state.lines.map(({ row }) => ledger.quoteOf(batch, row)));
    await ledger.claim([first], 0, epoch, null);
    const after = await ledger.unsentNeed(batch);
    const quoted = quotes.reduce((sum, quote) => sum + (quote?.minor ?? 0n), 0n);
    expect(before.charges.minor - after.charges.minor).toBe(quoted);
    expect(quoted).toBeGreaterThan(0n);
  });

  test('is unknown of a row that is not there', async () => {
    const { ledger, batch } = await plannedLedger();
    expect(await ledger.quoteOf(batch, 999_999)).toBeUndefined();
  });
});

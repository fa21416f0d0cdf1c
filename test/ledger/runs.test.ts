import { describe, expect, onTestFinished, test } from 'vitest';
import { openTemporary } from '../../src/database/sqlite.ts';
import type { BatchFact, CanaryRecord } from '../../src/domain/fact.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import { randomSalt } from '../../src/ledger/commitment.ts';
import { encodeFact, factStatement } from '../../src/ledger/facts.ts';
import { recordedRuns, runHistory } from '../../src/ledger/runs.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { open, planOf } from './builders.ts';

const canary: CanaryRecord = { rows: 5, base: { completed: 1, open: 2, lost: 3 } };

async function plannedLedger(planned?: number) {
  const ledger = await open();
  const { header, blocks } = planOf();
  await ledger.takeLease();
  await ledger.planBatch({ ...header, ...(planned !== undefined && { canary: planned }) }, blocks);
  return { ledger, batch: header.id };
}

const payroll = 'payroll' as BatchId;

const began = (epoch: number): BatchFact => ({
  type: 'run-started',
  batch: payroll,
  at: epoch,
  epoch,
  holder: 'amina@desk (process 1 on desk)',
  version: '0.1.0',
});

const ended = (epoch: number, reason: string): BatchFact => ({
  type: 'run-stopped',
  batch: payroll,
  at: 10 + epoch,
  epoch,
  reason,
});

/** Facts in the tables of a ledger: nothing else of the batch is read. */
function readerOf(facts: readonly BatchFact[]) {
  const connection = openTemporary();
  onTestFinished(() => connection.close());
  connection.exec('PRAGMA foreign_keys = OFF');
  for (const statement of ledgerSchema.statements) connection.exec(statement);
  for (const [index, fact] of facts.entries()) {
    const number = index + 1;
    const { data, kept } = encodeFact(fact, randomSalt);
    const place = { seq: number, batch: payroll, number, order: undefined, type: fact.type, at: fact.at };
    const raw = { ...place, data, hash: '00'.repeat(32), text: kept?.text, salt: kept?.salt };
    const { sql, values } = factStatement({ ...raw, position: undefined });
    connection.run(sql, values);
  }
  return {
    read: async (sql: string, values: Parameters<typeof connection.all>[1] = []) => connection.all(sql, values),
  };
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

  test('end by their own epochs when they began side by side', async () => {
    const reader = readerOf([began(1), began(2), ended(1, 'first'), ended(2, 'second')]);
    const ends = (await recordedRuns(reader, payroll)).map(({ started, stopped }) => [started.epoch, stopped?.reason]);
    expect(ends).toEqual([
      [1, 'first'],
      [2, 'second'],
    ]);
  });

  test('are at work until their own epoch ends, whatever else has ended since', async () => {
    const reader = readerOf([began(1), began(2), ended(1, 'first')]);
    expect(await runHistory(reader, payroll)).toMatchObject({ started: { epoch: 2 } });
    expect((await runHistory(reader, payroll)).stopped).toBeUndefined();
    expect((await recordedRuns(reader, payroll)).map(({ stopped }) => stopped?.reason)).toEqual(['first', undefined]);
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
    const before = await ledger.unsentOutstanding(batch);
    const [unsent] = (await ledger.tallies(batch)).filter(({ outcome }) => outcome === 'unsent');
    expect(before.amount).toEqual(unsent?.amount);
    expect(before.charges.minor).toBeGreaterThan(0n);
    const epoch = await ledger.takeLease();
    const [first] = await ledger.unsentOrders(batch, 1);
    if (!first) throw new Error('the plan has an order');
    const quotes = await Promise.all(first.state.lines.map(({ row }) => ledger.quoteOf(batch, row)));
    await ledger.claim([first], 0, epoch, null);
    const after = await ledger.unsentOutstanding(batch);
    const quoted = quotes.reduce((sum, quote) => sum + (quote?.minor ?? 0n), 0n);
    expect(before.charges.minor - after.charges.minor).toBe(quoted);
    expect(quoted).toBeGreaterThan(0n);
  });

  test('is unknown of a row that is not there', async () => {
    const { ledger, batch } = await plannedLedger();
    expect(await ledger.quoteOf(batch, 999_999)).toBeUndefined();
  });
});

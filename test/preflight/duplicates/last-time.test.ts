/** Which batches a sheet is compared with, when people speak of the last time. */
import { expect, onTestFinished, test } from 'vitest';
import type { BatchHeader, Tally } from '../../../src/domain/batch.ts';
import { type BatchId, contentBatchKey, namedBatchKey } from '../../../src/domain/ids.ts';
import type { PaidRow } from '../../../src/domain/known-people.ts';
import type { Outcome } from '../../../src/domain/outcome.ts';
import type { KindName } from '../../../src/domain/payout.ts';
import { openStaging } from '../../../src/ledger/staging.ts';
import { compareWithSeries } from '../../../src/preflight/duplicates/last-time.ts';
import { kes } from '../../ledger/builders.ts';

interface Before {
  readonly name: string;
  readonly file?: string;
  readonly currency?: string;
  readonly outcome?: Outcome;
  readonly amounts?: readonly bigint[];
}

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 11, 30);

/** Person and account by place. */
const person = (at: number) => ({ name: `Person ${at}`, payee: `p${at}` });

/** A sheet of so many people who get 100 each, beside these batches: the latest comes first. */
function beside(batches: readonly Before[], name: string | undefined, count = 1, file = 'pay.xlsx') {
  const staging = openStaging();
  onTestFinished(() => staging.close());
  staging.add(
    Array.from({ length: count }, (_, at) => ({
      row: at + 2,
      payout: { kind: 'some-kind' as KindName, ...person(at), destination: '', amount: kes(100n) },
      texts: [],
      issues: [],
    })),
  );
  const headers = batches.map((one, at) => ({
    id: one.name as BatchId,
    key: one.file === undefined ? namedBatchKey(one.name) : contentBatchKey(one.name),
    currency: one.currency ?? 'KES',
    plannedAt: NOW - (at + 1) * DAY_MS,
    sheet: { name: one.file ?? 'any.xlsx', headings: [] },
  })) as unknown as BatchHeader[];
  const find = (id: string): Before => batches.find((one) => one.name === id) ?? { name: id };
  const read: string[] = [];
  const ledger = {
    batches: async () => headers,
    tallies: async (id: BatchId) => [{ outcome: find(id).outcome ?? 'completed' }] as unknown as Tally[],
    purges: async () => new Map(),
    async *paidRows(id: BatchId): AsyncGenerator<readonly PaidRow[]> {
      read.push(id);
      const { amounts = [100n] } = find(id);
      yield amounts.map((minor, at) => ({ row: at + 2, ...person(at), minor, isPaid: true }));
    },
  };
  const key = name === undefined ? contentBatchKey('new') : namedBatchKey(name);
  const currency = kes(0n).currency;
  const cellOf = (row: number): string => `D${row}`;
  return {
    read,
    findings: compareWithSeries({ key, file, currency, cellOf, timezone: 'Africa/Nairobi', staging }, ledger),
  };
}

test('the last batch of the series is the latest that paid anybody, in the same currency', async () => {
  const batches: readonly Before[] = [
    { name: 'bonus-2026-12' },
    { name: 'salaries-2026-12-2', outcome: 'failed' },
    { name: 'salaries-2026-12-1', outcome: 'unsent' },
    { name: 'salaries-2026-11-tzs', currency: 'TZS' },
    { name: 'Salaries-November', outcome: 'pending' },
    { name: 'salaries-2026-10' },
  ];
  const { findings, read } = beside(batches, 'salaries-2027-01');
  expect((await findings).lastTime).toMatchObject({ batch: 'Salaries-November', date: '2026-12-25' });
  expect(read).toEqual(['Salaries-November', 'salaries-2026-10']);
  expect(await beside(batches, 'rent-2027-01').findings).not.toHaveProperty('lastTime');
});

test('a rehearsal without a name goes by its file', async () => {
  const batches = [
    { name: 'x1', file: 'payroll-2026-11.xlsx' },
    { name: 'payroll-2026-10' },
    { name: 'x2', file: 'rent.xlsx' },
  ];
  const { findings, read } = beside(batches, undefined, 1, 'payroll-2026-12.csv');
  expect((await findings).lastTime?.batch).toBe('x1');
  expect(read).toEqual(['x1', 'payroll-2026-10']);
});

test('a year of months is looked at, and twenty rows are named of a finding', async () => {
  const batches = Array.from({ length: 14 }, (_, at) => ({ name: `salaries-${at}` }));
  const { findings, read } = beside(batches, 'salaries-99', 40);
  const { lastTime } = await findings;
  expect(read).toHaveLength(12);
  expect(lastTime?.newPeople).toMatchObject({ count: 39, amount: kes(3900n) });
  expect(lastTime?.newPeople.rows).toHaveLength(20);
  expect(lastTime?.newPeople.rows[0]).toEqual({ row: 3, cell: 'D3', name: 'Person 1', amount: kes(100n) });
});

test('an amount is held against three payments of the series', async () => {
  const paid = ['a-1', 'a-2', 'a-3'].map((name) => ({ name, amounts: [1000n, 100n] }));
  const { unusualAmounts } = await beside(paid, 'a-4', 2).findings;
  expect(unusualAmounts).toEqual({
    count: 1,
    rows: [{ row: 2, cell: 'D2', name: 'Person 0', amount: kes(100n), usual: kes(1000n), payments: 3 }],
  });
});

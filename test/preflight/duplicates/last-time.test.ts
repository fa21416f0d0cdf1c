/** Which batch a sheet is compared with: the latest that paid most of the same people, whatever it is called. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { BatchHeader, KindName } from '../../../src/domain/batch.ts';
import type { BatchId } from '../../../src/domain/ids.ts';
import type { AskedPerson, PaidRow } from '../../../src/domain/known-people.ts';
import { type Outcome, outcomeTable } from '../../../src/domain/outcome.ts';
import { compareWithPeople } from '../../../src/preflight/duplicates/last-time.ts';
import { openStaging } from '../../../src/staging/staging.ts';
import { kes } from '../../ledger/builders.ts';

interface Somebody {
  readonly name: string;
  readonly payee: string;
  readonly minor?: bigint;
  readonly reference?: string;
}

interface Before {
  readonly name: string;
  readonly currency?: string;
  readonly outcome?: Outcome;
  readonly rows: readonly Somebody[];
}

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 11, 30);

/** The people from one place up to another one, each with an account and a number. */
const people = (from: number, to: number, minor = 100n): readonly Somebody[] =>
  Array.from({ length: to - from }, (_, at) => ({
    name: `Person ${from + at}`,
    payee: `p${from + at}`,
    reference: `E${from + at}`,
    minor,
  }));

/** A sheet beside these batches: the latest comes first. The ledger knows payees, and references with their names. */
function beside(batches: readonly Before[], sheet: readonly Somebody[]) {
  const staging = openStaging();
  onTestFinished(() => staging.close());
  staging.add(
    sheet.map(({ minor = 100n, ...one }, at) => ({
      row: at + 2,
      payout: { kind: 'some-kind' as KindName, ...one, destination: '', amount: kes(minor) },
      texts: [],
      issues: [],
    })),
  );
  const headers = batches.map((one, at) => ({
    id: one.name as BatchId,
    currency: one.currency ?? 'KES',
    plannedAt: NOW - (at + 1) * DAY_MS,
    payable: one.rows.length,
    sheet: { name: 'any.xlsx', headings: [] },
  })) as unknown as BatchHeader[];
  const find = (id: string): Before => batches.find((one) => one.name === id) ?? { name: id, rows: [] };
  const [read, asked]: [string[], AskedPerson[]] = [[], []];
  const isPaidBy = (one: AskedPerson, { rows }: Before): boolean =>
    rows.some((row) => row.payee === one.payee || (row.reference === one.reference && row.name === one.name));
  const ledger = {
    batches: async () => headers,
    findBatch: async (id: BatchId) => headers.find((header) => header.id === id),
    batchesPaying: async (some: readonly AskedPerson[]) => {
      asked.push(...some);
      return batches
        .map((one) => ({ batch: one.name as BatchId, people: some.filter((person) => isPaidBy(person, one)).length }))
        .filter((one) => one.people > 0);
    },
    seemsToHavePaid: async (id: BatchId) => outcomeTable[find(id).outcome ?? 'completed'].payAgain !== 'yes',
    async *paidRows(id: BatchId): AsyncGenerator<readonly PaidRow[]> {
      read.push(id);
      yield find(id).rows.map(({ minor = 100n, ...one }, at) => ({ row: at + 2, ...one, minor, isPaid: true }));
    },
  };
  const currency = kes(0n).currency;
  const cellOf = (row: number): string => `D${row}`;
  const findings = compareWithPeople({ currency, cellOf, timezone: 'Africa/Nairobi', plannedAt: NOW, staging }, ledger);
  return { read, asked, findings };
}

describe('a sheet is compared with the latest batch that paid most of the same people', () => {
  const sheet = people(0, 10);

  test.each<[string, readonly Before[], string | undefined]>([
    ['under another name', [{ name: 'payroll-2026-11', rows: sheet }], 'payroll-2026-11'],
    [
      'and not with one of the same name that paid others',
      [
        { name: 'payments-2026-11', rows: people(50, 60) },
        { name: 'x', rows: sheet },
      ],
      'x',
    ],
    [
      'the latest of two',
      [
        { name: 'november', rows: people(0, 9) },
        { name: 'october', rows: sheet },
      ],
      'november',
    ],
    [
      'and not with a bonus of a part of them in between',
      [
        { name: 'bonus', rows: people(0, 6, 9n) },
        { name: 'november', rows: sheet },
      ],
      'november',
    ],
    ['of which nothing was taken: with none', [{ name: 'failed', rows: sheet, outcome: 'failed' }], undefined],
    ['of which nothing was sent: with none', [{ name: 'unsent', rows: sheet, outcome: 'unsent' }], undefined],
    ['that is not final', [{ name: 'pending', rows: sheet, outcome: 'pending' }], 'pending'],
    ['in another currency: with none', [{ name: 'tzs', rows: sheet, currency: 'TZS' }], undefined],
    ['of which less than half is the same: with none', [{ name: 'few', rows: people(0, 4) }], undefined],
    [
      'on new accounts, under the same numbers and names',
      [{ name: 'moved', rows: sheet.map((one) => ({ ...one, payee: `old ${one.payee}` })) }],
      'moved',
    ],
    [
      'on new accounts, known by their names alone',
      [{ name: 'moved', rows: sheet.map(({ name, payee }) => ({ name, payee: `old ${payee}` })) }],
      'moved',
    ],
    [
      'and never with one that only has the same numbers',
      [{ name: 'suppliers', rows: people(50, 60).map((one, at) => ({ ...one, reference: `E${at}` })) }],
      undefined,
    ],
  ])('%s', async (_, batches, expected) => {
    expect((await beside(batches, sheet).findings).lastTime?.batch).toBe(expected);
  });

  test('and a salary that was doubled is told, however the batches are called', async () => {
    const doubled = sheet.map((one, at) => (at === 4 ? { ...one, minor: 200n } : one));
    const { lastTime } = await beside([{ name: 'payroll-2026-11', rows: sheet }], doubled).findings;
    expect(lastTime).toMatchObject({ newPeople: { count: 0 }, gonePeople: { count: 0 } });
    expect(lastTime?.changedAmounts).toMatchObject({
      count: 1,
      rows: [{ row: 6, name: 'Person 4', was: kes(100n), amount: kes(200n) }],
    });
  });
});

test('numbers of rows that moved on do not make other people of anybody', async () => {
  const numbered = (some: readonly Somebody[]) => some.map((one, at) => ({ ...one, reference: String(at + 1) }));
  const [then, now] = [numbered(people(0, 10)), numbered(people(0, 11).toSpliced(3, 1))];
  const { lastTime, paidElsewhere } = await beside([{ name: 'november', rows: then }], now).findings;
  expect(lastTime).toMatchObject({ newPeople: { count: 1 }, gonePeople: { count: 1, rows: [{ name: 'Person 3' }] } });
  expect(paidElsewhere(0, 99).size).toBe(0);
});

test('a year of months is read, twenty rows are named of a finding, and five hundred people are asked about', async () => {
  const batches = Array.from({ length: 14 }, (_, at) => ({ name: `month-${at}`, rows: people(0, 900) }));
  const { findings, read, asked } = beside(batches, people(0, 1200));
  const { lastTime } = await findings;
  expect(read).toHaveLength(12);
  expect(asked).toHaveLength(400);
  expect(asked.at(-1)?.payee).toBe('p1197');
  expect(lastTime?.newPeople).toMatchObject({ count: 300, amount: kes(30_000n) });
  expect(lastTime?.newPeople.rows).toHaveLength(20);
  expect(lastTime?.newPeople.rows[0]).toMatchObject({ row: 902, cell: 'D902', name: 'Person 900', amount: kes(100n) });
});

test('for names alone, no more than ten thousand rows are read', async () => {
  const batches = Array.from({ length: 5 }, (_, at) => ({ name: `other-${at}`, rows: people(5000, 9000) }));
  const { findings, read } = beside(batches, people(0, 10));
  expect(await findings).not.toHaveProperty('lastTime');
  expect(read).toEqual(['other-0', 'other-1']);
});

test('an amount is held against three payments to the same person', async () => {
  const paid = ['a', 'b', 'c'].map((name) => ({
    name,
    rows: people(0, 2).map((one, at) => ({ ...one, minor: at === 0 ? 1000n : 100n })),
  }));
  const { unusualAmounts } = await beside(paid, people(0, 2)).findings;
  expect(unusualAmounts).toEqual({
    count: 1,
    rows: [{ row: 2, cell: 'D2', name: 'Person 0', amount: kes(100n), usual: kes(1000n), payments: 3 }],
  });
});

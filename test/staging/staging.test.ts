import { describe, expect, onTestFinished, test } from 'vitest';
import type { KindName } from '../../src/domain/batch.ts';
import { issue } from '../../src/domain/issue.ts';
import type { StagedFor, StagedRow } from '../../src/domain/staging.ts';
import { openStaging } from '../../src/staging/staging.ts';
import { kes } from '../ledger/builders.ts';

function stage(rows: readonly StagedRow[], use: StagedFor = 'plan') {
  const staging = openStaging(use);
  onTestFinished(() => staging.close());
  for (let from = 0; from < rows.length; from += 100) staging.add(rows.slice(from, from + 100));
  return staging;
}

function paid(row: number, phone: string, minor: bigint, reference?: string): StagedRow {
  return {
    row,
    payout: {
      kind: 'some-kind' as KindName,
      ...(reference !== undefined && { reference }),
      name: 'Amina',
      destination: `+${phone}`,
      payee: `some-kind|${phone}`,
      amount: kes(minor),
    },
    draft: { recipient: { phoneNumber: phone }, transaction: { amount: 5.5 } },
    texts: ['HR'],
    issues: [],
  };
}

const setAside = (row: number): StagedRow => ({
  row,
  texts: ['HR', ''],
  issues: [issue('PB-PHONE-LENGTH', { row, cell: `C${row}`, value: '0712' }, { digits: 4 })],
});

describe('staged rows', () => {
  test('come back as they were, in sheet order, in blocks', () => {
    const rows = Array.from({ length: 1234 }, (_, index) =>
      index % 10 === 3
        ? setAside(index + 2)
        : paid(index + 2, `2547${10_000_000 + index}`, BigInt(index + 1), `R${index}`),
    );
    const blocks = [...stage(rows).blocks()];
    expect(blocks.length).toBeGreaterThan(1);
    expect(blocks.flat()).toEqual(rows);
  });

  test('keep issues of rows and of the sheet, which come back by row, the sheet first, as often as asked', () => {
    const staging = stage([]);
    const ofRow = (row: number, cell: string) => issue('PB-PHONE-LENGTH', { row, cell, value: '0712' }, { digits: 4 });
    const rows = Array.from({ length: 1200 }, (_, index) => ofRow(index + 2, `C${index + 2}`));
    staging.note(rows);
    staging.note([issue('PB-EMPTY', {}), ofRow(7, 'A7')]);
    const expected = [issue('PB-EMPTY', {}), ...rows.slice(0, 6), ofRow(7, 'A7'), ...rows.slice(6)];
    expect([...staging.issues()]).toEqual(expected);
    expect([...staging.issues()]).toEqual(expected);
  });

  test('have no repetition when all of them differ', () => {
    const staging = stage([
      paid(2, '254712345678', 100n, 'A'),
      paid(3, '254712345679', 100n),
      setAside(4),
      setAside(5),
    ]);
    expect(staging.repeatedReferences()).toEqual([]);
    expect(staging.identicalRows()).toEqual([]);
    expect(staging.repeatedPayees()).toEqual([]);
  });

  test('tell references that stand in more than one row, in the order of their first rows', () => {
    const staging = stage([
      paid(2, '254700000001', 100n, 'Z'),
      paid(3, '254700000002', 100n, 'A'),
      paid(4, '254700000003', 100n, 'A'),
      paid(5, '254700000004', 200n, 'Z'),
      paid(6, '254700000005', 200n, 'a'),
    ]);
    expect(staging.repeatedReferences()).toEqual([
      { value: 'Z', rows: [2, 5], count: 2, payable: 2 },
      { value: 'A', rows: [3, 4], count: 2, payable: 2 },
    ]);
  });

  test('tell references that stand in rows with errors too, whose people are nobody', () => {
    for (const use of ['plan', 'check'] as const) {
      const staging = stage(
        [paid(2, '254700000001', 100n, 'Z'), { ...setAside(3), reference: 'Z' }, { ...setAside(4), reference: 'Y' }],
        use,
      );
      const [found, ...others] = staging.repeatedReferences();
      expect(others).toEqual([]);
      expect(found).toEqual({ value: 'Z', rows: [2, 3], count: 2, payable: 1 });
      expect(found && [...staging.rowsOfReference(found)]).toEqual([
        { row: 2, isPayable: true },
        { row: 3, isPayable: false },
      ]);
      expect([...staging.payments()].flat().map(({ row }) => row)).toEqual([2]);
    }
  });

  test('tell payments without a reference that are the same in payee and amount', () => {
    const staging = stage([
      paid(2, '254712345678', 50_000n),
      paid(3, '254712345678', 50_000n, 'R1'),
      paid(4, '254712345678', 50_001n),
      paid(5, '254712345678', 50_000n),
    ]);
    expect(staging.identicalRows()).toEqual([{ value: '+254712345678 KES 500.00', rows: [2, 5], count: 2 }]);
    expect(staging.repeatedPayees()).toEqual([{ value: '+254712345678', rows: [2, 3, 4, 5], count: 4 }]);
  });

  test('name at most fifty rows of a repetition, and count them all', () => {
    const staging = stage(Array.from({ length: 120 }, (_, index) => paid(index + 2, '254712345678', 100n)));
    const [repetition] = staging.identicalRows();
    expect(repetition?.count).toBe(120);
    expect(repetition?.rows).toEqual(Array.from({ length: 50 }, (_, index) => index + 2));
  });
});

describe('what an approver looks for', () => {
  const named = (row: number, name: string, phone: string, minor: bigint): StagedRow => {
    const made = paid(row, phone, minor);
    return made.payout ? { ...made, payout: { ...made.payout, name } } : made;
  };

  test('is an amount above so many times the middle one, of the larger two when there are two', () => {
    const staging = stage(
      [10n, 10n, 20n, 20n, 201n, 9_007_199_254_740_993n].map((minor, at) => paid(at + 2, `${at}`, minor)),
    );
    expect(staging.unusualAmounts(10, 6, 1)).toEqual({ median: 20n, rows: [{ row: 6, minor: 201n }], count: 2 });
    expect(staging.unusualAmounts(10, 7, 1)).toEqual({ median: 0n, rows: [], count: 0 });
  });

  test('is a payee under several names, told once, and a name at several payees', () => {
    const staging = stage([
      named(2, 'Jane Wanjiku', '1', 5n),
      named(3, 'Wanjiku JANE', '1', 6n),
      named(4, 'Ali', '1', 7n),
      named(5, 'Ann', '1', 8n),
      named(6, 'ALI', '2', 9n),
      setAside(7),
    ]);
    const [names, payees] = [staging.payeesWithNames(20), staging.namesWithPayees(20)];
    expect(names).toEqual({
      rows: [{ row: 4, name: 'Ali', payee: '+1', first: 'Jane Wanjiku', firstRow: 2 }],
      count: 1,
    });
    expect(payees).toEqual({ rows: [{ row: 6, name: 'ALI', payee: '+2', first: '+1', firstRow: 4 }], count: 1 });
  });

  test('is named so often at most, and counted in full', () => {
    const staging = stage(Array.from({ length: 60 }, (_, at) => named(at + 2, `N${at % 30}`, `${at}`, 5n)));
    const { rows, count } = staging.namesWithPayees(20);
    expect([rows.length, count]).toEqual([20, 30]);
  });
});

test('payable rows are held against earlier ones in sheet order, equal payments numbered', () => {
  const rows = Array.from({ length: 1001 }, (_, at) => paid(at + 2, at % 3 === 0 ? '254700000000' : `2547${at}`, 500n));
  const staging = stage([...rows, setAside(2000), paid(2001, '254700000000', 501n, 'E1')]);
  for (let reading = 0; reading < 2; reading++) {
    const payments = [...staging.payments()].flat();
    expect(payments.map(({ row }) => row)).toEqual([...rows.map(({ row }) => row), 2001]);
    expect(payments.filter(({ occurrence }) => occurrence > 1)).toHaveLength(Math.ceil(1001 / 3) - 1);
    expect(payments[6]).toMatchObject({ row: 8, payee: 'some-kind|254700000000', amount: kes(500n), occurrence: 3 });
    expect(payments.at(-1)).toMatchObject({ reference: 'E1', occurrence: 1, destination: '+254700000000' });
  }
});

test('a person is known by name, as names are compared, and amount, and a row that cannot be paid pays nobody', () => {
  const staging = stage([paid(2, '254700000001', 5000n), setAside(3)]);
  const people = [
    { name: ' AMINA', amount: kes(5000n) },
    { name: 'Amina', amount: kes(5001n) },
    { name: 'Amina Wanjiru', amount: kes(5000n) },
  ];
  expect(staging.paidAmong(people)).toEqual(people.slice(0, 1));
  const many = Array.from({ length: 1000 }, (_, index) => ({
    name: `Amina${index % 3 ? index : ''}`,
    amount: kes(5000n),
  }));
  expect(staging.paidAmong(many)).toHaveLength(334);
  const nameless = stage(
    [{ ...paid(2, '254700000001', 5000n) }].map((row) => ({
      ...row,
      ...(row.payout && { payout: { ...row.payout, name: '-' } }),
    })),
  );
  expect(nameless.paidAmong([{ name: '.', amount: kes(5000n) }])).toEqual([]);
});

test('rows of a mere check are not read back', () => {
  expect(() => stage([paid(2, '254712345678', 100n)], 'check').blocks()).toThrow('not read back');
});

test('blocks of a plan hold the same rows however they were added', () => {
  const rows = Array.from({ length: 1201 }, (_, at) => paid(at + 2, `2547${at}`, 500n));
  const staging = openStaging();
  onTestFinished(() => staging.close());
  for (const [from, to] of [
    [0, 3],
    [3, 498],
    [498, 502],
    [502, 1201],
  ])
    staging.add(rows.slice(from, to));
  // Which rows share an order hangs on it.
  expect([...staging.blocks()].map(({ length }) => length)).toEqual([500, 500, 201]);
});

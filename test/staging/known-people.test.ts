/** People of a sheet, known again in the rows of earlier batches. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { KindName } from '../../src/domain/batch.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import type { Difference, KnownPeople } from '../../src/domain/known-people.ts';
import { openStaging } from '../../src/staging/staging.ts';
import { kes } from '../ledger/builders.ts';

interface Somebody {
  readonly reference?: string;
  readonly name?: string;
  /** Whose account it is. */
  readonly payee?: string;
  readonly minor?: bigint;
}

const OCTOBER = 'salaries-10' as BatchId;

/** A staged sheet of these people, from row 2 on. */
function sheetOf(people: readonly Somebody[]): KnownPeople {
  const staging = openStaging();
  onTestFinished(() => staging.close());
  const rows = people.map(({ reference, name = 'Jane', payee = 'a', minor = 100n }, at) => ({
    row: at + 2,
    payout: {
      kind: 'some-kind' as KindName,
      ...(reference !== undefined && { reference }),
      name,
      destination: payee,
      payee,
      amount: kes(minor),
    },
    texts: [],
    issues: [],
  }));
  staging.add(rows);
  return staging.knownPeople(kes(0n).currency);
}

function addBatch(people: KnownPeople, rows: readonly Somebody[], batch: BatchId = OCTOBER, isPaid = true): void {
  people.begin();
  people.add(
    rows.map(({ name = 'Jane', payee = 'a', minor = 100n, ...one }, at) => ({
      row: at + 2,
      ...one,
      name,
      payee,
      minor,
      isPaid,
    })),
  );
  people.know(batch);
}

/** What a sheet and one batch differ in: rows by number. */
function differences(now: readonly Somebody[], then: readonly Somebody[]) {
  const people = sheetOf(now);
  addBatch(people, then);
  const { newPeople, gonePeople, changedAmounts }: Difference = people.difference(99);
  const rowsOf = ({ rows }: { readonly rows: readonly { readonly row: number }[] }) => rows.map(({ row }) => row);
  const moved = [...people.paidElsewhere(0, 999)].map(([row, then]) => [row, then.row]);
  return { new: rowsOf(newPeople), gone: rowsOf(gonePeople), amounts: rowsOf(changedAmounts), moved };
}

const nothing = { new: [], gone: [], amounts: [], moved: [] };

describe('a person is known again', () => {
  test.each<[string, readonly Somebody[], readonly Somebody[], Partial<typeof nothing> | object]>([
    [
      'by the reference, whatever else changed',
      [{ reference: '7', name: 'Jane Wed', payee: 'b', minor: 5n }],
      [{ reference: '7' }],
      { amounts: [2], moved: [[2, 2]] },
    ],
    ['by the payee where references are new every time', [{ reference: 'INV-2' }], [{ reference: 'INV-1' }], {}],
    [
      'by the name where nothing else is the same',
      [{ payee: 'b', name: 'DOE, Jane' }],
      [{ name: 'Jane Doe' }],
      { moved: [[2, 2]] },
    ],
    [
      'by the name beside another reference, as a supplier with another account',
      [{ reference: 'INV-2', payee: 'b' }],
      [{ reference: 'INV-1' }],
      { moved: [[2, 2]] },
    ],
    ['never by an empty name', [{ name: '-', payee: 'b' }], [{ name: '.' }], { new: [2], gone: [2] }],
    [
      'by the reference before the payee',
      [
        { reference: '1', payee: 'b' },
        { reference: '2', payee: 'a' },
      ],
      [
        { reference: '1', payee: 'a' },
        { reference: '2', payee: 'b' },
      ],
      {
        moved: [
          [2, 2],
          [3, 3],
        ],
      },
    ],
  ])('%s', (_, now, then, expected) => {
    expect(differences(now, then)).toEqual({ ...nothing, ...expected });
  });
});

describe('two rows of one account', () => {
  test('are taken for those of the same amounts, in any order', () => {
    const two = [{ minor: 1n }, { minor: 2n }];
    expect(differences(two, two.toReversed())).toEqual(nothing);
    expect(differences([{ minor: 1n }, { minor: 3n }], two)).toEqual({ ...nothing, amounts: [3] });
    expect(differences([{ minor: 2n }], two)).toEqual({ ...nothing, gone: [2] });
    expect(differences([...two, { minor: 1n }], two)).toEqual({ ...nothing, new: [4] });
  });
});

describe('two people of one name', () => {
  const two = [{ payee: 'a' }, { payee: 'b' }];

  test('are told apart by their accounts, and the one that is left is known by the name', () => {
    expect(differences([{ payee: 'b' }, { payee: 'c' }], two)).toEqual({ ...nothing, moved: [[3, 2]] });
  });

  test('are taken one after the other where both changed, so that both have to be answered for', () => {
    const moved = [
      [2, 2],
      [3, 3],
    ];
    expect(differences([{ payee: 'c' }, { payee: 'd' }], two)).toEqual({ ...nothing, moved });
    expect(differences([{ payee: 'c' }, { payee: 'd' }, { payee: 'e' }], two)).toEqual({ ...nothing, new: [4], moved });
  });
});

describe('of several batches', () => {
  const SEPTEMBER = 'salaries-09' as BatchId;

  test('the latest that has the person says where they were paid, also where the last batch has not', () => {
    const people = sheetOf([
      { reference: '1', payee: 'new' },
      { reference: '2', name: 'Late', payee: 'new too' },
    ]);
    addBatch(people, [{ reference: '1', payee: 'new' }]);
    expect(people.difference(9).newPeople.rows.map(({ row }) => row)).toEqual([3]);
    addBatch(
      people,
      [
        { reference: '1', payee: 'old' },
        { reference: '2', name: 'Late', payee: 'old too' },
      ],
      SEPTEMBER,
    );
    expect([...people.paidElsewhere(2, 3)]).toEqual([[3, { batch: SEPTEMBER, row: 3 }]]);
    expect(people.paidElsewhere(4, 9).size).toBe(0);
  });

  const histories: readonly [string, bigint, readonly bigint[], boolean, bigint | undefined][] = [
    ['more than three times the middle one', 31n, [10n, 1n, 99n], true, 10n],
    ['three times the middle one', 30n, [10n, 10n, 10n], true, undefined],
    ['less than a third of it', 3n, [10n, 10n, 10n], true, 10n],
    ['a third of it', 4n, [12n, 12n, 12n], true, undefined],
    ['far from the larger of two middle ones', 31n, [1n, 1n, 10n, 10n], true, 10n],
    ['far from two payments alone', 99n, [10n, 10n], true, undefined],
    ['far from what was never paid', 99n, [10n, 10n, 10n], false, undefined],
  ];
  test.each(histories)('an amount is held against what was paid: %s', (_, minor, paid, isPaid, usual) => {
    const people = sheetOf([{ minor }]);
    for (const [at, amount] of paid.entries()) addBatch(people, [{ minor: amount }], `b-${at}` as BatchId, isPaid);
    const { rows, count } = people.farAmounts({ paymentsMin: 3, factor: 3 }, 9);
    expect(rows.map((one) => [one.usual.minor, one.payments])).toEqual(
      usual === undefined ? [] : [[usual, paid.length]],
    );
    expect(count).toBe(rows.length);
  });
});

test('the largest difference comes first, sums are those of all rows, and so many are named', () => {
  const now = [10n, 20n, 30n, 40n].map((minor, at) => ({ payee: `p${at}`, minor }));
  const then = [11n, 120n, 5n, 40n].map((minor, at) => ({ payee: `p${at}`, minor }));
  const people = sheetOf(now);
  addBatch(people, then);
  expect(people.difference(2)).toMatchObject({
    paid: { count: 4, amount: kes(176n) },
    changedAmounts: {
      rows: [
        { row: 3, amount: kes(20n), was: kes(120n) },
        { row: 4, amount: kes(30n), was: kes(5n) },
      ],
      count: 3,
      more: kes(25n),
      less: kes(101n),
    },
  });
});

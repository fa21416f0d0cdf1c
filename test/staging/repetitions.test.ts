/** What the staging finds in common, held against lists in memory on random rows. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KindName, Payout } from '../../src/domain/batch.ts';
import type { CurrencyCode } from '../../src/domain/currency.ts';
import { moneyText } from '../../src/domain/money.ts';
import { comparedName, type StagedFor, type StagedRow, type Staging } from '../../src/domain/staging.ts';
import { openStaging } from '../../src/staging/staging.ts';

const NAMED_ROWS = 50;
const MOST = 3;
const FACTOR = 2;
const ROWS_MIN = 4;

type Payable = StagedRow & { readonly payout: Payout };

const isPayable = (row: StagedRow): row is Payable => row.payout !== undefined;
const referenceIn = ({ payout, reference }: StagedRow): string | undefined => payout?.reference ?? reference;
const numbersOf = (rows: readonly StagedRow[]): readonly number[] => rows.map(({ row }) => row);
const paymentOf = ({ payout: { payee, amount } }: Payable): string => `${payee} ${amount.minor} ${amount.currency}`;

/** The rows with the same text, in groups in the order of their first rows; rows without a text are in none. */
function groupsBy<T>(rows: readonly T[], textOf: (row: T) => string | undefined): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const row of rows) {
    const text = textOf(row);
    if (text === undefined) continue;
    const group = groups.get(text);
    if (group) group.push(row);
    else groups.set(text, [row]);
  }
  return [...groups.values()];
}

const several = ({ length }: readonly unknown[]): boolean => length > 1;

const repetition = (value: string, rows: readonly StagedRow[]) => ({
  value,
  rows: numbersOf(rows).slice(0, NAMED_ROWS),
  count: rows.length,
});

/** Of each group the first row that differs from its first one. */
function contrasts(
  groups: readonly (readonly [Payable, ...Payable[]])[],
  textOf: (payout: Payout) => string,
  firstOf: (payout: Payout) => string,
) {
  const found = groups.flatMap(([first, ...others]) => {
    const later = others.find(({ payout }) => textOf(payout) !== textOf(first.payout));
    if (!later) return [];
    const { name, destination: payee } = later.payout;
    return [{ row: later.row, name, payee, first: firstOf(first.payout), firstRow: first.row }];
  });
  return { rows: found.sort((a, b) => a.row - b.row).slice(0, MOST), count: found.length };
}

function unusual(payable: readonly Payable[]) {
  if (payable.length < ROWS_MIN) return { median: 0n, rows: [], count: 0 };
  const amounts = payable.map(({ payout }) => payout.amount.minor).toSorted((a, b) => (a < b ? -1 : 1));
  const median = amounts[Math.floor(amounts.length / 2)] ?? 0n;
  const above = payable.map(({ row, payout }) => ({ row, minor: payout.amount.minor }));
  const found = above.filter(({ minor }) => minor > median * BigInt(FACTOR));
  return { median, rows: found.slice(0, MOST), count: found.length };
}

/** All that is asked of a staging, answered by going through lists. */
function inMemory(rows: readonly StagedRow[]) {
  const payable = rows.filter(isPayable);
  const references = groupsBy(rows, referenceIn).filter(several);
  const bare = payable.filter(({ payout }) => payout.reference === undefined);
  const identical = groupsBy(bare, paymentOf).filter(several);
  const payees = groupsBy(payable, ({ payout }) => payout.payee);
  const names = groupsBy(payable, ({ payout }) => comparedName(payout.name) || undefined);
  const occurrences = new Map(
    groupsBy(payable, paymentOf).flatMap((group) => group.map(({ row }, at) => [row, at + 1])),
  );
  return {
    references: references.map((group) => ({
      found: { ...repetition(referenceIn(group[0]) ?? '', group), payable: group.filter(isPayable).length },
      rows: group.map((row) => ({ row: row.row, isPayable: isPayable(row) })),
    })),
    identical: identical.map((group) => {
      const { destination, amount } = group[0].payout;
      return { found: repetition(`${destination} ${moneyText(amount)}`, group), rows: numbersOf(group) };
    }),
    payees: payees.filter(several).map((group) => repetition(group[0].payout.destination, group)),
    payments: payable.map(({ row, payout: { name, reference, payee, destination, amount } }) => {
      const own = { row, name, ...(reference !== undefined && { reference }), payee, destination, amount };
      return { ...own, occurrence: occurrences.get(row) };
    }),
    unusual: unusual(payable),
    payeesWithNames: contrasts(
      payees,
      ({ name }) => comparedName(name),
      ({ name }) => name,
    ),
    namesWithPayees: contrasts(
      names,
      ({ payee }) => payee,
      ({ destination }) => destination,
    ),
  };
}

/** The same, answered by the staging. */
const asked = (staging: Staging) => ({
  references: staging.repeatedReferences().map((found) => ({ found, rows: [...staging.rowsOfReference(found)] })),
  identical: staging.identicalRows().map((found) => ({ found, rows: [...staging.rowsOfPayment(found)] })),
  payees: staging.repeatedPayees(),
  payments: [...staging.payments()].flat(),
  unusual: staging.unusualAmounts(FACTOR, ROWS_MIN, MOST),
  payeesWithNames: staging.payeesWithNames(MOST),
  namesWithPayees: staging.namesWithPayees(MOST),
});

const reference = fc.option(fc.constantFrom('A', 'a', 'Á', 'A ', '1', '01'), { nil: undefined, freq: 2 });
const amount = fc
  .tuple(fc.constantFrom(1n, 2n, 3n, 7n, 999_999_999_999_999n), fc.constantFrom('KES', 'UGX'))
  .map(([minor, currency]) => ({ minor, currency: currency as CurrencyCode }));
const whole = { draft: { recipient: { phoneNumber: '1' } }, texts: ['HR', ''], issues: [] } as const;
const paid = fc
  .record({
    reference,
    name: fc.constantFrom('Jane Ali', 'ALI, jane', 'José', 'Jose', '—', '', 'Ann'),
    payee: fc.constantFrom('wallet|1', 'wallet|2', 'bank|1'),
    destination: fc.constantFrom('+1', '+2', 'Bank 1'),
    amount,
    note: fc.option(fc.constant('November'), { nil: undefined }),
  })
  .map(({ reference: own, note, ...others }) => ({
    ...whole,
    payout: {
      kind: 'some-kind' as KindName,
      ...(own !== undefined && { reference: own }),
      ...(note !== undefined && { note }),
      ...others,
    },
  }));
const setAside = reference.map((own) => ({ ...whole, ...(own !== undefined && { reference: own }) }));
const leftOut = fc
  .option(amount, { nil: undefined })
  .map((one) => ({ ...whole, leftOut: { reason: 'on hold', ...(one && { amount: one }) } }));
/** Rows in sheet order, with gaps between them; many are alike. */
const sheet = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.oneof({ weight: 6, arbitrary: paid }, setAside, leftOut)), {
    maxLength: 600,
    size: 'max',
  })
  .map((rows) => {
    let row = 1;
    return rows.map(([gap, one]): StagedRow => {
      row += gap;
      return { row, ...one };
    });
  });

test.each<StagedFor>(['plan', 'check'])('rows of a %s have in common what lists in memory say', (use) => {
  fc.assert(
    fc.property(sheet, (rows) => {
      const staging = openStaging(use);
      try {
        staging.add(rows);
        expect(asked(staging)).toEqual(inMemory(rows));
        if (use === 'plan') expect([...staging.blocks()].flat()).toStrictEqual(rows);
      } finally {
        staging.close();
      }
    }),
    { numRuns: 25 },
  );
});

/** That no column is asked for in vain: what stands in it changes what is paid, sent or told. */
import { describe, expect, test } from 'vitest';
import { rowIdentity } from '../../src/batch/order-origin.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { currency } from '../support/amounts.ts';
import { remitter } from '../support/remitter.ts';
import { rowViewOf } from '../support/sheets/sheet-rows.ts';
import { cellsOfColumns, fullRowOf } from './cells-of-columns.ts';

const context = { country: 'KE', currency: currency('KES'), purpose: 'Wages', remitter };

/** Columns whose cells change nothing, and why people are asked for them. `*` is every kind. */
const unread: Readonly<Record<string, string>> = {
  '* currency': 'it agrees with the currency of the batch, or the column itself refuses it',
  'airtime purpose': 'the sheet is for all kinds, and nothing that is sent for airtime says what it is for',
};

type Row = Readonly<Record<string, string>>;

/** What comes of a row: what is paid and sent, which payment it is, and what is told of it. */
function outcomeOf(kind: Kind, row: Row) {
  const { issues, lacks, payable } = kind.read(rowViewOf(row), context);
  if (!payable) return { issues, lacks };
  const { note, ...payout } = payable.payout;
  const { draft } = payable;
  // Payment orders carry the note of a payout; of the others, only their draft is sent.
  const sent = { draft, ...(draft?.submission === 'payment-order' && { note }) };
  return { issues: issues.map(({ code, cell }) => `${code} ${cell}`), lacks, payout, sent, key: rowIdentity(payout) };
}

/** A full row, and one with nothing but what its kind cannot do without: a cell may stand in for another one. */
const rowsOf = (kind: Kind): readonly Row[] => {
  const full = fullRowOf(kind);
  const needed = kind.columns.filter(({ required }) => required).map(({ id }) => id);
  return [full, Object.fromEntries(Object.entries(full).filter(([id]) => needed.includes(id)))];
};

/** Whether another cell of the column, which the column itself takes, makes another outcome of some row. */
function isRead(kind: Kind, { id, required, read }: Kind['columns'][number]): boolean {
  const texts = [...(cellsOfColumns[id] ?? []), ...(required ? [] : [''])];
  const taken = texts.filter((text) => read(rowViewOf({ [id]: text })(id), context).ok);
  return rowsOf(kind).some(
    (row) => new Set(taken.map((text) => JSON.stringify(outcomeOf(kind, { ...row, [id]: text }), printed))).size > 1,
  );
}

const printed = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);

const columns = kinds.flatMap((kind) => kind.columns.map((column) => [kind.name, column.id, kind, column] as const));
const reasonFor = (kind: string, id: string): string | undefined => unread[`* ${id}`] ?? unread[`${kind} ${id}`];

describe('a column', () => {
  test('of every kind is written down with its cells, and full rows of them can be paid', () => {
    expect(columns.length).toBeGreaterThan(40);
    expect([...new Set(columns.map(([, id]) => id))].sort()).toEqual(Object.keys(cellsOfColumns).sort());
    for (const kind of kinds) {
      for (const row of rowsOf(kind)) expect(outcomeOf(kind, row)).toMatchObject({ lacks: [], payout: {} });
    }
  });

  test.each(columns)(
    '%s: what stands in %s changes what is paid, sent or told, or it is known why not',
    (...column) => {
      const [name, id, kind, own] = column;
      expect(isRead(kind, own)).toBe(reasonFor(name, id) === undefined);
    },
  );

  test('that is said to change nothing is one of a kind', () => {
    const known = columns.flatMap(([kind, id]) => [`* ${id}`, `${kind} ${id}`]);
    for (const exception of Object.keys(unread)) expect(known).toContain(exception);
  });
});

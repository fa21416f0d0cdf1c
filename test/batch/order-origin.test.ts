/** An order out of what it is made of, and what it was made of out of what is kept of it. */
import { describe, expect, test } from 'vitest';
import { identityIn, type OrderOrigin, orderFrom, originLineOf, originOf } from '../../src/batch/order-origin.ts';
import { plannedFact } from '../../src/domain/batch.ts';
import { Fault } from '../../src/domain/fault.ts';
import { namedBatchKey, orderIdOf, type RowKey, traceNumberOf } from '../../src/domain/ids.ts';
import { InvariantError } from '../../src/domain/invariant.ts';
import { advance } from '../../src/domain/order.ts';
import type { SettledDraft } from '../../src/service/submissions/index.ts';
import { kes } from '../support/amounts.ts';

const batch = { idNamespace: 'acme', key: namedBatchKey('wages') };
const identity = identityIn(batch, 1);
const keys = ['ann', 'ben', 'eve'] as RowKey[] as [RowKey, RowKey, RowKey];

const draft = (amount: number): SettledDraft => ({
  submission: 'payment-order',
  line: {
    recipient: { name: 'Ann', primaryAccountNumber: '254733000111', ccy: 404, purpose: 'wages' },
    transaction: { amount },
  },
  route: { routeId: 'r', channelType: 1 },
});
const origin: OrderOrigin = {
  notes: 'wages',
  lines: keys.map((rowKey, index) => ({ rowKey, draft: draft(index + 1) })),
};
const rows = keys.map((_, index) => ({ row: index + 2, amount: kes(BigInt(index + 1) * 100n) }));
const order = orderFrom(identity, origin, rows);
const keptOf = (made: typeof order) => ({ ...made, state: advance(undefined, plannedFact(made, 0)) });
const claim = (what: string): InvariantError => new InvariantError(`This must hold and does not: ${what}`);

describe('an order', () => {
  test('has the id of its first row, and for each row a line of its own', () => {
    expect(order).toMatchObject({ id: orderIdOf(identity, keys[0]), submission: 'payment-order', attempt: 1 });
    expect(order.lines).toEqual(keys.map((key, index) => ({ trace: traceNumberOf(identity, key), ...rows[index] })));
  });

  test('names the order that a line replaces, and none where it replaces none', () => {
    const [first, second, third] = orderFrom(
      identity,
      origin,
      rows.map((row, index) => (index === 1 ? { ...row, replaces: order.id } : row)),
    ).lines;
    expect(second).toHaveProperty('replaces', order.id);
    for (const line of [first, third]) expect(line).not.toHaveProperty('replaces');
  });

  test('keeps what it was made of, with a callback address where there is one', () => {
    expect(JSON.parse(order.origin)).toEqual(origin);
    const told = { ...origin, callbackUrl: 'https://pay.example/reports' };
    expect(JSON.parse(orderFrom(identity, told, rows).origin)).toEqual(told);
  });

  test('pays somebody, and each of its lines a row', () => {
    expect(() => orderFrom(identity, { ...origin, lines: [] }, rows)).toThrow(claim('an order pays somebody'));
    expect(() => orderFrom(identity, origin, rows.slice(0, 2))).toThrow(claim('every line of an order pays a row'));
  });

  test.each([
    [{ ...batch, idNamespace: 'acme-before' }, 2, { namespace: 'acme-before', batchKey: batch.key, attempt: 2 }],
    [batch, 3, { namespace: 'acme', batchKey: batch.key, attempt: 3 }],
  ])('is identified by the name that ids are made from: %o, attempt %i', (named, attempt, identified) => {
    expect(identityIn(named, attempt)).toEqual(identified);
  });
});

describe('what a recorded order was made of', () => {
  test('is given back as it was', () => {
    expect(originOf(keptOf(order), batch)).toEqual(origin);
  });

  test('has the part of each of its rows', () => {
    const kept = keptOf(order);
    expect(rows.map(({ row }) => originLineOf(origin, kept, row))).toEqual(origin.lines);
    expect(() => originLineOf(origin, kept, 9)).toThrow(claim(`order ${order.id} pays row 9`));
  });

  /** What is thrown of an order of which something was changed since. */
  function faultOf(changes: Partial<typeof order>, from = batch): Fault {
    try {
      originOf({ ...keptOf(order), ...changes }, from);
    } catch (error) {
      if (error instanceof Fault) return error;
      throw error;
    }
    throw new Error('nothing was thrown');
  }

  test.each<[string, Partial<typeof order>, typeof batch]>([
    ['its body is another one', { body: order.body.replace('wages', 'bonus') }, batch],
    ['what it was made of is another payment', { origin: order.origin.replace('254733000111', '254733000112') }, batch],
    ['it is of another batch', {}, { ...batch, key: namedBatchKey('bonus') }],
  ])('is a fault where %s: it makes another order', (_, changes, from) => {
    const fault = faultOf(changes, from);
    expect(fault).toMatchObject({
      code: 'ledger-unsafe',
      message: `Order ${order.id} does not match what the ledger recorded when it was made. No further attempt was made.`,
      remedy: 'Run `paybatch verify`: the ledger was changed or damaged.',
    });
    expect(fault.cause).toBeUndefined();
  });

  test('is a fault where it makes no order at all, and says why', () => {
    expect(faultOf({ origin: '{' }).cause).toBeInstanceOf(SyntaxError);
    expect(faultOf({ origin: order.origin.replace('"lines"', '"rows"') }).cause).toBeInstanceOf(TypeError);
  });
});

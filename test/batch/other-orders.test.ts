/** Further attempts at a row, held against bodies that were kept: what is paid again is the same payment to the last byte. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type IdentifiedBatch, orderFrom, originLineOf, originOf } from '../../src/batch/order-origin.ts';
import { nextAttempt, otherOrders } from '../../src/batch/other-orders.ts';
import { type OrderPlan, planOrders } from '../../src/batch/plan-orders.ts';
import { type Attempt, type Payout, type PlannedOrder, plannedFact } from '../../src/domain/batch.ts';
import { namedBatchKey, orderIdOf, rowKeyOf, traceNumberOf } from '../../src/domain/ids.ts';
import { InvariantError, invariant } from '../../src/domain/invariant.ts';
import { advance } from '../../src/domain/order.ts';
import type { BodyTerms } from '../../src/service/submissions/submission.ts';
import { check } from '../support/sheets/checked-sheet.ts';

const HEADINGS = [
  'Ref',
  'Type',
  'Name',
  'Phone',
  'Bank code',
  'Bank',
  'Biller',
  'Paybill',
  'Account',
  'Amount',
  'Purpose',
  'Note',
];
const TWIN = ['', 'wallet', 'Ann Atieno', '0733000111', '', '', '', '', '', '700', '', ''];
const SHEET = [
  TWIN,
  ['EMP-2', 'wallet', 'Ali Hassan', '0722345678', '', '', '', '', '', '8500.50', 'Field work', 'well done'],
  ['A-1', 'airtime', 'Ali Hassan', '0722345678', '', '', '', '', '', '50.00', '', ''],
  ['', 'bill', 'Main office', '', '', '', 'City Water', '', '0012-345', '2500', 'Water', 'October'],
  ['B-1', 'EFT', 'Otieno "Ltd"', '0733000111', 'PRACKENA', 'Practice Bank', '', '', '0012345', '45.50', '', ''],
  ['', 'paybill', 'Shop', '', '', '', '', '400200', '77', '12', '', ''],
  TWIN,
];
const TWIN_ROWS = [2, 8];

const key = namedBatchKey('salaries-2026-11');
const batch: IdentifiedBatch = {
  idNamespace: 'acme',
  key,
};

const plan: OrderPlan = {
  namespace: 'acme',
  batchKey: key,
  linesPerOrder: 1,
  notes: 'Acme Ltd salaries-2026-11',
  routeOf: (kind) => ({ routeId: `route-${kind}`, channelType: 99, transactionTypeId: `type-${kind}` }),
  chargeOf: ({ amount }) => amount,
  callbackUrl: 'https://pay.example/reports',
  billServiceOf: (named) => ({ serviceId: `id of ${named}`, routeId: 'route of bills' }),
};

/** What preflight may settle for a retry: everything but the payment itself may have changed. */
const retryTerms: BodyTerms = {
  notes: 'Acme Holding salaries-2026-11',
  routeOf: (kind) => ({ routeId: `new-${kind}`, channelType: 7 }),
  callbackUrl: 'https://pay.example/moved',
  billServiceOf: (serviceId) => ({ serviceId, routeId: 'new route of bills' }),
};

interface FirstAttempt extends Attempt {
  readonly payout: Payout;
}

/** Every first attempt of the sheet. */
async function firstAttempts(linesPerOrder: number): Promise<readonly FirstAttempt[]> {
  const { staging, checked } = await check([HEADINGS, ...SHEET], { allowIdentical: 1 });
  expect(checked).toMatchObject({ errors: 0, payable: SHEET.length });
  const blocks = [...planOrders(staging, { ...plan, linesPerOrder })];
  const orders = new Map(blocks.flatMap((block) => block.orders.map((order) => [order.id, order])));
  return blocks.flatMap(({ rows }) =>
    rows.map(({ row, payout, order: id }) => {
      const order = id && orders.get(id);
      invariant(order && payout, 'every row is payable');
      return { ...order, row, payout, state: advance(undefined, plannedFact(order, 0)) };
    }),
  );
}

/** What it says whichever attempt it is: ids and what is made of them have no place in it. */
const withoutIds = ({ id, body, lines: [line] }: PlannedOrder): string =>
  body
    .replaceAll(id, '(order)')
    .replaceAll(line?.trace ?? '?', '(trace)')
    .replaceAll(line?.trace.slice(0, 13) ?? '?', '(part of trace)');

function retried(first: FirstAttempt): PlannedOrder {
  const { row, payout, state } = first;
  const made = originLineOf(originOf(first, batch), first, row);
  return nextAttempt({ row, payout, made, order: state.id, attempt: state.attempt }, batch, retryTerms);
}

interface KeptBodies {
  readonly row: number;
  readonly later: string;
  readonly retried: string;
}

const kept: Record<string, readonly KeptBodies[]> = JSON.parse(
  readFileSync(new URL('../fixtures/attempts/bodies.json', import.meta.url), 'utf8'),
);

describe.each([1, 3])('of a row in an order of up to %i lines', (linesPerOrder) => {
  test('the next attempts send the bytes that they have always sent', async () => {
    const found: KeptBodies[] = [];
    for (const first of await firstAttempts(linesPerOrder)) {
      const all = otherOrders(first, batch);
      const later = all.filter(({ attempt }) => attempt > 1);
      expect(later.map(({ attempt }) => attempt)).toEqual([2, 3, 4, 5]);
      // The same attempt in an order of its own: its row is not the first of this one.
      const isFirst = first.state.lines[0]?.row === first.row;
      expect(all).toHaveLength(later.length + (isFirst ? 0 : 1));
      const [body = '', ...others] = new Set(later.map(withoutIds));
      expect(others).toEqual([]);
      found.push({ row: first.row, later: body, retried: withoutIds(retried(first)) });
    }
    expect(found).toEqual(kept[`lines ${linesPerOrder}`]);
  });

  test('the next attempts have the ids that follow from its own key, also where it has a twin', async () => {
    const twins = (await firstAttempts(linesPerOrder)).filter(({ row }) => TWIN_ROWS.includes(row));
    for (const [index, first] of twins.entries()) {
      const { payee, amount } = first.payout;
      const rowKey = rowKeyOf({ payee, amountMinor: amount.minor, currency: amount.currency }, index + 1);
      const identity = { namespace: 'acme', batchKey: key };
      for (const { id, attempt, lines } of [...otherOrders(first, batch), retried(first)]) {
        expect(id).toBe(orderIdOf({ ...identity, attempt }, rowKey));
        expect(lines).toMatchObject([{ row: first.row, trace: traceNumberOf({ ...identity, attempt }, rowKey) }]);
        expect(lines[0]?.replaces).toBe(attempt > 1 ? first.state.id : undefined);
      }
    }
    expect(twins).toHaveLength(2);
  });
});

test('the last attempt that is made has none after it, and none that was made by hand beyond', async () => {
  const [first] = await firstAttempts(1);
  invariant(first, 'the sheet has rows');
  const made = originOf(first, batch);
  for (const attempt of [4, 5, 6]) {
    const identity = { namespace: 'acme', batchKey: key, attempt };
    const planned = orderFrom(identity, made, first.state.lines);
    const state = advance(undefined, plannedFact(planned, 0));
    const others = otherOrders({ ...planned, row: first.row, state }, batch);
    expect(others.map((other) => other.attempt)).toEqual(attempt === 4 ? [5] : []);
  }
});

test('a row that an order does not pay is a bug', async () => {
  const [first] = await firstAttempts(1);
  invariant(first, 'the sheet has rows');
  expect(() => otherOrders({ ...first, row: 99 }, batch)).toThrow(
    new InvariantError(`This must hold and does not: order ${first.state.id} pays row 99`),
  );
});

describe('what is kept of an order that was changed since', () => {
  const tampered = (first: FirstAttempt, from: string, to: string): FirstAttempt => ({
    ...first,
    origin: first.origin.replace(from, to),
  });

  test.each([
    ['the payee', '+254733000111', '+254733000112'],
    ['the amount', '"amount":700', '"amount":7000'],
    ['the route', 'route-wallet', 'route-other'],
    ['the note', 'salaries-2026-11', 'salaries-2026-12'],
    ['a name of ours', '"rowKey"', '"key"'],
    ['a bracket', '{', ''],
  ])('in %s makes no further attempt', async (_, from, to) => {
    const [first] = await firstAttempts(1);
    invariant(first, 'the sheet has rows');
    expect(() => otherOrders(tampered(first, from, to), batch)).toThrow(
      expect.objectContaining({
        code: 'ledger-unsafe',
        message: expect.stringContaining('No further attempt was made'),
      }),
    );
  });

  test.each([1, 3])(
    'into the key of a twin makes no further attempt, of orders of up to %i lines either',
    async (most) => {
      const [first, second] = (await firstAttempts(most)).filter(({ row }) => TWIN_ROWS.includes(row));
      invariant(first && second, 'the sheet has twins');
      const [own = '', others = ''] = [first, second].map(
        (one) => originLineOf(originOf(one, batch), one, one.row).rowKey as string,
      );
      expect(own).not.toBe(others);
      expect(() => otherOrders(tampered(first, own, others), batch)).toThrow(
        expect.objectContaining({ code: 'ledger-unsafe' }),
      );
    },
  );

  test('makes no further attempt at airtime, whose body has no trace number', async () => {
    const airtime = (await firstAttempts(1)).find(({ state }) => state.submission === 'airtime');
    const [first] = await firstAttempts(1);
    invariant(airtime && first, 'the sheet has airtime');
    const [own = '', others = ''] = [airtime, first].map(
      (one) => originLineOf(originOf(one, batch), one, one.row).rowKey as string,
    );
    expect(() => otherOrders(tampered(airtime, own, others), batch)).toThrow(
      expect.objectContaining({ code: 'ledger-unsafe' }),
    );
  });
});

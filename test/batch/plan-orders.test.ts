import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idsOfRows, type OrderPlan, planBlocks, planOrders } from '../../src/batch/plan-orders.ts';
import type { Payout, PlannedOrder, PlannedRow } from '../../src/domain/batch.ts';
import { type BatchId, namedBatchKey } from '../../src/domain/ids.ts';
import { decimalOf } from '../../src/domain/money.ts';
import type { Staging } from '../../src/domain/staging.ts';
import { submissionNames } from '../../src/domain/submission.ts';
import { kinds } from '../../src/kinds/index.ts';
import { paymentOrder } from '../../src/service/contract/payment-order.ts';
import { amountIn } from '../support/amounts.ts';
import { check } from '../support/sheets/checked-sheet.ts';
import type { CellChoice } from '../support/sheets/sheet-rows.ts';

const HEADINGS = ['Staff No', 'Name', 'Phone', 'Amount', 'Note'];
const jane = ['EMP-1', 'Jane Wanjiku', '0712345678', '15000'];
const ali = ['EMP-2', 'Ali Hassan', '0722345678', '8500.50', 'well done'];
const odd = ['EMP-3', 'Odd', '07', '1'];
const ann = ['', 'Ann Atieno', '0733000111', '700'];

const plan: OrderPlan = {
  namespace: 'acme',
  batchKey: namedBatchKey('salaries-2026-11'),
  linesPerOrder: 1,
  notes: 'Acme Ltd salaries-2026-11',
  routeOf: (kind) => ({ routeId: `route-${kind}`, channelType: 99, transactionTypeId: `type-${kind}` }),
  chargeOf: ({ amount }) => ({ ...amount, minor: amount.minor / 100n }),
  callbackUrl: 'https://pay.example/reports',
  billServiceOf: (named) => ({ serviceId: `id of ${named}`, routeId: 'route of bills' }),
};

function planned(staging: Staging, over: Partial<OrderPlan> = {}): { rows: PlannedRow[]; orders: PlannedOrder[] } {
  const blocks = [...planOrders(staging, { ...plan, ...over })];
  return { rows: blocks.flatMap(({ rows }) => rows), orders: blocks.flatMap(({ orders }) => orders) };
}

async function plannedFrom(rows: readonly (readonly CellChoice[])[], over: Partial<OrderPlan> = {}) {
  const { staging } = await check([HEADINGS, ...rows], { allowIdentical: 1 });
  return planned(staging, over);
}

const bodyOf = (order: PlannedOrder | undefined) => paymentOrder.parse(JSON.parse(order?.body ?? '{}'));

/** What is paid by which id: the same whatever row it stands in. */
const paidBy = ({ rows }: { rows: readonly PlannedRow[] }) =>
  rows
    .filter(({ payout }) => payout)
    .map(({ payout, order, trace }) => `${order} ${trace} ${payout?.payee} ${payout?.amount.minor}`)
    .sort();

describe('the orders of a batch', () => {
  test('pay each payable row by one line, and set the others aside with their issues', async () => {
    const { rows, orders } = await plannedFrom([jane, odd, ali, ann]);
    expect(rows.map(({ row, order, payout }) => [row, order !== undefined, payout?.name])).toEqual([
      [2, true, 'Jane Wanjiku'],
      [3, false, undefined],
      [4, true, 'Ali Hassan'],
      [5, true, 'Ann Atieno'],
    ]);
    expect(rows[1]).toEqual({
      row: 3,
      texts: [...odd, ''],
      issues: [expect.objectContaining({ code: 'PB-PHONE-LENGTH' })],
    });
    expect(rows[0]).toMatchObject({ charge: amountIn('150'), texts: [...jane, ''], issues: [] });
    expect(orders.map(({ id }) => id)).toEqual(rows.flatMap(({ order }) => order ?? []));
    expect(orders[1]?.lines).toEqual([{ trace: rows[2]?.trace, row: 4, amount: amountIn('8500.50') }]);
  });

  test('send exactly the body that the service documents, with its hash', async () => {
    const { orders, rows } = await plannedFrom([ali]);
    const [order] = orders;
    const trace = rows[0]?.trace;
    expect(JSON.parse(order?.body ?? '')).toEqual({
      originatorConversationId: order?.id,
      paymentNotes: 'well done',
      paymentOrderLines: [
        {
          recipient: {
            name: 'Ali Hassan',
            phoneNumber: '+254722345678',
            primaryAccountNumber: '+254722345678',
            mccmnc: '63902',
            ccy: 404,
            country: 'KE',
            purpose: 'Wages',
          },
          transaction: {
            routeId: `route-${rows[0]?.payout?.kind}`,
            channelType: 99,
            amount: 8500.5,
            reference: 'EMP-2',
            systemTraceAuditNumber: trace,
          },
        },
      ],
    });
    expect(order?.body).toBe(JSON.stringify(bodyOf(order)));
    expect(order?.attempt).toBe(1);
  });

  test('are the orders that this sheet has always had', async () => {
    const { orders, rows } = await plannedFrom([['', 'Jane Wanjiku', '0712345678', '15000']]);
    expect(orders[0]?.id).toBe('ddf9236e-30bc-8b64-87b5-b10ba2f00261');
    expect(rows[0]?.trace).toBe(bodyOf(orders[0]).paymentOrderLines[0]?.transaction.systemTraceAuditNumber);
  });

  test('of equal rows are those that this sheet has always had, whatever else the same people are paid', async () => {
    const to = (phone: string, amount: string) => ['', 'Jane Wanjiku', phone, amount];
    const [jane, ann] = ['0712345678', '0733000111'] as const;
    const people = [to(jane, '15000'), to(jane, '700'), to(ann, '700'), to(jane, '15000'), to(ann, '700')];
    const { orders } = await plannedFrom(people);
    expect(orders.map(({ id, lines: [line] }) => `${line?.row} ${line?.amount.minor} ${id}`)).toEqual([
      '2 1500000 ddf9236e-30bc-8b64-87b5-b10ba2f00261',
      '3 70000 2eb653f8-9c50-8190-bb04-b89e0b75cfec',
      '4 70000 fc765ddc-37fb-8133-b0ee-939e542f974e',
      '5 1500000 8f5a9b6d-f801-8c31-a636-3c3b38cc04b8',
      '6 70000 b6f9290f-5adf-8cd9-8f84-2b2dbb571d0f',
    ]);
  });

  test('carry a reference made from the trace number when the row has none', async () => {
    const { orders, rows } = await plannedFrom([ann]);
    const { reference } = bodyOf(orders[0]).paymentOrderLines[0]?.transaction ?? {};
    expect(reference).toHaveLength(13);
    expect(rows[0]?.trace?.startsWith(reference ?? '?')).toBe(true);
    expect(rows[0]?.payout).not.toHaveProperty('reference');
  });

  test('carry the note of the batch when the row has none, or when they pay several rows with other ones', async () => {
    const single = await plannedFrom([jane]);
    const several = await plannedFrom([jane, ali], { linesPerOrder: 2 });
    const unlike = await plannedFrom([[...jane, 'thanks'], ali], { linesPerOrder: 2 });
    for (const { orders } of [single, several, unlike]) expect(bodyOf(orders[0]).paymentNotes).toBe(plan.notes);
  });

  test('of several rows carry the note that all of them have', async () => {
    const { orders } = await plannedFrom([[...jane, 'well done'], ali, ann], { linesPerOrder: 2 });
    expect(orders.map((order) => bodyOf(order).paymentNotes)).toEqual(['well done', plan.notes]);
  });

  test('are asked for route and charge by the kind and the payout of each row', async () => {
    const samples = kinds.map((kind) => ({ type: kind.name, ...kind.examples.good[0]?.cells }));
    const ids = [...new Set(samples.flatMap((cells) => Object.keys(cells)))];
    const rows = samples.map((cells) => ids.map((id) => (cells as Record<string, string>)[id] ?? ''));
    const { staging, checked } = await check([ids, ...rows]);
    expect(checked).toMatchObject({ errors: 0, payable: kinds.length });
    const charged: Payout[] = [];
    const chargeOf = (payout: Payout) => {
      charged.push(payout);
      return payout.amount;
    };
    const { orders } = planned(staging, { chargeOf });
    const routed = orders.filter(({ submission }) => submission === 'payment-order');
    expect(routed.map((order) => bodyOf(order).paymentOrderLines[0]?.transaction.routeId)).toEqual(
      ['wallet', 'till', 'paybill', 'bank'].map((name) => `route-${name}`),
    );
    expect(charged.map(({ kind }) => kind)).toEqual(kinds.map(({ name }) => name));
    expect(new Set(orders.map(({ submission }) => submission))).toEqual(new Set(submissionNames));
  });
});

describe('what is not paid by payment orders', () => {
  const ALL = ['Ref', 'Type', 'Name', 'Phone', 'Bank code', 'Bank', 'Biller', 'Account', 'Amount', 'Purpose', 'Note'];
  const wallet = (at: number) => [`W-${at}`, 'wallet', 'Jane', `071200000${at}`, '', '', '', '', '10', '', ''];
  const airtime = ['A-1', 'airtime', 'Ali Hassan', '0722345678', '', '', '', '', '50.00', 'Field work', ''];
  const light = ['', 'bill', 'Main office', '', '', '', 'City Water', '0012-345', '2500', 'Water', 'October'];
  const bank = ['B-1', 'EFT', 'Otieno Ltd', '0733000111', 'PRACKENA', 'Practice Bank', '', '0012345', '45.50', '', ''];

  const plannedOf = async (rows: readonly (readonly string[])[], over: Partial<OrderPlan> = {}) => {
    const { staging, checked } = await check([ALL, ...rows]);
    expect(checked.errors).toBe(0);
    return planned(staging, over);
  };

  test('airtime is bought by one order for one phone, with a callback address and no trace number', async () => {
    const { orders, rows } = await plannedOf([airtime]);
    const [order] = orders;
    expect(order).toMatchObject({ submission: 'airtime', attempt: 1 });
    expect(JSON.parse(order?.body ?? '')).toEqual({
      originatorConversationId: order?.id,
      callbackURL: plan.callbackUrl,
      recipients: [{ currencyCode: 'KES', phoneNumber: '254722345678', amount: 50, name: 'Ali Hassan' }],
    });
    expect(order?.lines).toEqual([{ trace: rows[0]?.trace, row: 2, amount: amountIn('50') }]);
    expect(rows[0]?.trace).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a bill is paid by one order with the service that preflight settled, and the phone of the remitter', async () => {
    const { orders } = await plannedOf([light]);
    expect(orders[0]?.submission).toBe('bill-payment');
    expect(JSON.parse(orders[0]?.body ?? '')).toEqual({
      routeId: 'route of bills',
      serviceId: 'id of City Water',
      accountNumber: '0012-345',
      transactionType: 2,
      msisdn: '254700000000',
      transactionDesc: 'October',
      originatorConversationId: orders[0]?.id,
      amount: 2500,
      customerNames: 'Main office',
      countryCode: 'KE',
      currencyCode: 'KES',
      saveBillerNumber: false,
      callBackUrl: plan.callbackUrl,
      narration: 'October',
    });
  });

  test('the phone of a bill is that of its row if it has one, and its purpose stands for a missing note', async () => {
    const [ref, type, name] = light;
    const row = [ref ?? '', type ?? '', name ?? '', '0722345678', '', '', '4101', '7', '100', '', ''];
    const { orders } = await plannedOf([row]);
    expect(JSON.parse(orders[0]?.body ?? '')).toMatchObject({ msisdn: '254722345678', narration: 'Wages' });
  });

  test('a bank is told who pays, and which bank and account are meant', async () => {
    const { orders, rows } = await plannedOf([bank]);
    expect(bodyOf(orders[0]).paymentOrderLines[0]).toEqual({
      remitter: {
        name: 'Acme Ltd',
        phoneNumber: '+254700000000',
        country: 'KE',
        ccy: 404,
        sourceOfFunds: 'Business',
        principalActivity: 'Trading',
      },
      recipient: {
        name: 'Otieno Ltd',
        phoneNumber: '+254733000111',
        mccmnc: '63903',
        financialInstitution: 'Practice Bank',
        institutionIdentifier: 'PRACKENA',
        primaryAccountNumber: '0012345',
        ccy: 404,
        country: 'KE',
        purpose: 'Wages',
      },
      transaction: {
        routeId: 'route-bank',
        channelType: 99,
        amount: 45.5,
        reference: 'B-1',
        systemTraceAuditNumber: rows[0]?.trace,
      },
    });
  });

  test('has orders of its own that leave a payment order around it open', async () => {
    const mixed = [wallet(1), airtime, wallet(2), light, bank, wallet(3)];
    const { rows, orders } = await plannedOf(mixed, { linesPerOrder: 3 });
    expect(orders.map(({ submission, lines }) => [submission, lines.map(({ row }) => row)])).toEqual([
      ['payment-order', [2, 4, 6]],
      ['airtime', [3]],
      ['bill-payment', [5]],
      ['payment-order', [7]],
    ]);
    expect(rows.map(({ row }) => row)).toEqual([2, 3, 4, 5, 6, 7]);
    for (const { row, order, trace } of rows) {
      const owner = orders.find(({ lines }) => lines.some((line) => line.row === row && line.trace === trace));
      expect(order).toBe(owner?.id);
    }
    const alone = await plannedOf([wallet(1), wallet(2), bank, wallet(3)], { linesPerOrder: 3 });
    expect(alone.orders.map(({ id }) => id)).toEqual(
      orders.filter(({ submission }) => submission === 'payment-order').map(({ id }) => id),
    );
  });

  test('is never planned without what preflight has to settle for it', async () => {
    const { staging } = await check([ALL, airtime, light]);
    const { callbackUrl, billServiceOf, ...bare } = plan;
    expect(callbackUrl).toBeDefined();
    expect(() => [...planOrders(staging, bare)]).toThrow('callback address');
    expect(() => [...planOrders(staging, { ...bare, callbackUrl: 'https://pay.example' })]).toThrow('every bill');
    expect(billServiceOf).toBeDefined();
  });
});

describe('the ids of orders and lines', () => {
  const rows = [jane, ali, ann, odd, ['', 'A. Atieno', '0733000111', '700'], ['EMP-9', 'Joy', '0799000111', '1']];

  test('stay with their payments when the sheet is sorted, and rows come and go that cannot be paid', async () => {
    const before = paidBy(await plannedFrom(rows));
    expect(before).toHaveLength(5);
    expect(paidBy(await plannedFrom(rows.toReversed()))).toEqual(before);
    expect(paidBy(await plannedFrom(rows.filter((row) => row !== odd)))).toEqual(before);
  });

  test('stay whatever is said besides payee, amount and reference', async () => {
    const renamed = rows.map(([reference = '', name = '', ...rest]) => [reference, `${name} x`, ...rest]);
    expect(paidBy(await plannedFrom(renamed))).toEqual(paidBy(await plannedFrom(rows)));
    const other = { notes: 'other', routeOf: () => ({ routeId: 'r', channelType: 1, transactionTypeId: 't' }) };
    expect(paidBy(await plannedFrom(rows, other))).toEqual(paidBy(await plannedFrom(rows)));
  });

  test('are others in another batch and for another account', async () => {
    const all = await Promise.all([
      plannedFrom(rows),
      plannedFrom(rows, { batchKey: namedBatchKey('salaries-2026-12') }),
      plannedFrom(rows, { namespace: 'other' }),
    ]);
    const ids = all.flatMap(({ orders, rows: own }) => [
      ...orders.map(({ id }) => id),
      ...own.flatMap(({ trace }) => trace ?? []),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(30);
  });

  test('differ for two payments that are the same', async () => {
    const { orders, rows: own } = await plannedFrom([ann, ann]);
    expect(orders).toHaveLength(2);
    expect(orders[0]?.id).not.toBe(orders[1]?.id);
    expect(own[0]?.trace).not.toBe(own[1]?.trace);
  });

  test('of the first of several same payments are those it has alone', async () => {
    const alone = paidBy(await plannedFrom([ann]));
    expect(paidBy(await plannedFrom([jane, ann, ann]))).toContain(alone[0]);
  });

  test('of a row without a reference depend on no row that has one, wherever it stands and whatever else is paid', async () => {
    const [ofAnn] = paidBy(await plannedFrom([ann]));
    const withReference = ['EMP-7', 'Ann Atieno', '0733000111', '700'];
    const twice = ['', 'Joy', '0799000111', '1'];
    for (const others of [[], [twice, twice]]) {
      expect(paidBy(await plannedFrom([withReference, ann, ...others]))).toContain(ofAnn);
      expect(paidBy(await plannedFrom([ann, withReference, ...others]))).toContain(ofAnn);
    }
  });

  test('collide with themselves when a named batch is run again with another amount for one reference', async () => {
    const [first] = (await plannedFrom([jane])).orders;
    const [second] = (await plannedFrom([['EMP-1', 'Jane Wanjiku', '0712345678', '16000']])).orders;
    expect(second?.id).toBe(first?.id);
    expect(second?.body).not.toBe(first?.body);
  });
});

describe('orders of several lines', () => {
  const many = Array.from({ length: 103 }, (_, at) => [
    `E-${at}`,
    `Person ${at}`,
    at % 10 === 3 ? '07' : `07${12_000_000 + at}`,
    `${at + 1}.25`,
  ]);

  test.each([
    [1, 93],
    [2, 47],
    [50, 2],
    [1000, 1],
  ])('of at most %i lines are %i, and pay every row once in sheet order', async (linesPerOrder, count) => {
    const { rows, orders } = await plannedFrom(many, { linesPerOrder });
    expect(orders).toHaveLength(count);
    expect(rows.map(({ row }) => row)).toEqual(many.map((_, at) => at + 2));
    const lines = orders.flatMap((order) => order.lines.map((line) => ({ ...line, order: order.id })));
    const payable = rows.filter(({ payout }) => payout);
    expect(lines).toEqual(
      payable.map(({ row, trace, payout, order }) => ({ row, trace, amount: payout?.amount, order })),
    );
    for (const order of orders) {
      const body = bodyOf(order);
      expect(order.lines.length).toBeLessThanOrEqual(linesPerOrder);
      expect(body.originatorConversationId).toBe(order.id);
      expect(body.paymentOrderLines.map(({ transaction }) => transaction.systemTraceAuditNumber)).toEqual(
        order.lines.map(({ trace }) => trace),
      );
      expect(body.paymentOrderLines.map(({ transaction }) => transaction.amount)).toEqual(
        order.lines.map(({ amount }) => Number(decimalOf(amount))),
      );
    }
  });

  test('leave every line the trace number that it has alone', async () => {
    const traces = ({ rows }: { rows: readonly PlannedRow[] }) => rows.map(({ trace }) => trace);
    expect(traces(await plannedFrom(many, { linesPerOrder: 50 }))).toEqual(traces(await plannedFrom(many)));
  });

  /** By the trace number of their first line, which follows from that row alone. */
  const idsByFirstLine = ({ orders }: { orders: readonly PlannedOrder[] }) =>
    new Map(orders.map(({ id, lines: [line] }) => [line?.trace, id]));

  test.each<[string, readonly (readonly CellChoice[])[], number]>([
    ['in orders of another size', many, 3],
    ['in a sheet that is sorted otherwise', many.toReversed(), 7],
    ['beside one row more', [jane, ...many], 7],
    ['beside one row less', many.slice(1), 7],
  ])('have the id of their first row, %s as well', async (_, rows, linesPerOrder) => {
    const alone = idsByFirstLine(await plannedFrom([jane, ...many]));
    const several = idsByFirstLine(await plannedFrom(rows, { linesPerOrder }));
    expect(several.size).toBeGreaterThan(10);
    expect([...several].filter(([trace, id]) => alone.get(trace) !== id)).toEqual([]);
  });

  test('do not mix the blocks in which rows are staged, and lose none between them', async () => {
    const rows = Array.from({ length: 1203 }, (_, at) => [`E-${at}`, 'P', `07${12_000_000 + at}`, '1']);
    const { rows: own, orders } = await plannedFrom(rows, { linesPerOrder: 7 });
    expect(own.map(({ row }) => row)).toEqual(rows.map((_, at) => at + 2));
    expect(orders.reduce((sum, { lines }) => sum + lines.length, 0)).toBe(1203);
    expect(new Set(orders.map(({ id }) => id)).size).toBe(orders.length);
  });
});

describe('a batch', () => {
  test('is planned in the name of its organisation, with the lines that an order may have', async () => {
    const { staging } = await check([HEADINGS, jane, ali, ann]);
    const { namespace, batchKey, notes: _, linesPerOrder: __, ...terms } = plan;
    const sending = { concurrency: 1, ratePerSecond: 0, linesPerOrder: 2, requestTimeoutMs: 1 };
    const batch = { batch: 'salaries-2026-11' as BatchId, key: batchKey, staging };
    const blocks = planBlocks(batch, terms, { organisation: 'Acme Ltd', idNamespace: namespace, sending });
    expect([...blocks]).toEqual([...planOrders(staging, { ...plan, linesPerOrder: 2 })]);
  });

  test('whose ledger was lost is looked for by an id for each row, as if each had an order of its own', async () => {
    const { staging } = await check([HEADINGS, jane, odd, ann, ali, ann], { allowIdentical: 1 });
    const alone = planned(staging).orders.map(({ id }) => id);
    expect(alone).toHaveLength(4);
    expect([...idsOfRows(staging, plan)]).toEqual(alone);
  });

  test('records the note that an order falls back on, and not the note of its only row', async () => {
    const { orders } = await plannedFrom([ali]);
    expect(JSON.parse(orders[0]?.origin ?? '{}')).toMatchObject({ notes: plan.notes });
  });

  test('keeps why a row was left out', async () => {
    const { staging } = await check([
      [...HEADINGS, 'Hold'],
      [...jane, '', 'on leave'],
      [...ali, ''],
    ]);
    const { rows } = planned(staging);
    expect(rows[0]).toMatchObject({ row: 2, leftOut: { reason: 'on leave', amount: amountIn('15000') } });
    expect(rows[1]).not.toHaveProperty('leftOut');
  });
});

describe('any batch', () => {
  test('pays each payable row once, under ids of its own, and nothing else', async () => {
    const row = fc.tuple(
      fc.constantFrom('', '', 'EMP-'),
      fc.constantFrom('Jane', 'Ali'),
      fc.constantFrom('0712345678', '0722345678', '07'),
      fc.constantFrom('500', '500.01', '0'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 5 }),
        async (some, linesPerOrder) => {
          const rows = some.map(([prefix, ...rest], at) => [prefix && prefix + at, ...rest]);
          const { staging, checked } = await check([HEADINGS, ...rows], { allowIdentical: 99 });
          const { rows: own, orders } = planned(staging, { linesPerOrder });
          const lines = orders.flatMap((order) => order.lines);
          expect(own).toHaveLength(checked.rows);
          expect(lines).toHaveLength(checked.payable);
          expect(lines.reduce((sum, { amount }) => sum + amount.minor, 0n)).toBe(checked.total.minor);
          expect(new Set(lines.map(({ trace }) => trace)).size).toBe(lines.length);
          expect(new Set(orders.map(({ id }) => id)).size).toBe(orders.length);
          expect(new Set(lines.map((line) => line.row)).size).toBe(lines.length);
        },
      ),
      { numRuns: 100 },
    );
  });
});

/** Whatever is asked, in whatever order, across restarts: the books tie out, and the journal tells the same story. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Books } from '../../src/sandbox/sandbox.ts';
import { lasting, orderBody, type Practice, practise, TestClock, temporaryFolder } from './practice.ts';
import {
  AIRTIME,
  airtimeBody,
  BILLS,
  billBody,
  CHECKOUTS,
  checkoutBody,
  DEPOSITS,
  depositBody,
  PERSONS,
  personBody,
} from './requests.ts';

/** Endings that answer every time: no connection is broken. */
const endings = ['0777', '0001', '0002', '0003', '0004', '0007', '0008', '0009'];

const MIXED = 'duplicates=execute,checkout-wait=0.5,mixed';

const step = fc.record({
  kind: fc.constantFrom('order', 'phone', 'bills', 'deposit', 'checkout', 'person', 'reject', 'cancel', 'fund'),
  id: fc.integer({ min: 0, max: 5 }).map(String),
  ending: fc.constantFrom(...endings),
  amount: fc.integer({ min: 50, max: 400 }),
  waitMs: fc.constantFrom(0, 0, 100, 400, 130_000),
  restarts: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const ways: Readonly<Record<Step['kind'], (practice: Practice, step: Step) => Promise<unknown>>> = {
  order: (practice, { id, ending, amount }) =>
    practice.post(orderBody(id, { amount, payee: `+25471200${ending}` }, { amount })),
  phone: (practice, { id, ending, amount }) =>
    practice.submit(
      AIRTIME,
      airtimeBody(id, [
        [`25471200${ending}`, amount],
        ['254712000777', amount],
      ]),
    ),
  bills: (practice, { id, ending, amount }) =>
    practice.submit(BILLS, billBody(id, { amount, accountNumber: `3700${ending}` })),
  deposit: (practice, { id, ending, amount }) =>
    practice.submit(DEPOSITS, depositBody(id, { Amount: `${amount}.25`, PhoneNumber: `25471200${ending}` })),
  checkout: (practice, { id }) => practice.submit(CHECKOUTS, checkoutBody(id)),
  person: (practice, { id, ending }) =>
    practice.submit(PERSONS, personBody(`${id}-0`, { kycRequestNationalID: ending })),
  reject: (practice, { id }) => practice.reject(id),
  cancel: (practice, { id }) => practice.send(`/__sandbox/checkouts/${id}/cancel`, { method: 'POST' }),
  fund: (practice, { amount }) => practice.play(`${MIXED},balance=${amount}`),
};

const cents = (amount: string | null | undefined): number => Math.round(Number(amount ?? 0) * 100);

function expectTiedOut(books: Books): void {
  const of = (name: 'opening' | 'received' | 'paid' | 'fees' | 'balance'): number => cents(books[name]['KES']);
  expect(of('opening') + of('received') - of('paid') - of('fees')).toBe(of('balance'));
  expect(of('balance')).toBeGreaterThanOrEqual(0);

  const { 'create-checkout': checkouts = [], 'request-deposit': deposits = [] } = books.register;
  const { 'buy-airtime': airtime = [], 'pay-bill': bills = [] } = books.register;
  const done = <Item extends { readonly status: number }>(items: readonly Item[]): readonly Item[] =>
    items.filter(({ status }) => status === 4);
  const incoming = done([...checkouts, ...deposits].flatMap(({ parts }) => parts));
  const outgoing = [
    ...done(books.orders.flatMap(({ lines }) => lines)),
    ...done([...airtime, ...bills].flatMap(({ parts }) => parts)),
  ];
  const sum = (items: readonly { readonly amount: string | null }[]): number =>
    items.reduce((total, { amount }) => total + cents(amount), 0);
  expect(sum(incoming)).toBe(of('received'));
  expect(sum(outgoing)).toBe(of('paid'));
  expect(outgoing.reduce((total, { fee }) => total + cents(fee), 0)).toBe(of('fees'));
  const receipts = [...incoming, ...outgoing].map(({ receipt }) => receipt);
  expect(receipts).not.toContain(null);
  expect(new Set(receipts).size).toBe(receipts.length);
}

describe('the books of the whole service', () => {
  test('tie out after any steps, and after a restart at any of them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const own = { folder: await temporaryFolder(), clock: new TestClock(), openingBalances: { KES: '2000.00' } };
        let practice = await practise({ ...own, scenario: MIXED });
        for (const one of steps) {
          await ways[one.kind](practice, one);
          practice.clock.pass(one.waitMs);
          expectTiedOut(practice.sandbox.books());
          if (!one.restarts) continue;
          // The balance that a scenario set ends with the scenario, so a restart does not keep it.
          await practice.play(MIXED);
          const before = practice.sandbox.books();
          await practice.sandbox.close();
          practice = await practise({ ...own, scenario: MIXED });
          expect(lasting(practice.sandbox.books())).toEqual(lasting(before));
        }
        await practice.sandbox.close();
      }),
      { numRuns: 25 },
    );
  });
});

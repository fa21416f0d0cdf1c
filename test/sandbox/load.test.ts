/** The judge of the campaign `sandbox-load`: books that are wrong by a cent must not pass. */
import { describe, expect, test } from 'vitest';
import type { Books } from '../../src/sandbox/sandbox.ts';
import { type Accepted, violationsIn } from '../support/load/load-verdict.ts';

const accepted: Accepted = {
  'submit-order': new Map([
    ['a', [{ trace: 'a.0', payee: '+254711', currency: 'KES', minor: 1_050n, transactionTypeId: 't', status: 4 }]],
    ['b', [{ trace: 'b.0', payee: '+254712', currency: 'KES', minor: 300n, transactionTypeId: 't', status: 7 }]],
  ]),
  'buy-airtime': new Map(),
  'pay-bill': new Map(),
  'request-deposit': new Map([['c', [{ trace: '', payee: '+254713', currency: 'KES', minor: 205n, status: 4 }]]]),
};

const line = { currency: 'KES', institution: null, statusText: '', resultCode: null };
const done = { ...line, trace: 'a.0', payee: '+254711', amount: '10.50', status: 4, receipt: 'R1', fee: '0.05' };
const rejected = { ...line, trace: 'b.0', payee: '+254712', amount: '3.00', status: 7, receipt: null, fee: '0.00' };
const deposit = { ...line, payee: '+254713', amount: '2.05', status: 4, receipt: 'R2', fee: '0.00' };

const books: Books = {
  opening: { KES: '100.00' },
  received: { KES: '2.05' },
  paid: { KES: '10.50' },
  fees: { KES: '0.05' },
  balance: { KES: '91.50' },
  orders: [
    { id: 'a', posts: 1, lines: [done] },
    { id: 'b', posts: 1, lines: [rejected] },
  ],
  register: { 'request-deposit': [{ id: 'c', systemConversationId: 'x', posts: 1, parts: [deposit] }] },
  callbacks: { sent: 0, acknowledged: 0, retried: 0, givenUp: 0, notSent: 0 },
  repeats: { refused: 0, replayed: 0, 'accepted-as-9': 0 },
  requests: {},
  tokenRequests: 0,
  faults: {},
};

const chargeOf = (): bigint => 5n;

describe('the judge of a load', () => {
  test('has nothing to say against right books', () => {
    expect(violationsIn(books, accepted, chargeOf)).toEqual([]);
  });

  test.each<[string, Partial<Books>]>([
    ['a request is lost', { orders: books.orders.slice(0, 1) }],
    ['a request is there twice', { orders: [...books.orders, ...books.orders.slice(0, 1)] }],
    ['a deposit is lost', { register: {} }],
    ['a request is unknown', { orders: [...books.orders, { id: 'z', posts: 1, lines: [] }] }],
    ['a cent too much was paid', { paid: { KES: '10.51' } }],
    ['a cent is missing from the balance', { balance: { KES: '91.49' } }],
    ['fees are wrong', { fees: { KES: '0.06' } }],
    ['what came in is wrong', { received: { KES: '2.06' } }],
    ['somebody else was paid', { orders: [{ id: 'a', posts: 1, lines: [{ ...done, payee: '+254799' }] }, rest()] }],
    ['another amount was paid', { orders: [{ id: 'a', posts: 1, lines: [{ ...done, amount: '10.49' }] }, rest()] }],
    ['another fee was charged', { orders: [{ id: 'a', posts: 1, lines: [{ ...done, fee: '0.04' }] }, rest()] }],
    ['it ended otherwise', { orders: [{ id: 'a', posts: 1, lines: [{ ...done, status: 5 }] }, rest()] }],
    ['a line was paid twice', { orders: [{ id: 'a', posts: 1, lines: [done, done] }, rest()] }],
  ])('speaks up when %s', (_, change) => {
    expect(violationsIn({ ...books, ...change }, accepted, chargeOf)).not.toEqual([]);
  });
});

function rest(): Books['orders'][number] {
  return { id: 'b', posts: 1, lines: [rejected] };
}

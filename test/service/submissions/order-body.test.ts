/** What the ways of submitting say of themselves, and that an order is written in one of them. */
import { describe, expect, test } from 'vitest';
import type { OrderId, TraceNumber } from '../../../src/domain/ids.ts';
import { submissionNames } from '../../../src/domain/submission.ts';
import { type SettledDraft, submissions } from '../../../src/service/submissions/index.ts';
import { renderBody } from '../../../src/service/submissions/order-body.ts';
import type { Submission } from '../../../src/service/submissions/submission.ts';

const ID = '0b5c3ba0-0000-8000-8000-0000000000aa' as OrderId;
const TRACES = ['trace-1', 'trace-2'] as TraceNumber[];
const CALLBACK = 'https://callbacks.example.test/all';

const airtime: SettledDraft = {
  submission: 'airtime',
  recipient: { currencyCode: 'KES', phoneNumber: '254712000777', amount: 100, name: 'Amina' },
};
const line: SettledDraft = {
  submission: 'payment-order',
  line: {
    recipient: { name: 'Amina', primaryAccountNumber: '254712000777', ccy: 404, purpose: 'Salary' },
    transaction: { amount: 100 },
  },
  route: { routeId: 'r', channelType: 1 },
};
const bodyOf = (drafts: readonly SettledDraft[], traces = TRACES) =>
  renderBody(ID, traces, { notes: 'November', callbackUrl: CALLBACK, lines: drafts.map((draft) => ({ draft })) });

describe('the ways of submitting', () => {
  // biome-ignore lint/suspicious/noExplicitAny: each way has drafts of its own
  const which = (says: (way: Submission<any, any, any>) => unknown) =>
    submissionNames.filter((name) => Boolean(says(submissions[name])));

  test('take the last word from a callback for airtime alone, which has no documented look-up', () => {
    expect(which(({ factsOfCallback }) => factsOfCallback)).toEqual(['airtime']);
  });

  test('pay several rows by payment orders alone, which are the ones that can be stopped', () => {
    expect(which(({ hasSeveralLines }) => hasSeveralLines)).toEqual(['payment-order']);
    expect(which(({ stop }) => stop)).toEqual(['payment-order']);
  });

  test('name a callback address in all other bodies', () => {
    expect(which(({ namesCallback }) => namesCallback)).toEqual(['airtime', 'bill-payment']);
    expect(bodyOf([airtime]).body).toContain(CALLBACK);
    expect(bodyOf([line]).body).not.toContain(CALLBACK);
  });

  test('submit with an operation that is never repeated by itself', () => {
    expect(which(({ operation }) => operation.repeatable)).toEqual([]);
  });
});

describe('an order', () => {
  test.each<[string, readonly SettledDraft[], string]>([
    ['of nobody', [], 'at least one row'],
    ['of airtime for two', [airtime, airtime], 'an order of airtime has one line'],
    ['of airtime beside a payment', [airtime, line], 'an order of airtime has one line'],
    ['of a payment beside airtime', [line, airtime], 'submitted in one way'],
  ])('%s is not written', (_, drafts, why) => {
    expect(() => bodyOf(drafts)).toThrow(why);
  });

  test('of more lines than trace numbers is not written', () => {
    expect(() => bodyOf([line, line], TRACES.slice(1))).toThrow('every line has a trace number');
  });
});

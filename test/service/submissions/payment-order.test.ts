/** What a status record is believed, and what of it is an alarm. */
import { describe, expect, test } from 'vitest';
import type { Fact } from '../../../src/domain/fact.ts';
import type { OrderId, TraceNumber } from '../../../src/domain/ids.ts';
import { advance, type OrderState, outcomeOfLine } from '../../../src/domain/order.ts';
import { type PaymentOrder, statusRecord } from '../../../src/service/contract/payment-order.ts';
import { factsOfRecord } from '../../../src/service/submissions/payment-order.ts';
import { paidRecordOf } from '../../dispatch/hand-made-service.ts';
import { kes } from '../../support/amounts.ts';

const ID = '0b5c3ba0-0000-8000-8000-0000000000aa' as OrderId;
const traces = ['trace-1', 'trace-2'] as TraceNumber[];
const order: PaymentOrder = {
  originatorConversationId: ID,
  paymentNotes: 'November',
  paymentOrderLines: traces.map((trace, index) => ({
    recipient: {
      name: 'Amina',
      primaryAccountNumber: `+25471200000${index}`,
      institutionIdentifier: '400200',
      ccy: 404,
      purpose: 'Salary',
    },
    transaction: {
      routeId: 'r',
      channelType: 1,
      amount: 1500.5 + index,
      reference: 'R',
      systemTraceAuditNumber: trace,
    },
  })),
};
const BODY = JSON.stringify(order);

const before: OrderState = [
  {
    type: 'order-planned',
    order: ID,
    at: 1,
    submission: 'payment-order',
    attempt: 1,
    lines: traces.map((trace, index) => ({ trace, row: index + 2, amount: kes(150_050n + 100n * BigInt(index)) })),
  } as const,
  { type: 'order-claimed', order: ID, at: 2, epoch: 1 } as const,
  { type: 'order-answered', order: ID, at: 3, tag: 'ambiguous', reason: '' } as const,
].reduce<OrderState | undefined>(advance, undefined) as OrderState; // three facts make a state

type Line = { recipient: Record<string, unknown>; transaction: Record<string, unknown>; transactionOutcome: unknown };
type Record_ = { originatorConversationId: string; orderLines: Line[]; isProcessed?: boolean };

/** What the service's record, changed by a test, makes of the order. */
function seen(change: Change, from = before) {
  const whole = structuredClone(paidRecordOf(order)) as unknown as Record_;
  const [first] = whole.orderLines;
  if (first) change(whole, first);
  const facts = factsOfRecord(from, BODY, statusRecord.parse(whole), 9);
  const state = facts.reduce<OrderState>(advance, from);
  return { facts, state, outcomes: state.lines.map((one) => outcomeOfLine(state, one)), alarms: state.alarms };
}

const outcome = (changes: object) => (_record: Record_, first: Line) => {
  Object.assign(first.transactionOutcome as object, changes);
};

/** What the record of a payment looks like that was not made. */
const UNPAID = { transactionStatusDescription: 'Rejected', paymentAmount: 0, thirdPartyPayload: null };

type Change = (whole: Record_, first: Line) => void;

/** Changes of the first line, and of the record. */
const line =
  (changes: Partial<Record<keyof Line, unknown>>): Change =>
  (_record, first) =>
    void Object.assign(first, changes);
const recipient =
  (changes: object): Change =>
  (_record, first) =>
    void Object.assign(first.recipient, changes);
const transaction =
  (changes: object): Change =>
  (_record, first) =>
    void Object.assign(first.transaction, changes);
const record =
  (changes: Partial<Record_>): Change =>
  (whole) =>
    void Object.assign(whole, changes);

describe('a record that agrees with what was sent', () => {
  test('completes its lines', () => {
    expect(seen(() => undefined)).toMatchObject({ outcomes: ['completed', 'completed'], alarms: [] });
  });

  test.each<readonly [string, Change]>([
    ['the id in capitals', record({ originatorConversationId: ID.toUpperCase() })],
    ['the trace number in capitals', transaction({ systemTraceAuditNumber: 'TRACE-1' })],
    ['the amount as text', transaction({ amount: '1500.50' })],
    ['no amount beside the one that was paid', transaction({ amount: undefined })],
    ['the phone without plus and with spaces', recipient({ primaryAccountNumber: '254 712 000 000' })],
    ['no recipient', line({ recipient: null })],
    ['the currency as text', recipient({ ccy: '404' })],
    ['the result code as a number', outcome({ resultCode: 0 })],
    ['the paid amount as text', outcome({ paymentAmount: '1500.50' })],
    ['no result code', outcome({ resultCode: null })],
    [
      'the amounts as they were computed in floating point',
      (record, first) => {
        transaction({ amount: 1500.5000000000002 })(record, first);
        outcome({ paymentAmount: 1500.4999999999998, feeAmount: 33.00000000000001 })(record, first);
      },
    ],
  ])('may hold %s', (_name, change) => {
    expect(seen(change)).toMatchObject({ outcomes: ['completed', 'completed'], alarms: [] });
  });
});

describe('a record without one of the lines', () => {
  const withoutFirst: Change = (whole) => void whole.orderLines.shift();
  const unprocessed = record({ isProcessed: false });
  const lackingIn = ({ lines }: OrderState) => lines.map(({ lacking }) => lacking === true);

  test('tells that a processed order lacks it, which leaves it open, until a record has it', () => {
    const { state, outcomes, alarms } = seen(withoutFirst);
    expect([lackingIn(state), outcomes, alarms]).toEqual([[true, false], ['pending', 'completed'], []]);
    const after = seen(() => undefined, state);
    expect([lackingIn(after.state), after.outcomes]).toEqual([
      [false, false],
      ['completed', 'completed'],
    ]);
  });

  test('tells nothing while the order is not processed, or where it has none of them', () => {
    const none: Change = (whole) => void whole.orderLines.splice(0);
    const early: Change = (whole, first) => [unprocessed, withoutFirst].forEach((change) => void change(whole, first));
    expect([lackingIn(seen(early).state), lackingIn(seen(none).state)]).toEqual([
      [false, false],
      [false, false],
    ]);
  });
});

describe('a record that contradicts what was sent', () => {
  test('of another order is an alarm, and nothing of it is believed', () => {
    const { facts, outcomes } = seen(record({ originatorConversationId: 'other' }));
    expect(facts.map(({ type }) => type)).toEqual(['order-alarmed']);
    expect(outcomes).toEqual(['in-doubt', 'in-doubt']);
  });

  test.each<readonly [string, Change, string]>([
    ['another amount', transaction({ amount: 1500 }), 'in-doubt'],
    ['an amount that is none', transaction({ amount: 'much' }), 'in-doubt'],
    ['an amount with too many decimals', transaction({ amount: 1500.501 }), 'in-doubt'],
    ['another phone', recipient({ primaryAccountNumber: '+254712999999' }), 'in-doubt'],
    ['another till', recipient({ institutionIdentifier: '400201' }), 'in-doubt'],
    ['another currency', recipient({ ccy: 800 }), 'in-doubt'],
    ['a trace number nobody sent', transaction({ systemTraceAuditNumber: 'x' }), 'in-doubt'],
    ['no trace number', transaction({ systemTraceAuditNumber: null }), 'in-doubt'],
    ['nothing paid', outcome({ paymentAmount: 0 }), 'in-doubt'],
    ['no word on what was paid', outcome({ paymentAmount: null }), 'in-doubt'],
    ['a little less paid', outcome({ paymentAmount: 1500.49 }), 'in-doubt'],
    ['completed with a code of failure', outcome({ resultCode: 6 }), 'in-doubt'],
  ])('by %s is an alarm, and the line is not believed', (_name, change, first) => {
    const { outcomes, alarms } = seen(change);
    expect(alarms).toHaveLength(1);
    expect(outcomes).toEqual([first, 'completed']);
  });

  test.each([-1, 1500.51, 1e300, '1e999'])('by having paid %s of what is still open is an alarm', (paymentAmount) => {
    const { alarms, outcomes } = seen(outcome({ ...UNPAID, transactionStatus: 0, paymentAmount }));
    expect(alarms).toEqual([`row 2: the service says that it paid ${paymentAmount}`]);
    expect(outcomes).toEqual(['in-doubt', 'completed']);
  });

  test('is not one that has paid the whole amount of what is still open, off by what computing leaves', () => {
    const paid = { ...UNPAID, transactionStatus: 0, paymentAmount: 1500.5000000000002 };
    expect(seen(outcome(paid))).toMatchObject({ alarms: [], outcomes: ['pending', 'completed'] });
  });

  test('by one line more is an alarm, and the others are believed', () => {
    const { outcomes, alarms } = seen((record, first) => {
      const stranger = structuredClone(first);
      stranger.transaction['systemTraceAuditNumber'] = 'stranger';
      record.orderLines.push(stranger);
    });
    expect(alarms).toEqual([expect.stringContaining('stranger')]);
    expect(outcomes).toEqual(['completed', 'completed']);
  });

  test('by a line that comes twice is an alarm: the payment may have been made twice', () => {
    const { outcomes, alarms } = seen((record, first) => void record.orderLines.push(structuredClone(first)));
    expect(alarms).toEqual([expect.stringContaining('twice')]);
    expect(outcomes).toEqual(['completed', 'completed']);
  });

  test('by a line that comes twice keeps what the service says of each', () => {
    const twice =
      (text: string): Change =>
      (record, first) => {
        const again = structuredClone(first);
        Object.assign(again.transactionOutcome as object, { transactionStatusDescription: text });
        record.orderLines.push(again);
      };
    const before = seen(twice('Pending')).state;
    const { state } = seen(twice('Completed'), before);
    const said = ({ lines }: OrderState) =>
      lines.map(({ repeats = [] }) => repeats.map(({ statusText }) => statusText));
    expect(said(before)).toEqual([['Pending'], []]);
    expect(said(state)).toEqual([['Completed'], []]);
    expect(said(seen(() => undefined, state).state)).toEqual([['Completed'], []]);
    expect(state.alarms).toHaveLength(1);
  });

  test('in the same way as before is not recorded again', () => {
    const wrong = transaction({ amount: 1 });
    const first = seen(wrong);
    const again = seen(wrong, first.state);
    expect(first.facts.map(({ type }) => type)).toEqual(['order-observed', 'order-alarmed']);
    expect(again.facts.map(({ type }) => type)).toEqual(['order-observed']);
  });
});

describe('a record without a final word', () => {
  test.each<readonly [string, Change]>([
    ['a line is missing', (whole) => void whole.orderLines.shift()],
    ['a line has no outcome', line({ transactionOutcome: null })],
    ['the status is pending', outcome({ transactionStatus: 0, resultCode: null })],
    ['the status is one nobody documented', outcome({ transactionStatus: 6, resultCode: null })],
    ['an unknown status says Completed in words', outcome({ transactionStatus: 99, resultCode: null })],
    ['the failure leaves the end open', outcome({ transactionStatus: 5, resultCode: '9' })],
    ['the failure has a code nobody documented', outcome({ transactionStatus: 5, resultCode: '4711' })],
  ])('leaves the row pending when %s', (_name, change) => {
    expect(seen(change)).toMatchObject({ outcomes: ['pending', 'completed'], alarms: [] });
  });

  test('leaves every row pending when it has no lines', () => {
    const { outcomes, state } = seen(record({ orderLines: [] }));
    expect(outcomes).toEqual(['pending', 'pending']);
    expect(state.phase).toBe('accepted');
  });
});

test('the words of a record are kept without what nobody sees', () => {
  const { facts } = seen((whole, first) => {
    Object.assign(whole, { conversationId: 's\u001b-1' });
    outcome({
      transactionStatusDescription: 'Com\u202epleted',
      thirdPartyPayload: { thirdPartyReceiptNumber: 'SK\u001b[2K7' },
    })(whole, first);
  });
  expect(facts[0]).toMatchObject({
    serviceId: 's<U+001B>-1',
    lines: [{ statusText: 'Com<U+202E>pleted', receipt: 'SK<U+001B>[2K7' }, {}],
  });
});

describe('a record with another end', () => {
  test.each([
    ['rejected', 7, '18', 'rejected'],
    ['timed out', 8, '-1', 'timed-out'],
    ['failed for good', 5, 6, 'failed'],
  ] as const)('%s', (_name, transactionStatus, resultCode, expected) => {
    const { outcomes } = seen(outcome({ transactionStatus, resultCode, ...UNPAID }));
    expect(outcomes).toEqual([expected, 'completed']);
  });

  test('after it said completed is an alarm, and completed stays', () => {
    const completed = seen(() => undefined).state;
    const { outcomes, alarms } = seen(outcome({ transactionStatus: 7, ...UNPAID }), completed);
    expect(outcomes).toEqual(['completed', 'completed']);
    expect(alarms).toHaveLength(1);
  });
});

test('the texts of the service are kept to a bounded length', () => {
  const { facts } = seen(outcome({ resultCodeDescription: 'x'.repeat(10_000) }));
  const [observed] = facts as [Extract<Fact, { type: 'order-observed' }>];
  expect(observed.lines[0]?.resultText).toHaveLength(300);
});

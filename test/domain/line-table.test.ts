/** Every report after every phase of a line, whatever a person said of it, against the rule in yes and no. */
import { describe, expect, test } from 'vitest';
import type { LineReport } from '../../src/domain/fact.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import {
  contradicts,
  type LinePhase,
  type LineState,
  lateReceipt,
  lineAfter,
  resolvedOutcome,
} from '../../src/domain/order-line.ts';
import { amountIn } from '../support/amounts.ts';
import { report, traceOf } from '../support/order-facts.ts';

const phases: readonly LinePhase[] = ['open', 'completed', 'rejected', 'failed', 'timed-out'];
/** What a person said of the line; the word of the table below is `undefined` where nobody spoke. */
const words = [undefined, 'paid', 'not paid'] as const;

/** What each report says by itself, and its complaint when it contradicts itself. */
const reports: readonly (readonly [LinePhase, LineReport, string?])[] = [
  ['completed', report(4)],
  ['completed', report(4, { statusText: '', resultCode: '0' })],
  ['open', report(4, { paidAmount: '1.00' }), 'the service says it paid 1.00'],
  ['open', report(4, { paidAmount: 'all' }), 'the service says it paid all'],
  ['open', report(4, { resultCode: '6' }), 'completed with result code 6'],
  ['open', report(4, { statusText: 'Rejected' }), 'completed (status 4), but with the text "Rejected"'],
  ['rejected', report(7)],
  ['rejected', report(7, { statusText: '' })],
  ['open', report(7, { receipt: 'TKQ1' }), 'rejected with receipt TKQ1'],
  ['open', report(7, { paidAmount: '1500' }), 'rejected with paid amount 1500'],
  ['open', report(7, { paidAmount: '' }), 'rejected with paid amount '],
  ['failed', report(5, { resultCode: '6' })],
  ['open', report(5, { resultCode: '6', receipt: 'TKQ1' }), 'failed with receipt TKQ1'],
  ['timed-out', report(8, { resultCode: '-1' })],
  ['timed-out', report(8, { receipt: 'TKQ1', paidAmount: '1' })],
  ['open', report(0)],
  ['open', report(0, { resultCode: '6', receipt: 'TKQ1' })],
  ['open', report(6)],
  // Whatever the status says, these codes decide nothing.
  ['open', report(7, { resultCode: '14' })],
  ['open', report(7, { resultCode: '-1' })],
  ['open', report(7, { resultCode: ' 022', paidAmount: '1500', receipt: 'TKQ1' })],
  ['open', report(5, { resultCode: '8' })],
];

/** What says only that the id is held. */
const heldReports: readonly LineReport[] = [0, 4, 5, 6, 7, 8].flatMap((status) => [
  report(status, { resultCode: '9' }),
  report(status, { resultCode: ' 09', statusText: 'Duplicate', paidAmount: '1500', receipt: 'TKQ1' }),
]);

const cases = phases.flatMap((phase) =>
  words.flatMap((word) =>
    [undefined, 'the first' as OrderId].flatMap((replaces) => {
      const line: LineState = {
        trace: traceOf(2),
        row: 2,
        amount: amountIn('1500'),
        phase,
        ...(replaces !== undefined && { replaces }),
        ...(word !== undefined && { resolved: { paid: word === 'paid', by: 'amina@desk', at: 1, alarms: 1 } }),
      };
      return reports.map(([says, told, complaint]) => ({ line, word, says, told, complaint }));
    }),
  ),
);
type Case = (typeof cases)[number];

function statedPhase({ line: { phase }, says, told, complaint }: Case): LinePhase {
  if (phase === 'completed') return 'completed';
  if (phase === 'timed-out' && says === 'open') return 'timed-out';
  const wasUnpaid = phase === 'rejected' || phase === 'failed';
  const saysNothing = complaint === undefined && says === 'open' && !decidesNothing(told);
  return wasUnpaid && saysNothing ? phase : says;
}

/** The codes of this table that decide nothing. */
const decidesNothing = ({ resultCode = '' }: LineReport): boolean => ['14', '-1', ' 022', '8'].includes(resultCode);

function statedAlarms({ line, word, says, told, complaint }: Case): readonly string[] {
  const isUnpaid = says === 'rejected' || says === 'failed';
  const against = word === 'paid' ? isUnpaid && line.replaces === undefined : word && says === 'completed';
  const isNews = says !== line.phase;
  const wasUnpaid = line.phase === 'rejected' || line.phase === 'failed';
  const isTurn = wasUnpaid && complaint === undefined && says !== 'open';
  return [
    ...(complaint === undefined ? [] : [complaint]),
    ...(against && isNews
      ? [`was resolved by hand as ${word}, and the service now says ${told.statusText === '' ? says : told.statusText}`]
      : []),
    ...((line.phase === 'completed' || isTurn) && isNews
      ? [`the service said ${line.phase} and now says ${told.statusText}`]
      : []),
    ...(wasUnpaid && says === 'open' && decidesNothing(told)
      ? [`the service said ${line.phase} and now reports result code ${told.resultCode}`]
      : []),
  ].map((text) => `row 2: ${text}`);
}

describe('a report on a line', () => {
  test('moves it as the rule says, and is an alarm whenever it contradicts what is known', () => {
    for (const one of cases) {
      const alarms = ['an older one'];
      const { phase } = lineAfter(one.line, one.told, { at: 5, processed: true }, alarms);
      const stated = { phase: statedPhase(one), alarms: ['an older one', ...statedAlarms(one)] };
      expect({ one, phase, alarms }).toEqual({ one, ...stated });
    }
    expect(cases.length).toBe(5 * 3 * 2 * reports.length);
  });

  test('is no failure before the service has processed the order', () => {
    for (const phase of phases) {
      const line = { trace: traceOf(2), row: 2, amount: amountIn('1500'), phase };
      const unprocessed = { at: 5, processed: false };
      const open = lineAfter(line, report(0), unprocessed, []);
      expect(lineAfter(line, report(5, { resultCode: '6' }), unprocessed, []).phase).toBe(open.phase);
    }
  });

  test('that says only that the id is held moves nothing, replaces nothing and alarms nobody', () => {
    for (const { line: known, told } of cases) {
      const line = { ...known, report: told, reportedAt: 3 };
      for (const held of heldReports) {
        for (const processed of [true, false]) {
          const alarms: string[] = [];
          const after = lineAfter(line, held, { at: 5, processed }, alarms);
          expect({ held, after, alarms }).toEqual({ held, after: { ...line, heldAt: 5 }, alarms: [] });
          expect(lineAfter(after, held, { at: 6, processed }, alarms)).toEqual(after);
        }
      }
    }
  });

  test('leads to the same phase whether the id was called held before it, after it or never', () => {
    for (const { line, told } of cases) {
      const source = { at: 5, processed: true };
      for (const held of heldReports) {
        const [never, before, later]: string[][] = [[], [], []];
        const alone = lineAfter(line, told, source, never ?? []);
        const first = lineAfter(lineAfter(line, held, source, before ?? []), told, source, before ?? []);
        const last = lineAfter(lineAfter(line, told, source, later ?? []), held, source, later ?? []);
        expect([first.phase, first.report, before]).toEqual([alone.phase, alone.report, never]);
        expect([last, later]).toEqual([first, never]);
      }
    }
  });
});

describe('the word of a person', () => {
  test.each<[LinePhase, string | undefined, string | undefined, boolean, boolean]>([
    ['open', 'completed', 'failed', false, false],
    ['timed-out', 'completed', 'failed', false, false],
    ['completed', 'completed', 'completed', false, true],
    ['rejected', 'in-doubt', 'rejected', true, false],
    ['failed', 'in-doubt', 'failed', true, false],
  ])('on a line that is %s: paid makes it %s, not paid %s', (phase, paid, notPaid, againstPaid, againstNotPaid) => {
    const line = { trace: traceOf(2), row: 2, amount: amountIn('1500'), phase };
    const said = (isPaid: boolean, more: Partial<LineState> = {}): unknown =>
      resolvedOutcome({ ...line, ...more, resolved: { paid: isPaid, by: 'amina@desk', at: 1, alarms: 0 } });
    expect([said(true), said(false), resolvedOutcome(line)]).toEqual([paid, notPaid, undefined]);
    expect([contradicts(line, true), contradicts(line, false)]).toEqual([againstPaid, againstNotPaid]);
    // An attempt before this one may have paid the row.
    const replaces = 'the first' as OrderId;
    expect([said(true, { replaces }), said(false, { replaces })]).toEqual(['completed', notPaid]);
    expect([contradicts({ ...line, replaces }, true), contradicts({ ...line, replaces }, false)]).toEqual([
      false,
      againstNotPaid,
    ]);
  });
});

describe('the receipt of a payment that most likely was made', () => {
  test('is that of a line that timed out, and of no other', () => {
    const told = report(8, { receipt: 'TKQ1' });
    const found = phases.map((phase) => [phase, lateReceipt({ phase, report: told })]);
    expect(found.filter(([, receipt]) => receipt !== undefined)).toEqual([['timed-out', 'TKQ1']]);
  });

  test('is missing while the service names none', () => {
    expect(lateReceipt({ phase: 'timed-out', report: report(8) })).toBeUndefined();
    expect(lateReceipt({ phase: 'timed-out' })).toBeUndefined();
  });
});

test.each([
  'Rejected',
  'FAILED',
  'failure',
  'Timed Out',
  'timeout',
  'time-out',
  'declined',
  'cancelled',
  'expired',
  'Reversed',
])('completed in the words "%s" is a contradiction', (statusText) => {
  const line = { trace: traceOf(2), row: 2, amount: amountIn('1500'), phase: 'open' as const };
  const alarms: string[] = [];
  expect(lineAfter(line, report(4, { statusText }), { at: 5, processed: true }, alarms).phase).toBe('open');
  expect(alarms).toHaveLength(1);
});

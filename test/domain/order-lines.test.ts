import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnswerTag, Fact } from '../../src/domain/fact.ts';
import { InvariantError } from '../../src/domain/invariant.ts';
import { advance, type LinePhase, type OrderState, outcomeOfLine } from '../../src/domain/order.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import {
  alarmed,
  answered,
  claimed,
  observed,
  overdue,
  planned,
  report,
  stateAfter,
  traceOf,
  unknown,
  ways,
} from '../support/order-facts.ts';

const outcomes = (state: OrderState): readonly Outcome[] => state.lines.map((line) => outcomeOfLine(state, line));

describe('late answers', () => {
  test.each<AnswerTag>(['refused', 'not-sent', 'ambiguous', 'exists', 'accepted'])(
    '%s does not undo what a look-up has found',
    (tag) => {
      const state = stateAfter(claimed(), observed([report()]), answered(tag, 200));
      expect(state).toMatchObject({ phase: 'settled', answer: { tag }, lastEndedAt: 200 });
      expect(outcomes(state)).toEqual(['completed']);
    },
  );
});

/** What one report makes of a line that is open, and whether it raises an alarm. */
describe('one report', () => {
  test.each<[string, Fact, LinePhase, boolean]>([
    ['completed with the amount', observed([report()]), 'completed', false],
    ['completed, not processed', observed([report()], false), 'open', false],
    [
      'completed with the amount written otherwise',
      observed([report(4, { paidAmount: '1500.000' })]),
      'completed',
      false,
    ],
    ['completed with success', observed([report(4, { resultCode: '0' })]), 'completed', false],
    ['completed with a cent less', observed([report(4, { paidAmount: '1499.99' })]), 'open', true],
    ['completed with a cent more', observed([report(4, { paidAmount: '1500.01' })]), 'open', true],
    ['completed with nothing', observed([report(4, { paidAmount: '0' })]), 'open', true],
    ['completed with no number', observed([report(4, { paidAmount: '' })]), 'open', true],
    ['completed with too many decimals', observed([report(4, { paidAmount: '1500.001' })]), 'open', true],
    ['completed with a failure', observed([report(4, { resultCode: '6' })]), 'open', true],
    ['completed with an inconclusive code', observed([report(4, { resultCode: '14' })]), 'open', true],
    ['completed with a code nobody knows', observed([report(4, { resultCode: '00' })]), 'completed', false],
    ['completed with a time-out', observed([report(4, { resultCode: '-1' })]), 'open', true],
    ['completed, and called rejected', observed([report(4, { statusText: 'Rejected' })]), 'open', true],
    ['completed, and called timed out', observed([report(4, { statusText: 'Timed Out' })]), 'open', true],
    ['completed in words nobody knows', observed([report(4, { statusText: 'Imekamilika' })]), 'completed', false],
    ['rejected', observed([report(7)]), 'rejected', false],
    ['rejected, not processed', observed([report(7)], false), 'rejected', false],
    ['rejected with a receipt', observed([report(7, { receipt: 'TKQ1' })]), 'open', true],
    ['rejected with an amount', observed([report(7, { paidAmount: '1500' })]), 'open', true],
    ['rejected with no number', observed([report(7, { paidAmount: 'all' })]), 'open', true],
    ['failed with a receipt', observed([report(5, { resultCode: '6', receipt: 'TKQ1' })]), 'open', true],
    ['failed with an amount', observed([report(5, { resultCode: '6', paidAmount: '0.01' })]), 'open', true],
    ['timed out with a receipt', observed([report(8, { resultCode: '-1', receipt: 'TKQ1' })]), 'timed-out', false],
    ['timed out', observed([report(8, { resultCode: '-1' })]), 'timed-out', false],
    ['timed out, not processed', observed([report(8)], false), 'timed-out', false],
    ['pending', observed([report(0)], false), 'open', false],
    ['pending with a failure, processed', observed([report(0, { resultCode: '6' })]), 'open', false],
    ['an unknown status', observed([report(6)]), 'open', false],
    ['an unknown status with a failure, processed', observed([report(5, { resultCode: '6' })]), 'failed', false],
    [
      'an unknown status with a failure, not processed',
      observed([report(5, { resultCode: '6' })], false),
      'open',
      false,
    ],
    ['an unknown status with success, processed', observed([report(5, { resultCode: '0' })]), 'open', false],
    ['an unknown status with an unknown code', observed([report(5, { resultCode: '77' })]), 'open', false],
    ['an unknown status with an inconclusive code', observed([report(5, { resultCode: '14' })]), 'open', false],
    ['a status that is no whole number', observed([report(4.5)]), 'open', false],
    ['another line', observed([report(4, { trace: traceOf(9) })]), 'open', false],
    ['no line', observed([]), 'open', false],
  ])('%s', (_, fact, phase, isAlarm) => {
    const state = stateAfter(claimed(), answered('accepted'), fact);
    expect(state.lines[0]?.phase).toBe(phase);
    expect(state.alarms.length > 0).toBe(isAlarm);
    expect(state.phase).toBe(phase === 'open' ? 'accepted' : 'settled');
  });
});

const words: Readonly<Record<LinePhase, Fact>> = {
  open: observed([report(0)], false, 100),
  completed: observed([report()], true, 100),
  rejected: observed([report(7)], true, 100),
  failed: observed([report(5, { resultCode: '6' })], true, 100),
  'timed-out': observed([report(8, { resultCode: '-1' })], true, 100),
};

describe('one report after another', () => {
  const ALARM = '!';
  test.each<[LinePhase, LinePhase, LinePhase, string]>([
    ['open', 'open', 'open', ''],
    ['open', 'completed', 'completed', ''],
    ['open', 'rejected', 'rejected', ''],
    ['open', 'failed', 'failed', ''],
    ['open', 'timed-out', 'timed-out', ''],
    ['timed-out', 'open', 'timed-out', ''],
    ['timed-out', 'completed', 'completed', ''],
    ['timed-out', 'rejected', 'rejected', ''],
    ['timed-out', 'failed', 'failed', ''],
    ['timed-out', 'timed-out', 'timed-out', ''],
    ['completed', 'open', 'completed', ALARM],
    ['completed', 'completed', 'completed', ''],
    ['completed', 'rejected', 'completed', ALARM],
    ['completed', 'failed', 'completed', ALARM],
    ['completed', 'timed-out', 'completed', ALARM],
    ['rejected', 'open', 'rejected', ''],
    ['rejected', 'completed', 'completed', ALARM],
    ['rejected', 'rejected', 'rejected', ''],
    ['rejected', 'failed', 'failed', ALARM],
    ['rejected', 'timed-out', 'timed-out', ALARM],
    ['failed', 'open', 'failed', ''],
    ['failed', 'completed', 'completed', ALARM],
    ['failed', 'rejected', 'rejected', ALARM],
    ['failed', 'failed', 'failed', ''],
    ['failed', 'timed-out', 'timed-out', ALARM],
  ])('%s, then %s: %s %s', (first, second, phase, alarm) => {
    const state = stateAfter(claimed(), answered('accepted'), words[first], words[second]);
    expect(state.lines[0]?.phase).toBe(phase);
    expect(state.alarms.length > 0).toBe(alarm === ALARM);
  });

  const half = observed([report(4, { receipt: 'TKQ1' })], false, 100);

  test.each<[string, Fact, LinePhase, string?]>([
    ['the same once more', half, 'completed'],
    ['the same, processed', observed([report(4, { receipt: 'TKQ1' })], true, 100), 'completed'],
    ['another receipt', observed([report(4, { receipt: 'TKQ2' })], false, 100), 'open'],
    ['another receipt, processed', observed([report(4, { receipt: 'TKQ2' })], true, 100), 'completed'],
    ['another code', observed([report(4, { receipt: 'TKQ1', resultCode: '0' })], false, 100), 'open'],
    [
      'another amount',
      observed([report(4, { receipt: 'TKQ1', paidAmount: '1' })], false, 100),
      'open',
      'the service says it paid 1',
    ],
    ['pending', words.open, 'open', 'the service said completed (order not processed yet), and now says status 0'],
    ['rejected', words.rejected, 'open', 'the service said completed (order not processed yet), and now says status 7'],
    [
      'timed out',
      words['timed-out'],
      'open',
      'the service said completed (order not processed yet), and now says status 8',
    ],
  ])('completed, not processed, then %s: %s %s', (_, second, phase, alarm) => {
    const state = stateAfter(claimed(), answered('accepted'), half, second);
    expect(state.lines[0]?.phase).toBe(phase);
    expect(state.alarms).toEqual(alarm === undefined ? [] : [`row 2: ${alarm}`]);
    expect(outcomes(state)).toEqual([phase === 'completed' ? 'completed' : alarm ? 'in-doubt' : 'pending']);
  });

  test.each([
    ['a time-out', words['timed-out'], 'timed-out', false],
    ['a rejection', words.rejected, 'completed', true],
    ['a failure', words.failed, 'completed', true],
    ['another amount', observed([report(4, { receipt: 'TKQ1', paidAmount: '1' })]), 'open', true],
  ] as const)('completed, not processed, after %s, and then once more', (_, first, phase, isAlarm) => {
    const state = stateAfter(claimed(), answered('accepted'), first, half);
    expect(state.lines[0]?.phase).toBe(phase);
    expect(state.alarms.length > 0).toBe(isAlarm);
    expect(advance(state, half).lines[0]?.phase).toBe('completed');
  });

  test.each([
    ['pending', words.open],
    ['timed out', words['timed-out']],
    ['completed with another amount', observed([report(4, { paidAmount: '1' })])],
  ])('timed out is not open again after completed, not processed, and then %s', (_, last) => {
    const state = stateAfter(claimed(), answered('accepted'), words['timed-out'], half, last);
    expect(outcomes(state)).toEqual(['timed-out']);
  });

  test.each([
    ['rejected', words.rejected],
    ['failed', words.failed],
    ['timed out', words['timed-out']],
    ['pending', words.open],
  ])('timed out, then completed, not processed, then %s: an alarm, and nobody may pay it again', (_, last) => {
    const state = stateAfter(claimed(), answered('accepted'), words['timed-out'], half, last);
    expect(outcomes(state)).toEqual(['timed-out']);
    expect(state.alarms).toEqual([
      expect.stringContaining('the service said completed (order not processed yet), and now says'),
    ]);
  });

  test.each(['rejected', 'failed'] as const)('%s is taken back by a report that contradicts itself', (first) => {
    const odd = observed([report(4, { paidAmount: '1' })]);
    const state = stateAfter(claimed(), answered('accepted'), words[first], odd);
    expect(outcomes(state)).toEqual(['in-doubt']);
    expect(state).toMatchObject({ phase: 'accepted', alarms: [expect.stringContaining('it paid 1')] });
  });

  test('completed stays completed whatever else is said, and whatever differs from it is an alarm', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...Object.keys(words)), { maxLength: 8 }), (later) => {
        const told = later.map((name) => words[name as LinePhase]);
        const state = stateAfter(claimed(), answered('accepted'), words.completed, ...told);
        expect(outcomes(state)).toEqual(['completed']);
        expect(state.phase).toBe('settled');
        expect(state.alarms.length > 0).toBe(later.some((name) => name !== 'completed'));
      }),
    );
  });

  test('a line keeps the last report and the time of its last move', () => {
    const state = stateAfter(claimed(), observed([report(0)], false, 100), observed([report()], true, 200));
    const again = advance(state, observed([report(4, { receipt: 'TKQ1' })], true, 300));
    expect(state.lines[0]).toMatchObject({ reportedAt: 200, report: { status: 4 } });
    expect(again.lines[0]).toMatchObject({ reportedAt: 200, report: { receipt: 'TKQ1' } });
  });

  test('a completed line keeps its receipt and its fee against a word that differs', () => {
    const paid = observed([report(4, { receipt: 'TKQ1', feeAmount: '13' })], true, 100);
    const state = stateAfter(claimed(), paid, observed([report(7, { receipt: 'TKQ2' })], true, 200));
    expect(state.lines[0]).toMatchObject({ report: { status: 4, receipt: 'TKQ1', feeAmount: '13' }, reportedAt: 100 });
  });

  test('a line that is open keeps the word that contradicts the plan, for people to read', () => {
    const state = stateAfter(claimed(), observed([report(4, { paidAmount: '1', receipt: 'TKQ2' })]));
    expect(state.lines[0]).toMatchObject({ phase: 'open', report: { paidAmount: '1', receipt: 'TKQ2' } });
    expect(state.lines[0]).not.toHaveProperty('reportedAt');
  });

  test('an order is settled when all of its lines are, and a line without a report waits', () => {
    const two = [planned([2, 5]), claimed(), answered('accepted')];
    const half = stateAfter(...two, observed([report()], false), observed([report()], false));
    expect(half.phase).toBe('accepted');
    expect(outcomes(half)).toEqual(['completed', 'pending']);
    const whole = advance(half, observed([report(7, { trace: traceOf(5) })]));
    expect(whole.phase).toBe('settled');
    expect(outcomes(whole)).toEqual(['completed', 'rejected']);
  });

  test('an order that was refused and is held by the service after all is an alarm', () => {
    const state = advance(stateAfter(...ways.refused), words.completed);
    expect(state.alarms).toEqual(['the service holds an order that it refused']);
    expect(outcomes(state)).toEqual(['completed']);
  });
});

describe('the outcome of a line', () => {
  const accepted = ways.accepted;
  test.each<[string, readonly Fact[], Outcome]>([
    ['planned', ways.planned, 'unsent'],
    ['planned with an alarm', [...ways.planned, alarmed()], 'in-doubt'],
    ['claimed', ways.claimed, 'in-doubt'],
    ['claimed again', [...ways.claimed, claimed()], 'in-doubt'],
    ['not sent', [...ways.claimed, answered('not-sent')], 'unsent'],
    ['not sent, with an alarm', [...ways.claimed, answered('not-sent'), alarmed()], 'in-doubt'],
    ['not sent after one that may have left', [...ways.claimed, claimed(), answered('not-sent')], 'in-doubt'],
    ['ambiguous', [...ways.claimed, answered('ambiguous')], 'in-doubt'],
    ['said to be refused, not yet looked up', [...ways.claimed, answered('refused')], 'in-doubt'],
    ['said to exist', [...ways.claimed, answered('exists')], 'in-doubt'],
    ['throttled', [...ways.claimed, answered('throttled')], 'in-doubt'],
    ['unauthorised', [...ways.claimed, answered('unauthorised')], 'in-doubt'],
    ['unknown', [...ways.claimed, unknown()], 'in-doubt'],
    ['refused', ways.refused, 'refused'],
    ['accepted', accepted, 'pending'],
    ['accepted, overdue', [...accepted, overdue()], 'in-doubt'],
    ['accepted, overdue, then seen again', [...accepted, overdue(), words.open], 'pending'],
    ['called pending, overdue', [...accepted, words.open, overdue()], 'pending'],
    ['called pending, with an alarm', [...accepted, words.open, alarmed()], 'in-doubt'],
    ['of an unknown status, overdue', [...accepted, observed([report(6)]), overdue()], 'in-doubt'],
    [
      'called pending beside a code that decides nothing, overdue',
      [...accepted, observed([report(0, { resultCode: '22' })]), overdue()],
      'in-doubt',
    ],
    [
      'of the number of pending and called failed, overdue',
      [...accepted, observed([report(0, { statusText: 'Failed' })]), overdue()],
      'in-doubt',
    ],
    ['accepted with an alarm', [...accepted, alarmed()], 'in-doubt'],
    ['an unknown status', [...accepted, observed([report(6)])], 'pending'],
    ['completed', [...accepted, words.completed], 'completed'],
    ['completed, overdue', [...accepted, words.completed, overdue()], 'completed'],
    ['rejected', [...accepted, words.rejected], 'rejected'],
    ['failed', [...accepted, words.failed], 'failed'],
    ['timed out', [...accepted, words['timed-out']], 'timed-out'],
    ['timed out, then completed', [...accepted, words['timed-out'], words.completed], 'completed'],
    ['completed with another amount', [...accepted, observed([report(4, { paidAmount: '1' })])], 'in-doubt'],
  ])('%s', (_, told, outcome) => expect(outcomes(stateAfter(...told))).toEqual([outcome]));
});

test('the outcome of a line in a phase that nobody knows is a bug', () => {
  const state = { ...stateAfter(planned()), phase: 'lost' } as unknown as OrderState;
  expect(() => outcomes(state)).toThrow(InvariantError);
});

/** The one place that lets an id be submitted again, tried over all that an order can have been through. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextStep, type Policy, type Step } from '../../src/dispatch/decision.ts';
import type { OrderId, TraceNumber } from '../../src/domain/ids.ts';
import type { LineState, OrderState } from '../../src/domain/order.ts';
import { kes } from '../support/amounts.ts';
import { type AnswerTag, type Happening, WatchedOrder } from './watched-order.ts';

const policy: Policy = {
  polling: { firstMs: 2_000, maxMs: 60_000, deadlineMs: 900_000 },
  inDoubt: { resend: 'same-id', unknownGapMs: 60_000, quietMs: 120_000, maxAgeMs: 86_400_000, maxResends: 3 },
  startedAt: 0,
  visibleSince: () => 0,
  hasLookUp: () => true,
};

const tags: readonly AnswerTag[] = [
  'accepted',
  'exists',
  'refused',
  'unauthorised',
  'throttled',
  'not-sent',
  'ambiguous',
];

const line = (phase: LineState['phase']): LineState => ({
  trace: 't' as TraceNumber,
  row: 2,
  amount: kes(100n),
  phase,
});

/** An order that was posted once at 1000, ended at 2000, and was found unknown twice, just long enough after. */
const absent: OrderState = {
  id: 'o' as OrderId,
  submission: 'payment-order',
  attempt: 1,
  phase: 'in-doubt',
  lines: [line('open')],
  posts: 1,
  firstClaimedAt: 1_000,
  lastClaimedAt: 1_000,
  lastEndedAt: 2_000,
  mayHaveArrived: false,
  answer: { tag: 'ambiguous', reason: 'HTTP 500' },
  unknowns: 2,
  firstUnknownAt: 62_000,
  lastUnknownAt: 122_000,
  overdue: false,
  alarms: [],
};
const NOW = 122_000;
const inDoubt = (changes: Partial<Policy['inDoubt']>): Policy => ({
  ...policy,
  inDoubt: { ...policy.inDoubt, ...changes },
});
const without = (state: OrderState, ...keys: readonly (keyof OrderState)[]): OrderState =>
  Object.fromEntries(
    Object.entries(state).filter(([key]) => !(keys as readonly string[]).includes(key)),
  ) as OrderState & object; // the keys left out are optional

describe('an order that is proven absent', () => {
  test('is submitted again', () => {
    expect(nextStep(absent, policy, NOW)).toEqual({ do: 'submit', at: NOW });
  });

  test.each<readonly [string, OrderState, Policy, number]>([
    ['was unknown only once', { ...absent, unknowns: 1 }, policy, NOW],
    ['was never unknown', without({ ...absent, unknowns: 0 }, 'firstUnknownAt', 'lastUnknownAt'), policy, NOW],
    ['was unknown a moment too soon after the first time', { ...absent, firstUnknownAt: 62_001 }, policy, NOW],
    ['was unknown a moment too soon after the submission', { ...absent, lastEndedAt: 2_001 }, policy, NOW],
    ['was claimed a moment too late', { ...absent, lastClaimedAt: 2_001 }, policy, NOW],
    ['is a moment too old', absent, policy, 86_401_001],
    ['became too old while the computer slept', absent, { ...policy, clockAheadMs: 86_401_001 - NOW }, NOW],
    ['has no claim on record', without(absent, 'firstClaimedAt'), policy, NOW],
    ['was submitted too often', { ...absent, posts: 4 }, policy, NOW],
    ['may never be', absent, inDoubt({ resend: 'never' }), NOW],
    ['may be submitted once only', absent, inDoubt({ maxResends: 0 }), NOW],
    ['exists, as the service says', { ...absent, answer: { tag: 'exists', reason: 'duplicate' } }, policy, NOW],
    ['has an alarm', { ...absent, alarms: ['another amount'] }, policy, NOW],
  ])('is not submitted again when it %s', (_name, state, rule, now) => {
    expect(nextStep(state, rule, now).do).not.toBe('submit');
  });

  test.each<readonly [string, OrderState, number]>([
    ['is exactly as old as allowed', absent, 86_401_000],
    ['was submitted as often as allowed', { ...absent, posts: 3 }, NOW],
    ['was throttled', { ...absent, answer: { tag: 'throttled', reason: '' } }, NOW],
    ['was refused for its token', { ...absent, answer: { tag: 'unauthorised', reason: '' } }, NOW],
    [
      'had left before it could not be sent',
      { ...absent, mayHaveArrived: true, answer: { tag: 'not-sent', reason: '' } },
      NOW,
    ],
    ['never had an answer, because the run died', without(absent, 'answer', 'lastEndedAt'), NOW],
  ])('is submitted again when it %s', (_name, state, now) => {
    expect(nextStep(state, policy, now).do).toBe('submit');
  });

  test('is looked up next exactly when one more "unknown" proves it', () => {
    const once = { ...absent, unknowns: 1, firstUnknownAt: 10_000, lastUnknownAt: 10_000 };
    expect(nextStep(once, policy, 10_000)).toEqual({ do: 'look-up', at: 122_000 });
    expect(nextStep({ ...once, firstUnknownAt: 80_000, lastUnknownAt: 80_000 }, policy, 80_000)).toEqual({
      do: 'look-up',
      at: 140_000,
    });
  });
});

describe('a refused order', () => {
  const refused: OrderState = { ...absent, answer: { tag: 'refused', reason: 'HTTP 400' } };

  test('is final once two look-ups, far enough apart, do not know it', () => {
    expect(nextStep(refused, policy, NOW)).toEqual({ do: 'refuse' });
  });

  test.each<[string, Partial<OrderState>]>([
    ['before any look-up', { unknowns: 0 }],
    ['after one', { unknowns: 1 }],
    ['after two that follow each other too soon', { firstUnknownAt: 62_001 }],
    ['after too short a silence', { lastEndedAt: 2_001 }],
  ])('is only looked up %s', (_, change) => {
    expect(nextStep({ ...refused, ...change }, policy, NOW).do).toBe('look-up');
  });

  test('is not final when an earlier submission may have left', () => {
    expect(nextStep({ ...refused, mayHaveArrived: true }, policy, NOW).do).not.toBe('refuse');
  });
});

describe('an order that never left', () => {
  const unsent: OrderState = { ...absent, answer: { tag: 'not-sent', reason: 'ECONNREFUSED' }, unknowns: 0 };

  test('is submitted after a wait, under whatever rule for doubt', () => {
    const step = nextStep(unsent, inDoubt({ resend: 'never', maxResends: 0 }), 2_000);
    expect(step).toEqual({ do: 'submit', at: 4_000 });
  });

  test('is parked when the deadline has passed', () => {
    expect(nextStep(unsent, policy, 902_000)).toEqual({ do: 'park' });
  });
});

describe('following', () => {
  const accepted: OrderState = { ...absent, phase: 'accepted', unknowns: 0 };
  const lookUpAt = (now: number, state = accepted, rule = policy): Step => nextStep(state, rule, now);

  test.each([
    [2_000, 4_000],
    [6_000, 8_000],
    // Whole milliseconds: the ledger has no others.
    [7_001, 9_502],
    [22_000, 32_000],
    [122_000, 182_000],
    [322_000, 382_000],
    [871_000, 902_000],
    [901_999, 902_000],
  ])('at %d ms comes again at %d ms', (now, at) => {
    expect(lookUpAt(now)).toEqual({ do: 'look-up', at });
  });

  test('ends at the deadline', () => {
    expect(lookUpAt(902_000)).toEqual({ do: 'park' });
  });

  test('counts from the beginning of a later run', () => {
    const later = { ...policy, startedAt: 5_000_000 };
    expect(lookUpAt(5_000_000, accepted, later)).toEqual({ do: 'look-up', at: 5_002_000 });
    expect(lookUpAt(5_900_000, accepted, later)).toEqual({ do: 'park' });
  });

  test('takes a bounded number of look-ups', () => {
    let looks = 0;
    let now = 2_000;
    for (let step = lookUpAt(now); step.do === 'look-up'; step = lookUpAt(now)) {
      expect(step.at).toBeGreaterThan(now);
      now = step.at;
      looks += 1;
    }
    expect(looks).toBeLessThan(30);
  });

  test('does not look at what is settled, except for a payment that timed out', () => {
    for (const phase of ['completed', 'rejected', 'failed'] as const) {
      expect(nextStep({ ...accepted, phase: 'settled', lines: [line(phase)] }, policy, NOW)).toEqual({ do: 'nothing' });
    }
    const timedOut: OrderState = { ...accepted, phase: 'settled', lines: [line('completed'), line('timed-out')] };
    expect(nextStep(timedOut, policy, NOW).do).toBe('look-up');
    expect(nextStep({ ...timedOut, alarms: ['x'] }, policy, NOW).do).toBe('nothing');
  });
});

describe('whatever happened to an order', () => {
  const happening: fc.Arbitrary<Happening> = fc.record({
    afterMs: fc.oneof(fc.nat(5_000), fc.nat(200_000), fc.constantFrom(0, 59_999, 60_000, 119_999, 120_000, 86_400_000)),
    what: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...tags) },
      { weight: 3, arbitrary: fc.constantFrom('ambiguous' as const, 'throttled' as const, 'not-sent' as const) },
      { weight: 8, arbitrary: fc.constant('look-up: unknown' as const) },
      { weight: 1, arbitrary: fc.constantFrom('look-up: found' as const, 'deadline' as const, 'crash' as const) },
    ),
  });
  const rules = fc.record({
    resend: fc.constantFrom('same-id' as const, 'same-id' as const, 'never' as const),
    unknownGapMs: fc.constantFrom(0, 60_000),
    quietMs: fc.constantFrom(0, 120_000),
    maxAgeMs: fc.constantFrom(300_000, 86_400_000),
    maxResends: fc.nat(4),
  });

  test('it is submitted again only under the whole rule', () => {
    let resubmissions = 0;
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), rules, (happenings, rule) => {
        const watched = new WatchedOrder(inDoubt(rule));
        for (const one of happenings) {
          watched.happen(one);
          watched.happen({ afterMs: 0, what: 'claim' });
        }
        resubmissions += watched.resubmissions;
      }),
      { numRuns: 3_000 },
    );
    // The property would hold for a rule that never lets anything be submitted.
    expect(resubmissions).toBeGreaterThan(20);
  });

  test.each(['airtime', 'bill-payment'] as const)(
    'an order of the strict submission %s is sent once; again only while it never left',
    (submission) => {
      let again = 0;
      fc.assert(
        fc.property(fc.array(happening, { maxLength: 40 }), rules, fc.boolean(), (happenings, rule, hasLookUp) => {
          const watched = new WatchedOrder({ ...inDoubt(rule), hasLookUp: () => hasLookUp }, submission);
          for (const one of happenings) {
            watched.happen(one);
            watched.happen({ afterMs: 0, what: 'claim' });
          }
          expect(watched.resubmissions).toBe(0);
          again += watched.claims - 1;
        }),
        { numRuns: 2_000 },
      );
      // Mostly about 160; it must only not be none.
      expect(again).toBeGreaterThan(20);
    },
  );
});

describe('an order of a strict submission', () => {
  const strict: OrderState = { ...absent, submission: 'bill-payment' };
  const refused: OrderState = { ...strict, answer: { tag: 'refused', reason: 'HTTP 400' } };
  const nobody: Policy = { ...policy, hasLookUp: () => false };

  test.each([
    ['lost', strict],
    ['refused', refused],
    ['never given', without(strict, 'answer')],
  ])('whose answer was %s is looked up for a while where somebody can be asked, and stays in doubt', (_, state) => {
    // From the last that is known of its submission until the silence is over that proves most: two minutes.
    const { lastEndedAt = 0, lastClaimedAt = 0 } = state;
    const over = Math.max(lastEndedAt, lastClaimedAt) + 120_000;
    expect(nextStep(state, policy, over - 1)).toEqual({ do: 'look-up', at: over });
    expect(nextStep(state, policy, over).do).toBe('park');
    expect(nextStep(state, inDoubt({ quietMs: 3_600_000 }), over).do).toBe('look-up');
    expect(nextStep(state, nobody, over - 1).do).toBe('nothing');
  });

  test('whose run died is looked up in the same way', () => {
    const claimed: OrderState = { ...strict, phase: 'claimed' };
    expect(nextStep(claimed, policy, 122_000).do).toBe('park');
    expect(nextStep({ ...claimed, submission: 'payment-order' }, policy, 122_000).do).toBe('look-up');
  });

  test('that was accepted is not waited for when nobody can be asked', () => {
    const accepted: OrderState = { ...strict, phase: 'accepted' };
    expect(nextStep(accepted, policy, NOW).do).toBe('look-up');
    expect(nextStep(accepted, nobody, NOW).do).toBe('nothing');
    const timedOut: OrderState = { ...strict, phase: 'settled', lines: [line('timed-out')] };
    expect(nextStep(timedOut, policy, NOW).do).toBe('look-up');
    expect(nextStep(timedOut, nobody, NOW).do).toBe('nothing');
  });
});

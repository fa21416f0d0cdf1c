import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnswerTag, Fact } from '../../src/domain/fact.ts';
import { InvariantError } from '../../src/domain/invariant.ts';
import { advance, neverTransmitted, type OrderPhase } from '../../src/domain/order.ts';
import {
  alarmed,
  answered,
  claimed,
  observed,
  overdue,
  planned,
  refused,
  report,
  stateAfter,
  traceOf,
  unknown,
  ways,
} from '../support/order-facts.ts';

const facts = {
  planned: planned(),
  claimed: claimed(100),
  accepted: answered('accepted', 100),
  exists: answered('exists', 100),
  'answer refused': answered('refused', 100),
  unauthorised: answered('unauthorised', 100),
  throttled: answered('throttled', 100),
  'not sent': answered('not-sent', 100),
  ambiguous: answered('ambiguous', 100),
  unknown: unknown(100),
  'observed, open': observed([report(0)], false, 100),
  'observed, completed': observed([report()], true, 100),
  refused: refused(100),
  overdue: overdue(100),
  alarmed: alarmed('another payee', 100),
} as const satisfies Record<string, Fact>;

describe('an order', () => {
  test('that was planned when there was one way of submitting is a payment order', () => {
    expect(stateAfter(planned()).submission).toBe('payment-order');
    expect(stateAfter({ ...planned(), submission: 'bill-payment' } as Fact).submission).toBe('bill-payment');
  });

  test('remembers no callback while none was heard', () => {
    expect(stateAfter(claimed(), observed([report(0)]))).not.toHaveProperty('lastCallback');
  });

  test('remembers the last callback whose word was taken, through whatever else is said', () => {
    const callback = { seq: 7, receivedAt: 70 };
    const told = { ...observed([report(0)]), source: 'callback', callback } as Fact;
    expect(stateAfter(claimed(), told, observed([report()])).lastCallback).toEqual(callback);
  });
});

test.each(Object.entries(ways))('an order that is %s stays what it is when somebody asks to stop it', (_, facts) => {
  const before = stateAfter(...facts);
  const asked = (by: string, at: number): Fact => ({ type: 'order-reject-requested', order: before.id, at, by });
  const { rejectRequested, ...after } = advance(advance(before, asked('amina', 90)), asked('grace', 95));
  expect(after).toEqual(before);
  expect(rejectRequested).toEqual({ by: 'grace', at: 95 });
});

describe('the id of the service', () => {
  const accepted: Fact = { ...answered('accepted'), serviceId: 's-1' } as Fact;
  const seen: Fact = { ...observed([report(0)]), serviceId: 's-2' } as Fact;

  test('is the last that it gave', () => {
    expect(stateAfter(claimed(), accepted)).toMatchObject({ serviceId: 's-1' });
    expect(stateAfter(claimed(), seen)).toMatchObject({ serviceId: 's-2' });
    expect(stateAfter(claimed(), accepted, seen)).toMatchObject({ serviceId: 's-2' });
  });

  test('stays when a later word names none, and is not there before the first', () => {
    const silent = observed([report()]);
    expect(stateAfter(claimed(), accepted, silent)).toMatchObject({ serviceId: 's-1' });
    expect(stateAfter(claimed(), answered('accepted'))).not.toHaveProperty('serviceId');
    expect(stateAfter(claimed(), silent)).not.toHaveProperty('serviceId');
  });

  test('is not that of a repetition: a second acceptance and a code 9 have ids of their own', () => {
    const again = [claimed(), answered('ambiguous'), unknown(), claimed(40), { ...accepted, at: 50 } as Fact];
    expect(stateAfter(...again)).not.toHaveProperty('serviceId');
    expect(stateAfter(...again, seen)).toMatchObject({ serviceId: 's-2' });
    const held = { ...observed([report(5, { resultCode: '9' })]), serviceId: 's-3' } as Fact;
    expect(stateAfter(claimed(), accepted, held)).toMatchObject({ serviceId: 's-1' });
    expect(stateAfter(claimed(), held)).toMatchObject({ serviceId: 's-3' });
    expect(stateAfter(claimed(), held, seen)).toMatchObject({ serviceId: 's-2' });
  });
});

type FactName = keyof typeof facts;
const BUG = 'bug';
const bugThat = (claim: string): InvariantError => new InvariantError(`This must hold and does not: ${claim}`);

/** Answers that decide nothing by themselves. */
const otherAnswers = ['exists', 'answer refused', 'unauthorised', 'throttled', 'not sent', 'ambiguous'] as const;
type OtherAnswer = (typeof otherAnswers)[number];

/** Every phase with every fact: the phase that follows, or that it cannot happen. */
const transitions: Readonly<Record<FactName, Readonly<Record<OrderPhase, OrderPhase | typeof BUG>>>> = {
  planned: { planned: BUG, claimed: BUG, 'in-doubt': BUG, accepted: BUG, refused: BUG, settled: BUG },
  claimed: { planned: 'claimed', claimed: 'claimed', 'in-doubt': 'claimed', accepted: BUG, refused: BUG, settled: BUG },
  accepted: {
    planned: BUG,
    claimed: 'accepted',
    'in-doubt': BUG,
    accepted: 'accepted',
    refused: BUG,
    settled: 'settled',
  },
  ...(Object.fromEntries(
    otherAnswers.map((name) => [
      name,
      { planned: BUG, claimed: 'in-doubt', 'in-doubt': BUG, accepted: 'accepted', refused: BUG, settled: 'settled' },
    ]),
  ) as Record<OtherAnswer, Record<OrderPhase, OrderPhase | typeof BUG>>),
  unknown: {
    planned: 'planned',
    claimed: 'in-doubt',
    'in-doubt': 'in-doubt',
    accepted: 'accepted',
    refused: 'refused',
    settled: 'settled',
  },
  'observed, open': {
    planned: 'accepted',
    claimed: 'accepted',
    'in-doubt': 'accepted',
    accepted: 'accepted',
    refused: 'accepted',
    settled: 'settled',
  },
  'observed, completed': {
    planned: 'settled',
    claimed: 'settled',
    'in-doubt': 'settled',
    accepted: 'settled',
    refused: 'settled',
    settled: 'settled',
  },
  refused: { planned: BUG, claimed: BUG, 'in-doubt': 'refused', accepted: BUG, refused: BUG, settled: BUG },
  overdue: {
    planned: 'planned',
    claimed: 'claimed',
    'in-doubt': 'in-doubt',
    accepted: 'accepted',
    refused: 'refused',
    settled: 'settled',
  },
  alarmed: {
    planned: 'planned',
    claimed: 'claimed',
    'in-doubt': 'in-doubt',
    accepted: 'accepted',
    refused: 'refused',
    settled: 'settled',
  },
};

const everyTransition = Object.entries(transitions).flatMap(([fact, byPhase]) =>
  Object.entries(byPhase).map(([phase, next]) => [phase as OrderPhase, fact as FactName, next] as const),
);

describe('the phases of an order', () => {
  test('the table below holds every phase and every type of fact', () => {
    expect(Object.keys(transitions).sort()).toEqual(Object.keys(facts).sort());
    for (const byPhase of Object.values(transitions)) expect(Object.keys(byPhase)).toEqual(Object.keys(ways));
    for (const [phase, way] of Object.entries(ways)) expect(stateAfter(...way).phase).toBe(phase);
  });

  test.each(everyTransition)('%s, then %s: %s', (phase, name, next) => {
    const state = stateAfter(...ways[phase]);
    const claim =
      name === 'planned' ? 'an order is planned once' : `an order that is ${phase} can be ${facts[name].type}`;
    if (next === BUG) expect(() => advance(state, facts[name])).toThrow(bugThat(claim));
    else expect(advance(state, facts[name]).phase).toBe(next);
  });

  test.each(Object.keys(facts).filter((name) => name !== 'planned') as FactName[])(
    'nothing is %s before it is planned',
    (name) => {
      const claim = `an order is planned before it is ${facts[name].type}`;
      expect(() => advance(undefined, facts[name])).toThrow(bugThat(claim));
    },
  );

  test('a fact of a type that nobody knows is a bug', () => {
    const fact = { ...claimed(), type: 'order-lost' } as unknown as Fact;
    expect(() => advance(stateAfter(planned()), fact)).toThrow(InvariantError);
  });

  test('a fact leaves the state before it as it was', () => {
    for (const [phase, name, next] of everyTransition) {
      if (next === BUG) continue;
      const state = stateAfter(...ways[phase]);
      const before = structuredClone(state);
      advance(state, facts[name]);
      expect(state).toEqual(before);
    }
  });

  test('a line that is planned is open, and keeps row, trace number and amount', () => {
    const { lines, posts, attempt, alarms, unknowns, overdue: isOverdue } = stateAfter(planned([2, 5]));
    expect(lines).toMatchObject([
      { row: 2, trace: traceOf(2), phase: 'open', amount: { minor: 150_000n } },
      { row: 5, trace: traceOf(5), phase: 'open', amount: { minor: 150_000n } },
    ]);
    expect({ posts, attempt, alarms, unknowns, isOverdue }).toEqual({
      posts: 0,
      attempt: 1,
      alarms: [],
      unknowns: 0,
      isOverdue: false,
    });
  });
});

describe('claims', () => {
  test('count how often the order may have been posted, and keep the first and the last time', () => {
    const state = stateAfter(claimed(10), answered('ambiguous', 20), unknown(30), unknown(90), claimed(100));
    expect(state).toMatchObject({ posts: 2, firstClaimedAt: 10, lastClaimedAt: 100, unknowns: 0, overdue: false });
    expect(state).not.toHaveProperty('answer');
    expect(state).not.toHaveProperty('lastEndedAt');
    expect(state).not.toHaveProperty('firstUnknownAt');
    expect(state).not.toHaveProperty('lastUnknownAt');
  });

  test.each<[string, readonly Fact[], boolean, boolean]>([
    ['planned', [], false, false],
    ['claimed once', [claimed()], false, false],
    ['not sent', [claimed(), answered('not-sent')], true, false],
    ['not sent, and unknown to a look-up', [claimed(), answered('not-sent'), unknown()], true, false],
    ['not sent twice', [claimed(), answered('not-sent'), claimed(), answered('not-sent')], true, false],
    ['not sent, then claimed', [claimed(), answered('not-sent'), claimed()], false, false],
    ['ambiguous', [claimed(), answered('ambiguous')], false, false],
    ['ambiguous, then not sent', [claimed(), answered('ambiguous'), claimed(), answered('not-sent')], false, true],
    ['crashed after the claim, then not sent', [claimed(), claimed(), answered('not-sent')], false, true],
    [
      'not sent, ambiguous, not sent',
      [claimed(), answered('not-sent'), claimed(), answered('ambiguous'), claimed(), answered('not-sent')],
      false,
      true,
    ],
    [
      'ambiguous, then not sent twice',
      [claimed(), answered('ambiguous'), claimed(), answered('not-sent'), claimed(), answered('not-sent')],
      false,
      true,
    ],
    [
      'crashed after the claim, unknown, claimed, not sent',
      [claimed(), unknown(), claimed(), answered('not-sent')],
      false,
      true,
    ],
    ['throttled', [claimed(), answered('throttled')], false, false],
    ['unauthorised', [claimed(), answered('unauthorised')], false, false],
  ])('%s', (_, after, never, before) => {
    const state = stateAfter(...after);
    expect(neverTransmitted(state)).toBe(never);
    expect(state.mayHaveArrived).toBe(before);
  });

  test('a late "not sent" does not make an order that the service holds one that never left', () => {
    expect(neverTransmitted(stateAfter(claimed(), observed([report(0)]), answered('not-sent')))).toBe(false);
  });

  test('only orders of which every submission failed to leave count as never left', () => {
    const tags: readonly AnswerTag[] = ['exists', 'refused', 'unauthorised', 'throttled', 'not-sent', 'ambiguous'];
    const round = fc.record({ tag: fc.option(fc.constantFrom(...tags)), unknowns: fc.nat({ max: 2 }) });
    fc.assert(
      fc.property(fc.array(round, { minLength: 1, maxLength: 6 }), (rounds) => {
        const told = rounds.flatMap(({ tag, unknowns }) => [
          claimed(),
          ...(tag ? [answered(tag)] : []),
          ...Array.from({ length: unknowns }, () => unknown()),
        ]);
        expect(neverTransmitted(stateAfter(...told))).toBe(rounds.every(({ tag }) => tag === 'not-sent'));
      }),
    );
  });
});

describe('look-ups that know nothing', () => {
  test('are counted in a row, from the first to the last', () => {
    const state = stateAfter(claimed(), answered('ambiguous'), unknown(30), unknown(45), unknown(99));
    expect(state).toMatchObject({ unknowns: 3, firstUnknownAt: 30, lastUnknownAt: 99 });
  });

  test('of an earlier run count no more when a run is told so for the first time', () => {
    const first = { ...unknown(500), firstInRun: true } as Fact;
    const state = stateAfter(claimed(), unknown(30), unknown(90), first);
    expect(state).toMatchObject({ phase: 'in-doubt', unknowns: 1, firstUnknownAt: 500, lastUnknownAt: 500 });
    expect(advance(state, unknown(560))).toMatchObject({ unknowns: 2, firstUnknownAt: 500, lastUnknownAt: 560 });
  });

  test('are forgotten once the service has seen the order', () => {
    const state = stateAfter(claimed(), answered('ambiguous'), unknown(), observed([report(0)], false));
    expect(state.unknowns).toBe(0);
    expect(state).not.toHaveProperty('firstUnknownAt');
  });

  test('say nothing about an order that the service holds', () => {
    expect(stateAfter(claimed(), answered('accepted'), unknown())).toEqual(stateAfter(claimed(), answered('accepted')));
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AdmitPolicy,
  type AdmitResult,
  admit,
  type CanaryState,
  type StopWhy,
} from '../../src/dispatch/admission.ts';
import { closedCircuit, isPaused, type ServiceState, type Trouble } from '../../src/dispatch/circuit-breaker.ts';
import { type RunState, type Shortfall, startOfRun } from '../../src/dispatch/run-state.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import type { Money } from '../../src/domain/money.ts';
import { kes } from '../support/amounts.ts';

const policy: AdmitPolicy = { outageMs: 60_000, pauseMsFirst: 500, pauseMsMax: 8_000 };
const well = closedCircuit(16);

/** How a run stands, in the words of the rule. */
interface Situation {
  readonly nowMs: number;
  readonly toSend: number;
  readonly inFlight: number;
  readonly idle: boolean;
  readonly service: ServiceState;
  readonly canary?: CanaryState;
  /** Rows of this run that were completed, and that ended without being paid. */
  readonly completed: number;
  readonly lost: number;
  readonly shortfall?: Shortfall;
  readonly overcharge?: Money;
  /** Rows beside those to send that a later batch holds. */
  readonly superseded?: number;
}

/** Two rows of each end were there before the run. */
const BEFORE = 2;

function ask(situation: Situation, limits: AdmitPolicy = policy): AdmitResult {
  const { nowMs, toSend, inFlight, idle, service, canary, completed, lost, shortfall, overcharge } = situation;
  const { superseded = 0 } = situation;
  const start = startOfRun([], service.concurrency, true);
  const outcomesAtStart = { ...start.outcomes, completed: BEFORE, failed: BEFORE };
  const outcomes = {
    ...outcomesAtStart,
    unsent: toSend + superseded,
    completed: BEFORE + completed,
    failed: BEFORE + lost,
  };
  const state: RunState = {
    ...start,
    outcomes,
    outcomesAtStart,
    unsentSuperseded: superseded,
    inFlight: new Set(Array.from({ length: inFlight }, (_, index) => `o${index}` as OrderId)),
    isIdle: idle,
    service,
    ...(shortfall && { shortfall }),
    ...(overcharge && { chargedAbove: overcharge }),
  };
  const base = canary && {
    completed: outcomes.completed - canary.completed,
    open: -canary.open,
    lost: outcomes.failed - canary.lost,
  };
  const record = canary && base && { rows: canary.rows, base };
  return admit(state, { overchargeMost: kes(0n), ...limits, canary: record }, nowMs);
}

const free: Situation = {
  nowMs: 1_000_000,
  toSend: 10,
  inFlight: 0,
  idle: false,
  service: well,
  completed: 0,
  lost: 0,
};
const trouble: Trouble = {
  sinceMs: 1_000_000,
  lastMs: 1_000_000,
  tag: 'ambiguous',
  reason: 'a page',
  unread: 3,
  throttled: 0,
  unreached: 0,
  trials: 0,
  unreadTrials: 0,
};
const ALL: AdmitResult = { do: 'claim', rows: Number.POSITIVE_INFINITY, orders: Number.POSITIVE_INFINITY };

const serviceWith = (changes: Partial<ServiceState>): Situation => ({ ...free, service: { ...well, ...changes } });
const troubledBy = (changes: Partial<Trouble>, rest: Partial<Situation> = {}): Situation => ({
  ...serviceWith({ wary: true, trouble: { ...trouble, ...changes } }),
  ...rest,
});
/** Throttled once, and asked to stay away for so long. */
const askedFor = (askedMs: number): Situation =>
  serviceWith({ trouble: { ...trouble, tag: 'throttled', unread: 0, throttled: 1, askedMs } });
const canaryOf = (changes: Partial<CanaryState>, rest: Partial<Situation> = {}): Situation => ({
  ...free,
  ...rest,
  canary: { rows: 5, completed: 0, open: 0, lost: 0, ...changes },
});

describe('an order may be claimed', () => {
  test('when nothing speaks against it', () => {
    expect(ask(free, policy)).toEqual(ALL);
  });

  test.each<readonly [string, Situation]>([
    [
      'one answer that nobody can read',
      troubledBy({ unread: 1 }, { service: { ...well, trouble: { ...trouble, unread: 1 } } }),
    ],
    ['two of them', serviceWith({ trouble: { ...trouble, unread: 2 } })],
    ['four rounds that were throttled', serviceWith({ trouble: { ...trouble, unread: 0, throttled: 4 } })],
    ['four rounds that never left', serviceWith({ trouble: { ...trouble, unread: 0, unreached: 4 } })],
    ['two rounds of refused credentials', serviceWith({ unauthorised: 2 })],
    ['nine refusals', serviceWith({ refused: 9 })],
    ['two refusals of the form of our ids', serviceWith({ refusedIds: 2 })],
    ['a request to stay away for as long as is waited', askedFor(policy.outageMs)],
    ['19 rows without payment, and none paid', { ...free, lost: 19 }],
    ['any number of rows without payment, and one paid', { ...free, lost: 900, completed: 1 }],
    [
      'a long time since two answers that nobody can read',
      serviceWith({ trouble: { ...trouble, unread: 2, sinceMs: 0 } }),
    ],
  ])('after %s', (_name, state) => {
    expect(ask(state, policy)).toEqual(ALL);
  });

  test('up to what may be in flight after a pause, until the service is relied on again', () => {
    expect(ask({ ...serviceWith({ wary: true }), inFlight: 12 }, policy)).toMatchObject({ do: 'claim', orders: 4 });
    expect(ask({ ...serviceWith({ wary: true }), inFlight: 20 }, policy)).toMatchObject({ do: 'claim', orders: 0 });
  });
});

describe('sending pauses', () => {
  test.each<readonly [string, Partial<Trouble>]>([
    ['three answers that nobody can read', { unread: 3 }],
    ['five rounds that were throttled', { unread: 0, throttled: 5 }],
    ['five rounds that never left', { unread: 0, unreached: 5 }],
  ])('after %s, and one order goes alone when the pause is over', (_name, changes) => {
    expect(ask(troubledBy(changes), policy)).toEqual({ do: 'wait', ms: 500 });
    expect(ask(troubledBy(changes, { nowMs: 1_000_499 }), policy)).toEqual({ do: 'wait', ms: 1 });
    expect(ask(troubledBy(changes, { nowMs: 1_000_500 }), policy)).toMatchObject({ do: 'trial', orders: 1 });
  });

  test('for twice as long after every order that went alone, up to the longest pause', () => {
    const waits = [0, 1, 2, 3, 4, 5].map((trials) => ask(troubledBy({ tag: 'not-sent', trials }), policy));
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000].map((ms) => ({ do: 'wait', ms })));
  });

  test('and nobody goes alone while another order is under way', () => {
    expect(ask(troubledBy({}, { nowMs: 2_000_000, inFlight: 1 }), policy).do).toBe('wait');
  });
});

describe('sending stops', () => {
  const stops: readonly (readonly [StopWhy, string, Situation])[] = [
    ['credentials', 'at the third round of refused credentials', serviceWith({ unauthorised: 3 })],
    ['permission', 'at the third round of a missing permission', serviceWith({ unauthorised: 3, forbidden: true })],
    ['refusals', 'at the tenth refusal in a row', serviceWith({ refused: 10 })],
    ['identifiers', 'at the third refusal of the form of our ids', serviceWith({ refusedIds: 3 })],
    ['throttled', 'when the service asks for a longer pause than is waited', askedFor(policy.outageMs + 1)],
    [
      'unreadable',
      'when six orders went alone and nobody could read the answers',
      troubledBy({ trials: 6, unreadTrials: 6 }),
    ],
    ['unreadable', 'when nobody could read them for too long', troubledBy({ trials: 1, sinceMs: 940_000 })],
    ['unreachable', 'when nothing left for too long', troubledBy({ tag: 'not-sent', trials: 9, sinceMs: 940_000 })],
    [
      'throttled',
      'when the service took nothing for too long',
      troubledBy({ tag: 'throttled', trials: 9, sinceMs: 940_000 }),
    ],
    ['canary', 'when one row of those ahead was lost', canaryOf({ completed: 4, lost: 1 })],
    [
      'canary',
      'when rows ahead have no end and nobody looks any more',
      canaryOf({ completed: 4, open: 1 }, { idle: true }),
    ],
    ['none-paid', 'when the first twenty rows that ended were not paid', { ...free, lost: 20 }],
    ['balance', 'when the wallet does not suffice', { ...free, shortfall: { balance: kes(1n), needed: kes(2n) } }],
    ['fees', 'when fees are too high', { ...free, overcharge: kes(1n) }],
  ];

  test.each(stops)('(%s) %s', (why, _name, state) => {
    expect(ask(state, policy)).toEqual({ do: 'stop', why });
  });

  test.each(stops)('(%s) %s, but not when nothing waits to be sent', (_why, _name, state) => {
    expect(ask({ ...state, toSend: 0 }, policy)).toEqual({ do: 'claim', rows: 0, orders: 0 });
  });

  test.each(stops)('(%s) %s, but not for rows that a later batch holds', (_why, _name, state) => {
    expect(ask({ ...state, toSend: 0, superseded: 3 }, policy)).toEqual({ do: 'claim', rows: 0, orders: 0 });
  });

  test('(fees) above what was allowed, and not at it', () => {
    const five = { ...policy, overchargeMost: kes(5n) };
    expect(ask({ ...free, overcharge: kes(5n) }, five)).toEqual(ALL);
    expect(ask({ ...free, overcharge: kes(6n) }, five)).toEqual({ do: 'stop', why: 'fees' });
  });

  test('(failures) after as many rows without payment as the operator allows, however many were paid', () => {
    const two = { ...policy, stopAfterFailures: 2 };
    expect(ask({ ...free, lost: 1, completed: 500 }, two)).toEqual(ALL);
    expect(ask({ ...free, lost: 2, completed: 500 }, two)).toEqual({ do: 'stop', why: 'failures' });
  });

  test('for no failure of rows when the operator says 0', () => {
    expect(ask({ ...free, lost: 500 }, { ...policy, stopAfterFailures: 0 })).toEqual(ALL);
  });
});

describe('rows that go ahead alone', () => {
  test.each<readonly [string, Partial<CanaryState>, number]>([
    ['nothing was sent', {}, 5],
    ['two are open', { open: 2 }, 3],
    ['two are open and one is completed', { open: 2, completed: 1 }, 2],
    ['all are open', { open: 5 }, 0],
    ['an order of many lines went too far', { open: 7 }, 0],
    ['one of an earlier run came to its end meanwhile', { completed: 1, open: -1 }, 5],
  ])('leave room when %s', (_name, state, rows) => {
    expect(ask(canaryOf(state), policy)).toMatchObject({ do: 'claim', rows });
  });

  test('leave room for those that were not sent, though nobody looks at the others any more', () => {
    const state = canaryOf({ open: 2, completed: 1 }, { idle: true });
    expect(ask(state, policy)).toMatchObject({ do: 'claim', rows: 2 });
  });

  test.each<readonly [string, Partial<CanaryState>]>([
    ['as many are completed', { completed: 5 }],
    ['more are completed, and others were lost since', { completed: 6, open: 9, lost: 3 }],
    ['none are asked for', { rows: 0, open: 4, lost: 4 }],
  ])('hold nothing back when %s', (_name, state) => {
    expect(ask(canaryOf(state, { idle: true, completed: 1 }), policy)).toEqual(ALL);
  });

  test('go one by one while sending pauses', () => {
    const state = { ...troubledBy({}, { nowMs: 2_000_000 }), canary: { rows: 5, completed: 0, open: 5, lost: 0 } };
    expect(ask(state, policy)).toEqual({ do: 'trial', rows: 0, orders: 1 });
  });
});

describe('whatever the state', () => {
  const few = fc.nat({ max: 25 });
  const troubles: fc.Arbitrary<Trouble> = fc.record({
    sinceMs: fc.nat({ max: 1_000_000 }),
    lastMs: fc.integer({ min: 900_000, max: 1_000_000 }),
    tag: fc.constantFrom('ambiguous', 'throttled', 'not-sent'),
    reason: fc.constant('a page'),
    unread: few,
    throttled: few,
    unreached: few,
    trials: few,
    unreadTrials: few,
  });
  const standings: fc.Arbitrary<Situation> = fc.record(
    {
      nowMs: fc.constant(1_000_000),
      toSend: few,
      inFlight: few,
      idle: fc.boolean(),
      service: fc
        .record(
          {
            unauthorised: few,
            refused: few,
            concurrency: fc.integer({ min: 1, max: 32 }),
            wary: fc.boolean(),
            trouble: troubles,
          },
          { requiredKeys: ['unauthorised', 'refused', 'concurrency', 'wary'] },
        )
        .map((changes): ServiceState => ({ ...well, ...changes })),
      canary: fc.record({ rows: few, completed: few, open: few, lost: few }),
      completed: few,
      lost: few,
    },
    { requiredKeys: ['nowMs', 'toSend', 'inFlight', 'idle', 'service', 'completed', 'lost'] },
  );

  test('a canary that is not through never has more rows out than were asked for, and none after a loss', () => {
    fc.assert(
      fc.property(standings, (state) => {
        const turn = ask(state, policy);
        const { canary } = state;
        if (turn.do === 'wait' || turn.do === 'stop' || !canary || canary.completed >= canary.rows) return;
        expect(turn.rows === 0 || canary.open + canary.completed + turn.rows <= canary.rows).toBe(true);
        if (state.toSend > 0) expect(canary.lost).toBe(0);
      }),
      { numRuns: 5000 },
    );
  });

  test('nothing but one order alone leaves while sending pauses', () => {
    fc.assert(
      fc.property(standings, (state) => {
        const turn = ask(state, policy);
        const troubled = state.service.trouble;
        if (state.toSend === 0 || !troubled || !isPaused(troubled)) return;
        expect(turn.do).not.toBe('claim');
        if (turn.do === 'trial') expect(state.inFlight).toBe(0);
      }),
      { numRuns: 5000 },
    );
  });

  test('more that speaks against going on never lets more go', () => {
    const freedom = (turn: AdmitResult): number =>
      turn.do === 'stop' ? -1 : turn.do === 'wait' ? 0 : Math.min(turn.rows, turn.orders);
    fc.assert(
      fc.property(standings, (state) => {
        const worse: Situation[] = [
          { ...state, lost: state.lost + 20, completed: 0 },
          { ...state, shortfall: { balance: kes(1n), needed: kes(2n) } },
          { ...state, service: { ...state.service, refused: state.service.refused + 10 } },
        ];
        for (const one of worse) {
          expect(freedom(ask(one, policy))).toBeLessThanOrEqual(freedom(ask(state, policy)));
        }
      }),
      { numRuns: 2000 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AdmitResult,
  admit,
  type CanaryState,
  type ClaimLimits,
  isPaused,
  type RunState,
  type ServiceState,
  type StopWhy,
  type Trouble,
} from '../../src/dispatch/admit.ts';
import { kes } from '../support/amounts.ts';

const limits: ClaimLimits = { outageMs: 60_000, pauseMsFirst: 500, pauseMsMax: 8_000 };
const well: ServiceState = { unauthorised: 0, refused: 0, refusedReason: '', concurrency: 16, wary: false };
const free: RunState = {
  nowMs: 1_000_000,
  toSend: 10,
  inHand: 0,
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
  probes: 0,
  unreadProbes: 0,
};
const ALL: AdmitResult = { do: 'claim', rows: Number.POSITIVE_INFINITY, orders: Number.POSITIVE_INFINITY };

const serviceWith = (changes: Partial<ServiceState>): RunState => ({ ...free, service: { ...well, ...changes } });
const troubledBy = (changes: Partial<Trouble>, rest: Partial<RunState> = {}): RunState => ({
  ...serviceWith({ wary: true, trouble: { ...trouble, ...changes } }),
  ...rest,
});
const canaryOf = (changes: Partial<CanaryState>, rest: Partial<RunState> = {}): RunState => ({
  ...free,
  ...rest,
  canary: { rows: 5, completed: 0, open: 0, lost: 0, ...changes },
});

describe('an order may be claimed', () => {
  test('when nothing speaks against it', () => {
    expect(admit(free, limits)).toEqual(ALL);
  });

  test.each<readonly [string, RunState]>([
    [
      'one answer that nobody can read',
      troubledBy({ unread: 1 }, { service: { ...well, trouble: { ...trouble, unread: 1 } } }),
    ],
    ['two of them', serviceWith({ trouble: { ...trouble, unread: 2 } })],
    ['four rounds that were throttled', serviceWith({ trouble: { ...trouble, unread: 0, throttled: 4 } })],
    ['four rounds that never left', serviceWith({ trouble: { ...trouble, unread: 0, unreached: 4 } })],
    ['two rounds of refused credentials', serviceWith({ unauthorised: 2 })],
    ['nine refusals', serviceWith({ refused: 9 })],
    ['19 rows without payment, and none paid', { ...free, lost: 19 }],
    ['any number of rows without payment, and one paid', { ...free, lost: 900, completed: 1 }],
    [
      'a long time since two answers that nobody can read',
      serviceWith({ trouble: { ...trouble, unread: 2, sinceMs: 0 } }),
    ],
  ])('after %s', (_name, state) => {
    expect(admit(state, limits)).toEqual(ALL);
  });

  test('up to what may be in flight after a pause, until the service is relied on again', () => {
    expect(admit({ ...serviceWith({ wary: true }), inHand: 12 }, limits)).toMatchObject({ do: 'claim', orders: 4 });
    expect(admit({ ...serviceWith({ wary: true }), inHand: 20 }, limits)).toMatchObject({ do: 'claim', orders: 0 });
  });
});

describe('sending pauses', () => {
  test.each<readonly [string, Partial<Trouble>]>([
    ['three answers that nobody can read', { unread: 3 }],
    ['five rounds that were throttled', { unread: 0, throttled: 5 }],
    ['five rounds that never left', { unread: 0, unreached: 5 }],
  ])('after %s, and one order goes alone when the pause is over', (_name, changes) => {
    expect(admit(troubledBy(changes), limits)).toEqual({ do: 'wait', ms: 500 });
    expect(admit(troubledBy(changes, { nowMs: 1_000_499 }), limits)).toEqual({ do: 'wait', ms: 1 });
    expect(admit(troubledBy(changes, { nowMs: 1_000_500 }), limits)).toMatchObject({ do: 'probe', orders: 1 });
  });

  test('for twice as long after every order that went alone, up to the longest pause', () => {
    const waits = [0, 1, 2, 3, 4, 5].map((probes) => admit(troubledBy({ tag: 'not-sent', probes }), limits));
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000].map((ms) => ({ do: 'wait', ms })));
  });

  test('and nobody goes alone while another order is under way', () => {
    expect(admit(troubledBy({}, { nowMs: 2_000_000, inHand: 1 }), limits).do).toBe('wait');
  });
});

describe('sending stops', () => {
  const stops: readonly (readonly [StopWhy, string, RunState])[] = [
    ['credentials', 'at the third round of refused credentials', serviceWith({ unauthorised: 3 })],
    ['permission', 'at the third round of a missing permission', serviceWith({ unauthorised: 3, forbidden: true })],
    ['refusals', 'at the tenth refusal in a row', serviceWith({ refused: 10 })],
    [
      'unreadable',
      'when six orders went alone and nobody could read the answers',
      troubledBy({ probes: 6, unreadProbes: 6 }),
    ],
    ['unreadable', 'when nobody could read them for too long', troubledBy({ probes: 1, sinceMs: 940_000 })],
    ['unreachable', 'when nothing left for too long', troubledBy({ tag: 'not-sent', probes: 9, sinceMs: 940_000 })],
    [
      'throttled',
      'when the service took nothing for too long',
      troubledBy({ tag: 'throttled', probes: 9, sinceMs: 940_000 }),
    ],
    ['canary', 'when one row of those ahead was lost', canaryOf({ completed: 4, lost: 1 })],
    [
      'canary',
      'when rows ahead have no end and nobody looks any more',
      canaryOf({ completed: 4, open: 1 }, { idle: true }),
    ],
    ['none-paid', 'when the first twenty rows that ended were not paid', { ...free, lost: 20 }],
    ['balance', 'when the wallet does not suffice', { ...free, short: { balance: kes(1n), needed: kes(2n) } }],
    ['fees', 'when fees are too high', { ...free, overcharge: kes(1n) }],
  ];

  test.each(stops)('(%s) %s', (why, _name, state) => {
    expect(admit(state, limits)).toEqual({ do: 'stop', why });
  });

  test.each(stops)('(%s) %s, but not when nothing waits to be sent', (_why, _name, state) => {
    expect(admit({ ...state, toSend: 0 }, limits)).toEqual({ do: 'claim', rows: 0, orders: 0 });
  });

  test('(failures) after as many rows without payment as the operator allows, however many were paid', () => {
    const two = { ...limits, stopAfterFailures: 2 };
    expect(admit({ ...free, lost: 1, completed: 500 }, two)).toEqual(ALL);
    expect(admit({ ...free, lost: 2, completed: 500 }, two)).toEqual({ do: 'stop', why: 'failures' });
  });

  test('for no failure of rows when the operator says 0', () => {
    expect(admit({ ...free, lost: 500 }, { ...limits, stopAfterFailures: 0 })).toEqual(ALL);
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
    expect(admit(canaryOf(state), limits)).toMatchObject({ do: 'claim', rows });
  });

  test('leave room for those that were not sent, though nobody looks at the others any more', () => {
    const state = canaryOf({ open: 2, completed: 1 }, { idle: true });
    expect(admit(state, limits)).toMatchObject({ do: 'claim', rows: 2 });
  });

  test.each<readonly [string, Partial<CanaryState>]>([
    ['as many are completed', { completed: 5 }],
    ['more are completed, and others were lost since', { completed: 6, open: 9, lost: 3 }],
    ['none are asked for', { rows: 0, open: 4, lost: 4 }],
  ])('hold nothing back when %s', (_name, state) => {
    expect(admit(canaryOf(state, { idle: true, completed: 1 }), limits)).toEqual(ALL);
  });

  test('go one by one while sending pauses', () => {
    const state = { ...troubledBy({}, { nowMs: 2_000_000 }), canary: { rows: 5, completed: 0, open: 5, lost: 0 } };
    expect(admit(state, limits)).toEqual({ do: 'probe', rows: 0, orders: 1 });
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
    probes: few,
    unreadProbes: few,
  });
  const standings: fc.Arbitrary<RunState> = fc.record(
    {
      nowMs: fc.constant(1_000_000),
      toSend: few,
      inHand: few,
      idle: fc.boolean(),
      service: fc.record(
        {
          unauthorised: few,
          refused: few,
          refusedReason: fc.constant(''),
          concurrency: fc.integer({ min: 1, max: 32 }),
          wary: fc.boolean(),
          trouble: troubles,
        },
        { requiredKeys: ['unauthorised', 'refused', 'refusedReason', 'concurrency', 'wary'] },
      ),
      canary: fc.record({ rows: few, completed: few, open: few, lost: few }),
      completed: few,
      lost: few,
    },
    { requiredKeys: ['nowMs', 'toSend', 'inHand', 'idle', 'service', 'completed', 'lost'] },
  );

  test('a canary that is not through never has more rows out than were asked for, and none after a loss', () => {
    fc.assert(
      fc.property(standings, (state) => {
        const turn = admit(state, limits);
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
        const turn = admit(state, limits);
        const troubled = state.service.trouble;
        if (state.toSend === 0 || !troubled || !isPaused(troubled)) return;
        expect(turn.do).not.toBe('claim');
        if (turn.do === 'probe') expect(state.inHand).toBe(0);
      }),
      { numRuns: 5000 },
    );
  });

  test('more that speaks against going on never lets more go', () => {
    const freedom = (turn: AdmitResult): number =>
      turn.do === 'stop' ? -1 : turn.do === 'wait' ? 0 : Math.min(turn.rows, turn.orders);
    fc.assert(
      fc.property(standings, (state) => {
        const worse: RunState[] = [
          { ...state, lost: state.lost + 20, completed: 0 },
          { ...state, short: { balance: kes(1n), needed: kes(2n) } },
          { ...state, service: { ...state.service, refused: state.service.refused + 10 } },
        ];
        for (const one of worse) {
          expect(freedom(admit(one, limits))).toBeLessThanOrEqual(freedom(admit(state, limits)));
        }
      }),
      { numRuns: 2000 },
    );
  });
});

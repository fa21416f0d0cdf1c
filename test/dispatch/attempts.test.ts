/** The search for other orders of a row, beside a service of which the test knows what it holds. */
import { describe, expect, test } from 'vitest';
import type { LookUpResult } from '../../src/dispatch/look-up.ts';
import { Attempts, type OthersResult } from '../../src/dispatch/other-rows.ts';
import { type Attempt, type PlannedOrder, plannedFact } from '../../src/domain/batch.ts';
import type { Fact } from '../../src/domain/fact.ts';
import type { BatchId, OrderId, TraceNumber } from '../../src/domain/ids.ts';
import { advance, type OrderState } from '../../src/domain/order.ts';
import type { StoredOrder } from '../../src/ledger/orders.ts';
import { kes } from '../support/amounts.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { doubted } from './doubted-order.ts';

const ROW = 7;

const order: StoredOrder = {
  position: 1,
  state: { ...doubted, attempt: 2 },
  version: 3,
  commitments: { body: '', origin: '', rows: [], charges: [] },
  body: 'its body',
  origin: 'its origin',
  salt: 'its salt',
  batch: 'b' as BatchId,
  dueAt: null,
};

/** Another order of the row: `2` is the same attempt, grouped otherwise. */
const besides = (attempt: number): PlannedOrder => ({
  id: `attempt ${attempt}` as OrderId,
  submission: 'payment-order',
  attempt,
  body: `body ${attempt}`,
  origin: `origin ${attempt}`,
  lines: [{ trace: `t${attempt}` as TraceNumber, row: ROW, amount: kes(100n) }],
});
const others = [2, 3, 4, 5].map(besides);

/** A record of an attempt that the service holds, and that is not final. */
const record = (attempt: number): Fact => ({
  type: 'order-observed',
  order: besides(attempt).id,
  at: 5_000,
  processed: false,
  lines: [],
});

/** Attempts beside a service that answers as `seen` says of some of them, and does not know the others. */
function attemptsAt(seen: Readonly<Record<number, LookUpResult>>) {
  const clock = new FakeClock();
  const asked: string[] = [];
  const states: OrderState[] = [];
  const rows: Attempt[] = [];
  const attempts = new Attempts({
    clock,
    otherOrdersOf(attempt) {
      rows.push(attempt);
      return others;
    },
    async resultOf(state, body) {
      asked.push(`${state.id}: ${body}`);
      states.push(state);
      return seen[state.attempt] ?? { seen: 'unknown', facts: [] };
    },
  });
  return { attempts, clock, asked, states, rows };
}

const questions = (...numbers: readonly number[]): readonly string[] => numbers.map((n) => `attempt ${n}: body ${n}`);

describe('the other orders of a row', () => {
  test('are asked for one after the other, each by its own id and body, as of one that was planned', async () => {
    const { attempts, clock, asked, states, rows } = attemptsAt({});
    expect(await attempts.after(order, ROW, 'all')).toEqual({ seen: 'unknown' });
    expect(asked).toEqual(questions(2, 3, 4, 5));
    expect(states).toEqual(others.map((other) => advance(undefined, plannedFact(other, clock.now()))));
    expect(rows).toEqual([{ row: ROW, state: order.state, body: order.body, origin: order.origin }]);
  });

  test('are asked for up to the one that the service holds, which stands as its record says', async () => {
    const { attempts, asked, states } = attemptsAt({ 3: { seen: 'found', facts: [record(3)] } });
    const found: OthersResult = await attempts.after(order, ROW, 'all');
    const planned = states.find(({ attempt }) => attempt === 3);
    expect(found).toEqual({
      seen: 'found',
      order: besides(3),
      facts: [record(3)],
      state: planned && advance(planned, record(3)),
    });
    expect(found.seen === 'found' && found.state.phase).toBe('accepted');
    expect(asked).toEqual(questions(2, 3));
  });

  test('are asked for up to the one of which the service says nothing clear', async () => {
    const { attempts, asked } = attemptsAt({ 4: { seen: 'unclear', facts: [], reason: 'HTTP 502' } });
    expect(await attempts.after(order, ROW, 'all')).toEqual({ seen: 'unclear', order: besides(4) });
    expect(asked).toEqual(questions(2, 3, 4));
  });

  test('are those of the same attempt and the next one alone where no more can have been made', async () => {
    const { attempts, asked } = attemptsAt({ 4: { seen: 'found', facts: [record(4)] } });
    expect(await attempts.after(order, ROW, 'next')).toEqual({ seen: 'unknown' });
    expect(asked).toEqual(questions(2, 3));
  });
});

describe('asked again', () => {
  test('what was absent is not looked up a second time, at whatever depth', async () => {
    const { attempts, asked } = attemptsAt({});
    await attempts.after(order, ROW, 'next');
    expect(asked).toEqual(questions(2, 3));
    expect(await attempts.after(order, ROW, 'all')).toEqual({ seen: 'unknown' });
    expect(asked).toEqual(questions(2, 3, 4, 5));
    expect(await attempts.after(order, ROW, 'all')).toEqual({ seen: 'unknown' });
    expect(asked).toHaveLength(4);
  });

  test.each(['found', 'unclear'] as const)('what was %s is looked up once more', async (seen) => {
    const { attempts, asked } = attemptsAt({ 3: { seen, facts: [] } });
    for (let times = 0; times < 2; times++) expect((await attempts.after(order, ROW, 'all')).seen).toBe(seen);
    expect(asked).toEqual(questions(2, 3, 3));
  });
});

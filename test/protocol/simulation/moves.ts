/**
 * Counts what the real `advance` made of the facts of a ledger: phase, event, phase. It judges nothing (`trace.ts` does, by an
 * automaton of its own); it tells which of its moves a campaign has made.
 */

import type { SqlRow } from '../../../src/database/database.ts';
import type { RejectEnd } from '../../../src/dispatch/reject.ts';
import type { BatchFact, Fact } from '../../../src/domain/fact.ts';
import { advance, type OrderPhase, type OrderState } from '../../../src/domain/order.ts';
import { decodeFact } from '../../../src/ledger/facts.ts';
import type { Case } from './judge.ts';

/** The fact that a row of `factsOf` holds, of an order. */
const factIn = (row: SqlRow): Fact =>
  decodeFact({
    batch: row['batch'] as BatchFact['batch'], // as stored
    order: row['order_id'] as Fact['order'], // as stored
    type: String(row['type']),
    at: Number(row['happened_at']),
    data: String(row['data']),
    text: row['text'] === null ? undefined : String(row['text']),
  }) as Fact; // what belongs to a batch is left out

/** How the orders stand, by their ids. `facts`: as `factsOf` gives them. */
export function statesIn(facts: readonly SqlRow[]): ReadonlyMap<string, OrderState> {
  const states = new Map<string, OrderState>();
  for (const row of facts) {
    const order = row['order_id'];
    if (typeof order === 'string') states.set(order, advance(states.get(order), factIn(row)));
  }
  return states;
}

export function countMoves({ witness }: Pick<Case, 'witness'>, facts: readonly SqlRow[]): void {
  const states = new Map<string, OrderState>();
  for (const row of facts) {
    if (row['order_id'] === null) continue;
    const fact = factIn(row);
    const before = states.get(fact.order);
    const after = advance(before, fact);
    states.set(fact.order, after);
    witness.moved(moveName(before?.phase ?? 'none', eventOf(fact), after.phase));
    if (before?.lines.some(({ phase }) => phase === 'completed') && after.alarms.length > before.alarms.length) {
      witness.passed('T16');
    }
  }
}

const eventOf = (fact: Fact): string => {
  const name = fact.type.slice('order-'.length);
  return fact.type === 'order-answered' ? `${name} ${fact.tag}` : name;
};

const moveName = (from: OrderPhase | 'none', event: string, to: OrderPhase): string => `${from} | ${event} | ${to}`;

const answers = ['exists', 'refused', 'unauthorised', 'throttled', 'not-sent', 'ambiguous'] as const;
const each = (from: OrderPhase | 'none', events: readonly string[], to: OrderPhase): readonly string[] =>
  events.map((event) => moveName(from, event, to));

/** What somebody was told of a row that was to be stopped, by the phase of its order before. */
export const rejectMove = (from: string, end: RejectEnd): string => `${from} | reject | ${end}`;

const rejects = (from: OrderPhase, ends: readonly RejectEnd[]): readonly string[] =>
  ends.map((end) => rejectMove(from, end));

/** Every move that a run, a retry, a rejection or a person's word can make in these worlds. */
export const expectedMoves: readonly string[] = [
  ...rejects('planned', ['unsent', 'unknown']),
  ...rejects('claimed', ['rejected', 'escaped', 'ended', 'unknown', 'not-stoppable']),
  ...rejects('in-doubt', ['rejected', 'escaped', 'ended', 'unknown', 'unsent', 'not-stoppable']),
  ...rejects('accepted', ['rejected', 'escaped', 'ended', 'unknown', 'not-stoppable']),
  ...rejects('settled', ['escaped', 'unknown']),
  ...(['planned', 'claimed', 'in-doubt', 'accepted', 'settled'] as const).flatMap((phase) =>
    each(phase, ['reject-requested'], phase),
  ),
  ...each('none', ['planned'], 'planned'),
  ...each('planned', ['claimed'], 'claimed'),
  ...each('planned', ['observed'], 'accepted'),
  ...each('planned', ['observed'], 'settled'),
  ...each('planned', ['alarmed'], 'planned'),
  ...each('claimed', ['answered accepted'], 'accepted'),
  ...each(
    'claimed',
    answers.map((tag) => `answered ${tag}`),
    'in-doubt',
  ),
  ...each('claimed', ['unknown'], 'in-doubt'),
  ...each('claimed', ['observed'], 'accepted'),
  ...each('claimed', ['observed'], 'settled'),
  ...each('claimed', ['overdue', 'alarmed'], 'claimed'),
  ...each('in-doubt', ['claimed'], 'claimed'),
  ...each('in-doubt', ['unknown', 'overdue', 'alarmed', 'resolved', 'said-absent'], 'in-doubt'),
  ...each('in-doubt', ['observed'], 'accepted'),
  ...each('in-doubt', ['observed'], 'settled'),
  ...each('in-doubt', ['refused'], 'refused'),
  ...each('accepted', ['observed', 'unknown', 'overdue', 'alarmed'], 'accepted'),
  ...each('accepted', ['observed'], 'settled'),
  ...each('settled', ['observed', 'alarmed', 'unknown', 'resolved', 'retried'], 'settled'),
  ...each('refused', ['retried', 'unknown'], 'refused'),
  ...each('in-doubt', ['resolved'], 'settled'),
  ...each('accepted', ['resolved'], 'settled'),
];

/**
 * Reads the facts of each order as the ledger keeps them and asks whether the protocol allows them in this order
 * (`failures.md` sections 3.4 and 3.5). An automaton of its own; it also counts the transitions for the coverage.
 */
import type { SqlRow } from '../../../src/database/database.ts';
import type { Case } from './judge.ts';

/** What an order may be, as far as its facts show. */
type OrderStage = 'none' | 'planned' | 'claimed' | 'open' | 'held' | 'refused' | 'resolved';

/** From a stage by the type of a fact; a fact that is missing here may not follow. */
const allowed: Readonly<Record<OrderStage, Readonly<Record<string, OrderStage>>>> = {
  none: { 'order-planned': 'planned' },
  planned: {
    'order-claimed': 'claimed',
    'order-observed': 'held',
    'order-alarmed': 'planned',
    'order-reject-requested': 'planned',
  },
  claimed: {
    'order-claimed': 'claimed',
    'order-answered': 'open',
    'order-unknown': 'open',
    'order-observed': 'held',
    'order-overdue': 'claimed',
    'order-alarmed': 'claimed',
    'order-resolved': 'resolved',
    'order-reject-requested': 'claimed',
    'order-said-absent': 'claimed',
  },
  open: {
    'order-claimed': 'claimed',
    'order-unknown': 'open',
    'order-observed': 'held',
    'order-refused': 'refused',
    'order-overdue': 'open',
    'order-alarmed': 'open',
    'order-resolved': 'resolved',
    'order-reject-requested': 'open',
    'order-said-absent': 'open',
  },
  held: {
    'order-answered': 'held',
    'order-unknown': 'held',
    'order-observed': 'held',
    'order-overdue': 'held',
    'order-alarmed': 'held',
    'order-resolved': 'resolved',
    'order-retried': 'held',
    'order-reject-requested': 'held',
  },
  refused: {
    'order-observed': 'held',
    'order-alarmed': 'refused',
    'order-retried': 'refused',
    'order-unknown': 'refused',
  },
  // A person's word does not stop the service's from being heard; it is never claimed again.
  resolved: {
    'order-answered': 'resolved',
    'order-unknown': 'resolved',
    'order-observed': 'resolved',
    'order-overdue': 'resolved',
    'order-alarmed': 'resolved',
    'order-resolved': 'resolved',
    'order-retried': 'resolved',
    'order-reject-requested': 'resolved',
  },
};

/** The transition of the reference that a fact stands for. */
function transitionOf(type: string, stage: OrderStage, data: string): string | undefined {
  switch (type) {
    case 'order-planned':
      return 'T0';
    case 'order-claimed':
      return stage === 'planned' ? 'T2' : 'T6 (claim)';
    case 'order-answered':
      return data.includes('"tag":"accepted"') ? 'T4' : 'T5';
    case 'order-observed':
      return 'T7';
    case 'order-refused':
      return 'T13';
    case 'order-overdue':
      return 'T14';
    case 'order-alarmed':
      return 'T9';
    case 'order-retried':
      return 'T15';
    default:
      return undefined;
  }
}

const statusTransitions: readonly (readonly [needle: string, transition: string])[] = [
  ['"status":4', 'T8'],
  ['"status":7', 'T10'],
  ['"status":8', 'T11'],
];

export function judgeTraces({ witness }: Case, facts: readonly SqlRow[]): void {
  const stages = new Map<string, OrderStage>();
  for (const { order_id, type, data } of facts) {
    if (typeof order_id !== 'string') continue;
    const before = stages.get(order_id) ?? 'none';
    const after = allowed[before][String(type)];
    const text = String(data);
    if (after === undefined) {
      witness.violated('M23', `${order_id.slice(0, 8)}: ${type} follows when the order is ${before}`);
      return;
    }
    // An acceptance says that the service has it, as a look-up does.
    stages.set(
      order_id,
      before !== 'resolved' && type === 'order-answered' && text.includes('"tag":"accepted"') ? 'held' : after,
    );
    const transition = transitionOf(String(type), before, text);
    if (transition) witness.passed(transition);
    if (type !== 'order-observed') continue;
    for (const [needle, passed] of statusTransitions) if (text.includes(needle)) witness.passed(passed);
  }
}

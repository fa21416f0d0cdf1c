/**
 * Turns payouts into orders: identities are derived, routes are filled in, and the exact body is rendered once. Every
 * submission of an order, today or after a crash, sends those bytes.
 */
import type { Payout, PlannedBlock, PlannedOrder, PlannedRow } from '../domain/batch.ts';
import { type AttemptIdentity, type BatchId, type BatchKey, type OrderId, orderIdOf, rowKeyOf } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { Money } from '../domain/money.ts';
import type { Settings } from '../domain/settings.ts';
import type { StagedRow, Staging } from '../domain/staging.ts';
import { settled } from '../service/submissions/order-body.ts';
import type { BodyTerms } from '../service/submissions/submission.ts';
import { commonNote, draftOfRow, orderGroups } from './order-groups.ts';
import { type OriginLine, orderFrom, rowIdentity } from './order-origin.ts';

/** What preflight agreed with the service, and what every order carries. */
export interface OrderTerms extends BodyTerms {
  chargeOf(payout: Payout): Money;
}

export interface OrderPlan extends OrderTerms {
  readonly namespace: string;
  readonly batchKey: BatchKey;
  /** Most lines of an order that may have several; other orders carry one payout each. */
  readonly linesPerOrder: number;
}

/** The first attempt at every row. Later attempts follow only a definite failure, and are never made here. */
const ATTEMPT = 1;

/** A batch before it is recorded, with its staged rows. */
interface StagedBatch {
  readonly batch: BatchId;
  readonly key: BatchKey;
  readonly staging: Staging;
}

/** Returns all rows and orders of a batch as they are recorded, with the exact bytes that are sent. Every call returns the same. */
export function planBlocks(
  { batch, key, staging }: StagedBatch,
  terms: Omit<OrderTerms, 'notes'>,
  settings: Pick<Settings, 'organisation' | 'idNamespace' | 'sending'>,
): Iterable<PlannedBlock> {
  const { organisation, idNamespace: namespace, sending } = settings;
  const identity = { namespace, batchKey: key, linesPerOrder: sending.linesPerOrder };
  return planOrders(staging, { ...terms, ...identity, notes: `${organisation} ${batch}` });
}

/** Yields all rows and orders of a batch, in sheet order, in blocks. The place of an order is that of its first row. */
export function* planOrders(staging: Staging, plan: OrderPlan): Generator<PlannedBlock> {
  const occurrences = new Occurrences(staging);
  for (const staged of staging.blocks()) {
    const setAside = staged.filter(({ payout }) => !payout);
    const rows: PlannedRow[] = setAside.map(({ row, leftOut, texts, issues }) => ({
      row,
      ...(leftOut && { leftOut }),
      texts,
      issues,
    }));
    const orders: PlannedOrder[] = [];
    for (const group of orderGroups(payoutsOf(staged, plan, occurrences), plan.linesPerOrder)) {
      const order = orderOf(group, plan);
      orders.push(order);
      // A row and its line are paired by the trace number, even if the service does not receive that number.
      for (const [index, { trace }] of order.lines.entries()) {
        const payout = group[index];
        invariant(payout, 'an order has a line for each of its payouts');
        rows.push({ ...payout.row, order: order.id, trace });
      }
    }
    // Rows that are set aside come first here, and a row with its own order overtakes rows whose order is still open.
    const firstRow = ({ lines: [line] }: PlannedOrder): number => line?.row ?? 0;
    yield { rows: rows.sort((a, b) => a.row - b.row), orders: orders.sort((a, b) => firstRow(a) - firstRow(b)) };
  }
}

/** Yields, for each row, the id of an order that begins with that row: a lost ledger may have grouped the rows otherwise. */
export function* idsOfRows(staging: Staging, identity: Omit<AttemptIdentity, 'attempt'>): Generator<OrderId> {
  const occurrences = new Occurrences(staging);
  for (const block of staging.blocks()) {
    for (const { payout } of block) {
      if (!payout) continue;
      const rowKey = rowKeyOf(rowIdentity(payout), occurrences.next(payout));
      yield orderIdOf({ ...identity, attempt: ATTEMPT }, rowKey);
    }
  }
}

interface PlannedPayout extends OriginLine {
  readonly row: PlannedRow & { readonly payout: Payout };
}

function* payoutsOf(staged: readonly StagedRow[], plan: OrderPlan, occurrences: Occurrences): Generator<PlannedPayout> {
  for (const row of staged) {
    const payout = payoutOf(row, plan, occurrences);
    if (payout) yield payout;
  }
}

function payoutOf(staged: StagedRow, plan: OrderPlan, occurrences: Occurrences): PlannedPayout | undefined {
  const { payout, row, texts, issues } = staged;
  const draft = draftOfRow(staged);
  if (!payout) return undefined;
  invariant(draft, 'no sheet is planned while its rows lack settings');
  const rowKey = rowKeyOf(rowIdentity(payout), occurrences.next(payout));
  return {
    row: { row, payout, charge: plan.chargeOf(payout), texts, issues },
    rowKey,
    draft: settled(draft, payout, plan),
  };
}

function orderOf(payouts: readonly PlannedPayout[], plan: OrderPlan): PlannedOrder {
  const lines = payouts.map(({ rowKey, draft }) => ({ rowKey, draft }));
  const rows = payouts.map(({ row: { row, payout } }) => ({ row, amount: payout.amount }));
  // The note of a single row is sent with its own line.
  const shared = payouts.length > 1 ? commonNote(payouts.map(({ row: { payout } }) => payout.note)) : undefined;
  const notes = shared ?? plan.notes;
  return orderFrom({ ...plan, attempt: ATTEMPT }, { ...plan, notes, lines }, rows);
}

/** Counts identical rows without a reference, so that two equal payments of one sheet remain two. */
class Occurrences {
  readonly #counted: boolean;
  readonly #seen = new Map<string, number>();

  constructor(staging: Staging) {
    this.#counted = staging.identicalRows().length > 0;
  }

  next({ reference, payee, amount }: Payout): number {
    // A row with a reference is known by that, so the key of a row without one does not depend on it.
    if (!this.#counted || reference !== undefined) return 1;
    const key = `${payee}|${amount.minor}|${amount.currency}`;
    const occurrence = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, occurrence);
    return occurrence;
  }
}

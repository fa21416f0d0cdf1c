/**
 * Payouts become orders: identities are derived, routes are put in, and the exact body is rendered once. Every
 * submission of an order, today or after a crash, sends those bytes.
 */
import { type LineDraft, type PaymentOrder, type PaymentOrderLine, paymentOrder } from '../contract/payment-order.ts';
import type { PlannedBlock, PlannedOrder, PlannedRow } from '../domain/batch.ts';
import { type BatchKey, orderIdOf, type RowKey, rowKeyOf, sha256, traceNumberOf } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { Money } from '../domain/money.ts';
import type { KindName, Payout } from '../domain/payout.ts';
import type { RouteSettings } from '../domain/settings.ts';
import type { StagedRow, Staging } from '../domain/staging.ts';
import { rowIdentity } from './row-identity.ts';

export interface OrderPlan {
  readonly organisation: string;
  readonly batchKey: BatchKey;
  readonly linesPerOrder: number;
  /** Goes with every order as `paymentNotes`. */
  readonly notes: string;
  routeOf(kind: KindName): RouteSettings;
  chargeOf(payout: Payout): Money;
}

/** First attempt of every row. A later attempt follows only a definite failure, and never from here. */
const ATTEMPT = 1;
/** Characters of a trace number that stand for a missing reference: enough to tell the rows of a batch apart. */
const MADE_REFERENCE_CHARACTERS = 13;

/** All rows and orders of a batch, in sheet order, in blocks. */
export function* planOrders(staging: Staging, plan: OrderPlan): Generator<PlannedBlock> {
  const occurrences = new Occurrences(staging);
  for (const staged of staging.blocks()) {
    const rows: PlannedRow[] = [];
    const orders: PlannedOrder[] = [];
    let open: OpenLine[] = [];
    const close = (): void => {
      if (open.length === 0) return;
      const order = orderOf(open, plan);
      orders.push(order);
      for (const line of open) rows.push({ ...line.row, order: order.id });
      open = [];
    };
    for (const row of staged) {
      const line = lineOf(row, plan, occurrences);
      if (line) open.push(line);
      else rows.push({ row: row.row, texts: row.texts, issues: row.issues });
      if (open.length >= plan.linesPerOrder) close();
    }
    close();
    // A row that is set aside overtakes those whose order is still open.
    yield { rows: rows.sort((a, b) => a.row - b.row), orders };
  }
}

interface OpenLine {
  readonly row: PlannedRow & { readonly payout: Payout };
  readonly rowKey: RowKey;
  readonly line: PaymentOrderLine;
}

function lineOf(staged: StagedRow, plan: OrderPlan, occurrences: Occurrences): OpenLine | undefined {
  const { payout, row, texts, issues } = staged;
  if (!payout) return undefined;
  const draft = staged.draft as LineDraft; // staged by the kind that made the payout
  const rowKey = rowKeyOf(rowIdentity(payout), occurrences.next(payout));
  const trace = traceNumberOf({ organisation: plan.organisation, batchKey: plan.batchKey, attempt: ATTEMPT }, rowKey);
  const { routeId, channelType } = plan.routeOf(payout.kind);
  const { amount, reference, accountNo } = draft.transaction;
  return {
    row: { row, payout, trace, charge: plan.chargeOf(payout), texts, issues },
    rowKey,
    line: {
      ...(draft.remitter && { remitter: draft.remitter }),
      recipient: draft.recipient,
      transaction: {
        routeId,
        channelType,
        amount,
        reference: reference ?? trace.slice(0, MADE_REFERENCE_CHARACTERS),
        systemTraceAuditNumber: trace,
        ...(accountNo !== undefined && { accountNo }),
      },
    },
  };
}

function orderOf(lines: readonly OpenLine[], plan: OrderPlan): PlannedOrder {
  const { organisation, batchKey } = plan;
  const id = orderIdOf({ organisation, batchKey, rowKeys: lines.map(({ rowKey }) => rowKey), attempt: ATTEMPT });
  const order: PaymentOrder = {
    originatorConversationId: id,
    paymentNotes: lines.length === 1 ? (lines[0]?.row.payout.note ?? plan.notes) : plan.notes,
    paymentOrderLines: lines.map(({ line }) => line),
  };
  const body = JSON.stringify(paymentOrder.parse(order));
  return {
    id,
    submission: 'payment-order',
    attempt: ATTEMPT,
    body,
    bodySha256: sha256(body),
    lines: lines.map(({ row, line }) => {
      invariant(row.trace === line.transaction.systemTraceAuditNumber, 'a row and its line share a trace number');
      return { trace: row.trace, row: row.row, amount: row.payout.amount };
    }),
  };
}

/** Counts identical rows without a reference, so that two equal payments of one sheet stay two. */
class Occurrences {
  readonly #counted: boolean;
  readonly #seen = new Map<string, number>();

  constructor(staging: Staging) {
    this.#counted = staging.identicalRows().length > 0;
  }

  next({ reference, payee, amount }: Payout): number {
    if (reference !== undefined || !this.#counted) return 1;
    const key = `${payee}|${amount.minor}|${amount.currency}`;
    const occurrence = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, occurrence);
    return occurrence;
  }
}

/**
 * The origin of an order: everything the order was made from. It is kept with the order, so that another attempt at a row
 * starts from what was planned, and not from what can be read out of the bytes that were sent: the sheet and the
 * configuration may have changed since, or be gone.
 */
import type { BatchHeader, KeptOrder, Payout, PlannedOrder } from '../domain/batch.ts';
import type { PlannedLine } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import {
  type AttemptIdentity,
  ContentFingerprint,
  orderIdOf,
  type RowIdentity,
  type RowKey,
  traceNumberOf,
} from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { Staging } from '../domain/staging.ts';
import type { SettledDraft } from '../service/submissions/index.ts';
import { type BodyParts, renderBody } from '../service/submissions/order-body.ts';

export interface OriginLine {
  /** The key of the row; the ids of every attempt at the row follow from it. */
  readonly rowKey: RowKey;
  readonly draft: SettledDraft;
}

/** What an order was made from. Recorded as JSON, with one line for each line of the order. */
export interface OrderOrigin extends BodyParts {
  readonly lines: readonly OriginLine[];
}

/** The parts of a recorded batch from which ids are derived. */
export type IdentifiedBatch = Pick<BatchHeader, 'idNamespace' | 'key'>;

export const identityIn = (batch: IdentifiedBatch, attempt: number): AttemptIdentity => ({
  namespace: batch.idNamespace,
  batchKey: batch.key,
  attempt,
});

/** Returns the order of an attempt: ids, trace numbers and body follow from its origin. `rows` are the rows that its lines pay. */
export function orderFrom(
  identity: AttemptIdentity,
  { notes, callbackUrl, lines }: OrderOrigin,
  rows: readonly Omit<PlannedLine, 'trace'>[],
): PlannedOrder {
  const { attempt } = identity;
  const [first] = lines;
  invariant(first, 'an order pays somebody');
  const id = orderIdOf(identity, first.rowKey);
  const planned = lines.map(({ rowKey }, index): PlannedLine => {
    const paid = rows[index];
    invariant(paid, 'every line of an order pays a row');
    const { row, amount, replaces } = paid;
    const trace = traceNumberOf(identity, rowKey);
    return { trace, row, amount, ...(replaces !== undefined && { replaces }) };
  });
  const parts: OrderOrigin = { notes, callbackUrl, lines };
  const traces = planned.map(({ trace }) => trace);
  const { submission, body } = renderBody(id, traces, parts);
  return { id, submission, attempt, body, origin: JSON.stringify(parts), lines: planned };
}

/**
 * Returns the origin of a recorded order. Throws a Fault `ledger-unsafe` if the order's own ids and body do not follow from
 * it: a row must never be paid again to another payee.
 */
export function originOf({ state, body, origin }: KeptOrder, batch: IdentifiedBatch): OrderOrigin {
  let cause: unknown;
  try {
    const made = JSON.parse(origin) as OrderOrigin; // it was recorded as one, and must make the same order again
    if (orderFrom(identityIn(batch, state.attempt), made, state.lines).body === body) return made;
  } catch (error) {
    // An origin that makes no order at all does not make this one either.
    cause = error;
  }
  throw new Fault(
    'ledger-unsafe',
    `Order ${state.id} does not match what the ledger recorded when it was made. No further attempt was made.`,
    'Run `paybatch verify`: the ledger was changed or damaged.',
    { cause },
  );
}

/** Returns the origin of one row of an order. */
export function originLineOf({ lines }: OrderOrigin, { state }: KeptOrder, row: number): OriginLine {
  const line = lines[state.lines.findIndex((one) => one.row === row)];
  invariant(line, `order ${state.id} pays row ${row}`);
  return line;
}

/** Returns what distinguishes a payout from the others of its batch. */
export const rowIdentity = ({
  reference,
  payee,
  amount,
}: Pick<Payout, 'reference' | 'payee' | 'amount'>): RowIdentity => ({
  ...(reference !== undefined && { reference }),
  payee,
  amountMinor: amount.minor,
  currency: amount.currency,
});

/** Returns the fingerprint of all payable rows that are staged. */
export function fingerprintOf(staging: Pick<Staging, 'payments'>): string {
  const fingerprint = new ContentFingerprint();
  for (const block of staging.payments()) for (const row of block) fingerprint.add(rowIdentity(row), row.name);
  return fingerprint.value();
}

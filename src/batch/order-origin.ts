/**
 * What an order was made of. It is kept with the order, so that another attempt at a row begins with what was planned, and
 * not with what can be read out of bytes that were sent: the sheet may have changed or be gone, the configuration too.
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
  /** Ids of every attempt at the row follow from it. */
  readonly rowKey: RowKey;
  readonly draft: SettledDraft;
}

/** It is recorded as JSON, with one line for each line of the order. */
export interface OrderOrigin extends BodyParts {
  readonly lines: readonly OriginLine[];
}

/** What a recorded batch says of it. */
export type IdentifiedBatch = Pick<BatchHeader, 'idNamespace' | 'key'>;

export const identityIn = (batch: IdentifiedBatch, attempt: number): AttemptIdentity => ({
  namespace: batch.idNamespace,
  batchKey: batch.key,
  attempt,
});

/** The order of an attempt: ids, trace numbers and body follow from what it is made of. `rows` are the ones its lines pay. */
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
 * What a recorded order was made of. Throws a Fault `ledger-unsafe` when its own ids and body do not follow from that: a row
 * is never paid again to somebody else.
 */
export function originOf({ state, body, origin }: KeptOrder, batch: IdentifiedBatch): OrderOrigin {
  let cause: unknown;
  try {
    const made = JSON.parse(origin) as OrderOrigin; // it was recorded as one, and must make the same order again
    if (orderFrom(identityIn(batch, state.attempt), made, state.lines).body === body) return made;
  } catch (error) {
    // What makes no order at all does not make this one.
    cause = error;
  }
  throw new Fault(
    'ledger-unsafe',
    `Order ${state.id} does not follow from what the ledger keeps of its making. No further attempt was made.`,
    'Run `paybatch verify`: the ledger was changed or damaged.',
    { cause },
  );
}

/** What one row of an order was made of. */
export function originLineOf({ lines }: OrderOrigin, { state }: KeptOrder, row: number): OriginLine {
  const line = lines[state.lines.findIndex((one) => one.row === row)];
  invariant(line, `order ${state.id} pays row ${row}`);
  return line;
}

/** What tells a payout from the others of its batch. */
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

/** The fingerprint of all payable rows that are staged. */
export function fingerprintOf(staging: Staging): string {
  const fingerprint = new ContentFingerprint();
  for (const block of staging.payments()) for (const row of block) fingerprint.add(rowIdentity(row), row.name);
  return fingerprint.value();
}

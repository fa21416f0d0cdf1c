/**
 * What a batch may still send beside later batches. Rows that were never sent may stand in one that somebody allowed to
 * repeat them, and rows that failed may have been corrected and paid from another sheet. Of all batches that hold a payment
 * the latest alone may send it, whatever became of it there: what failed there may be retried there.
 */

import type { BatchHeader, ResultRow } from '../../domain/batch.ts';
import { localDate } from '../../domain/clock.ts';
import { Fault } from '../../domain/fault.ts';
import type { BatchId } from '../../domain/ids.ts';
import { moneyText } from '../../domain/money.ts';
import type { OrderPhase } from '../../domain/order.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { StagedPayment, Staging } from '../../domain/staging.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { GuardDeps } from './duplicate-guard.ts';
import { matchPayments, type Payments } from './match-payments.ts';
import { heldDays, isWithin } from './pay-period.ts';

/** Payments that are named of each batch; their count tells of the rest. */
const NAMED_MAX = 3;

export type PaidSinceDeps = Pick<GuardDeps, 'ledger' | 'settings'>;

/** Throws a Fault `already-paid` when, live, a later batch holds staged rows of this one. */
export async function holdPaidSince(batch: BatchHeader, staging: Staging, deps: PaidSinceDeps): Promise<void> {
  const held = await heldElsewhere(batch, staging.payments(), deps);
  if (held.by.size === 0) return;
  throw new Fault(
    'already-paid',
    `${held.text} Nothing was tried again.`,
    `${held.todo} To try others again, name them with --row.`,
  );
}

/** What later batches hold of some payments of a batch. */
export interface HeldElsewhere {
  /** The latest batch that holds the payment, by row. */
  readonly by: ReadonlyMap<number, BatchId>;
  /** Which rows, and where they stand: sentences. */
  readonly text: string;
  /** What to do about them: sentences. */
  readonly todo: string;
}

/** Nothing of a rehearsal is held. */
export async function heldElsewhere(
  batch: BatchHeader,
  payments: Payments,
  deps: PaidSinceDeps,
): Promise<HeldElsewhere> {
  const by = new Map<number, BatchId>();
  const later = await laterBatches(batch, deps);
  const held = new Map(later.map((header) => [header.id, new HeldIn(header)]));
  for await (const { payment, id } of heldIn(later, payments, deps)) {
    by.set(payment.row, id);
    held.get(id)?.add(payment);
  }
  const holding = [...held.values()].filter(({ count }) => count > 0);
  return {
    by,
    text: holding.map((one) => one.text(deps.settings.timezone)).join(' '),
    todo: `${holding.map(({ id }) => `What became of them: \`paybatch status ${id}\`; what failed there: \`paybatch retry ${id}\`.`).join(' ')} What is still owed, or owed once more, goes into a new sheet, with --allow-duplicate "reason".`,
  };
}

/** The rows that a run of the batch might still submit, as payments. */
export async function* sendablePayments(batch: BatchId, ledger: Ledger): AsyncGenerator<readonly StagedPayment[]> {
  if (!(await ledger.tallies(batch)).some(({ outcome }) => sendableOutcomes.has(outcome))) return;
  for await (const block of ledger.resultRows(batch)) {
    yield block.flatMap((found): readonly StagedPayment[] => {
      const { row, payout } = found;
      if (!payout || !isSendable(found)) return [];
      const { name, reference, payee, destination, amount } = payout;
      // Which of several equal rows the other batch pays, nobody can say: each of them may be it.
      return [{ row, name, ...(reference !== undefined && { reference }), payee, destination, amount, occurrence: 1 }];
    });
  }
}

const sendableOutcomes: ReadonlySet<Outcome> = new Set<Outcome>(['unsent', 'in-doubt']);
const sendablePhases: ReadonlySet<OrderPhase> = new Set<OrderPhase>(['planned', 'claimed', 'in-doubt']);

const isSendable = ({ outcome, state }: ResultRow): boolean =>
  sendableOutcomes.has(outcome) && state !== undefined && sendablePhases.has(state.phase);

/** Batches planned after this one that are so near that the same payment in both is one payment; the latest first. */
async function laterBatches(batch: BatchHeader, { ledger, settings }: PaidSinceDeps): Promise<readonly BatchHeader[]> {
  if (settings.sandbox) return [];
  const { duplicates, timezone } = settings;
  // In the order in which they were planned, whatever the clock said then.
  const all = await ledger.batches();
  const later = all.slice(
    0,
    all.findIndex(({ id }) => id === batch.id),
  );
  return later.filter((one) => isWithin(one, batch, heldDays(one, batch, duplicates, timezone)));
}

async function* heldIn(
  later: readonly BatchHeader[],
  payments: Payments,
  { ledger }: PaidSinceDeps,
): AsyncGenerator<{ readonly payment: StagedPayment; readonly id: BatchId }> {
  if (later.length === 0) return;
  const since = Math.min(...later.map(({ plannedAt }) => plannedAt));
  const planned: Parameters<typeof matchPayments>[1] = {
    paymentsTo: (payees, from) => ledger.paymentsTo(payees, from, 'planned'),
    paymentsToOthers: (asked, from) => ledger.paymentsToOthers(asked, from, 'planned'),
  };
  for await (const block of matchPayments(payments, planned, since)) {
    for (const { payment, matches } of block) {
      const same = new Set(matches.filter(({ isSame }) => isSame).map(({ earlier }) => earlier.batch));
      const latest = later.find(({ id }) => same.has(id));
      if (latest) yield { payment, id: latest.id };
    }
  }
}

/** What one later batch holds: its count, and the first few. */
class HeldIn {
  readonly #header: BatchHeader;
  readonly #named: string[] = [];
  count = 0;

  constructor(header: BatchHeader) {
    this.#header = header;
  }

  get id(): BatchId {
    return this.#header.id;
  }

  add({ row, name, amount }: StagedPayment): void {
    this.count += 1;
    if (this.#named.length < NAMED_MAX) this.#named.push(`row ${row} (${name}, ${moneyText(amount)})`);
  }

  text(timezone: string): string {
    const { id, plannedAt, sheet } = this.#header;
    const more = this.count - this.#named.length;
    const named = `${this.#named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return `Batch ${id} of ${localDate(plannedAt, timezone)} (${sheet.name}) was planned later and holds the same payments: ${named}.`;
  }
}

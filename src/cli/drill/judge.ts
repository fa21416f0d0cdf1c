/**
 * Compares the books of the service with the ledger, row by row. It shares nothing with the code that paid: the books are the
 * service's own record.
 */
import type { ResultRow } from '../../domain/batch.ts';
import { decimalOf } from '../../domain/money.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { Books } from '../../sandbox/sandbox.ts';

/** A payment as the service holds it. */
interface HeldPayment {
  readonly amount: string;
  readonly completed: boolean;
}

export interface Judgement {
  readonly payouts: number;
  /** Payouts that the books hold exactly once. */
  readonly once: number;
  readonly twice: number;
  readonly lost: number;
  /** Rows reported as paid that are not paid. */
  readonly falsePaid: number;
  /** Rows that are paid, but reported as definitely unpaid. */
  readonly falseUnpaid: number;
  readonly openAtEnd: number;
  /** Rows of `openAtEnd` that are in doubt and that the service does not hold: only a person can settle them. */
  readonly needWord: number;
  /** The first violations that were found, as sentences. */
  readonly violations: readonly string[];
}

const VIOLATIONS_MAX = 20;

/** Outcomes of rows that the service does not have to hold. */
const neverTaken: ReadonlySet<Outcome> = new Set(['unsent', 'refused', 'invalid', 'left-out']);
/** Outcomes that say definitely that nothing was paid. */
const unpaid: ReadonlySet<Outcome> = new Set(['rejected', 'refused', 'failed', 'unsent', 'invalid', 'left-out']);
const open: ReadonlySet<Outcome> = new Set(['pending', 'in-doubt', 'timed-out', 'unsent']);

/** Judges every row of a batch by the books. `needsWord`: reports whether only a person can settle the order of a row. */
export async function judge(
  rows: AsyncIterable<readonly ResultRow[]>,
  books: Books,
  needsPerson: (row: ResultRow) => Promise<boolean>,
): Promise<Judgement> {
  const held = heldPayments(books);
  const violations: string[] = [];
  const found = { payouts: 0, once: 0, twice: 0, lost: 0, falsePaid: 0, falseUnpaid: 0, openAtEnd: 0, needWord: 0 };
  for await (const block of rows) {
    for (const row of block) {
      if (!row.payout || row.trace === undefined) continue;
      const payments = takeHeld(held, row);
      found.payouts += 1;
      const waits = row.outcome === 'in-doubt' && payments.length === 0 && (await needsPerson(row));
      for (const figure of figuresOf(row.outcome, payments, waits)) found[figure] += 1;
      for (const [figure, says] of waits ? [] : wrongsOf(row.outcome, payments)) {
        found[figure] += 1;
        violations.push(`row ${row.row} (${row.outcome}): ${says}`);
      }
      violations.push(...otherAmounts(row.row, decimalOf(row.payout.amount), payments));
    }
  }
  for (const trace of held.keys()) violations.push(`the books hold a payment that no row asked for (${trace})`);
  return { ...found, violations: violations.slice(0, VIOLATIONS_MAX) };
}

/**
 * Takes the payments of a row out of `held`. A line is known by its trace number; airtime and bills carry none, and each has an
 * order of its own.
 */
function takeHeld(held: Map<string, readonly HeldPayment[]>, { trace, order }: ResultRow): readonly HeldPayment[] {
  const key = trace !== undefined && held.has(trace) ? trace : (order ?? '');
  const payments = held.get(key) ?? [];
  held.delete(key);
  return payments;
}

const otherAmounts = (row: number, asked: string, payments: readonly HeldPayment[]): readonly string[] =>
  payments
    .filter(({ amount }) => amount !== asked)
    .map(({ amount }) => `row ${row}: the books hold ${amount} instead of ${asked}`);

function* figuresOf(
  outcome: Outcome,
  payments: readonly HeldPayment[],
  waits: boolean,
): Generator<'once' | 'openAtEnd' | 'needWord'> {
  if (payments.length === 1) yield 'once';
  if (open.has(outcome)) yield 'openAtEnd';
  if (waits) yield 'needWord';
}

type Wrong = 'twice' | 'lost' | 'falsePaid' | 'falseUnpaid';

function* wrongsOf(outcome: Outcome, payments: readonly HeldPayment[]): Generator<readonly [Wrong, string]> {
  const paid = payments.some(({ completed }) => completed);
  if (payments.length > 1) yield ['twice', `the books hold it ${payments.length} times`];
  if (payments.length === 0 && !neverTaken.has(outcome)) yield ['lost', 'the books do not hold it'];
  if (outcome === 'completed' && !paid) yield ['falsePaid', 'the books have not paid it'];
  if (unpaid.has(outcome) && paid) yield ['falseUnpaid', 'the books have paid it'];
}

function heldPayments({ orders, register }: Books): Map<string, readonly HeldPayment[]> {
  const held = new Map<string, readonly HeldPayment[]>();
  const hold = (key: string, amount: string | null, receipt: string | null): void =>
    void held.set(key, [...(held.get(key) ?? []), { amount: amount ?? '', completed: receipt !== null }]);
  for (const { lines } of orders) for (const { trace, amount, receipt } of lines) hold(trace, amount, receipt);
  for (const { id, parts } of Object.values(register).flat()) {
    for (const { amount, receipt } of parts) hold(id.toLowerCase(), amount, receipt);
  }
  return held;
}

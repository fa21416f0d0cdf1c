/** One row of a batch for programs: plain values under names that do not change. Later versions only add. */
import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import { isoTime } from '../domain/clock.ts';
import { decimalOf, type Money } from '../domain/money.ts';
import type { Outcome } from '../domain/outcome.ts';
import { payAgainOf } from './outcome-view.ts';
import { reasonOf } from './reason.ts';
import { completedAt, debitOf, feeOf, receiptOf } from './row-money.ts';

/** What is not known of a row is missing. Amounts are decimal texts in `currency`, times ISO 8601 in UTC. */
export interface RowRecord {
  readonly batch: string;
  readonly sandbox: boolean;
  /** Name of the file that was paid, and the number of the row in it. */
  readonly sheet: string;
  readonly row: number;
  readonly plannedAt: string;
  readonly outcome: Outcome;
  /** As the workbook says it: `Yes`, `No`, `Check first`. */
  readonly payAgain: string;
  /** Why it stands where it stands, and what to do; empty where there is nothing to say. */
  readonly reason: string;
  /** What stands in its cells, where it was set aside and nothing else is known of it. */
  readonly cells?: readonly string[];
  readonly kind?: string;
  readonly reference?: string;
  readonly name?: string;
  readonly destination?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly feeQuoted?: string;
  readonly feeCharged?: string;
  /** What left the wallet for it. */
  readonly debit?: string;
  readonly receipt?: string;
  readonly completedAt?: string;
  readonly resultCode?: string;
  readonly order?: string;
  readonly serviceId?: string;
  readonly attempt?: number;
}

/** `timezone`: of the times in the reason. */
export function rowRecordOf(row: ResultRow, batch: BatchHeader, timezone: string): RowRecord {
  const { payout, line, state } = row;
  const completed = completedAt(row);
  return {
    batch: batch.id,
    sandbox: batch.sandbox,
    sheet: batch.sheet.name,
    row: row.row,
    plannedAt: isoTime(batch.plannedAt),
    outcome: row.outcome,
    payAgain: payAgainOf(row).word,
    reason: reasonOf(row, timezone),
    ...(payout
      ? {
          kind: payout.kind,
          ...known('reference', payout.reference),
          name: payout.name,
          destination: payout.destination,
          amount: decimalOf(payout.amount),
          currency: payout.amount.currency,
        }
      : { cells: row.texts }),
    ...known('feeQuoted', decimal(row.charge)),
    ...known('feeCharged', decimal(feeOf(row))),
    ...known('debit', decimal(debitOf(row))),
    ...known('receipt', receiptOf(row)),
    ...known('completedAt', completed === undefined ? undefined : isoTime(completed)),
    ...known('resultCode', line?.report?.resultCode),
    ...known('order', state?.id ?? row.order),
    ...known('serviceId', state?.serviceId),
    ...known('attempt', state?.attempt),
  };
}

const decimal = (money: Money | undefined): string | undefined => money && decimalOf(money);

const known = <K extends keyof RowRecord>(name: K, value: RowRecord[K] | undefined): Partial<Pick<RowRecord, K>> =>
  value === undefined ? {} : ({ [name]: value } as Partial<Pick<RowRecord, K>>); // one field of that name

/** One row of a batch as programs read it. */
import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import { isoTime } from '../domain/clock.ts';
import { decimalOf, type Money } from '../domain/money.ts';
import type { RowRecord } from '../domain/row-record.ts';
import { sheetValueText } from '../domain/sheet-value.ts';
import { payAgainOf } from './outcome-view.ts';
import { reasonOf } from './reason.ts';
import { amountOfRow, completedAt, debitOf, feeOf, receiptOf } from './row-money.ts';
import { saidInSheet } from './source.ts';

/** Returns the record of a row. `timezone`: IANA name of the zone for times in the reason. */
export function rowRecordOf(row: ResultRow, batch: BatchHeader, timezone: string): RowRecord {
  const { payout, line, state } = row;
  const completed = completedAt(row);
  const amount = amountOfRow(row);
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
        }
      : { cells: row.texts.map(sheetValueText), ...known('name', nameIn(row, batch)) }),
    ...known('amount', decimal(amount)),
    ...known('currency', amount?.currency),
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

/** Returns the name of a row without a payout, as its sheet has it, because people know the row by its name. */
const nameIn = (row: ResultRow, batch: BatchHeader): string | undefined => saidInSheet(row, batch, 'name') || undefined;

const decimal = (money: Money | undefined): string | undefined => money && decimalOf(money);

const known = <K extends keyof RowRecord>(name: K, value: RowRecord[K] | undefined): Partial<Pick<RowRecord, K>> =>
  value === undefined ? {} : ({ [name]: value } as Partial<Pick<RowRecord, K>>); // an object with the one field of that name

/** One row of a batch as programs read it. */
import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import { isoTime } from '../domain/clock.ts';
import { decimalOf, type Money } from '../domain/money.ts';
import { present } from '../domain/present.ts';
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
    ...present({
      kind: payout?.kind,
      reference: payout?.reference,
      // A row without a payout has the name in its sheet, because people know the row by its name.
      name: payout ? payout.name : saidInSheet(row, batch, 'name') || undefined,
      destination: payout?.destination,
      cells: payout ? undefined : row.texts.map(sheetValueText),
      amount: decimal(amount),
      currency: amount?.currency,
      feeQuoted: decimal(row.charge),
      feeCharged: decimal(feeOf(row)),
      debit: decimal(debitOf(row)),
      receipt: receiptOf(row),
      completedAt: completed === undefined ? undefined : isoTime(completed),
      resultCode: line?.report?.resultCode,
      order: state?.id ?? row.order,
      serviceId: state?.serviceId,
      attempt: state?.attempt,
    }),
  };
}

const decimal = (money: Money | undefined): string | undefined => money && decimalOf(money);

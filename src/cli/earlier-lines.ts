/** What a sheet has in common with earlier batches, in lines for people. */
import type { EarlierFindings, NamedPayment } from '../domain/duplicate.ts';
import { moneyText } from '../domain/money.ts';

/** One line for each thing that was found; none when there is nothing. */
export function earlierLines({ paidBefore, changedPayees, newPayees }: EarlierFindings): readonly string[] {
  const lines: string[] = [];
  if (paidBefore) {
    lines.push(`${rowsText(paidBefore.count)} (${moneyText(paidBefore.amount)}) paid before, or may still be:`);
    for (const { batch, date, count, amount, rows } of paidBefore.batches) {
      lines.push(`  ${count} in batch ${batch} of ${date}, ${moneyText(amount)}: ${namesText(rows, count)}`);
    }
  }
  if (changedPayees) {
    lines.push(`${rowsText(changedPayees.count)} paid to another account than the last time:`);
    for (const { row, name, reference, from, to, batch } of changedPayees.rows) {
      lines.push(`  row ${row}, ${name} (${reference}): now ${to}; in batch ${batch} ${from}`);
    }
  }
  if (newPayees) {
    const { count, amount, rows } = newPayees;
    lines.push(`${rowsText(count)} paid to somebody new (${moneyText(amount)}): ${namesText(rows, count)}`);
  }
  return lines;
}

const rowsText = (count: number): string => (count === 1 ? '1 row is' : `${count} rows are`);

const namesText = (rows: readonly NamedPayment[], count: number): string =>
  [
    ...rows.map(({ cell, name, amount }) => `${cell} ${name}, ${moneyText(amount)}`),
    ...(count > rows.length ? [`${count - rows.length} more`] : []),
  ].join('; ');

/** What a sheet has in common with earlier batches, in lines for people. */
import { counted } from '../../domain/counted.ts';
import type { EarlierFindings, NamedPayment, Sum } from '../../domain/duplicate.ts';
import { moneyText } from '../../domain/money.ts';

export interface EarlierLine {
  readonly level: 'info' | 'warning';
  readonly text: string;
}

const info = (text: string): EarlierLine => ({ level: 'info', text });
const warning = (text: string): EarlierLine => ({ level: 'warning', text });

/** What was found, the gravest first; none when there is nothing. */
export function earlierLines({ paidBefore, changedPayees, newPayees }: EarlierFindings): readonly EarlierLine[] {
  const lines: EarlierLine[] = [];
  if (paidBefore) {
    lines.push(warning(`Paid before: ${sumText(paidBefore)}. Earlier batches paid the same, or may still pay it:`));
    for (const { batch, date, rows, ...sum } of paidBefore.batches) {
      lines.push(info(`  batch ${batch} of ${date}: ${sumText(sum)}: ${namesText(rows, sum.count)}`));
    }
  }
  if (changedPayees) {
    lines.push(
      warning(
        `Changed payees: ${counted(changedPayees.count, 'row')}. The last time their reference was paid elsewhere:`,
      ),
    );
    for (const { row, name, reference, from, to, batch } of changedPayees.rows) {
      lines.push(info(`  row ${row}, ${name} (${reference}): now ${to}; in batch ${batch} ${from}`));
    }
  }
  if (newPayees) lines.push(info(`New payees: ${sumText(newPayees)}: ${namesText(newPayees.rows, newPayees.count)}`));
  return lines;
}

const sumText = ({ count, amount }: Sum): string => `${counted(count, 'row')}, ${moneyText(amount)}`;

const namesText = (rows: readonly NamedPayment[], count: number): string =>
  [
    ...rows.map(({ cell, name, amount }) => `${cell} (${name}, ${moneyText(amount)})`),
    ...(count > rows.length ? [`${count - rows.length} more`] : []),
  ].join(', ');

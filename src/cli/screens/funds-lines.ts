/** What of the wallet is spoken for, and how far the rest goes, in lines for people. */
import { counted } from '../../domain/counted.ts';
import type { MoneyStatement } from '../../domain/event.ts';
import { add, moneyText } from '../../domain/money.ts';

/** Batches that are named, a line each. */
const NAMED_MAX = 3;

export function fundsLines({ owed, covered, count }: MoneyStatement): readonly string[] {
  const batches = owed?.batches ?? [];
  const rest = batches.length - NAMED_MAX;
  const named = batches
    .slice(0, NAMED_MAX)
    .map(({ batch, rows, amount }) => `  by batch ${batch}: ${counted(rows, 'row')}, ${moneyText(amount)}`);
  return [
    ...(batches.length > 0 ? ['Spoken for: not sent, or not finished, and not paid yet'] : []),
    ...named,
    ...(rest > 0 ? [`  and ${counted(rest, 'more batch', 'more batches')}`] : []),
    ...(covered && covered.rows < count
      ? [
          `The balance covers the first ${covered.rows} of ${counted(count, 'row')}: ${moneyText(add(covered.amount, covered.charges))}`,
        ]
      : []),
  ];
}

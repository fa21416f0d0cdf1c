/** The amount column of a sheet seen as a whole, before its rows are read. */
import type { SheetRow } from '../domain/cell.ts';
import type { DecimalMark } from '../domain/decimal-mark.ts';
import type { ColumnMap } from './column-map.ts';
import { type ColumnFacts, DecimalStyles } from './decimal-styles.ts';
import { rowViews } from './row-view.ts';
import { rowsOfTable } from './table.ts';

/** How the sheet is read, as far as its amounts depend on it. */
type AmountReading = Partial<ColumnFacts> & Pick<ColumnFacts, 'currency'>;

/** A fresh look at the amounts, which has seen none. */
export const stylesOf = ({ currency, semicolons = false, acceptFixes = false }: AmountReading): DecimalStyles =>
  new DecimalStyles({ currency, semicolons, acceptFixes });

/** What the amount column proves as a whole. It reads the table and holds none of it. */
export async function decimalsOf(
  blocks: AsyncIterable<readonly SheetRow[]>,
  columns: ColumnMap,
  context: AmountReading,
): Promise<DecimalMark | undefined> {
  const styles = stylesOf(context);
  const viewOf = rowViews(columns);
  for await (const row of rowsOfTable(blocks, columns)) styles.see(styles.read(viewOf(row)('amount')));
  return styles.decided();
}

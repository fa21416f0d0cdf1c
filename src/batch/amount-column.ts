/** The amount column of a sheet seen as a whole, before its rows are read. */
import type { SheetRow } from '../domain/cell.ts';
import type { DecimalMark } from '../domain/decimal-mark.ts';
import { columnDescriptions } from '../kinds/index.ts';
import { type ColumnFacts, DecimalStyles } from './decimal-styles.ts';
import { findTable } from './find-table.ts';
import type { HeadingMapping } from './heading-mapping.ts';
import { rowViews } from './row-view.ts';

/** How the sheet is read, as far as its amounts depend on it. */
type AmountReading = Partial<ColumnFacts> & Pick<ColumnFacts, 'currency'> & { readonly mapping?: HeadingMapping };

/** A fresh look at the amounts, which has seen none. */
export const stylesOf = ({ currency, semicolons = false, acceptFixes = false }: AmountReading): DecimalStyles =>
  new DecimalStyles({ currency, semicolons, acceptFixes });

/** What the amount column proves as a whole. It reads the table and holds none of it. */
export async function decimalsOf(
  blocks: AsyncIterable<readonly SheetRow[]>,
  context: AmountReading,
): Promise<DecimalMark | undefined> {
  const styles = stylesOf(context);
  let viewOf = rowViews(undefined);
  for await (const items of findTable(blocks, columnDescriptions(), context.mapping)) {
    for (const item of items) {
      if (item.tag === 'columns') viewOf = rowViews(item.columns);
      else if (item.tag === 'row') styles.see(styles.read(viewOf(item.row)('amount')));
    }
  }
  return styles.decided();
}

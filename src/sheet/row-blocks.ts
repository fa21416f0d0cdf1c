/** Groups rows into blocks of bounded size and counts them against the limits of a sheet. All formats use it. */
import type { SheetRow } from '../domain/cell.ts';
import { counted } from '../domain/counted.ts';
import { cutOffRowCounts, type SheetLimits } from './sheet-limits.ts';
import { unreadable } from './unreadable.ts';

/** Most rows in a block: enough for one ledger transaction, and a few hundred kilobytes at most in an ordinary sheet. */
const rowBlockSize = 256;

/** Number of cells at which a block of wide rows ends early: a few megabytes. */
const blockCells = 16_384;

export async function* guardedBlocks(
  source: AsyncIterable<readonly SheetRow[]>,
  limits: SheetLimits,
): AsyncGenerator<readonly SheetRow[]> {
  let block: SheetRow[] = [];
  let rows = 0;
  let cells = 0;
  let cellsBefore = 0;
  let last = 0;
  for await (const found of source) {
    for (const row of found) {
      rows += 1;
      cells += row.cells.length;
      last = row.number;
      if (rows > limits.rows) throw tooMany(counted(limits.rows, 'row'));
      if (cells > limits.cells) throw tooMany(counted(limits.cells, 'cell'));
      block.push(row);
      if (block.length < rowBlockSize && cells - cellsBefore < blockCells) continue;
      yield block;
      block = [];
      cellsBefore = cells;
    }
  }
  const cutOff = [rows, last].find((count) => cutOffRowCounts.has(count));
  if (cutOff !== undefined) {
    throw unreadable(
      `The sheet has exactly ${cutOff} rows. Spreadsheet programs silently cut sheets off at this number, so the rest is probably missing.`,
      'Export it again as several sheets and compare the number of rows with its source.',
    );
  }
  if (block.length > 0) yield block;
}

const tooMany = (limit: string) => unreadable(`The sheet has more than ${limit}.`, 'Split it into several sheets.');

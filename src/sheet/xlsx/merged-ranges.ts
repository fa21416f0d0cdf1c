/**
 * Merged ranges. A worksheet lists them after its rows, but they must be known when a row is judged. So the part is read once
 * for its merged ranges only, before its rows are read.
 */
import type { SheetLimits } from '../sheet-limits.ts';
import { damaged, unreadable } from '../unreadable.ts';
import { type Range, rangeOf } from './cell-text.ts';
import { spreadsheetNamespaces } from './vocabulary.ts';
import { readXml } from './xml.ts';

/** Returns all merged ranges of a worksheet, in the order of the file. */
export async function readMergedRanges(
  part: string,
  chunks: AsyncIterable<Uint8Array>,
  limits: SheetLimits,
): Promise<readonly Range[]> {
  const ranges: Range[] = [];
  await readXml(
    chunks,
    { part, namespaces: spreadsheetNamespaces, root: 'worksheet', limits },
    {
      open(name, { ref = '' }) {
        if (name !== 'mergeCell') return;
        ranges.push(mergedRangeOf(ref));
        if (ranges.length > limits.mergedRanges) throw tooMany(limits);
      },
    },
  );
  return ranges;
}

const tooMany = ({ mergedRanges }: SheetLimits) =>
  unreadable(`The worksheet has more than ${mergedRanges} merged ranges.`, 'Unmerge them and save it again.');

function mergedRangeOf(reference: string): Range {
  const range = rangeOf(reference);
  if (range === undefined) throw damaged(`The merged range "${reference.slice(0, 40)}" is not one.`);
  return range;
}

/** Returns a function that returns the ranges crossing a row, from left to right. It must be called with rows from the top down. */
export function mergedRangesByRow(ranges: readonly Range[], { rowCells }: SheetLimits) {
  const fromTop = ranges.filter((range) => range.fromColumn <= rowCells).toSorted((a, b) => a.fromRow - b.fromRow);
  let next = 0;
  let active: readonly Range[] = [];

  return (row: number): readonly Range[] => {
    const started: Range[] = [];
    for (; next < fromTop.length; next += 1) {
      const range = fromTop[next];
      if (range === undefined || range.fromRow > row) break;
      if (range.toRow >= row) started.push(range);
    }
    if (started.length === 0 && active.every(({ toRow }) => toRow >= row)) return active;
    const left = active.filter(({ toRow }) => toRow >= row);
    active = [...left, ...started].sort((a, b) => a.fromColumn - b.fromColumn);
    assertApart(active);
    return active;
  };
}

function assertApart(ranges: readonly Range[]): void {
  let end = 0;
  for (const { fromColumn, toColumn } of ranges) {
    if (fromColumn <= end) throw damaged('Two of its merged ranges overlap.');
    end = toColumn;
  }
}

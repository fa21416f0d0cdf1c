/**
 * Merged ranges. A worksheet names them after its rows, but whoever judges a row must know them: so the part is searched
 * once before it is read. The search looks at plain text, which costs a twentieth of reading XML; the reading that
 * follows meets every range again and refuses the sheet if the search saw anything else.
 */
import { TextDecoder } from 'node:util';
import type { SheetLimits } from '../sheet-limits.ts';
import { damaged, unreadable } from '../unreadable.ts';
import { type Range, rangeOf } from './cell-text.ts';
import { encodingOf } from './xml.ts';

const mergeTag = /<(?:[\w.-]+:)?mergeCell\s[^<>]*?\bref\s*=\s*["']([^"']*)["']/g;

const NAME = Buffer.from('mergeCell');
const TAG_START = 0x3c; // <

/** All merged ranges of a worksheet, in the order of the file. */
export async function findMergedRanges(
  chunks: AsyncIterable<Uint8Array>,
  limits: SheetLimits,
): Promise<readonly Range[]> {
  const ranges: Range[] = [];
  let open: Uint8Array = new Uint8Array();
  for await (const chunk of inUtf8(chunks)) {
    const bytes = open.length === 0 ? chunk : Buffer.concat([open, chunk]);
    // A tag that has not ended yet is searched with the next chunk.
    const cut = bytes.lastIndexOf(TAG_START);
    const whole = cut === -1 ? bytes : bytes.subarray(0, cut);
    open = cut === -1 ? new Uint8Array() : bytes.subarray(cut);
    if (open.length > limits.tokenCharacters) throw damaged('A worksheet holds a tag of unreasonable length.');
    // Most chunks need not become text.
    if (whole.includes(NAME)) collect(whole.toString(), ranges, limits);
  }
  collect(Buffer.from(open).toString(), ranges, limits);
  return ranges;
}

/** The bytes as UTF-8, which nearly all are already. What is wrong in them is told by the reading that follows. */
async function* inUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined;
  let isUtf8: boolean | undefined;
  for await (const chunk of chunks) {
    isUtf8 ??= encodingOf(chunk) === 'utf-8';
    if (!isUtf8) decoder ??= new TextDecoder(encodingOf(chunk));
    yield decoder
      ? Buffer.from(decoder.decode(chunk, { stream: true }))
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
  }
}

function collect(text: string, ranges: Range[], { mergedRanges }: SheetLimits): void {
  for (const [, reference = ''] of text.matchAll(mergeTag)) {
    ranges.push(mergedRangeOf(reference));
    if (ranges.length > mergedRanges) {
      throw unreadable(`The worksheet has more than ${mergedRanges} merged ranges.`, 'Unmerge them and save it again.');
    }
  }
}

export function mergedRangeOf(reference: string): Range {
  const range = rangeOf(reference);
  if (range === undefined) throw damaged(`The merged range "${reference.slice(0, 40)}" is not one.`);
  return range;
}

/** The ranges that cross a row, from left to right. Rows must be asked for from the top down. */
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

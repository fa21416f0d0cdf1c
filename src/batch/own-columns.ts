/** The user's own columns: what stands in them row by row, and how each shows its figures. */
import type { Heading } from '../domain/batch.ts';
import type { SheetRow } from '../domain/cell.ts';
import { type SheetValue, sheetValueOf } from '../domain/sheet-value.ts';

export class OwnColumns {
  /** How the first figure of each column is shown, by the number of the column. */
  readonly #formats = new Map<number, string>();

  /** What a row says, in the order of the headings. */
  valuesOf({ cells }: SheetRow, headings: readonly Heading[]): readonly SheetValue[] {
    return headings.map(({ column }) => {
      const cell = cells.find((candidate) => candidate.column === column);
      const plain = cell?.format?.plain;
      if (plain !== undefined && !this.#formats.has(column)) this.#formats.set(column, plain);
      return sheetValueOf(cell);
    });
  }

  /** The headings with all that was seen below them. */
  headings(headings: readonly Heading[]): readonly Heading[] {
    return headings.map((heading) => {
      const format = this.#formats.get(heading.column);
      return format === undefined ? heading : { ...heading, format };
    });
  }
}

/** What a template is built from. */
import type { ColumnDescription } from '../../domain/column.ts';
import type { Money } from '../../domain/money.ts';

export interface TemplateSpec {
  readonly title: string;
  readonly columns: readonly ColumnDescription[];
  readonly kinds: readonly { readonly title: string; readonly summary: string }[];
  /** Example rows: column id to text. */
  readonly examples: readonly Readonly<Record<string, string>>[];
  /** Drop-down values by column id; they replace the column's own choices. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** Number of empty rows that check what is typed into them. */
  readonly rows: number;
  /** Rows that are already filled in, in their order: column id to content. There may be more of them than `rows`. */
  readonly filled?: readonly FilledRow[];
  /** Ids of columns that are shown in grey, because they need not be filled in and are not read. */
  readonly quiet?: readonly string[];
  /** Text of an extra step, before the other steps of the instructions. */
  readonly firstStep?: string;
}

export type FilledRow = Readonly<Record<string, string | Money>>;

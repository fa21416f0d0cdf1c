/** What a template is made from. */
import type { ColumnDescription } from '../../domain/column.ts';
import type { Money } from '../../domain/money.ts';

export interface TemplateSpec {
  readonly title: string;
  readonly columns: readonly ColumnDescription[];
  readonly kinds: readonly { readonly title: string; readonly summary: string }[];
  /** Filled rows: column id to text. */
  readonly examples: readonly Readonly<Record<string, string>>[];
  /** Drop-down values by column id; they stand before the column's own choices. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** Rows that are formatted and checked for typing into. */
  readonly rows: number;
  /** Rows that are filled in already, in their order: column id to content. There may be more of them than `rows`. */
  readonly filled?: readonly FilledRow[];
  /** Columns that are shown in grey, because nobody fills them in and nothing reads them. */
  readonly quiet?: readonly string[];
  /** What stands before the other steps of the instructions. */
  readonly firstStep?: string;
}

export type FilledRow = Readonly<Record<string, string | Money>>;

/** What a template is made from. */
import type { ColumnDescription } from '../../domain/column.ts';

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
}

/** What the template workbook is made of: nothing but the kinds' own data. */
import type { ColumnDescription } from '../domain/column.ts';
import type { Kind } from '../kinds/kind.ts';
import type { TemplateSpec } from '../sheet/writing/template.ts';

/** Rows that are formatted and checked in advance. */
const READY_ROWS = 1000;

export function templateSpec(columns: readonly ColumnDescription[], kinds: readonly Kind[]): TemplateSpec {
  return {
    title: 'Payout sheet',
    columns,
    kinds: kinds.map(({ title, summary }) => ({ title, summary })),
    examples: kinds.flatMap(({ name, examples }) =>
      examples.good.slice(0, 1).map(({ cells }) => ({ type: name, ...cells })),
    ),
    lists: Object.fromEntries(columns.flatMap(({ id, choices }) => (choices ? [[id, choices] as const] : []))),
    rows: READY_ROWS,
  };
}

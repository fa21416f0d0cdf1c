/** What the templates are made of: nothing but the kinds' own data. */
import type { ColumnDescription } from '../../domain/column.ts';
import { Fault } from '../../domain/fault.ts';
import { chooseAmong } from '../../domain/likeness.ts';
import { columnDescriptions, isShownByColumns, kinds, typeColumn } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { TemplateSpec } from '../../sheet/writing/template.ts';

/** Rows that are formatted and checked in advance. */
export const READY_ROWS = 1000;

/** The template for every way of paying, and how `--type` calls it. */
export const ALL_TYPES = 'all';
const ALL_NAME = 'payouts';

/** Good examples shown for the only way of paying of a template; with several, one each is enough. */
const EXAMPLES_MAX = 3;

/** Names of the templates that there are: for all ways of paying together, and for each. */
export const templateTypes: readonly string[] = [ALL_TYPES, ...kinds.map(({ name }) => name)];

/** The ways of paying of a template. Fault `usage` when there is no such template. */
export function kindsOfType(type: string): readonly Kind[] {
  const chosen = type === ALL_TYPES ? kinds : kinds.filter(({ name }) => name === type);
  if (chosen.length > 0) return chosen;
  throw new Fault('usage', `There is no template "${type}".`, chooseAmong(type, templateTypes));
}

/** The name of a template's file, without extension. */
export const templateName = (type: string): string => (type === ALL_TYPES ? ALL_NAME : type);

/** The template for ways of paying. For a single one, its columns alone; the type is left out where they show it. */
export function templateSpec(of: readonly Kind[], rows = READY_ROWS): TemplateSpec {
  const [first, ...others] = of;
  const only = first && others.length === 0 ? first : undefined;
  const columns = columnsOf(of, only);
  const hasType = columns.some(({ id }) => id === typeColumn.id);
  return {
    title: only ? `Payout sheet: ${only.title}` : 'Payout sheet',
    columns,
    kinds: of.map(({ title, summary }) => ({ title, summary })),
    examples: of.flatMap(({ name, examples }) =>
      examples.good
        .slice(0, only ? EXAMPLES_MAX : 1)
        .map(({ cells }) => ({ ...(hasType && { type: name }), ...cells })),
    ),
    lists: Object.fromEntries(columns.flatMap(({ id, choices }) => (choices ? [[id, choices] as const] : []))),
    rows,
  };
}

function columnsOf(of: readonly Kind[], only: Kind | undefined): readonly ColumnDescription[] {
  const columns = columnDescriptions(of);
  if (!only) return columns;
  if (isShownByColumns(only)) return columns.filter(({ id }) => id !== typeColumn.id);
  // Without its type a row could be taken for another kind's, so it is as needed as the amount.
  const type = { neededFor: [only.title], help: `How this row is paid: in this sheet always "${only.name}".` };
  return columns.map((column) => (column.id === typeColumn.id ? { ...column, ...type } : column));
}

/** Writes a sheet to fill in, built only from the kinds' own data, or one with the people of a batch. */

import path from 'node:path';
import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import type { ColumnDescription } from '../domain/column.ts';
import { counted } from '../domain/counted.ts';
import { Fault } from '../domain/fault.ts';
import { chooseAmong } from '../domain/likeness.ts';
import { columnDescriptions, isShownByColumns, kinds, typeColumn } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { wholeDigits } from '../kinds/number-cell.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { saidInSheet } from '../results/source.ts';
import { type FilledRow, type TemplateSpec, writeTemplate } from '../sheet/writing/template.ts';
import { writeCsvTemplate } from '../sheet/writing/template-csv.ts';

const writers = { xlsx: writeTemplate, csv: writeCsvTemplate } as const;

export type TemplateFormat = keyof typeof writers;

/** The formats of templates, named by the ending of their files. */
export const templateFormats = Object.keys(writers) as readonly TemplateFormat[]; // the table's own keys

/** Most rows of a workbook template, which is built in memory at about 3 KB for each row. */
const ROWS_MAX = 20_000;

/** Default number of rows that are formatted and checked in advance. */
export const READY_ROWS = 1000;

/** The type of the template for all ways of paying, and the name of its file. */
export const ALL_TYPES = 'all';
const ALL_NAME = 'payouts';

/** Most examples in a template for a single way of paying. With several ways, one example each is enough. */
const EXAMPLES_MAX = 3;

/** The types of templates: one for all ways of paying together, and one for each. */
export const templateTypes: readonly string[] = [ALL_TYPES, ...kinds.map(({ name }) => name)];

/** Returns the ways of paying of a template. Throws a Fault `usage` if there is no such template. */
function kindsOfType(type: string): readonly Kind[] {
  const chosen = type === ALL_TYPES ? kinds : kinds.filter(({ name }) => name === type);
  if (chosen.length > 0) return chosen;
  throw new Fault('usage', `There is no template "${type}".`, chooseAmong(type, templateTypes));
}

/** The name of a template's file, without extension. */
export const templateName = (type: string): string => (type === ALL_TYPES ? ALL_NAME : type);

/**
 * Returns the template for some ways of paying. For a single one it has only the columns of that way, and the type column
 * only if those columns do not show the type.
 */
function templateSpec(of: readonly Kind[], rows = READY_ROWS): TemplateSpec {
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
  // Without its type a row could be taken for another kind's, so the type is as necessary as the amount.
  const type = { neededFor: [only.title], help: `How this row is paid: in this sheet always "${only.name}".` };
  return columns.map((column) => (column.id === typeColumn.id ? { ...column, ...type } : column));
}

/** Columns that belong to a payment rather than to a person, and are typed every time. */
const ANEW: ReadonlySet<string> = new Set(['amount', 'note']);

/** A number as some programs store it: `2.54712345678E11`. */
const SCIENTIFIC = /^\d(?:\.\d+)?[eE]\+?\d{1,2}$/;

/** Returns the template with the rows of a batch, and with what each was paid in a column that only people read. */
async function withPeopleOf(
  batch: BatchHeader,
  ledger: Pick<Ledger, 'resultRows' | 'requireKept'>,
  of: readonly Kind[],
  spec: TemplateSpec,
): Promise<TemplateSpec> {
  await ledger.requireKept(batch.id);
  const lastPaid = lastPaidColumn(batch, spec);
  const filled: FilledRow[] = [];
  const names = new Set<string>(of.map(({ name }) => name));
  for await (const block of ledger.resultRows(batch.id)) {
    for (const row of block) {
      // The way of paying of a row that was set aside or left out is not known, so only the template for all ways has that row.
      if (row.payout ? !names.has(row.payout.kind) : spec.kinds.length === 1) continue;
      filled.push(personOf(row, batch, spec.columns, lastPaid.id));
    }
  }
  const at = spec.columns.findIndex(({ id }) => id === 'amount') + 1;
  return {
    ...spec,
    columns: spec.columns.toSpliced(at, 0, lastPaid),
    filled,
    quiet: [lastPaid.id],
    firstStep: `The people of batch ${batch.id} are filled in. Type an amount for everybody who is paid, and delete the rows of those who are not.`,
  };
}

/** A template that a person asks for. */
interface TemplateWish {
  readonly type: string;
  readonly rows: number;
  readonly format: TemplateFormat;
  /** The batch whose people are filled in; absent: the template is empty. */
  readonly people?: { readonly batch: BatchHeader; readonly ledger: Ledger } | undefined;
}

export interface TemplateFile {
  readonly path: string;
  /** How many people were filled in; absent: the template is empty. */
  readonly people?: number | undefined;
}

/**
 * Writes a template, and replaces an older file. Throws a Fault `usage` if there is no such template, if nobody of the batch is in
 * it, or if it is too long for a workbook.
 */
export async function writeTemplateFile(
  file: string,
  { type, rows, format, people }: TemplateWish,
): Promise<TemplateFile> {
  const of = kindsOfType(type);
  const empty = templateSpec(of, rows);
  const spec = people ? await withPeopleOf(people.batch, people.ledger, of, empty) : empty;
  const filled = spec.filled?.length;
  if (filled === 0) {
    throw new Fault('usage', `Nobody in batch ${people?.batch.id} is paid as ${type}.`, 'Choose another --type.');
  }
  const count = Math.max(rows, filled ?? 0);
  if (format === 'xlsx' && count > ROWS_MAX) {
    throw new Fault(
      'usage',
      `A workbook of ${counted(count, 'row')} is too large.`,
      `Up to ${counted(ROWS_MAX, 'row')}; or use --format csv.`,
    );
  }
  const { path: written } = await writers[format](file, spec);
  return { path: written, people: filled };
}

/**
 * Writes the template for all ways of paying, with the people of a batch, into a folder: as a workbook, or as CSV if that
 * would be too long. Returns its path.
 */
export async function writeLastPeople(batch: BatchHeader, ledger: Ledger, folder: string): Promise<string> {
  const spec = await withPeopleOf(batch, ledger, kinds, templateSpec(kinds));
  const format = (spec.filled?.length ?? 0) > ROWS_MAX ? 'csv' : 'xlsx';
  return (await writers[format](path.join(folder, `${ALL_NAME}.${format}`), spec)).path;
}

const lastPaidColumn = ({ id }: BatchHeader, { kinds }: TemplateSpec): ColumnDescription => ({
  id: 'last_paid',
  heading: 'Last paid',
  aliases: [],
  help: `What was paid in batch ${id}. Nothing reads this column.`,
  example: '',
  format: 'amount',
  width: 14,
  neededFor: [],
  usedFor: kinds.map(({ title }) => title),
});

function personOf(
  row: ResultRow,
  batch: BatchHeader,
  columns: readonly ColumnDescription[],
  lastPaid: string,
): FilledRow {
  const { payout, outcome } = row;
  const own = columns
    .filter(({ id }) => !ANEW.has(id))
    .map(({ id }) => [id, exact(saidInSheet(row, batch, id), row)] as const);
  return {
    ...Object.fromEntries(own),
    currency: batch.currency,
    ...(payout && { type: payout.kind, name: payout.name, reference: payout.reference ?? '' }),
    ...(payout && outcome === 'completed' && { [lastPaid]: payout.amount }),
  };
}

/**
 * Returns the digits of a text that a program stored as a scientific number, if they are the ones that were paid. Any other
 * text is returned as it is.
 */
function exact(text: string, { payout }: ResultRow): string {
  if (!payout || !SCIENTIFIC.test(text) || payout.payee.includes(text)) return text;
  const digits = wholeDigits(text);
  return digits !== undefined && payout.payee.includes(digits) ? digits : text;
}

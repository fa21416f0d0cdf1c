/** The people of an earlier batch, ready to be paid again: everything about them but the amount. */
import path from 'node:path';
import type { BatchHeader, ResultRow } from '../../domain/batch.ts';
import type { ColumnDescription } from '../../domain/column.ts';
import type { Kind } from '../../kinds/kind.ts';
import { wholeDigits } from '../../kinds/number-cell.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { saidInSheet } from '../../results/source.ts';
import { type FilledRow, type TemplateSpec, writeTemplate } from '../../sheet/writing/template.ts';
import { writeCsvTemplate } from '../../sheet/writing/template-csv.ts';
import { ALL_TYPES, kindsOfType, templateName, templateSpec } from './template-spec.ts';

/** Columns of a payment rather than of a person: they are typed every time. */
const ANEW: ReadonlySet<string> = new Set(['amount', 'note']);

/** A number as some programs store it: `2.54712345678E11`. */
const SCIENTIFIC = /^\d(?:\.\d+)?[eE]\+?\d{1,2}$/;

/** Rows of a workbook template at most: it is made in memory, at some 3 KB for each row. */
export const ROWS_MAX = 20_000;

/** Writes the template for all ways of paying with the people of a batch into a folder, as a workbook where that is not too long. Gives its path. */
export async function writeLastPeople(batch: BatchHeader, ledger: Ledger, folder: string): Promise<string> {
  const kinds = kindsOfType(ALL_TYPES);
  const spec = await withPeopleOf(batch, ledger, kinds, templateSpec(kinds));
  const isLong = (spec.filled?.length ?? 0) > ROWS_MAX;
  const wanted = path.join(folder, `${templateName(ALL_TYPES)}.${isLong ? 'csv' : 'xlsx'}`);
  return (await (isLong ? writeCsvTemplate : writeTemplate)(wanted, spec)).path;
}

/** A template with the rows of a batch, and with what each was paid in a column that is for people alone. */
export async function withPeopleOf(
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
      // Nobody knows how a row that was set aside or left out would have been paid, so it is in the template for all ways alone.
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

/** The digits of a text that a program stored as a scientific number, when they are the ones that were paid. */
function exact(text: string, { payout }: ResultRow): string {
  if (!payout || !SCIENTIFIC.test(text) || payout.payee.includes(text)) return text;
  const digits = wholeDigits(text);
  return digits !== undefined && payout.payee.includes(digits) ? digits : text;
}

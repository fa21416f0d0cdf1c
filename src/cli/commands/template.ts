/** `paybatch template`: writes a sheet to fill in, built only from the kinds' own data, or one with the people of a batch. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { BatchHeader, ResultRow } from '../../domain/batch.ts';
import type { ColumnDescription } from '../../domain/column.ts';
import { counted } from '../../domain/counted.ts';
import { Fault } from '../../domain/fault.ts';
import { chooseAmong } from '../../domain/likeness.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { makeFolders } from '../../files/folders.ts';
import { columnDescriptions, isShownByColumns, kinds, typeColumn } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { wholeDigits } from '../../kinds/number-cell.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { saidInSheet } from '../../results/source.ts';
import { type FilledRow, type TemplateSpec, writeTemplate } from '../../sheet/writing/template.ts';
import { writeCsvTemplate } from '../../sheet/writing/template-csv.ts';
import { cliCommand } from '../command.ts';
import { wholeNumber } from '../flags/options.ts';
import { answered } from '../screens/answered.ts';
import { openRecords } from '../session.ts';
import type { Shell } from '../shell.ts';
import { chosenBatch } from '../state/batches.ts';

/** Most rows of a workbook template, which is built in memory at about 3 KB for each row. */
const ROWS_MAX = 20_000;

/** Default number of rows that are formatted and checked in advance. */
const READY_ROWS = 1000;

/** The `--type` of the template for all ways of paying, and the name of its file. */
const ALL_TYPES = 'all';
const ALL_NAME = 'payouts';

/** Most examples in a template for a single way of paying. With several ways, one example each is enough. */
const EXAMPLES_MAX = 3;

/** The types of templates: one for all ways of paying together, and one for each. */
const templateTypes: readonly string[] = [ALL_TYPES, ...kinds.map(({ name }) => name)];

/** Returns the ways of paying of a template. Throws a Fault `usage` if there is no such template. */
function kindsOfType(type: string): readonly Kind[] {
  const chosen = type === ALL_TYPES ? kinds : kinds.filter(({ name }) => name === type);
  if (chosen.length > 0) return chosen;
  throw new Fault('usage', `There is no template "${type}".`, chooseAmong(type, templateTypes));
}

/** The name of a template's file, without extension. */
const templateName = (type: string): string => (type === ALL_TYPES ? ALL_NAME : type);

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

/**
 * Writes the template for all ways of paying, with the people of a batch, into a folder: as a workbook, or as CSV if that
 * would be too long. Returns its path.
 */
export async function writeLastPeople(batch: BatchHeader, ledger: Ledger, folder: string): Promise<string> {
  const all = kindsOfType(ALL_TYPES);
  const spec = await withPeopleOf(batch, ledger, all, templateSpec(all));
  const isLong = (spec.filled?.length ?? 0) > ROWS_MAX;
  const wanted = path.join(folder, `${templateName(ALL_TYPES)}.${isLong ? 'csv' : 'xlsx'}`);
  return (await (isLong ? writeCsvTemplate : writeTemplate)(wanted, spec)).path;
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

const writers = { xlsx: writeTemplate, csv: writeCsvTemplate } as const;
type Format = keyof typeof writers;

const isFormat = (text: string): text is Format => Object.hasOwn(writers, text);

export const template = cliCommand({
  example: 'paybatch template',
  moreExamples: [
    'paybatch template --type wallet -o first.xlsx',
    'paybatch template --from salaries-2026-11 -o december.xlsx',
  ],
  declare(command) {
    return command
      .option('--type <type>', `ways of paying: ${templateTypes.join(', ')}`, ALL_TYPES)
      .option('--rows <n>', 'rows that are formatted and checked for typing into', wholeNumber(1), READY_ROWS)
      .option('--format <format>', 'xlsx or csv; default: as the name of the file says')
      .option('--from [batch]', 'fill in the people of a batch, without amounts; default: the latest one')
      .option('-o, --output <file>', 'where to write it; default: by its type, in this folder')
      .option('--force', 'replace a file of that name')
      .option('--all-into <folder>', 'write every template there is into a folder, in place of older ones');
  },
  async run(shell, _, options) {
    const into = options.allInto;
    if (into !== undefined) return writeAll(shell, path.resolve(shell.cwd, into));
    const type = options.type;
    const rows = options.rows;
    const of = kindsOfType(type);
    const output = options.output;
    const format = formatOf(options.format, output);
    const from = options.from;
    const wanted = path.resolve(shell.cwd, output ?? `${templateName(type)}.${format}`);
    if (existsSync(wanted) && !options.force) {
      throw new Fault(
        'usage',
        `${wanted} is already there, and may be filled in.`,
        'Choose another name with --output, or replace it with --force.',
      );
    }
    const empty = templateSpec(of, rows);
    const spec =
      from === undefined ? empty : await filled(shell, typeof from === 'string' ? from : undefined, type, empty);
    const count = Math.max(rows, spec.filled?.length ?? 0);
    if (format === 'xlsx' && count > ROWS_MAX) {
      throw new Fault(
        'usage',
        `A workbook of ${counted(count, 'row')} is too large.`,
        `Up to ${counted(ROWS_MAX, 'row')}; or use --format csv.`,
      );
    }
    const { path: file } = await writers[format](wanted, spec);
    return answeredWith(shell, [file], spec.filled?.length);
  },
});

function formatOf(named: string | undefined, output: string | undefined): Format {
  const extension = path
    .extname(output ?? '')
    .slice(1)
    .toLowerCase();
  const format = named ?? (extension === '' ? 'xlsx' : extension);
  if (!isFormat(format)) {
    throw new Fault('usage', `A template cannot be written as "${format}".`, chooseAmong(format, Object.keys(writers)));
  }
  if (isFormat(extension) && extension !== format) {
    throw new Fault('usage', `${output} would hold ${format}.`, `Call it .${format}, or leave --format out.`);
  }
  return format;
}

async function filled(
  shell: Shell,
  named: string | undefined,
  type: string,
  empty: TemplateSpec,
): Promise<TemplateSpec> {
  await using records = await openRecords(shell, { command: 'template' });
  const { ledger } = records.deps;
  const batch = await chosenBatch(ledger, named);
  const spec = await withPeopleOf(batch, ledger, kindsOfType(type), empty);
  if (spec.filled?.length === 0) {
    throw new Fault('usage', `Nobody in batch ${batch.id} is paid as ${type}.`, 'Choose another --type.');
  }
  return spec;
}

async function writeAll(shell: Shell, folder: string): Promise<RunEnd> {
  makeTemplateFolder(folder);
  const files: string[] = [];
  for (const type of templateTypes) {
    const wanted = path.join(folder, `${templateName(type)}.xlsx`);
    files.push((await writeTemplate(wanted, templateSpec(kindsOfType(type)))).path);
  }
  return answeredWith(shell, files);
}

function makeTemplateFolder(folder: string): void {
  try {
    makeFolders(folder);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const says = `The folder ${folder} cannot be made (${String(error.code)}).`;
    throw new Fault('file-unwritten', says, 'Name another folder.', { cause: error });
  }
}

function answeredWith(shell: Shell, files: readonly string[], people?: number): RunEnd {
  const [file] = files;
  const event = {
    type: 'template',
    path: file,
    ...(files.length > 1 && { paths: files }),
    ...(people !== undefined && { people }),
  };
  if (people !== undefined) {
    shell.reporter.tell({
      type: 'notice',
      level: 'info',
      message: `${counted(people, 'row is', 'rows are')} filled in, without amounts.`,
    });
  }
  return answered(
    shell,
    event,
    [],
    files.map((one) => ({ kind: 'template', path: one })),
  );
}

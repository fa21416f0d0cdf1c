import { existsSync } from 'node:fs';
import path from 'node:path';
import { counted } from '../../domain/counted.ts';
import { Fault } from '../../domain/fault.ts';
import { chooseAmong } from '../../domain/likeness.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { makeFolders } from '../../files/folders.ts';
import type { TemplateSpec } from '../../sheet/writing/template.ts';
import { writeTemplate } from '../../sheet/writing/template.ts';
import { writeCsvTemplate } from '../../sheet/writing/template-csv.ts';
import { cliCommand } from '../command.ts';
import { wholeNumber } from '../flags/options.ts';
import { answered } from '../screens/answered.ts';
import { openRecords } from '../session.ts';
import type { Shell } from '../shell.ts';
import { chosenBatch } from '../state/batches.ts';
import { ROWS_MAX, withPeopleOf } from '../template/last-people.ts';
import {
  ALL_TYPES,
  kindsOfType,
  READY_ROWS,
  templateName,
  templateSpec,
  templateTypes,
} from '../template/template-spec.ts';

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
    throw new Fault('usage', `Batch ${batch.id} has nobody who is paid as ${type}.`, 'Choose another --type.');
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

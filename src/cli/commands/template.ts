/** `paybatch template`: writes a sheet to fill in, or one with the people of a batch. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { counted } from '../../domain/counted.ts';
import { Fault } from '../../domain/fault.ts';
import { chooseAmong } from '../../domain/likeness.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { typedPath } from '../../domain/typed-path.ts';
import {
  ALL_TYPES,
  READY_ROWS,
  type TemplateFile,
  type TemplateFormat,
  templateFormats,
  templateName,
  templateTypes,
  writeTemplateFile,
} from '../../run/template.ts';
import { answered, cliCommand } from '../command.ts';
import { wholeNumber } from '../flags/options.ts';
import { openRecords } from '../session.ts';
import type { Shell } from '../shell.ts';
import { chosenBatch } from '../state/batches.ts';

export const template = cliCommand({
  example: 'paybatch template',
  moreExamples: [
    'paybatch template --type wallet -o first.xlsx',
    'paybatch template --from salaries-2026-11 -o december.xlsx',
  ],
  declare: (command) =>
    command
      .option('--type <type>', `ways of paying: ${templateTypes.join(', ')}`, ALL_TYPES)
      .option('--rows <n>', 'number of empty rows that check what is typed into them', wholeNumber(1), READY_ROWS)
      .option('--format <format>', 'xlsx or csv; default: by the name of the file')
      .option('--from [batch]', 'fill in the people of a batch, without amounts; default: the latest one')
      .option('-o, --output <file>', 'where to write it; default: by its type, in this folder')
      .option('--force', 'replace a file of that name'),
  async run(shell, _, options) {
    const { type, rows, output, from, force } = options;
    const format = formatOf(options.format, output);
    const wanted = path.resolve(shell.cwd, output ?? `${templateName(type)}.${format}`);
    if (existsSync(wanted) && !force) {
      throw new Fault(
        'usage',
        `${wanted} is already there, and may be filled in.`,
        'Choose another name with --output, or replace it with --force.',
      );
    }
    if (from === undefined) return answeredWith(shell, await writeTemplateFile(wanted, { type, rows, format }));
    await using records = await openRecords(shell);
    const { ledger } = records.deps;
    const batch = await chosenBatch(ledger, typeof from === 'string' ? from : undefined);
    return answeredWith(shell, await writeTemplateFile(wanted, { type, rows, format, people: { batch, ledger } }));
  },
});

function formatOf(named: string | undefined, output: string | undefined): TemplateFormat {
  const extension = path
    .extname(output ?? '')
    .slice(1)
    .toLowerCase();
  const wanted = named ?? (extension === '' ? 'xlsx' : extension);
  const format = templateFormats.find((known) => known === wanted);
  if (!format) {
    throw new Fault('usage', `A template cannot be written as "${wanted}".`, chooseAmong(wanted, templateFormats));
  }
  if (format !== extension && templateFormats.some((known) => known === extension)) {
    throw new Fault('usage', `${output} would hold ${format}.`, `Call it .${format}, or leave --format out.`);
  }
  return format;
}

function answeredWith(shell: Shell, { path: file, people }: TemplateFile): RunEnd {
  if (people !== undefined) {
    shell.reporter.emit({
      type: 'notice',
      level: 'info',
      message: `${counted(people, 'row is', 'rows are')} filled in, without amounts.`,
    });
  }
  const end = answered(shell, { type: 'template', path: file, people }, [], [{ kind: 'template', path: file }]);
  return { ...end, next: { says: 'Fill it in, then check it:', command: `paybatch validate ${typedPath(file)}` } };
}

import path from 'node:path';
import { Option } from '@commander-js/extra-typings';
import type { BatchHeader } from '../../domain/batch.ts';
import { exitCode } from '../../domain/exit-code.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { PACK_ENDING, type PackPlace, packBatch } from '../../pack/pack-batch.ts';
import { reportBatch } from '../../report.ts';
import { knownEnd } from '../../results/run-end.ts';
import { type ResultsFormat, resultsFormatNames } from '../../results/write-results.ts';
import { cliCommand } from '../command.ts';
import { outFolder } from '../flags/out-folder.ts';
import { outputFileOf } from '../flags/rows-file.ts';
import { openRecords, type Records, tellStart } from '../session.ts';
import { chosenBatch, tellPurged, tellRepeated } from '../state/batches.ts';

/** The evidence pack is no view of the results: it holds what they follow from. */
const PACK = 'pack';

type Format = ResultsFormat | typeof PACK;

/** What the name of a file says that it holds. */
const formatOf = (file = ''): Format | undefined =>
  file.toLowerCase().endsWith(`.${PACK_ENDING}`)
    ? PACK
    : resultsFormatNames.find((format) => file.toLowerCase().endsWith(`.${format}`));

export const report = cliCommand({
  name: 'report',
  summary: 'write the results of a batch again, from the ledger alone',
  example: 'paybatch report salaries-2026-11',
  moreExamples: ['paybatch report --format csv --out /accounts', 'paybatch report --format pack salaries-2026-11'],
  declare(command) {
    return command
      .argument('[batch]', 'batch; default: the latest one')
      .addOption(
        new Option(
          '--format <format>',
          'csv: the rows alone; jsonl: the same for programs, one object a line; pack: a zip with all that proves them',
        ).choices([...resultsFormatNames, PACK]),
      )
      .option('--out <folder>', 'folder for the results; default: beside the sheet')
      .option(
        '-o, --output <file>',
        'the file itself; one that is there is replaced only if it is called as results are',
      )
      .option('--with <file...>', 'the sheet or the plan of the batch, for the pack; where they stood they are found');
  },
  async run(shell, [named], options) {
    const format = options.format ?? formatOf(options.output) ?? 'xlsx';
    const file = await outputFileOf(shell, options.output, format === PACK ? PACK_ENDING : format);
    await using records = await openRecords(shell, { command: 'report' });
    const { deps } = records;
    tellStart(records, 'report', shell.version);
    const batch = await chosenBatch(deps.ledger, named);
    tellRepeated(batch, deps.tell);
    await tellPurged(batch, deps);
    const folder = outFolder(shell, options, batch.sheet.folder);
    const files =
      format === PACK
        ? await packed(
            batch,
            { ...deps, version: shell.version },
            { folder, file, given: givenFiles(shell, options.with) },
          )
        : await reportBatch(batch, deps, { folder, file, format });
    return { ...(await knownEnd(batch, deps.ledger)), exit: exitCode.ok, files };
  },
});

const givenFiles = ({ cwd }: { readonly cwd: string }, files: readonly string[] = []): readonly string[] =>
  files.map((file) => path.resolve(cwd, file));

/** Writes the pack, and tells what is not in it because nobody has it any more. */
async function packed(
  batch: BatchHeader,
  deps: Pick<Records['deps'], 'ledger' | 'settings' | 'tell'> & { readonly version: string },
  place: PackPlace,
): Promise<RunEnd['files']> {
  const { path: written, kept } = await packBatch(batch, deps, place);
  deps.tell({ type: 'file', kind: PACK, path: written });
  const isKept = !(await deps.ledger.purges()).has(batch.id);
  const missing = [
    ...(kept.sheet ? [] : [`the sheet ${shown(batch.sheet.name)}`]),
    ...(kept.plan || !batch.approval ? [] : ['the plan that was approved']),
  ];
  if (isKept && missing.length > 0) {
    const message = `The pack holds the SHA-256 of ${missing.join(' and ')}, and not the file: none with that hash was found. Name it with --with FILE if you have it.`;
    deps.tell({ type: 'notice', level: 'info', message });
  }
  return [{ kind: PACK, path: written }];
}

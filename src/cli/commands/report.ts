import { Option } from '@commander-js/extra-typings';
import { exitCode } from '../../domain/exit-code.ts';
import { reportBatch } from '../../report.ts';
import { knownEnd } from '../../results/run-end.ts';
import { type ResultsFormat, resultsFormatNames } from '../../results/write-results.ts';
import { cliCommand } from '../command.ts';
import { outFolder } from '../flags/out-folder.ts';
import { outputFileOf } from '../flags/rows-file.ts';
import { openRecords, tellStart } from '../session.ts';
import { chosenBatch, tellPurged, tellRepeated } from '../state/batches.ts';

/** What the name of a file says that it holds. */
const formatOf = (file = ''): ResultsFormat | undefined =>
  resultsFormatNames.find((format) => file.toLowerCase().endsWith(`.${format}`));

export const report = cliCommand({
  example: 'paybatch report salaries-2026-11',
  moreExamples: ['paybatch report --format csv --out /accounts', 'paybatch report -o november.jsonl'],
  declare(command) {
    return command
      .argument('[batch]', 'batch; default: the latest one')
      .addOption(
        new Option('--format <format>', 'csv: the rows alone; jsonl: the same for programs, one object a line').choices(
          resultsFormatNames,
        ),
      )
      .option('--out <folder>', 'folder for the results; default: beside the sheet')
      .option(
        '-o, --output <file>',
        'the file itself; one that is there is replaced only if it is called as results are',
      );
  },
  async run(shell, [named], options) {
    const format = options.format ?? formatOf(options.output) ?? 'xlsx';
    const file = await outputFileOf(shell, options.output, format);
    await using records = await openRecords(shell, { command: 'report' });
    const { deps } = records;
    tellStart(records, 'report', shell.version);
    const batch = await chosenBatch(deps.ledger, named);
    tellRepeated(batch, deps.tell);
    await tellPurged(batch, deps);
    const folder = outFolder(shell, options, batch.sheet.folder);
    const files = await reportBatch(batch, deps, { folder, file, format });
    return { ...(await knownEnd(batch, deps.ledger)), exit: exitCode.ok, files };
  },
});

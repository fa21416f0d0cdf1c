import { Option } from '@commander-js/extra-typings';
import { exitCode } from '../../domain/exit-code.ts';
import { reportBatch } from '../../report.ts';
import { knownEnd } from '../../results/run-end.ts';
import { resultsFormatNames } from '../../results/write-results.ts';
import { cliCommand } from '../command.ts';
import { outFolder } from '../flags/out-folder.ts';
import { openRecords, tellStart } from '../session.ts';
import { chosenBatch, tellPurged, tellRepeated } from '../state/batches.ts';

export const report = cliCommand({
  name: 'report',
  summary: 'write the results of a batch again, from the ledger alone',
  declare(command) {
    return command
      .argument('[batch]', 'batch; default: the latest one')
      .addOption(
        new Option('--format <format>', 'csv: the rows alone; jsonl: the same for programs, one object a line')
          .choices(resultsFormatNames)
          .default('xlsx'),
      )
      .option('--out <folder>', 'folder for the results; default: beside the sheet');
  },
  async run(shell, [named], options) {
    await using records = await openRecords(shell, { command: 'report' });
    const { deps } = records;
    tellStart(records, 'report', shell.version);
    const batch = await chosenBatch(deps.ledger, named);
    tellRepeated(batch, deps.tell);
    await tellPurged(batch, deps);
    const folder = outFolder(shell, options, batch.sheet.folder);
    const path = await reportBatch(batch, deps, folder, options.format);
    return { ...(await knownEnd(batch, deps.ledger)), exit: exitCode.ok, files: [{ kind: 'results', path }] };
  },
});

import { retryBatch } from '../../run/retry.ts';
import { tellBatch } from '../../run/tell-batch.ts';
import { cliCommand } from '../command.ts';
import { declareGroupBy } from '../flags/group-by-option.ts';
import { field, rowNumbers, wholeNumber } from '../flags/options.ts';
import { outFolder } from '../flags/out-folder.ts';
import { declareRowsFile, rowsFileOf } from '../flags/rows-file.ts';
import { declareRunLimits, runLimitsOf } from '../flags/run-options.ts';
import { toldUnattended } from '../notify/unattended.ts';
import { openSession } from '../session.ts';
import { chosenBatch } from '../state/batches.ts';

export const retry = cliCommand({
  example: 'paybatch retry salaries-2026-11',
  moreExamples: [
    'paybatch retry salaries-2026-11 --row 14 31',
    'paybatch retry salaries-2026-11 --expect-count 2 --expect-total 41250.00',
  ],
  declare(command) {
    return declareGroupBy(declareRowsFile(declareRunLimits(command)))
      .argument('<batch>', 'batch of the rows')
      .option('--row <n...>', 'rows of the sheet; default: all that failed for good', rowNumbers)
      .option('--expect-count <n>', 'control total: number of payments', wholeNumber(0))
      .option('--expect-total <amount>', 'control total: sum of the payments')
      .option('--concurrency <n>', 'orders in flight at once', wholeNumber(1))
      .option('--out <folder>', 'folder for the results; default: beside the sheet')
      .option('--scenario <name>', 'sandbox only: how the practice service behaves');
  },
  async run(shell, [named], options) {
    const rowsFile = await rowsFileOf(shell, options);
    await using session = await openSession(shell, {
      command: 'retry',
      ...field('rowsFile', rowsFile),
      ...field('groupBy', options.groupBy),
      sends: true,
      ...field('concurrency', options.concurrency),
      ...field('scenario', options.scenario),
      limits: runLimitsOf(options),
      expected: {
        ...field('count', options.expectCount),
        ...field('total', options.expectTotal),
      },
    });
    const batch = await chosenBatch(session.deps.ledger, named);
    tellBatch(batch, session.deps);
    const request = {
      rows: options.row ?? [],
      ...field('outFolder', outFolder(shell, options, batch.sheet.folder)),
    };
    return await toldUnattended(shell, session, 'retry', (deps) => retryBatch(batch, request, deps));
  },
});

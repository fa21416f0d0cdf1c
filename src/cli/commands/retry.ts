import { present } from '../../domain/present.ts';
import { emitBatch } from '../../run/emit-batch.ts';
import { retryBatch } from '../../run/retry.ts';
import { cliCommand } from '../command.ts';
import { CONCURRENCY, OUT, rowNumbers, SCENARIO } from '../flags/options.ts';
import { declareResults, outFolder } from '../flags/results-options.ts';
import { declareExpected, declareRunLimits, expectedOf } from '../flags/run-options.ts';
import { sendBatch } from '../send-batch.ts';
import { chosenBatch } from '../state/batches.ts';

export const retry = cliCommand({
  example: 'paybatch retry salaries-2026-11',
  moreExamples: [
    'paybatch retry salaries-2026-11 --row 14 31',
    'paybatch retry salaries-2026-11 --expect-count 2 --expect-total 41250.00',
  ],
  declare: (command) =>
    declareExpected(
      declareResults(declareRunLimits(command))
        .argument('<batch>', 'batch of the rows')
        .option('--row <n...>', 'rows of the sheet; default: all that failed for good', rowNumbers),
    )
      .option(...CONCURRENCY)
      .option(...OUT)
      .option(...SCENARIO),
  async run(shell, [named], options) {
    const sending = { typed: options, expected: expectedOf(options), outlives: false };
    return await sendBatch(shell, sending, async ({ deps }) => {
      const batch = await chosenBatch(deps.ledger, named);
      emitBatch(batch, deps);
      const folder = outFolder(shell, options, batch.sheet.folder);
      return retryBatch(batch, { rows: options.row ?? [], ...present({ outFolder: folder }) }, deps);
    });
  },
});

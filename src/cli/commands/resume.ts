import { emitBatch } from '../../run/emit-batch.ts';
import { resumeBatch } from '../../run/paybatch.ts';
import { cliCommand } from '../command.ts';
import { CONCURRENCY, OUT, SCENARIO, wholeNumber } from '../flags/options.ts';
import { declareUnverifiable, unverifiableOf } from '../flags/payment-options.ts';
import { declareResults, outFolder } from '../flags/results-options.ts';
import { declareRunLimits } from '../flags/run-options.ts';
import { declareDetach, sendBatch } from '../send-batch.ts';
import { unfinishedBatch } from '../state/batches.ts';

export const resume = cliCommand({
  example: 'paybatch resume salaries-2026-11',
  moreExamples: ['paybatch resume', 'paybatch resume salaries-2026-11 --up-to-balance 40'],
  declare: (command) =>
    declareDetach(declareResults(declareUnverifiable(declareRunLimits(command))))
      .argument('[batch]', 'batch; default: the latest one that is not finished and was not stopped by a person')
      .option(
        '--up-to-balance <n>',
        'send exactly this many of the rows that were not sent, because the wallet covers no more',
        wholeNumber(1),
      )
      .option(...CONCURRENCY)
      .option(...OUT)
      .option(...SCENARIO),
  async run(shell, [named], options) {
    const { upToBalance } = options;
    const sending = {
      typed: options,
      unkept: ['canary'],
      acceptUnverifiable: unverifiableOf(options),
      // --up-to-balance sends a part of the rows once. After an outage, a person decides about the rest of that part.
      outlives: upToBalance === undefined,
    };
    return await sendBatch(shell, sending, async ({ deps }) => {
      const batch = await unfinishedBatch(deps.ledger, named);
      emitBatch(batch, deps);
      const folder = outFolder(shell, options, batch.sheet.folder);
      // A person who types the name also cancels a stop that a person recorded.
      const saidBy = named === undefined ? deps : { ...deps, takesBack: true as const };
      return resumeBatch(batch, saidBy, folder, upToBalance);
    });
  },
});

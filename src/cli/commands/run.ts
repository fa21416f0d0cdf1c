import { Option } from '@commander-js/extra-typings';
import type { NextStep } from '../../domain/run-end.ts';
import { runSheet } from '../../run/paybatch.ts';
import { cliCommand } from '../command.ts';
import { CONCURRENCY } from '../flags/options.ts';
import { declarePayment, paymentOf, unverifiableOf } from '../flags/payment-options.ts';
import { declareResults } from '../flags/results-options.ts';
import { declareExpected, declareFunds, declareRunLimits, expectedOf, fundsOf } from '../flags/run-options.ts';
import { typedAgain, withCorrection } from '../flags/typed-again.ts';
import { declareDetach, sendBatch } from '../send-batch.ts';
import type { Shell } from '../shell.ts';

/** The next step after a dry run: the same command without `--dry-run`. */
const toPay = (shell: Shell): NextStep => ({
  says: 'Nothing was sent. To pay:',
  command: typedAgain(shell, { without: { '--dry-run': 'alone' } }),
});

export const run = cliCommand({
  example: 'paybatch run november.xlsx',
  moreExamples: ['paybatch run november.xlsx --dry-run', 'paybatch run november.xlsx --batch salaries-2026-11'],
  declare(command) {
    const sending = declareDetach(declareResults(declareRunLimits(declareFunds(declarePayment(command)))));
    // A dry run has no outcomes of rows.
    const dryRun = new Option('--dry-run', 'do everything but send').conflicts('jsonl');
    return declareExpected(sending.addOption(dryRun)).option(...CONCURRENCY);
  },
  async run(shell, [sheet], options) {
    const expected = expectedOf(options);
    const request = {
      ...paymentOf(shell, sheet, options),
      ...fundsOf(options),
      dryRun: options.dryRun === true,
      expected,
    };
    const end = await sendBatch(
      shell,
      {
        typed: options,
        currency: options.currency,
        purpose: options.purpose,
        acceptUnverifiable: unverifiableOf(options),
        expected,
        // --up-to-balance sends a part of the rows once. After an outage, a person decides about the rest of that part.
        outlives: request.upToBalance === undefined,
      },
      ({ deps }) => runSheet(request, deps),
    );
    return request.dryRun && end.fault === undefined
      ? { ...end, next: toPay(shell) }
      : withCorrection(end, shell, sheet);
  },
});

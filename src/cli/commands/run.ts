import type { NextStep } from '../../domain/run-end.ts';
import { runSheet } from '../../run/paybatch.ts';
import { cliCommand } from '../command.ts';
import { declareGroupBy } from '../flags/group-by-option.ts';
import { field, wholeNumber } from '../flags/options.ts';
import { declarePayment, paymentOf } from '../flags/payment-options.ts';
import { declareRowsFile, rowsFileOf } from '../flags/rows-file.ts';
import { declareFunds, declareRunLimits, fundsOf, runLimitsOf } from '../flags/run-options.ts';
import { typedAgain, withCorrection } from '../flags/typed-again.ts';
import { unverifiableOf } from '../flags/unverifiable-option.ts';
import { toldUnattended } from '../notify/unattended.ts';
import { outliving } from '../outlive.ts';
import { openSession, type SessionOptions } from '../session.ts';
import type { Shell } from '../shell.ts';
import { declareDetach, leftToWorkers, OF_SENDING } from '../worker/left-to-workers.ts';

/** The next step after a dry run: the same command without `--dry-run`. */
const toPay = (shell: Shell): NextStep => ({
  says: 'Nothing was sent. To pay:',
  command: typedAgain(shell, { without: { '--dry-run': 'alone' } }),
});

export const run = cliCommand({
  example: 'paybatch run november.xlsx',
  moreExamples: ['paybatch run november.xlsx --dry-run', 'paybatch run november.xlsx --batch salaries-2026-11'],
  declare(command) {
    return declareDetach(declareGroupBy(declareRowsFile(declareRunLimits(declareFunds(declarePayment(command))))))
      .option('--dry-run', 'everything but sending')
      .option('--expect-count <n>', 'control total: number of payments', wholeNumber(0))
      .option('--expect-total <amount>', 'control total: sum of the payments')
      .option('--concurrency <n>', 'orders in flight at once', wholeNumber(1));
  },
  async run(shell, [sheet], options) {
    return await leftToWorkers(shell, options, OF_SENDING, async () => {
      const request = { ...paymentOf(shell, sheet, options), ...fundsOf(options), dryRun: options.dryRun === true };
      const rowsFile = await rowsFileOf(shell, options);
      const opened: SessionOptions = {
        command: 'run',
        ...field('rowsFile', rowsFile),
        ...field('groupBy', options.groupBy),
        sends: true,
        ...field('currency', options.currency),
        ...field('purpose', options.purpose),
        ...field('concurrency', options.concurrency),
        ...field('scenario', options.scenario),
        limits: runLimitsOf(options),
        ...field('acceptUnverifiable', unverifiableOf(options)),
        expected: {
          ...field('count', options.expectCount),
          ...field('total', options.expectTotal),
        },
      };
      await using session = await openSession(shell, opened);
      const outlives = { shell, session, options: opened, outFolder: request.outFolder };
      const end = options.detach
        ? await runSheet(request, { ...session.deps, isDetached: true })
        : await toldUnattended(shell, session, 'run', (deps) =>
            request.upToBalance === undefined
              ? outliving(outlives, deps, (own) => runSheet(request, own))
              : runSheet(request, deps),
          );
      return request.dryRun && end.fault === undefined
        ? { ...end, next: toPay(shell) }
        : withCorrection(end, shell, sheet);
    });
  },
});

import { runSheet } from '../../paybatch.ts';
import { heldBatchName } from '../../preflight/batch-name.ts';
import { cliCommand } from '../command.ts';
import { declareFunds, fundsOf } from '../flags/funds-options.ts';
import { declareRunLimits, runLimitsOf } from '../flags/limit-options.ts';
import { field, reasonOf, wholeNumber } from '../flags/options.ts';
import { declarePayees, payeeCheckOfRun } from '../flags/payee-options.ts';
import { declareReading, readingOf } from '../flags/sheet-options.ts';
import { declareUnverifiable, unverifiableOf } from '../flags/unverifiable-option.ts';
import { openSession } from '../session.ts';

export const run = cliCommand({
  name: 'run',
  summary: 'check a sheet, show what it costs, pay it once, write the results workbook',
  example: 'paybatch run november.xlsx',
  declare(command) {
    return declareUnverifiable(declareRunLimits(declareFunds(declarePayees(declareReading(command)))))
      .option('--verify-payees', 'ask the service whose the accounts are, before anything is paid')
      .option('--batch <name>', 'your own name for the batch, for example salaries-2026-11; a live one needs a name')
      .option('--dry-run', 'everything but sending')
      .option('--expect-count <n>', 'control total: number of payments', wholeNumber(0))
      .option('--expect-total <amount>', 'control total: sum of the payments')
      .option('--skip-invalid <n>', 'set aside exactly this many rows with errors', wholeNumber(1))
      .option('--allow-duplicate <reason>', 'live: pay once more what an earlier batch paid; the reason is recorded')
      .option('--accept-paid-before <n>', 'pay exactly this many rows that an earlier batch paid', wholeNumber(1))
      .option(
        '--accept-changed-payees <n>',
        'pay exactly this many rows whose phone or account is another one than the last time',
        wholeNumber(1),
      )
      .option('--concurrency <n>', 'orders in flight at once', wholeNumber(1))
      .option('--scenario <name>', 'sandbox only: how the practice service behaves, for example flaky');
  },
  async run(shell, [sheet], options) {
    const batch = options.batch;
    const request = {
      ...readingOf(shell, sheet, options),
      ...field('batchName', batch === undefined ? undefined : heldBatchName(batch)),
      ...field('skipInvalid', options.skipInvalid),
      ...field('allowDuplicate', reasonOf(options.allowDuplicate)),
      ...field('acceptPaidBefore', options.acceptPaidBefore),
      ...field('acceptChangedPayees', options.acceptChangedPayees),
      ...fundsOf(options),
      ...field('payees', payeeCheckOfRun(options)),
      dryRun: options.dryRun === true,
    };
    await using session = await openSession(shell, {
      command: 'run',
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
    });
    return await runSheet(request, session.deps);
  },
});

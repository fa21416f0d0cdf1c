/** Options of the commands that prepare the payment of a sheet: `run` pays it, and `plan` writes down what would be paid. */
import type { Command } from '@commander-js/extra-typings';
import { reasonOf } from '../../domain/given-reason.ts';
import { heldBatchName } from '../../preflight/batch-name.ts';
import type { RunRequest } from '../../run/paybatch.ts';
import { optionGroups } from '../help/layout.ts';
import type { Shell } from '../shell.ts';
import { field, type OptionsOf, wholeNumber } from './options.ts';
import { declarePayees, payeeCheckOfRun } from './payee-options.ts';
import { declareReading, readingOf } from './sheet-options.ts';
import { declareUnverifiable } from './unverifiable-option.ts';

export const declarePayment = (command: Command) =>
  declareUnverifiable(declarePayees(declareReading(command)))
    .option('--verify-payees', 'ask the service whose the accounts are, before anything is paid')
    .option('--batch <name>', 'your own name for the batch, for example salaries-2026-11; a live one needs a name')
    .optionsGroup(optionGroups.exceptions)
    .option('--skip-invalid <n>', 'set aside exactly this many rows with errors', wholeNumber(1))
    .option('--allow-duplicate <reason>', 'live: pay once more what an earlier batch paid; the reason is recorded')
    .option('--accept-paid-before <n>', 'pay exactly this many rows that an earlier batch paid', wholeNumber(1))
    .option(
      '--accept-changed-payees <n>',
      'pay exactly this many rows whose phone or account has changed since the last time',
      wholeNumber(1),
    )
    .optionsGroup(optionGroups.own)
    .option('--scenario <name>', 'sandbox only: how the practice service behaves, for example flaky');

type PaymentOptions = OptionsOf<ReturnType<typeof declarePayment>>;

/** Returns the request that these options make. */
export const paymentOf = (shell: Shell, sheet: string, options: PaymentOptions): Omit<RunRequest, 'dryRun'> => ({
  ...readingOf(shell, sheet, options),
  ...field('batchName', options.batch === undefined ? undefined : heldBatchName(options.batch)),
  ...field('skipInvalid', options.skipInvalid),
  ...field('allowDuplicate', reasonOf(options.allowDuplicate)),
  ...field('acceptPaidBefore', options.acceptPaidBefore),
  ...field('acceptChangedPayees', options.acceptChangedPayees),
  ...field('payees', payeeCheckOfRun(options)),
});

/**
 * Options of the commands that prepare the payment of a sheet: `run` pays it, and `plan` writes down what would be paid. Some are
 * also those of commands that only verify payees, or that continue a batch.
 */

import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { Fault } from '../../domain/fault.ts';
import { givenText } from '../../domain/given-text.ts';
import { present } from '../../domain/present.ts';
import { heldBatchName } from '../../preflight/batch-name.ts';
import type { PayeeCheck } from '../../preflight/payees/payee-check.ts';
import type { RunRequest } from '../../run/paybatch.ts';
import { optionGroups } from '../help/layout.ts';
import type { Shell } from '../shell.ts';
import { type None, type OptionsOf, SCENARIO_OF_SHEET, SKIP_INVALID, wholeNumber } from './options.ts';
import { declareReading, readingOf } from './sheet-options.ts';

/** Declares the options of the commands that verify payees. */
export const declarePayees = <Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) =>
  command
    .option('--new-only', 'verify only payees that this ledger has not paid before')
    .optionsGroup(optionGroups.exceptions)
    .option('--accept-no-match <n>', 'pay exactly this many rows whose account has another holder', wholeNumber(1))
    .optionsGroup(optionGroups.own);

type PayeeOptions = OptionsOf<ReturnType<typeof declarePayees<[], None>>>;

export const payeeCheckOf = (options: PayeeOptions): PayeeCheck => ({
  newOnly: options.newOnly === true,
  ...present({ acceptNoMatch: options.acceptNoMatch }),
});

/**
 * Returns what `run` verifies; `undefined` unless it is asked to verify payees. Throws a Fault `usage` for `--new-only` or
 * `--accept-no-match` without `--verify-payees`.
 */
function payeeCheckOfRun(options: PayeeOptions & { readonly verifyPayees?: true | undefined }): PayeeCheck | undefined {
  const check = payeeCheckOf(options);
  if (options.verifyPayees === true) return check;
  if (!check.newOnly && check.acceptNoMatch === undefined) return undefined;
  throw new Fault(
    'usage',
    '--new-only and --accept-no-match are about payees that are verified.',
    'Add --verify-payees.',
  );
}

/** The option's earlier name, which still works so that no schedule breaks; help does not show it. */
const EARLIER = new Option('--send-unseen <n>').argParser(wholeNumber(1)).conflicts('acceptUnverifiable').hideHelp();

/** Declares the operator's acceptance of payments that no look-up can prove unsent, on a ledger that is in recovery. */
export const declareUnverifiable = <Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) =>
  command
    .optionsGroup(optionGroups.exceptions)
    .option(
      '--accept-unverifiable <n>',
      'new or restored ledger: send exactly this many airtime and bill payments',
      wholeNumber(1),
    )
    .addOption(EARLIER)
    .optionsGroup(optionGroups.own);

/** Returns how many unverifiable payments may be sent; `undefined` if no number was typed. */
export const unverifiableOf = (
  options: OptionsOf<ReturnType<typeof declareUnverifiable<[], None>>>,
): number | undefined => options.acceptUnverifiable ?? options.sendUnseen;

export const declarePayment = (command: Command) =>
  declareUnverifiable(declarePayees(declareReading(command)))
    .option('--verify-payees', 'ask the service who holds the accounts, before anything is paid')
    .option('--batch <name>', 'your own name for the batch, for example salaries-2026-11; a live one needs a name')
    .optionsGroup(optionGroups.exceptions)
    .option(...SKIP_INVALID)
    .option('--allow-duplicate <reason>', 'live: pay again what an earlier batch paid; the reason is recorded')
    .option('--accept-paid-before <n>', 'pay exactly this many rows that an earlier batch paid', wholeNumber(1))
    .option(
      '--accept-changed-payees <n>',
      'pay exactly this many rows whose phone or account has changed since the last time',
      wholeNumber(1),
    )
    .optionsGroup(optionGroups.own)
    .option(...SCENARIO_OF_SHEET);

type PaymentOptions = OptionsOf<ReturnType<typeof declarePayment>>;

/** Returns the request that these options make. */
export const paymentOf = (shell: Shell, sheet: string, options: PaymentOptions): Omit<RunRequest, 'dryRun'> => ({
  ...readingOf(shell, sheet, options),
  ...present({
    batchName: options.batch === undefined ? undefined : heldBatchName(options.batch),
    skipInvalid: options.skipInvalid,
    allowDuplicate: givenText('--allow-duplicate', options.allowDuplicate),
    acceptPaidBefore: options.acceptPaidBefore,
    acceptChangedPayees: options.acceptChangedPayees,
    payees: payeeCheckOfRun(options),
  }),
});

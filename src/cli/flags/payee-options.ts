/** Options of the commands that verify payees. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { Fault } from '../../domain/fault.ts';
import type { PayeeCheck } from '../../preflight/payees/payee-check.ts';
import { optionGroups } from '../help/layout.ts';
import { field, type None, type OptionsOf, wholeNumber } from './options.ts';

export const declarePayees = <Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) =>
  command
    .option('--new-only', 'verify only payees that this ledger has not paid before')
    .optionsGroup(optionGroups.exceptions)
    .option(
      '--accept-no-match <n>',
      'go on with exactly this many rows whose account somebody else holds',
      wholeNumber(1),
    )
    .optionsGroup(optionGroups.own);

type PayeeOptions = OptionsOf<ReturnType<typeof declarePayees<[], None>>>;

export const payeeCheckOf = (options: PayeeOptions): PayeeCheck => ({
  newOnly: options.newOnly === true,
  ...field('acceptNoMatch', options.acceptNoMatch),
});

/**
 * Returns what `run` verifies; `undefined` unless it is asked to verify payees. Throws a Fault `usage` for `--new-only` or
 * `--accept-no-match` without `--verify-payees`.
 */
export function payeeCheckOfRun(
  options: PayeeOptions & { readonly verifyPayees?: true | undefined },
): PayeeCheck | undefined {
  const check = payeeCheckOf(options);
  if (options.verifyPayees === true) return check;
  if (!check.newOnly && check.acceptNoMatch === undefined) return undefined;
  throw new Fault(
    'usage',
    '--new-only and --accept-no-match are about payees that are verified.',
    'Add --verify-payees.',
  );
}

/** Options of the commands that verify payees. */
import type { Command } from 'commander';
import { Fault } from '../../domain/fault.ts';
import type { PayeeCheck } from '../../preflight/payees/payee-check.ts';
import { field, numberOption, wholeNumber } from './options.ts';

export const declarePayees = (command: Command): Command =>
  command
    .option('--new-only', 'verify only payees that this ledger has not paid before')
    .option(
      '--accept-no-match <n>',
      'go on with exactly this many rows whose account somebody else holds',
      wholeNumber(1),
    );

export const payeeCheckOf = (options: Readonly<Record<string, unknown>>): PayeeCheck => ({
  newOnly: options['newOnly'] === true,
  ...field('acceptNoMatch', numberOption(options, 'acceptNoMatch')),
});

/** What `run` verifies: nothing, unless it is asked to. */
export function payeeCheckOfRun(options: Readonly<Record<string, unknown>>): PayeeCheck | undefined {
  const check = payeeCheckOf(options);
  if (options['verifyPayees'] === true) return check;
  if (!check.newOnly && check.acceptNoMatch === undefined) return undefined;
  throw new Fault(
    'usage',
    '--new-only and --accept-no-match are about payees that are verified.',
    'Add --verify-payees.',
  );
}

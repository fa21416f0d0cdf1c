/** The operator's acceptance of payments that no look-up can prove unsent, on a ledger that is in recovery. */
import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { optionGroups } from '../help/layout.ts';
import { type None, type OptionsOf, wholeNumber } from './options.ts';

/** The option's earlier name, which still works so that no schedule breaks; help does not show it. */
const EARLIER = new Option('--send-unseen <n>').argParser(wholeNumber(1)).conflicts('acceptUnverifiable').hideHelp();

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

/** The operator's word about payments that no look-up can prove unsent, on a ledger that is in doubt. */
import { type Command, Option } from 'commander';
import { numberOption, wholeNumber } from './options.ts';

/** The option's earlier name works on, so that no schedule breaks; nobody is told of it. */
const EARLIER = new Option('--send-unseen <n>').argParser(wholeNumber(1)).conflicts('acceptUnverifiable').hideHelp();

export const declareUnverifiable = (command: Command): Command =>
  command
    .option(
      '--accept-unverifiable <n>',
      'new or restored ledger: send exactly this many airtime and bill payments',
      wholeNumber(1),
    )
    .addOption(EARLIER);

/** How many such payments may be sent; undefined: nobody said. */
export const unverifiableOf = (options: Readonly<Record<string, unknown>>): number | undefined =>
  numberOption(options, 'acceptUnverifiable') ?? numberOption(options, 'sendUnseen');

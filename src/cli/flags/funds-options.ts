/** Options of a run for a wallet that does not cover the whole sheet. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { FundsChoice } from '../../preflight/funds.ts';
import { optionGroups } from '../help/layout.ts';
import { duration } from './duration.ts';
import { field, type None, type OptionsOf, wholeNumber } from './options.ts';

/** Longest wait: a top-up that takes longer is another day's run. */
const WAIT_MAX_MS = 24 * 3_600_000;

export const declareFunds = <Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) =>
  command
    .optionsGroup(optionGroups.funds)
    .option(
      '--up-to-balance <n>',
      'pay exactly this many rows, in sheet order, because the wallet covers no more; the others with resume',
      wholeNumber(1),
    )
    .option(
      '--wait-for-balance <time>',
      'ask for the wallet again until it suffices: 90s, 30m or 2h',
      duration(WAIT_MAX_MS),
    )
    .optionsGroup(optionGroups.own);

export const fundsOf = (options: OptionsOf<ReturnType<typeof declareFunds<[], None>>>): FundsChoice => ({
  ...field('upToBalance', options.upToBalance),
  ...field('waitForBalanceMs', options.waitForBalance),
});

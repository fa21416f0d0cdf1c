/** Options of a run for a wallet that does not cover the whole sheet. */
import { type Command, InvalidArgumentError, type OptionValues } from '@commander-js/extra-typings';
import type { FundsChoice } from '../../preflight/funds.ts';
import { field, type None, type OptionsOf, wholeNumber } from './options.ts';

const MS_OF: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Longest wait: a top-up that takes longer is another day's run. */
const WAIT_MAX_MS = 24 * 3_600_000;

/** `90s`, `30m` or `2h` in milliseconds, for commander's own parsing. */
function duration(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const ms = Number(number) * (MS_OF[unit] ?? 0);
  if (ms > 0 && ms <= WAIT_MAX_MS) return ms;
  throw new InvalidArgumentError('It takes seconds, minutes or hours, up to a day: 90s, 30m or 2h.');
}

export const declareFunds = <Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) =>
  command
    .option(
      '--up-to-balance <n>',
      'pay exactly this many rows, in sheet order, because the wallet covers no more; the others with resume',
      wholeNumber(1),
    )
    .option('--wait-for-balance <time>', 'ask for the wallet again until it suffices: 90s, 30m or 2h', duration);

export const fundsOf = (options: OptionsOf<ReturnType<typeof declareFunds<[], None>>>): FundsChoice => ({
  ...field('upToBalance', options.upToBalance),
  ...field('waitForBalanceMs', options.waitForBalance),
});

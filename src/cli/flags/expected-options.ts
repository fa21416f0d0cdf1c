/** The control totals of a payment as options: a person who types them says that this is to be paid. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { ExpectedTotals } from '../../preflight/control-totals.ts';
import { field, type None, type OptionsOf, wholeNumber } from './options.ts';

export const declareExpected = <Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) =>
  command
    .option('--expect-count <n>', 'control total: number of payments', wholeNumber(0))
    .option('--expect-total <amount>', 'control total: sum of the payments');

export const expectedOf = (options: OptionsOf<ReturnType<typeof declareExpected<[], None>>>): ExpectedTotals => ({
  ...field('count', options.expectCount),
  ...field('total', options.expectTotal),
});

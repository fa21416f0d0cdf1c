/** The option `--group-by` of the commands that write results: the headings by which their Summary counts rows. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { severalTexts } from './options.ts';

export const declareGroupBy = <Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) =>
  command.option(
    '--group-by <heading>',
    'a table in the Summary by this column of your sheet; may be given several times',
    severalTexts,
  );

/** Options of every command that sends: what makes it stop before all is sent. */
import type { Command } from 'commander';
import type { SendingSettings } from '../../domain/settings.ts';
import { field, numberOption, wholeNumber } from './options.ts';

/** RunLimits that the operator set for one run; the others are those of the profile. */
export type RunLimits = Pick<SendingSettings, 'canary' | 'stopAfterFailures' | 'feeTolerancePercent'>;

export const declareRunLimits = (command: Command): Command =>
  command
    .option('--canary <n>', 'send so many rows first, and the rest when they are completed; 0: none', wholeNumber(0))
    .option(
      '--stop-after-failures <n>',
      'send nothing more when so many rows were not paid; 0: whatever fails',
      wholeNumber(0),
    )
    .option(
      '--fee-tolerance <percent>',
      'send nothing more when fees exceed the charges quoted by more than this; default: 1',
      wholeNumber(0),
    );

export const runLimitsOf = (options: Readonly<Record<string, unknown>>): RunLimits => ({
  ...field('canary', numberOption(options, 'canary')),
  ...field('stopAfterFailures', numberOption(options, 'stopAfterFailures')),
  ...field('feeTolerancePercent', numberOption(options, 'feeTolerance')),
});

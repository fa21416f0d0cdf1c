/**
 * Options of every command that sends: what makes it stop early, what it does if the wallet does not cover the whole sheet, and
 * the control totals of a payment.
 */

import type { Command, OptionValues } from '@commander-js/extra-typings';
import { present } from '../../domain/present.ts';
import type { SendingSettings } from '../../domain/settings.ts';
import type { ExpectedTotals } from '../../preflight/control-totals.ts';
import type { FundsChoice } from '../../preflight/funds.ts';
import { optionGroups } from '../help/layout.ts';
import { duration, type None, type OptionsOf, wholeNumber } from './options.ts';

/** Limits that the operator set for one run; the others come from the profile. */
export type RunLimits = Pick<SendingSettings, 'canary' | 'stopAfterFailures' | 'feeTolerancePercent'>;

export const declareRunLimits = <Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) =>
  command
    .optionsGroup(optionGroups.limits)
    .option('--canary <n>', 'send this many rows first, and the rest when they are completed; 0: none', wholeNumber(0))
    .option(
      '--stop-after-failures <n>',
      'stop sending when this many rows were not paid; 0: never stop for them',
      wholeNumber(0),
    )
    .option(
      '--fee-tolerance <percent>',
      'send nothing more when fees exceed the charges quoted by more than this; default: 1',
      wholeNumber(0),
    )
    .optionsGroup(optionGroups.own);

export type RunLimitOptions = Partial<OptionsOf<ReturnType<typeof declareRunLimits<[], None>>>>;

export const runLimitsOf = (options: RunLimitOptions): RunLimits =>
  present({
    canary: options.canary,
    stopAfterFailures: options.stopAfterFailures,
    feeTolerancePercent: options.feeTolerance,
  });

/** Longest wait for a top-up, in milliseconds: one that takes longer is a matter for another day's run. */
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
      'check the wallet again until it holds enough, for at most 90s, 30m or 2h',
      duration(WAIT_MAX_MS),
    )
    .optionsGroup(optionGroups.own);

export const fundsOf = (options: OptionsOf<ReturnType<typeof declareFunds<[], None>>>): FundsChoice =>
  present({ upToBalance: options.upToBalance, waitForBalanceMs: options.waitForBalance });

/** Declares the control totals: a person who types them says that this is to be paid. */
export const declareExpected = <Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) =>
  command
    .option('--expect-count <n>', 'control total: number of payments', wholeNumber(0))
    .option('--expect-total <amount>', 'control total: sum of the payments');

export const expectedOf = (options: OptionsOf<ReturnType<typeof declareExpected<[], None>>>): ExpectedTotals =>
  present({ count: options.expectCount, total: options.expectTotal });

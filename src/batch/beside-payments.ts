/**
 * The checks of the columns beside those that payments are read from, one entry for each. They decide nothing: what they find
 * is an issue.
 */
import { isAmountOpen } from './amount-question.ts';
import type { BesideCheck } from './beside-check.ts';
import type { CheckContext } from './check-context.ts';
import type { ColumnMap } from './column-map.ts';
import { FiguresBeside } from './figures-beside.ts';
import { heldElsewhere, PartlyAnswered } from './held-elsewhere.ts';
import { NamesBeside } from './names-beside.ts';
import { netPay } from './net-pay.ts';
import { PaidBefore } from './paid-before.ts';
import { PaymentDays } from './payment-days.ts';
import { SplitAmounts } from './split-amounts.ts';
import { unusedAccounts, unusedValues } from './unused-values.ts';

/** Returns a check that has seen no row, for a sheet with these columns; `undefined` if it says nothing about such a sheet. */
type BeginCheck = (map: ColumnMap, context: CheckContext) => BesideCheck | undefined;

const checks: readonly BeginCheck[] = [
  unusedValues,
  unusedAccounts,
  netPay,
  heldElsewhere,
  (map) => new PaidBefore(map),
  (map) => new PartlyAnswered(map),
  (map) => new PaymentDays(map),
  (map) => new NamesBeside(map),
  (map, context) => (isAmountOpen(map) ? undefined : new FiguresBeside(map, context)),
  (map, { delimiter }) => (delimiter === ',' ? new SplitAmounts(map) : undefined),
];

/** Returns the checks for a sheet with these columns. */
export const checksBeside: (...of: Parameters<BeginCheck>) => readonly BesideCheck[] = (map, context) =>
  checks.flatMap((begin) => begin(map, context) ?? []);

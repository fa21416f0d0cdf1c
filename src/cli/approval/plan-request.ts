/** What was said of a sheet when it was planned, kept in the plan, and said again when that is applied. */
import type { PlanRequest } from '../../approval/plan.ts';
import type { RunRequest } from '../../paybatch.ts';
import { field } from '../flags/options.ts';
import type { PaymentOptions } from '../flags/payment-options.ts';
import { unverifiableOf } from '../flags/unverifiable-option.ts';

/** The request as a plan keeps it: all but the places of files. */
export const planRequestOf = (
  { reading, allowIdentical, includeHidden, acceptFixes = false, decimals, ...rest }: Omit<RunRequest, 'dryRun'>,
  options: PaymentOptions,
): PlanRequest => ({
  ...field('worksheet', reading.worksheet),
  ...field('delimiter', reading.delimiter),
  ...field('encoding', reading.encoding),
  ...field('map', options.map),
  ...field('currency', options.currency),
  ...field('purpose', options.purpose),
  ...field('decimals', decimals),
  allowIdentical,
  ...field('includeHidden', includeHidden),
  acceptFixes,
  ...field('skipInvalid', rest.skipInvalid),
  ...field('batchName', rest.batchName),
  ...field('allowDuplicate', rest.allowDuplicate),
  ...field('acceptPaidBefore', rest.acceptPaidBefore),
  ...field('acceptUnverifiable', unverifiableOf(options)),
  ...field('payees', rest.payees),
});

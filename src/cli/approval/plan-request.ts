/** What was said of a sheet when it was planned, kept in the plan, and said again when that is applied. */
import type { PlanRequest } from '../../approval/plan.ts';
import type { RunRequest } from '../../paybatch.ts';
import { field } from '../flags/options.ts';
import type { PaymentOptions } from '../flags/payment-options.ts';
import { unverifiableOf } from '../flags/unverifiable-option.ts';
import { keptDecisions } from '../screens/decide-headings.ts';
import { readMapping } from '../state/mapping-file.ts';

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
  ...field('acceptChangedPayees', rest.acceptChangedPayees),
  ...field('acceptUnverifiable', unverifiableOf(options)),
  ...field('payees', rest.payees),
});

/** Where things are today: nothing of it stands in a plan. */
interface Places {
  readonly sheet: string;
  /** State folder, with the mappings. */
  readonly home: string;
  readonly outFolder?: string;
}

/** The request that a plan keeps, for the sheet as it lies there now. */
export const plannedRequest = (
  { worksheet, delimiter, encoding, map, currency: _, purpose: __, acceptUnverifiable: ___, ...rest }: PlanRequest,
  { sheet, home, outFolder }: Places,
): Omit<RunRequest, 'dryRun'> => ({
  sheet,
  reading: { ...field('worksheet', worksheet), ...field('delimiter', delimiter), ...field('encoding', encoding) },
  ...field('mapping', map === undefined ? undefined : readMapping(home, map)),
  decisions: keptDecisions(() => home),
  ...field('outFolder', outFolder),
  // A sheet that has errors today is not the one that was planned: nobody needs a copy to correct.
  copy: false,
  ...rest,
});

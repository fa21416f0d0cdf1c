/** What it takes to make a results workbook again: as the workbook says it, and as that is read back. */
import { isTimeZone } from '../domain/clock.ts';

/**
 * Which worksheets, columns and words a workbook has. A change of them raises it after the first release, so that a workbook
 * of before is not called changed.
 */
export const RESULTS_SCHEMA = '1';

export interface Made {
  /** In wall-clock milliseconds. */
  readonly printedAt: number;
  /** IANA name of the zone that times are shown in. */
  readonly timezone: string;
  /** The ledger may not have known all that was sent. */
  readonly inDoubt: boolean;
}

/** What stands before each part on the Audit worksheet. */
export const madeLabels = {
  schema: 'Schema of the results',
  at: 'Made at, in UTC',
  timezone: 'Time zone',
  doubt: 'Ledger in doubt',
} as const;

/** Labels and texts, in their order. */
export const madeTexts = ({ printedAt, timezone, inDoubt }: Made): readonly (readonly [string, string])[] => [
  [madeLabels.schema, RESULTS_SCHEMA],
  [madeLabels.at, new Date(printedAt).toISOString()],
  [madeLabels.timezone, timezone],
  [madeLabels.doubt, inDoubt ? 'yes' : 'no'],
];

/** Reads them back. A sentence where one is missing or is nothing that `madeTexts` writes. */
export function madeIn(texts: ReadonlyMap<string, string>): Made | string {
  const [schema, at, timezone, doubt] = Object.values(madeLabels).map((label) => texts.get(label));
  if (schema === undefined) return 'says no schema of results: it was not written by this paybatch';
  if (schema !== RESULTS_SCHEMA) {
    return `has the schema of results ${schema}, and this paybatch knows ${RESULTS_SCHEMA}: compare it with the paybatch that wrote it`;
  }
  const printedAt = Date.parse(at ?? '');
  const isTime = Number.isFinite(printedAt) && new Date(printedAt).toISOString() === at;
  if (!isTime || timezone === undefined || !isTimeZone(timezone) || (doubt !== 'yes' && doubt !== 'no')) {
    return 'does not say when and how it was made, as paybatch writes it';
  }
  return { printedAt, timezone, inDoubt: doubt === 'yes' };
}

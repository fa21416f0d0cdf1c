/** Everything that is needed to make a results workbook again, as text in the workbook, and how that text is read back. */

import { isTimeZone } from '../domain/clock.ts';
import { jsonIn } from '../domain/json.ts';

/**
 * Version of the worksheets, columns and texts of a workbook. After the first release, any change of them raises it, so that an
 * older workbook is not reported as changed.
 */
export const RESULTS_SCHEMA = '1';

export interface Made {
  /** When the workbook was made, in wall-clock milliseconds. */
  readonly printedAt: number;
  /** IANA name of the zone that times are shown in. */
  readonly timezone: string;
  /** Whether the ledger may not have known everything that was sent. */
  readonly inRecovery: boolean;
  /** Whether the workbook shows its plots as pictures. */
  readonly pictures: boolean;
  /** Headings of the user's columns by which the workbook counts rows. */
  readonly groupBy: readonly string[];
}

/** Labels of the parts on the Audit worksheet. */
export const madeLabels = {
  schema: 'Schema of the results',
  at: 'Made at, in UTC',
  timezone: 'Time zone',
  recovery: 'Ledger in recovery',
  pictures: 'With pictures',
  groups: 'Grouped by',
} as const;

/** Returns labels and texts, in their order. */
export const madeTexts = ({
  printedAt,
  timezone,
  inRecovery,
  pictures,
  groupBy,
}: Made): readonly (readonly [string, string])[] => [
  [madeLabels.schema, RESULTS_SCHEMA],
  [madeLabels.at, new Date(printedAt).toISOString()],
  [madeLabels.timezone, timezone],
  [madeLabels.recovery, inRecovery ? 'yes' : 'no'],
  [madeLabels.pictures, pictures ? 'yes' : 'no'],
  [madeLabels.groups, JSON.stringify(groupBy)],
];

/** Reads the texts of `madeTexts` by label. Returns a sentence if one is missing or is not what `madeTexts` writes. */
export function madeIn(texts: ReadonlyMap<string, string>): Made | string {
  const [schema, at, timezone, recovery, pictures, groups] = Object.values(madeLabels).map((label) => texts.get(label));
  if (schema === undefined) return 'does not name a schema of results: it was not written by this paybatch';
  if (schema !== RESULTS_SCHEMA) {
    return `has the schema of results ${schema}, and this paybatch knows ${RESULTS_SCHEMA}: compare it with the paybatch that wrote it`;
  }
  const printedAt = Date.parse(at ?? '');
  const isTime = Number.isFinite(printedAt) && new Date(printedAt).toISOString() === at;
  const groupBy = headingsIn(groups);
  const isSaid = isTime && isYesOrNo(recovery) && isYesOrNo(pictures) && groupBy !== undefined;
  if (!isSaid || timezone === undefined || !isTimeZone(timezone)) {
    return 'does not say when and how it was made, as paybatch writes it';
  }
  return { printedAt, timezone, inRecovery: recovery === 'yes', pictures: pictures === 'yes', groupBy };
}

const isYesOrNo = (text: string | undefined): boolean => text === 'yes' || text === 'no';

/** Reads a list of headings from JSON, because headings may contain any character that could separate them. */
function headingsIn(text: string | undefined): readonly string[] | undefined {
  const listed = jsonIn(text ?? '');
  return Array.isArray(listed) && listed.every((one) => typeof one === 'string') ? listed : undefined;
}

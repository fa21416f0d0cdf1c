/** Sheets that are checked against a real staging, which is closed after the test. */
import { onTestFinished } from 'vitest';
import type { CheckContext } from '../../../src/batch/check-context.ts';
import { type CheckedSheet, checkSheet } from '../../../src/batch/check-rows.ts';
import type { SheetRow } from '../../../src/domain/cell.ts';
import type { RunEvent } from '../../../src/domain/event.ts';
import type { Issue, IssueCode } from '../../../src/domain/issue.ts';
import type { StagedFor, StagedRow, Staging } from '../../../src/domain/staging.ts';
import { openStaging } from '../../../src/staging/staging.ts';
import { issueTexts } from '../../../src/texts/issue-message.ts';
import { currency } from '../amounts.ts';
import { remitter } from '../remitter.ts';
import { type CellChoice, inBlocks, sheetRows } from './sheet-rows.ts';

export interface Check {
  readonly checked: CheckedSheet;
  readonly staging: Staging;
  readonly staged: readonly StagedRow[];
  /** Everything that was told, in order. */
  readonly issues: readonly Issue[];
  readonly codes: readonly IssueCode[];
}

const context: CheckContext = {
  country: 'KE',
  currency: currency('KES'),
  purpose: 'Wages',
  remitter,
  allowIdentical: 0,
};

export function stagingForTest(use: StagedFor = 'plan'): Staging {
  const staging = openStaging(use);
  onTestFinished(() => staging.close());
  return staging;
}

/** Checks rows as a reader hands them out; every message is whole. `hear` is told every event. */
export async function checkRows(
  rows: readonly SheetRow[],
  over: Partial<CheckContext> = {},
  staging = stagingForTest(),
  hear: (event: RunEvent) => void = () => undefined,
): Promise<Check> {
  const issues: Issue[] = [];
  const emit = (event: RunEvent): void => {
    if (event.type === 'row.problem') issues.push(event.issue);
    hear(event);
  };
  const checked = await checkSheet(() => inBlocks(rows), staging, { ...context, ...over }, emit);
  for (const found of issues) requireWhole(found);
  const staged = staging.keepsRows ? [...staging.blocks()].flat() : [];
  return { checked, staging, staged, issues, codes: issues.map(({ code }) => code) };
}

/** Checks rows that are written as plain texts, from row 1 on. */
export const check = (
  rows: readonly (readonly CellChoice[])[],
  over?: Partial<CheckContext>,
  hear?: (event: RunEvent) => void,
): Promise<Check> => checkRows(sheetRows(rows), over, stagingForTest(), hear);

/** Every placeholder of a message is filled with something; only a hint may be empty. */
function requireWhole(found: Issue): void {
  const { says, fix } = issueTexts.en[found.code];
  const known: Readonly<Record<string, unknown>> = { value: found.value, row: found.row, ...found.parameters };
  for (const [, name = ''] of `${says} ${fix}`.matchAll(/\{(\w+)[|}]/g)) {
    const filling = known[name];
    if (filling === undefined || (filling === '' && name !== 'hint')) {
      throw new Error(`${found.code} has nothing to put in the place of {${name}}`);
    }
  }
}

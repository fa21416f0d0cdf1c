/** One sheet through the whole check, and what came of it in a word: the verdict that every file must get. */
import { Fault } from '../../../src/domain/fault.ts';
import type { Issue } from '../../../src/domain/issue.ts';
import { decimalOf } from '../../../src/domain/money.ts';
import type { Settings } from '../../../src/domain/settings.ts';
import { validateSheet } from '../../../src/run/validate.ts';
import type { SheetOptions } from '../../../src/sheet/open-sheet.ts';

export interface Judgement {
  /** `ready`: it could be paid. `issues`: its rows were judged and refused. `fault`: it is no readable sheet. */
  readonly verdict: 'ready' | 'issues' | 'fault';
  readonly issues: readonly Issue[];
  /** Decimal control sum of the rows that could be paid; missing after a fault. */
  readonly total?: string;
  readonly rows?: number;
  readonly worksheet?: string;
  readonly fault?: Fault;
}

/** Kenya, with the payer's own number, as an account is mostly configured. */
const settings: Settings = {
  organisation: 'Test',
  idNamespace: 'test',
  currency: 'KES',
  country: 'KE',
  timezone: 'Africa/Nairobi',
  purpose: 'Salary',
  profile: 'sandbox',
  sandbox: true,
  routes: {},
  sending: { concurrency: 1, ratePerSecond: 0, linesPerOrder: 1, requestTimeoutMs: 1_000 },
  polling: { firstMs: 1, maxMs: 1, deadlineMs: 1 },
  inDoubt: { resend: 'never', unknownGapMs: 1, quietMs: 1, maxAgeMs: 1, maxResends: 0 },
  remitter: { phoneNumber: '+254700000000' },
  limits: { perRow: {}, perBatch: {} },
  duplicates: { withinDays: 45, samePersonDays: 25, otherPeriodDays: 5 },
};

/**
 * Judges the sheet at `path`; a checked copy is written only when there is a folder for it. Whatever is thrown besides a
 * fault is a bug, and is thrown on.
 */
export async function judge(
  path: string,
  reading: SheetOptions = {},
  copyFolder?: string,
  over: Partial<Settings> = {},
): Promise<Judgement> {
  const issues: Issue[] = [];
  let found: { total?: string; rows?: number; worksheet?: string } = {};
  try {
    const end = await validateSheet(
      {
        sheet: path,
        reading,
        allowIdentical: 0,
        copy: copyFolder !== undefined,
        ...(copyFolder && { outFolder: copyFolder }),
      },
      {
        settings: { ...settings, ...over },
        emit(event) {
          if (event.type === 'row.problem') issues.push(event.issue);
          if (event.type === 'sheet' && event.worksheet !== undefined) found = { worksheet: event.worksheet };
          if (event.type === 'sheet.summary') {
            found = { ...found, rows: event.rows, ...(event.total && { total: decimalOf(event.total) }) };
          }
        },
      },
    );
    if (end.fault === undefined) return { verdict: 'ready', issues, ...found };
    if (!issues.some(({ level }) => level === 'error')) throw new Error('the sheet was refused without a problem');
    return { verdict: 'issues', issues, ...found, fault: end.fault };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.message === '' || error.remedy === '') throw new Error(`the fault ${error.code} says nothing`);
    return { verdict: 'fault', issues, fault: error };
  }
}

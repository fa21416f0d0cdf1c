/** What the check of a sheet finds: counted as it is found, and returned in the order of the rows when all of it is there. */
import type { Issue, IssueCode } from '../domain/issue.ts';
import type { Staging } from '../domain/staging.ts';

/** Issues whose remedy is a command that names the sheet. */
const namingSheet: ReadonlySet<IssueCode> = new Set<IssueCode>([
  'PB-HEADER-MISSING',
  'PB-HEADER-UNKNOWN',
  'PB-HEADER-TWICE',
  'PB-MAPPING-HEADING',
  'PB-PHONE-ELSEWHERE',
]);

/** Issues that depend on which column is the amount; they are not reported while that is undecided. */
const ofAmounts: ReadonlySet<IssueCode> = new Set<IssueCode>([
  'PB-NET-PAY',
  'PB-DUP-ROW',
  'PB-IDENTICAL-COUNT',
  'PB-AMOUNT-UNUSUAL',
]);

/** Issues that apply to whole columns, and are reported once for each. */
const gathered: ReadonlySet<IssueCode> = new Set<IssueCode>([
  'PB-ACCOUNT-UNUSED',
  'PB-AMOUNT-IN-TEXT',
  'PB-AMOUNT-ROUNDED',
  'PB-FORMULA-CACHED',
  'PB-NOTE-UNSENT',
  'PB-PHONE-IN-TEXT',
  'PB-PHONE-ZERO',
  'PB-UNUSED-VALUE',
  'PB-CURRENCY-COMPUTER',
]);

/** Issues that are staged together. */
const BLOCK_SIZE = 500;

export class Findings {
  readonly #staging: Pick<Staging, 'note' | 'issues'>;
  readonly #sheetName: string;
  #waiting: Issue[] = [];
  /** The first issue of each code and column, and the number of cells that it applies to. */
  readonly #ofColumns = new Map<string, { readonly first: Issue; count: number }>();
  #isAmountOpen = false;
  #sheetErrors = 0;
  #errors = 0;
  #warnings = 0;
  #repairs = 0;

  /** `sheetName`: the sheet as it is named in a command. */
  constructor(staging: Pick<Staging, 'note' | 'issues'>, sheetName = 'SHEET') {
    this.#staging = staging;
    this.#sheetName = sheetName;
  }

  /** Numbers of what was found so far. Only errors of the sheet as a whole are `sheetErrors`. */
  get counts() {
    return {
      sheetErrors: this.#sheetErrors,
      errors: this.#errors,
      warnings: this.#warnings,
      repairs: this.#repairs,
    };
  }

  /** Leaves out, from now on, what depends on which column is the amount. */
  leaveAmountOpen(): void {
    this.#isAmountOpen = true;
  }

  /** Takes an issue of the sheet as a whole, for which no row can be set aside. */
  ofSheet(found: Issue | undefined): void {
    if (found?.level === 'error') this.#sheetErrors += 1;
    if (found) this.ofRow(found);
  }

  /** Takes an issue of a row, or one for which rows can be set aside. */
  ofRow(found: Issue): void {
    if (this.#isAmountOpen && ofAmounts.has(found.code)) return;
    this.#waiting.push(this.#named(found));
    if (this.#waiting.length >= BLOCK_SIZE) this.#flush();
    if (found.level === 'error') this.#errors += 1;
    else this.#warnings += 1;
    if (found.repair && found.level === 'warning') this.#repairs += 1;
  }

  /** Takes those issues of a row that are reported once for their column, and returns the others. */
  ofColumns(issues: readonly Issue[]): readonly Issue[] {
    if (!issues.some(({ code }) => gathered.has(code))) return issues;
    return issues.filter((found) => {
      if (!gathered.has(found.code)) return true;
      const key = `${found.code} ${found.cell?.replace(/\d+$/, '')}`;
      const known = this.#ofColumns.get(key);
      if (known) known.count += 1;
      else this.#ofColumns.set(key, { first: found, count: 1 });
      return false;
    });
  }

  /** Counts the issues of columns, each at its first cell, when every row was seen. */
  endColumns(): void {
    for (const { first, count } of this.#ofColumns.values()) {
      this.ofSheet({ ...first, parameters: { ...first.parameters, count } });
    }
  }

  /**
   * Yields errors in the order of the rows, and then warnings. Called when everything was found: an issue that shows only at the
   * end may be about the first row.
   */
  *inOrder(): Generator<Issue> {
    this.#flush();
    for (const level of ['error', 'warning'] as const) {
      for (const found of this.#staging.issues()) if (found.level === level) yield found;
    }
  }

  /** Adds the file name to an issue whose remedy is a command: only the sheet as a whole knows that name. */
  #named(found: Issue): Issue {
    if (!namingSheet.has(found.code)) return found;
    return { ...found, parameters: { ...found.parameters, sheet: this.#sheetName } };
  }

  #flush(): void {
    if (this.#waiting.length > 0) this.#staging.note(this.#waiting);
    this.#waiting = [];
  }
}

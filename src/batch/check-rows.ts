/**
 * Checks a whole sheet in one pass: every row is read by its kind, every problem is reported at its cell, and what can
 * be paid waits in the staging store. No sheet is held in memory. The checks that the pass makes itself follow below it: rows
 * and columns as a whole, rows that are perhaps not meant to be paid, and what an approver looks for.
 */
import type { Heading, MappingRecord } from '../domain/batch.ts';
import { addressOf, type Cell, type SheetRow } from '../domain/cell.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import { isCurrencyCalled } from '../domain/currency-names.ts';
import type { NamedOf } from '../domain/duplicate.ts';
import type { Emit } from '../domain/event.ts';
import { invariant } from '../domain/invariant.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { type LeftOut, type LeftOutSums, withLeftOut } from '../domain/left-out.ts';
import { add, type Money, moneyText, zero } from '../domain/money.ts';
import type { DecimalMark } from '../domain/number-format.ts';
import { type SheetValue, sheetValueOf } from '../domain/sheet-value.ts';
import type { Contrast, StagedRow, Staging } from '../domain/staging.ts';
import { type CellView, type ReadContext, trimmed } from '../kinds/column.ts';
import { shared } from '../kinds/columns.ts';
import { columnDescriptions, kinds, typeColumn } from '../kinds/index.ts';
import type { Kind, RowView } from '../kinds/kind.ts';
import { isUnseen, shownIssue } from '../kinds/shown-amount.ts';
import { isAmountOpen } from './amount-question.ts';
import { AroundTable, isAmountHeading, isPayee } from './around-table.ts';
import type { RowToPay } from './beside-check.ts';
import { checksBeside } from './beside-payments.ts';
import { type CheckContext, columnIssues } from './check-context.ts';
import type { ColumnMap } from './column-map.ts';
import { type ColumnFacts, DecimalStyles, type TypedAmount } from './decimal-styles.ts';
import { duplicateIssues } from './duplicates.ts';
import { findTable, type TableItem } from './find-table.ts';
import { Findings } from './findings.ts';
import { neededIssue } from './heading-issues.ts';
import { type IdentityNumbers, identityNumbers } from './identity-numbers.ts';
import { LackedByKind, type LackedSettings } from './lacked-settings.ts';
import { namedIssues } from './lines-not-to-pay.ts';
import { commonNote, draftOfRow, orderGroups } from './order-groups.ts';
import { fingerprintOf } from './order-origin.ts';
import { isWhole, readingOf, rowViews } from './sheet-reading.ts';
import { isScaled, worksheetIssue } from './stated-unit.ts';
import { isTotalAlone, rowsOfTable, type TotalRow } from './table.ts';
import { TableTotals } from './table-totals.ts';

export interface CheckedSheet {
  /** Row of the headings; `undefined` if none were found. */
  readonly headerRow?: number;
  /** Columns that an earlier check of paybatch wrote. */
  readonly ownColumns: readonly number[];
  readonly headings: readonly Heading[];
  /** The mapping that the headings were read by. */
  readonly mapping?: MappingRecord;
  /** Rows of the table. */
  readonly rows: number;
  /** Rows that are to be paid and have no error. */
  readonly payable: number;
  /** Those of them that can be paid as the sheet is: none while it has an error of its own, such as a repeated payment. */
  readonly ready: number;
  /** Rows that the sheet leaves out on purpose; absent if there are none. */
  readonly leftOut?: LeftOutSums;
  /** Rows with at least one error of their own, which `--skip-invalid` can set aside. */
  readonly invalid: number;
  /** Errors of the sheet as a whole, which nothing can set aside. */
  readonly sheetErrors: number;
  readonly errors: number;
  readonly warnings: number;
  /** Rows without a reference that repeat an earlier row. */
  readonly identical: number;
  /** Values that were read as their certain repair, because the operator accepted fixes. */
  readonly repairs: number;
  /** Control sum of the payable rows; zero while it is undecided which column is the amount. */
  readonly total: Money;
  /** Whether several columns may be the amount. The sheet is then refused, and nothing is said about its sums. */
  readonly isAmountOpen: boolean;
  /** Fingerprint of the payable rows that does not depend on their order. */
  readonly fingerprint: () => string;
  /** Settings that payable rows need and the configuration does not have. */
  readonly lacked: readonly LackedSettings[];
}

/** Among fewer payments than this, one is easily the sum of the others. */
const SUM_ROWS_MIN = 4;

/** Rows that are staged together. */
const BLOCK_SIZE = 500;

/** Checks the rows of a sheet. `read` is called again if the whole amount column has to be seen before an amount can be read. */
export async function checkSheet(
  read: () => AsyncIterable<readonly SheetRow[]>,
  staging: Staging,
  context: CheckContext,
  emit: Emit,
): Promise<CheckedSheet> {
  const check = new SheetCheck(staging, context, emit);
  for await (const items of findTable(read, columnDescriptions(), context)) {
    for (const item of items) {
      if (item.tag !== 'row') {
        check.other(item);
        continue;
      }
      const row = check.seen(item.row);
      const columns = check.asks(row);
      if (columns) check.decide(await decimalsOf(read(), columns, context));
      check.row(row);
    }
  }
  return check.finish();
}

/** What a table is checked with, once its headings are known. */
const tableOf = (map: ColumnMap, context: CheckContext) => ({
  map,
  isAmountOpen: isAmountOpen(map),
  reading: readingOf(map),
  identities: identityNumbers(map),
  around: new AroundTable(map, context),
  beside: checksBeside(map, context),
  /** Columns that say where money goes. */
  payees: new Set([...map.places].flatMap(([id, columns]) => (isPayee(id) ? columns : []))),
});

type CheckedTable = ReturnType<typeof tableOf>;

/** A row with what was looked at before it is read. */
interface SeenRow {
  readonly row: SheetRow;
  readonly view: RowView;
  readonly amount: CellView;
  readonly typed: TypedAmount | undefined;
}

class SheetCheck {
  readonly #staging: Staging;
  #context: CheckContext;
  readonly #emit: Emit;
  readonly #findings: Findings;
  #fingerprint: string | undefined;
  readonly #styles: DecimalStyles;
  readonly #lacked = new LackedByKind();
  /** Whether it is known what the amount column proves, even if it proves nothing. */
  #isDecided: boolean;
  /** `undefined` while no headings were found. */
  #found: CheckedTable | undefined;
  /** Whether a row says how it is paid. */
  #hasTypes = false;
  /** Whether there are payments below the end of the table. */
  #isCut = false;
  readonly #titles: Cell[] = [];
  readonly #own = new OwnColumns();
  /** Ids of the columns that rows need and the sheet does not have. */
  readonly #needed = new Set<string>();
  #waiting: StagedRow[] = [];
  #rows = 0;
  #payable = 0;
  #unmeant = 0;
  #total: Money;
  #leftOut: LeftOutSums;
  readonly #totals: TableTotals;
  /** The largest payment. */
  #largest: { readonly amount: Money; readonly view: CellView } | undefined;

  constructor(staging: Staging, context: CheckContext, emit: Emit) {
    this.#staging = staging;
    this.#context = staging.keepsRows ? context : { ...context, isCheck: true };
    this.#emit = emit;
    this.#findings = new Findings(staging, context.sheetName);
    this.#styles = stylesOf(context);
    this.#isDecided = context.decimals !== undefined;
    this.#total = zero(context.currency.code);
    this.#leftOut = { rows: 0, amount: this.#total };
    this.#totals = new TableTotals(context.currency.code);
  }

  /** The table. Only an issue may come before its headings. */
  get #table(): CheckedTable {
    invariant(this.#found, 'the lines of a sheet follow its headings');
    return this.#found;
  }

  /** Whether it is undecided which column is the amount. */
  get #isAmountOpen(): boolean {
    return this.#found?.isAmountOpen === true;
  }

  /** Handles an item that is not a row of the table. */
  other(item: Exclude<TableItem, { readonly tag: 'row' }>): void {
    if (item.tag === 'columns') this.#columns(item.columns);
    else if (item.tag === 'above') this.#findings.ofSheet(this.#table.around.above(item));
    else if (item.tag === 'issue') this.#findings.ofSheet(item.issue);
    else this.#noRow(item);
  }

  /** Handles a line below the headings that is not a row. */
  #noRow(item: Extract<TableItem, { readonly tag: 'total' | 'title' | 'outside' }>): void {
    const { around } = this.#table;
    if (item.tag === 'outside') {
      if (item.figure) this.#totals.figureBelow(item.figure);
      const found = around.below(item);
      this.#isCut ||= found?.code === 'PB-BELOW-TABLE' || item.issue?.level === 'error';
      this.#findings.ofSheet(found);
      return;
    }
    if (item.tag === 'total') this.#totalRow(item);
    else {
      this.#titles.push(item.shown);
      this.#findings.ofSheet(around.title(item.row));
    }
    this.#findings.ofSheet(around.beside(item.row));
  }

  #columns(map: ColumnMap): void {
    this.#found = tableOf(map, this.#context);
    if (this.#found.isAmountOpen) this.#findings.leaveAmountOpen();
    const { headerRow, headings, mapping } = map;
    this.#emit({ type: 'columns', headerRow, headings, ...(mapping && { mapping }) });
    for (const found of map.issues) this.#findings.ofSheet(found);
    const { currency, hiddenColumns = [], worksheet = '' } = this.#context;
    this.#findings.ofSheet(worksheetIssue(worksheet, currency.code));
    for (const found of columnIssues(map, currency.code, hiddenColumns)) this.#findings.ofSheet(found);
  }

  /**
   * Requires what may be a payment above the headings to be the sum of the rows, as the form of a bank states it, and compares
   * the rows with what other lines around the table state.
   */
  #requireSumsAround({ amountsAbove, stated, counts }: AroundTable): void {
    if (this.#isAmountOpen || this.#isCut) return;
    const { decimals = this.#styles.decided() } = this.#context;
    for (const { row, cell } of amountsAbove) {
      if (!this.#totals.whole.issueOf(row, cell, this.#context, decimals)) continue;
      this.#findings.ofSheet(issue('PB-ABOVE-TABLE', { row, cell: cell.address, value: cell.text }));
    }
    for (const { row, cell } of stated) {
      const found = this.#totals.whole.issueOf(row, cell, this.#context, decimals);
      if (found) this.#findings.ofSheet({ ...found, level: 'warning' });
    }
    this.#requireCounts(counts);
  }

  /**
   * Compares the rows with the numbers that lines around the table state. A number may include the rows that are left out, or
   * count people who have several rows once. If one of the numbers is right, the others are of something else.
   */
  #requireCounts(stated: AroundTable['counts']): void {
    if (stated.length === 0) return;
    const kept = this.#rows - this.#leftOut.rows;
    const again = this.#staging.repeatedPayees().reduce((sum, { count }) => sum + count - 1, 0);
    const counts = [this.#rows, kept, kept - again];
    if (stated.some(({ cell }) => counts.includes(Number(cell.text)))) return;
    for (const { row, cell } of stated) {
      this.#findings.ofSheet(
        issue('PB-ROW-COUNT', { row, cell: cell.address, value: cell.text }, { rows: this.#rows }),
      );
    }
  }

  /** Warns once of what the titles of the sheet call its payments. The types of rows come before a kind in a title. */
  #reportCalled(): void {
    const { worksheet, file } = this.#context;
    const called = [...(this.#found?.around.called ?? []), ...namedIssues(worksheet, file)];
    this.#findings.ofSheet(called.find(({ code }) => code !== 'PB-TITLE-KIND' || !this.#hasTypes));
  }

  /** Returns a row of the table with its amount cell. */
  seen(row: SheetRow): SeenRow {
    const view = this.#table.reading.viewOf(row);
    const amount = view('amount');
    return { row, view, amount, typed: this.#styles.read(amount) };
  }

  /** Returns the columns if all amounts must be seen before that of this row can be read; `undefined` if it can be read now. */
  asks({ typed }: SeenRow): ColumnMap | undefined {
    return !this.#isDecided && typed !== undefined && this.#styles.asks(typed) ? this.#table.map : undefined;
  }

  /** Sets the decimal mark. Earlier rows were read in the only possible way; later rows are read as the column says. */
  decide(decimals: DecimalMark | undefined): void {
    this.#isDecided = true;
    if (decimals !== undefined) this.#context = { ...this.#context, decimals };
  }

  row(seen: SeenRow): void {
    const { row, view, amount, typed } = seen;
    const { around, beside } = this.#table;
    this.#findings.ofSheet(around.beside(row));
    if (this.#rows === 0 && this.#isOfHeadings(row, amount)) {
      if (isCurrencyAlone(row, this.#context.currency.code)) return;
      const place = { row: row.number, cell: amount.address, value: trimmed(amount) };
      this.#findings.ofSheet(issue('PB-HEADER-LINES', place));
      return;
    }
    const title = around.titleInRow(row);
    if (title) {
      this.#findings.ofSheet(title);
      return;
    }
    this.#rows += 1;
    this.#totals.row(amount);
    const { kind, ...read } = this.#read(row, view);
    if (read.leftOut) {
      this.#leave(read, read.leftOut, view);
      return;
    }
    const { payout } = read;
    for (const found of read.issues) this.#findings.ofRow(found);
    const toPay: RowToPay = { row, view, kind, payout, issues: read.issues, context: this.#context };
    for (const check of beside) {
      check.see?.(toPay);
      for (const found of this.#findings.ofColumns(check.issuesOf?.(toPay) ?? [])) this.#findings.ofRow(found);
    }
    if (payout) {
      this.#payable += 1;
      this.#seeLargest(payout.amount, amount);
      if (!this.#isAmountOpen) this.#total = add(this.#total, payout.amount);
    }
    this.#totals.add(amount, payout, this.#context);
    this.#findings.ofSheet(this.#styles.see(typed));
    this.#stage(payout ? read : { ...read, ...referenceIn(view, this.#context) });
  }

  /** Reports whether the first row below the headings is a second line of them: it has words for an amount, and pays nobody. */
  #isOfHeadings({ cells }: SheetRow, { cell }: CellView): boolean {
    if (!cell || cells.some(({ column, text }) => /\d/.test(text) && this.#table.payees.has(column))) return false;
    return isScaled(cell.text) || (/\p{L}/u.test(cell.text) && !/\d/.test(cell.text) && cells.some(isAmountHeading));
  }

  /** Counts and reports a row that the sheet leaves out. It is only examined for why its amount is not in the sum. */
  #leave(staged: StagedRow, leftOut: LeftOut, view: RowView): void {
    const amount = view('amount');
    this.#leftOut = withLeftOut(this.#leftOut, leftOut);
    this.#totals.leave(leftOut, amount, this.#context);
    this.#emit({ type: 'row.left-out', row: staged.row, name: trimmed(view('name')), ...leftOut });
    const lacks = leftOut.amount === undefined && !this.#isAmountOpen;
    const shown = lacks ? shownIssue(amount, this.#context.currency.code) : undefined;
    if (shown) this.#findings.ofRow({ ...shown, level: 'warning' });
    this.#stage(staged);
  }

  #stage(staged: StagedRow): void {
    this.#waiting.push(staged);
    if (this.#waiting.length >= BLOCK_SIZE) this.#flush();
  }

  #totalRow(total: TotalRow): void {
    const { row, amount: cell } = total;
    const sums = this.#totals.sumsOf(total);
    // A total of rows that were cut off cannot agree, and is not wrong.
    if (this.#isAmountOpen || this.#isCut) return;
    const { decimals = this.#styles.decided() } = this.#context;
    const issues = sums.map((sum) => sum.issueOf(row.number, cell, this.#context, decimals));
    const equal = sums.find((_, at) => issues[at] === undefined);
    if (equal) this.#reportTotal(cell, equal.holdsLeftOut(cell, this.#context, decimals));
    else this.#findings.ofSheet(issues[0]);
  }

  #seeLargest(amount: Money, view: CellView): void {
    if (!this.#largest || amount.minor > this.#largest.amount.minor) this.#largest = { amount, view };
  }

  /** Warns of a payment that is the sum of all others: a total, or the account that pays, with a phone beside it. */
  #reportSum(): void {
    const { amount, view } = this.#largest ?? {};
    if (!amount || !view || this.#payable < SUM_ROWS_MIN || amount.minor * 2n !== this.#total.minor) return;
    this.#findings.ofSheet(issue('PB-AMOUNT-SUM', { row: view.row, cell: view.address, value: moneyText(amount) }));
  }

  /** Reports whether a total includes the rows that are left out: the person who confirms it must know. */
  #reportTotal({ address }: Cell, holds: boolean | undefined): void {
    if (holds === undefined) return;
    const message = `The total row (${address}) matches the sum of the rows, ${holds ? 'including' : 'excluding'} those that are left out.`;
    this.#emit({
      type: 'notice',
      level: 'info',
      message,
      code: holds ? 'total-with-left-out' : 'total-without-left-out',
    });
  }

  finish(): CheckedSheet {
    this.#flush();
    if (this.#rows === 0 && this.#findings.counts.sheetErrors === 0) this.#findings.ofSheet(issue('PB-EMPTY', {}));
    const table = this.#found;
    this.#findings.endColumns();
    this.#reportDecimals();
    if (table) this.#reportTable(table);
    this.#reportCalled();
    this.#requireHiddenCount();
    const duplicates = duplicateIssues(this.#staging, table?.map, this.#context.allowIdentical);
    for (const { found, isOfSheet } of duplicates.issues) {
      if (isOfSheet) this.#findings.ofSheet(found);
      else this.#findings.ofRow(found);
    }
    if (table) this.#reportSigns(table);
    for (const found of this.#findings.inOrder()) this.#emit({ type: 'row.problem', issue: found });
    const { counts } = this.#findings;
    const checked: CheckedSheet = {
      ...(table && { headerRow: table.map.headerRow }),
      ownColumns: table?.map.ownColumns ?? [],
      ...(table?.map.mapping && { mapping: table.map.mapping }),
      headings: this.#own.headings(table?.map.headings ?? []),
      rows: this.#rows,
      payable: this.#payable,
      ready: counts.sheetErrors > 0 ? 0 : this.#payable,
      ...(this.#leftOut.rows > 0 && { leftOut: this.#leftOut }),
      invalid: this.#rows - this.#payable - this.#leftOut.rows,
      ...counts,
      identical: duplicates.identical,
      total: this.#total,
      fingerprint: () => {
        // A check without a run seldom needs the fingerprint.
        this.#fingerprint ??= fingerprintOf(this.#staging);
        return this.#fingerprint;
      },
      isAmountOpen: this.#isAmountOpen,
      lacked: this.#lacked.found(),
    };
    const { rows, ready, invalid: withErrors, leftOut, errors, warnings, sheetErrors, total } = checked;
    const sums = { ...(sheetErrors === 0 && { total }), ...(leftOut && { leftOut }) };
    const summary = { rows, ready, withErrors, errors, warnings, ...sums };
    this.#emit({ type: 'sheet.summary', ...summary });
    return checked;
  }

  /** Reports what shows only when every line was seen: beside the rows, around them, and in their sums. */
  #reportTable({ map, around, beside }: CheckedTable): void {
    for (const check of beside) for (const found of check.issues?.() ?? []) this.#findings.ofSheet(found);
    this.#reportSum();
    this.#requireSumsAround(around);
    this.#reportNotPaid('A line above the headings', around.summaries);
    const names = map.places.get('name') ?? [];
    const areAmongNames = Map.groupBy(this.#titles, ({ column }) => names.includes(column));
    this.#reportNotPaid('A title among the rows', areAmongNames.get(false));
    // In a numbered list it is a department, unless it is a person whom somebody has yet to fill in.
    this.#reportNotPaid('A name that stands alone in its row', areAmongNames.get(true), 'warning');
    this.#reportNotPaid('A total among the rows', this.#totals.labels);
    this.#reportNotPaid('A line below the table', this.#totals.figuresBelow);
    this.#findings.ofSheet(this.#totals.issue());
  }

  /** Adds the warnings that show only when every row has been seen. */
  #reportSigns({ map, identities }: CheckedTable): void {
    for (const found of signs(this.#staging, map, identities, this.#total.currency)) this.#findings.ofSheet(found);
    for (const found of unsentNotes(this.#staging, map, this.#context.linesPerOrder ?? 1))
      this.#findings.ofSheet(found);
  }

  /** Reads a row, and says of which kind it is if it says so itself. */
  #read(row: SheetRow, view: RowView): StagedRow & { readonly kind?: Kind } {
    const { map, reading, identities } = this.#table;
    const texts = this.#staging.keepsRows ? this.#own.valuesOf(row, map.headings) : [];
    const leftOut = reading.leftOutOf(view, this.#context);
    if (leftOut && 'reason' in leftOut && isWhole(row)) {
      return { row: row.number, texts, leftOut: this.#isAmountOpen ? { reason: leftOut.reason } : leftOut, issues: [] };
    }
    const unclear = leftOut && 'code' in leftOut ? [leftOut] : [];
    const own = [...row.issues, ...unclear, ...this.#unmeantIssues(row, view), ...totalIssues(row, view)];
    const alone = this.#aloneIssue(row, view('amount')) ?? carriedIssue(row);
    if (alone) return { row: row.number, texts, issues: [...own, alone] };
    this.#hasTypes ||= trimmed(view(typeColumn.id)) !== '';
    const kind = reading.kindOf(view);
    if ('code' in kind) return { row: row.number, texts, issues: [...own, kind] };
    const read = reading.read(kind, view, this.#context);
    const issues = read.issues.length === 0 ? own : [...own, ...this.#reportedOf(read.issues)];
    const sound = own.every(({ level }) => level !== 'error');
    if (sound) this.#lacked.see(kind, read.lacks);
    const identity = identities.of(row);
    const stated = { ...(identity !== undefined && { identity }), ...(sound && read.payable) };
    return { row: row.number, texts, issues, kind, ...stated };
  }

  /** Returns the issue of a row with an amount and nothing else: a sum that is not labelled as one, or a payment to nobody. */
  #aloneIssue(row: SheetRow, { cell, address }: CellView): Issue | undefined {
    const { sum } = this.#totals.whole;
    // What an earlier check wrote next to the row says nothing about it.
    const others = row.cells.filter((one) => one !== cell && !this.#table.map.ownColumns.includes(one.column));
    const isAlone = sum && cell && others.every(({ text, formula }) => text.trim() === '' && !formula);
    if (!isAlone || cell.text.trim() === '') return undefined;
    return issue('PB-AMOUNT-ALONE', { row: row.number, cell: address, value: cell.text }, { sum: moneyText(sum) });
  }

  /** Returns the issues that are reported for the row itself; the others are reported for their column. */
  #reportedOf(issues: readonly Issue[]): readonly Issue[] {
    const [absent, reported] = [issues.filter(isOfNoColumn), issues.filter((found) => !isOfNoColumn(found))];
    for (const { parameters } of absent) this.#reportNeeded(String(parameters['heading']));
    return this.#findings.ofColumns(reported);
  }

  /** Reports a column that the sheet lacks once, at the headings, unless it was reported with them or a mapping names it. */
  #reportNeeded(heading: string): void {
    const column = columnDescriptions().find((one) => one.heading === heading);
    const { map } = this.#table;
    if (!column || this.#needed.has(column.id)) return;
    this.#needed.add(column.id);
    if (this.#context.mapping?.headings.some(({ means }) => means === column.id)) return;
    const needed = neededIssue(map, column);
    const isReported = map.issues.some(
      ({ code, parameters }) => code === needed.code && parameters['heading'] === heading,
    );
    // Rows that need the column can be set aside, so its absence is not an error of the sheet as a whole.
    if (!isReported) this.#findings.ofRow(needed);
  }

  /**
   * Returns the issues of a row that is perhaps not meant to be paid. If the operator includes hidden rows, these are
   * warnings, and their count is checked at the end.
   */
  #unmeantIssues(row: SheetRow, view: RowView): readonly Issue[] {
    const found = unmeantIssues(row, view, this.#table.map);
    if (found.length > 0) this.#unmeant += 1;
    return (this.#context.includeHidden ?? 0) > 0 ? found.map((one) => ({ ...one, level: 'warning' })) : found;
  }

  /** Reports that commas are read as decimal marks, because that is the rarer form here. */
  #reportDecimals(): void {
    if ((this.#context.decimals ?? this.#styles.decided()) !== 'comma') return;
    const message = 'Amounts use a comma as the decimal mark: 100,50 is read as 100.50.';
    this.#emit({ type: 'notice', level: 'info', message });
  }

  /** Reports lines among or above the rows that were not taken for payments. */
  #reportNotPaid(what: string, lines: readonly Cell[] = [], level: 'info' | 'warning' = 'info'): void {
    if (lines.length === 0) return;
    const named = lines.slice(0, NAMED_MAX).map(({ text, address }) => `"${text.trim()}" in ${address}`);
    const more = lines.length === named.length ? '' : `, and ${lines.length - named.length} more like it`;
    const message = `${what} is not a payment: ${named.join(', ')}${more}.`;
    this.#emit({ type: 'notice', level, message });
  }

  #requireHiddenCount(): void {
    const { includeHidden: stated = 0 } = this.#context;
    if (stated > 0 && stated !== this.#unmeant) {
      this.#findings.ofSheet(issue('PB-HIDDEN-COUNT', {}, { stated, count: this.#unmeant }));
    }
  }

  #flush(): void {
    if (this.#waiting.length > 0) this.#staging.add(this.#waiting);
    this.#waiting = [];
  }
}

/** Reports whether a line below the headings only says the currency of the batch. */
function isCurrencyAlone({ cells }: SheetRow, currency: CurrencyCode): boolean {
  const written = cells.filter(({ text }) => text.trim() !== '');
  return written.every(({ text }) => isCurrencyCalled(text.replace(/[().]/g, '').trim(), currency));
}

/** Returns the reference of a row that has errors elsewhere, because another row may have the same reference. */
function referenceIn(view: RowView, context: ReadContext): Pick<StagedRow, 'reference'> {
  const reading = shared.reference.read(view(shared.reference.id), context);
  return reading.ok && reading.value !== undefined ? { reference: reading.value } : {};
}

/** Reports whether an issue is about a cell of a column that the sheet does not have. */
const isOfNoColumn = ({ cell, parameters }: Issue): boolean =>
  cell === undefined && typeof parameters['heading'] === 'string';

/** The settings of reading that amounts depend on. */
type AmountReading = Partial<ColumnFacts> & Pick<CheckContext, 'currency' | 'delimiter'>;

/** Returns a new decimal style check that has seen no amounts. */
const stylesOf = ({ currency, delimiter, acceptFixes = false }: AmountReading): DecimalStyles =>
  new DecimalStyles({ currency, semicolons: delimiter === ';', acceptFixes });

/** Returns the decimal mark that the amount column proves as a whole. It reads the table and holds none of it. */
async function decimalsOf(
  blocks: AsyncIterable<readonly SheetRow[]>,
  columns: ColumnMap,
  context: AmountReading,
): Promise<DecimalMark | undefined> {
  const styles = stylesOf(context);
  const viewOf = rowViews(columns);
  for await (const row of rowsOfTable(blocks, columns)) styles.see(styles.read(viewOf(row)('amount')));
  return styles.decided();
}

/** The user's own columns: their values row by row, and how each shows its figures. */
class OwnColumns {
  /** How the first figure of each column is shown, by column number. */
  readonly #formats = new Map<number, string>();

  /** Returns the values of a row, in the order of the headings. */
  valuesOf({ cells }: SheetRow, headings: readonly Heading[]): readonly SheetValue[] {
    return headings.map(({ column }) => {
      const cell = cells.find((candidate) => candidate.column === column);
      const plain = cell?.format?.plain;
      if (plain !== undefined && !this.#formats.has(column)) this.#formats.set(column, plain);
      return sheetValueOf(cell);
    });
  }

  /** Returns the headings, with the number formats seen below them. */
  headings(headings: readonly Heading[]): readonly Heading[] {
    return headings.map((heading) => {
      const format = this.#formats.get(heading.column);
      return format === undefined ? heading : { ...heading, format };
    });
  }
}

/** Columns that say who is paid, through what, and how much. */
const deciding: ReadonlySet<string> = new Set([
  'name',
  ...kinds.flatMap(({ columns }) => columns.flatMap(({ id, decides }) => (decides === 'payment' ? [id] : []))),
]);

/** The words of a sum that a printed list carries from page to page: `B/F`, `Balance c/f`, `Carried forward`. */
const CARRIED =
  /^(?:(?:balance|total|amount|sum)\s+)?(?:[bc]\s*\/\s*[fd]|(?:brought|carried)\s+(?:forward|down|over)|[aà]\s+reporter)(?![\p{L}\d])/iu;

/** Returns the issue of a row that carries a sum over from another page, which is no payment whatever it lacks. */
function carriedIssue({ number, cells }: SheetRow): Issue | undefined {
  const cell = cells.find(({ text }) => CARRIED.test(text.trim()));
  return cell && issue('PB-TOTAL-CARRIED', { row: number, cell: cell.address, value: cell.text.trim() });
}

/** Returns the issue of a row that is called a total, and is read as a payment because it has a phone or an account. */
function totalIssues({ number }: SheetRow, view: RowView): readonly Issue[] {
  const named = ['name', shared.reference.id].map(view).find((one) => isTotalAlone(trimmed(one)));
  const { cell: amount } = view('amount');
  if (!named || !amount) return [];
  const place = { row: number, cell: named.address, value: trimmed(named) };
  return [issue('PB-TOTAL-PAID', place, { amount: amount.text.trim() })];
}

/** Returns the issues of a row that is perhaps not meant to be paid; none for nearly all rows. */
function unmeantIssues(row: SheetRow, view: RowView, map: ColumnMap): readonly Issue[] {
  const struck = row.cells.find((cell) => cell.struck && isDeciding(cell, map));
  const amount = view('amount');
  const found: Issue[] = [];
  if (row.hidden) found.push(issue('PB-HIDDEN', { row: row.number, cell: view('name').address }));
  if (struck) found.push(issue('PB-STRUCK', { row: row.number, cell: struck.address, value: struck.text }));
  if (isUnseen(amount)) {
    found.push(issue('PB-AMOUNT-UNSEEN', { row: row.number, cell: amount.address, value: amount.cell?.text ?? '' }));
  }
  return found;
}

const isDeciding = ({ column }: Cell, { places }: ColumnMap): boolean =>
  [...places].some(([id, columns]) => deciding.has(id) && columns.includes(column));

/** An amount of more than this many times the median amount is unusual (reference: catalogue of failures, X40). */
const UNUSUAL_FACTOR = 20;
/** With fewer payable rows than this, the median says nothing about the others. */
const UNUSUAL_ROWS_MIN = 5;

/** Returns what an approver looks for and what shows only when every row has been seen: typing errors, and fraud. */
function signs(
  staging: Staging,
  map: ColumnMap,
  { areOfRegisters }: IdentityNumbers,
  currency: Money['currency'],
): readonly Issue[] {
  const at = (id: string, row: number) => ({ row, cell: addressOf(map.places.get(id)?.[0] ?? 1, row) });
  const contrast =
    (code: 'PB-PAYEE-NAMES' | 'PB-NAME-PAYEES' | 'PB-ID-NAMES') =>
    ({ row, name, payee, first, firstRow }: Contrast, hint: string): Issue =>
      issue(code, { ...at('name', row), value: name }, { payee, first, firstRow, hint });
  const { median, ...amounts } = staging.unusualAmounts(UNUSUAL_FACTOR, UNUSUAL_ROWS_MIN, NAMED_MAX);
  const middle = moneyText({ minor: median, currency });
  const unusual = firstNamed(amounts, ({ row, minor }, hint) =>
    issue(
      'PB-AMOUNT-UNUSUAL',
      { ...at('amount', row), value: moneyText({ minor, currency }) },
      { factor: UNUSUAL_FACTOR, median: middle, hint },
    ),
  );
  return [
    ...unusual,
    ...firstNamed(staging.payeesWithNames(NAMED_MAX), contrast('PB-PAYEE-NAMES')),
    ...firstNamed(staging.namesWithPayees(NAMED_MAX), contrast('PB-NAME-PAYEES')),
    ...firstNamed(staging.identitiesWithNames(NAMED_MAX, areOfRegisters), contrast('PB-ID-NAMES')),
  ];
}

/** Most rows that are named. */
const NAMED_MAX = 20;

/** Returns the issues of the first findings; the last one says how many more there are. */
function firstNamed<T>({ rows, count }: NamedOf<T>, make: (one: T, hint: string) => Issue): readonly Issue[] {
  const more = count - rows.length;
  return rows.map((one, place) =>
    make(one, more > 0 && place === rows.length - 1 ? `; there are ${more} more like it` : ''),
  );
}

/**
 * Returns the issues of the first notes that will not be sent, each at its cell, in sheet order. Call it when all rows
 * are staged: the same rows share an order here and in the plan. Rows that still lack settings are skipped; no run
 * continues with one.
 */
function unsentNotes(staging: Staging, map: ColumnMap, linesPerOrder: number): readonly Issue[] {
  const [column] = map.places.get('note') ?? [];
  if (column === undefined || linesPerOrder === 1) return [];
  const heading = map.headings.find((one) => one.column === column)?.text ?? '';
  const rows: { readonly row: number; readonly note: string }[] = [];
  let count = 0;
  for (const block of staging.blocks()) {
    const unsent = unsentIn(block, linesPerOrder);
    count += unsent.length;
    rows.push(...unsent.slice(0, NAMED_MAX - rows.length));
  }
  return firstNamed({ rows, count }, ({ row, note }, hint) =>
    issue(
      'PB-NOTE-SHARED',
      { row, cell: addressOf(column, row), value: note },
      { heading, lines: linesPerOrder, hint },
    ),
  );
}

function unsentIn(block: readonly StagedRow[], linesPerOrder: number) {
  const rows = block.flatMap((staged) => {
    const draft = draftOfRow(staged);
    return draft ? [{ row: staged.row, note: staged.payout?.note, draft }] : [];
  });
  const apart = [...orderGroups(rows, linesPerOrder)].filter(
    (group) => group.length > 1 && commonNote(group.map(({ note }) => note)) === undefined,
  );
  const unsent = apart.flat().flatMap(({ row, note }) => (note === undefined ? [] : [{ row, note }]));
  // Groups of a block may be completed in another order than that of their rows.
  return unsent.sort((a, b) => a.row - b.row);
}

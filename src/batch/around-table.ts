/**
 * Looks at what lies around the table: above its headings, beside its rows and below its end. Nobody there is paid, so a line
 * that may be a payment, the headings of another table, and words that say what the amounts are in are issues.
 */
import type { Cell, SheetRow } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { parseMsisdn } from '../domain/msisdn.ts';
import { decimalMarks } from '../domain/number-format.ts';
import { accountColumn } from '../kinds/account-column.ts';
import { amountOf } from '../kinds/amount.ts';
import { isEmpty, type ReadContext, withoutEdges } from '../kinds/column.ts';
import { shared } from '../kinds/columns.ts';
import { kindOfRow, kinds } from '../kinds/index.ts';
import type { RowView } from '../kinds/kind.ts';
import { holdColumn } from '../kinds/left-out.ts';
import type { ColumnMap } from './column-map.ts';
import { PHONE_IN_TEXT } from './figures-beside.ts';
import type { TableItem } from './find-table.ts';
import { namePart } from './fold-heading.ts';
import { AMOUNT, plainMeanings } from './heading-mapping.ts';
import { calledIssue, noteIssue, titleIssue } from './lines-not-to-pay.ts';
import { isHeadingRow } from './match-headings.ts';
import { rowViews } from './sheet-reading.ts';
import { statedCount, statedTotal } from './stated-total.ts';
import { unitIssue } from './stated-unit.ts';
import { amountHeadingOf } from './which-amount.ts';

/** A figure outside of the table that is to be the sum, or the number, of its rows. */
interface FigureAround {
  readonly row: number;
  readonly cell: Cell;
}

/** The columns of headings that say who is paid. They are those of a table if a row follows. */
interface PeopleHeadings {
  readonly first: Cell;
  readonly payees: ReadonlySet<number>;
  readonly amounts: ReadonlySet<number>;
  /** Columns whose headings mean nothing here, one of which may hold the amounts. */
  readonly open: ReadonlySet<number>;
}

/** Takes the lines around a table in sheet order. Each method returns the issue of its line; `undefined` if it has none. */
export class AroundTable {
  readonly #context: ReadContext;
  readonly #viewOf: (row: SheetRow) => RowView;
  readonly #headerRow: number;
  /** Columns that have a heading. */
  readonly #headed: ReadonlySet<number>;
  /** Columns that an earlier check wrote. */
  readonly #own: ReadonlySet<number>;
  /** Columns whose words leave a row out. */
  readonly #holds: ReadonlySet<number>;
  readonly #hasAccounts: boolean;
  #hasOtherTable = false;
  #people: PeopleHeadings | undefined;
  readonly #summaries: Cell[] = [];
  readonly #amountsAbove: FigureAround[] = [];
  readonly #stated: FigureAround[] = [];
  readonly #counts: FigureAround[] = [];
  readonly #called: Issue[] = [];

  constructor(map: ColumnMap, context: ReadContext) {
    this.#context = context;
    this.#viewOf = rowViews(map);
    this.#headerRow = map.headerRow;
    this.#own = new Set(map.ownColumns);
    this.#holds = new Set(map.places.get(holdColumn.id));
    this.#hasAccounts = map.places.has(accountColumn.id);
    const headings = map.headings.filter(({ text }) => text !== '');
    this.#headed = new Set([...map.ownColumns, ...headings.map(({ column }) => column)]);
  }

  /** The amounts of lines above the headings that have headings of their own, such as those of a bank's form. */
  get summaries(): readonly Cell[] {
    return this.#summaries;
  }

  /** Those of the summaries that say whose the amount is. */
  get amountsAbove(): readonly FigureAround[] {
    return this.#amountsAbove;
  }

  /** What lines around the table state for the sum of its rows. */
  get stated(): readonly FigureAround[] {
    return this.#stated;
  }

  /** What lines around the table state for the number of people in it. */
  get counts(): readonly FigureAround[] {
    return this.#counts;
  }

  /** What titles call the list, if its rows would be paid as something else. */
  get called(): readonly Issue[] {
    return this.#called;
  }

  /** Looks at a line above the headings. */
  above(item: Extract<TableItem, { readonly tag: 'above' }>): Issue | undefined {
    this.#call(item.row);
    return this.#lineAbove(item) ?? noteIssue(this.#written(item.row));
  }

  #lineAbove({ row, under }: Extract<TableItem, { readonly tag: 'above' }>): Issue | undefined {
    const unit = unitIssue(this.#written(row), this.#context.currency.code);
    if (unit) return unit;
    const payment = aboveTableIssue(row, this.#viewOf(row), this.#context);
    if (payment) return payment;
    // What is under other headings is looked at line by line.
    if (isHeadingRow(row, plainMeanings)) return undefined;
    if (under) {
      this.#summary(rowViews(under)(row));
      return undefined;
    }
    this.#state(row);
    // The line right above the headings may be a part of them.
    return this.#elsewhere(row, row.cells, row.number + 1 < this.#headerRow);
  }

  /** Looks for people beside the table, in columns without a heading. */
  beside(row: SheetRow): Issue | undefined {
    const others = row.cells.filter((cell) => isFilled(cell) && !this.#headed.has(cell.column));
    return others.length > 1 ? this.#elsewhere(row, others) : undefined;
  }

  /** Looks at a line below the headings that is not a row, in any column. Its `issue` is the one that it has already. */
  below({ row, last, issue: reported }: Extract<TableItem, { readonly tag: 'outside' }>): Issue | undefined {
    const lost = reported?.level === 'error' ? undefined : paymentIn(row, this.#context);
    if (lost) return issue('PB-BELOW-TABLE', { row: row.number, cell: lost.address, value: lost.text }, { last });
    this.#state(row);
    const found = unitIssue(this.#written(row), this.#context.currency.code) ?? reported ?? this.beside(row);
    if (found?.level === 'error') return found;
    const asked = this.#paymentAskedIn(row);
    const named =
      asked && issue('PB-BELOW-NAMED', { row: row.number, cell: asked.address, value: asked.text.trim() }, { last });
    return noteIssue(this.#written(row)) ?? found ?? named;
  }

  /** Returns a text that asks for a payment to a phone: `Also pay Tom Kamau 0733 100 300, KES 500`. */
  #paymentAskedIn(row: SheetRow): Cell | undefined {
    const isPhoneOf = (text: string): boolean => parseMsisdn(text, this.#context.country).ok;
    return this.#written(row).cells.find(
      ({ type, text }) =>
        type === 'text' && ASKS_FOR_PAYMENT.test(text) && (text.match(PHONE_IN_TEXT) ?? []).some(isPhoneOf),
    );
  }

  #state(row: SheetRow): void {
    const written = this.#written(row);
    const cell = statedTotal(written);
    if (cell) this.#stated.push({ row: row.number, cell });
    const count = statedCount(written);
    if (count) this.#counts.push({ row: row.number, cell: count });
  }

  #call(row: SheetRow, isAmongRows = false): void {
    const called = calledIssue(this.#written(row));
    // A title among the rows may be a department, such as that of invoices.
    if (called && !(isAmongRows && called.code === 'PB-TITLE-OTHER')) this.#called.push(called);
  }

  /** Looks at a line of words among the rows. */
  title(row: SheetRow): Issue | undefined {
    this.#call(row, true);
    return (
      titleIssue(this.#written(row), this.#hasAccounts) ?? unitIssue(this.#written(row), this.#context.currency.code)
    );
  }

  /** Looks at a row with one cell, which may be meant as a title. A reason in the hold column is none. */
  titleInRow(row: SheetRow): Issue | undefined {
    const line = this.#written(row);
    const [first, ...others] = line.cells;
    return first && others.length === 0 && !this.#holds.has(first.column)
      ? titleIssue(line, this.#hasAccounts)
      : undefined;
  }

  /** Returns a line without empty cells and without what an earlier check wrote beside it: that quotes such words itself. */
  #written({ cells, ...row }: SheetRow): SheetRow {
    return { ...row, cells: cells.filter(({ text, column }) => text !== '' && !this.#own.has(column)) };
  }

  /** Returns the first sign of people outside of the table: the headings of another one, or a payment. */
  #elsewhere({ number }: SheetRow, cells: readonly Cell[], mayBeHeadings = true): Issue | undefined {
    if (this.#hasOtherTable) return undefined;
    const first = this.#signOfPeople(cells, mayBeHeadings);
    if (!first) return undefined;
    this.#hasOtherTable = true;
    return issue('PB-OTHER-TABLE', { row: number, cell: first.address, value: first.text });
  }

  #signOfPeople(cells: readonly Cell[], mayBeHeadings: boolean): Cell | undefined {
    const payment = paymentIn({ cells }, this.#context);
    if (payment) return payment;
    const people = this.#people;
    const isPayee = ({ column, text }: Cell): boolean => PAYEE.test(text) && people?.payees.has(column) === true;
    const isPaid = (cell: Cell): boolean =>
      (people?.amounts.has(cell.column) === true && isFilled(cell)) ||
      (people?.open.has(cell.column) === true && isAmount(cell, this.#context));
    if (people && cells.some(isPayee) && cells.some(isPaid)) return people.first;
    // A value is no heading, as on a line of labels.
    if (!mayBeHeadings || cells.some(({ text }) => VALUE.test(text))) return undefined;
    const first = cells.find(({ text }) => text !== '');
    const areHeadings =
      cells.some(isPayeeHeading) && cells.some((cell) => isAmountHeading(cell) || isNameHeading(cell));
    if (first && areHeadings) this.#people = peopleHeadings(first, cells);
    return undefined;
  }

  /** Keeps a line under other headings, such as those of a form. If it says who gets its amount, it may be a payment. */
  #summary(view: RowView): void {
    const { row, cell } = view(AMOUNT);
    if (!cell || !isFilled(cell)) return;
    if (isAmount(cell, this.#context)) this.#summaries.push(cell);
    // An amount that cannot be read equals no sum, so it is reported.
    if ([...identifying].some((id) => !isEmpty(view(id)))) this.#amountsAbove.push({ row, cell });
  }
}

/** Reports whether a cell holds something, if only a formula without a result. */
const isFilled = ({ text, formula }: Cell): boolean => text.trim() !== '' || formula === 'missing';

/** Words that ask for a payment. */
const ASKS_FOR_PAYMENT = /\b(?:pay|add|include|send|lipa|ongeza|payer|ajouter)\b/i;
const VALUE = /\d{3}/;
/** So many digits as a till or an account has: a summary by network has names there. */
const PAYEE = /(?:\d\D?){4}/;

/** Columns that say where money goes. */
const payeeColumns: ReadonlySet<string> = new Set(
  kinds.flatMap(({ columns }) =>
    columns.flatMap(({ id, decides }) => (decides === 'payment' && id !== 'name' && id !== AMOUNT ? [id] : [])),
  ),
);

/** Reports whether a column says where money goes. */
export const isPayee = (id: string): boolean => payeeColumns.has(id);

/** Columns whose values say whose an amount is. */
const identifying: ReadonlySet<string> = new Set(['name', ...payeeColumns, shared.reference.id]);

const meaningOf = ({ text }: Cell): string | null | undefined =>
  text === '' ? undefined : plainMeanings.meaningOf(text)?.id;

const isPayeeHeading = (cell: Cell): boolean => isPayee(meaningOf(cell) ?? '');

const isNameHeading = (cell: Cell): boolean => meaningOf(cell) === 'name' || namePart(cell.text) >= 0;

/** Reports whether a cell has the words of an amount heading. */
export const isAmountHeading = ({ text }: Cell): boolean => text !== '' && amountHeadingOf(text) !== undefined;

function peopleHeadings(first: Cell, cells: readonly Cell[]): PeopleHeadings {
  const numbers = (of: readonly Cell[]): ReadonlySet<number> => new Set(of.map(({ column }) => column));
  const open = cells.filter((cell) => cell.text !== '' && meaningOf(cell) === undefined && !isNameHeading(cell));
  return {
    first,
    payees: numbers(cells.filter(isPayeeHeading)),
    amounts: numbers(cells.filter(isAmountHeading)),
    open: numbers(open),
  };
}

/**
 * Returns the issue of a row above the headings that could be paid: it is payable under the headings, or it holds a phone
 * number and an amount in any columns, like a first table with its own headings.
 */
function aboveTableIssue(row: SheetRow, view: RowView, context: ReadContext): Issue | undefined {
  const kind = kindOfRow(view);
  const fits = 'read' in kind && kind.read(view, context).payable !== undefined;
  const phone = paymentIn(row, context);
  if (!fits && !phone) return undefined;
  const shown = fits ? view(AMOUNT).cell : phone;
  const cell = shown?.address ?? row.cells[0]?.address;
  return issue('PB-ABOVE-TABLE', { row: row.number, ...(cell !== undefined && { cell }), value: shown?.text ?? '' });
}

/** Returns the phone of a row that also holds an amount, in any columns. */
function paymentIn({ cells }: Pick<SheetRow, 'cells'>, context: ReadContext): Cell | undefined {
  const phone = cells.find((cell) => isPhone(cell, context.country));
  const hasAmount = phone && cells.some((cell) => !isPhone(cell, context.country) && isAmount(cell, context));
  return hasAmount ? phone : undefined;
}

const isPhone = ({ type, text }: Cell, country: string): boolean =>
  (type === 'text' || type === 'number') && parseMsisdn(withoutEdges(text), country).ok;

/** Reports whether a cell is an amount with either decimal mark: above the headings, nothing has decided between them. */
function isAmount({ type, text }: Cell, { currency }: ReadContext): boolean {
  if (type !== 'text' && type !== 'number') return false;
  const readings = decimalMarks.map((decimals) => amountOf(withoutEdges(text), type, { currency, decimals }));
  return readings.some((amount) => amount !== undefined && amount.minor > 0n);
}

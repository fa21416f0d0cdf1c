/**
 * Where the rows of a table end, and what the lines within it or below it are. Nothing is ever dropped: a line that names a
 * person is a row, or is reported.
 */
import type { Heading } from '../domain/batch.ts';
import { type Cell, cellIn, type SheetRow } from '../domain/cell.ts';
import { withoutEdges } from '../kinds/column.ts';
import { holdColumn, saysNotHeld } from '../kinds/left-out.ts';
import { amountInWords } from './amount-in-words.ts';
import type { ColumnMap } from './column-map.ts';
import { folded } from './fold-heading.ts';
import { plainMeanings } from './heading-mapping.ts';
import { isOfCount } from './stated-total.ts';
import { amountHeadingOf } from './which-amount.ts';

const TOTAL =
  '(?:(?:grand|g\\.?|overall|report|page|sub|sous|net|gross)[\\s-]*tot(?:als?|aux)|totals?|totaux|t\\s+o\\s+t\\s+a\\s+l|jumla(?:\\s+(?:kuu|ndogo))?|somme|montant\\s+total|total\\s+général|(?:ttl|tot|sum|igiteranyo)(?=\\W*$))';
const TOTAL_WORDS = new RegExp(`^${TOTAL}\\b\\s*:?`, 'i');
/** The word of a total row and nothing else: no supplier has such a name. */
const TOTAL_WORD_ALONE = new RegExp(`^${TOTAL}\\s*[.:]?$`, 'i');
/** A total and its sum in one cell: `Total: KES 7,500/=`. Fewer digits may be a number of people. */
const TOTAL_WITH_SUM = new RegExp(
  `^${TOTAL}(?:\\s+(?:amount|net|pay|payable|paid))*\\s*[:=-]?\\s*(?:[a-z]{2,4}\\.?\\s*)?(\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d{4,}(?:\\.\\d+)?)(?:/[=-])?$`,
  'i',
);
/** Reports whether a text is the word of a total and nothing else. */
export const isTotalAlone = (text: string): boolean => TOTAL_WORD_ALONE.test(text.trim());
/** The words of a total of some rows, such as those of a department, below which the table goes on. */
const SUBTOTAL_WORDS = /^(?:(?:page|sub|sous)[\s-]*tot(?:als?|aux)|jumla\s+ndogo)\b/i;
/** What a total is of, so that the words are not a name: `Total net pay`, `Jumla ya malipo`. */
const TOTAL_OF =
  /^(?:(?:grand|sub|sous|net)[\s-]*)?(?:totals?|somme)\s+(?:of|for|net|gross|basic|pay\w*|paid|amount|salar|wage|due|number|no\b|staff|employees|people|rows|deduct|cash|kes|ksh|du|de|des|à|général|totale)|^jumla\s+(?:ya|kuu)/iu;
/** What the rows of a total have in common, before its word: Excel writes `Finance Total`, and LibreOffice `Finance Sum`. */
const NAMED_TOTAL = /\S\s+(?:sub[\s-]*)?(?:total|sum)\s*:?$/i;
/** The total of a part of an organisation, which no person or supplier is called: `Finance Dept Total`. */
const OF_SECTION =
  /\s(?:dept|departments?|sections?|branch|sites?|units?|teams?|groups?|projects?|stations?|offices?|regions?|county|category|idara)\.?\s+(?:sub[\s-]*)?total\s*:?$/i;
/** A figure beside a total. It does not begin like a phone or an account. */
const FIGURE = /^-?(?!0\d)\d[\d,]*(?:\.\d+)?$/;
/** Only dots, dashes and lines to write on. */
const NOTHING_WRITTEN = /^[\s._…-]*$/;
/** The beginnings of the names of months, in English, French and Swahili. */
const MONTH = '(?:jan|feb|f[ée]v|mar|ma[chiy]|apr|avr|jun|jui|jul|aug|ao[uû]|ago|sep|o[ck]t|nov|de[cs]|déc)';
/** A date, as people write it below their signature, and as Excel shows it: `28/11/2026`, `28-Nov-26`, `28th November 2026`. */
const DAY = new RegExp(
  `^(?:(?:date|tarehe)\\b[^\\p{L}\\d]*)?(?:\\d{1,4}[./-]\\d{1,2}[./-]\\d{1,4}|\\d{1,2}(?:st|nd|rd|th)?[ ./-]+${MONTH}\\p{L}*[., /-]+\\d{2,4})$|^(?:date|tarehe)\\b[^\\p{L}\\d]*$`,
  'iu',
);
/** A name: up to six words, as people and businesses write theirs: `Otieno & Sons (K) Ltd`. */
const NAME = /^\p{L}[\p{L}.,'’()/&-]*(?:\s+[\p{L}(&][\p{L}.,'’()/&-]*){0,5}$/u;
const PLAIN_AMOUNT = /^\d[\d,]*(?:\.\d+)?$/;
const PLAIN_PAYEE = /^\+?\d{4}/;
/** What a line below the total calculates with it, besides payments: `Add: M-Pesa charges`, `No. of staff`. */
const OF_FIGURES =
  /^(?:add|plus|less)(?!\p{L})|(?<!\p{L})(?:charges?|fees?|costs?|excise|balance|required|available|float|variance|difference|number of|no\.? of|count|headcount|idadi|gharama|ada|salio|frais|solde|nombre de)(?!\p{L})/iu;
/** How a note begins. A name does not. */
const NOTE = /^(?:\*|n\.?b\b|notes?\b|nota\b|amount in words\b)/i;
/** Whom to ask, as lines below a list say. */
const CONTACT =
  /^(?:contacts?|enquir\w+|inquir\w+|quer(?:y|ies)|for (?:any )?(?:quer|enquir|inquir|question)\w*|wasiliana|mawasiliano|pour toute)(?!\p{L})/iu;
/** The number of a page, in the column of phones too. */
const PAGE = /^(?:page|ukurasa)\s+\d/i;
/** Too few digits for a phone or an account: a number of people next to a total. */
const COUNT = /^\d{1,3}(?:\s+(?:staff|people|persons|pax|rows|employees|workers|members|watu|personnes))?$/i;
/** The number of a line that was prepared and not filled in. */
const LINE_NUMBER = /^\d{1,4}[.)]?$/;
const ZERO = /^0*(?:\.0*)?$|^-$/;
/** Digits that a title does not have: `Department 12, November 2026` has fewer. */
const NO_TITLE = /\d{5}/;

/** The classification of a line below the headings of a sheet. */
export type Line =
  | { readonly tag: 'row'; readonly row: SheetRow }
  | TotalRow
  /** A title among the rows, such as a department, which can pay nobody: nothing is read but, in a numbered list, a name. */
  | { readonly tag: 'title'; readonly row: SheetRow; readonly shown: Cell }
  /** A line below the end of the table. */
  | ({ readonly tag: 'below'; readonly row: SheetRow } & Below);

export interface TotalRow {
  readonly tag: 'total';
  readonly row: SheetRow;
  readonly amount: Cell;
  /** Whether it is a subtotal: the sum of the rows since the last one, and not of all rows. */
  readonly isOfSection?: boolean;
  /**
   * The cell that names its rows, such as a department. The total is then the sum of the rows since the last one, or of all
   * rows.
   */
  readonly label?: Cell;
}

/**
 * A line below the table, with the cell that shows what it is about: a payment, a person without an amount, or just a name.
 */
interface Below {
  readonly shown: Cell;
  /** `figure`: something else that is calculated with the total. */
  readonly looks: 'payment' | 'person' | 'name' | 'figure';
}

/** Yields the rows of a table whose headings are known, from the rows of the sheet. It holds none of them. */
export async function* rowsOfTable(
  blocks: AsyncIterable<readonly SheetRow[]>,
  columns: ColumnMap,
): AsyncGenerator<SheetRow> {
  const table = new Table(columns);
  for await (const block of blocks) {
    for (const row of block) {
      const line = row.number > columns.headerRow && !isBlank(row) ? table.take(row)?.line : undefined;
      if (line?.tag === 'row') yield line.row;
    }
  }
  const last = table.end()?.line;
  if (last?.tag === 'row') yield last.row;
}

/**
 * Reports whether a row is blank. A row of only spaces is as blank as one that the file leaves out; a cell that lost its
 * value is not blank.
 */
export const isBlank = ({ cells }: SheetRow): boolean => cells.every(isEmpty);

const isEmpty = ({ formula, merged, text }: Cell): boolean =>
  formula !== 'missing' && !merged && withoutEdges(text) === '';

/** Columns that a total row or a signature fills in as well. */
const sharedColumns: ReadonlySet<string> = new Set([
  'amount',
  'name',
  'reference',
  'currency',
  'type',
  'purpose',
  'note',
  holdColumn.id,
]);

/** The cells of a line, by the purpose of their columns. */
interface Written {
  readonly amount: Cell | undefined;
  /** The cell that says where the money would go. */
  readonly payee: Cell | undefined;
  readonly name: Cell | undefined;
  readonly reference: Cell | undefined;
  /** Why the line is held. That does not say what the line is unless it names a person; `FALSE` is not a reason. */
  readonly hold: Cell | undefined;
  /** All cells except the amount, the hold and what an earlier check wrote. */
  readonly others: readonly Cell[];
}

/** A row that is not blank with what it is. Without a line it belongs to the headings, or comes after the end of the table and names no person. */
interface Taken {
  readonly row: SheetRow;
  readonly line: Line | undefined;
  /** The number of the last row that belongs to the table so far. */
  readonly last: number;
}

type LineKind = 'total' | 'closing' | 'row';

/** The state of reading a table: inside it, until a gap, a total row or a signature ends it. */
export class Table {
  readonly #places: ColumnMap['places'];
  readonly #ownColumns: ColumnMap['ownColumns'];
  readonly #holdHeading: string;
  /** The headings that mean something, by their columns. */
  readonly #headings: ReadonlyMap<number, Pick<Heading, 'text' | 'means'>>;
  /** Columns that say where money goes, or how. */
  readonly #payees: ReadonlySet<number>;
  #lastRow: number;
  /** The last row of the table so far. */
  #above: SheetRow | undefined;
  #rows = 0;
  /** What has come of the rows below the headings or the last subtotal: nothing, a title, or a row. */
  #section: 'begun' | 'titled' | 'filled' = 'begun';
  /** Whether no row has come since a total that may be that of all rows. */
  #mayBeOver = false;
  #ended = false;
  /** Whether a total ended it. */
  #isTotalled = false;
  /** Columns of the signatures in the lines above, below which those who sign write their names. */
  #signed: ReadonlySet<number> = new Set();
  /** The row that was taken last. The next one shows whether its line is a title among numbered rows. */
  #held: SheetRow | undefined;

  constructor({ places, ownColumns, headerRow, headings }: ColumnMap) {
    this.#places = places;
    this.#ownColumns = ownColumns;
    const hold = places.get(holdColumn.id)?.[0];
    this.#holdHeading = headings.find(({ column }) => column === hold)?.text ?? '';
    this.#headings = new Map(
      headings.filter(({ means }) => means !== undefined).map((heading) => [heading.column, heading]),
    );
    this.#payees = new Set([...places].flatMap(([id, columns]) => (sharedColumns.has(id) ? [] : columns)));
    this.#lastRow = headerRow;
  }

  /** Takes the next row that is not blank, and returns the one before it, classified; `undefined` if there is none. */
  take(row: SheetRow | undefined): Taken | undefined {
    const held = this.#held;
    this.#held = row;
    return held && { row: held, line: this.#classify(held), last: this.#lastRow };
  }

  /** Returns the last row. */
  end(): Taken | undefined {
    return this.take(undefined);
  }

  #classify(row: SheetRow): Line | undefined {
    const mayGoOn = !this.#ended && this.#isNext(row);
    if (mayGoOn && this.#isPlainPayment(row)) return this.#goesOn(row);
    if (this.#isPrepared(row) || (mayGoOn && this.#isOfHeadings(row))) return mayGoOn ? this.#passes(row) : undefined;
    const written = this.#writtenIn(row);
    const isFirstBelow = !mayGoOn && !this.#ended;
    const kind = isFirstBelow && isSumAlone(written) ? 'total' : this.#kindOfLine(written);
    const lacksNumber = this.#lacksNumber(row);
    const subtotal = this.#ended ? undefined : subtotalIn(row, written, kind, lacksNumber);
    if (subtotal) return this.#endsSection(subtotal);
    const title = mayGoOn && kind === 'row' ? this.#titleIn(row) : undefined;
    if (title) return this.#beginsWith(row, title);
    if (mayGoOn && kind === 'row') return this.#goesOn(row);
    this.#ended = true;
    if (this.#isSigned(row, kind)) return undefined;
    const line = endOf(row, written, kind, lacksNumber, this.#isTotalled);
    this.#isTotalled ||= line?.tag === 'total';
    return line;
  }

  /** Reports whether a line holds only names or dates below signatures: `Prepared by` and `Approved by`, side by side. */
  #isSigned({ cells }: SheetRow, kind: LineKind): boolean {
    const filled = cells.filter((cell) => !isEmpty(cell));
    if (kind === 'closing') {
      this.#signed = new Set(filled.filter((cell) => signatureIn(textOf(cell))).map(({ column }) => column));
      return false;
    }
    const isOfSigner = (cell: Cell): boolean =>
      this.#signed.has(cell.column) && (isDay(cell) || !/\d/.test(cell.text)) && !isTotalWord(cell);
    if (!filled.every(isOfSigner)) this.#signed = new Set();
    return this.#signed.size > 0;
  }

  /** Reports whether a line holds only what a form has before it is filled in: numbers of lines, flags and zeros. */
  #isPrepared({ cells }: SheetRow): boolean {
    return cells.every((cell) => isEmpty(cell) || this.#isNotHeld(cell) || this.#isUnused(cell));
  }

  /** Reports whether a cell is the number of a line, in a column that is not read, or an amount of zero. */
  #isUnused({ column, text, formula, merged }: Cell): boolean {
    if (formula === 'missing' || merged) return false;
    if (this.#places.get('amount')?.includes(column)) return ZERO.test(withoutEdges(text));
    return !this.#headings.has(column) && LINE_NUMBER.test(withoutEdges(text));
  }

  #isNotHeld({ column, text, merged }: Cell): boolean {
    const isHold = this.#places.get(holdColumn.id)?.includes(column) === true;
    return isHold && !merged && saysNotHeld(text, this.#holdHeading);
  }

  /**
   * Reports whether a line is the rest of headings that are merged over it, with nothing in any column that is read, or repeats
   * all headings, as each page of a printed list does. Right below them, it may repeat them in another language.
   */
  #isOfHeadings({ cells }: SheetRow): boolean {
    const read = [...this.#headings].map(([column, heading]) => ({ ...heading, cell: cellIn(cells, column) }));
    const held = read.filter(({ cell }) => cell !== undefined && !isEmpty(cell));
    const isFirst = this.#rows === 0;
    if (isFirst && held.length > 0 && held.every(({ cell }) => cell && isCovered(cell))) return true;
    return read.every(({ text, means, cell }) => {
      if (cell === undefined) return false;
      return folded(cell.text) === folded(text) || (isFirst && plainMeanings.meaningOf(cell.text)?.id === means);
    });
  }

  /**
   * Reports whether no gap ends the table above a line. A gap right below the headings separates nothing, and one below a
   * subtotal only a department from the next. A total that may be that of all rows separates as a gap does.
   */
  #isNext(row: SheetRow): boolean {
    if (this.#rows === 0 || (row.number === this.#lastRow + 1 && !this.#mayBeOver)) return true;
    if (this.#continuesIn(row)) return true;
    const isOfTable = () => this.#isPlainPayment(row) || this.#isOfHeadings(row) || this.#titleIn(row) !== undefined;
    return this.#section !== 'filled' && isOfTable();
  }

  /** Reports whether a payment is numbered as the next one. */
  #continuesIn(row: SheetRow): boolean {
    const above = this.#above && this.#numberOf(this.#above);
    return above !== undefined && this.#numberOf(row) === above + 1 && this.#isPlainPayment(row);
  }

  /** Returns the number of a line in a list: it stands to the left of the names, in a column that is not read. */
  #numberOf({ cells }: SheetRow): number | undefined {
    const number = cells.find(
      ({ column, text }) =>
        column < this.#nameColumn && !this.#headings.has(column) && LINE_NUMBER.test(withoutEdges(text)),
    );
    return number && Number.parseInt(number.text, 10);
  }

  get #nameColumn(): number {
    return this.#places.get('name')?.[0] ?? 0;
  }

  /** Reports whether a line has no number although the rows above it have: a person in such a list has one. */
  #lacksNumber(row: SheetRow): boolean {
    return this.#above !== undefined && this.#numberOf(this.#above) !== undefined && this.#numberOf(row) === undefined;
  }

  /** Reports whether a line without a number stands among numbered rows: the numbers go on below it, or begin again. */
  #isAmongNumbered(row: SheetRow): boolean {
    const below = this.#held && this.#numberOf(this.#held);
    const above = this.#above ? this.#numberOf(this.#above) : 0;
    return above !== undefined && this.#numberOf(row) === undefined && (below === above + 1 || below === 1);
  }

  /**
   * Returns the title in a row: one cell alone that is merged over the amounts too, or in a column that is not read. Without
   * being merged, the first line below the headings or a subtotal is a title, and others where a person would have more in the
   * row: a number, or, where the rows around it leave the column empty, something in another one. Among numbered rows, a line
   * without a number is a title in the column of the names, too.
   */
  #titleIn(row: SheetRow): Cell | undefined {
    const { cells } = row;
    const written = cells.filter((cell) => !isCovered(cell) && !isEmpty(cell));
    const [title, ...others] = written.filter(({ column }) => !this.#ownColumns.includes(column));
    if (!title || others.length > 0 || NO_TITLE.test(title.text)) return undefined;
    const amount = cellIn(cells, this.#places.get('amount')?.[0] ?? 0);
    if (title.isWide && amount !== undefined && isCovered(amount)) return title;
    if (this.#section === 'begun' && this.#held !== undefined && this.#isOfHeadings(this.#held)) return title;
    const isRead = this.#headings.has(title.column);
    if (!/\p{L}/u.test(title.text) || (isRead && title.column !== this.#nameColumn)) return undefined;
    if (NOTE.test(title.text.trim())) return title;
    const isOfNoPerson = this.#section === 'begun' || this.#lacksNumber(row) || this.#isLeftEmpty(title.column);
    return (!isRead && isOfNoPerson) || this.#isAmongNumbered(row) ? title : undefined;
  }

  /** Reports whether payments above and below a line leave a column empty. */
  #isLeftEmpty(column: number): boolean {
    return [this.#above, this.#held].every((row) => {
      const cell = row && cellIn(row.cells, column);
      return row !== undefined && this.#isPlainPayment(row) && (cell === undefined || isEmpty(cell));
    });
  }

  #endsSection(total: TotalRow): Line {
    this.#section = 'begun';
    this.#mayBeOver = total.label !== undefined;
    return this.#passes(total.row) ?? total;
  }

  #beginsWith(row: SheetRow, shown: Cell): Line {
    if (this.#section === 'begun') this.#section = 'titled';
    return this.#passes(row) ?? { tag: 'title', row, shown };
  }

  /** Continues below a line that is not a row. */
  #passes(row: SheetRow): undefined {
    this.#lastRow = row.number;
  }

  #goesOn(row: SheetRow): Line {
    this.#lastRow = row.number;
    this.#above = row;
    this.#rows += 1;
    this.#section = 'filled';
    this.#mayBeOver = false;
    return { tag: 'row', row };
  }

  /** Recognises most rows as payments by two of their cells. */
  #isPlainPayment({ cells }: SheetRow): boolean {
    const amount = cellIn(cells, this.#places.get('amount')?.[0] ?? 0);
    if (!amount || amount.type === 'date' || !PLAIN_AMOUNT.test(amount.text)) return false;
    for (const column of this.#payees) if (PLAIN_PAYEE.test(cellIn(cells, column)?.text ?? '')) return true;
    return false;
  }

  #writtenIn({ cells }: SheetRow): Written {
    const filled = cells.filter((cell) => cell.formula === 'missing' || !NOTHING_WRITTEN.test(withoutEdges(cell.text)));
    const isIn = (id: string, { column }: Cell): boolean => this.#places.get(id)?.includes(column) === true;
    const isOwn = ({ column }: Cell): boolean => this.#ownColumns.includes(column);
    const others = filled.filter((cell) => !isIn('amount', cell) && !isIn(holdColumn.id, cell) && !isOwn(cell));
    return {
      amount: filled.find((cell) => isIn('amount', cell)),
      payee: others.find((cell) => this.#payees.has(cell.column) && !isCountOrLabel(cell)),
      name: others.find((cell) => isIn('name', cell)),
      reference: others.find((cell) => isIn('reference', cell)),
      hold: filled.find((cell) => isIn(holdColumn.id, cell) && !this.#isNotHeld(cell)),
      others,
    };
  }

  #kindOfLine(written: Written): LineKind {
    const kind = this.#kindOf(written);
    // Above more payments it may be the title of a department: `Nursing - No. of staff: 2`.
    const isFollowed = this.#held !== undefined && this.#isPlainPayment(this.#held);
    return kind === 'row' && !isFollowed && isCountOfPeople(written) ? 'closing' : kind;
  }

  #kindOf({ amount, payee, name, hold, others }: Written): LineKind {
    const label = others[0];
    const text = textOf(label);
    const isPaid = isSum(amount);
    const person = name !== label && name;
    const signature = signatureIn(text);
    // In a column of states or sites next to the payee, such words do not say what the line is.
    const isBeside = label !== undefined && !this.#saysWho(label);
    if (signature && isBeside && this.#isState(label, payee, person)) return 'row';
    if (signature?.isLabel && (!isPaid || (signature.isDate && !payee && !person))) return 'closing';
    // A total is not held, whereas a supplier called Total can be.
    if (payee || (hold && !others.some((cell) => TOTAL_WORD_ALONE.test(textOf(cell))))) return 'row';
    if (signature && !isPaid && !person) return 'closing';
    const isNamed = isPerson(name);
    if (isOfTotal(text, amount) && !(isBeside && isNamed)) return 'total';
    if (others.some((cell) => this.#isLabelled(cell)) && !isNamed) return 'total';
    return amount && this.#isCount(others) ? 'total' : 'row';
  }

  /** Reports whether a cell has the word of a total where a row would say who is paid. In a note, the word means something else. */
  #isLabelled(cell: Cell): boolean {
    return isTotalWord(cell) && this.#saysWho(cell);
  }

  /** Reports whether a cell is where a row says who is paid. */
  #saysWho({ column }: Cell): boolean {
    const isIn = (id: string): boolean => this.#places.get(id)?.includes(column) === true;
    return this.#payees.has(column) || isIn('name') || isIn('reference');
  }

  /**
   * Reports whether the words of a signature are the state of a row: they are next to a payee, or next to a person, and the row
   * above has such words in the same column.
   */
  #isState({ column }: Cell, payee: Cell | undefined, person: Cell | false | undefined): boolean {
    const above = cellIn(this.#above?.cells ?? [], column);
    return payee !== undefined || (Boolean(person) && signatureIn(textOf(above)) !== undefined);
  }

  /** Reports whether a line only says how many rows there are. */
  #isCount([only, ...others]: readonly Cell[]): boolean {
    return only !== undefined && others.length === 0 && this.#rows > 0 && Number(only.text.trim()) === this.#rows;
  }
}

/** Returns a total below which the table may go on; `undefined` for any other line. */
function subtotalIn(row: SheetRow, written: Written, kind: LineKind, lacksNumber: boolean): TotalRow | undefined {
  const { amount, others } = written;
  if (!amount) return undefined;
  if (kind === 'total' && others.some(isSubtotal)) return { tag: 'total', row, amount, isOfSection: true };
  const label = labelOfSome(written, lacksNumber);
  return label && { tag: 'total', row, amount, label };
}

/** Classifies a line that is not a row of the table. */
function endOf(
  row: SheetRow,
  written: Written,
  kind: LineKind,
  lacksNumber: boolean,
  isTotalled: boolean,
): Line | undefined {
  const amount = written.amount ?? sumInLabel(written);
  if (kind === 'total' && amount?.text) return { tag: 'total', row, amount };
  if (kind === 'total') return namedTotal(written, row) ?? (amount && { tag: 'total', row, amount });
  const below = kind === 'row' ? belowOf(written, isTotalled) : besideSignature(written);
  if (!below) return undefined;
  // Below a numbered list, a phone without a number is that of somebody to ask.
  const isToAsk = lacksNumber || CONTACT.test(textOf(written.name));
  const looks = below.looks === 'person' && isToAsk ? 'name' : below.looks;
  return { tag: 'below', row, shown: below.shown, looks };
}

const textOf = (cell: Cell | undefined): string => cell?.text.trim() ?? '';
/** Reports whether a cell is covered by a merged range, whose value is in another cell. */
export const isCovered = ({ merged, text, formula }: Cell): boolean =>
  merged === true && text === '' && formula === undefined;
const isTotalWord = (cell: Cell): boolean => TOTAL_WORDS.test(textOf(cell));
const isSubtotal = (cell: Cell): boolean => SUBTOTAL_WORDS.test(textOf(cell));
/**
 * Returns the label of a total of some rows: what they have in common, with nothing but figures beside it. In a column that is
 * not read, it names nobody; among the names, neither does it if the rows above are numbered and it is not, or if it is called
 * the total of a department.
 */
function labelOfSome(
  { amount, payee, name, reference, hold, others }: Written,
  lacksNumber: boolean,
): Cell | undefined {
  const isNamed = name && !lacksNumber && !OF_SECTION.test(textOf(name));
  if (!isSum(amount) || payee || isNamed || reference || hold) return undefined;
  const [label, ...more] = others.filter((cell) => !FIGURE.test(textOf(cell)));
  return label && more.length === 0 && namesItsRows(label) ? label : undefined;
}

/** Reports whether a cell names the rows of a total: `Finance Total`, `Total Finance`, but not `Total` or `Total net pay`. */
function namesItsRows(cell: Cell): boolean {
  const text = textOf(cell);
  if (!TOTAL_WORDS.test(text)) return NAMED_TOTAL.test(text);
  return !(TOTAL_WORD_ALONE.test(text) || TOTAL_OF.test(text) || SUBTOTAL_WORDS.test(text));
}
/** Returns the sum in the label of a total, without its commas, if the label is all that its row has. */
function sumInLabel({ others: [label, ...more] }: Written): Cell | undefined {
  const sum = more.length === 0 ? TOTAL_WITH_SUM.exec(textOf(label))?.[1] : undefined;
  return label && sum !== undefined ? { ...label, text: sum.replaceAll(',', '') } : undefined;
}

const isName = (cell: Cell): boolean => NAME.test(textOf(cell));
const isPerson = (name: Cell | undefined): boolean =>
  name !== undefined && isName(name) && !isTotalWord(name) && signatureIn(textOf(name)) === undefined;
const isDay = (cell: Cell): boolean => cell.type === 'date' || DAY.test(textOf(cell));

/** Reports whether a text begins like a total, or is the words of a net amount next to a figure: `NET PAYABLE`. */
function isOfTotal(text: string, amount: Cell | undefined): boolean {
  if (TOTAL_WORDS.test(text)) return true;
  const says = text !== '' && amount && isFigure(amount) ? amountHeadingOf(text) : undefined;
  return says === 'net' || says === 'payable';
}

/** Reports whether something is to be paid: a date or a signature below the amounts is not a sum. */
const isSum = (amount: Cell | undefined): amount is Cell =>
  amount !== undefined && !isDay(amount) && signatureIn(textOf(amount)) === undefined;

/** Reports whether a line says how many people there are: that is compared with the rows, and is no payment of so much. */
const isCountOfPeople = ({ payee, name, hold, others: [label] }: Written): boolean =>
  !payee && !hold && (!name || name === label) && isOfCount(textOf(label));

const isFigure = (amount: Cell): boolean => amount.formula === 'missing' || /\d/.test(textOf(amount));

/**
 * Reports whether a line has an amount and nothing else. Below a gap, that is a sum that nobody has labelled; right below the
 * rows it could be the payment of a row that lost its payee.
 */
const isSumAlone = ({ amount, hold, others }: Written): boolean =>
  isSum(amount) && isFigure(amount) && !hold && others.length === 0;

/**
 * Reports whether a cell is the word of a total row or of a signature, or what may be next to it: the sum in words, or a number
 * of people, which is not a phone or account.
 */
const isCountOrLabel = (cell: Cell): boolean =>
  isTotalWord(cell) ||
  signatureIn(textOf(cell)) !== undefined ||
  COUNT.test(textOf(cell)) ||
  amountInWords(textOf(cell)) !== undefined;

/**
 * Returns a line with a name that continues after the word of a total, next to a reference or nothing else: it may be a
 * supplier of that name.
 */
function namedTotal({ amount, name, reference, others }: Written, row: SheetRow): Line | undefined {
  if (!name || !isTotalWord(name) || !isName(name) || TOTAL_WORD_ALONE.test(textOf(name))) return undefined;
  const isAlone = !amount && others.length === 1 && !TOTAL_OF.test(textOf(name));
  return reference || isAlone ? { tag: 'below', row, shown: name, looks: 'name' } : undefined;
}

/**
 * Returns whom a line of a signature names in addition to who signs: a payee, or a person next to a state (`Approved: 25/11`).
 * A name next to `Approved by` belongs to the signature.
 */
function besideSignature({ payee, name, others: [label] }: Written): Below | undefined {
  if (payee && !isDay(payee) && /\d/.test(payee.text)) return { shown: payee, looks: 'name' };
  const isNamed = name !== undefined && name !== label && isPerson(name);
  return isNamed && signatureIn(textOf(label))?.isAnswered ? { shown: name, looks: 'name' } : undefined;
}

/** Returns what a line below the table is about; a note or a figure alone is about nobody. */
function belowOf({ amount, payee, name, reference, others }: Written, isTotalled: boolean): Below | undefined {
  if (isSum(amount) && isFigure(amount) && others.length > 0) {
    const figure = isTotalled && !payee && !reference && others.find((cell) => OF_FIGURES.test(textOf(cell)));
    return figure ? { shown: figure, looks: 'figure' } : { shown: amount, looks: 'payment' };
  }
  if (payee && /\d/.test(payee.text) && !isDay(payee) && !PAGE.test(textOf(payee)))
    return { shown: payee, looks: name || reference ? 'person' : 'name' };
  // One word alone may be anything.
  return name && (reference || (isName(name) && /\s/.test(textOf(name)))) ? { shown: name, looks: 'name' } : undefined;
}

/**
 * A text that asks for a signature, or for a date next to it: `Approved by: ____`. A word that such lines begin with is not
 * enough, because names of suppliers begin with it too: `Approved Traders Ltd`.
 */
interface Signature {
  /** Whether it asks for a signature no matter what is next to it. `Approved` may be the state of a row, and `Approved by:` cannot. */
  readonly isLabel: boolean;
  /** Whether it asks for a date. */
  readonly isDate: boolean;
  /** Whether it says more than it asks, and not who signed: `Approved: 25/11`. */
  readonly isAnswered: boolean;
}

/** What the person who signs did, in English, French and Swahili. */
const DONE = [
  'prepared|compiled|checked|approved|authori[sz]ed|verified|reviewed|certified|confirmed|received|signed',
  '(?:préparé|établi|vérifié|contrôlé|approuvé|autorisé|certifié|reçu|signé|visé)e?s?',
  'imeandaliwa|imetayarishwa|imekaguliwa|imehakikiwa|imeidhinishwa|imethibitishwa|imepokelewa|imesainiwa',
].join('|');
const DATE = 'date|tarehe';
/** What a person writes on the line, in the same languages. */
const WRITTEN = `sign|signatures?|signator(?:y|ies)|stamp|sahihi|saini|${DATE}`;
/** Whose it is: `Approved by` a person, `Signature of` an office, `Date de` something. */
const BY = 'by|par|na|of|de|du|ya';
/** Words that may go with these, and are not a name. */
const BESIDE = `and|et|for|pour|payments?|malipo|paiement|on|off|ok|correct|found|with|thanks|officer|${BY}`;

const word = (words: string): string => `(?:${words})(?!\\p{L})`;
/** The leading words of a text that no name begins with. */
const PHRASE = new RegExp(`^${word(`${DONE}|${WRITTEN}`)}(?:[\\s/,&-]*${word(`${DONE}|${WRITTEN}|${BESIDE}`)})*`, 'iu');
const ENDS_WITH_BY = new RegExp(`(?<!\\p{L})(?:${BY})$`, 'iu');
const IS_WRITTEN = new RegExp(`^${word(WRITTEN)}$`, 'iu');
const IS_DATE = new RegExp(`^${word(DATE)}`, 'iu');
/** A colon after the words, or after the office of the person who signs: `Approved (Director):`. */
const COLON = /^\s*(?:\([^)]*\)\s*)?:/;
/** A line or dots to sign on, or a date. */
const TO_WRITE_ON = /^\s*(?:[._…-]{2}|…|\d)|_{2}|\.{4}/;
/** The office of the person who signs, and nothing else. */
const OFFICE = /^\s*\([^)]*\)\s*$/;

/** Returns the signature that a text asks for; `undefined` if it asks for none. */
function signatureIn(text: string): Signature | undefined {
  const phrase = PHRASE.exec(text)?.[0];
  if (phrase === undefined) return undefined;
  const rest = text.slice(phrase.length);
  const isBy = ENDS_WITH_BY.test(phrase);
  const isBlank = NOTHING_WRITTEN.test(rest);
  const isLabel = COLON.test(rest) || (isBy && !/\p{L}[^:]*$/u.test(rest)) || (isBlank && IS_WRITTEN.test(phrase));
  const isOne = isLabel || isBy || isBlank || OFFICE.test(rest) || TO_WRITE_ON.test(rest);
  const isAnswered = !isBy && !isBlank && /[\p{L}\d]/u.test(rest.replace(COLON, ''));
  return isOne ? { isLabel, isDate: IS_DATE.test(phrase), isAnswered } : undefined;
}

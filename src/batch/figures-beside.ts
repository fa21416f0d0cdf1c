/**
 * Looks at columns beside those that are paid by, for figures that contradict the payment: what is left of the amount after
 * deductions, cents in a column of their own, another phone number. Headings alone do not show them, because people call
 * them in too many ways.
 */
import type { Payout } from '../domain/batch.ts';
import { addressOf, type Cell, cellIn, type SheetRow } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import type { Money } from '../domain/money.ts';
import { parseMsisdn } from '../domain/msisdn.ts';
import { amountOf } from '../kinds/amount.ts';
import { type ReadContext, withoutEdges } from '../kinds/column.ts';
import { amountCommands } from './amount-question.ts';
import type { CheckContext } from './check-context.ts';
import type { ColumnMap } from './column-map.ts';
import { folded, wordsOf } from './fold-heading.ts';
import { AMOUNT } from './heading-mapping.ts';

/** Most columns to the right of the amount that are compared with it, so that the pairs of them stay few. */
const COLUMNS_MAX = 20;

/** A column that was, in all rows so far, the amount less the figures of other columns. */
interface Remainder {
  readonly column: number;
  readonly less: readonly number[];
}

/** Headings of cents next to a column of whole shillings. */
const CENTS: ReadonlySet<string> = new Set(['ct', 'cts', 'cent', 'cents', 'centime', 'centimes', 'senti']);

/** The words of a heading whose phone number is the one to pay: `New Phone`, `M-PESA Registered Number`, `Numéro Mobile Money`. */
const TO_BE_PAID =
  / (?:new|correct(?:ed)?|updated|payment|pay|payee|paid|send to|send money|recipient|beneficiary|receiver|receiving|m ?pesa|momo|mobile money|wallet|registered|malipo|mpya|kulipwa|beneficiaire|nouveau) /;
/** Whose number it is, if not that of the person who is paid. */
const OF_ANOTHER =
  / (?:agent|guardian|parent|kin|sender|by|who|staff|supervisor|referee|kra|voter|receipt|clerk|witness|mlezi|mzazi|tuteur) /;
const OF_A_PHONE = / (?:phones?|mobile|cell|tel|telephone|number|no|line|contact|simu|na?mba|nambari|numero|to) /;

/** Words of headings for what is deducted, and for what is left. */
const DEDUCTED =
  / (?:tax|wht|withholding|paye|nssf|nhif|shif|levy|cess|deductions?|deducted|less|loans?|advances?|charges?|fees?|commission|retention|retained|penalty|recovery|recovered|sacco|contribution|paid|rounding|makato|kodi|mkopo|retenues?|impot|avances?) /;
const LEFT =
  / (?:nett?|balance|bal|remaining|rest|after|left|due|pay|payable|paid|to (?:pay|be paid|send|transfer|the)|for the|gets|receives?|final|salio|baki|solde|reste) /;
/** Words of headings that compare the amount with another one. */
const COMPARED =
  / (?:variance|difference|diff|increase|decrease|change|previous|prior|last|ytd|excl|excluding|exclusive|taxable|jan|january|feb|february|mar|march|apr|april|may|june?|july?|aug|august|sept?|september|oct|october|nov|november|dec|december) /;

export class FiguresBeside {
  readonly #map: ColumnMap;
  readonly #context: CheckContext;
  /** Columns without a meaning, with their headings. */
  readonly #headings: ReadonlyMap<number, string>;
  readonly #cents: number | undefined;
  readonly #phones: readonly number[];
  #remainders: readonly Remainder[];
  /** Remainders that differed from the amount in some row. */
  readonly #differing = new Set<Remainder>();

  constructor(map: ColumnMap, context: CheckContext) {
    this.#map = map;
    this.#context = context;
    const open = map.headings.filter(({ means, text }) => means === undefined && text !== '');
    this.#headings = new Map(open.map(({ column, text }) => [column, text]));
    this.#cents = open.find(({ text }) => CENTS.has(folded(text)))?.column;
    const isDecided = (id: string): boolean => map.headings.some(({ means, by }) => means === id && by === 'mapping');
    this.#phones = isDecided('phone') ? [] : open.filter(({ text }) => isOfPhone(text)).map(({ column }) => column);
    this.#remainders = isDecided(AMOUNT) ? [] : remaindersOf(this.#amountColumn, [...this.#headings.keys()]);
  }

  /** Looks at a row that is paid. Returns the issue of a cell beside it; `undefined` if it has none. */
  see(row: SheetRow, { amount, destination }: Pick<Payout, 'amount' | 'destination'>): Issue | undefined {
    this.#compare(row, amount);
    return this.#centsIssue(row) ?? this.#phoneIssue(row, destination);
  }

  /** Returns the issue of a column that may be the amount, because it is what was left of the amount in every row. */
  issue(): Issue | undefined {
    const differing = this.#remainders.filter((one) => this.#differing.has(one) && !this.#isComparison(one));
    const found = differing.find((one) => this.#isLeft(one)) ?? differing[0];
    if (!found) return undefined;
    const { headerRow, headings } = this.#map;
    const amount = headings.find(({ column }) => column === this.#amountColumn)?.text ?? '';
    const heading = this.#headings.get(found.column) ?? '';
    const less = found.less.map((column) => `"${this.#headings.get(column) ?? ''}"`).join(', ');
    const place = { row: headerRow, cell: addressOf(found.column, headerRow), value: heading };
    const told = issue('PB-AMOUNT-LESS', place, {
      amount,
      less,
      commands: amountCommands([amount, heading], this.#context).join(' or '),
    });
    // Parts of an amount to its right add up to it as well.
    return this.#isLeft(found) ? told : { ...told, level: 'warning' };
  }

  #wordsOf(column: number): string {
    return wordsOf(this.#headings.get(column) ?? '');
  }

  /** Reports whether headings say that something is deducted, or that the rest is left. */
  #isLeft({ column, less }: Remainder): boolean {
    return LEFT.test(this.#wordsOf(column)) || less.every((one) => DEDUCTED.test(this.#wordsOf(one)));
  }

  /** Reports whether headings compare the amount with that of another month, or with one before a tax. */
  #isComparison({ column, less }: Remainder): boolean {
    const isOfVat = less.every((one) => / (?:vat|tva) /.test(this.#wordsOf(one)));
    return isOfVat || [column, ...less].some((one) => COMPARED.test(this.#wordsOf(one)));
  }

  get #amountColumn(): number {
    return this.#map.places.get(AMOUNT)?.[0] ?? 0;
  }

  #compare({ cells }: SheetRow, amount: Money): void {
    if (this.#remainders.length === 0) return;
    const figures = new Map<number, bigint | undefined>();
    const figureIn = (column: number): bigint | undefined => {
      if (!figures.has(column)) figures.set(column, figureOf(cellIn(cells, column), this.#context));
      return figures.get(column);
    };
    this.#remainders = this.#remainders.filter((one) => {
      const rest = figureIn(one.column);
      const less = one.less.map(figureIn).reduce((sum, figure) => {
        // Some sheets write deductions with a minus.
        return sum === undefined || figure === undefined ? undefined : sum + (figure < 0n ? -figure : figure);
      }, 0n);
      if (rest === undefined || less === undefined || rest !== amount.minor - less) return false;
      if (less > 0n && rest > 0n) this.#differing.add(one);
      return true;
    });
  }

  #centsIssue({ number, cells }: SheetRow): Issue | undefined {
    const cell = this.#cents === undefined ? undefined : cellIn(cells, this.#cents);
    if (!cell || !/[1-9]/.test(cell.text)) return undefined;
    return issue('PB-AMOUNT-CENTS', { row: number, cell: cell.address, value: cell.text });
  }

  #phoneIssue({ number, cells }: SheetRow, paid: string): Issue | undefined {
    const { country } = this.#context;
    if (this.#phones.length === 0 || !parseMsisdn(paid, country).ok) return undefined;
    const other = cells.find((cell) => {
      const phone = this.#phones.includes(cell.column) ? parseMsisdn(withoutEdges(cell.text), country) : undefined;
      return phone?.ok && phone.msisdn !== paid;
    });
    if (!other) return undefined;
    const place = { row: number, cell: other.address, value: other.text };
    return issue('PB-PHONE-ELSEWHERE', place, { heading: this.#headings.get(other.column) ?? '', phone: paid });
  }
}

const isOfPhone = (heading: string): boolean => {
  const words = wordsOf(heading);
  return TO_BE_PAID.test(words) && OF_A_PHONE.test(words) && !OF_ANOTHER.test(words);
};

/** Returns the columns that may hold what is left of the amount: sheets write deductions, and then the rest, to its right. */
function remaindersOf(amount: number, columns: readonly number[]): readonly Remainder[] {
  const right = columns.filter((column) => column > amount).slice(0, COLUMNS_MAX);
  return right.flatMap((column, at) => {
    const between = right.slice(0, at);
    const alone = between.map((one) => ({ column, less: [one] }));
    return between.length > 1 ? [...alone, { column, less: between }] : alone;
  });
}

/** Returns the figure in a cell in minor units, and nothing written as zero; `undefined` if it is not a figure. */
function figureOf(cell: Cell | undefined, context: ReadContext): bigint | undefined {
  const text = withoutEdges(cell?.text ?? '');
  if (cell?.formula === 'missing') return undefined;
  if (!cell || text === '' || text === '-') return 0n;
  if (cell.type !== 'text' && cell.type !== 'number') return undefined;
  return amountOf(text, cell.type, context)?.minor;
}

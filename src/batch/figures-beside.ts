/**
 * Looks at columns beside those that are paid by, for figures that contradict the payment: what is calculated from the amount
 * (the rest after deductions, a rate times days, a part that is paid now), a corrected amount, cents in a column of their own,
 * what is to be taken off a salary, another phone number, also within a text. Headings alone do not show them, because people
 * call them in too many ways.
 */

import type { Payout } from '../domain/batch.ts';
import { addressOf, type Cell, cellIn, type SheetRow } from '../domain/cell.ts';
import { type Issue, type IssueCode, issue } from '../domain/issue.ts';
import { moneyText } from '../domain/money.ts';
import { parseMsisdn } from '../domain/msisdn.ts';
import { MONTH_NAMES } from '../domain/proposed-name.ts';
import { amountOf, SETTLED } from '../kinds/amount.ts';
import { type ReadContext, withoutEdges } from '../kinds/column.ts';
import { contentBelow } from '../kinds/not-to-pay.ts';
import { asksForOtherAmount } from './amount-in-text.ts';
import { amountCommands } from './amount-question.ts';
import type { BesideCheck, RowToPay } from './beside-check.ts';
import type { CheckContext } from './check-context.ts';
import { type ColumnMap, hasNotesOfPeople, textColumns } from './column-map.ts';
import { folded, wordsOf } from './fold-heading.ts';
import { AMOUNT } from './heading-mapping.ts';

/** Most columns to the right of the amount that are compared with it, so that the pairs of them stay few. */
const COLUMNS_MAX = 20;

/** A column that was, in all rows so far, calculated from the amount and the figures of the columns in between. */
interface Calculated {
  readonly column: number;
  /** `share`: the same part of the amount in every row. */
  readonly by: 'less' | 'plus' | 'times' | 'share';
  readonly others: readonly number[];
}

/** A row with two different amounts. */
interface TwoAmounts {
  readonly amount: bigint;
  readonly figure: bigint;
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

/** A number in a text, with its zero or its country code. */
export const PHONE_IN_TEXT = /(?<![\p{L}\d+])(?:\+|00)?\d(?:[ -]?\d){8,14}(?!\d)/gu;

/** Words of headings for what is deducted, and for what is left. */
const DEDUCTED =
  / (?:tax|wht|withholding|paye|nssf|nhif|shif|levy|cess|deductions?|deducted|less|loans?|advances?|charges?|fees?|commission|retention|retained|penalty|recovery|recovered|sacco|contribution|paid|rounding|makato|kodi|mkopo|retenues?|impot|avances?) /;
const LEFT =
  / (?:nett?|balance|bal|remaining|rest|after|left|due|pay|payable|paid|to (?:pay|be paid|send|transfer|the)|for the|gets|receives?|final|salio|baki|solde|reste) /;
/** A heading of an amount that replaces another one, if there are figures below it. */
const IS_SETTLED = new RegExp(`^ ${SETTLED} $`);
/** A figure this many times as large or as small as the amount is no corrected amount: there may be days or a score below `Approved`. */
const SETTLED_FACTOR = 10n;
/** Words of headings for a part that is paid now. */
const PART = / (?:half|part|advances?|deposit|instal?ments?|tranche|moitie|acompte|avance|nusu) /;
/** The least part that is compared: a smaller one is a tax. */
const PERCENT_MIN = 20n;
const VAT = / (?:vat|tva) /;
/** What it costs the payee to take the money out, which many payers send on top of it. */
const WITHDRAWAL = / (?:withdraw|withdrawal|withdrawing|retrait|kutoa) /;
/** Words of headings that compare the amount with another one. */
const COMPARED = new RegExp(
  ` (?:variance|difference|diff|increase|decrease|change|previous|prior|last|ytd|annual|year|cumulative|gross|cost|equivalent|excl|excluding|exclusive|taxable|${MONTH_NAMES}) `,
);

/** Words of headings for a pay from which something may still be taken off. */
const BEFORE_DEDUCTIONS = / (?:salary|salaries|wages?|mshahara|mishahara|ujira) /;
/** Words of headings for what is taken off a pay. */
const TAKEN_OFF =
  / (?:less|deductions?|deduct(?:ed)?|advances?|loans?|paye|nssf|nhif|shif|sacco|makato|mkopo|retenues?|avances?) /;
/** Words with which such a heading says something else: what is left of it, its number, or when it was. */
const NOT_TAKEN_OFF =
  / (?:nett?|after|balance|bal|remaining|outstanding|limit|salio|baki|solde|reste|no|nos|number|namba|numero|id|account|date|tarehe|type|reason|ref|status|employer) /;

const IN_WORDS = /\bin words\b|\(words\)/i;

export class FiguresBeside implements BesideCheck {
  readonly #map: ColumnMap;
  readonly #context: CheckContext;
  /** Columns without a meaning, with their headings. */
  readonly #headings: ReadonlyMap<number, string>;
  readonly #cents: number | undefined;
  readonly #phones: readonly number[];
  readonly #texts: ReadonlySet<number>;
  readonly #settled: readonly number[];
  readonly #takenOff: readonly number[];
  /** The first figure that is not taken off the amount. */
  #notTakenOff: { readonly cell: Cell; readonly row: number; readonly amount: string } | undefined;
  #calculated: readonly Calculated[];
  /** Those that differed from the amount in some row, with the first such row. */
  readonly #differing = new Map<Calculated, TwoAmounts>();
  /** Whether the amounts of which something is a share are not all the same. */
  #haveAmountsVaried = false;
  /** What single rows say, once for each code. */
  readonly #found = new Map<IssueCode, Issue>();

  constructor(map: ColumnMap, context: CheckContext) {
    this.#map = map;
    this.#context = context;
    const open = map.headings.filter(({ means, text }) => means === undefined && text !== '');
    this.#headings = new Map(open.map(({ column, text }) => [column, text]));
    this.#cents = open.find(({ text }) => CENTS.has(folded(text)))?.column;
    const isDecided = (id: string): boolean => map.headings.some(({ means, by }) => means === id && by === 'mapping');
    this.#phones = isDecided('phone') ? [] : open.filter(({ text }) => isOfPhone(text)).map(({ column }) => column);
    const texts = map.headings.filter(({ means, text }) =>
      means === undefined
        ? contentBelow(text) === 'states' || IN_WORDS.test(text)
        : means === 'name' || textColumns.includes(means),
    );
    this.#texts = new Set(texts.map(({ column }) => column));
    const compared = isDecided(AMOUNT) ? [] : [...this.#headings.keys()];
    this.#settled = compared.filter((column) => IS_SETTLED.test(this.#wordsOf(column)));
    const pay = this.#wordsOf(this.#amountColumn);
    const isPay = BEFORE_DEDUCTIONS.test(pay) && !LEFT.test(pay) && !DEDUCTED.test(pay);
    this.#takenOff = isPay ? compared.filter((column) => isTakenOff(this.#wordsOf(column))) : [];
    this.#calculated = calculatedFrom(this.#amountColumn, compared).filter((one) => !this.#isComparison(one));
  }

  see({ row, payout }: RowToPay): void {
    const found = payout && this.#issueBeside(row, payout);
    if (found && !this.#found.has(found.code)) this.#found.set(found.code, found);
  }

  #issueBeside(row: SheetRow, { amount, destination }: Payout): Issue | undefined {
    const figures = new Map<number, bigint | undefined>();
    const figureIn = (column: number): bigint | undefined => {
      if (!figures.has(column)) figures.set(column, figureOf(cellIn(row.cells, column), this.#context));
      return figures.get(column);
    };
    this.#calculated = this.#calculated.filter((one) => this.#holds(one, amount.minor, figureIn));
    const off = this.#takenOff.find((column) => {
      const figure = figureIn(column) ?? 0n;
      return figure !== 0n && figure < amount.minor && -figure < amount.minor;
    });
    const cell = off === undefined ? undefined : cellIn(row.cells, off);
    if (cell) this.#notTakenOff ??= { cell, row: row.number, amount: moneyText(amount) };
    return this.#settledIssue(amount.minor, figureIn) ?? this.#centsIssue(row) ?? this.#phoneIssue(row, destination);
  }

  /** Returns the issues of texts in a row, and of notes on it, that say another phone or amount: `Send to 0733 000 111`. */
  issuesOf({ row: { number, cells }, payout }: RowToPay): readonly Issue[] {
    if (!payout) return [];
    const { amount, destination } = payout;
    const isPhone = parseMsisdn(destination, this.#context.country).ok;
    return cells.flatMap((cell) => {
      const text = this.#textOf(cell);
      if (text === undefined) return [];
      const place = { row: number, cell: cell.address, value: text.trim() };
      const heading = this.#headingOf(cell.column);
      return [
        ...(isPhone && this.#namesOtherPhone(text, destination)
          ? [issue('PB-PHONE-IN-TEXT', place, { heading, phone: destination })]
          : []),
        ...(asksForOtherAmount(text, amount, this.#context)
          ? [issue('PB-AMOUNT-IN-TEXT', place, { heading, amount: moneyText(amount) })]
          : []),
      ];
    });
  }

  /** Returns what people wrote in a cell of texts, and on any cell. */
  #textOf({ column, text, type, note }: Cell): string | undefined {
    const own = type === 'text' && this.#texts.has(column) ? text : undefined;
    if (note === undefined || !hasNotesOfPeople(this.#map)) return own;
    return own === undefined ? note : `${own}; ${note}`;
  }

  #namesOtherPhone(text: string, paid: string): boolean {
    if (OF_ANOTHER.test(wordsOf(text))) return false;
    return (text.match(PHONE_IN_TEXT) ?? []).some((found) => {
      const phone = parseMsisdn(found, this.#context.country);
      return phone.ok && !phone.isZeroLost && phone.msisdn !== paid;
    });
  }

  issues(): readonly Issue[] {
    const ofAllRows = this.#calculatedIssue() ?? this.#notTakenOffIssue();
    return [...this.#found.values(), ...(ofAllRows ? [ofAllRows] : [])];
  }

  /** Returns the issue of a salary that is paid whole, although something beside it may have to be taken off. */
  #notTakenOffIssue(): Issue | undefined {
    if (!this.#notTakenOff) return undefined;
    const { cell, row, amount } = this.#notTakenOff;
    const place = { row, cell: cell.address, value: cell.text.trim() };
    const [heading, pay] = [cell.column, this.#amountColumn].map((column) => this.#headingOf(column));
    return issue('PB-NOT-DEDUCTED', place, { heading: heading ?? '', pay: pay ?? '', amount });
  }

  /** Returns the issue of a column that may be the amount, because it was calculated from the amount in every row. */
  #calculatedIssue(): Issue | undefined {
    const differing = this.#calculated.filter(
      (one) => this.#differing.has(one) && (one.by !== 'share' || this.#haveAmountsVaried),
    );
    const found = differing.find((one) => this.#isToBePaid(one)) ?? differing[0];
    if (!found) return undefined;
    const reported = issue('PB-AMOUNT-BESIDE', this.#placeOf(found.column), {
      formula: this.#formulaOf(found),
      commands: this.#commandsFor(found.column),
    });
    // Parts of an amount to its right add up to it as well.
    return this.#isToBePaid(found) ? reported : { ...reported, level: 'warning' };
  }

  #headingOf(column: number): string {
    return this.#map.headings.find((one) => one.column === column)?.text ?? '';
  }

  #wordsOf(column: number): string {
    return wordsOf(this.#headingOf(column));
  }

  #placeOf(column: number) {
    const { headerRow } = this.#map;
    return { row: headerRow, cell: addressOf(column, headerRow), value: this.#headingOf(column) };
  }

  #commandsFor(column: number): string {
    return amountCommands(
      [this.#amountColumn, column].map((one) => this.#headingOf(one)),
      this.#context,
    ).join(' or ');
  }

  /** Returns how a column was calculated, such as `"Amount" × "Days"`. */
  #formulaOf(found: Calculated): string {
    const first = this.#differing.get(found);
    const others = found.others.map((column) => `"${this.#headingOf(column)}"`);
    const operands = found.by === 'share' && first ? [`${percentOf(first)}%`] : others;
    const sign = { less: '−', plus: '+', times: '×', share: '×' }[found.by];
    return [`"${this.#headingOf(this.#amountColumn)}"`, ...operands].join(` ${sign} `);
  }

  /** Reports whether headings say that something is deducted, or that the result is paid. A rate is never what is paid. */
  #isToBePaid({ column, by, others }: Calculated): boolean {
    if (by === 'times' || LEFT.test(this.#wordsOf(column))) return true;
    return by === 'less' && others.every((one) => DEDUCTED.test(this.#wordsOf(one)));
  }

  /**
   * Reports whether headings compare the amount with that of another month, or with one before a tax. What is more than the
   * amount because of a tax or a balance is no payment either.
   */
  #isComparison({ column, by, others }: Calculated): boolean {
    const says = (words: RegExp, ...columns: readonly number[]): boolean =>
      columns.some((one) => words.test(this.#wordsOf(one)));
    if (by === 'plus' && says(WITHDRAWAL, ...others)) return false;
    if (says(COMPARED, column, ...others)) return true;
    if (by === 'less') return others.every((one) => says(VAT, one));
    if (by === 'plus') return says(DEDUCTED, ...others) || says(LEFT, ...others);
    if (by === 'times') return says(DEDUCTED, column) || says(VAT, column);
    // A percentage of a tax is no part that is paid.
    return (
      !says(PART, column) && (!this.#headingOf(column).includes('%') || says(DEDUCTED, column) || says(VAT, column))
    );
  }

  get #amountColumn(): number {
    return this.#map.places.get(AMOUNT)?.[0] ?? 0;
  }

  /** Reports whether a column is still calculated from the amount. */
  #holds(one: Calculated, amount: bigint, figureIn: (column: number) => bigint | undefined): boolean {
    const figure = figureIn(one.column);
    const others = one.others.map(figureIn);
    if (figure === undefined || others.includes(undefined)) return false;
    // Some sheets write deductions with a minus.
    const sum = others.reduce<bigint>((all, other = 0n) => all + (other < 0n ? -other : other), 0n);
    if (figure > 0n && figure !== amount && !this.#differing.has(one)) this.#differing.set(one, { amount, figure });
    const unit = 10n ** BigInt(this.#context.currency.exponent);
    switch (one.by) {
      case 'less':
        return figure === amount - sum;
      case 'plus':
        return figure === amount + sum;
      case 'times':
        return figure * unit === amount * sum;
      default:
        return figure < amount && this.#isShare({ amount, figure }, this.#differing.get(one), unit);
    }
  }

  /** Reports whether a figure is as large a part of its amount as another one, but for rounding to a whole unit. */
  #isShare({ amount, figure }: TwoAmounts, first: TwoAmounts | undefined, unit: bigint): boolean {
    if (!first || percentOf(first) < PERCENT_MIN) return false;
    if (amount !== first.amount) this.#haveAmountsVaried = true;
    const off = figure * first.amount - first.figure * amount;
    return (off < 0n ? -off : off) <= unit * first.amount;
  }

  /** Returns the issue of a corrected amount that is not the one that is paid. */
  #settledIssue(amount: bigint, figureIn: (column: number) => bigint | undefined): Issue | undefined {
    const column = this.#settled.find((one) => {
      const figure = figureIn(one) ?? 0n;
      return figure !== amount && figure * SETTLED_FACTOR > amount && figure < amount * SETTLED_FACTOR;
    });
    if (column === undefined) return undefined;
    const headings = [this.#amountColumn, column].map((one) => `"${this.#headingOf(one)}"`).join(' or ');
    return issue('PB-AMOUNT-HEADING', this.#placeOf(column), { headings, commands: this.#commandsFor(column) });
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

const isTakenOff = (heading: string): boolean => TAKEN_OFF.test(heading) && !NOT_TAKEN_OFF.test(heading);

const percentOf = ({ amount, figure }: TwoAmounts): bigint => (figure * 200n + amount) / (amount * 2n);

/** Returns how columns may be calculated from the amount: sheets write what is added to it or deducted to its right, and then the result. */
function calculatedFrom(amount: number, columns: readonly number[]): readonly Calculated[] {
  const right = columns.filter((column) => column > amount).slice(0, COLUMNS_MAX);
  return right.flatMap((column, at): readonly Calculated[] => {
    const between = right.slice(0, at);
    const ones = between.flatMap((one): readonly Calculated[] =>
      (['less', 'plus', 'times'] as const).map((by) => ({ column, by, others: [one] })),
    );
    const all = (['less', 'plus'] as const).map((by): Calculated => ({ column, by, others: between }));
    return [...ones, ...(between.length > 1 ? all : []), { column, by: 'share', others: [] }];
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

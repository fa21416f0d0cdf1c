/** Sums over rows. Adding a row creates no object, because each row goes into a dozen sums. */
import type { ResultRow } from '../domain/batch.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import { invariant } from '../domain/invariant.ts';
import type { Money } from '../domain/money.ts';

/** A number of rows, and their amount. */
export interface CountAndAmount {
  readonly count: number;
  readonly amount: Money;
}

/** Count, amount and fees of some rows. */
export interface Sums extends CountAndAmount {
  readonly fees: Money;
}

/** Sums of the rows of one way of paying, and of those of them that were paid. */
export interface KindSums extends Sums {
  readonly kind: string;
  readonly paidCount: number;
  readonly paid: Money;
  /** Charges quoted for the rows that were paid. */
  readonly paidQuoted: Money;
}

/** A sum in one currency. */
export class Sum {
  readonly #currency: CurrencyCode;
  #minor = 0n;

  constructor(currency: CurrencyCode) {
    this.#currency = currency;
  }

  add({ minor, currency }: Money): void {
    invariant(currency === this.#currency, `${currency} is not added to ${this.#currency}`);
    this.#minor += minor;
  }

  money(): Money {
    return { minor: this.#minor, currency: this.#currency };
  }
}

/** Counts rows with their amounts and fees. */
export class SumsCounter {
  readonly #amount: Sum;
  readonly #fees: Sum;
  #count = 0;

  constructor(currency: CurrencyCode) {
    this.#amount = new Sum(currency);
    this.#fees = new Sum(currency);
  }

  /** Adds a row; an amount or a fee that it does not have counts as nothing. */
  add(amount: Money | undefined, fee: Money | undefined): void {
    this.#count += 1;
    if (amount) this.#amount.add(amount);
    if (fee) this.#fees.add(fee);
  }

  sums(): Sums {
    return { count: this.#count, amount: this.#amount.money(), fees: this.#fees.money() };
  }
}

/** Counts the rows of one way of paying. */
export class KindCounter {
  readonly #kind: string;
  readonly #all: SumsCounter;
  /** The paid rows; their fees here are the quoted ones. */
  readonly #paid: SumsCounter;

  constructor(kind: string, currency: CurrencyCode) {
    this.#kind = kind;
    this.#all = new SumsCounter(currency);
    this.#paid = new SumsCounter(currency);
  }

  add({ outcome, payout, charge }: ResultRow, fee: Money | undefined): void {
    this.#all.add(payout?.amount, fee);
    if (outcome === 'completed') this.#paid.add(payout?.amount, charge);
  }

  sums(): KindSums {
    const { count: paidCount, amount: paid, fees: paidQuoted } = this.#paid.sums();
    return { kind: this.#kind, ...this.#all.sums(), paidCount, paid, paidQuoted };
  }
}

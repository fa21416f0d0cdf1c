/** Sums over rows. No object is made for a row: a dozen sums take in something of each. */
import type { ResultRow } from '../domain/batch.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import { invariant } from '../domain/invariant.ts';
import type { Money } from '../domain/money.ts';

/** How many rows, and their amount. */
export interface CountAndAmount {
  readonly count: number;
  readonly amount: Money;
}

/** Amount and fees of some rows. */
export interface Sums extends CountAndAmount {
  readonly fees: Money;
}

/** The same of the rows of one way of paying, and what of it was paid. */
export interface KindSums extends Sums {
  readonly kind: string;
  readonly paidCount: number;
  readonly paid: Money;
  readonly quoted: Money;
  /** Of what was quoted, the part of the rows that were paid. */
  readonly paidQuoted: Money;
}

/** One sum, of one currency. */
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

  /** One row more; what it does not have counts as nothing. */
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
  /** Of what was paid; its fees are those that were quoted. */
  readonly #paid: SumsCounter;
  readonly #quoted: Sum;

  constructor(kind: string, currency: CurrencyCode) {
    this.#kind = kind;
    this.#all = new SumsCounter(currency);
    this.#paid = new SumsCounter(currency);
    this.#quoted = new Sum(currency);
  }

  add({ outcome, payout, charge }: ResultRow, fee: Money | undefined): void {
    this.#all.add(payout?.amount, fee);
    if (charge) this.#quoted.add(charge);
    if (outcome === 'completed') this.#paid.add(payout?.amount, charge);
  }

  sums(): KindSums {
    const { count: paidCount, amount: paid, fees: paidQuoted } = this.#paid.sums();
    return { kind: this.#kind, ...this.#all.sums(), paidCount, paid, quoted: this.#quoted.money(), paidQuoted };
  }
}

/** The wallets, one for each currency. The balance is always opening + received − paid − fees. */
import { type CurrencyCode, currencyOf } from '../../domain/currency.ts';
import { invariant } from '../../domain/invariant.ts';
import { chargeOf } from '../catalogue.ts';
import type { Movement } from '../checked-request.ts';
import type { PartEnd } from '../settle.ts';
import type { PartResult } from './booked.ts';

/** Money of one currency, in minor units. */
export interface Wallet {
  readonly currency: CurrencyCode;
  readonly opening: bigint;
  readonly received: bigint;
  readonly paid: bigint;
  readonly fees: bigint;
  /** The balance that it was given when its books were begun. */
  readonly usual: bigint;
  /** The balance that it was given last, by the books or by a scenario. */
  readonly given: bigint;
}

/** Returns what a wallet holds, in minor units. */
export const balanceOf = (wallet: Wallet): bigint => wallet.opening + wallet.received - wallet.paid - wallet.fees;

/** Wallets by currency. */
export class Wallets {
  readonly #byCurrency = new Map<string, Wallet>();

  get isEmpty(): boolean {
    return this.#byCurrency.size === 0;
  }

  get(currency: string): Wallet | undefined {
    return this.#byCurrency.get(currency);
  }

  all(): Iterable<Wallet> {
    return this.#byCurrency.values();
  }

  /** Gives a wallet a balance. What it held otherwise counts as if it had never been there. */
  fund(code: string, minor: bigint): void {
    const currency = currencyOf(code)?.code;
    invariant(currency, `${code} is an ISO 4217 currency`);
    const unused = { received: 0n, paid: 0n, fees: 0n, usual: minor };
    const { received, paid, fees, usual } = this.#byCurrency.get(currency) ?? unused;
    const opening = minor + paid + fees - received;
    this.#byCurrency.set(currency, { currency, received, paid, fees, opening, usual, given: minor });
  }

  /** Ends a movement as planned. A wallet pays on completion, and only if it covers amount and fee. */
  finish(movement: Movement | undefined, planned: PartEnd, at: number): PartResult {
    if (!movement) return { end: planned, at, fee: 0n, balance: 0n };
    const { amount } = movement;
    const wallet = this.#byCurrency.get(amount.currency);
    invariant(wallet, `there is a wallet of ${amount.currency}`);
    const result = { at, fee: 0n, balance: balanceOf(wallet) };
    if (planned !== 'completed') return { ...result, end: planned };
    if (movement.direction === 'in') return this.#move({ ...wallet, received: wallet.received + amount.minor }, at, 0n);
    const fee = chargeOf(movement.scale, amount.minor);
    if (fee === undefined) return { ...result, end: 'over-limit' };
    if (amount.minor + fee > result.balance) return { ...result, end: 'short-of-funds' };
    return this.#move({ ...wallet, paid: wallet.paid + amount.minor, fees: wallet.fees + fee }, at, fee);
  }

  #move(wallet: Wallet, at: number, fee: bigint): PartResult {
    this.#byCurrency.set(wallet.currency, wallet);
    return { end: 'completed', at, fee, balance: balanceOf(wallet) };
  }
}

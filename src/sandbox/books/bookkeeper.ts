/**
 * Keeps the books: wallets, orders, lines. Everything follows from the facts of the journal and from time, so that a
 * restart goes on where the last process stopped, also in the middle of settling.
 */
import type { Clock } from '../../domain/clock.ts';
import { type CurrencyCode, currencyOf } from '../../domain/currency.ts';
import { Fault } from '../../domain/fault.ts';
import { invariant, unreachable } from '../../domain/invariant.ts';
import { chargeOf } from '../catalogue.ts';
import { type CheckedLine, type CheckedOrder, checkOrder } from '../check-order.ts';
import { guidOf } from '../draw.ts';
import type { LineEnd } from '../line-end.ts';
import type { LinePlan } from '../settle.ts';
import { DueQueue } from './due-queue.ts';
import { type BookFact, type RepeatAnswer, takenLine } from './fact.ts';
import type { Journal } from './journal.ts';

/** Money of one currency in minor units: opening − paid − fees is the balance. */
export interface Wallet {
  readonly currency: CurrencyCode;
  readonly opening: bigint;
  readonly paid: bigint;
  readonly fees: bigint;
}

export const balanceOf = (wallet: Wallet): bigint => wallet.opening - wallet.paid - wallet.fees;

/** How a line ended. */
export interface LineResult {
  readonly end: LineEnd;
  readonly at: number;
  /** Minor units; zero unless it was paid. */
  readonly fee: bigint;
  /** Wallet balance straight after, minor units. */
  readonly balance: bigint;
}

export interface BookedLine {
  /** Counted over all lines of the books, from 0; tracking and receipt numbers derive from it. */
  readonly sequence: number;
  readonly wire: CheckedLine;
  readonly plan: LinePlan;
  readonly takenAt: number;
  readonly result?: LineResult;
}

export interface BookedOrder {
  readonly id: string;
  /** `systemConversationId`. */
  readonly serviceId: string;
  readonly notes: string;
  readonly takenAt: number;
  readonly lines: readonly BookedLine[];
  /** Until when a look-up shows it as a duplicate. */
  readonly shownAsDuplicateUntil: number;
}

/** How long a repeated order that was accepted shows result code 9 before the first one shows again, milliseconds. */
const SHOWN_AS_DUPLICATE_MS = 2_000;

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

export class Bookkeeper {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #wallets = new Map<string, Wallet>();
  readonly #orders = new Map<string, Writable<BookedOrder> & { lines: Writable<BookedLine>[] }>();
  readonly #traces = new Set<string>();
  readonly #posts = new Map<string, number>();
  readonly #due = new DueQueue<Writable<BookedLine>>();
  #lines = 0;
  #refusedDuplicates = 0;
  #now = 0;

  /** Reads the journal again from its beginning. */
  constructor(journal: Journal, clock: Clock) {
    this.#journal = journal;
    this.#clock = clock;
    let number = 0;
    for (const line of journal.replay()) {
      number += 1;
      const fact = readFact(line, number);
      this.#settle(fact.at);
      this.#apply(fact);
    }
  }

  /** Whether nothing has been written into the books yet. */
  get isNew(): boolean {
    return this.#wallets.size === 0;
  }

  /** The time of the books, which never goes back; everything due until then has happened. */
  advance(): number {
    this.#settle(this.#clock.now());
    return this.#now;
  }

  /** Gives a wallet a balance; what it held otherwise counts as never having been there. */
  fund(currency: CurrencyCode, minor: bigint): void {
    this.#record({ type: 'funded', at: this.#now, currency, minor: minor.toString() });
  }

  /** Takes an order, or the lines of a repeated one once more. `received` is the body as it came. */
  take(order: CheckedOrder, plans: readonly LinePlan[], received: string): BookedOrder {
    this.#journal.append(takenLine(this.#now, plans, received));
    return this.#take(order, plans);
  }

  repeat(id: string, answer: RepeatAnswer): void {
    this.#record({ type: 'repeated', at: this.#now, id, answer });
  }

  lose(id: string): void {
    this.#record({ type: 'lost', at: this.#now, id });
  }

  /** Rejects the lines that have no end yet, and says which, counted from 0. Spec: "Reject order". */
  reject(order: BookedOrder): readonly number[] {
    const lines = order.lines.flatMap((line, index) => (line.result ? [] : [index]));
    if (lines.length > 0) this.#record({ type: 'rejected', at: this.#now, id: order.id, lines });
    return lines;
  }

  order(id: string): BookedOrder | undefined {
    return this.#orders.get(id);
  }

  orders(): Iterable<BookedOrder> {
    return this.#orders.values();
  }

  hasTrace(trace: string): boolean {
    return this.#traces.has(trace);
  }

  /** How often the order was submitted, submissions that a fault swallowed included. */
  posts(id: string): number {
    return this.#posts.get(id) ?? 0;
  }

  wallet(currency: string): Wallet | undefined {
    return this.#wallets.get(currency);
  }

  wallets(): Iterable<Wallet> {
    return this.#wallets.values();
  }

  get refusedDuplicates(): number {
    return this.#refusedDuplicates;
  }

  /** Calls back when everything recorded so far is in the journal; with false when it cannot be written. */
  whenWritten(callback: (written: boolean) => void): void {
    this.#journal.whenWritten(callback);
  }

  #record(fact: Exclude<BookFact, { type: 'taken' }>): void {
    this.#journal.append(JSON.stringify(fact));
    this.#apply(fact);
  }

  #apply(fact: BookFact): void {
    switch (fact.type) {
      case 'funded':
        this.#fund(fact.currency, BigInt(fact.minor));
        break;
      case 'taken': {
        const check = checkOrder(fact.order);
        invariant(check.ok, 'an order of the books is one that the service takes');
        this.#take(check.order, fact.plans);
        break;
      }
      case 'repeated':
        this.#repeat(fact.id, fact.answer);
        break;
      case 'lost':
        this.#countPost(fact.id);
        break;
      case 'rejected':
        for (const index of fact.lines) {
          const line = this.#orders.get(fact.id)?.lines[index];
          if (line) this.#finish(line, 'withdrawn', this.#now);
        }
        break;
      default:
        unreachable(fact);
    }
  }

  #fund(code: string, minor: bigint): void {
    const currency = currencyOf(code)?.code;
    invariant(currency, `${code} is an ISO 4217 currency`);
    const { paid, fees } = this.#wallets.get(currency) ?? { paid: 0n, fees: 0n };
    this.#wallets.set(currency, { currency, paid, fees, opening: minor + paid + fees });
  }

  #take(order: CheckedOrder, plans: readonly LinePlan[]): BookedOrder {
    const { id, notes } = order;
    const booked = this.#orders.get(id) ?? {
      id,
      notes,
      serviceId: guidOf(`conversation|${this.#orders.size}|${id}`),
      takenAt: this.#now,
      lines: [],
      shownAsDuplicateUntil: 0,
    };
    for (const [index, wire] of order.lines.entries()) {
      const plan = plans[index];
      invariant(plan, 'every line has a plan');
      const line: Writable<BookedLine> = { sequence: this.#lines++, wire, plan, takenAt: this.#now };
      booked.lines.push(line);
      this.#traces.add(wire.trace);
      this.#due.add(this.#now + plan.endMs, line);
    }
    this.#orders.set(id, booked);
    this.#countPost(id);
    return booked;
  }

  #repeat(id: string, answer: RepeatAnswer): void {
    this.#countPost(id);
    if (answer === 'refused') this.#refusedDuplicates += 1;
    const order = this.#orders.get(id);
    if (answer === 'accepted-as-9' && order) order.shownAsDuplicateUntil = this.#now + SHOWN_AS_DUPLICATE_MS;
  }

  #countPost(id: string): void {
    this.#posts.set(id, this.posts(id) + 1);
  }

  /** Lets everything happen that falls due until `at`, in the order in which it falls due. */
  #settle(at: number): void {
    if (at > this.#now) this.#now = at;
    for (let due = this.#due.take(this.#now); due; due = this.#due.take(this.#now)) {
      if (!due.item.result) this.#finish(due.item, due.item.plan.end, due.at);
    }
  }

  /** Ends a line. The wallet pays at completion, and only if it covers amount and fee. */
  #finish(line: Writable<BookedLine>, planned: LineEnd, at: number): void {
    const { amount, rail } = line.wire;
    const wallet = this.#wallets.get(amount.currency);
    invariant(wallet, `there is a wallet of ${amount.currency}`);
    const result = { at, fee: 0n, balance: balanceOf(wallet) };
    const fee = chargeOf(rail.scale, amount.minor);
    if (planned !== 'completed') line.result = { ...result, end: planned };
    else if (fee === undefined) line.result = { ...result, end: 'over-limit' };
    else if (amount.minor + fee > result.balance) line.result = { ...result, end: 'short-of-funds' };
    else {
      const paid = { ...wallet, paid: wallet.paid + amount.minor, fees: wallet.fees + fee };
      this.#wallets.set(amount.currency, paid);
      line.result = { end: 'completed', at, fee, balance: balanceOf(paid) };
    }
  }
}

/** Reads a journal line. Only our own lines are read with this, so a line that parses is a fact. */
function readFact(line: string, number: number): BookFact {
  try {
    return JSON.parse(line);
  } catch (error) {
    const remedy = 'Remove the folder of the practice service to begin with new books.';
    throw new Fault('configuration', `Line ${number} of the practice books is damaged.`, remedy, { cause: error });
  }
}

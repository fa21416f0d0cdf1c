/**
 * Keeps the books: wallets, orders, requests, callbacks. Everything follows from the facts of the journal and from time, so
 * that a restart continues where the last process stopped, even in the middle of settling.
 */

import type { Clock } from '../../domain/clock.ts';
import type { CurrencyCode } from '../../domain/currency.ts';
import { invariant, unreachable } from '../../domain/invariant.ts';
import type {
  CheckedOrder,
  CheckedRequest,
  LinkChange,
  Movement,
  OrderCheck,
  RequestCheck,
  RequestKind,
} from '../checked-request.ts';
import { type LineEnd, type LinePlan, ruledHolderOf } from '../settle.ts';
import {
  type BookedOrder,
  type BookedRequest,
  Orders,
  Register,
  type Settling,
  type Subject,
  type Writable,
} from './booked.ts';
import { CallbackBook } from './callback-book.ts';
import { DueQueue } from './due-queue.ts';
import {
  type BookFact,
  type CallbackEffort,
  type CallbackEnd,
  type FactOf,
  type Journal,
  linkChangedLine,
  type PlainFact,
  postKey,
  type RepeatAnswer,
  readFact,
  requestedLine,
  takenLine,
  type Untimed,
} from './journal.ts';
import { type Wallet, Wallets } from './wallets.ts';

/** Reduces an account to its letters and digits: `+254 712 000 777` and `254712000777` are one account. */
const accountKey = (account: string): string => account.replace(/[^0-9A-Za-z]/g, '').toUpperCase();

/** Holders of accounts, as the practice service knows them: names by account. The rules are in `settle.ts`. */
class Holders {
  readonly #said = new Map<string, string>();
  readonly #recipients = new Map<string, string>();

  /** Sets the holder of an account from now on. */
  hold(account: string, name: string): void {
    this.#said.set(accountKey(account), name);
  }

  /**
   * Records the recipient that an order names for an account; the latest one counts. Accounts are kept as written, because
   * this is a hot path.
   */
  named(account: string, name: string): void {
    this.#recipients.set(account, name);
  }

  /** Returns the holder that was set, or else the holder by the rules, which know the recipient that an order named. */
  nameOf(account: string): string {
    const key = accountKey(account);
    const named = this.#recipients.get(account) ?? this.#recipients.get(key) ?? this.#recipients.get(`+${key}`);
    return this.#said.get(key) ?? ruledHolderOf(account, named);
  }
}

/** How long an accepted repetition of an order shows result code 9 before the first order shows again, in milliseconds. */
const SHOWN_AS_DUPLICATE_MS = 2_000;

/** How each operation reads a body. The journal keeps bodies as they were received, and these readers read them again. */
export interface Readers {
  order(body: unknown): Pick<OrderCheck, 'order'>;
  request(kind: RequestKind, body: unknown): RequestCheck;
  linkChange(body: unknown): LinkChange;
}

/** A line or part that has not ended, and the order or request to which it belongs. */
interface Open {
  readonly item: Writable<Settling>;
  readonly subject: Subject;
}

/** The only writer of the books. */
export class Bookkeeper {
  readonly #walletBook = new Wallets();
  readonly #traces = new Set<string>();
  readonly #orderBook = new Orders(this.#traces);
  readonly #register = new Register(this.#traces);
  readonly #holders = new Holders();
  readonly #postCounts = new Map<string, number>();
  readonly #repeatCounts = { refused: 0, replayed: 0, 'accepted-as-9': 0 };
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #readers: Readers;
  readonly #due = new DueQueue<Open>();
  readonly callbacks = new CallbackBook();
  #sequence = 0;
  #now = 0;

  /** Reads the journal again from its beginning. */
  constructor(journal: Journal, clock: Clock, readers: Readers) {
    this.#journal = journal;
    this.#clock = clock;
    this.#readers = readers;
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
    return this.#walletBook.isEmpty;
  }

  /** Lets everything happen that is due by now. Returns the time of the books, which never goes back. */
  advance(): number {
    this.#settle(this.#clock.now());
    return this.#now;
  }

  order(id: string): BookedOrder | undefined {
    return this.#orderBook.get(id);
  }

  orders(): Iterable<BookedOrder> {
    return this.#orderBook.all();
  }

  request(kind: RequestKind, id: string): BookedRequest | undefined {
    return this.#register.get(kind, id);
  }

  requests(kind: RequestKind): readonly BookedRequest[] {
    return this.#register.all(kind);
  }

  /** Returns a request of a kind by the identifier that the service gave it. */
  made(kind: RequestKind, serviceId: string): BookedRequest | undefined {
    const request = this.#register.made(serviceId);
    return request?.kind === kind ? request : undefined;
  }

  hasTrace(trace: string): boolean {
    return this.#traces.has(trace);
  }

  hasReference(reference: string): boolean {
    return this.#register.hasReference(reference);
  }

  holderOf(account: string): string {
    return this.#holders.nameOf(account);
  }

  /** Returns how often an id was submitted, including submissions that a fault swallowed. `key`: as `postKey` makes it. */
  posts(key: string): number {
    return this.#postCounts.get(key) ?? 0;
  }

  wallet(currency: string): Wallet | undefined {
    return this.#walletBook.get(currency);
  }

  wallets(): Iterable<Wallet> {
    return this.#walletBook.all();
  }

  /** Numbers of repeated identifiers that were not acted on, by how they were answered. */
  get repeats(): Readonly<Record<RepeatAnswer, number>> {
    return this.#repeatCounts;
  }

  /** Returns when the next line or part ends, or `undefined` if all have ended. */
  nextEndAt(): number | undefined {
    return this.#due.nextAt();
  }

  /** Gives a wallet a balance. What it held otherwise counts as if it had never been there. */
  fund(currency: CurrencyCode, minor: bigint): void {
    this.#record({ type: 'funded', currency, minor: minor.toString() });
  }

  /** Accepts an order, or the lines of a repeated one again. `received`: the body as it came. */
  take(order: CheckedOrder, plans: readonly LinePlan[], received: string, callbackUrl?: string): BookedOrder {
    this.#journal.append(takenLine(this.#now, plans, received, callbackUrl));
    return this.#take(order, plans, callbackUrl);
  }

  /** Accepts any other request, or a repeated one again. */
  takeRequest(request: CheckedRequest, plans: readonly LinePlan[], received: string): BookedRequest {
    this.#journal.append(requestedLine(this.#now, request.kind, plans, received));
    return this.#takeRequest(request, plans);
  }

  repeat(id: string, answer: RepeatAnswer, kind?: RequestKind): void {
    this.#record({ type: 'repeated', id, answer, ...(kind && { kind }) });
  }

  /** Records that a submission never reached the service. `key`: as `postKey` makes it. */
  lose(key: string): void {
    this.#record({ type: 'lost', id: key });
  }

  /** Rejects the lines that have no end yet, and returns their numbers, counted from 0. Spec: "Reject order". */
  reject(order: BookedOrder): readonly number[] {
    const lines = order.lines.flatMap((line, index) => (line.result ? [] : [index]));
    if (lines.length > 0) this.#record({ type: 'rejected', id: order.id, lines });
    return lines;
  }

  /** Ends the parts of a request that have not ended, as a payer or a program decided. Returns whether there were any. */
  decide({ kind, id, parts }: BookedRequest, end: LineEnd): boolean {
    if (parts.every(({ result }) => result)) return false;
    this.#record({ type: 'decided', kind, id, end });
    return true;
  }

  /** Changes a payment link. Its update has already been read. */
  changeLink(received: string, body: unknown): void {
    this.#journal.append(linkChangedLine(this.#now, received));
    this.#changeLink(body);
  }

  /** Sets the holder of an account. */
  hold(account: string, name: string): void {
    this.#record({ type: 'held', account, name });
  }

  calledBack(key: string, effort: CallbackEffort, end: CallbackEnd): void {
    this.#record({ type: 'called-back', key, ...effort, end });
  }

  /** Calls back when everything recorded so far is in the journal, or with false if it cannot be written. */
  whenWritten(callback: (written: boolean) => void): void {
    this.#journal.whenWritten(callback);
  }

  #record(happened: Untimed<PlainFact>): void {
    const fact = { ...happened, at: this.#now } as PlainFact; // the time is all that was left out
    this.#journal.append(JSON.stringify(fact));
    this.#apply(fact);
  }

  #apply(fact: BookFact): void {
    switch (fact.type) {
      case 'funded':
        this.#walletBook.fund(fact.currency, BigInt(fact.minor));
        break;
      case 'taken': {
        // An order that was accepted before a rule was made stays accepted.
        const { order } = this.#readers.order(fact.order);
        invariant(order, 'an order of the books is one that the service could book');
        this.#take(order, fact.plans, fact.callback);
        break;
      }
      case 'requested': {
        const check = this.#readers.request(fact.kind, fact.body);
        const request = check.ok ? check.request : check.held;
        // A rule may need what was removed with the people. Nothing but the past is left of such a request, and it moved no
        // money.
        if (!request && fact.purged) break;
        invariant(request, 'a request of the books is one that the service takes, or took');
        this.#takeRequest(request, fact.plans);
        break;
      }
      case 'repeated':
        this.#repeat(fact);
        break;
      case 'lost':
        this.#countPost(fact.id);
        break;
      case 'rejected': {
        const order = this.#orderBook.get(fact.id);
        for (const index of fact.lines) this.#finish(order?.lines[index], order, 'withdrawn', this.#now);
        break;
      }
      case 'decided': {
        const request = this.#register.get(fact.kind, fact.id);
        for (const part of request?.parts ?? []) this.#finish(part, request, fact.end, this.#now);
        break;
      }
      case 'link-changed':
        if (!fact.purged) this.#changeLink(fact.body);
        break;
      case 'held':
        this.#holders.hold(fact.account, fact.name);
        break;
      case 'called-back':
        this.callbacks.finished(fact.key, fact, fact.end);
        break;
      default:
        unreachable(fact);
    }
  }

  #take(order: CheckedOrder, plans: readonly LinePlan[], callbackUrl: string | undefined): BookedOrder {
    this.#countPost(order.id);
    return this.#orderBook.take(order, plans, { at: this.#now, callbackUrl }, (wire, plan, booked) => {
      const { amount, rail, payee, name } = wire;
      this.#holders.named(payee, name);
      const movement: Movement = { direction: 'out', amount, scale: rail.scale };
      return this.#open({ sequence: this.#sequence++, plan, takenAt: this.#now, movement, wire }, booked);
    });
  }

  #takeRequest(request: CheckedRequest, plans: readonly LinePlan[]): BookedRequest {
    const account = request.fields['primaryAccountNumber'] ?? request.fields['accountNumber'];
    const holder = typeof account === 'string' ? this.#holders.nameOf(account) : '';
    const booked = this.#register.take(request, plans, { at: this.#now, holder }, (part, plan, subject) =>
      this.#open({ ...part, sequence: this.#sequence++, plan, takenAt: this.#now }, subject),
    );
    this.#countPost(postKey(booked.kind, booked.id));
    return booked;
  }

  /** Adds a line or part, which begins to settle. */
  #open<Item extends Settling>(item: Item, subject: Subject): Item {
    this.#due.add(this.#now + item.plan.endMs, { item, subject });
    if (subject.callbackUrl !== undefined) this.callbacks.await(subject);
    return item;
  }

  #changeLink(body: unknown): void {
    const change = this.#readers.linkChange(body);
    const link = change.ok ? this.#register.get('create-payment-link', change.id) : undefined;
    invariant(change.ok && link, 'a change of the books is one of a link that they hold');
    link.fields = { ...link.fields, ...change.fields };
  }

  #repeat({ kind, id, answer }: FactOf<'repeated'>): void {
    const key = postKey(kind, id);
    this.#countPost(key);
    this.#repeatCounts[answer] += 1;
    const held = kind ? this.#register.get(kind, id) : this.#orderBook.get(id);
    if (answer !== 'accepted-as-9' || !held) return;
    held.shownAsDuplicateUntil = this.#now + SHOWN_AS_DUPLICATE_MS;
    this.callbacks.repeated(held, this.posts(key));
  }

  #countPost(key: string): void {
    this.#postCounts.set(key, this.posts(key) + 1);
  }

  /** Lets everything happen that is due by `at`, in the order in which it falls due. */
  #settle(at: number): void {
    if (at > this.#now) this.#now = at;
    for (let due = this.#due.take(this.#now); due; due = this.#due.take(this.#now)) {
      const { item, subject } = due.item;
      this.#finish(item, subject, item.plan.end, due.at);
    }
  }

  /** Ends a line or part that has not ended yet. Its money moves, and its callback may fall due. */
  #finish(item: Writable<Settling> | undefined, subject: Subject | undefined, planned: LineEnd, at: number): void {
    if (!item || !subject || item.result) return;
    item.result = this.#walletBook.finish(item.movement, planned, at);
    if (subject.callbackUrl !== undefined) this.callbacks.ended(subject);
  }
}

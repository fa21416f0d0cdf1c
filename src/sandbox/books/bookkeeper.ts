/**
 * Keeps the books: wallets, requests, callbacks. Everything follows from the facts of the journal and from time, so that a
 * restart continues where the last process stopped, even in the middle of settling.
 */

import type { Clock } from '../../domain/clock.ts';
import type { CurrencyCode } from '../../domain/currency.ts';
import { invariant, unreachable } from '../../domain/invariant.ts';
import {
  type CheckedRequest,
  type LinkChange,
  type RequestCheck,
  type RequestKind,
  requestKinds,
} from '../checked-request.ts';
import { guidOf } from '../draw.ts';
import type { PartEnd, PartPlan } from '../settle.ts';
import { type BookedPart, type BookedRequest, requestKey } from './booked.ts';
import { CallbackBook } from './callback-book.ts';
import { DueQueue } from './due-queue.ts';
import { Holders } from './holders.ts';
import {
  type BookFact,
  type CallbackEffort,
  type CallbackEnd,
  type Journal,
  lineWithBody,
  type RepeatAnswer,
  readFact,
} from './journal.ts';
import { type Wallet, Wallets } from './wallets.ts';

/** How long an accepted repetition shows result code 9 before the first request shows again, in milliseconds. */
const SHOWN_AS_DUPLICATE_MS = 2_000;

/** How each operation reads a body. The journal keeps bodies as they were received, and these readers read them again. */
export interface Readers {
  request(kind: RequestKind, body: unknown): RequestCheck;
  linkChange(body: unknown): LinkChange;
}

/** Forms of a part and a request that only the books change. */
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type OpenPart = Writable<BookedPart>;
interface OpenRequest extends Writable<Omit<BookedRequest, 'parts'>> {
  readonly parts: OpenPart[];
}

/** The only writer of the books. */
export class Bookkeeper {
  readonly #wallets = new Wallets();
  readonly #byKind: ReadonlyMap<RequestKind, Map<string, OpenRequest>> = new Map(
    requestKinds.map((kind) => [kind, new Map()]),
  );
  readonly #byServiceId = new Map<string, OpenRequest>();
  readonly #traces = new Set<string>();
  readonly #references = new Set<string>();
  readonly #holders = new Holders();
  readonly #posts = new Map<string, number>();
  readonly #repeats = { refused: 0, replayed: 0, 'accepted-as-9': 0 };
  /** Parts that have not ended, each with its request. */
  readonly #due = new DueQueue<{ readonly part: OpenPart; readonly request: OpenRequest }>();
  readonly callbacks = new CallbackBook();
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #readers: Readers;
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
    return this.#wallets.isEmpty;
  }

  /** Lets everything happen that is due by now. Returns the time of the books, which never goes back. */
  advance(): number {
    this.#settle(this.#clock.now());
    return this.#now;
  }

  request(kind: RequestKind, id: string): BookedRequest | undefined {
    return this.#byKind.get(kind)?.get(id);
  }

  requests(kind: RequestKind): readonly BookedRequest[] {
    return [...(this.#byKind.get(kind)?.values() ?? [])];
  }

  /** Returns a request of a kind by the identifier that the service gave it. */
  made(kind: RequestKind, serviceId: string): BookedRequest | undefined {
    const request = this.#byServiceId.get(serviceId);
    return request?.kind === kind ? request : undefined;
  }

  hasTrace(trace: string): boolean {
    return this.#traces.has(trace);
  }

  hasReference(reference: string): boolean {
    return this.#references.has(reference);
  }

  holderOf(account: string): string {
    return this.#holders.nameOf(account);
  }

  /** Returns how often an id was submitted, including submissions that a fault swallowed. `key`: as `requestKey` makes it. */
  posts(key: string): number {
    return this.#posts.get(key) ?? 0;
  }

  wallet(currency: string): Wallet | undefined {
    return this.#wallets.get(currency);
  }

  wallets(): Iterable<Wallet> {
    return this.#wallets.all();
  }

  /** Numbers of repeated identifiers that were not acted on, by how they were answered. */
  get repeats(): Readonly<Record<RepeatAnswer, number>> {
    return this.#repeats;
  }

  /** Returns when the next part ends, or `undefined` if all have ended. */
  nextEndAt(): number | undefined {
    return this.#due.nextAt();
  }

  /** Gives a wallet a balance. What it held otherwise counts as if it had never been there. */
  fund(currency: CurrencyCode, minor: bigint): void {
    this.#record({ type: 'funded', at: this.#now, currency, minor: minor.toString() });
  }

  /**
   * Accepts a request, or a repeated one again. `received`: the body as it came. `callback`: the address to which its end is
   * reported, if the body does not name it.
   */
  take(request: CheckedRequest, plans: readonly PartPlan[], received: string, callback?: string): BookedRequest {
    const { kind } = request;
    this.#journal.append(lineWithBody({ type: 'requested', at: this.#now, kind, plans, callback }, received));
    return this.#take(request, plans, callback);
  }

  repeat(kind: RequestKind, id: string, answer: RepeatAnswer): void {
    this.#record({ type: 'repeated', at: this.#now, kind, id, answer });
  }

  /** Records that a submission never reached the service. `key`: as `requestKey` makes it. */
  lose(key: string): void {
    this.#record({ type: 'lost', at: this.#now, key });
  }

  /**
   * Ends the parts of a request that have not ended, as a payer or a program decided. Returns their numbers, counted from 0.
   */
  decide({ kind, id, parts }: BookedRequest, end: PartEnd): readonly number[] {
    const open = parts.flatMap(({ result }, index) => (result ? [] : [index]));
    if (open.length > 0) this.#record({ type: 'decided', at: this.#now, kind, id, end });
    return open;
  }

  /** Changes a payment link. Its update has already been read. */
  changeLink(received: string, body: unknown): void {
    this.#journal.append(lineWithBody({ type: 'link-changed', at: this.#now }, received));
    this.#changeLink(body);
  }

  calledBack(key: string, effort: CallbackEffort, end: CallbackEnd): void {
    this.#record({ type: 'called-back', at: this.#now, key, ...effort, end });
  }

  /** Calls back when everything recorded so far is in the journal, or with false if it cannot be written. */
  whenWritten(callback: (written: boolean) => void): void {
    this.#journal.whenWritten(callback);
  }

  #record(fact: BookFact): void {
    this.#journal.append(JSON.stringify(fact));
    this.#apply(fact);
  }

  #apply(fact: BookFact): void {
    switch (fact.type) {
      case 'funded':
        this.#wallets.fund(fact.currency, BigInt(fact.minor));
        break;
      case 'requested': {
        const check = this.#readers.request(fact.kind, fact.body);
        // A request that was accepted before a rule was made stays accepted.
        const request = check.ok ? check.request : check.held;
        // A rule may need what was removed with the people. Nothing but the past is left of such a request, and it moved no
        // money.
        if (!request && fact.purged) break;
        invariant(request, 'a request of the books is one that the service takes, or took');
        this.#take(request, fact.plans, fact.callback);
        break;
      }
      case 'link-changed':
        if (!fact.purged) this.#changeLink(fact.body);
        break;
      case 'repeated':
        this.#repeat(fact.kind, fact.id, fact.answer);
        break;
      case 'lost':
        this.#countPost(fact.key);
        break;
      case 'decided': {
        const request = this.#byKind.get(fact.kind)?.get(fact.id);
        if (request) for (const part of request.parts) this.#finish(part, request, fact.end, this.#now);
        break;
      }
      case 'called-back':
        this.callbacks.finished(fact.key, fact, fact.end);
        break;
      default:
        unreachable(fact);
    }
  }

  /** Books a request, or the parts of a repeated one again. A repeated request without parts replaces the earlier one. */
  #take(request: CheckedRequest, plans: readonly PartPlan[], callback = request.callbackUrl): BookedRequest {
    const { kind, id, fields, parts, traces = [], reference } = request;
    const booked = this.#byKind.get(kind)?.get(id) ?? this.#open(request, callback);
    if (parts.length === 0) booked.fields = fields;
    for (const [index, checked] of parts.entries()) {
      const plan = plans[index];
      invariant(plan, 'every part has a plan');
      if (checked.line) this.#holders.named(checked.payee, checked.name);
      const part: OpenPart = { ...checked, sequence: this.#sequence++, plan, takenAt: this.#now };
      booked.parts.push(part);
      this.#due.add(this.#now + plan.endMs, { part, request: booked });
      this.callbacks.await(booked);
    }
    for (const trace of traces) this.#traces.add(trace);
    if (reference !== undefined) this.#references.add(reference);
    this.#countPost(booked.key);
    return booked;
  }

  #open({ kind, id: given, fields }: CheckedRequest, callbackUrl: string | undefined): OpenRequest {
    // Payment orders are counted separately: identifiers of the service follow from these numbers, and clients keep them.
    const orders = this.#byKind.get('submit-order')?.size ?? 0;
    const isOrder = kind === 'submit-order';
    const number = isOrder ? orders : this.#byServiceId.size - orders;
    const serviceId = guidOf(isOrder ? `conversation|${number}|${given}` : `request|${number}|${kind}|${given}`);
    const account = fields['primaryAccountNumber'] ?? fields['accountNumber'];
    const id = given || serviceId;
    const opened: OpenRequest = {
      key: requestKey(kind, id),
      kind,
      id,
      serviceId,
      number,
      takenAt: this.#now,
      callbackUrl,
      fields,
      parts: [],
      holder: typeof account === 'string' ? this.#holders.nameOf(account) : '',
      shownAsDuplicateUntil: 0,
    };
    this.#byKind.get(kind)?.set(id, opened);
    this.#byServiceId.set(serviceId, opened);
    return opened;
  }

  #changeLink(body: unknown): void {
    const change = this.#readers.linkChange(body);
    const link = change.ok ? this.#byKind.get('create-payment-link')?.get(change.id) : undefined;
    invariant(change.ok && link, 'a change of the books is one of a link that they hold');
    link.fields = { ...link.fields, ...change.fields };
  }

  #repeat(kind: RequestKind, id: string, answer: RepeatAnswer): void {
    const key = requestKey(kind, id);
    this.#countPost(key);
    this.#repeats[answer] += 1;
    const held = this.#byKind.get(kind)?.get(id);
    if (answer !== 'accepted-as-9' || !held) return;
    held.shownAsDuplicateUntil = this.#now + SHOWN_AS_DUPLICATE_MS;
    this.callbacks.repeated(held, this.posts(key));
  }

  #countPost(key: string): void {
    this.#posts.set(key, this.posts(key) + 1);
  }

  /** Lets everything happen that is due by `at`, in the order in which it falls due. */
  #settle(at: number): void {
    if (at > this.#now) this.#now = at;
    for (let due = this.#due.take(this.#now); due; due = this.#due.take(this.#now)) {
      const { part, request } = due.item;
      this.#finish(part, request, part.plan.end, due.at);
    }
  }

  /** Ends a part that has not ended yet. Its money moves, and the callback of its request may fall due. */
  #finish(part: OpenPart, request: OpenRequest, planned: PartEnd, at: number): void {
    if (part.result) return;
    part.result = this.#wallets.finish(part.movement, planned, at);
    this.callbacks.ended(request);
  }
}

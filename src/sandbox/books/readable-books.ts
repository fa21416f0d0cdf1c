/** What the books hold, for everybody who only reads them. */
import type { RequestKind } from '../requests/checked-request.ts';
import type { RepeatAnswer } from './fact.ts';
import { Holders } from './holders.ts';
import { type BookedOrder, Orders } from './orders.ts';
import { type BookedRequest, Register } from './register.ts';
import { type Wallet, Wallets } from './wallets.ts';

/** The reading face of the books. */
export class ReadableBooks {
  protected readonly walletBook = new Wallets();
  protected readonly traces = new Set<string>();
  protected readonly orderBook = new Orders(this.traces);
  protected readonly register = new Register(this.traces);
  protected readonly holders = new Holders();
  protected readonly postCounts = new Map<string, number>();
  protected readonly repeatCounts = { refused: 0, replayed: 0, 'accepted-as-9': 0 };

  order(id: string): BookedOrder | undefined {
    return this.orderBook.get(id);
  }

  orders(): Iterable<BookedOrder> {
    return this.orderBook.all();
  }

  request(kind: RequestKind, id: string): BookedRequest | undefined {
    return this.register.get(kind, id);
  }

  requests(kind: RequestKind): readonly BookedRequest[] {
    return this.register.all(kind);
  }

  /** A request of a kind by the identifier that the service gave it. */
  made(kind: RequestKind, serviceId: string): BookedRequest | undefined {
    const request = this.register.made(serviceId);
    return request?.kind === kind ? request : undefined;
  }

  hasTrace(trace: string): boolean {
    return this.traces.has(trace);
  }

  hasReference(reference: string): boolean {
    return this.register.hasReference(reference);
  }

  holderOf(account: string): string {
    return this.holders.nameOf(account);
  }

  /** How often an id was submitted, submissions that a fault swallowed included; `key` as `postKey` makes it. */
  posts(key: string): number {
    return this.postCounts.get(key) ?? 0;
  }

  wallet(currency: string): Wallet | undefined {
    return this.walletBook.get(currency);
  }

  wallets(): Iterable<Wallet> {
    return this.walletBook.all();
  }

  /** Repetitions of identifiers that were not acted on, by how they were answered. */
  get repeats(): Readonly<Record<RepeatAnswer, number>> {
    return this.repeatCounts;
  }
}

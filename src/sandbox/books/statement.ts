/** The books as they are shown to people, and to programs that check a run against them. Amounts are decimal strings. */
import { invariant } from '../../domain/invariant.ts';
import { decimalOf, type Money } from '../../domain/money.ts';
import { type RequestKind, requestKinds } from '../checked-request.ts';
import { textOrNull } from '../fields.ts';
import { type BookedPart, type BookedRequest, type PartResult, receiptOf, statusAt } from './booked.ts';
import type { Bookkeeper } from './bookkeeper.ts';
import type { CallbackCounts } from './callback-book.ts';
import type { RepeatAnswer } from './journal.ts';
import { balanceOf, type Wallet } from './wallets.ts';

type Amounts = Readonly<Record<string, string>>;

/** What a line of an order and a part of any other request have in common. */
interface StatementEntry {
  /** Phone, account or identity number of whom the entry is about. */
  readonly payee: string;
  readonly status: number;
  readonly statusText: string;
  readonly resultCode: string | null;
  /** Null unless money moved. */
  readonly receipt: string | null;
}

interface StatementLine extends StatementEntry {
  readonly trace: string;
  readonly amount: string;
  readonly currency: string;
  readonly fee: string;
  /** Till, paybill or bank; null if there is none. */
  readonly institution: string | null;
}

interface StatementOrder {
  readonly id: string;
  readonly lines: readonly StatementLine[];
  /** Number of submissions of the id, including those that a fault swallowed. */
  readonly posts: number;
}

/** A recipient of airtime, a bill, a deposit, a checkout, a validation. Amount, currency and fee are null if no money moves. */
interface StatementPart extends StatementEntry {
  readonly amount: string | null;
  readonly currency: string | null;
  readonly fee: string | null;
}

/** A request that is not a payment order. */
interface StatementRequest {
  /** Identifier of the request: conversation, trace number, or the one that the service made. */
  readonly id: string;
  readonly systemConversationId: string;
  readonly parts: readonly StatementPart[];
  /** Number of submissions of the id, including those that a fault swallowed. */
  readonly posts: number;
}

/** The books of the practice service. For each currency: opening + received − paid − fees = balance. */
export interface Books {
  readonly opening: Amounts;
  /** Money that came in through checkouts and deposits. */
  readonly received: Amounts;
  readonly paid: Amounts;
  readonly fees: Amounts;
  readonly balance: Amounts;
  readonly orders: readonly StatementOrder[];
  /** All other requests, by the name of their operation. Operations without requests are left out. */
  readonly register: Readonly<Partial<Record<Exclude<RequestKind, 'submit-order'>, readonly StatementRequest[]>>>;
  readonly callbacks: CallbackCounts;
  /** Numbers of repeated identifiers that were not acted on, by how they were answered. */
  readonly repeats: Readonly<Record<RepeatAnswer, number>>;
  /** Requests to this process by operation, without token requests. */
  readonly requests: Readonly<Record<string, number>>;
  readonly tokenRequests: number;
  /** Faults that struck in this process, by name. */
  readonly faults: Readonly<Record<string, number>>;
}

/** Returns the books as of now, including everything that is due by now. */
export function statementOf(
  books: Bookkeeper,
  counts: { readonly requests: ReadonlyMap<string, number>; readonly faults: ReadonlyMap<string, number> },
): Books {
  const at = books.advance();
  const amounts = (minorOf: (wallet: Wallet) => bigint): Amounts =>
    Object.fromEntries(
      Array.from(books.wallets(), (wallet) => {
        const { currency } = wallet;
        return [currency, decimalOf({ minor: minorOf(wallet), currency })];
      }),
    );
  const { 'request-token': tokenRequests = 0, ...requests } = Object.fromEntries(counts.requests);
  const orders = books.requests('submit-order').map(({ id, key, parts }) => ({
    id,
    lines: parts.map((part) => statementLine(part, at)),
    posts: books.posts(key),
  }));
  return {
    opening: amounts(({ opening }) => opening),
    received: amounts(({ received }) => received),
    paid: amounts(({ paid }) => paid),
    fees: amounts(({ fees }) => fees),
    balance: amounts(balanceOf),
    orders,
    register: registerOf(books, at),
    callbacks: books.callbacks.counts(),
    repeats: { ...books.repeats },
    requests,
    tokenRequests,
    faults: Object.fromEntries(counts.faults),
  };
}

function registerOf(books: Bookkeeper, at: number): Books['register'] {
  const statementRequest = ({ id, serviceId, parts, key }: BookedRequest): StatementRequest => ({
    id,
    systemConversationId: serviceId,
    parts: parts.map((part) => statementPart(part, at)),
    posts: books.posts(key),
  });
  const others = requestKinds.filter((kind) => kind !== 'submit-order');
  const entries = others.map((kind) => [kind, books.requests(kind).map(statementRequest)] as const);
  return Object.fromEntries(entries.filter(([, requests]) => requests.length > 0));
}

function statementLine(part: BookedPart, at: number): StatementLine {
  const { line, movement, result } = part;
  invariant(line && movement, 'a part of an order is a line that moves money');
  return {
    trace: line.trace,
    ...moneyFields(movement.amount, result),
    institution: textOrNull(line.recipient, 'institutionIdentifier'),
    ...entryOf(part, at),
  };
}

const statementPart = (part: BookedPart, at: number): StatementPart => ({
  ...(part.movement ? moneyFields(part.movement.amount, part.result) : noMoney),
  ...entryOf(part, at),
});

const noMoney = { amount: null, currency: null, fee: null };

const moneyFields = (amount: Money, result: PartResult | undefined) => ({
  amount: decimalOf(amount),
  currency: amount.currency,
  fee: decimalOf({ minor: result?.fee ?? 0n, currency: amount.currency }),
});

function entryOf(part: BookedPart, at: number): StatementEntry {
  const { status, text, code } = statusAt(part, at);
  return { payee: part.payee, status, statusText: text, resultCode: code, receipt: receiptOf(part) };
}

/** The books as they are shown to people, and to programs that check a run against them. Amounts are decimal strings. */
import { decimalOf } from '../../domain/money.ts';
import { type RequestKind, requestKinds } from '../checked-request.ts';
import { codeOf } from '../draw.ts';
import { lineEndTable, pending, queued, type ShownStatus } from '../settle.ts';
import type { BookedLine, BookedPart, BookedRequest, Settling } from './booked.ts';
import type { Bookkeeper } from './bookkeeper.ts';
import type { CallbackCounts } from './callback-book.ts';
import { postKey, type RepeatAnswer } from './journal.ts';
import { balanceOf } from './wallets.ts';

type Amounts = Readonly<Record<string, string>>;

interface StatementLine {
  readonly trace: string;
  readonly amount: string;
  readonly currency: string;
  /** Phone or account number that was or will be paid. */
  readonly payee: string;
  /** Till, paybill or bank; null if there is none. */
  readonly institution: string | null;
  readonly status: number;
  readonly statusText: string;
  readonly resultCode: string | null;
  /** Null unless the line was paid. */
  readonly receipt: string | null;
  readonly fee: string;
}

interface StatementOrder {
  readonly id: string;
  readonly lines: readonly StatementLine[];
  /** Number of submissions of the id, including those that a fault swallowed. */
  readonly posts: number;
}

/** A part of a request that settles: a recipient of airtime, a bill, a deposit, a checkout, a validation. */
interface StatementPart {
  readonly payee: string;
  /** Null if no money moves. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly status: number;
  readonly statusText: string;
  readonly resultCode: string | null;
  /** Null unless money moved. */
  readonly receipt: string | null;
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
  readonly register: Readonly<Partial<Record<RequestKind, readonly StatementRequest[]>>>;
  readonly callbacks: CallbackCounts;
  /** Numbers of repeated identifiers that were not acted on, by how they were answered. */
  readonly repeats: Readonly<Record<RepeatAnswer, number>>;
  /** Requests to this process by operation, without token requests. */
  readonly requests: Readonly<Record<string, number>>;
  readonly tokenRequests: number;
  /** Faults that struck in this process, by name. */
  readonly faults: Readonly<Record<string, number>>;
}

const RECEIPT_LENGTH = 10;

/** Returns the receipt number of what was completed, or null: ten upper-case alphanumerics that are never issued twice. */
export const receiptOf = (line: Settling): string | null =>
  line.result?.end === 'completed' ? `S${codeOf(line.sequence, RECEIPT_LENGTH - 1)}` : null;

/** Returns the status of a line or part at a time. */
export function statusAt(line: Settling, at: number): ShownStatus {
  if (line.result) return lineEndTable[line.result.end];
  return at >= line.takenAt + line.plan.queuedMs ? queued : pending;
}

/** Returns the books as of now, including everything that is due by now. */
export function statementOf(
  books: Bookkeeper,
  counts: { readonly requests: ReadonlyMap<string, number>; readonly faults: ReadonlyMap<string, number> },
): Books {
  const at = books.advance();
  const amounts: Record<'opening' | 'received' | 'paid' | 'fees' | 'balance', Record<string, string>> = {
    opening: {},
    received: {},
    paid: {},
    fees: {},
    balance: {},
  };
  for (const wallet of books.wallets()) {
    const { currency } = wallet;
    amounts.opening[currency] = decimalOf({ minor: wallet.opening, currency });
    amounts.received[currency] = decimalOf({ minor: wallet.received, currency });
    amounts.paid[currency] = decimalOf({ minor: wallet.paid, currency });
    amounts.fees[currency] = decimalOf({ minor: wallet.fees, currency });
    amounts.balance[currency] = decimalOf({ minor: balanceOf(wallet), currency });
  }
  const { 'request-token': tokenRequests = 0, ...requests } = Object.fromEntries(counts.requests);
  const orders = Array.from(books.orders(), ({ id, lines }) => ({
    id,
    lines: lines.map((line) => statementLine(line, at)),
    posts: books.posts(id),
  }));
  return {
    ...amounts,
    orders,
    register: registerOf(books, at),
    callbacks: books.callbacks.counts(),
    repeats: { ...books.repeats },
    requests,
    tokenRequests,
    faults: Object.fromEntries(counts.faults),
  };
}

function statementLine(line: BookedLine, at: number): StatementLine {
  const { wire, result } = line;
  const { currency } = wire.amount;
  const { status, text, code } = statusAt(line, at);
  return {
    trace: wire.trace,
    amount: decimalOf(wire.amount),
    currency,
    payee: wire.payee,
    institution: wire.institution,
    status,
    statusText: text,
    resultCode: code,
    receipt: receiptOf(line),
    fee: decimalOf({ minor: result?.fee ?? 0n, currency }),
  };
}

function registerOf(books: Bookkeeper, at: number): Books['register'] {
  const entries = requestKinds.map((kind) => [kind, books.requests(kind)] as const);
  return Object.fromEntries(
    entries
      .filter(([, requests]) => requests.length > 0)
      .map(([kind, requests]) => [kind, requests.map((request) => statementRequest(request, books, at))]),
  );
}

const statementRequest = (request: BookedRequest, books: Bookkeeper, at: number): StatementRequest => ({
  id: request.id,
  systemConversationId: request.serviceId,
  parts: request.parts.map((part) => statementPart(part, at)),
  posts: books.posts(postKey(request.kind, request.id)),
});

function statementPart(part: BookedPart, at: number): StatementPart {
  const { status, text, code } = statusAt(part, at);
  const amount = part.movement?.amount;
  return {
    payee: part.payee,
    amount: amount ? decimalOf(amount) : null,
    currency: amount?.currency ?? null,
    status,
    statusText: text,
    resultCode: code,
    receipt: amount ? receiptOf(part) : null,
    fee: amount ? decimalOf({ minor: part.result?.fee ?? 0n, currency: amount.currency }) : null,
  };
}

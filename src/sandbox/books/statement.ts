/** The books as they are shown to people and to programs that check a run against them. Amounts are decimal strings. */

import { decimalOf } from '../../domain/money.ts';
import { codeOf } from '../draw.ts';
import { lineEndTable, pending, queued, type Standing } from '../line-end.ts';
import { type BookedLine, type Bookkeeper, balanceOf } from './bookkeeper.ts';

type Amounts = Readonly<Record<string, string>>;

export interface StatementLine {
  readonly trace: string;
  readonly amount: string;
  readonly currency: string;
  /** Phone or account number that was paid. */
  readonly payee: string;
  /** Till, paybill or bank, if any. */
  readonly institution: string | null;
  readonly status: number;
  readonly statusText: string;
  readonly resultCode: string | null;
  /** Only when it was paid. */
  readonly receipt: string | null;
  readonly fee: string;
}

export interface StatementOrder {
  readonly id: string;
  readonly lines: readonly StatementLine[];
  /** Submissions of the id, those that a fault swallowed included. */
  readonly posts: number;
}

/** Books of the practice service. Per currency: opening − paid − fees = balance. */
export interface Books {
  readonly opening: Amounts;
  readonly paid: Amounts;
  readonly fees: Amounts;
  readonly balance: Amounts;
  readonly orders: readonly StatementOrder[];
  readonly refusedDuplicates: number;
  /** Requests of this process by operation, token requests apart. */
  readonly requests: Readonly<Record<string, number>>;
  readonly tokenRequests: number;
  /** Faults that struck in this process, by name. */
  readonly faults: Readonly<Record<string, number>>;
}

const RECEIPT_LENGTH = 10;

/** The receipt number of a line that was paid: ten upper-case alphanumerics, never given twice. */
export const receiptOf = (line: BookedLine): string | null =>
  line.result?.end === 'completed' ? `S${codeOf(line.sequence, RECEIPT_LENGTH - 1)}` : null;

/** How a line stands at a time. */
export function standingOf(line: BookedLine, at: number): Standing {
  if (line.result) return lineEndTable[line.result.end];
  return at >= line.takenAt + line.plan.queuedMs ? queued : pending;
}

/** The books as they stand now, everything due until now included. */
export function statementOf(
  books: Bookkeeper,
  counts: { readonly requests: ReadonlyMap<string, number>; readonly faults: ReadonlyMap<string, number> },
): Books {
  const at = books.advance();
  const amounts: Record<'opening' | 'paid' | 'fees' | 'balance', Record<string, string>> = {
    opening: {},
    paid: {},
    fees: {},
    balance: {},
  };
  for (const wallet of books.wallets()) {
    const { currency } = wallet;
    amounts.opening[currency] = decimalOf({ minor: wallet.opening, currency });
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
    refusedDuplicates: books.refusedDuplicates,
    requests,
    tokenRequests,
    faults: Object.fromEntries(counts.faults),
  };
}

function statementLine(line: BookedLine, at: number): StatementLine {
  const { wire, result } = line;
  const { currency } = wire.amount;
  const { status, text, code } = standingOf(line, at);
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

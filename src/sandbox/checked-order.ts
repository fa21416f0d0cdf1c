/** A payment order that the service has read. */
import type { Money } from '../domain/money.ts';
import type { Rail } from './catalogue.ts';
import type { FieldErrors, Fields } from './fields.ts';

/** A line that can be booked. */
export interface CheckedLine {
  readonly remitter: Fields | undefined;
  readonly recipient: Fields;
  readonly rail: Rail;
  readonly trace: string;
  readonly amount: Money;
  /** Numeric currency code as sent. */
  readonly ccy: number;
  readonly name: string;
  /** `primaryAccountNumber`: a phone or an account number. */
  readonly payee: string;
  /** `institutionIdentifier`: till, paybill or bank. */
  readonly institution: string | null;
}

/** An order that can be booked. */
export interface CheckedOrder {
  readonly id: string;
  readonly notes: string;
  readonly lines: readonly CheckedLine[];
}

/** What was made of a body. */
export interface OrderCheck {
  /** Its identifier; empty when it has none. */
  readonly id: string;
  /** The order, when every line of it could be booked, whatever is complained of. */
  readonly order?: CheckedOrder;
  /** What is of another type than it must be: then the body is not read at all. */
  readonly mistyped: FieldErrors;
  /** What is missing, too long or wrong in itself: then it was read, and is not taken. */
  readonly errors: FieldErrors;
}

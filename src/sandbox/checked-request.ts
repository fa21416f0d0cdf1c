/** What the service has read of a body: a payment order, or any other request, that it can book. */
import type { Money } from '../domain/money.ts';
import type { Rail, Scale } from './catalogue.ts';
import type { FieldErrors, Fields } from './fields.ts';

/** Money that a completion moves. Money that goes out is charged for by the scale of its rail; money in costs nothing. */
export type Movement =
  | { readonly direction: 'out'; readonly amount: Money; readonly scale: Scale }
  | { readonly direction: 'in'; readonly amount: Money };

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

/** The operations, by name, whose requests the books keep. */
export const requestKinds = [
  'create-checkout',
  'buy-airtime',
  'pay-bill',
  'save-bill-number',
  'validate-kyc',
  'validate-account',
  'create-payment-link',
  'request-deposit',
] as const;

export type RequestKind = (typeof requestKinds)[number];

/** Something in a request that ends by itself. */
export interface CheckedPart {
  /** Phone, account or identity number whose ending may be magic. */
  readonly payee: string;
  readonly name: string;
  readonly movement?: Movement;
}

/** A request that can be booked. */
export interface CheckedRequest {
  readonly kind: RequestKind;
  /** By which it is found again; empty when the service is to make one. */
  readonly id: string;
  /** `systemTraceAuditNumber`, unique over the books. */
  readonly trace?: string;
  /** `checkoutReference`, unique over the books. */
  readonly reference?: string;
  readonly callbackUrl?: string;
  /** The body with its names in the case of the rules. */
  readonly fields: Fields;
  /** Empty for a request that is done as soon as it is taken. */
  readonly parts: readonly CheckedPart[];
}

/** A request, or what is wrong with each of its fields. */
export type RequestCheck =
  | { readonly ok: true; readonly request: CheckedRequest }
  | {
      readonly ok: false;
      readonly errors: FieldErrors;
      /** The same as the books hold it, where the service was less strict when it was taken. */
      readonly held?: CheckedRequest;
    };

/** A change of a link, or what is wrong with each of its fields. */
export type LinkChange =
  | { readonly ok: true; readonly id: string; readonly fields: Fields }
  | { readonly ok: false; readonly errors: FieldErrors };

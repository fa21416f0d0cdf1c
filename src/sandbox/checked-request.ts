/** What the service has read from a body and can book: a payment order, or any other request. */
import type { Money } from '../domain/money.ts';
import type { Rail, Scale } from './catalogue.ts';
import type { FieldErrors, Fields } from './fields.ts';

/** Money that moves on completion. Outgoing money is charged by the scale of its rail; incoming money costs nothing. */
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

/** The result of reading a body as a payment order. */
export interface OrderCheck {
  /** Identifier of the order; empty if it has none. */
  readonly id: string;
  /** The order, if every line of it could be booked, whatever complaints there are. */
  readonly order?: CheckedOrder;
  /** Complaints about fields of a wrong type. If there are any, the body is not read at all. */
  readonly mistyped: FieldErrors;
  /** Complaints about fields that are missing, too long or wrong in themselves. The order was then read, and is refused. */
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

/** A part of a request that has an end of its own. */
export interface CheckedPart {
  /** Phone, account or identity number. Its ending may be magic. */
  readonly payee: string;
  readonly name: string;
  readonly movement?: Movement;
}

/** A request that can be booked. */
export interface CheckedRequest {
  readonly kind: RequestKind;
  /** Identifier by which the request is looked up; empty if the service must make one. */
  readonly id: string;
  /** `systemTraceAuditNumber`, unique in the books. */
  readonly trace?: string;
  /** `checkoutReference`, unique in the books. */
  readonly reference?: string;
  readonly callbackUrl?: string;
  /** The body, with its names in the case of the rules. */
  readonly fields: Fields;
  /** The parts of the request; empty if the request is complete as soon as it is accepted. */
  readonly parts: readonly CheckedPart[];
}

/** A request that can be booked, or what is wrong with each of its fields. */
export type RequestCheck =
  | { readonly ok: true; readonly request: CheckedRequest }
  | {
      readonly ok: false;
      readonly errors: FieldErrors;
      /** The request as the books may hold it, if the service was less strict when it was accepted. */
      readonly held?: CheckedRequest;
    };

/** A change of a payment link, or what is wrong with each of its fields. */
export type LinkChange =
  | { readonly ok: true; readonly id: string; readonly fields: Fields }
  | { readonly ok: false; readonly errors: FieldErrors };

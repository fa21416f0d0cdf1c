/** What the service has read from a body and can book. */
import type { Money } from '../domain/money.ts';
import type { Rail, Scale } from './catalogue.ts';
import type { FieldErrors, Fields } from './fields.ts';

/** Money that moves on completion. Outgoing money is charged by the scale of its rail; incoming money costs nothing. */
export type Movement =
  | { readonly direction: 'out'; readonly amount: Money; readonly scale: Scale }
  | { readonly direction: 'in'; readonly amount: Money };

/** The operations, by name, whose requests the books keep. */
export const requestKinds = [
  'submit-order',
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

/** What only a line of a payment order says. */
export interface OrderLine {
  readonly remitter: Fields | undefined;
  readonly recipient: Fields;
  readonly rail: Rail;
  readonly trace: string;
}

/** A part of a request that has its own end: a line of an order, a recipient of airtime, a bill, a deposit. */
export interface CheckedPart {
  /** Phone, account or identity number. Its ending may be magic. */
  readonly payee: string;
  readonly name: string;
  /** Absent if no money moves. */
  readonly movement?: Movement;
  /** Present in a payment order only. */
  readonly line?: OrderLine;
}

/** A request that can be booked. */
export interface CheckedRequest {
  readonly kind: RequestKind;
  /** Identifier by which the request is looked up; empty if the service must make one. */
  readonly id: string;
  /** Every `systemTraceAuditNumber`, unique in the books. */
  readonly traces?: readonly string[];
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
      /** Identifier of a payment order that was read and is refused; absent if the body could not be read. */
      readonly readId?: string;
      /** The request as the books may hold it, if the service was less strict when it was accepted. */
      readonly held?: CheckedRequest | undefined;
    };

/** A change of a payment link, or what is wrong with each of its fields. */
export type LinkChange =
  | { readonly ok: true; readonly id: string; readonly fields: Fields }
  | { readonly ok: false; readonly errors: FieldErrors };

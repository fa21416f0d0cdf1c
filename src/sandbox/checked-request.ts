/** A request, other than a payment order, that the service has read and found good. */
import type { Movement } from './books/settling.ts';
import type { FieldErrors, Fields } from './fields.ts';

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

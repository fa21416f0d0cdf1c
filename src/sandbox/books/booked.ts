/** What the books hold about each request, and what they show about it at a time. */

import type { CheckedPart, RequestKind } from '../checked-request.ts';
import { codeOf } from '../draw.ts';
import type { Fields } from '../fields.ts';
import {
  duplicateEndOf,
  type PartEnd,
  type PartPlan,
  partEndTable,
  pending,
  queued,
  type ShownStatus,
} from '../settle.ts';

/** How a part of a request ended. */
export interface PartResult {
  readonly end: PartEnd;
  readonly at: number;
  /** Fee in minor units; zero unless it was paid. */
  readonly fee: bigint;
  /** Wallet balance immediately afterwards, in minor units; zero if no money moves. */
  readonly balance: bigint;
}

/** A part of a request, with its planned end, and with its result once it has ended. */
export interface BookedPart extends CheckedPart {
  /** Number in the whole books, counted from 0. Tracking and receipt numbers derive from it. */
  readonly sequence: number;
  readonly plan: PartPlan;
  readonly takenAt: number;
  readonly result?: PartResult;
}

/** A request with all its parts, including those of repetitions. Its callback is due once all of them have ended. */
export interface BookedRequest {
  /** As `requestKey` makes it. */
  readonly key: string;
  readonly kind: RequestKind;
  readonly id: string;
  /** `systemConversationId`, and the identifier of what the service itself creates (checkout, payment link). */
  readonly serviceId: string;
  /** Number among the requests of all kinds, counted from 0; payment orders are counted separately. */
  readonly number: number;
  readonly takenAt: number;
  /** Address to which changes are reported; `undefined` if there is none. */
  readonly callbackUrl: string | undefined;
  readonly fields: Fields;
  readonly parts: readonly BookedPart[];
  /** Holder of the account that the request names, as known when it was accepted; empty if it names none. */
  readonly holder: string;
  /** Until when a look-up shows the request as a duplicate. */
  readonly shownAsDuplicateUntil: number;
}

/** Returns the key of a request, which is unique in the whole books. `kind`: the name of its operation. */
export const requestKey = (kind: string, id: string): string => `${kind}|${id}`;

const RECEIPT_LENGTH = 10;

/** Returns the receipt number of money that moved, or null: ten upper-case alphanumerics that are never issued twice. */
export const receiptOf = ({ movement, result, sequence }: BookedPart): string | null =>
  movement && result?.end === 'completed' ? `S${codeOf(sequence, RECEIPT_LENGTH - 1)}` : null;

/** Returns the status of a part at a time. */
export function statusAt({ result, takenAt, plan }: BookedPart, at: number): ShownStatus {
  if (result) return partEndTable[result.end];
  return at >= takenAt + plan.queuedMs ? queued : pending;
}

/** What a look-up or a callback shows about a part. While its request is shown as a duplicate, it shows no result. */
export interface ShownPart extends ShownStatus {
  readonly result: PartResult | undefined;
  readonly receipt: string | null;
}

/** Returns what is shown of a part at a time. */
export function shownPart({ key, shownAsDuplicateUntil }: BookedRequest, part: BookedPart, at: number): ShownPart {
  if (at < shownAsDuplicateUntil) return { ...duplicateEndOf(key), result: undefined, receipt: null };
  return { ...statusAt(part, at), result: part.result, receipt: receiptOf(part) };
}

/**
 * What the caller can conclude from an answer of the service, or from its absence. The question behind every tag is the same:
 * could the service have acted? A caller switches on all of them; none is ever thrown.
 */
import type { Problem } from '../contract/problem.ts';

export type Reply<Value> =
  /** The service took the request and its answer could be read. For a submission of money: taken, not paid. */
  | { readonly tag: 'accepted'; readonly value: Value; readonly status: number }
  /** The service says that it already holds this id. Look the order up; never conclude that it was not paid. */
  | { readonly tag: 'exists'; readonly status: number; readonly reason: string }
  /**
   * A documented error body: according to this answer, the service did not take the request. `aboutIds`: it is about the form
   * of our identifiers, which all orders share.
   */
  | {
      readonly tag: 'refused';
      readonly status: number;
      readonly reason: string;
      readonly problem: Problem;
      readonly aboutIds?: true;
    }
  | {
      readonly tag: 'unauthorised';
      readonly status: number;
      readonly reason: string;
      /** There was no token to send the request with, so the request itself never left. */
      readonly unsent?: true;
      /** The token was valid, but its scope or the account lacks the permission (HTTP 403, published). */
      readonly forbidden?: true;
    }
  | {
      readonly tag: 'throttled';
      readonly status: number;
      readonly reason: string;
      /** The wait that the service asked for, in milliseconds; absent if it did not say. */
      readonly retryAfterMs?: number;
    }
  /** No byte of the request left: one of a closed list of connection errors occurred, or the request was held back. */
  | ({ readonly tag: 'not-sent'; readonly reason: string; readonly retryAfterMs?: number } & Trouble)
  /** Anything without a readable answer: the service may have acted. `status` is absent if there was no answer at all. */
  | ({ readonly tag: 'ambiguous'; readonly reason: string; readonly status?: number } & Trouble);

/** What is known about a trouble, in addition to its reason. */
interface Trouble {
  /** The trouble may be over in a moment: the service, its token service or the connection broke down, and refused nothing. */
  readonly passing?: true;
  /** What a person can do about it, if more is known than that the network has to be checked; a sentence. */
  readonly fix?: string;
}

export type ReplyTag = Reply<unknown>['tag'];

/** Reports whether the same request may succeed in a moment: the service was busy, broken or cut off. Not used for submissions. */
export const mayPass = <V>(
  reply: Reply<V>,
): reply is Extract<Reply<V>, { readonly tag: 'throttled' | 'not-sent' | 'ambiguous' }> =>
  reply.tag === 'throttled' || ('passing' in reply && reply.passing === true);

/** Returns a short text on why a reply is not an acceptance, for records and people; free of secrets. */
export const reasonOf = (reply: Reply<unknown>): string =>
  reply.tag === 'accepted' ? `HTTP ${reply.status}` : reply.reason;

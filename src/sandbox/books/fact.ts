/** What the journal keeps: facts in the past tense. What follows from them by time alone is not written. */
import type { LinePlan } from '../settle.ts';

/** How an order id that is already held was answered. */
export type RepeatAnswer = 'refused' | 'replayed' | 'accepted-as-9';

export type BookFact =
  /** A wallet was given this balance (minor units as digits). */
  | { readonly type: 'funded'; readonly at: number; readonly currency: string; readonly minor: string }
  /** An order was taken; `order` is the body as it was sent. */
  | { readonly type: 'taken'; readonly at: number; readonly plans: readonly LinePlan[]; readonly order: unknown }
  | { readonly type: 'repeated'; readonly at: number; readonly id: string; readonly answer: RepeatAnswer }
  /** A submission was struck by a fault before the service acted. */
  | { readonly type: 'lost'; readonly at: number; readonly id: string }
  /** Lines were rejected on request, counted from 0. */
  | { readonly type: 'rejected'; readonly at: number; readonly id: string; readonly lines: readonly number[] };

/**
 * The journal line of an order, around the text that was received: nothing is rendered a second time. Line breaks of
 * valid JSON stand between its tokens only, so they can become spaces.
 */
export const takenLine = (at: number, plans: readonly LinePlan[], received: string): string =>
  `{"type":"taken","at":${at},"plans":${JSON.stringify(plans)},"order":${received.replace(/[\r\n]/g, ' ')}}`;

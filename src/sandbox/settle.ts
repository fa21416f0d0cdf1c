/**
 * What becomes of an order line, and when. Pure: the same order under the same seed always meets the same end.
 *
 *   Pending (0) ─→ Queued (1) ─→ Completed (4) | Rejected (7) | Timed Out (8) | Failed (5) | another number, never final
 *        └──── Reject order ────→ Rejected (7)
 */
import { sha256 } from '../domain/ids.ts';
import { drawOf, guidOf } from './draw.ts';
import { duplicateEnds, type EndEntry, type LineEnd } from './line-end.ts';
import { magicOf } from './magic-endings.ts';
import type { KnobName, Scenario } from './scenario.ts';

/** The future of a line, decided when its order is taken. */
export interface LinePlan {
  /** Milliseconds from acceptance until it is queued, and until it ends. */
  readonly queuedMs: number;
  readonly endMs: number;
  readonly end: LineEnd;
}

/** Shares of a scenario that decide the end of an ordinary line. */
const endShares: readonly (readonly [KnobName, LineEnd])[] = [
  ['reject', 'rejected'],
  ['timeout', 'timed-out'],
  ['fail', 'failed'],
  ['unknown', 'unknown'],
];

/** What is told of the repetition of an identifier; `key` is that of what the books hold. */
export function duplicateEndOf(key: string): EndEntry {
  const draw = drawOf(sha256(`duplicate|${key}`), 0);
  return duplicateEnds[Math.floor(draw * duplicateEnds.length)] ?? duplicateEnds[0];
}

/** `systemConversationId` of the acceptance of a repetition: it names nothing that the service acts on. */
export const repetitionId = (key: string, posts: number): string => guidOf(`repetition|${posts}|${key}`);

/** Plans the `index`-th line of an order that pays `payee`. */
export const planLine = (orderId: string, index: number, payee: string, scenario: Scenario): LinePlan =>
  planOf(`line|${orderId}|${index}`, magicOf(payee), scenario);

/** Plans the `index`-th part of any other request; `magic` is the ending that applies to it, if any. */
export const planPart = (key: string, index: number, magic: ReturnType<typeof magicOf>, scenario: Scenario): LinePlan =>
  planOf(`part|${key}|${index}`, magic, scenario);

function planOf(what: string, magic: ReturnType<typeof magicOf>, { seed, knobs }: Scenario): LinePlan {
  const digest = sha256(`${seed}|${what}`);
  const span = knobs['settle-max'] - knobs['settle-min'];
  const endMs = Math.round(knobs['settle-min'] + drawOf(digest, 0) * span);
  const queuedMs = Math.round(endMs * (0.2 + 0.4 * drawOf(digest, 1)));
  const wait = magic?.pendingMs ?? 0;
  return { queuedMs: queuedMs + wait, endMs: endMs + wait, end: magic?.end ?? drawnEnd(knobs, drawOf(digest, 2)) };
}

function drawnEnd(knobs: Scenario['knobs'], draw: number): LineEnd {
  let bound = 0;
  for (const [knob, end] of endShares) {
    bound += knobs[knob];
    if (draw < bound) return end;
  }
  return 'completed';
}

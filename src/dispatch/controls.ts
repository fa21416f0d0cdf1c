/**
 * How late the look-ups of the service are, by payments that it has accepted. "Unknown" shows that an order is absent only where
 * another one of its kind, accepted no earlier, was shown before: look-ups that lag, or stand still, show neither.
 */
import type { Fact } from '../domain/fact.ts';
import type { OrderState } from '../domain/order.ts';
import type { SubmissionName } from '../domain/submission.ts';

/** A moment in the life of a ledger. Times of one lease are of one steady clock; those of two tell nothing of each other, and the later lease is later. */
interface Moment {
  readonly epoch: number;
  readonly at: number;
}

/** Accepted then, and first shown in this run at `shownAt`. */
interface Control extends Moment {
  readonly shownAt: number;
}

export class Controls {
  /** Each was accepted later than the one before it, and shown no sooner. */
  readonly #shown = new Map<SubmissionName, Control[]>();

  /** What is learnt of an order, and how it stood before. */
  note(state: OrderState, facts: readonly Fact[]): void {
    const shown = shownBy(facts);
    const accepted = acceptedAt(state);
    if (!shown || !accepted) return;
    const controls = this.#shown.get(state.submission) ?? [];
    const last = controls.at(-1);
    if (last && !isBefore(last, accepted)) return;
    controls.push({ ...accepted, shownAt: shown.at });
    if (controls.length > CONTROLS_MAX) controls.shift();
    this.#shown.set(state.submission, controls);
  }

  /** Since when look-ups of this run show what was accepted when this order was last submitted, or later; undefined: they do not. */
  shownSince(state: OrderState): number | undefined {
    const sent = lastSent(state);
    if (!sent) return undefined;
    return this.#shown.get(state.submission)?.find((control) => !isBefore(control, sent))?.shownAt;
  }
}

/** What a look-up showed of an order, among the facts that were learnt of it. */
export const shownBy = (facts: readonly Fact[]): Fact | undefined =>
  facts.find((fact) => fact.type === 'order-observed' && fact.source !== 'callback');

/** Controls that are kept: a later one stands for those before it, only sooner ones are lost. */
const CONTROLS_MAX = 256;

const isBefore = (one: Moment, other: Moment): boolean =>
  one.epoch < other.epoch || (one.epoch === other.epoch && one.at < other.at);

/** Since when an order that is shown is accepted at the latest: its answer, else its claim. It was absent before that. */
function acceptedAt({ answer, lastClaimEpoch: epoch, lastClaimedAt, lastEndedAt }: OrderState): Moment | undefined {
  const at = answer?.tag === 'accepted' ? lastEndedAt : lastClaimedAt;
  return epoch !== undefined && at !== undefined ? { epoch, at } : undefined;
}

/** When an order was last submitted, as far as it is known: its answer, or the loss of it, else its claim. */
function lastSent({ lastClaimEpoch: epoch, lastEndedAt, lastClaimedAt }: OrderState): Moment | undefined {
  const at = lastEndedAt ?? lastClaimedAt;
  return epoch !== undefined && at !== undefined ? { epoch, at } : undefined;
}

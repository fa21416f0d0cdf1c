/**
 * When an "unknown" from a look-up may be believed. Look-ups that lag, or stand still, say "unknown" about an order that was
 * taken. So a lost order counts as absent only with a witness: another order of its kind, accepted no earlier, that look-ups
 * showed before. What a run does without a witness is decided here, too: it has patience while one may come, it keeps its
 * last order back to be one, and if none can come it names the row that the provider has to be asked about.
 */
import type { Fact } from '../domain/fact.ts';
import type { OrderId } from '../domain/ids.ts';
import { neverTransmitted, type OrderState } from '../domain/order.ts';
import type { SubmissionName } from '../domain/submission.ts';
import { isSaidAbsent, isSendOnce } from './decision.ts';

/**
 * A moment in the life of a ledger. Times of one lease are of one steady clock; of moments in two leases, the one in the
 * later lease is later, no matter what the times say.
 */
interface Moment {
  readonly epoch: number;
  readonly at: number;
}

/** An order that was accepted at this moment, and was first shown in this run at `visibleAt`. */
interface Witness extends Moment {
  readonly visibleAt: number;
}

/** Most witnesses that are kept of each kind. A later one serves in place of one that was dropped, only with a later `visibleAt`. */
const WITNESSES_MAX = 256;
/** Least number of clear "unknown" answers before the provider is to be asked. */
const UNKNOWNS_LEAST = 2;

export class Witnesses {
  /** Witnesses by kind. Each was accepted later than the one before it, and shown no sooner. */
  readonly #visible = new Map<SubmissionName, Witness[]>();
  /** Orders that look-ups may still show: accepted, or said by a person not to have arrived (these are submitted again). */
  readonly #coming = new Set<OrderId>();
  /** Lost orders about which nothing has been learnt yet. */
  readonly #silent = new Set<OrderId>();
  /** Lost orders that look-ups clearly do not know. */
  readonly #unproven = new Map<OrderId, OrderState>();
  #isAccepted = false;
  /** Whether a look-up of a lost order was answered clearly. */
  #isHeard = false;
  /** Whether an order was lost, and was parked without a clear answer about it. */
  #isLost = false;

  /** Takes note of facts learnt about an order, given its state before and after them. */
  learnt(before: OrderState, after: OrderState, facts: readonly Fact[]): void {
    const seen = facts.find((fact) => fact.type === 'order-observed' && fact.source !== 'callback');
    if (seen) this.#witnessed(before, seen.at);
    if (!seen && mayBeShown(after)) this.#coming.add(after.id);
    else this.#coming.delete(after.id);
  }

  /** Takes note of an order as it is on record now. */
  recorded(state: OrderState): void {
    const { id, phase, answer, unknowns, overdue, saidAbsent } = state;
    this.#silent.delete(id);
    this.#unproven.delete(id);
    if (phase === 'accepted' || phase === 'settled') this.#isAccepted = true;
    if (!isLost(state)) return;
    if (unknowns > 0) this.#isHeard = true;
    else if (overdue) this.#isLost = true;
    else this.#silent.add(id);
    if (unknowns >= UNKNOWNS_LEAST && answer?.tag !== 'exists' && saidAbsent === undefined)
      this.#unproven.set(id, state);
  }

  /**
   * Returns since when look-ups of this run show an order that was accepted when this order was last submitted, or later;
   * `undefined` if they show none.
   */
  visibleSince(state: OrderState): number | undefined {
    const sent = lastSent(state);
    if (!sent) return undefined;
    return this.#visible.get(state.submission)?.find((witness) => !isBefore(witness, sent))?.visibleAt;
  }

  /** Whether look-ups may still show another order that was accepted; without one, waiting shows nothing. */
  get mayCome(): boolean {
    return this.#coming.size > 0;
  }

  /**
   * Whether the last order of a batch may leave. It is kept back until all others were answered: after it comes no order that
   * could be a witness for them. If nothing of a run was accepted, it waits until look-ups are answered again: sent into the
   * same silence, it would be one more order in doubt.
   */
  get lastMayLeave(): 'yes' | 'not yet' | 'no' {
    if (this.#isAccepted || this.#isHeard) return 'yes';
    if (this.#silent.size > 0) return 'not yet';
    return this.#isLost ? 'no' : 'yes';
  }

  /**
   * Returns the first row of the sheet that the provider has to be asked about; `undefined` if the next run can prove
   * everything on its own. A service that was down for the whole of a first batch took nothing that could be a witness, and a
   * resume alone changes nothing. The provider's answer about one order does: sent again and accepted, that order is the
   * witness for the others.
   */
  rowToAskFor(unsent: number): number | undefined {
    // An order that is still to be sent can be accepted, and become the witness for the others.
    if (unsent > 0) return undefined;
    const lost = [...this.#unproven.values()].filter((state) => this.visibleSince(state) === undefined);
    if (lost.length === 0) return undefined;
    return Math.min(...lost.flatMap(({ lines }) => lines.map(({ row }) => row)));
  }

  /** Notes that a look-up showed the order. `before`: its state until then. */
  #witnessed(before: OrderState, visibleAt: number): void {
    const accepted = acceptedAt(before);
    if (!accepted) return;
    const witnesses = this.#visible.get(before.submission) ?? [];
    const last = witnesses.at(-1);
    if (last && !isBefore(last, accepted)) return;
    witnesses.push({ ...accepted, visibleAt });
    if (witnesses.length > WITNESSES_MAX) witnesses.shift();
    this.#visible.set(before.submission, witnesses);
  }
}

/** Reports whether an order was lost. A send-once order never counts: no witness proves anything about it, and it may have no look-up. */
const isLost = (state: OrderState): boolean =>
  state.phase === 'in-doubt' && state.answer?.tag !== 'refused' && !isSendOnce(state) && !neverTransmitted(state);

const mayBeShown = (state: OrderState): boolean =>
  state.phase === 'accepted' || (state.phase === 'in-doubt' && !isSendOnce(state) && isSaidAbsent(state));

const isBefore = (one: Moment, other: Moment): boolean =>
  one.epoch < other.epoch || (one.epoch === other.epoch && one.at < other.at);

/** Returns when an order that is shown was accepted: at its answer, or else at its claim, before which the service did not have it. */
function acceptedAt({ answer, lastClaimEpoch: epoch, lastClaimedAt, lastEndedAt }: OrderState): Moment | undefined {
  const at = answer?.tag === 'accepted' ? lastEndedAt : lastClaimedAt;
  return epoch !== undefined && at !== undefined ? { epoch, at } : undefined;
}

/** Returns when an order was last submitted, as far as it is known: at its answer or the loss of it, or else at its claim. */
function lastSent({ lastClaimEpoch: epoch, lastEndedAt, lastClaimedAt }: OrderState): Moment | undefined {
  const at = lastEndedAt ?? lastClaimedAt;
  return epoch !== undefined && at !== undefined ? { epoch, at } : undefined;
}

/**
 * Wait until the first look-up of an awaited probe, and longest wait between two later ones, in milliseconds; each wait is
 * twice the one before.
 */
const LOOK_MS_FIRST = 25;
const LOOK_MS_MAX = 1000;

/** Longest wait for the service to show what it has accepted, in milliseconds; the run's own deadline may be shorter. */
export const SHOWN_MS_MAX = 30_000;

/** Which of the payments that went ahead (`probes.ts`) the service has accepted, and which of these it shows. */
export class VisibleProbes {
  readonly #isOther: () => void;
  /** Probes that were sent and whose answer is not known yet. */
  readonly #sent = new Set<OrderId>();
  /** Probes that were accepted and are not shown yet, with the wait until the next look-up of each. */
  readonly #waiting = new Map<OrderId, number>();
  #until = Number.POSITIVE_INFINITY;
  #accepted = 0;

  /** `isOther` is called when a probe is shown under a service id other than that of its own acceptance. */
  constructor(isOther: () => void) {
    this.#isOther = isOther;
  }

  /** Number of probes that were accepted. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Whether a probe was accepted and is not shown yet. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Like `isWaiting`; false once it has been waited for long enough. `now`: in milliseconds of the run's steady clock. */
  isAwaited(now: number): boolean {
    return this.isWaiting && now < this.#until;
  }

  /** Notes that these orders are about to leave as probes. `until`: how long they are waited for, by the run's steady clock. */
  awaits(orders: readonly OrderId[], until = Number.POSITIVE_INFINITY): void {
    this.#until = until;
    for (const id of orders) this.#sent.add(id);
  }

  /** Takes note of facts learnt about an order, given its state before them. */
  learnt({ id, serviceId }: OrderState, facts: readonly Fact[]): void {
    for (const fact of facts) {
      if (fact.type === 'order-answered' && this.#sent.delete(id) && fact.tag === 'accepted') {
        this.#accepted += 1;
        this.#waiting.set(id, LOOK_MS_FIRST);
      }
      if (fact.type !== 'order-observed' || !this.#waiting.delete(id)) continue;
      if (differ(serviceId, fact.serviceId)) this.#isOther();
    }
  }

  /** Returns when an awaited probe is looked up next, in milliseconds of the run's steady clock; `undefined` for any other order. */
  dueAt({ id }: OrderState, now: number): number | undefined {
    const waitMs = this.#waiting.get(id);
    if (waitMs === undefined || now >= this.#until) return undefined;
    this.#waiting.set(id, Math.min(waitMs * 2, LOOK_MS_MAX));
    return now + waitMs;
  }

  /** Stops waiting for the probes. */
  giveUp(): void {
    this.#waiting.clear();
  }
}

/** Reports whether both ids are known and differ. The record of an order has the id of its acceptance (observed with this service). */
const differ = (accepted: string | undefined, visible: string | undefined): boolean =>
  accepted !== undefined && visible !== undefined && accepted.toLowerCase() !== visible.toLowerCase();

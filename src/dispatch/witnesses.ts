/**
 * When "unknown" of a look-up may be believed. Look-ups that lag, or stand still, say "unknown" of an order that was taken. So an order
 * that was lost counts as absent only beside a witness: another order of its kind, accepted no earlier, that look-ups showed before.
 * What a run does for want of one follows from here, too: it has patience as long as a witness may come, it keeps its last order back to
 * be one, and where none can come it names the row of which the provider has to be asked.
 */
import type { Fact } from '../domain/fact.ts';
import type { OrderId } from '../domain/ids.ts';
import { neverTransmitted, type OrderState } from '../domain/order.ts';
import type { SubmissionName } from '../domain/submission.ts';
import { isSaidAbsent, isSendOnce } from './decision.ts';

/** A moment in the life of a ledger. Times of one lease are of one steady clock; those of two tell nothing of each other, and the later lease is later. */
interface Moment {
  readonly epoch: number;
  readonly at: number;
}

/** Accepted then, and first shown in this run at `visibleAt`. */
interface Witness extends Moment {
  readonly visibleAt: number;
}

/** Witnesses that are kept of each kind: a later one stands for those before it, only sooner ones are lost. */
const WITNESSES_MAX = 256;
/** Clear "unknown" answers before the provider is to be asked. */
const UNKNOWNS_LEAST = 2;

export class Witnesses {
  /** Each was accepted later than the one before it, and shown no sooner. */
  readonly #visible = new Map<SubmissionName, Witness[]>();
  /** Orders that look-ups may still show: accepted, or submitted again on the word of a person. */
  readonly #coming = new Set<OrderId>();
  /** Orders that were lost and are not heard of yet. */
  readonly #silent = new Set<OrderId>();
  /** Orders that were lost, and of which look-ups said clearly that they do not know them. */
  readonly #unproven = new Map<OrderId, OrderState>();
  #isAccepted = false;
  /** A look-up of an order that was lost was answered clearly. */
  #isHeard = false;
  /** One was lost, and nobody could say what became of it. */
  #isLost = false;

  /** What is learnt of an order, how it stood before, and how it stands by that. */
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

  /** Since when look-ups of this run show what was accepted when this order was last submitted, or later; undefined: they do not. */
  visibleSince(state: OrderState): number | undefined {
    const sent = lastSent(state);
    if (!sent) return undefined;
    return this.#visible.get(state.submission)?.find((witness) => !isBefore(witness, sent))?.visibleAt;
  }

  /** Whether look-ups may show something more that was accepted; without such an order, waiting shows nothing. */
  get mayCome(): boolean {
    return this.#coming.size > 0;
  }

  /**
   * Whether the last order of a batch may leave. It is kept until all others were answered: after it comes none beside which they could
   * be proven absent. Where nothing of a run was accepted it waits until look-ups are answered again: sent into the same silence, it
   * would be one more in doubt.
   */
  get lastMayLeave(): 'yes' | 'not yet' | 'no' {
    if (this.#isAccepted || this.#isHeard) return 'yes';
    if (this.#silent.size > 0) return 'not yet';
    return this.#isLost ? 'no' : 'yes';
  }

  /**
   * The first row of the sheet of which the provider has to be asked; undefined where the next run can prove all by itself. A service that
   * was down for the whole of a first batch took nothing that could be a witness, and a resume alone changes nothing. The word of the
   * provider on one order does: sent again and accepted, it is what the others are proven beside.
   */
  rowToAskFor(unsent: number): number | undefined {
    // What is still to be sent can be accepted, and the others proven beside it.
    if (unsent > 0) return undefined;
    const lost = [...this.#unproven.values()].filter((state) => this.visibleSince(state) === undefined);
    if (lost.length === 0) return undefined;
    return Math.min(...lost.flatMap(({ lines }) => lines.map(({ row }) => row)));
  }

  /** A look-up showed the order; `before`: how it stood until then. */
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

/** Of a send-once submission nothing is proven beside another, and no look-up may ever be made of it. */
const isLost = (state: OrderState): boolean =>
  state.phase === 'in-doubt' && state.answer?.tag !== 'refused' && !isSendOnce(state) && !neverTransmitted(state);

const mayBeShown = (state: OrderState): boolean =>
  state.phase === 'accepted' || (state.phase === 'in-doubt' && !isSendOnce(state) && isSaidAbsent(state));

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

/** Until the first look at a probe that is waited for, and between two later ones at most, in milliseconds; each wait is twice the one before. */
const LOOK_MS_FIRST = 25;
const LOOK_MS_MAX = 1000;

/** Which of the payments that went ahead (`probes.ts`) the service has accepted, and which of these it shows. */
export class VisibleProbes {
  readonly #isOther: () => void;
  /** Those that were sent and whose answer is not known yet. */
  readonly #sent = new Set<OrderId>();
  /** Those that were accepted and are not shown yet, with the wait until the next look. */
  readonly #waiting = new Map<OrderId, number>();
  #accepted = 0;

  /** `isOther` is told when one is shown under another service id than that of its own acceptance. */
  constructor(isOther: () => void) {
    this.#isOther = isOther;
  }

  /** How many were accepted. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Whether one was accepted and is not shown yet. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** These are about to leave. */
  awaits(orders: readonly OrderId[]): void {
    for (const id of orders) this.#sent.add(id);
  }

  /** What is learnt of an order, and how it stood before. */
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

  /** When an order that is waited for is looked up, in wall-clock milliseconds; undefined for any other. */
  dueAt({ id }: OrderState, now: number): number | undefined {
    const waitMs = this.#waiting.get(id);
    if (waitMs === undefined) return undefined;
    this.#waiting.set(id, Math.min(waitMs * 2, LOOK_MS_MAX));
    return now + waitMs;
  }

  /** They are not waited for any longer. */
  giveUp(): void {
    this.#waiting.clear();
  }
}

/** Both are known, and they are two: the record of an order has the id of its acceptance (seen of this service). */
const differ = (accepted: string | undefined, visible: string | undefined): boolean =>
  accepted !== undefined && visible !== undefined && accepted.toLowerCase() !== visible.toLowerCase();

/**
 * What a run may rely on: its ledger, which may not know everything that was sent; its clocks, which show whether the
 * computer slept; and the look-ups of the service (`witnesses.ts`). `decision.ts` decides by what is known here. A run that
 * can no longer rely on its ledger enters recovery, and leaves it when everything was asked for that a lost ledger may have
 * done (`recovery.ts`).
 */
import type { Fact } from '../domain/fact.ts';
import type { OrderId } from '../domain/ids.ts';
import { type OrderState, openAlarms } from '../domain/order.ts';
import type { Policy, PolicyTerms } from './decision.ts';
import { lookUpsOf } from './look-up.ts';
import type { RunState } from './run-state.ts';
import { APART_OF_SILENCE, behindNotice, notAbsentNotice, sightingNotice } from './stop-reasons.ts';
import { Suspension } from './suspension.ts';
import type { DispatchDeps, RunStart, RunTask } from './task.ts';
import { VisibleProbes, Witnesses } from './witnesses.ts';

/**
 * Why a run enters recovery. `found`: the service shows an order that was never sent from its ledger. `turned-up`: such an
 * order was unknown before, and is found now. `held`: the service says that it already holds an order that left from here
 * once. `not-absent`: an order that look-ups had proven absent is found. `late`: look-ups of the recovery came too late to
 * count.
 */
type RecoveryCause = 'found' | 'turned-up' | 'held' | 'not-absent' | 'late';

interface TrustDeps extends Pick<DispatchDeps, 'client' | 'clock' | 'emit'> {
  readonly ledger: Pick<DispatchDeps['ledger'], 'suspect'>;
  /** Called when a payment that went ahead is shown under a service id other than that of its own acceptance. */
  readonly isOther: () => void;
}

/**
 * Longest random wait before a run sends anything, in milliseconds: for a run that looks first, and for one that does not. It
 * keeps two runs that begin at the same moment from staying side by side. If silences are short, so is the wait: at most
 * `APART_OF_SILENCE` of one. A run waits for up to that long if it met another sender, so that the two do not meet again, and
 * before it submits an order again that a silence has proven absent: a copy of its folder ends that silence at the same time.
 */
const APART_MS_MAX = 2000;
const APART_MS_SURE = 100;

export class Trust {
  readonly #deps: TrustDeps;
  readonly #terms: PolicyTerms;
  /** Whether the batch was begun before this run. */
  readonly asksEach: boolean;
  /** Whether another sender may have begun since this run last claimed. */
  readonly suspension: Suspension;
  readonly witnesses = new Witnesses();
  /** What the service shows about the payments that go ahead of the others. */
  readonly probes: VisibleProbes;
  /** What the service shows about the payments that left last, while another run may send the others too. */
  readonly latest: VisibleProbes;
  /** Orders that the service showed in this run, or that this run has claimed. */
  readonly known = new Set<OrderId>();
  /** Accepted orders whose final outcome can only come by callback, and until when the run waits for it. */
  readonly #calledBackUntil = new Map<OrderId, number>();
  #recoveries: number;
  #recoveryAt: number | undefined;
  #recoveredAt = 0;
  #hasMet = false;
  /** Whether it is certain, and on record, that the ledger does not know everything that was sent. */
  #isConfirmed: boolean;
  /** Whether another sender was sighted, and it is not known yet what became of that. */
  #isSighted = false;

  constructor(
    { lookFirst, settings: { polling, inDoubt } }: Pick<RunTask, 'lookFirst' | 'settings'>,
    deps: TrustDeps,
    { wall, asksEach }: Pick<RunStart, 'wall' | 'asksEach'>,
  ) {
    const { client, clock, isOther } = deps;
    this.#deps = deps;
    this.asksEach = asksEach;
    const visibleSince = (state: OrderState): number | undefined => this.witnesses.visibleSince(state);
    this.#terms = { polling, inDoubt, startedAt: clock.now(), visibleSince, hasLookUp: lookUpsOf(client) };
    this.suspension = new Suspension({ steady: clock, wall, quietMs: inDoubt.quietMs });
    this.probes = new VisibleProbes(isOther);
    this.latest = new VisibleProbes(isOther);
    this.#recoveries = lookFirst ? 1 : 0;
    this.#isConfirmed = lookFirst;
  }

  /** Returns the policy that a decision about an order follows now. */
  policy(run: Pick<RunState, 'isSending' | 'hasBegun'>): Policy {
    const { clockAheadMs, wokeAt, isLong } = this.suspension.clocks;
    return {
      ...this.#terms,
      clockAheadMs,
      ...(wokeAt !== undefined && { wokeAt }),
      lookFirst: this.#recoveries > 0,
      ...(this.#recoveryAt !== undefined && { recoveryAt: this.#recoveryAt }),
      moreComes: run.isSending || this.witnesses.mayCome,
      recoveredAt: this.#recoveredAt,
      askEach: this.asksEach || !run.hasBegun || isLong,
    };
  }

  /** Whether each order is looked up just before it leaves: this run may not be the only one. */
  get looksFirst(): boolean {
    return this.#recoveries > 0 || this.asksEach;
  }

  /**
   * Longest random wait before anything is sent now, in milliseconds. `isProven`: before an order that a silence has proven
   * absent is submitted again.
   */
  apartMsMax(isProven = false): number {
    const partMs = this.#terms.inDoubt.quietMs * APART_OF_SILENCE;
    if (isProven || this.#recoveryAt !== undefined) return partMs;
    return Math.min(this.looksFirst ? APART_MS_MAX : APART_MS_SURE, partMs);
  }

  /** How many times recovery was entered, before the run or in it. */
  get recoveries(): number {
    return this.#recoveries;
  }

  /** When recovery was last entered in this run, in milliseconds of its steady clock; `undefined` if never, or before the run began. */
  get recoveryAt(): number | undefined {
    return this.#recoveryAt;
  }

  /** Whether there was a sign in this run that another sender is active now: a second sign is not an accident. */
  get hasMet(): boolean {
    return this.#hasMet;
  }

  /** Whether the latest sign of another sender was an order that the service already held. */
  get isSighted(): boolean {
    return this.#isSighted;
  }

  /** Enters recovery: the ledger may not know everything that was sent, so from now on nothing leaves without proof. */
  async enterRecovery(cause: RecoveryCause = 'found'): Promise<void> {
    const { clock, emit } = this.#deps;
    const wasSighted = this.#isSighted;
    this.#recoveries += 1;
    this.#recoveryAt = clock.now();
    if (cause === 'held' || cause === 'turned-up') this.#hasMet = true;
    if (cause === 'found' || cause === 'turned-up') await this.confirm();
    if (cause === 'not-absent') emit(notAbsentNotice(this.#terms.inDoubt.quietMs));
    if (cause !== 'held') return;
    this.#isSighted = true;
    if (!wasSighted) emit(sightingNotice(this.#terms.inDoubt.quietMs));
  }

  /** Leaves recovery: everything was asked for that a lost ledger may have done. Waiting times count from now on. */
  leaveRecovery(): void {
    this.#recoveredAt = this.#deps.clock.now();
    this.#isSighted = false;
  }

  /** Records that the ledger certainly does not know everything that was sent, so that later runs know it as well. */
  async confirm(): Promise<void> {
    if (this.#isConfirmed) return;
    this.#isConfirmed = true;
    this.#deps.emit(behindNotice);
    await this.#deps.ledger.suspect();
  }

  /** Takes note of facts learnt about an order, given its state before and after them. */
  learnt(before: OrderState, after: OrderState, facts: readonly Fact[]): void {
    this.probes.learnt(before, facts);
    this.latest.learnt(before, facts);
    this.witnesses.learnt(before, after, facts);
  }

  /** Takes note of an order as it is on record now. */
  recorded(state: OrderState): void {
    this.witnesses.recorded(state);
    const { hasLookUp, startedAt, polling } = this.#terms;
    if (state.phase === 'accepted' && openAlarms(state).length === 0 && !hasLookUp(state.submission)) {
      const since = Math.max(startedAt, state.lastEndedAt ?? 0);
      this.#calledBackUntil.set(state.id, since + polling.deadlineMs);
    } else this.#calledBackUntil.delete(state.id);
  }

  /** Time until which callbacks are awaited that are the only source of an order's final outcome; `undefined` if none are. */
  get calledBackUntil(): number | undefined {
    let until: number | undefined;
    for (const one of this.#calledBackUntil.values()) until = Math.max(until ?? 0, one);
    return until;
  }
}

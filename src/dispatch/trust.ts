/**
 * What a run may rely on: its ledger, which may not know all that was sent; its clocks, which show whether the computer slept; and the
 * look-ups of the service (`witnesses.ts`). `decision.ts` goes by what is known of them here. A run that may not rely on its ledger any
 * more enters recovery, and leaves it when everything was asked for that a lost ledger may have done (`recovery.ts`).
 */
import type { Fact } from '../domain/fact.ts';
import type { OrderId } from '../domain/ids.ts';
import { type OrderState, openAlarms } from '../domain/order.ts';
import type { Policy, PolicyTerms } from './decision.ts';
import { lookUpsOf } from './look-up.ts';
import type { RunState } from './run-state.ts';
import { Standstill } from './standstill.ts';
import { behindNotice, sightingNotice } from './stop-reasons.ts';
import type { DispatchDeps, RunStart, RunTask } from './task.ts';
import { VisibleProbes, Witnesses } from './witnesses.ts';

/**
 * Why a run enters recovery. `found`: the service shows what was never sent from its ledger. `turned-up`: that was unknown, and is there
 * now. `held`: the service holds an order that left from here once. `late`: what was looked up in recovery came too late to count.
 */
type RecoveryCause = 'found' | 'turned-up' | 'held' | 'late';

interface TrustDeps extends Pick<DispatchDeps, 'client' | 'clock' | 'tell'> {
  readonly ledger: Pick<DispatchDeps['ledger'], 'suspect'>;
  /** Is told when a payment that went ahead is shown under another service id than that of its own acceptance. */
  readonly isOther: () => void;
}

export class Trust {
  readonly #deps: TrustDeps;
  readonly #terms: PolicyTerms;
  readonly #asksEach: boolean;
  /** Whether somebody else may have begun since this run claimed last. */
  readonly standstill: Standstill;
  readonly witnesses = new Witnesses();
  /** What the service shows of the payments that go ahead of the others. */
  readonly probes: VisibleProbes;
  /** The same of payments that are submitted again where another run may do so too. */
  readonly again: VisibleProbes;
  /** Orders that the service showed in this run, or that this run has claimed. */
  readonly known = new Set<OrderId>();
  /** Accepted orders whose final word can only come by callback, and until when a run waits for it. */
  readonly #calledBackUntil = new Map<OrderId, number>();
  #recoveries: number;
  #found = 0;
  #recoveryAt: number | undefined;
  #recoveredAt = 0;
  #hasMet = false;
  /** The ledger does not know all that was sent, and says so. */
  #isConfirmed: boolean;
  /** Somebody else was sighted, and what became of that is not known yet. */
  #isSighted = false;

  constructor(
    { lookFirst, settings: { polling, inDoubt } }: Pick<RunTask, 'lookFirst' | 'settings'>,
    deps: TrustDeps,
    { wall, asksEach }: Pick<RunStart, 'wall' | 'asksEach'>,
  ) {
    const { client, clock, isOther } = deps;
    this.#deps = deps;
    this.#asksEach = asksEach;
    const visibleSince = (state: OrderState): number | undefined => this.witnesses.visibleSince(state);
    this.#terms = { polling, inDoubt, startedAt: clock.now(), visibleSince, hasLookUp: lookUpsOf(client) };
    this.standstill = new Standstill({ steady: clock, wall, quietMs: inDoubt.quietMs });
    this.probes = new VisibleProbes(isOther);
    this.again = new VisibleProbes(isOther);
    this.#recoveries = lookFirst ? 1 : 0;
    this.#isConfirmed = lookFirst;
  }

  /** What a decision about an order goes by now. */
  policy(run: Pick<RunState, 'isSending' | 'hasBegun'>): Policy {
    const { clockAheadMs, wokeAt, isLong } = this.standstill.clocks;
    return {
      ...this.#terms,
      clockAheadMs,
      ...(wokeAt !== undefined && { wokeAt }),
      lookFirst: this.#recoveries > 0,
      ...(this.#recoveryAt !== undefined && { recoveryAt: this.#recoveryAt }),
      moreComes: run.isSending || this.witnesses.mayCome,
      recoveredAt: this.#recoveredAt,
      askEach: this.#asksEach || !run.hasBegun || isLong,
    };
  }

  /** Whether each order is looked up just before it leaves: this run may not be the only one. */
  get looksFirst(): boolean {
    return this.#recoveries > 0 || this.#asksEach;
  }

  /** Whether the batch was begun before this run. */
  get asksEach(): boolean {
    return this.#asksEach;
  }

  /** How often recovery was entered, before the run or in it. */
  get recoveries(): number {
    return this.#recoveries;
  }

  /** How often that was because of an order that the service showed. */
  get found(): number {
    return this.#found;
  }

  /** When it was entered last in this run, in milliseconds of its steady clock; undefined: never, or before it began. */
  get recoveryAt(): number | undefined {
    return this.#recoveryAt;
  }

  /** Whether there was a sign in this run that somebody else sends now: another one is no accident. */
  get hasMet(): boolean {
    return this.#hasMet;
  }

  /** Whether the latest sign of that was an order that the service holds already. */
  get isSighted(): boolean {
    return this.#isSighted;
  }

  /** The ledger may not know all that was sent: from now on nothing leaves without proof. */
  async enterRecovery(cause: RecoveryCause = 'found'): Promise<void> {
    const { clock, tell } = this.#deps;
    const wasSighted = this.#isSighted;
    this.#recoveries += 1;
    this.#recoveryAt = clock.now();
    if (cause === 'held' || cause === 'turned-up') this.#hasMet = true;
    if (cause === 'found' || cause === 'turned-up') {
      this.#found += 1;
      await this.confirm();
    }
    if (cause !== 'held') return;
    this.#isSighted = true;
    if (!wasSighted) tell(sightingNotice(this.#terms.inDoubt.quietMs));
  }

  /** All was asked for that a lost ledger may have done: what is waited for is waited for from now on. */
  leaveRecovery(): void {
    this.#recoveredAt = this.#deps.clock.now();
    this.#isSighted = false;
  }

  /** The ledger does not know all that was sent, for certain: runs after this one are told as well. */
  async confirm(): Promise<void> {
    if (this.#isConfirmed) return;
    this.#isConfirmed = true;
    this.#deps.tell(behindNotice);
    await this.#deps.ledger.suspect();
  }

  /** What is learnt of an order, how it stood before, and how it stands by that. */
  learnt(before: OrderState, after: OrderState, facts: readonly Fact[]): void {
    this.probes.learnt(before, facts);
    this.again.learnt(before, facts);
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

  /** Until when callbacks are waited for that are the only final word of orders; undefined when there are none to wait for. */
  get calledBackUntil(): number | undefined {
    let until: number | undefined;
    for (const one of this.#calledBackUntil.values()) until = Math.max(until ?? 0, one);
    return until;
  }
}

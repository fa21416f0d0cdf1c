/**
 * What is looked up before planned orders leave, and how the first of them leave. The first payments are probes: they go
 * ahead, and the run waits until the service shows each under the id of its own acceptance. They are drawn by chance from the
 * 13 smallest ids. So if a forgotten run had sent anything of a batch that seems new, one of the smallest ids shows it; and
 * two runs that begin at the same moment are shown each other's service ids.
 *
 *     lead: claim, submit ──(refused, or no answer)──→ the next of them
 *              │     └──(the id is held)──→ recovery: another sender may have sent it
 *              │ accepted
 *              ↓
 *           look up ──(its own id)──→ the others may follow
 *              ├──(another id)──→ stop: another sender sends them
 *              └──(not shown in time)──→ report it, the others may follow
 *
 * A ledger in recovery relies on look-ups only. There the run waits for the probes for as long as it has patience, and then
 * stops sending; if they are shown later than a silence lasts, the earlier look-ups no longer count.
 */
import type { Random } from '../domain/clock.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { CLAIM_FRESH_MS } from './admission.ts';
import { isSendOnce, mustLookFirst, type Policy } from './decision.ts';
import { CANDIDATES, type Recovery } from './recovery.ts';
import type { Run } from './run.ts';
import { formlessNotice, silenceStop, unseenNotice, unseenStop } from './stop-reasons.ts';
import { SHOWN_MS_MAX } from './witnesses.ts';

/** Number of accepted payments that go ahead; more than one, because one may be slow to be shown. */
const PROBES = 3;

const MS_PER_SECOND = 1000;

/** Most times that all of the first orders are looked up, if answers get lost. */
const PASSES_MAX = 3;

/** Longest rest before it is checked again whether the last order may leave, in milliseconds; anything that is learnt ends it. */
const LAST_REST_MS = 15_000;

export class Probes {
  readonly #run: Run;
  readonly #recovery: Recovery;
  readonly #lookAhead: LookAhead;
  /** Positions of the smallest ids in the sequence in which they leave, as this process has drawn it; empty before that. */
  first: readonly number[] = [];
  #tried = 0;

  constructor(run: Run, recovery: Recovery, lookAhead: LookAhead) {
    [this.#run, this.#recovery, this.#lookAhead] = [run, recovery, lookAhead];
  }

  /** Whether the other orders may follow. */
  get areDone(): boolean {
    return this.#run.trust.probes.accepted >= PROBES || this.#tried >= CANDIDATES;
  }

  /**
   * Sends the first of these orders ahead, and waits until the service shows them. Returns the orders that may follow; none
   * if recovery was entered or sending stopped. `aheadMs`: see `Run.claim`.
   */
  async lead(orders: readonly StoredOrder[], aheadMs: number): Promise<readonly StoredOrder[]> {
    const { policy, trust } = this.#run;
    const { probes, suspension } = trust;
    let rest = orders;
    // After a sleep while the first orders were awaited, the others have to be looked up again.
    while (!this.areDone && this.#run.maySend && (rest === orders || !suspension.isLong)) {
      const ahead = rest.filter((order) => canLead(order, policy));
      if (ahead.length === 0) break;
      const claimed = await this.#run.claim(ahead.slice(0, PROBES - probes.accepted), aheadMs);
      if (claimed.length === 0) break;
      const gone = new Set(claimed.map(({ position }) => position));
      rest = rest.filter(({ position }) => !gone.has(position));
      this.#tried += claimed.length;
      probes.awaits(claimed.map(({ state }) => state.id));
      const { recoveries } = trust;
      await this.#run.submitAll(claimed);
      if (trust.recoveries > recoveries) {
        probes.giveUp();
        return [];
      }
      if (!(await this.#areShownInTime())) return [];
    }
    return rest;
  }

  /**
   * Lets three of the smallest ids go ahead one by one, in a sequence drawn here, and looks up all of the smallest ids before
   * each. At the end it looks all of them up again: another run that began at the same moment has sent some of them by then.
   */
  async goAhead(): Promise<void> {
    const run = this.#run;
    const { ledger, random } = run.deps;
    await this.#keepApart();
    const smallestOf = () => ledger.smallestUnsent(run.task.batch, CANDIDATES);
    if (this.#recovery.maySend && !this.areDone) {
      this.first = shuffled(await smallestOf(), random).map(({ position }) => position);
      while (this.#recovery.maySend && !this.areDone) {
        const smallest = await smallestOf();
        if (!(await this.#sendNextAhead(this.#inTurn(smallest), smallest.length === 1))) break;
      }
      if (this.#recovery.maySend && this.areDone) await this.#lookAhead.watch(this.#inTurn(await smallestOf()));
    }
    if (!this.#recovery.isDue) run.happened({ type: 'first-payments-through' });
  }

  /**
   * Looks whether another sender has sent one of the smallest ids other than these orders, which are about to leave. Does
   * nothing once the probes are through: they go ahead before any other order, unless too many answers were lost. An unclear
   * answer is ignored.
   */
  async watchOthers(orders: readonly StoredOrder[]): Promise<void> {
    const { policy, trust, task, deps } = this.#run;
    if (this.areDone || !trust.looksFirst || !orders.some((order) => canLead(order, policy))) return;
    const own = new Set(orders.map(({ position }) => position));
    const smallest = await deps.ledger.smallestUnsent(task.batch, CANDIDATES);
    await this.#lookAhead.watch(smallest.filter(({ position }) => !own.has(position)));
  }

  /** Waits until it is known whether the last order may leave, and returns the answer. */
  async lastMayLeave(): Promise<boolean> {
    const { admission, trust, control } = this.#run;
    const { witnesses } = trust;
    while (this.#recovery.maySend && witnesses.lastMayLeave === 'not yet')
      await admission.rest(LAST_REST_MS, control.sendSignal);
    if (witnesses.lastMayLeave === 'no') control.stop(silenceStop);
    return this.#recovery.maySend;
  }

  /** Waits for a random time before a run begins, and longer if it met another sender: two that met must not meet again. */
  async #keepApart(): Promise<void> {
    const { deps, state, trust, control, task } = this.#run;
    if (!this.#recovery.maySend || (trust.recoveryAt === undefined && state.hasBegun)) return;
    if ((await deps.ledger.smallestUnsent(task.batch, 1)).length === 0) return;
    await deps.clock.sleep(deps.random() * trust.apartMsMax(), control.sendSignal);
  }

  /** Returns those of the smallest ids that go first, in the sequence that was drawn. */
  #inTurn(smallest: readonly StoredOrder[]): readonly StoredOrder[] {
    const at = new Map(smallest.map((order) => [order.position, order]));
    return this.first.flatMap((position) => at.get(position) ?? []);
  }

  /** Sends the next of these orders ahead; returns false if none of them may go. `isLast`: it is the last order of the batch. */
  async #sendNextAhead(orders: readonly StoredOrder[], isLast: boolean): Promise<boolean> {
    const run = this.#run;
    if (orders.length === 0) return false;
    if (await run.waitsItsTurn(orders)) return true;
    if (isLast && !(await this.lastMayLeave())) return false;
    const aheadMs = run.trust.suspension.clockAheadMs;
    const { lookFirst = false } = run.policy;
    // An order that a ledger in recovery has not cleared cannot leave, but still shows whether another sender sends it.
    const mayLeave = lookFirst ? orders.filter((order) => this.#recovery.hasCleared(order)) : orders;
    await this.#lookAhead.watch(orders.filter((order) => !mayLeave.includes(order)));
    const unsent = await this.#lastAskedFor(mayLeave);
    // In recovery, another round would not clear any of them either.
    if (unsent.length === 0) return !lookFirst;
    await this.lead(unsent.slice(0, 1), aheadMs);
    return true;
  }

  /**
   * Returns those of the orders that may go ahead, all of them known to be unsent from the latest round; none if one was
   * found or nothing more can be learnt. If that took several rounds, the first answers are old, so all orders are looked up
   * again. If answers keep getting lost, those of the first few orders that get an answer go at last, after one more look at
   * the others.
   */
  async #lastAskedFor(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
    const ahead = allButTheLast(orders);
    for (let left = PASSES_MAX; left > 0 && this.#recovery.maySend; left--) {
      const rounds = await this.#roundsUntilUnsent(orders);
      if (rounds === undefined) return [];
      if (rounds === 1) return this.#recovery.maySend ? ahead : [];
    }
    while (this.#recovery.maySend) {
      await this.#lookAhead.watch(orders.slice(Math.min(PROBES, ahead.length)));
      const answered = await this.#lookAhead.cleared(ahead.slice(0, PROBES));
      if (answered.length > 0) return this.#recovery.maySend ? answered : [];
      if (!(await this.#recovery.again())) break;
    }
    return [];
  }

  /**
   * Returns the number of rounds after which each of the orders was known to be unsent; `undefined` if one was found or
   * nothing more can be learnt.
   */
  async #roundsUntilUnsent(orders: readonly StoredOrder[]): Promise<number | undefined> {
    let left = orders;
    for (let rounds = 1; this.#recovery.maySend; rounds++) {
      const cleared = new Set(await this.#lookAhead.cleared(left));
      left = left.filter((order) => !cleared.has(order));
      if (left.length === 0) return rounds;
      if (!this.#recovery.maySend || !(await this.#recovery.again())) break;
    }
    return undefined;
  }

  /** Waits until the probes are shown. Returns false if sending stopped, or if the earlier look-ups prove nothing any more. */
  async #areShownInTime(): Promise<boolean> {
    const { deps, trust, control, admission, policy } = this.#run;
    const { probes } = trust;
    const { deadlineMs } = policy.polling;
    const { quietMs } = policy.inDoubt;
    const longestMs = policy.lookFirst ? Math.max(deadlineMs, quietMs) : Math.min(SHOWN_MS_MAX, deadlineMs);
    const began = deps.clock.now();
    while (probes.isWaiting && this.#run.maySend && deps.clock.now() < began + longestMs) {
      await admission.rest(began + longestMs - deps.clock.now(), control.sendSignal);
    }
    const isUnseen = probes.isWaiting && this.#run.maySend;
    // From now on the probes are looked up when any other order would be.
    probes.giveUp();
    const seconds = Math.ceil(longestMs / MS_PER_SECOND);
    if (isUnseen && policy.lookFirst) {
      control.stop(unseenStop(seconds));
      return false;
    }
    if (isUnseen) deps.emit(unseenNotice(seconds));
    if (!policy.lookFirst || deps.clock.now() - began <= quietMs) return true;
    await trust.enterRecovery('late');
    return false;
  }
}

/** Reports whether an order can be a probe: the service shows what became of it. */
const canLead = ({ state }: StoredOrder, policy: Policy): boolean =>
  !isSendOnce(state) && policy.hasLookUp(state.submission);

/**
 * One look-up just before a claim. Nothing on a computer shows that its disk was restored, or that the batch is also paid
 * from elsewhere; the service does. So if a run cannot be sure (`mustLookFirst`), it looks up each order once. An order that
 * is found although it was never sent from here puts the ledger in recovery: everything is looked up before more leaves.
 */
export class LookAhead {
  readonly #run: Run;
  readonly #recovery: Recovery;
  #hasReportedFormless = false;

  constructor(run: Run, recovery: Recovery) {
    [this.#run, this.#recovery] = [run, recovery];
  }

  /**
   * Returns those of the planned orders that may be sent now; none if one of them showed something that stops all of them. A
   * service that throttles or loses an answer can hold up one look-up for half a minute or more, and the answers about the
   * other orders are that old by then. If no answer is fresh, these other orders are looked up again without it; otherwise
   * they wait for another round.
   */
  async cleared(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
    const { clock } = this.#run.deps;
    // The list gets shorter each time: the look-up that made the others old got no answer, or its order would be fresh.
    for (let asked = orders; ; ) {
      const clearedAt = new Map<StoredOrder, number>();
      await this.#each(
        asked,
        async (order) => void ((await this.#mayLeave(order)) && clearedAt.set(order, clock.now())),
      );
      if (this.#recovery.isDue) return [];
      const oldestAt = clock.now() - CLAIM_FRESH_MS;
      const fresh = asked.filter((order) => (clearedAt.get(order) ?? Number.NEGATIVE_INFINITY) >= oldestAt);
      if (fresh.length > 0 || clearedAt.size === 0 || this.#run.control.sendSignal.aborted) {
        for (let stale = clearedAt.size - fresh.length; stale > 0; stale--) this.#recovery.rounds.isUnclear();
        return fresh;
      }
      asked = [...clearedAt.keys()];
    }
  }

  /** Looks whether another sender has sent one of these orders, which are not to leave now. An unclear answer is ignored. */
  watch(orders: readonly StoredOrder[]): Promise<void> {
    const { policy } = this.#run;
    return this.#each(orders, async (order) => {
      if ((await this.#run.seek(order)).seen === 'found') await this.#isFound(policy);
    });
  }

  async #each(orders: readonly StoredOrder[], act: (order: StoredOrder) => Promise<void>): Promise<void> {
    await Promise.all(orders.map((order) => this.#run.control.guard(() => act(order))));
  }

  async #mayLeave(order: StoredOrder): Promise<boolean> {
    const { policy } = this.#run;
    if (policy.lookFirst && !this.#recovery.hasCleared(order)) return false;
    if (!policy.lookFirst && !mustLookFirst(order.state, policy)) return true;
    const { seen, reason } = await this.#run.seek(order);
    switch (seen) {
      case 'unknown':
        this.#recovery.rounds.hasMoved();
        return true;
      case 'found':
        this.#recovery.rounds.hasMoved();
        await this.#isFound(policy);
        return false;
      case 'unclear':
        if (!policy.lookFirst && (await this.#run.requests.hasNoForm(order.state))) return this.#goesOnFormless();
        this.#recovery.rounds.isUnclear(reason);
        return false;
    }
  }

  /**
   * Reacts to an order that was found, by the policy at the time of the look-up: a ledger that was in recovery then had found
   * the order unknown before, so it has turned up since.
   */
  #isFound({ lookFirst }: Policy): Promise<void> {
    return lookFirst ? this.#recovery.othersSend() : this.#run.trust.enterRecovery();
  }

  #goesOnFormless(): boolean {
    if (!this.#hasReportedFormless) this.#run.deps.emit(formlessNotice);
    this.#hasReportedFormless = true;
    return true;
  }
}

/** Returns all orders but the last, if there are several. */
export const allButTheLast = (orders: readonly StoredOrder[]): readonly StoredOrder[] =>
  orders.length > 1 ? orders.slice(0, -1) : orders;

/** Returns the items in a random sequence; every sequence is equally likely (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const drawn = [...items];
  for (let last = drawn.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [drawn[last], drawn[other]] = [drawn[other] as T, drawn[last] as T]; // both indices are in range
  }
  return drawn;
}

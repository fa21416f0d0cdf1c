/**
 * What is asked of the service before planned orders leave, and how the first of them go. These probes go ahead, and are waited for until
 * the service shows them under the id of their own acceptance. They are of the 13 smallest ids, drawn by chance. So whatever a run that
 * nobody remembers had sent of a batch that is new, one of the smallest shows it; and two who begin in one moment are shown the ids of
 * each other.
 *
 *     lead: claim, submit ──(refused, or no answer)──→ the next of them
 *              │     └──(the id is held)──→ recovery: somebody else may have sent it
 *              │ accepted
 *              ↓
 *           look up ──(its own id)──→ the others may follow
 *              ├──(another id)──→ stop: somebody else sends them
 *              └──(not shown in time)──→ tell, the others may follow
 *
 * A ledger in recovery rests on look-ups alone. So there they are waited for as long as the run has patience, and else sending stops;
 * where they were shown later than a silence lasts, whatever was looked up before counts no more.
 */
import type { Random } from '../domain/clock.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { CLAIM_FRESH_MS } from './admission.ts';
import { isSendOnce, mustLookFirst, type Policy } from './decision.ts';
import { CANDIDATES, type Recovery } from './recovery.ts';
import type { Run } from './run.ts';
import { APART_OF_SILENCE, formlessNotice, silenceStop, unseenNotice, unseenStop } from './stop-reasons.ts';

/** So many accepted payments go ahead: one may be slow to be shown. */
const PROBES = 3;
/** Longest wait for the service to show what it has accepted, in milliseconds; the patience of the run may be shorter. */
export const SHOWN_MS_MAX = 30_000;

const MS_PER_SECOND = 1000;

/**
 * Longest random wait before the first look, in milliseconds, where a run looks first and where it does not: two who begin in one moment
 * do not stay side by side. Where silences are short, so is everybody's patience: no longer than a part of one.
 */
const APART_MS_MAX = 2000;
const APART_MS_SURE = 100;
/** So often all of the first orders are asked for at most, where answers are lost. */
const PASSES_MAX = 3;

/** Longest rest before it is asked again whether the last order may leave, in milliseconds; whatever is learnt ends it. */
const LAST_REST_MS = 15_000;

export class Probes {
  readonly #run: Run;
  readonly #recovery: Recovery;
  readonly #lookAhead: LookAhead;
  /** Positions of the smallest ids as they go first, in an order that this process has drawn. */
  #first: readonly number[] = [];
  #tried = 0;

  constructor(run: Run, recovery: Recovery, lookAhead: LookAhead) {
    [this.#run, this.#recovery, this.#lookAhead] = [run, recovery, lookAhead];
  }

  /** Positions of the smallest ids as they go first; none before they were drawn. */
  get first(): readonly number[] {
    return this.#first;
  }

  /** Whether the others may follow. */
  get areDone(): boolean {
    return this.#run.trust.probes.accepted >= PROBES || this.#tried >= CANDIDATES;
  }

  /** Sends the first of these alone, and waits for them. Gives those that did not leave. `aheadMs`: as `Run.claim` takes it. */
  async lead(orders: readonly StoredOrder[], aheadMs: number): Promise<readonly StoredOrder[]> {
    const { policy, trust } = this.#run;
    const { probes, standstill } = trust;
    let rest = orders;
    // Who slept while the first of them were waited for asks for the others again.
    while (!this.areDone && this.#run.maySend && (rest === orders || !standstill.isLong)) {
      const ahead = rest.filter(({ state }) => !isSendOnce(state) && policy.hasLookUp(state.submission));
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
   * Lets three of the smallest ids go ahead one by one, in an order that is drawn here, and asks for all of the smallest
   * before each. In the end all of them are asked for once more: whoever began in the same moment has sent others of them meanwhile.
   */
  async goAhead(): Promise<void> {
    const run = this.#run;
    const { ledger, random } = run.deps;
    await this.#keepApart();
    const smallestOf = () => ledger.smallestUnsent(run.task.batch, CANDIDATES);
    if (this.#recovery.maySend && !this.areDone) {
      this.#first = shuffled(await smallestOf(), random).map(({ position }) => position);
      while (this.#recovery.maySend && !this.areDone) {
        const smallest = await smallestOf();
        if (!(await this.#sendNextAhead(this.#inTurn(smallest), smallest.length === 1))) break;
      }
      if (this.#recovery.maySend && this.areDone) await this.#lookAhead.watch(this.#inTurn(await smallestOf()));
    }
    if (!this.#recovery.isDue) run.happened({ type: 'first-payments-through' });
  }

  /** Whether the last order may leave, when that is known. */
  async lastMayLeave(): Promise<boolean> {
    const { admission, trust, control } = this.#run;
    const { witnesses } = trust;
    while (this.#recovery.maySend && witnesses.lastMayLeave === 'not yet')
      await admission.rest(LAST_REST_MS, control.sendSignal);
    if (witnesses.lastMayLeave === 'no') control.stop(silenceStop);
    return this.#recovery.maySend;
  }

  /** Waits for a random time before a run begins, and longer where it met somebody else: two who met must not meet again. */
  async #keepApart(): Promise<void> {
    const { deps, state, trust, policy, control, task } = this.#run;
    const hasMet = trust.recoveryAt !== undefined;
    if (!this.#recovery.maySend || (!hasMet && state.hasBegun)) return;
    if ((await deps.ledger.smallestUnsent(task.batch, 1)).length === 0) return;
    const partMs = policy.inDoubt.quietMs * APART_OF_SILENCE;
    const mostMs = hasMet ? partMs : Math.min(trust.looksFirst ? APART_MS_MAX : APART_MS_SURE, partMs);
    await deps.clock.sleep(deps.random() * mostMs, control.sendSignal);
  }

  /** Those of the smallest ids that go first, in their turn. */
  #inTurn(smallest: readonly StoredOrder[]): readonly StoredOrder[] {
    const at = new Map(smallest.map((order) => [order.position, order]));
    return this.#first.flatMap((position) => at.get(position) ?? []);
  }

  /** Sends the next of these ahead; false when none of them may go. `isLast`: it is the last order of all. */
  async #sendNextAhead(orders: readonly StoredOrder[], isLast: boolean): Promise<boolean> {
    const run = this.#run;
    if (orders.length === 0) return false;
    if (await run.waitsItsTurn(orders)) return true;
    if (isLast && !(await this.lastMayLeave())) return false;
    const aheadMs = run.trust.standstill.clockAheadMs;
    const { lookFirst = false } = run.policy;
    // What a ledger in doubt has not cleared shows all the same whether somebody else sends it.
    const mayLeave = lookFirst ? orders.filter((order) => this.#recovery.hasCleared(order)) : orders;
    await this.#lookAhead.watch(orders.filter((order) => !mayLeave.includes(order)));
    const unsent = await this.#lastAskedFor(mayLeave);
    // And what it has not cleared, another round will not clear either.
    if (unsent.length === 0) return !lookFirst;
    await this.lead(unsent.slice(0, 1), aheadMs);
    return true;
  }

  /**
   * Those of the orders that may go ahead, all of them known to be unsent by the latest round; none when one was found, or nothing more
   * can be learnt. Where it took several rounds, the first answers are old: all are asked for once more. Where answers are lost again
   * and again, the first of them are asked for last, and whichever is answered then goes.
   */
  async #lastAskedFor(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
    const ahead = allButTheLast(orders);
    for (let left = PASSES_MAX; left > 0 && this.#recovery.maySend; left--) {
      const rounds = await this.#roundsUntilUnsent(orders);
      if (rounds === undefined) return [];
      if (rounds === 1) return this.#recovery.maySend ? ahead : [];
    }
    while (this.#recovery.maySend) {
      const answered = await this.#lookAhead.cleared(ahead.slice(0, PROBES));
      if (answered.length > 0) return this.#recovery.maySend ? answered : [];
      if (!(await this.#recovery.again())) break;
    }
    return [];
  }

  /** In how many rounds each of the orders was known to be unsent; undefined: one was found, or nothing more can be learnt. */
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

  /** Waits for them; false where what was looked up before proves nothing. */
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
    // From here on they are looked up when any other order would be.
    probes.giveUp();
    const seconds = Math.ceil(longestMs / MS_PER_SECOND);
    if (isUnseen && policy.lookFirst) {
      control.stop(unseenStop(seconds));
      return false;
    }
    if (isUnseen) deps.tell(unseenNotice(seconds));
    if (!policy.lookFirst || deps.clock.now() - began <= quietMs) return true;
    await trust.enterRecovery('late');
    return false;
  }
}

/**
 * One look-up just ahead of a claim. Nothing on a computer shows that its disk was put back, or that the batch is paid from somewhere
 * else; the service does. So where a run cannot be sure (`mustLookFirst`), each order is asked for once. One that is found although it was
 * never sent from here puts the ledger in recovery: all is looked up before more leaves.
 */
export class LookAhead {
  readonly #run: Run;
  readonly #recovery: Recovery;
  #hasToldFormless = false;

  constructor(run: Run, recovery: Recovery) {
    [this.#run, this.#recovery] = [run, recovery];
  }

  /**
   * Those of the planned orders that may be sent now; none where one of them showed something that speaks against all. A service that
   * throttles or loses an answer can hold one look-up for half a minute and more, and what was said of the others is as old by then.
   * Where nothing is left that is fresh, these others are asked again without it; else they wait for another round.
   */
  async cleared(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
    const { clock } = this.#run.deps;
    // Fewer each time: the look-up that made the others old was not answered, or its order would be fresh.
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

  /** Looks whether somebody else has sent one of these, which are not to leave now. What is not clear tells nothing. */
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

  /** By the policy of when it was asked for: a ledger that was in doubt then had found it unknown, so it has turned up since. */
  #isFound({ lookFirst }: Policy): Promise<void> {
    return lookFirst ? this.#recovery.othersSend() : this.#run.trust.enterRecovery();
  }

  #goesOnFormless(): boolean {
    if (!this.#hasToldFormless) this.#run.deps.tell(formlessNotice);
    this.#hasToldFormless = true;
    return true;
  }
}

/** All but the last, where there are several. */
export const allButTheLast = (orders: readonly StoredOrder[]): readonly StoredOrder[] =>
  orders.length > 1 ? orders.slice(0, -1) : orders;

/** The same in an order that every order is as likely as (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const drawn = [...items];
  for (let last = drawn.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [drawn[last], drawn[other]] = [drawn[other] as T, drawn[last] as T]; // both places are within
  }
  return drawn;
}

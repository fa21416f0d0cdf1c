/**
 * Recovery: if the ledger may not know everything that was sent, a run finds out which orders of its rows the service holds,
 * before it sends anything.
 *
 *     rounds    every order that was never sent from here is looked up, and again after the silence by which a request
 *               that a killed run had in flight must have become known; unknown both times, it was not sent at all
 *     attempts  the next attempt of each row that is not completed; all attempts if the service holds anything of the
 *               batch, and for the smallest ids, because these would have gone ahead and been refused first
 *
 * If an order is unknown and then found, another sender is active: all look-ups begin again after a silence, and if another
 * such order turns up, sending stops. What could not be found out is asked for again: planned orders before anything leaves,
 * other rows when everything was followed. An order of a lost ledger may have paid rows of several orders that are planned
 * now, and it is found through only one of those rows.
 */
import type { Clock } from '../domain/clock.ts';
import type { Emit } from '../domain/event.ts';
import { openAlarms } from '../domain/order.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { alarmAbout } from '../service/submissions/evidence.ts';
import { isSendOnce, type Policy, provenUnsentAt } from './decision.ts';
import type { LookUpResult } from './look-up.ts';
import { Attempts, type AttemptsDeps, type Depth, heldText, OtherRows } from './other-rows.ts';
import type { Run } from './run.ts';
import { elsewhereStop, nobodyElseNotice, unclearStop } from './stop-reasons.ts';
import type { RunControl } from './task.ts';

/**
 * Number of the smallest ids that are looked up, and tried, before the others: more than go ahead, because all of the first
 * may have been refused.
 */
export const CANDIDATES = 13;
/** Orders read and looked up together. */
const BLOCK = 256;

export class Recovery {
  readonly #run: Run;
  readonly rounds: Rounds;
  readonly #attempts: Attempts | undefined;
  readonly #others: OtherRows;
  readonly #progress: RecoveryProgress;
  /** Number of recoveries of the run that are over. */
  #over = 0;
  /** When each planned order was first found unknown, by position. */
  readonly #firstUnknownAt = new Map<number, number>();
  /** Positions of planned orders that are proven unsent. */
  readonly #unsent = new Set<number>();
  /** Positions of those proven unsent orders that may leave: the service holds no other order of their rows either. */
  readonly #cleared = new Set<number>();
  /** Positions of planned orders whose latest look-up was unclear. */
  readonly #unclear = new Set<number>();
  #smallest: ReadonlySet<number> = new Set();
  /** Whether the service showed, in this recovery, an order that was never sent from here. */
  #hasFound = false;
  /** Earliest time at which one of the remaining orders can be proven unsent. */
  #nextAt: number | undefined;
  /** Whether something of the batch was sent, by this ledger or by another. */
  #isBegun: boolean;
  /** Since when each order that would be sent again has waited for a clear answer, by position. */
  readonly #waiting = new Map<number, number>();

  constructor(run: Run) {
    const { deps, control, task, requests, trust } = run;
    const { clock, otherOrdersOf } = deps;
    this.#run = run;
    this.rounds = new Rounds({ clock, control, polling: task.settings.polling });
    this.#isBegun = trust.asksEach;
    const progress = new RecoveryProgress(clock, deps.emit);
    const resultOf: AttemptsDeps['resultOf'] = async (...of) => progress.counted(await requests.resultOf(...of));
    this.#attempts = otherOrdersOf && new Attempts({ clock, otherOrdersOf, resultOf });
    this.#progress = progress;
    this.#others = new OtherRows(run, (order, row) => this.#othersOf(order, row));
  }

  /** Whether a recovery was entered that is not over; nothing more may leave until it is. */
  get isDue(): boolean {
    return this.#run.trust.recoveries > this.#over;
  }

  /** Whether both the run and the recovery allow sending now. */
  get maySend(): boolean {
    return this.#run.maySend && !this.isDue;
  }

  /** Whether everything is known that a lost ledger may have done: the state of every row, and which attempts exist. */
  get isClear(): boolean {
    return this.#others.isClear;
  }

  /**
   * Reports whether it is known that neither a planned order nor any other order of its rows was sent. That is known only
   * once every planned order is cleared: if rows were grouped differently, a lost order is found by its first row, which may
   * be in another order now.
   */
  hasCleared({ position }: StoredOrder): boolean {
    const isEveryCleared = this.#unclear.size === 0 && this.#cleared.size === this.#firstUnknownAt.size;
    return isEveryCleared && this.#cleared.has(position);
  }

  /** Finds out what the service holds, as far as that can be known now. Nothing is sent in the meantime. */
  async settle(): Promise<void> {
    const { ledger } = this.#run.deps;
    while (this.isDue && !this.#run.control.followSignal.aborted) {
      const { recoveries } = this.#run.trust;
      this.#forget();
      const smallest = await ledger.smallestUnsent(this.#run.task.batch, CANDIDATES);
      this.#smallest = new Set(smallest.map(({ position }) => position));
      this.#progress.begin(this.#provenAt(this.#run.deps.clock.now()));
      await this.#round();
      await this.#lookAtDue();
      while (this.#isUnproven(recoveries) && (await this.rounds.again(this.#nextAt))) await this.#round();
      await this.#untilQuiet();
      if (this.#run.trust.recoveries > recoveries) continue;
      await this.#allAttempts();
      if (this.#run.trust.recoveries > recoveries) continue;
      this.#over = recoveries;
      const { trust, maySend, deps } = this.#run;
      if (trust.isSighted && maySend && !this.#hasFound) deps.emit(nobodyElseNotice);
      trust.leaveRecovery();
      trust.suspension.isOver();
    }
  }

  #isUnproven(recoveries: number): boolean {
    const { trust, control } = this.#run;
    return trust.recoveries === recoveries && this.#nextAt !== undefined && !control.followSignal.aborted;
  }

  /**
   * Returns the time from which one more "unknown" proves an order unsent. The silence counts from the start of this run, not
   * from an earlier moment: while a person typed the control total of this run, another sender may have sent something and
   * been stopped.
   */
  #provenAt(firstUnknownAt: number): number {
    return provenUnsentAt(firstUnknownAt, this.#run.policy);
  }

  /** Looks up again the planned orders that got no clear answer. Returns false if there is nothing more to learn. */
  async again(): Promise<boolean> {
    if (!this.#run.maySend || !(await this.rounds.again(this.#nextAt))) return false;
    if (this.#run.policy.lookFirst && !this.isDue) {
      await this.#round();
      await this.#clearUnsent();
    }
    return this.#run.maySend;
  }

  /** Finds out what became of rows that are not planned, once everything was followed. Reports whether there is more to follow. */
  async finish(): Promise<boolean> {
    if (!this.#run.policy.lookFirst || !this.#attempts) return false;
    await this.#untilQuiet();
    return this.#others.reconcile();
  }

  /** Warns about rows that are still unclear; a person might pay them by other means. */
  emitUnclear(): void {
    this.#others.emitUnclear();
  }

  /**
   * Enters recovery because an order that was unknown, or proven absent, has been found; stops sending if there was a sign of
   * another sender before. A run that was killed may have left requests in flight; after a silence there are none.
   */
  async othersSend(cause: 'turned-up' | 'not-absent' = 'turned-up'): Promise<void> {
    const { trust, control } = this.#run;
    if (trust.hasMet) control.stop(elsewhereStop);
    await trust.enterRecovery(cause);
  }

  /**
   * Returns those of the orders to be sent again that may be. The others wait for a clear answer, no longer than any other
   * order does.
   */
  async mayGoAgain(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
    if (!this.#run.policy.lookFirst) return orders;
    const seen = await Promise.all(orders.map((order) => this.#lookUpOthers(order)));
    const { deps, policy, control } = this.#run;
    const now = deps.clock.now();
    for (const [index, order] of orders.entries()) {
      if (seen[index] !== 'unclear') {
        this.#waiting.delete(order.position);
        continue;
      }
      const since = this.#waiting.get(order.position) ?? now;
      this.#waiting.set(order.position, since);
      if (now - since >= policy.polling.deadlineMs) control.stop(unclearStop(this.#waiting.size));
      await this.#run.postpone(order);
    }
    return orders.filter((_order, index) => seen[index] === 'unknown');
  }

  #forget(): void {
    this.#hasFound = false;
    this.#firstUnknownAt.clear();
    this.#unsent.clear();
    this.#cleared.clear();
    this.#unclear.clear();
  }

  /** Looks up the planned orders that are not proven unsent, as far as another look-up can show anything now. */
  async #round(): Promise<void> {
    this.#nextAt = undefined;
    this.#progress.roundBegins();
    await this.#eachPlanned((order) => this.#lookUp(order));
  }

  /** Looks up once what was sent: the sooner an order is found unknown, the sooner its absence can be proven. */
  async #lookAtDue(): Promise<void> {
    const { deps, control, task } = this.#run;
    const { ledger, clock } = deps;
    const look = async (order: StoredOrder): Promise<void> => {
      const after = await this.#run.look(order);
      if (after.dueAt !== null && after.dueAt <= clock.now()) await this.#run.postpone(after);
    };
    // Only once: by the time the last order was looked up, the first may be due again.
    const began = clock.now();
    while (!control.followSignal.aborted) {
      const due = await ledger.dueOrders(task.batch, began, BLOCK);
      if (due.length === 0) return;
      await Promise.all(due.map((order) => control.guard(() => look(order))));
    }
  }

  async #eachPlanned(act: (order: StoredOrder) => Promise<void>): Promise<void> {
    const { deps, task, control } = this.#run;
    for (let after = 0; !control.followSignal.aborted; ) {
      const planned = await deps.ledger.unsentOrders(task.batch, BLOCK, after);
      const last = planned.at(-1);
      if (!last) return;
      await Promise.all(planned.map((order) => control.guard(() => act(order))));
      if (this.isDue) this.#progress.say(this.#looksLike(last));
      after = last.position;
    }
  }

  async #lookUp(order: StoredOrder): Promise<void> {
    const { deps, task } = this.#run;
    const { position, state } = order;
    // Only a person knows whether a send-once order was sent, and no person was asked when this run began.
    if (this.#unsent.has(position) || (!task.lookFirst && isSendOnce(state))) return;
    const first = this.#firstUnknownAt.get(position);
    const provenAt = first === undefined ? undefined : this.#provenAt(first);
    if (provenAt !== undefined && deps.clock.now() < provenAt) return this.#waitsUntil(provenAt);
    const { seen, reason } = this.#progress.counted(await this.#run.seek(order));
    if (seen === 'unclear') {
      this.#unclear.add(position);
      return this.rounds.isUnclear(reason);
    }
    this.#unclear.delete(position);
    this.rounds.hasMoved();
    if (seen === 'found') {
      this.#hasFound = true;
      this.#holds();
      await this.#run.trust.confirm();
      if (first !== undefined) await this.othersSend();
    } else if (provenAt !== undefined) this.#unsent.add(position);
    else {
      const now = deps.clock.now();
      this.#firstUnknownAt.set(position, now);
      this.#waitsUntil(this.#provenAt(now));
    }
  }

  #waitsUntil(at: number): void {
    this.#nextAt = Math.min(this.#nextAt ?? at, at);
  }

  /** Waits until requests that a killed run had in flight must have become known; does not wait if every valid row was paid. */
  async #untilQuiet(): Promise<void> {
    const { deps, state, control } = this.#run;
    const { completed, invalid, ...others } = state.outcomes;
    const waitMs = this.#provenAt(0) - deps.clock.now();
    if (waitMs > 0 && Object.values(others).some((count) => count > 0)) {
      await deps.clock.sleep(waitMs, control.followSignal);
    }
  }

  /** Looks for other orders of every row that is not completed. What one row shows may require more look-ups for all rows. */
  async #allAttempts(): Promise<void> {
    for (let isMore = true; isMore && !this.#run.control.followSignal.aborted; ) {
      const wasBegun = this.#isBegun;
      await this.#clearUnsent();
      const isNews = this.#attempts !== undefined && (await this.#others.reconcile());
      isMore = isNews || wasBegun !== this.#isBegun;
    }
  }

  /**
   * Returns the look-ups that planned orders need, if all are like this one: two of each, and then one of every other order of its
   * rows, up to the next attempt or, where all of them are looked up, in total.
   */
  #looksLike({ state, body, origin }: StoredOrder): Looks {
    const { state: run, task, deps } = this.#run;
    const orders = Math.ceil(run.outcomes.unsent / task.settings.sending.linesPerOrder);
    const others = state.lines.flatMap(({ row }) => deps.otherOrdersOf?.({ row, state, body, origin }) ?? []);
    const next = others.filter(({ attempt }) => attempt <= state.attempt + 1).length;
    const deep = this.#isBegun ? orders : Math.min(this.#smallest.size, orders);
    const all = orders * (2 + next) + deep * (others.length - next);
    return { orders, asked: this.#firstUnknownAt.size, all };
  }

  #clearUnsent(): Promise<void> {
    this.#progress.roundBegins();
    return this.#eachPlanned(async (order) => {
      const { position } = order;
      if (!this.#unsent.has(position) || this.#cleared.has(position) || openAlarms(order.state).length > 0) return;
      const seen = await this.#lookUpOthers(order);
      if (seen === 'unknown') this.#cleared.add(position);
      if (seen === 'unclear') this.rounds.isUnclear();
    });
  }

  /**
   * Reports what look-ups show about other orders of the rows of an order that did not fail. One that the service holds is
   * recorded as an alarm.
   */
  async #lookUpOthers(order: StoredOrder): Promise<LookUpResult['seen']> {
    for (const { row } of order.state.lines) {
      const other = await this.#othersOf(order, row);
      if (other?.seen === 'found') {
        await this.#run.learn(order, [alarmAbout(order.state, this.#run.deps.clock.now(), heldText(other, row))]);
      }
      if (other && other.seen !== 'unknown') return other.seen;
    }
    return 'unknown';
  }

  async #othersOf(order: StoredOrder, row: number) {
    const depth: Depth = this.#isBegun || this.#smallest.has(order.position) ? 'all' : 'next';
    const other = await this.#attempts?.after(order, row, depth);
    if (other?.seen === 'found') this.#holds();
    return other ?? { seen: 'unknown' as const };
  }

  /** Notes that the service holds something of the batch: rows may have been tried as many times as possible. */
  #holds(): void {
    if (!this.#isBegun) this.#cleared.clear();
    this.#isBegun = true;
  }
}

/** The look-ups that a recovery makes. */
interface Looks {
  /** Planned orders, and those among them that were looked up once. */
  readonly orders: number;
  readonly asked: number;
  /** Look-ups in all, those of other orders of the same rows included. */
  readonly all: number;
}

/** Reports to people who wait how far a run is with the look-ups that it makes before it sends anything. */
export class RecoveryProgress {
  readonly #clock: Clock;
  readonly #emit: Emit;
  #done = 0;
  /** Time before which nothing leaves, in milliseconds of the run's clock. */
  #silentUntil = 0;
  /** The current round of look-ups, without the waits between two rounds. */
  #round = { began: 0, done: 0 };
  /** Average time of one look-up in the latest round that had any, in milliseconds. */
  #eachMs = 0;

  constructor(clock: Clock, emit: Emit) {
    this.#clock = clock;
    this.#emit = emit;
  }

  /** Begins a recovery: everything is looked up from now on, and nothing leaves before `silentUntil`. */
  begin(silentUntil: number): void {
    this.#done = 0;
    this.#silentUntil = silentUntil;
  }

  /** Begins a round of look-ups. */
  roundBegins(): void {
    this.#round = { began: this.#clock.now(), done: 0 };
  }

  /** Counts a look-up, unless its answer was unclear and it has to be made again. Returns its result. */
  counted(result: LookUpResult): LookUpResult {
    if (result.seen !== 'unclear') {
      this.#done += 1;
      this.#round.done += 1;
    }
    return result;
  }

  /** Reports the progress. The first look-up of each order is made during the silence, and the others after it. */
  say({ orders, asked, all }: Looks): void {
    const left = Math.max(all - this.#done, 0);
    const first = Math.min(Math.max(orders - asked, 0), left);
    const now = this.#clock.now();
    const { began, done } = this.#round;
    if (done > 0) this.#eachMs = (now - began) / done;
    const leftMs = Math.max(this.#silentUntil - now, first * this.#eachMs) + (left - first) * this.#eachMs;
    this.#emit({
      type: 'reconcile.progress',
      done: this.#done,
      of: this.#done + left,
      leftMs: Math.round(Math.max(leftMs, 0)),
    });
  }
}

interface RoundsDeps extends Pick<Policy, 'polling'> {
  readonly clock: Clock;
  readonly control: RunControl;
}

/** Rounds of look-ups of orders that got no clear answer: when the next round begins, and when another is useless. */
export class Rounds {
  readonly #deps: RoundsDeps;
  #unclear = 0;
  /** The latest unclear answer, in words. */
  #reason = '';
  #movedAt: number;

  constructor(deps: RoundsDeps) {
    this.#deps = deps;
    this.#movedAt = deps.clock.now();
  }

  /** Counts a look-up that showed nothing. */
  isUnclear(reason = ''): void {
    this.#unclear += 1;
    this.#reason = reason;
  }

  /** Notes that something was learnt. */
  hasMoved(): void {
    this.#movedAt = this.#deps.clock.now();
  }

  /**
   * Waits until another round can show more: until `nextAt`, or less for unclear orders. Returns false if there is nothing
   * more to learn. If nothing was learnt for as long as the run has patience (`polling.deadlineMs`), sending stops.
   */
  async again(nextAt?: number): Promise<boolean> {
    const unclear = this.#unclear;
    this.#unclear = 0;
    const { control, polling, clock } = this.#deps;
    if (control.followSignal.aborted || (unclear === 0 && nextAt === undefined)) return false;
    const now = clock.now();
    const idleMs = now - this.#movedAt;
    if (nextAt === undefined && idleMs >= polling.deadlineMs) {
      control.stop(unclearStop(unclear, this.#reason));
      return false;
    }
    const soonMs = Math.min(Math.max(idleMs / 2, polling.firstMs), polling.maxMs);
    const waitMs =
      nextAt === undefined ? soonMs : Math.min(nextAt - now, unclear > 0 ? soonMs : Number.POSITIVE_INFINITY);
    await clock.sleep(Math.max(waitMs, 1), control.followSignal);
    return !control.followSignal.aborted;
  }
}

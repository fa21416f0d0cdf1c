/**
 * Recovery: a ledger that may not know all that was sent finds out before it sends. Which orders of its rows does the service hold?
 *
 *     rounds    every order that was never sent from here is looked up, and once more after the silence in which one that
 *               a killed run had left on its way must have become known; unknown twice, and it was sent by nobody
 *     attempts  of each row that is not completed the next attempt; all of them where the service holds anything of the
 *               batch, and of the smallest ids, because these would have gone ahead and been refused first
 *
 * Unknown, then found: somebody sends now. All looks begin again after a silence; where another turns up, sending stops.
 * What could not be found out is asked for again: of planned orders before anything leaves, of other rows when all was followed.
 * An order that is lost may have paid rows of several orders that are planned now, and it is found by one row of it alone.
 */
import type { Clock } from '../domain/clock.ts';
import type { Tell } from '../domain/event.ts';
import { openAlarms } from '../domain/order.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { alarmAbout } from '../service/submissions/evidence.ts';
import { isSendOnce, type Policy, provenUnsentAt } from './decision.ts';
import type { LookUpResult } from './look-up.ts';
import { Attempts, type AttemptsDeps, type Depth, heldBeside, OtherRows } from './other-rows.ts';
import type { Run } from './run.ts';
import { elsewhereStop, nobodyElseNotice, unclearStop } from './stop-reasons.ts';
import type { RunControl } from './task.ts';

/** So many of the smallest ids are asked for, and tried, before the others: all of the first may have been refused. */
export const CANDIDATES = 13;
/** Orders that are read and asked for together. */
const BLOCK = 256;

export class Recovery {
  readonly #run: Run;
  readonly rounds: Rounds;
  readonly #attempts: Attempts | undefined;
  readonly #others: OtherRows;
  readonly #progress: RecoveryProgress;
  /** The recoveries of the run that are over. */
  #over = 0;
  /** By position: when a planned order was first said to be unknown. */
  readonly #firstUnknownAt = new Map<number, number>();
  /** Positions of planned orders that were sent by nobody. */
  readonly #unsent = new Set<number>();
  /** Those of them that may leave: no other order of their rows is held either. */
  readonly #cleared = new Set<number>();
  /** Positions of planned orders whose latest own look-up told nothing. */
  readonly #unclear = new Set<number>();
  #smallest: ReadonlySet<number> = new Set();
  /** What an order of the batch takes beside its own look-ups. */
  #looksBeside: LooksBeside | undefined;
  /** The service shows an order that was never sent from here, in this recovery. */
  #hasFound = false;
  /** When the first of the others can be proven unsent. */
  #nextAt: number | undefined;
  /** Something of the batch was sent, by this ledger or by another. */
  #isBegun: boolean;
  /** By position, orders that would be sent again and wait for a clear answer, and since when. */
  readonly #waiting = new Map<number, number>();

  constructor(run: Run) {
    const { deps, control, task, requests, trust } = run;
    const { clock, ordersBeside } = deps;
    this.#run = run;
    this.rounds = new Rounds({ clock, control, polling: task.settings.polling });
    this.#isBegun = trust.asksEach;
    const progress = new RecoveryProgress(clock, deps.tell);
    const resultOf: AttemptsDeps['resultOf'] = (...of) => requests.resultOf(...of).finally(() => progress.asked());
    this.#attempts = ordersBeside && new Attempts({ clock, ordersBeside, resultOf });
    this.#progress = progress;
    this.#others = new OtherRows(run, (order, row) => this.#beside(order, row));
  }

  /** Whether a recovery was entered that is not over: nothing more may leave before. */
  get isDue(): boolean {
    return this.#run.trust.recoveries > this.#over;
  }

  /** Whether anything may be sent now: by the run, and by this. */
  get maySend(): boolean {
    return this.#run.maySend && !this.isDue;
  }

  /** Whether all is known that a lost ledger may have done: of every row how it stands, and which attempts there are. */
  get isClear(): boolean {
    return this.#others.isClear;
  }

  /**
   * Whether a planned order was sent by nobody, and no other order of its rows was. That is not known before every planned order is
   * cleared: where rows were grouped otherwise, what was lost is found by its first row, which another order may hold by now.
   */
  hasCleared({ position }: StoredOrder): boolean {
    const isEveryCleared = this.#unclear.size === 0 && this.#cleared.size === this.#firstUnknownAt.size;
    return isEveryCleared && this.#cleared.has(position);
  }

  /** Finds out what the service holds, as far as it can be told now. While it waits, nothing is sent. */
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
      if (trust.isSighted && maySend && !this.#hasFound) deps.tell(nobodyElseNotice);
      trust.leaveRecovery();
      trust.standstill.isOver();
    }
  }

  #isUnproven(recoveries: number): boolean {
    const { trust, control } = this.#run;
    return trust.recoveries === recoveries && this.#nextAt !== undefined && !control.followSignal.aborted;
  }

  /**
   * From when on one more "unknown" proves that an order was sent by nobody. The silence counts from the start of this run, and not from
   * an earlier moment: while a person typed the total of this one, somebody else may have sent, and been stopped.
   */
  #provenAt(firstUnknownAt: number): number {
    return provenUnsentAt(firstUnknownAt, this.#run.policy);
  }

  /** Asks once more for the planned orders that got no clear answer; false when there is nothing more to learn. */
  async again(): Promise<boolean> {
    if (!this.#run.maySend || !(await this.rounds.again(this.#nextAt))) return false;
    if (this.#run.policy.lookFirst && !this.isDue) {
      await this.#round();
      await this.#clearUnsent();
    }
    return this.#run.maySend;
  }

  /** What became of rows that are not planned, when everything was followed; whether there is more to follow. */
  async finish(): Promise<boolean> {
    if (!this.#run.policy.lookFirst || !this.#attempts) return false;
    await this.#untilQuiet();
    return this.#others.reconcile();
  }

  /** Says for which rows nobody can tell yet; a person might pay them by other means. */
  tellUnclear(): void {
    this.#others.tellUnclear();
  }

  /** An order that was unknown has been found. One that was killed may have left some on their way; after a silence nobody has. */
  async othersSend(): Promise<void> {
    const { trust, control } = this.#run;
    if (trust.hasMet) control.stop(elsewhereStop);
    await trust.enterRecovery('turned-up');
  }

  /** Which of some orders that would be sent again may be; the others wait for a clear answer, no longer than any other order. */
  async mayGoAgain(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
    if (!this.#run.policy.lookFirst) return orders;
    const seen = await Promise.all(orders.map((order) => this.#beyond(order)));
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

  /** Looks up what is planned and not proven unsent, as far as another look can tell anything now. */
  async #round(): Promise<void> {
    this.#nextAt = undefined;
    this.#progress.roundBegins();
    await this.#eachPlanned((order) => this.#lookUp(order));
  }

  /** Looks once at what was sent: the sooner it is unknown, the sooner that can be proven. */
  async #lookAtDue(): Promise<void> {
    const { deps, control, task } = this.#run;
    const { ledger, clock } = deps;
    const look = async (order: StoredOrder): Promise<void> => {
      const after = await this.#run.look(order);
      if (after.dueAt !== null && after.dueAt <= clock.now()) await this.#run.postpone(after);
    };
    // Once: by the time that the last was looked at, the first may be due again.
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
      this.#looksBeside ??= looksBeside(last, this.#run.deps.ordersBeside);
      if (this.isDue) this.#progress.say(this.#looksLeft());
      after = last.position;
    }
  }

  async #lookUp(order: StoredOrder): Promise<void> {
    const { deps, task } = this.#run;
    const { position, state } = order;
    // Only a person knows whether one was sent, and was not asked when this run began.
    if (this.#unsent.has(position) || (!task.lookFirst && isSendOnce(state))) return;
    const first = this.#firstUnknownAt.get(position);
    const provenAt = first === undefined ? undefined : this.#provenAt(first);
    if (provenAt !== undefined && deps.clock.now() < provenAt) return this.#waitsUntil(provenAt);
    const { seen, reason } = await this.#run.seek(order);
    this.#progress.asked();
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

  /** What a run that was killed had left on its way must have become known by then; nobody waits where every row was paid. */
  async #untilQuiet(): Promise<void> {
    const { deps, state, control } = this.#run;
    const { completed, invalid, ...others } = state.outcomes;
    const waitMs = this.#provenAt(0) - deps.clock.now();
    if (waitMs > 0 && Object.values(others).some((count) => count > 0)) {
      await deps.clock.sleep(waitMs, control.followSignal);
    }
  }

  /** Other orders of every row that is not completed. What one row shows may ask for more of all. */
  async #allAttempts(): Promise<void> {
    for (let isMore = true; isMore && !this.#run.control.followSignal.aborted; ) {
      const wasBegun = this.#isBegun;
      await this.#clearUnsent();
      const isNews = this.#attempts !== undefined && (await this.#others.reconcile());
      isMore = isNews || wasBegun !== this.#isBegun;
    }
  }

  /** What is still to be asked of orders that were never sent from here, as far as the rows of the batch tell. */
  #looksLeft(): LooksLeft {
    const { state, task } = this.#run;
    const orders = Math.ceil(state.outcomes.unsent / task.settings.sending.linesPerOrder);
    const [asked, proven, cleared] = [this.#firstUnknownAt.size, this.#unsent.size, this.#cleared.size];
    const deep = this.#isBegun ? orders : [...this.#smallest].filter((one) => !this.#cleared.has(one)).length;
    return looksLeft({ orders, asked, proven, cleared, deep, beside: this.#looksBeside });
  }

  #clearUnsent(): Promise<void> {
    this.#progress.roundBegins();
    return this.#eachPlanned(async (order) => {
      const { position } = order;
      if (!this.#unsent.has(position) || this.#cleared.has(position) || openAlarms(order.state).length > 0) return;
      const seen = await this.#beyond(order);
      if (seen === 'unknown') this.#cleared.add(position);
      if (seen === 'unclear') this.rounds.isUnclear();
    });
  }

  /** Whether the service holds another order of a row of one that did not fail; such an order is an alarm, recorded already. */
  async #beyond(order: StoredOrder): Promise<LookUpResult['seen']> {
    for (const { row } of order.state.lines) {
      const beside = await this.#beside(order, row);
      if (beside?.seen === 'found') {
        await this.#run.learn(order, [alarmAbout(order.state, this.#run.deps.clock.now(), heldBeside(beside, row))]);
      }
      if (beside && beside.seen !== 'unknown') return beside.seen;
    }
    return 'unknown';
  }

  async #beside(order: StoredOrder, row: number) {
    const depth: Depth = this.#isBegun || this.#smallest.has(order.position) ? 'all' : 'next';
    const beside = await this.#attempts?.after(order, row, depth);
    if (beside?.seen === 'found') this.#holds();
    return beside ?? { seen: 'unknown' as const };
  }

  /** The service holds something of the batch: rows may have been tried as often as they can be. */
  #holds(): void {
    if (!this.#isBegun) this.#cleared.clear();
    this.#isBegun = true;
  }
}

/** Look-ups that are still to be made: before the silence is over, and after it. */
interface LooksLeft {
  readonly before: number;
  readonly after: number;
}

/** How many other orders of its rows are looked up for an order: up to the next attempt, and in all. */
interface LooksBeside {
  readonly next: number;
  readonly all: number;
}

const looksBeside = (
  { state, body, origin }: StoredOrder,
  ordersBeside: AttemptsDeps['ordersBeside'] = () => [],
): LooksBeside => {
  const others = state.lines.flatMap(({ row }) => ordersBeside({ row, state, body, origin }));
  return { next: others.filter(({ attempt }) => attempt <= state.attempt + 1).length, all: others.length };
};

/** How far the orders are that were never sent from here. */
interface Standing {
  readonly orders: number;
  /** Unknown once, unknown twice, and of which no other order is there either. */
  readonly asked: number;
  readonly proven: number;
  readonly cleared: number;
  /** So many of those left at most are asked for in all their attempts. */
  readonly deep: number;
  readonly beside: LooksBeside | undefined;
}

/** Two look-ups of each order, and then one of every other order of its rows that may be there. */
export function looksLeft({ orders, asked, proven, cleared, deep, beside }: Standing): LooksLeft {
  const { next, all } = beside ?? { next: 0, all: 0 };
  const left = Math.max(orders - cleared, 0);
  const inAll = Math.min(deep, left);
  return {
    before: Math.max(orders - asked, 0),
    after: Math.max(orders - proven, 0) + inAll * all + (left - inAll) * next,
  };
}

/** How far a run is with what it asks before it sends anything, for people who wait. */
export class RecoveryProgress {
  readonly #clock: Clock;
  readonly #tell: Tell;
  #done = 0;
  /** Nothing leaves before, in milliseconds of the run's clock. */
  #silentUntil = 0;
  /** The round of look-ups that is going on, without the waits between two of them. */
  #round = { began: 0, done: 0 };
  /** What one look-up took in the latest round that had any, in milliseconds. */
  #eachMs = 0;

  constructor(clock: Clock, tell: Tell) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /** All is asked for from now on, and nothing leaves before the silence is over. */
  begin(silentUntil: number): void {
    this.#done = 0;
    this.#silentUntil = silentUntil;
  }

  /** Look-ups begin, one after the other. */
  roundBegins(): void {
    this.#round = { began: this.#clock.now(), done: 0 };
  }

  /** A look-up was answered. */
  asked(): void {
    this.#done += 1;
    this.#round.done += 1;
  }

  /** Tells how far it is; nothing where nothing is asked for. */
  say({ before, after }: LooksLeft): void {
    const of = this.#done + before + after;
    if (of === 0) return;
    const now = this.#clock.now();
    const { began, done } = this.#round;
    if (done > 0) this.#eachMs = (now - began) / done;
    const leftMs = Math.max(this.#silentUntil - now, before * this.#eachMs, 0) + after * this.#eachMs;
    this.#tell({ type: 'reconcile.progress', done: this.#done, of, leftMs: Math.round(leftMs) });
  }
}

interface RoundsDeps extends Pick<Policy, 'polling'> {
  readonly clock: Clock;
  readonly control: RunControl;
}

/** Rounds of look-ups over orders of which nothing was clear: when the next one begins, and when there is no use in another. */
export class Rounds {
  readonly #deps: RoundsDeps;
  #unclear = 0;
  /** The latest answer that told nothing, in words. */
  #reason = '';
  #movedAt: number;

  constructor(deps: RoundsDeps) {
    this.#deps = deps;
    this.#movedAt = deps.clock.now();
  }

  /** A look-up told nothing. */
  isUnclear(reason = ''): void {
    this.#unclear += 1;
    this.#reason = reason;
  }

  /** Something was learnt. */
  hasMoved(): void {
    this.#movedAt = this.#deps.clock.now();
  }

  /**
   * Waits until another round can tell more: `nextAt`, or sooner for what is unclear; false when there is nothing more to learn.
   * Where nothing was learnt for as long as the run has patience, sending stops.
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

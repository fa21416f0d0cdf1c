/**
 * A ledger in doubt is reconciled before it sends: which orders of its rows does the service hold?
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
import { openAlarms } from '../domain/order.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { alarmAbout } from '../submissions/evidence.ts';
import { CANDIDATES } from './anchors.ts';
import { Attempts, type AttemptsDeps, type Depth } from './attempts.ts';
import { isSendOnce, provenUnsentAt } from './decision.ts';
import type { LookUpResult } from './look-up.ts';
import { heldBeside, OtherRows } from './other-rows.ts';
import { type LooksBeside, type LooksLeft, looksBeside, looksLeft, ReconcileProgress } from './reconcile-progress.ts';
import type { Rounds } from './rounds.ts';
import type { Run } from './run.ts';
import { elsewhereStop, nobodyElseNotice, unclearStop } from './stop-reasons.ts';

/** Orders that are read and asked for together. */
const BLOCK = 256;

export class Reconciliation {
  readonly #run: Run;
  readonly #rounds: Rounds;
  readonly #attempts: Attempts | undefined;
  readonly #others: OtherRows;
  readonly #progress: ReconcileProgress;
  /** The doubts of the run that were dealt with. */
  #dealtWith = 0;
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
  /** The service shows an order that was never sent from here, in the doubt that is being dealt with. */
  #hasFound = false;
  /** When the first of the others can be proven unsent. */
  #nextAt: number | undefined;
  /** Something of the batch was sent, by this ledger or by another. */
  #isBegun: boolean;
  /** By position, orders that would be sent again and wait for a clear answer, and since when. */
  readonly #waiting = new Map<number, number>();

  constructor(run: Run, rounds: Rounds) {
    const { clock, ordersBeside } = run.deps;
    this.#run = run;
    this.#rounds = rounds;
    this.#isBegun = run.asksEach;
    const progress = new ReconcileProgress(clock, run.deps.tell);
    const resultOf: AttemptsDeps['resultOf'] = (...of) => run.resultOf(...of).finally(() => progress.asked());
    this.#attempts = ordersBeside && new Attempts({ clock, ordersBeside, resultOf });
    this.#progress = progress;
    this.#others = new OtherRows(run, (order, row) => this.#beside(order, row));
  }

  /** Whether the ledger is doubted for a reason that was not dealt with: nothing more may leave before. */
  get isDue(): boolean {
    return this.#run.doubts.count > this.#dealtWith;
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
      const { count: doubts } = this.#run.doubts;
      this.#forget();
      const smallest = await ledger.smallestUnsent(this.#run.task.batch, CANDIDATES);
      this.#smallest = new Set(smallest.map(({ position }) => position));
      this.#progress.begin(this.#provenAt(this.#run.deps.clock.now()));
      await this.#round();
      await this.#lookAtDue();
      while (this.#isUnproven(doubts) && (await this.#rounds.again(this.#nextAt))) await this.#round();
      await this.#untilQuiet();
      if (this.#run.doubts.count > doubts) continue;
      await this.#allAttempts();
      if (this.#run.doubts.count > doubts) continue;
      this.#dealtWith = doubts;
      const { doubts: all, maySend, deps } = this.#run;
      if (all.isSighted && maySend && !this.#hasFound) deps.tell(nobodyElseNotice);
      this.#run.doubts.areDealtWith();
      this.#run.standstill.isOver();
    }
  }

  #isUnproven(doubts: number): boolean {
    const { doubts: now, control } = this.#run;
    return now.count === doubts && this.#nextAt !== undefined && !control.followSignal.aborted;
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
    if (!this.#run.maySend || !(await this.#rounds.again(this.#nextAt))) return false;
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
    const { doubts, control } = this.#run;
    if (doubts.hasMet) control.stop(elsewhereStop);
    await doubts.arise('turned-up');
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
      return this.#rounds.isUnclear(reason);
    }
    this.#unclear.delete(position);
    this.#rounds.hasMoved();
    if (seen === 'found') {
      this.#hasFound = true;
      this.#holds();
      await this.#run.doubts.confirm();
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
      if (seen === 'unclear') this.#rounds.isUnclear();
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

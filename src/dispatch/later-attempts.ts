/**
 * Looks for further attempts at rows that a lost ledger had made. An attempt is made only after the one before it failed for
 * good. So where an order failed, or where the service does not know it (of one that was refused nothing is left), the row
 * may have been paid under the id of a later attempt.
 */
import { type Attempt, plannedFact, type ResultRow } from '../domain/batch.ts';
import type { Fact } from '../domain/fact.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { advance, type OrderState, standingAlarms } from '../domain/order.ts';
import { isDefiniteFailure } from '../domain/outcome.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import type { Reattempt } from '../ledger/plan-retry.ts';
import { alarmAbout } from './evidence.ts';
import type { Sight } from './look-up.ts';
import type { Run } from './run.ts';
import { unclearStop } from './stop-reasons.ts';

/** What the service holds of the attempts after one: the first that it holds, or how clear it is that there is none. */
type Later =
  | { readonly seen: 'found'; readonly next: Found }
  | { readonly seen: 'unknown' }
  | { readonly seen: 'unclear' };

type Found = Pick<Reattempt, 'order'> & { readonly facts: readonly Fact[]; readonly state: OrderState };

export class LaterAttempts {
  readonly #run: Run;
  /** Attempts that are not there: nobody else makes any while this run has the ledger. */
  readonly #absent = new Set<OrderId>();
  /** By position, orders that wait for a clear answer, and since when. */
  readonly #waiting = new Map<number, number>();
  #unclear = 0;
  #unheard = 0;

  constructor(run: Run) {
    this.#run = run;
  }

  /**
   * Whether the last `adopt` was told of every row how it stands. An open order of which this run heard nothing may have
   * failed, and been tried again, after all that this ledger knows.
   */
  get isClear(): boolean {
    return this.#unclear === 0 && this.#unheard === 0;
  }

  /**
   * Whether the service holds an attempt after an order that is about to be sent: `unknown` lets it go. One that is found is
   * an alarm, recorded already: this order was dead when that attempt was made, and must never be sent.
   */
  async beyond(order: StoredOrder): Promise<Sight['seen']> {
    if (!this.#isAsked) return 'unknown';
    for (const { row } of order.state.lines) {
      const later = await this.#after(order, row);
      if (later.seen === 'unclear') return later.seen;
      if (later.seen === 'unknown') continue;
      const { id, attempt } = later.next.order;
      const reason = `the service holds attempt ${attempt} at row ${row} (order ${id}), and this ledger did not make it`;
      await this.#run.learn(order, [alarmAbout(order.state, this.#run.deps.clock.now(), reason)]);
      return later.seen;
    }
    return 'unknown';
  }

  /** Which of some orders that would be sent again may be: those that wait for a clear answer wait no longer than any other. */
  async cleared(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
    const seen = await Promise.all(orders.map((order) => this.beyond(order)));
    const now = this.#run.deps.clock.now();
    for (const [index, order] of orders.entries()) {
      if (seen[index] !== 'unclear') {
        this.#waiting.delete(order.position);
        continue;
      }
      const since = this.#waiting.get(order.position) ?? now;
      this.#waiting.set(order.position, since);
      if (now - since >= this.#run.policy.polling.deadlineMs) this.#run.stop(unclearStop(this.#waiting.size));
      await this.#run.postpone(order);
    }
    return orders.filter((_order, index) => seen[index] === 'unknown');
  }

  /** Takes over what the service holds of further attempts at rows that failed for good; whether there was any. */
  async adopt(): Promise<boolean> {
    const { ledger, clock } = this.#run.deps;
    const { batch } = this.#run.task;
    this.#unclear = 0;
    this.#unheard = 0;
    if (!this.#isAsked) return false;
    await this.#untilQuiet();
    const found: (Found & { readonly row: ResultRow; readonly failed: StoredOrder })[] = [];
    for await (const block of ledger.resultRows(batch)) {
      this.#unheard += block.filter((row) => isOpen(row) && !this.#run.known.has(row.order)).length;
      await Promise.all(
        block.filter(failedForGood).map(async (row) => {
          const failed = row.order && (await ledger.findOrder(batch, row.order));
          invariant(failed, 'a row that failed has an order');
          const later = await this.#after(failed, row.row);
          if (later.seen === 'found') found.push({ ...later.next, row, failed });
          else if (later.seen === 'unclear') this.#unclear += 1;
        }),
      );
    }
    if (found.length === 0) return false;
    const attempts = found.map(({ order, facts: seen, row: { trace, charge }, failed }): Reattempt => {
      invariant(trace && charge, 'a row that was planned has a trace number and a charge');
      return { order, seen, charge, replaced: { order: failed, trace } };
    });
    const fact = { type: 'attempts-found', batch, at: clock.now(), count: found.length } as const;
    await ledger.planRetry({ batch, fact, attempts });
    for (const { row, state } of found) {
      if (row.state && row.line) this.#run.scoreboard.move({ ...row.state, lines: [row.line] }, state);
    }
    this.#run.deps.tell({ type: 'notice', level: 'warning', message: foundNotice(found.length) });
    return true;
  }

  /** Says for which rows nobody can tell yet; a person might pay them by other means. */
  tellUnclear(): void {
    if (this.#unclear === 0) return;
    this.#run.deps.tell({
      type: 'notice',
      level: 'warning',
      message: unclearNotice(this.#unclear, this.#run.task.batch),
    });
  }

  /** What a run that was killed had left on its way must have become known by then; nothing is waited for where no row failed. */
  async #untilQuiet(): Promise<void> {
    const { policy, deps, scoreboard, followSignal } = this.#run;
    const { rejected, refused, failed } = scoreboard.counts;
    const waitMs = policy.startedAt + policy.inDoubt.quietMs - deps.clock.now();
    if (rejected + refused + failed > 0 && waitMs > 0) await deps.clock.sleep(waitMs, followSignal);
  }

  get #isAsked(): boolean {
    const { policy, deps } = this.#run;
    return policy.lookFirst === true && deps.attemptsAfter !== undefined;
  }

  /** Looks up every attempt that can come after an order, until one is found. */
  async #after({ state, body, batch }: StoredOrder, rowNumber: number): Promise<Later> {
    const { ledger, clock, attemptsAfter } = this.#run.deps;
    const row = await ledger.findRow(batch, rowNumber);
    const line = state.lines.find((one) => one.row === rowNumber);
    invariant(row?.payout && line && attemptsAfter, 'a line pays a row of its batch');
    const attempt: Attempt = { row: rowNumber, payout: row.payout, trace: line.trace, state, body };
    for (const order of attemptsAfter(attempt)) {
      if (this.#absent.has(order.id)) continue;
      const planned = advance(undefined, plannedFact(order, clock.now()));
      const { seen, facts } = await this.#run.sight(planned, order.body);
      if (seen === 'unclear') return { seen };
      if (seen === 'unknown') this.#absent.add(order.id);
      if (seen === 'found') return { seen, next: { order, facts, state: facts.reduce<OrderState>(advance, planned) } };
    }
    return { seen: 'unknown' };
  }
}

const isOpen = (row: ResultRow): row is ResultRow & { readonly order: OrderId } =>
  row.order !== undefined && (row.outcome === 'in-doubt' || row.outcome === 'pending');

const failedForGood = ({ outcome, state }: ResultRow): boolean =>
  isDefiniteFailure(outcome) && state !== undefined && standingAlarms(state).length === 0;

const foundNotice = (rows: number): string =>
  `Rows that failed and that a ledger before this one had tried again: ${rows}. The service holds those attempts; what became of them counts.`;

const unclearNotice = (rows: number, batch: BatchId): string =>
  `Rows that failed, and of which the service does not say whether an earlier ledger had tried them again: ${rows}. Do not pay them by other means before \`paybatch resume ${batch}\` has found out.`;

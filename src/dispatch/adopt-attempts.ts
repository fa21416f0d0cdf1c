/**
 * Finds out, before the doubt about a ledger ends, what a lost one may have done beyond it: further attempts at rows that
 * failed are taken over; one at a row that is open is an alarm, because somebody had said that the row was not paid; and rows
 * that no run sends are looked up all the same.
 */
import type { ResultRow } from '../domain/batch.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { type OrderState, standingAlarms } from '../domain/order.ts';
import { isDefiniteFailure } from '../domain/outcome.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import type { Reattempt } from '../ledger/plan-retry.ts';
import type { LaterAttempts, LaterFound } from './later-attempts.ts';
import type { Sight } from './look-up.ts';
import type { Run } from './run.ts';
import type { SendCheck } from './send-check.ts';

/** An attempt that takes the place of the one that a row failed with, and how it stands. */
interface Found {
  readonly row: ResultRow;
  readonly attempt: Reattempt;
  readonly state: OrderState;
}

export class AdoptAttempts {
  readonly #run: Run;
  readonly #later: LaterAttempts;
  readonly #check: SendCheck;
  #unclear = 0;
  #unheard = 0;

  constructor(run: Run, later: LaterAttempts, check: SendCheck) {
    this.#run = run;
    this.#later = later;
    this.#check = check;
  }

  /**
   * Whether the last `adopt` was told of every row how it stands. An open order of which this run heard nothing may have
   * failed, and been tried again, after all that this ledger knows.
   */
  get isClear(): boolean {
    return this.#unclear === 0 && this.#unheard === 0;
  }

  /** Records what the service holds that this ledger did not know, to be followed like any other; whether there was any. */
  async adopt(): Promise<boolean> {
    this.#unclear = 0;
    this.#unheard = 0;
    if (!this.#later.isAsked) return false;
    await this.#untilQuiet();
    const { found, isNews } = await this.#find();
    if (found.length === 0) return isNews;
    const { task, deps, scoreboard } = this.#run;
    const { batch } = task;
    const fact = { type: 'attempts-found', batch, at: deps.clock.now(), count: found.length } as const;
    await deps.ledger.planRetry({ batch, fact, attempts: found.map(({ attempt }) => attempt) });
    for (const { row, state } of found) {
      if (row.state && row.line) scoreboard.move({ ...row.state, lines: [row.line] }, state);
    }
    deps.tell({ type: 'notice', level: 'warning', message: foundNotice(found.length) });
    return true;
  }

  /** Says for which rows nobody can tell yet; a person might pay them by other means. */
  tellUnclear(): void {
    if (this.#unclear === 0) return;
    const { deps, task } = this.#run;
    deps.tell({ type: 'notice', level: 'warning', message: unclearNotice(this.#unclear, task.batch) });
  }

  /** What a run that was killed had left on its way must have become known by then; nobody waits where every row was paid. */
  async #untilQuiet(): Promise<void> {
    const { policy, deps, scoreboard, ending } = this.#run;
    const { completed, invalid, ...others } = scoreboard.counts;
    const waitMs = policy.startedAt + policy.inDoubt.quietMs - deps.clock.now();
    if (waitMs > 0 && Object.values(others).some((count) => count > 0)) {
      await deps.clock.sleep(waitMs, ending.followSignal);
    }
  }

  async #find(): Promise<{ readonly found: readonly Found[]; readonly isNews: boolean }> {
    const { task, deps, known } = this.#run;
    const found: Found[] = [];
    const changed = new Set<OrderId>();
    let isNews = false;
    for await (const block of deps.ledger.resultRows(task.batch)) {
      this.#unheard += block.filter((row) => isOpen(row) && !known.has(row.order)).length;
      const failed = block.filter(failedForGood).map(async (row) => {
        const order = row.order && (await deps.ledger.findOrder(task.batch, row.order));
        invariant(order, 'a row that failed has an order');
        const later = await this.#later.after(order, row.row);
        if (later.seen === 'unclear') this.#unclear += 1;
        if (later.seen === 'found') found.push(foundAt(row, order, later));
      });
      const others = Map.groupBy(
        block.filter((row) => (isOpen(row) && known.has(row.order)) || isLeftOut(row)),
        ({ order }) => order,
      );
      const open = [...others].map(async ([id, rows]) => {
        const order = id && (await deps.ledger.findOrder(task.batch, id));
        invariant(order, 'a row that is open has an order');
        const seen = await this.#beyond(order, rows);
        if (seen === 'unclear') this.#unclear += rows.length;
        if (seen === 'found') changed.add(id);
        if (seen === 'found' && order.state.phase === 'planned') isNews = true;
      });
      await Promise.all([...failed, ...open]);
    }
    // What was recorded of an order meanwhile is not in the state of it that was read before.
    return { found: found.filter(({ row: { order } }) => !(order && changed.has(order))), isNews };
  }

  /** `found`: more is on record of the order than was. A later attempt at a row that did not fail is an alarm by then. */
  async #beyond(order: StoredOrder, rows: readonly ResultRow[]): Promise<Sight['seen']> {
    if (standingAlarms(order.state).length > 0) return 'unknown';
    const seen = order.state.phase === 'planned' ? await this.#run.seek(order) : 'unknown';
    if (seen !== 'unknown') return seen;
    return this.#check.seenAfter(order, rows);
  }
}

function foundAt(row: ResultRow, failed: StoredOrder, { order, facts, state }: LaterFound): Found {
  const { trace, charge } = row;
  invariant(trace && charge, 'a row that was planned has a trace number and a charge');
  return { row, state, attempt: { order, seen: facts, charge, replaced: { order: failed, trace } } };
}

const isOpen = (row: ResultRow): row is ResultRow & { readonly order: OrderId } =>
  row.order !== undefined && (row.outcome === 'in-doubt' || row.outcome === 'pending' || row.outcome === 'timed-out');

/** Unsent as far as this ledger knows, and never sent by a run of the batch. */
const isLeftOut = ({ outcome, leftOut }: ResultRow): boolean => outcome === 'unsent' && leftOut !== undefined;

const failedForGood = ({ outcome, state }: ResultRow): boolean =>
  isDefiniteFailure(outcome) && state !== undefined && standingAlarms(state).length === 0;

const foundNotice = (rows: number): string =>
  `Rows that failed and that a ledger before this one had tried again: ${rows}. The service holds those attempts; what became of them counts.`;

const unclearNotice = (rows: number, batch: BatchId): string =>
  `Rows of which the service does not say whether an earlier ledger had sent them, or tried them again: ${rows}. Do not pay them by other means before \`paybatch resume ${batch}\` has found out.`;

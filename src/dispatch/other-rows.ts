/**
 * What a lost ledger may have done with rows that are not planned. Another order of a row that failed for good replaces the
 * failed one. An order next to one that is open is an alarm, because the row had been declared unpaid. Rows that no run sends
 * are looked up anyway.
 */
import { type Attempt, type PlannedOrder, plannedFact, type ResultRow } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import type { Fact } from '../domain/fact.ts';
import type { OrderId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { advance, type OrderState, openAlarms, outcomeOfLine } from '../domain/order.ts';
import { isDefiniteFailure, isOpen } from '../domain/outcome.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import type { Reattempt } from '../ledger/plan-retry.ts';
import { alarmAbout } from '../service/submissions/evidence.ts';
import type { LookUpResult } from './look-up.ts';
import type { Run } from './run.ts';
import { foundNotice, unclearNotice } from './stop-reasons.ts';

/** An attempt that replaces the failed attempt of a row, and its state. */
interface Found {
  readonly row: ResultRow;
  readonly attempt: Reattempt;
  readonly state: OrderState;
}

/** What one order showed. */
interface Shown {
  readonly found: readonly Found[];
  /** Whether more is on record about the order than before. */
  readonly isNews: boolean;
}

const NOTHING: Shown = { found: [], isNews: false };

export class OtherRows {
  readonly #run: Run;
  readonly #othersOf: (order: StoredOrder, row: number) => Promise<OthersResult>;
  #unclear = 0;
  #unheard = 0;

  constructor(run: Run, othersOf: (order: StoredOrder, row: number) => Promise<OthersResult>) {
    this.#run = run;
    this.#othersOf = othersOf;
  }

  /**
   * Whether the last `reconcile` learnt the state of every row. An open order of which this run heard nothing may have
   * failed and been tried again, later than anything this ledger knows.
   */
  get isClear(): boolean {
    return this.#unclear === 0 && this.#unheard === 0;
  }

  /** Records what the service holds that this ledger did not know, to be followed like any other order. Reports whether there was any. */
  async reconcile(): Promise<boolean> {
    this.#unclear = 0;
    this.#unheard = 0;
    const { task, deps } = this.#run;
    const { batch } = task;
    const { found, isNews } = await this.#find();
    if (found.length === 0) return isNews;
    const fact = { type: 'attempts-found', batch, at: deps.clock.now(), count: found.length } as const;
    await deps.ledger.planRetry({ batch, fact, attempts: found.map(({ attempt }) => attempt) });
    for (const { row, state } of found) {
      if (!row.state || !row.line) continue;
      this.#run.happened({ type: 'recorded', move: [{ ...row.state, lines: [row.line] }, state] });
    }
    deps.emit(foundNotice(found.length));
    return true;
  }

  /** Warns about rows that are still unclear. */
  emitUnclear(): void {
    if (this.#unclear > 0) this.#run.deps.emit(unclearNotice(this.#unclear, this.#run.task.batch));
  }

  async #find(): Promise<Shown> {
    const { task, deps, trust } = this.#run;
    const shown: Shown[] = [];
    for await (const block of deps.ledger.resultRows(task.batch)) {
      this.#unheard += block.filter((row) => isUnderWay(row) && !trust.known.has(row.order)).length;
      const orders = Map.groupBy(block.filter(isAskedFor), ({ order }) => order);
      const asked = [...orders].map(async ([id, rows]) => {
        const order = await deps.ledger.findOrder(task.batch, id);
        invariant(order, 'a row that was planned has an order');
        return this.#showOf(order, rows);
      });
      shown.push(...(await Promise.all(asked)));
    }
    return { found: shown.flatMap(({ found }) => found), isNews: shown.some(({ isNews }) => isNews) };
  }

  async #showOf(order: StoredOrder, rows: readonly Ordered[]): Promise<Shown> {
    if (openAlarms(order.state).length > 0) return NOTHING;
    if (order.state.phase === 'planned' && !(await this.#isAbsent(order))) return { ...NOTHING, isNews: true };
    const found: Found[] = [];
    let current = order;
    for (const row of rows) {
      const other = await this.#othersOf(current, row.row);
      if (other.seen === 'unclear') this.#unclear += 1;
      if (other.seen !== 'found') continue;
      // Whether that attempt could be made depends on the present state of this order.
      if (isUnderWay(row)) current = await this.#run.look(current);
      const now = rowOf(row, current.state);
      if (failedForGood(now) && other.order.attempt > current.state.attempt) {
        found.push(foundAt(now, current, other));
        continue;
      }
      await this.#alarm(current, other, row.row);
      return NOTHING;
    }
    // What was recorded about the order in the meantime may concern its other rows too, so they are read again.
    return current === order ? { found, isNews: false } : { found: [], isNews: found.length > 0 };
  }

  /** Looks up an order that no run sends; returns false if the service holds it. */
  async #isAbsent(order: StoredOrder): Promise<boolean> {
    const { seen } = await this.#run.seek(order);
    if (seen === 'unclear') this.#unclear += order.state.lines.length;
    return seen !== 'found';
  }

  #alarm(order: StoredOrder, other: AttemptFound, row: number): Promise<StoredOrder> {
    return this.#run.learn(order, [alarmAbout(order.state, this.#run.deps.clock.now(), heldText(other, row))]);
  }
}

/** Returns why an order next to one that did not fail is an alarm. */
export const heldText = ({ order: { id, attempt } }: AttemptFound, row: number): string =>
  `the service holds attempt ${attempt} at row ${row} (order ${id}), and this ledger did not make it`;

/** Returns a row with the state that its order says it has now. */
function rowOf(row: ResultRow, state: OrderState): ResultRow {
  const line = state.lines.find((one) => one.row === row.row);
  return line ? { ...row, state, line, outcome: outcomeOfLine(state, line) } : row;
}

function foundAt(row: ResultRow, failed: StoredOrder, { order, facts, state }: AttemptFound): Found {
  const { trace, charge } = row;
  invariant(trace && charge, 'a row that was planned has a trace number and a charge');
  return { row, state, attempt: { order, seen: facts, charge, replaced: { order: failed, trace } } };
}

type Ordered = ResultRow & { readonly order: OrderId };

const isAskedFor = (row: ResultRow): row is Ordered => isUnderWay(row) || isSupersededRow(row) || failedForGood(row);

const isUnderWay = (row: ResultRow): row is Ordered => row.order !== undefined && isOpen(row.outcome);

/** Reports whether a row is unsent as far as this ledger knows, and is never sent by a run of the batch. */
const isSupersededRow = (row: ResultRow): row is Ordered =>
  row.order !== undefined && row.outcome === 'unsent' && row.superseded !== undefined;

const failedForGood = (row: ResultRow): row is Ordered =>
  row.order !== undefined &&
  isDefiniteFailure(row.outcome) &&
  row.state !== undefined &&
  openAlarms(row.state).length === 0;

export interface AttemptsDeps {
  readonly clock: Clock;
  /** Returns the other orders of a row, in turn (`batch/other-orders.ts`). */
  readonly otherOrdersOf: (attempt: Attempt) => readonly PlannedOrder[];
  /** Returns what the service shows about an order. Records nothing. */
  readonly resultOf: (state: OrderState, body: string) => Promise<LookUpResult>;
}

/** An order of a row that the service holds, with what it says about the order. */
interface AttemptFound {
  readonly seen: 'found';
  readonly order: PlannedOrder;
  readonly facts: readonly Fact[];
  /** The state of the order after those facts. */
  readonly state: OrderState;
}

/** The first order of a row that the service holds. If it holds none: whether that is clear, and if not, which order is unclear. */
export type OthersResult =
  | AttemptFound
  | { readonly seen: 'unknown' }
  | { readonly seen: 'unclear'; readonly order: PlannedOrder };

/**
 * How many attempts are looked up. `next`: up to the attempt after the one that is known. If the service holds nothing of a
 * batch, no more can have been made.
 */
export type Depth = 'next' | 'all';

export class Attempts {
  readonly #deps: AttemptsDeps;
  /** Orders that the service does not hold; none of them can appear while this run has the ledger. */
  readonly #absent = new Set<OrderId>();

  constructor(deps: AttemptsDeps) {
    this.#deps = deps;
  }

  /** Looks up every other order of a row that can exist next to or after the given one, until the answer about one is not `unknown`. */
  async after({ state, body, origin }: StoredOrder, row: number, depth: Depth): Promise<OthersResult> {
    const { clock, otherOrdersOf, resultOf } = this.#deps;
    for (const order of otherOrdersOf({ row, state, body, origin })) {
      if (this.#absent.has(order.id)) continue;
      if (depth === 'next' && order.attempt > state.attempt + 1) break;
      const planned = advance(undefined, plannedFact(order, clock.now()));
      const { seen, facts } = await resultOf(planned, order.body);
      if (seen === 'unclear') return { seen, order };
      if (seen === 'found') return { seen, order, facts, state: facts.reduce<OrderState>(advance, planned) };
      this.#absent.add(order.id);
    }
    return { seen: 'unknown' };
  }
}

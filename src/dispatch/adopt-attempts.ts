/** Takes over further attempts that a lost ledger had made, at rows that failed for good as far as this one knew. */
import type { ResultRow } from '../domain/batch.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { type OrderState, standingAlarms } from '../domain/order.ts';
import { isDefiniteFailure } from '../domain/outcome.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import type { Reattempt } from '../ledger/plan-retry.ts';
import type { LaterAttempts, LaterFound } from './later-attempts.ts';
import type { Run } from './run.ts';

/** An attempt that takes the place of the one that a row failed with, and how it stands. */
interface Found {
  readonly row: ResultRow;
  readonly attempt: Reattempt;
  readonly state: OrderState;
}

export class AdoptAttempts {
  readonly #run: Run;
  readonly #later: LaterAttempts;
  #unclear = 0;
  #unheard = 0;

  constructor(run: Run, later: LaterAttempts) {
    this.#run = run;
    this.#later = later;
  }

  /**
   * Whether the last `adopt` was told of every row how it stands. An open order of which this run heard nothing may have
   * failed, and been tried again, after all that this ledger knows.
   */
  get isClear(): boolean {
    return this.#unclear === 0 && this.#unheard === 0;
  }

  /** Records what the service holds of such attempts, to be followed like any other; whether there was any. */
  async adopt(): Promise<boolean> {
    this.#unclear = 0;
    this.#unheard = 0;
    if (!this.#later.isAsked) return false;
    await this.#untilQuiet();
    const found = await this.#find();
    if (found.length === 0) return false;
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

  /** What a run that was killed had left on its way must have become known by then; nothing is waited for where no row failed. */
  async #untilQuiet(): Promise<void> {
    const { policy, deps, scoreboard, ending } = this.#run;
    const { rejected, refused, failed } = scoreboard.counts;
    const waitMs = policy.startedAt + policy.inDoubt.quietMs - deps.clock.now();
    if (rejected + refused + failed > 0 && waitMs > 0) await deps.clock.sleep(waitMs, ending.followSignal);
  }

  async #find(): Promise<readonly Found[]> {
    const { task, deps, known } = this.#run;
    const found: Found[] = [];
    for await (const block of deps.ledger.resultRows(task.batch)) {
      this.#unheard += block.filter((row) => isOpen(row) && !known.has(row.order)).length;
      await Promise.all(
        block.filter(failedForGood).map(async (row) => {
          const failed = row.order && (await deps.ledger.findOrder(task.batch, row.order));
          invariant(failed, 'a row that failed has an order');
          const later = await this.#later.after(failed, row.row);
          if (later.seen === 'unclear') this.#unclear += 1;
          if (later.seen === 'found') found.push(foundAt(row, failed, later));
        }),
      );
    }
    return found;
  }
}

function foundAt(row: ResultRow, failed: StoredOrder, { order, facts, state }: LaterFound): Found {
  const { trace, charge } = row;
  invariant(trace && charge, 'a row that was planned has a trace number and a charge');
  return { row, state, attempt: { order, seen: facts, charge, replaced: { order: failed, trace } } };
}

const isOpen = (row: ResultRow): row is ResultRow & { readonly order: OrderId } =>
  row.order !== undefined && (row.outcome === 'in-doubt' || row.outcome === 'pending');

const failedForGood = ({ outcome, state }: ResultRow): boolean =>
  isDefiniteFailure(outcome) && state !== undefined && standingAlarms(state).length === 0;

const foundNotice = (rows: number): string =>
  `Rows that failed and that a ledger before this one had tried again: ${rows}. The service holds those attempts; what became of them counts.`;

const unclearNotice = (rows: number, batch: BatchId): string =>
  `Rows that failed, and of which the service does not say whether an earlier ledger had tried them again: ${rows}. Do not pay them by other means before \`paybatch resume ${batch}\` has found out.`;

/**
 * The loop that sends planned orders: what may leave now is looked up where necessary, claimed in one durable transaction,
 * and submitted while the next block is claimed. The first payments of a run go ahead (`probes.ts`); the last order of the
 * batch goes alone.
 *
 *     (13 looked up ──→ 1 alone) × 3 ──→ the others of the 13 looked up ──┬──(trusts its ledger)──→ blocks, in the order of the sheet
 *                                                                        └──(looks first)──→ blocks of 1, 2, 4 … 64, drawn,
 *                                                                                            each order looked up before
 */
import type { Random } from '../domain/clock.ts';
import type { BatchId } from '../domain/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { allButTheLast, LookAhead, Probes, shuffled } from './probes.ts';
import type { Recovery } from './recovery.ts';
import type { Run } from './run.ts';

/** Most orders that leave together if each is looked up first; the first blocks hold 1, 2, 4 … orders. */
const BLOCK_MAX = 64;

export class Sender {
  readonly #run: Run;
  readonly #recovery: Recovery;
  readonly #lookAhead: LookAhead;
  readonly #probes: Probes;
  /** Orders that leave together next, if each is looked up first. */
  #blockSize = 1;
  /** How many recoveries there were when that began to grow. */
  #recoveries = 0;

  constructor(run: Run, recovery: Recovery) {
    [this.#run, this.#recovery] = [run, recovery];
    this.#lookAhead = new LookAhead(run, recovery);
    this.#probes = new Probes(run, recovery, this.#lookAhead);
  }

  /** Sends block by block, claiming the next while one is in flight, until nothing more may leave or recovery is entered. */
  async send(): Promise<void> {
    const run = this.#run;
    let inFlight: Promise<void> = Promise.resolve();
    if (run.task.maySubmit) run.happened({ type: 'sending-began' });
    // A failure stops the block in flight immediately, so it is caught before that block is awaited.
    await run.control.guard(async () => {
      await this.#probes.goAhead();
      do {
        for await (const claimed of this.#claimedBlocks()) {
          const block = run.submitAll(claimed);
          await inFlight;
          inFlight = block;
        }
      } while (this.#recovery.maySend && (await this.#recovery.again()));
    });
    await inFlight;
    run.happened({ type: 'sending-ended' });
    // A loop that rests until the next order is due has to see that no more may follow.
    run.journal.due.note(run.deps.clock.now());
  }

  /**
   * Goes once over what is planned, and claims each block as soon as it may be sent. The last order of the batch goes alone,
   * when all others were answered: it can be the witness with which lost orders are proven absent (`witnesses.ts`).
   */
  async *#claimedBlocks(): AsyncGenerator<readonly StoredOrder[]> {
    const run = this.#run;
    const pass = await this.#beginPass();
    while (this.#recovery.maySend) {
      const most = this.#blockMost;
      // While blocks grow, the service has to show each before the next is looked up: before that, look-ups do not show what
      // another run has sent meanwhile either.
      if (this.#growsBlocks) {
        yield [];
        await run.untilShown();
      }
      let found = await pass.next(most + 1);
      if (found.length === 1) {
        yield [];
        if (!(await this.#probes.lastMayLeave())) return;
        found = await pass.next(1);
      }
      const planned = found.length > most ? found.slice(0, most) : allButTheLast(found);
      if (planned.length === 0) return;
      // Orders that waited are read again: callbacks may have moved them.
      if (await run.waitsItsTurn(planned)) continue;
      const claimed = await this.#claimCleared(planned, pass);
      if (claimed.length > 0) yield claimed;
    }
  }

  /** Claims those of the orders that may leave, and continues the pass behind them. The first of them may have to go ahead. */
  async #claimCleared(planned: readonly StoredOrder[], pass: Pass): Promise<readonly StoredOrder[]> {
    const run = this.#run;
    const aheadMs = run.trust.suspension.clockAheadMs;
    await this.#probes.watchOthers(planned);
    const cleared = await this.#probes.lead(await this.#lookAhead.cleared(planned), aheadMs);
    const claimed = this.#recovery.maySend ? await run.claim(cleared, aheadMs) : [];
    const last = (claimed.length < cleared.length ? claimed : planned).at(-1);
    if (last) pass.isBehind(last);
    if (this.#growsBlocks) run.leavesApart(claimed);
    if (claimed.length > 0) this.#blockSize = Math.min(this.#blockSize * 2, BLOCK_MAX);
    return claimed;
  }

  get #growsBlocks(): boolean {
    return this.#run.trust.looksFirst && this.#blockSize < BLOCK_MAX;
  }

  /** Most orders that leave together next. */
  get #blockMost(): number {
    const { claimMost } = this.#run.admission;
    if (!this.#run.trust.looksFirst) return claimMost;
    return this.#probes.areDone ? Math.min(this.#blockSize, claimMost) : 1;
  }

  /**
   * Begins a pass over what is planned. A run that may rely on its ledger goes through the sheet. A run that looks first draws a
   * sequence of its own: otherwise two runs that begin at the same moment would send in the same sequence, each look-up too early
   * for the payment of the other. The draw belongs to the process and is not stored: a copied folder would draw the same sequence
   * again. Blocks start small again after each recovery.
   */
  async #beginPass(): Promise<Pass> {
    const { deps, task, trust } = this.#run;
    if (trust.recoveries !== this.#recoveries) [this.#recoveries, this.#blockSize] = [trust.recoveries, 1];
    const planned = await deps.ledger.unsentPositions(task.batch);
    const positions = trust.looksFirst ? drawn(planned, this.#probes.first, deps.random) : planned;
    return new Pass(deps.ledger, task.batch, positions);
  }
}

/** Draws a sequence of these positions, in which those of `first` go before all others, in their own sequence. */
export function drawn(positions: readonly number[], first: readonly number[], random: Random): readonly number[] {
  const goFirst = new Set(first);
  const others = positions.filter((position) => !goFirst.has(position));
  return [...first, ...shuffled(others, random)];
}

/** One pass over planned orders, by their positions in the sequence in which they leave. */
export class Pass {
  readonly #ledger: Pick<Ledger, 'unsentAt'>;
  readonly #batch: BatchId;
  readonly #positions: readonly number[];
  #at = 0;

  constructor(ledger: Pick<Ledger, 'unsentAt'>, batch: BatchId, positions: readonly number[]) {
    [this.#ledger, this.#batch, this.#positions] = [ledger, batch, positions];
  }

  /** Returns the next `count` orders, or fewer if no more are left. */
  async next(count: number): Promise<readonly StoredOrder[]> {
    const found: StoredOrder[] = [];
    // An order that something was learnt about since the pass began must not be sent any more.
    for (let at = this.#at; found.length < count && at < this.#positions.length; ) {
      const positions = this.#positions.slice(at, at + count - found.length);
      found.push(...(await this.#ledger.unsentAt(this.#batch, positions)));
      at += positions.length;
    }
    return found;
  }

  /** Continues the pass behind this order. */
  isBehind({ position }: StoredOrder): void {
    this.#at = this.#positions.indexOf(position, this.#at) + 1;
  }
}

/** One slice of work on one batch: opened, judged by what the ledger says, gone on with, and closed again. */
import { HANDED_ON } from '../dispatch/task.ts';
import type { RunEvent } from '../domain/event.ts';
import { exitCode } from '../domain/exit-code.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { knownEnd } from '../results/run-end.ts';
import { afterExit, LATER_MS, SOON_MS } from './after-exit.ts';
import { type Judgement, judgeBatch } from './judge-batch.ts';
import type { OpenedBatch, WorkSite } from './site.ts';
import type { Tally } from './tally.ts';

/** The least time that a batch is worked on while others wait, in milliseconds. */
const SLICE_MS_MIN = 20_000;

/** A slice takes so many times as long as its opening: what others have recorded since is read and proven each time. */
const SLICE_PART = 9;

/** What became of a slice. `again`: the batch was handed on in the middle, and goes on at once, here or elsewhere. */
export type SliceEnd = (Exclude<Judgement, { now: 'work' }> | { readonly now: 'again'; readonly exit: number }) & {
  /** It must not be passed over: nobody may go on before somebody has looked. */
  readonly isAlarm?: boolean;
};

export class Slice {
  readonly batch: BatchId;
  readonly #site: WorkSite;
  readonly #tally: Tally;
  readonly #over = new AbortController();
  readonly #startedMs: number;
  #workingMs: number | undefined;
  /** Told when it has the batch: another process may have it, which is no news. */
  #hasBegun = false;

  constructor(batch: BatchId, site: WorkSite, tally: Tally) {
    this.batch = batch;
    this.#site = site;
    this.#tally = tally;
    this.#startedMs = site.clock.monotonicMs();
  }

  /** Whether it has worked for so long that another batch may have its place. */
  get isLong(): boolean {
    if (this.#workingMs === undefined) return false;
    const workedMs = this.#site.clock.monotonicMs() - this.#workingMs;
    return workedMs >= Math.max(SLICE_MS_MIN, SLICE_PART * (this.#workingMs - this.#startedMs));
  }

  /** Claims nothing more; what is on its way lands. The batch goes on elsewhere, or later. */
  handOn(): void {
    this.#over.abort(HANDED_ON);
  }

  /** Does the work. It rejects with bugs alone. */
  async work(): Promise<SliceEnd> {
    let end: SliceEnd | undefined;
    try {
      end = await this.#slice();
      return end;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      end = this.#endOf(error.exit, `${error.message} ${error.remedy}`);
      return end;
    } finally {
      this.#tally.end(this, end?.exit);
    }
  }

  async #slice(): Promise<SliceEnd> {
    const { open, clock } = this.#site;
    const { batch } = this;
    await using opened = await open(batch, this.#over.signal, (event) => this.#hear(event));
    const { ledger, settings } = opened;
    const header = await ledger.findBatch(batch);
    if (!header) return { now: 'over', exit: exitCode.ok };
    const judged = await judgeBatch(header, ledger, settings, clock.now());
    if (judged.now !== 'work') return judged;
    this.#tally.begin(this, (await knownEnd(header, ledger)).counts);
    this.#workingMs = clock.monotonicMs();
    const { exit, counts, fault } = await opened.goOn(header);
    this.#tally.move(this, counts, clock.now());
    if (exit !== exitCode.notFinal || this.#over.signal.aborted) {
      return this.#endOf(exit, fault && `${fault.message} ${fault.remedy}`);
    }
    // Awaited here: what it reads is closed when this returns.
    return await this.#judgedAgain(header, opened);
  }

  async #judgedAgain(header: Parameters<typeof judgeBatch>[0], { ledger, settings }: OpenedBatch): Promise<SliceEnd> {
    const judged = await judgeBatch(header, ledger, settings, this.#site.clock.now());
    return judged.now === 'work' ? { now: 'later', inMs: LATER_MS, exit: exitCode.notFinal } : judged;
  }

  #endOf(exit: number, why = ''): SliceEnd {
    const { batch } = this;
    const wasHandedOn = exit === exitCode.interrupted || exit === exitCode.terminated || exit === exitCode.notFinal;
    if (this.#over.signal.aborted && wasHandedOn) return { now: 'again', exit };
    const after = afterExit(exit);
    if (after === 'over') return { now: 'over', exit };
    if (after === 'soon') return { now: 'later', inMs: SOON_MS, exit };
    if (after === 'later' || after === 'judge') return { now: 'later', inMs: LATER_MS, exit };
    const says = `Batch ${batch} ended with ${exit}, and is left to a person. ${why}`.trim();
    return { now: 'left', exit, says, ...(after === 'alarm' && { isAlarm: true }) };
  }

  #hear(event: RunEvent): void {
    if (!this.#hasBegun && event.type.endsWith('progress')) {
      this.#hasBegun = true;
      this.#site.tell({ type: 'worker', point: 'begun', batch: this.batch });
    }
    if (event.type === 'progress') this.#tally.move(this, event.counts, this.#site.clock.now());
  }
}

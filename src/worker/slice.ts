/** One slice of work on one batch: the batch is opened, judged by what the ledger says, continued, and closed again. */
import type { LimitFunction } from 'p-limit';
import { isAway } from '../database/postgres/await-server.ts';
import { HANDED_ON } from '../dispatch/stop-batch.ts';
import type { BatchHeader } from '../domain/batch.ts';
import type { RunEvent } from '../domain/event.ts';
import { exitCode } from '../domain/exit-code.ts';
import { Fault, faultTable } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { knownEnd } from '../results/run-end.ts';
import { type Judgement, judgeBatch } from './judge-batch.ts';
import type { OpenedBatch, WorkSite } from './site.ts';
import type { Tally } from './tally.ts';

/** Least time that a batch is worked on while others wait, in milliseconds. */
const SLICE_MS_MIN = 20_000;

/** Least length of a slice, as a multiple of its opening: each opening reads and proves what others have recorded since. */
const SLICE_PART = 9;

/** The exit code if another process has the batch, or the ledger. */
export const HELD = faultTable['ledger-held'].exit;

/** Wait before a batch that another process has is tried again, and one that failed in a way that may pass; in milliseconds. */
export const SOON_MS = 5000;
const LATER_MS = 60_000;

/** Exit codes after which nothing is left that a worker could do. */
const over: ReadonlySet<number> = new Set([exitCode.ok, exitCode.someNotPaid, exitCode.reportUnwritten]);

/** Exit codes whose cause may pass on its own, and the wait before the batch is tried again. */
const waits: ReadonlyMap<number, number> = new Map([
  [HELD, SOON_MS],
  [faultTable.credentials.exit, LATER_MS],
  [faultTable.unreachable.exit, LATER_MS],
]);

/** Exit codes that must not be passed over. Like after all others, a person has to act first. */
const alarming: ReadonlySet<number> = new Set([exitCode.ledgerUnsafe, exitCode.alarm]);

/** What became of a slice. `again`: the batch was handed on in the middle, and continues immediately, here or elsewhere. */
export type SliceEnd = (Exclude<Judgement, { now: 'work' }> | { readonly now: 'again'; readonly exit: number }) & {
  /** Whether the end must not be passed over: no one may continue before a person has looked. */
  readonly isAlarm?: boolean;
};

export class Slice {
  readonly batch: BatchId;
  readonly #site: WorkSite;
  readonly #tally: Tally;
  readonly #over = new AbortController();
  readonly #inTurn: LimitFunction;
  /** How long it took to open and prove the batch, without the wait for its turn. */
  #openingMs = 0;
  #workingMs: number | undefined;
  /**
   * Whether the slice has reported that it has the batch. It reports only then, because a batch that another process has is
   * not worth an event.
   */
  #hasBegun = false;

  /** `inTurn` proves the batches of this worker one after the other. */
  constructor(batch: BatchId, site: WorkSite, tally: Tally, inTurn: LimitFunction) {
    this.batch = batch;
    this.#site = site;
    this.#tally = tally;
    this.#inTurn = inTurn;
  }

  /** Whether the slice has lasted so long that another batch may take its place. */
  get isLong(): boolean {
    if (this.#workingMs === undefined) return false;
    const workedMs = this.#site.clock.monotonicMs() - this.#workingMs;
    return workedMs >= Math.max(SLICE_MS_MIN, SLICE_PART * this.#openingMs);
  }

  /** Claims nothing more; requests in flight land. The batch continues elsewhere, or later. */
  handOn(): void {
    this.#over.abort(HANDED_ON);
  }

  /** Does the work. Rejects only with bugs. */
  async work(): Promise<SliceEnd> {
    let end: SliceEnd | undefined;
    try {
      end = await this.#slice();
      return end;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      end = this.#endOf(error.exit, error);
      return end;
    } finally {
      this.#tally.end(this, end?.exit);
    }
  }

  async #slice(): Promise<SliceEnd> {
    const { open, clock } = this.#site;
    const startedMs = clock.monotonicMs();
    await using opened = await open(this.batch, this.#over.signal, (event) => this.#hear(event));
    this.#openingMs = clock.monotonicMs() - startedMs;
    const begun = await this.#inTurn(() => this.#begin(opened));
    if ('now' in begun) return begun;
    const { exit, counts, fault } = await opened.goOn(begun);
    this.#tally.move(this, counts, clock.now());
    if (exit !== exitCode.notFinal || this.#over.signal.aborted) {
      return this.#endOf(exit, fault);
    }
    // Awaited here, because what it reads is closed when this returns.
    return await this.#judgedAgain(begun, opened);
  }

  /** Proves the batch, and judges it by what the ledger says. Returns it if there is work to do. */
  async #begin({ ledger, settings }: OpenedBatch): Promise<BatchHeader | SliceEnd> {
    const { clock } = this.#site;
    if (this.#over.signal.aborted) return { now: 'again', exit: exitCode.notFinal };
    const startedMs = clock.monotonicMs();
    const header = await ledger.findBatch(this.batch);
    if (!header) return { now: 'over', exit: exitCode.ok };
    const judged = await judgeBatch(header, ledger, settings, clock.now());
    if (judged.now !== 'work') return judged;
    this.#tally.begin(this, (await knownEnd(header, ledger)).counts);
    this.#workingMs = clock.monotonicMs();
    this.#openingMs += this.#workingMs - startedMs;
    return header;
  }

  async #judgedAgain(header: BatchHeader, { ledger, settings }: OpenedBatch): Promise<SliceEnd> {
    const judged = await judgeBatch(header, ledger, settings, this.#site.clock.now());
    return judged.now === 'work' ? { now: 'later', inMs: LATER_MS, exit: exitCode.notFinal } : judged;
  }

  #endOf(exit: number, fault: Fault | undefined): SliceEnd {
    const { batch } = this;
    const wasHandedOn = exit === exitCode.interrupted || exit === exitCode.terminated || exit === exitCode.notFinal;
    if (this.#over.signal.aborted && wasHandedOn) return { now: 'again', exit };
    if (over.has(exit)) return { now: 'over', exit };
    // A connection that ended says nothing about the ledger, which is opened and proven again.
    const inMs = exit === exitCode.ledgerUnsafe && isAway(fault?.cause) ? SOON_MS : waits.get(exit);
    if (inMs !== undefined) return { now: 'later', inMs, exit };
    const why = fault ? `${fault.message} ${fault.remedy}` : '';
    const says = `Work on batch ${batch} ended with exit code ${exit}, and a person has to act. ${why}`.trim();
    return { now: 'left', exit, says, ...(alarming.has(exit) && { isAlarm: true }) };
  }

  #hear(event: RunEvent): void {
    if (!this.#hasBegun && event.type.endsWith('progress')) {
      this.#hasBegun = true;
      this.#site.emit({ type: 'worker', point: 'begun', batch: this.batch });
    }
    if (event.type === 'progress') this.#tally.move(this, event.counts, this.#site.clock.now());
  }
}

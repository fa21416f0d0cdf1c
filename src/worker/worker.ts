/**
 * A worker: takes batches from the queue and continues them, until it is told to stop.
 *
 * ```text
 *              ┌──── server gone: slices end, wait ◄─────┐
 *              ▼                                         │
 *  check ──► shift: connect ──► take jobs of the queue ──► round after round ──► told to stop: hand on, give back
 *                                                            free the jobs of workers that died
 *                                                            fill the queue from the ledger
 *                                                            hand on batches worked on for long, if others wait
 * ```
 */
import pLimit from 'p-limit';
import { hastened } from '../domain/clock.ts';
import { counted } from '../domain/counted.ts';
import { exitCode } from '../domain/exit-code.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { heldLeases } from '../ledger/lease.ts';
import { type Engine, startEngine } from './engine.ts';
import { batchIn, Queue } from './queue.ts';
import { QueueFiller } from './queue-filler.ts';
import type { WorkSite } from './site.ts';
import { HELD, Slice, type SliceEnd, SOON_MS } from './slice.ts';
import type { Tally } from './tally.ts';

/**
 * How often the queue is compared with the ledger, in milliseconds. After a machine has vanished, the server holds its locks
 * for up to ten seconds; its batches then wait for the next round.
 */
const ROUND_MS = 2000;
/** The same interval with `once`, which ends at the first round that finds nothing. */
const QUICK_ROUND_MS = 500;

/** How long a batch waits in the queue before another one makes room for it, in milliseconds. */
const PATIENCE_MS = 5000;

/** Shortest and longest pause before a server that is gone is tried again, in milliseconds; each is twice the one before. */
const ABSENT_MS_MIN = 1000;
const ABSENT_MS_MAX = 15_000;

const heldElsewhere: SliceEnd = { now: 'later', inMs: SOON_MS, exit: HELD };

/**
 * Works until the signal of the site is aborted or, with `once`, nothing is left to do. Returns the exit code with which work
 * on each batch last ended. Throws a Fault.
 */
export async function runWorker(site: WorkSite, tally: Tally): Promise<ReadonlyMap<BatchId, number>> {
  const worker = new Worker(site, tally);
  await worker.run();
  return worker.exits;
}

class Worker {
  readonly exits = new Map<BatchId, number>();
  readonly #site: WorkSite;
  readonly #tally: Tally;
  /** The slices that are being worked on, by batch. */
  readonly #slices = new Map<BatchId, Slice>();
  readonly #filler: QueueFiller;
  /** Batches are proven one after the other, so that the first one is sent while the others are proven. */
  readonly #inTurn = pLimit(1);
  #jobs = 0;
  #bug: { readonly error: unknown } | undefined;
  #isDone = false;
  /** Whether the ledger was reported unsafe while its server answered, and no shift has begun since. */
  #wasUnsafe = false;

  constructor(site: WorkSite, tally: Tally) {
    this.#site = site;
    this.#tally = tally;
    const isAtWork = (batch: BatchId): boolean => this.#slices.has(batch);
    this.#filler = new QueueFiller({
      isAtWork,
      ...(site.once && { wasTried: (batch: BatchId) => this.exits.has(batch) }),
    });
  }

  async run(): Promise<void> {
    const { signal, clock, emit } = this.#site;
    let waitMs = ABSENT_MS_MIN;
    while (!(signal.aborted || this.#isDone)) {
      let hasBegun = false;
      try {
        await this.#check();
        await this.#shift(() => {
          hasBegun = true;
          this.#wasUnsafe = false;
          waitMs = ABSENT_MS_MIN;
        });
      } catch (error) {
        // A shift that had begun may be interrupted for any reason; the next one finds out whether the reason persists.
        if (!(error instanceof Fault) || !(hasBegun || (await this.#isAbsence(error)))) throw error;
        if (this.#site.once) throw error;
        this.#tally.hasLedger = false;
        if (waitMs === ABSENT_MS_MIN) emit({ type: 'worker', point: 'waiting', message: error.message });
        await clock.sleep(hastened(waitMs, clock), signal);
        waitMs = Math.min(waitMs * 2, ABSENT_MS_MAX);
      }
      if (this.#bug) throw this.#bug.error;
    }
  }

  /** Makes sure, until it has succeeded once, that everything can be opened. Later openings request a token on their own. */
  async #check(): Promise<void> {
    if (this.#tally.hasToken) return;
    // Opening a ledger waits for a server that is away. A worker waits in its own way, and reports it.
    await this.#reach();
    await this.#site.check();
    this.#tally.hasToken = true;
  }

  /** Throws a Fault if the server of the ledger does not answer. */
  async #reach(): Promise<void> {
    const queue = await Queue.open(this.#site.reached);
    await queue.close();
  }

  /** Reports whether something is only gone for now: the service, or the server of the ledger. */
  async #isAbsence({ code, exit }: Fault): Promise<boolean> {
    if (code === 'unreachable' || code === 'ledger-held') return true;
    if (exit !== exitCode.ledgerUnsafe) return false;
    if (!(await succeeds(this.#reach()))) return true;
    // A server that has just come back was away a moment ago. Twice in a row means that the ledger is unsafe.
    const isFirst = !this.#wasUnsafe;
    this.#wasUnsafe = true;
    return isFirst;
  }

  /** Works from the opening of a connection to its end. Throws the Fault that ended it. */
  async #shift(onBegun: () => void): Promise<void> {
    const { reached, batches, clock, log, emit } = this.#site;
    const queue = await Queue.open(reached);
    let engine: Engine | undefined;
    let isLost = true;
    try {
      const work = async (payload: unknown): Promise<void> => {
        const batch = batchIn(payload);
        if (batch !== undefined) await this.#job(batch, queue);
      };
      engine = await startEngine({ reached, batches, work, log, sleep: (ms, wake) => clock.sleep(ms, wake) });
      await queue.live(engine.name);
      this.#tally.hasLedger = true;
      emit({ type: 'worker', point: 'ready' });
      onBegun();
      await this.#rounds(queue, engine);
      isLost = !this.#isEnding;
      if (!isLost) return;
      throw new Fault('ledger-unsafe', 'The queue of the workers ended.', 'The log says why; the worker starts again.');
    } finally {
      this.#tally.hasLedger = false;
      for (const slice of this.#slices.values()) slice.handOn();
      await engine?.stop(isLost);
      // Jobs that were taken end on their own: each has its own connection.
      while (this.#jobs > 0) await clock.sleep(50);
      await queue.close();
    }
  }

  get #isEnding(): boolean {
    return this.#site.signal.aborted || this.#isDone || this.#bug !== undefined;
  }

  /** Does one round after the other until the engine ends. */
  async #rounds(queue: Queue, engine: Engine): Promise<void> {
    const { signal, clock, once } = this.#site;
    const over = AbortSignal.any([signal, engine.over]);
    while (!(over.aborted || this.#bug)) {
      await queue.beat(engine.name);
      const dead = await queue.freeDead(clock);
      if (dead.length > 0)
        this.#site.log(
          'warn',
          `the jobs of ${counted(dead.length, 'worker that is', 'workers that are')} no longer alive were freed`,
        );
      const rung = await this.#filler.fill(queue);
      this.#tally.left = this.#filler.left;
      await this.#makeRoom(queue);
      if (once && rung === 0 && this.#jobs === 0 && (await queue.waiting()) === 0) {
        this.#isDone = true;
        return;
      }
      await clock.sleep(hastened(once ? QUICK_ROUND_MS : ROUND_MS, clock), over);
    }
  }

  /** Ends slices that have lasted long enough for batches that wait, unless a free place here will take those. */
  async #makeRoom(queue: Queue): Promise<void> {
    const long = [...this.#slices.values()].filter((slice) => slice.isLong);
    if (long.length === 0 || this.#slices.size < this.#site.batches) return;
    const chosen = await queue.longestTaken(hastened(PATIENCE_MS, this.#site.clock));
    for (const slice of long) if (chosen.has(slice.batch)) slice.handOn();
  }

  /** Works on one batch. Never rejects: a bug is kept, and ends the worker. */
  async #job(batch: BatchId, queue: Queue): Promise<void> {
    this.#jobs += 1;
    try {
      // A second slice of a batch that is already worked on here would be one too many.
      if (!this.#slices.has(batch)) await this.#slice(batch, queue);
    } catch (error) {
      // The next round notices a connection that is gone.
      if (!(error instanceof Fault)) this.#bug ??= { error };
    } finally {
      this.#jobs -= 1;
    }
  }

  async #slice(batch: BatchId, queue: Queue): Promise<void> {
    const { signal } = this.#site;
    const slice = new Slice(batch, this.#site, this.#tally, this.#inTurn);
    this.#slices.set(batch, slice);
    const stop = (): void => slice.handOn();
    signal.addEventListener('abort', stop);
    try {
      if (signal.aborted) slice.handOn();
      if (await this.#filler.isLeft(batch, queue)) return;
      // Opening the ledger takes long, and would only find out that another process has the batch. This is read without any
      // proof; the run takes the lease by the rules of the ledger.
      const isHeld = (await heldLeases(queue)).some((one) => one.isLive && one.batch === batch);
      const end = isHeld ? heldElsewhere : await slice.work();
      await this.#after(batch, end, queue);
    } finally {
      signal.removeEventListener('abort', stop);
      this.#slices.delete(batch);
    }
  }

  async #after(batch: BatchId, end: SliceEnd, queue: Queue): Promise<void> {
    const { emit, clock } = this.#site;
    const { now, exit } = end;
    // During an outage every batch reports that its ledger is unsafe. The batch continues when the server is back.
    const isOutage = exit === exitCode.ledgerUnsafe && !(await succeeds(queue.read('SELECT 1 AS here')));
    if (isOutage) return emit({ type: 'worker', point: 'handed-on', batch, exit });
    this.exits.set(batch, exit);
    if (now === 'over') return emit({ type: 'worker', point: 'over', batch, exit });
    if (now === 'left') {
      await this.#filler.leave(batch, queue);
      return emit({ type: 'worker', point: end.isAlarm ? 'alarm' : 'left', batch, exit, message: end.says });
    }
    // That another process has a batch is not worth an event every five seconds.
    if (now === 'again' || exit !== HELD)
      emit({ type: 'worker', point: now === 'again' ? 'handed-on' : 'later', batch, exit });
    await queue.ring(batch, now === 'again' ? 0 : hastened(end.inMs, clock));
  }
}

/** Reports whether some work succeeds. A Fault means that it does not; a bug is thrown. */
async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

/**
 * The payments that this console makes. Each continues whether or not a page shows it, and any page can show its current state.
 * The ledger is the record: nothing that pays relies on this state.
 */
import type { RunEvent, Tell } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { isDefiniteFailure } from '../domain/outcome.ts';
import { endedBy, type RunEnd } from '../domain/run-end.ts';
import { Turns } from '../ledger/database.ts';
import type { RunDeps } from '../run/paybatch.ts';
import { requireUnmoved, type Seen } from './seen.ts';
import type { ConsoleWorld, SendWish } from './world.ts';

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

/** Most notices that a page shows; the earliest are dropped. */
const NOTICES_MAX = 20;
/** Most ended payments that are kept for pages; the ledger has them too. */
const KEPT_MAX = 20;

/** The state of a payment of this console, built from its events. */
export interface RunView {
  /** Name of the command that does the same. */
  readonly verb: 'run' | 'resume' | 'retry' | 'apply' | 'status';
  /** State of a recorded batch before this payment; absent if the batch is new or the state is not known yet. */
  readonly before?: RunEnd;
  /** `undefined` until the whole plan is on disk; nothing can have been sent before. */
  readonly batch?: BatchId;
  /** Absent before the first order. */
  readonly progress?: EventOf<'progress'>;
  /** Look-ups of a ledger in recovery, before anything is sent. `toldAt`: time of the event, in wall-clock milliseconds. */
  readonly asking?: EventOf<'reconcile.progress'> & { readonly toldAt: number };
  readonly notices: readonly string[];
  /** Number of unpaid rows by reason; known at the end. */
  readonly reasons: ReadonlyMap<string, number>;
  /** Absent while the payment is in progress. */
  readonly end?: RunEnd;
}

/** One payment, in progress or ended. */
export class Run {
  #view: RunView;
  readonly #clock: ConsoleWorld['clock'];
  readonly #ended = Promise.withResolvers<void>();

  constructor(verb: RunView['verb'], clock: ConsoleWorld['clock'], batch?: BatchId) {
    this.#view = { verb, notices: [], reasons: new Map(), ...(batch !== undefined && { batch }) };
    this.#clock = clock;
  }

  get view(): RunView {
    return this.#view;
  }

  /** Resolves when the payment has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  hear(event: RunEvent): void {
    this.#view = heardBy(this.#view, event, this.#clock.now());
  }

  knows(before: RunEnd): void {
    this.#view = { ...this.#view, before };
  }

  over(end: RunEnd): void {
    this.#view = { ...this.#view, end };
    this.#ended.resolve();
  }
}

/** Folds one event into the view. */
function heardBy(view: RunView, event: RunEvent, now: number): RunView {
  switch (event.type) {
    case 'batch.planned':
      return { ...view, batch: event.batch as BatchId }; // the id comes from the run that planned the batch
    case 'progress': {
      const { asking: _, ...rest } = view;
      return { ...rest, progress: event };
    }
    case 'reconcile.progress':
      return { ...view, asking: { ...event, toldAt: now } };
    case 'notice':
      return event.level === 'info' ? view : { ...view, notices: [...view.notices, event.message].slice(-NOTICES_MAX) };
    case 'row.outcome': {
      const { outcome, reason } = event.record;
      if (!isDefiniteFailure(outcome)) return view;
      return { ...view, reasons: new Map(view.reasons).set(reason, (view.reasons.get(reason) ?? 0) + 1) };
    }
    default:
      return view;
  }
}

/** A payment that a page asks for. */
export interface PaymentWish extends Pick<SendWish, 'outFolder' | 'acceptUnverifiable' | 'currency' | 'purpose'> {
  /** `status` sends nothing. */
  readonly verb: RunView['verb'];
  /** The sheet, plan or batch that the command names. */
  readonly about: string;
  readonly seen: Seen;
  /** A random number of the form: the same form sent twice makes one payment. */
  readonly once: string;
  /** The batch, if the ledger has it already. */
  readonly batch?: BatchId;
  /** The whole work, as the command does it. */
  readonly work: (deps: RunDeps) => Promise<RunEnd>;
}

interface Kept {
  readonly run: Run;
  readonly once: string;
  readonly planned: Promise<BatchId>;
  readonly over: Promise<RunEnd>;
}

/** What payments need of the console. */
export interface RunsAround {
  /** Requests to the practice service take turns. */
  readonly turns: Turns;
  /** Keeps the console open while the work is in progress. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
  /** Reports a bug. */
  readonly broken: (error: unknown) => void;
}

export class Runs {
  readonly #world: ConsoleWorld;
  readonly #around: RunsAround;
  readonly #kept: Kept[] = [];
  readonly #starting = new Turns();
  readonly #ended = new AbortController();

  constructor(world: ConsoleWorld, around: RunsAround) {
    this.#world = world;
    this.#around = around;
  }

  /** The latest payment of this console for a batch. */
  of(batch: BatchId): Run | undefined {
    return this.#kept.findLast(({ run }) => run.view.batch === batch)?.run;
  }

  /** Payments in progress, earliest first. */
  get underWay(): readonly Run[] {
    return this.#kept.map(({ run }) => run).filter(({ view }) => view.end === undefined);
  }

  /**
   * Begins a payment and returns its batch once the plan is on disk; the payment then continues on its own. Throws the Fault if
   * nothing was sent, and a `StalePage` if the page is out of date. Payments begin one after the other, so that the second of two
   * tabs sees what the first has planned.
   */
  start(wish: PaymentWish): Promise<BatchId> {
    if (wish.once === '') return Promise.reject(unnumbered());
    const same = this.#kept.find(({ once }) => once === wish.once);
    if (same) return same.planned;
    const { promise: planned, resolve, reject } = Promise.withResolvers<BatchId>();
    const run = new Run(wish.verb, this.#world.clock, wish.batch);
    const over = this.#starting.take(async () => {
      const ending = this.#around.during(() => this.#send(run, wish, resolve, reject));
      // The next payment begins once this one is on disk or has failed.
      await planned.catch(() => undefined);
      return { ending };
    });
    const ended = over.then(({ ending }) => ending);
    // A bug is reported to the console by `#send` itself.
    ended.catch(() => undefined);
    const kept = { run, once: wish.once, planned, over: ended };
    this.#kept.push(kept);
    // A payment that planned nothing can be sent again, corrected, under the same number.
    planned.catch(() => this.#kept.splice(this.#kept.indexOf(kept), 1));
    if (this.#kept.length > KEPT_MAX) this.#forgetOldest();
    return planned;
  }

  /**
   * Stops claiming. Resolves when requests in flight are answered and recorded; returns the end of each payment that was in
   * progress.
   */
  async end(): Promise<readonly RunEnd[]> {
    const open = this.#kept.filter(({ run }) => run.view.end === undefined);
    this.#ended.abort('SIGINT');
    const over = await Promise.allSettled(open.map((kept) => kept.over));
    return over.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  async #send(
    run: Run,
    wish: PaymentWish,
    planned: (batch: BatchId) => void,
    refused: (fault: unknown) => void,
  ): Promise<RunEnd> {
    const tell: Tell = (event) => {
      run.hear(event);
      if (event.type === 'batch.planned') planned(event.batch as BatchId); // the id comes from the run that planned the batch
    };
    try {
      const end = await this.#worked(run, wish, tell, planned);
      run.over(end);
      // Nothing was planned, so the person who pressed the button gets the reason.
      refused(end.fault ?? nothingPlanned());
      return end;
    } catch (error) {
      refused(error);
      if (error instanceof Fault) {
        const end = endedBy(error);
        run.over(end);
        return end;
      }
      this.#around.broken(error);
      throw error;
    }
  }

  async #worked(
    run: Run,
    { seen, work, batch, verb, about, ...wish }: PaymentWish,
    tell: Tell,
    planned: (batch: BatchId) => void,
  ): Promise<RunEnd> {
    if (this.#ended.signal.aborted) throw ending();
    // Checked before anything is opened, because the practice service may be busy with the very payment that makes the page
    // stale.
    await this.#requireUnmoved(seen);
    const signal = AbortSignal.any([this.#world.signal, this.#ended.signal]);
    const inTurn: SendWish['inTurn'] = (open) => this.#around.turns.take(open);
    const command = `${verb} ${about} (console)`;
    return this.#world.send({ ...wish, command, sends: verb !== 'status', tell, signal, inTurn }, async (deps) => {
      await requireUnmoved(seen, deps);
      let begun: Promise<void> | undefined;
      const working: RunDeps['working'] = (known) => {
        deps.working?.(known);
        if (batch === undefined) return;
        // Pages show the earlier state of the rows. If it cannot be read, the work itself reports why.
        const read = known().then((before) => run.knows(before));
        begun = read.catch(() => undefined).then(() => planned(batch));
      };
      // Every row is reported at the end, so that a page can say why rows were not paid.
      try {
        return await work({ ...deps, working, tellsEveryRow: true });
      } finally {
        await begun;
      }
    });
  }

  async #requireUnmoved(seen: Seen): Promise<void> {
    await using records = await this.#world.records(() => undefined);
    await requireUnmoved(seen, records.deps);
  }

  #forgetOldest(): void {
    const oldest = this.#kept.findIndex(({ run }) => run.view.end !== undefined);
    if (oldest >= 0) this.#kept.splice(oldest, 1);
  }
}

const ending = (): Fault =>
  new Fault('interrupted', 'The console is ending. Nothing was sent.', 'Start it again, then pay the sheet.');

/** Without its number, a form that is sent twice cannot be told from two forms. */
const unnumbered = (): Fault =>
  new Fault('usage', 'The form has lost its number. Nothing was sent.', 'Load the page again, and send it once more.');

const nothingPlanned = (): Fault =>
  new Fault('usage', 'There was nothing to pay. Nothing was sent.', 'Look at the check of the sheet.');

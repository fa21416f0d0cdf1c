/**
 * Payments that this console makes. Each goes on beside the pages, whether or not somebody looks at one, and is heard by whoever
 * does: a page that is loaded again, or a second one, finds it as it stands. The ledger is the record; nothing here is believed by
 * anything that pays.
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

/** Notices that a page shows; the earliest of them go first. */
const NOTICES_MAX = 20;
/** Runs whose end is kept for pages; the ledger has it, too. */
const KEPT_MAX = 20;

/** How a payment of this console stands, from what it tells. */
export interface RunView {
  /** What the command is called that does the same. */
  readonly verb: 'run' | 'resume' | 'retry' | 'apply' | 'status';
  /** What had become of the rows of a recorded batch before; missing: it is new, or that is not known yet. */
  readonly before?: RunEnd;
  /** Undefined until everything is on disk, and while nothing can have been sent. */
  readonly batch?: BatchId;
  /** Missing before the first order. */
  readonly progress?: EventOf<'progress'>;
  /** Look-ups of a ledger in doubt, while nothing is sent yet; `toldAt`: when that was said, in wall-clock milliseconds. */
  readonly asking?: EventOf<'reconcile.progress'> & { readonly toldAt: number };
  readonly notices: readonly EventOf<'notice'>[];
  /** Why rows were not paid, and how many of them; known at the end. */
  readonly reasons: ReadonlyMap<string, number>;
  /** Missing while it goes on. */
  readonly end?: RunEnd;
}

/** One payment under way, or over. */
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

  /** Resolves when it is over. */
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

/** The fold: what is shown after an event. */
function heardBy(view: RunView, event: RunEvent, now: number): RunView {
  switch (event.type) {
    case 'batch.planned':
      return { ...view, batch: event.batch as BatchId }; // the run itself planned it
    case 'progress': {
      const { asking: _, ...rest } = view;
      return { ...rest, progress: event };
    }
    case 'reconcile.progress':
      return { ...view, asking: { ...event, toldAt: now } };
    case 'notice':
      return event.level === 'info' ? view : { ...view, notices: [...view.notices, event].slice(-NOTICES_MAX) };
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
export interface PaymentWish
  extends Pick<SendWish, 'command' | 'outFolder' | 'acceptUnverifiable' | 'currency' | 'purpose'> {
  /** `status` sends nothing. */
  readonly verb: RunView['verb'];
  readonly seen: Seen;
  /** Drawn for each form: the same form sent twice is one payment. */
  readonly once: string;
  /** The batch, where it is in the ledger already. */
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

/** What payments need of the console around them. */
export interface RunsAround {
  /** What asks the practice service takes turns. */
  readonly turns: Turns;
  /** What is under way keeps the console open. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
  /** Is given a bug of ours. */
  readonly broken: (error: unknown) => void;
}

export class Runs {
  readonly #world: ConsoleWorld;
  readonly #turns: Turns;
  readonly #during: RunsAround['during'];
  readonly #broken: (error: unknown) => void;
  readonly #kept: Kept[] = [];
  readonly #starting = new Turns();
  readonly #ended = new AbortController();

  constructor(world: ConsoleWorld, { turns, during, broken }: RunsAround) {
    this.#world = world;
    this.#turns = turns;
    this.#during = during;
    this.#broken = broken;
  }

  /** The latest payment of this console that is about the batch. */
  of(batch: BatchId): Run | undefined {
    return this.#kept.findLast(({ run }) => run.view.batch === batch)?.run;
  }

  /** Payments under way, the earliest first. */
  get underWay(): readonly Run[] {
    return this.#kept.map(({ run }) => run).filter(({ view }) => view.end === undefined);
  }

  /**
   * Begins a payment, and gives its batch once everything is on disk: from then on it goes on by itself. Throws the Fault for which
   * nothing was sent; a `StalePage` when the page is out of date. One begins after the other, so that the second of two tabs sees
   * what the first has planned.
   */
  start(wish: PaymentWish): Promise<BatchId> {
    if (wish.once === '') return Promise.reject(unnumbered());
    const same = this.#kept.find(({ once }) => once === wish.once);
    if (same) return same.planned;
    const { promise: planned, resolve, reject } = Promise.withResolvers<BatchId>();
    const run = new Run(wish.verb, this.#world.clock, wish.batch);
    const over = this.#starting.take(async () => {
      const ending = this.#during(() => this.#send(run, wish, resolve, reject));
      // The next one begins when this one is on disk, or came to nothing.
      await planned.catch(() => undefined);
      return { ending };
    });
    const ended = over.then(({ ending }) => ending);
    // A bug is given to the console by itself.
    ended.catch(() => undefined);
    const kept = { run, once: wish.once, planned, over: ended };
    this.#kept.push(kept);
    // What came to nothing may be sent again, with what is right.
    planned.catch(() => this.#kept.splice(this.#kept.indexOf(kept), 1));
    if (this.#kept.length > KEPT_MAX) this.#forgetOldest();
    return planned;
  }

  /** Nothing more is claimed; resolves when what flies has landed and is saved, with how each payment ended that was under way. */
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
      if (event.type === 'batch.planned') planned(event.batch as BatchId); // the run itself planned it
    };
    try {
      const end = await this.#worked(run, wish, tell, planned);
      run.over(end);
      // Nothing was planned: whoever pressed the button is told why.
      refused(end.fault ?? nothingPlanned());
      return end;
    } catch (error) {
      refused(error);
      if (error instanceof Fault) {
        const end = endedBy(error);
        run.over(end);
        return end;
      }
      this.#broken(error);
      throw error;
    }
  }

  async #worked(
    run: Run,
    { seen, work, batch, verb, ...wish }: PaymentWish,
    tell: Tell,
    planned: (batch: BatchId) => void,
  ): Promise<RunEnd> {
    if (this.#ended.signal.aborted) throw ending();
    // Before anything is opened: the practice service may be busy with what makes the page stale.
    await this.#requireUnmoved(seen);
    const signal = AbortSignal.any([this.#world.signal, this.#ended.signal]);
    const inTurn: SendWish['inTurn'] = (open) => this.#turns.take(open);
    return this.#world.send({ ...wish, sends: verb !== 'status', tell, signal, inTurn }, async (deps) => {
      await requireUnmoved(seen, deps);
      let begun: Promise<void> | undefined;
      const working: RunDeps['working'] = (known) => {
        deps.working?.(known);
        if (batch === undefined) return;
        // A page that comes now shows what had become of the rows before. Why that cannot be read is told by the work itself.
        const read = known().then((before) => run.knows(before));
        begun = read.catch(() => undefined).then(() => planned(batch));
      };
      // Each row is told at the end, so that a page can say why rows were not paid.
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

/** Without its number a form that is sent twice cannot be told from two forms. */
const unnumbered = (): Fault =>
  new Fault('usage', 'The form has lost its number. Nothing was sent.', 'Load the page again, and send it once more.');

const nothingPlanned = (): Fault =>
  new Fault('usage', 'There was nothing to pay. Nothing was sent.', 'Look at the check of the sheet.');

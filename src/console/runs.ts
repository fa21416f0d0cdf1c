/**
 * The payments that this console makes. Each continues whether or not a page shows it, and any page can show its current state.
 * The ledger is the record: nothing that pays relies on this state.
 */

import { Turns } from '../database/database.ts';
import type { Emit, RunEvent } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { endedBy, type RunEnd } from '../domain/run-end.ts';
import type { RunDeps } from '../run/run-deps.ts';
import { requireUnmoved, type Seen } from './seen.ts';
import type { ConsoleWorld, SendWish } from './world.ts';

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

/** Most notices that a page shows; the earliest are dropped. */
const NOTICES_MAX = 20;

/** What only asks the service, and sends nothing. */
const asksOnly: ReadonlySet<PaymentWish['verb']> = new Set(['status', 'reject']);

/** A payment that a page asks for, or something else that the service is asked to do with a batch. */
export interface PaymentWish extends Pick<SendWish, 'outFolder' | 'acceptUnverifiable' | 'currency' | 'purpose'> {
  /** Name of the command that does the same. */
  readonly verb: 'run' | 'resume' | 'retry' | 'apply' | 'status' | 'reject';
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

/** One payment, in progress or ended, and what its events have said so far. */
export class Run {
  readonly verb: PaymentWish['verb'];
  readonly sends: boolean;
  readonly once: string;
  /** `undefined` until the whole plan of a new batch is on disk; nothing can have been sent before. */
  batch: BatchId | undefined;
  /** `undefined` before the first order. */
  progress: EventOf<'progress'> | undefined;
  /** Look-ups of a ledger in recovery, before anything is sent. `toldAt`: time of the event, in wall-clock milliseconds. */
  asking: (EventOf<'reconcile.progress'> & { readonly toldAt: number }) | undefined;
  notices: readonly string[] = [];
  /** `undefined` while the payment is in progress. */
  end: RunEnd | undefined;
  readonly #planned = Promise.withResolvers<BatchId>();
  readonly #ended = Promise.withResolvers<RunEnd>();

  constructor({ verb, once, batch }: Pick<PaymentWish, 'verb' | 'once' | 'batch'>) {
    this.verb = verb;
    this.sends = !asksOnly.has(verb);
    this.once = once;
    this.batch = batch;
    // A bug is reported to the console by `Runs`.
    this.#ended.promise.catch(() => undefined);
    this.#planned.promise.catch(() => undefined);
  }

  /** The batch, once its plan is on disk and nobody else is working on it. Rejects with the reason if nothing was sent. */
  get planned(): Promise<BatchId> {
    return this.#planned.promise;
  }

  /** How the payment has ended. Rejects with a bug. */
  get ended(): Promise<RunEnd> {
    return this.#ended.promise;
  }

  hear(event: RunEvent, now: number): void {
    if (event.type === 'batch.planned')
      this.plannedAs(event.batch as BatchId); // the id comes from the run that planned the batch
    else if (event.type === 'progress') [this.progress, this.asking] = [event, undefined];
    else if (event.type === 'reconcile.progress') this.asking = { ...event, toldAt: now };
    else if (event.type === 'notice' && (event.level !== 'info' || this.verb === 'reject'))
      this.notices = [...this.notices, event.message].slice(-NOTICES_MAX);
  }

  plannedAs(batch: BatchId): void {
    this.batch = batch;
    this.#planned.resolve(batch);
  }

  over(end: RunEnd): void {
    this.end = end;
    // If nothing was done, the person who pressed the button gets the reason.
    if (end.fault) this.#planned.reject(end.fault);
    else if (this.batch !== undefined) this.#planned.resolve(this.batch);
    else {
      const says = 'There was nothing to pay. Nothing was sent.';
      this.#planned.reject(new Fault('usage', says, 'Look at the check of the sheet.'));
    }
    this.#ended.resolve(end);
  }

  broke(bug: unknown): void {
    this.#planned.reject(bug);
    this.#ended.reject(bug);
  }
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
  readonly #runs = new Set<Run>();
  readonly #starting = new Turns();
  readonly #ended = new AbortController();

  constructor(world: ConsoleWorld, around: RunsAround) {
    this.#world = world;
    this.#around = around;
  }

  /** The latest payment of this console for a batch. */
  of(batch: BatchId): Run | undefined {
    return [...this.#runs].findLast((run) => run.batch === batch);
  }

  /** Payments in progress, earliest first. */
  get underWay(): readonly Run[] {
    return [...this.#runs].filter(({ end }) => end === undefined);
  }

  /**
   * Begins a payment and returns its batch once the plan is on disk; the payment then continues on its own. Throws the Fault if
   * nothing was sent, and a `StalePage` if the page is out of date. Payments begin one after the other, so that the second of two
   * tabs sees what the first has planned.
   */
  async start(wish: PaymentWish): Promise<BatchId> {
    if (wish.once === '') throw unnumbered();
    const same = [...this.#runs].find(({ once }) => once === wish.once);
    if (same) return same.planned;
    const run = new Run(wish);
    this.#runs.add(run);
    void this.#starting.take(() => {
      void this.#around.during(() => this.#pay(run, wish));
      // The next payment begins once this one is on disk or has failed.
      return run.planned.catch(() => undefined);
    });
    // A payment that planned nothing can be sent again, corrected, under the same number.
    run.planned.catch(() => this.#runs.delete(run));
    return run.planned;
  }

  /**
   * Stops claiming. Resolves when requests in flight are answered and recorded; returns the end of each payment that was in
   * progress.
   */
  async end(): Promise<readonly RunEnd[]> {
    const open = this.underWay;
    this.#ended.abort('SIGINT');
    const over = await Promise.allSettled(open.map(({ ended }) => ended));
    return over.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  async #pay(run: Run, wish: PaymentWish): Promise<void> {
    try {
      run.over(await this.#worked(run, wish));
    } catch (error) {
      if (error instanceof Fault) return run.over(endedBy(error));
      run.broke(error);
      this.#around.broken(error);
    }
  }

  async #worked(run: Run, { seen, work, batch, verb, about, ...wish }: PaymentWish): Promise<RunEnd> {
    if (this.#ended.signal.aborted) {
      const says = 'The console is ending. Nothing was sent.';
      throw new Fault('interrupted', says, 'Start it again, then pay the sheet.');
    }
    // Checked before anything is opened, because the practice service may be busy with the very payment that makes the page
    // stale.
    await this.#requireUnmoved(seen);
    const { clock } = this.#world;
    const emit: Emit = (event) => run.hear(event, clock.now());
    const signal = AbortSignal.any([this.#world.signal, this.#ended.signal]);
    const inTurn: SendWish['inTurn'] = (open) => this.#around.turns.take(open);
    const command = `${verb} ${about} (console)`;
    return this.#world.send({ ...wish, command, sends: run.sends, emit, signal, inTurn }, async (deps) => {
      await requireUnmoved(seen, deps);
      const working: RunDeps['working'] = (known) => {
        deps.working?.(known);
        if (batch !== undefined) run.plannedAs(batch);
      };
      return work({ ...deps, working });
    });
  }

  async #requireUnmoved(seen: Seen): Promise<void> {
    await using records = await this.#world.records(() => undefined);
    await requireUnmoved(seen, records.deps);
  }
}

/** Without its number, a form that is sent twice cannot be told from two forms. */
const unnumbered = (): Fault =>
  new Fault(
    'usage',
    'The form has lost its number. Nothing was sent.',
    'Load the page again, and send the form again.',
  );

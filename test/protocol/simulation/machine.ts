/**
 * A simulated machine and a process on it. A process meets the world through its ports alone, so one that has died is
 * one whose ports never answer again; whatever it had in memory is out of reach.
 */
import type { Clock } from '../../../src/domain/clock.ts';
import type { LeaseHolder } from '../../../src/ledger/lease.ts';
import type { Timeline } from './timeline.ts';
import type { Witness } from './witness.ts';

/** What the wall clock shows when a simulation begins. */
export const EPOCH_MS = Date.UTC(2026, 10, 20, 9);

/** Port calls of one process after which it counts as caught in a loop. */
const POINTS_MAX = 400_000;

export class Host {
  readonly name: string;
  /** How wrong its wall clock is. */
  wallOffsetMs: number;
  /** How long it was asleep, or will have been when it wakes: its monotonic clock stands still meanwhile. */
  asleepMs = 0;
  /** Nothing runs on it before. */
  wakesAtMs = 0;
  readonly #sleeps: { readonly fromMs: number; readonly toMs: number }[] = [];

  constructor(name: string, wallOffsetMs = 0) {
    this.name = name;
    this.wallOffsetMs = wallOffsetMs;
  }

  /** All of it stands still for a while, and nothing of it answers. */
  sleep(nowMs: number, ms: number): void {
    this.asleepMs += ms;
    this.wakesAtMs = nowMs + ms;
    this.#sleeps.push({ fromMs: nowMs, toMs: this.wakesAtMs });
  }

  /** Whether it was asleep for so long without a break between two moments. */
  wasSilentFor(ms: number, fromMs: number, nowMs: number): boolean {
    return this.#sleeps.some((sleep) => sleep.fromMs >= fromMs && Math.min(nowMs, sleep.toMs) - sleep.fromMs >= ms);
  }
}

/** Where a process may die: at each await of a port, on either side. */
export const pointKinds = [
  'read:before',
  'read:after',
  'write:before',
  'write:committed',
  'exchange:before',
  'exchange:after',
  'sleep:before',
  'sleep:after',
  'file:before',
  'file:after',
] as const;
export type PointKind = (typeof pointKinds)[number];

export interface CrashPlan {
  /** Counted in points of this kind, or of any kind. */
  readonly kind?: PointKind;
  readonly afterPoints: number;
}

/** A promise that is never settled: what a dead process gets from its ports. */
export const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

export class SimulatedProcess {
  readonly name: string;
  readonly host: Host;
  readonly holder: LeaseHolder;
  readonly clock: Clock;
  /** Resolves when it dies. */
  readonly died: Promise<void>;
  /** Why it had to be ended. */
  overdone: string | undefined;
  /** How long it was stopped altogether. */
  stoodStillMs = 0;
  readonly #timeline: Timeline;
  readonly #witness: Witness;
  readonly #crash: CrashPlan | undefined;
  readonly #startedMs: number;
  #alive = true;
  #pausedUntilMs = 0;
  #points = 0;
  #pointsToCrash: number;
  #tellDeath: () => void = () => undefined;
  /** Let go of signals that it listens to: a signal that follows others is kept by Node.js for as long as anybody listens. */
  readonly #listening = new Set<() => void>();

  constructor(
    name: string,
    pid: number,
    host: Host,
    { timeline, witness, crash }: { timeline: Timeline; witness: Witness; crash: CrashPlan | undefined },
  ) {
    this.name = name;
    this.host = host;
    this.holder = { host: host.name, pid, description: name };
    this.#startedMs = timeline.nowMs;
    this.#timeline = timeline;
    this.#witness = witness;
    this.#crash = crash;
    this.#pointsToCrash = crash?.afterPoints ?? Number.POSITIVE_INFINITY;
    this.died = new Promise((resolve) => {
      this.#tellDeath = resolve;
    });
    this.clock = {
      now: () => EPOCH_MS + Math.round(timeline.nowMs + host.wallOffsetMs),
      monotonicMs: () => timeline.nowMs - host.asleepMs,
      sleep: (ms, signal) => this.#sleep(ms, signal),
    };
  }

  /** The name under which it asks for anything: no other process has it. */
  get askedBy(): string {
    return `${this.name} ${this.holder.pid}`;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Whether its computer was asleep for so long without a break since it was started. */
  wasSilentFor(ms: number, nowMs: number): boolean {
    return this.host.wasSilentFor(ms, this.#startedMs, nowMs);
  }

  /** Ends it as `kill -9` would. */
  kill(why: string): void {
    if (!this.#alive) return;
    this.exit();
    this.#witness.log(this.name, `dies: ${why}`);
    this.#tellDeath();
  }

  /** Ends it in the ordinary way: nothing of it goes on. */
  exit(): void {
    this.#alive = false;
    for (const letGo of this.#listening) letGo();
    this.#listening.clear();
  }

  /** Ends it because it does too much. */
  overdo(what: string): void {
    this.overdone = what;
    this.kill(what);
  }

  /** Stops it for a while; what reaches it meanwhile waits. */
  pause(ms: number): void {
    this.stoodStillMs += ms;
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#timeline.nowMs + ms);
  }

  /** Checkpoints that it is at a port; true when it dies there, or is dead already. */
  gone(kind: PointKind): boolean {
    if (!this.#alive) return true;
    this.#points += 1;
    if (this.#points > POINTS_MAX) {
      this.overdo('goes round without an end');
      return true;
    }
    if (this.#crash?.kind === undefined || this.#crash.kind === kind) this.#pointsToCrash -= 1;
    if (this.#pointsToCrash > 0) return false;
    this.#witness.saw('crash');
    this.#witness.crashedAt(kind);
    this.kill(`at ${kind}`);
    return true;
  }

  /** Lets something reach the process after a delay: not when it is dead by then, later when it is stopped. */
  reach(delayMs: number, run: () => void): void {
    this.#timeline.after(delayMs, () => {
      if (!this.#alive) return;
      const waitMs = this.#pausedUntilMs - this.#timeline.nowMs;
      if (waitMs > 0) this.reach(waitMs, run);
      else run();
    });
  }

  #sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.gone('sleep:before')) return never();
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const letGo = (): void => signal?.removeEventListener('abort', wake);
      const wake = (): void => {
        if (!this.#listening.has(letGo) || this.gone('sleep:after')) return;
        this.#listening.delete(letGo);
        letGo();
        resolve();
      };
      this.#listening.add(letGo);
      signal?.addEventListener('abort', wake, { once: true });
      // A timer of the platform waits one millisecond at least.
      this.reach(Math.max(1, Math.ceil(ms)), wake);
    });
  }
}

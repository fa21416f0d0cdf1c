import type { Clock } from '../../src/domain/clock.ts';

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/** A clock that moves only when a test moves it, and wakes whoever sleeps until then. */
export class FakeClock implements Clock {
  #nowMs: number;
  #sleepers: Sleeper[] = [];

  constructor(nowMs = 1_000_000) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  get sleeping(): number {
    return this.#sleepers.length;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper: Sleeper = { atMs: this.#nowMs + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        resolve();
      });
    });
  }

  /** Moves the time, waking sleepers one after the other, each at its own time. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      await settled();
      const next = this.#sleepers.toSorted((a, b) => a.atMs - b.atMs)[0];
      if (!next || next.atMs > untilMs) break;
      this.#sleepers = this.#sleepers.filter((other) => other !== next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.wake();
    }
    this.#nowMs = untilMs;
    await settled();
  }
}

/** Lets everything run that waits for nothing but its turn. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Simulated time: a queue of events. The next event is taken only when every promise that the last one settled has run
 * its course, so a run has one order of things and no other.
 */
import type { Chance } from '../../support/seeded-random.ts';

interface Event {
  readonly atMs: number;
  /** Decides between events of one millisecond, by chance: any order of them may happen. */
  readonly tie: number;
  readonly run: () => void;
}

export class Timeline {
  readonly #chance: Chance;
  readonly #heap: Event[] = [];
  #nowMs = 0;
  #events = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** Milliseconds since the simulation began; no clock of a simulated machine is meant. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Events taken so far. */
  get events(): number {
    return this.#events;
  }

  after(delayMs: number, run: () => void): void {
    this.at(this.#nowMs + delayMs, run);
  }

  at(atMs: number, run: () => void): void {
    const event = { atMs: Math.max(atMs, this.#nowMs), tie: this.#chance.below(2 ** 30), run };
    const heap = this.#heap;
    let index = heap.length;
    heap.push(event);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (!above || !earlier(event, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = event;
  }

  /** Resolves when this much simulated time has passed. */
  pass(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, resolve));
  }

  /** Lets everything run that needs no event. */
  settle(): Promise<void> {
    return drained();
  }

  /** Takes one event and lets everything run that follows from it; false when there is none. */
  async step(): Promise<boolean> {
    const event = this.#pop();
    if (!event) return false;
    this.#nowMs = event.atMs;
    this.#events += 1;
    event.run();
    await drained();
    return true;
  }

  #pop(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const leftEvent = heap[left];
      if (!leftEvent) break;
      const rightEvent = heap[left + 1];
      const right = rightEvent !== undefined && earlier(rightEvent, leftEvent);
      const child = right ? rightEvent : leftEvent;
      if (!earlier(child, last)) break;
      heap[index] = child;
      index = right ? left + 1 : left;
    }
    heap[index] = last;
    return first;
  }
}

const earlier = (a: Event, b: Event): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.tie < b.tie);

/** Resolves when no promise is left that could go on by itself. */
const drained = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

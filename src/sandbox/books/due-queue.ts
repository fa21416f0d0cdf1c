/**
 * An entry that falls due. Entries come earliest first; those due at the same time come in the order in which they were
 * added.
 */
interface Due<T> {
  readonly at: number;
  readonly sequence: number;
  readonly item: T;
}

/** A binary heap: adding and taking cost the logarithm of the number of entries. */
export class DueQueue<T> {
  readonly #heap: Due<T>[] = [];
  #added = 0;

  add(at: number, item: T): void {
    const due: Due<T> = { at, sequence: this.#added++, item };
    const heap = this.#heap;
    let hole = heap.length;
    heap.push(due);
    while (hole > 0) {
      const parentAt = (hole - 1) >> 1;
      const parent = heap[parentAt];
      if (parent === undefined || !isBefore(due, parent)) break;
      heap[hole] = parent;
      hole = parentAt;
    }
    heap[hole] = due;
  }

  /** Removes and returns the earliest entry that is due at `at` or before, with its time; `undefined` if there is none. */
  take(at: number): { readonly at: number; readonly item: T } | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.at > at) return undefined;
    const last = this.#heap.pop();
    if (last !== undefined && last !== first) this.#sink(last);
    return first;
  }

  /** Returns when the earliest entry is due, or `undefined` if there are none. */
  nextAt(): number | undefined {
    return this.#heap[0]?.at;
  }

  #sink(due: Due<T>): void {
    const heap = this.#heap;
    let hole = 0;
    for (;;) {
      const left = heap[2 * hole + 1];
      const right = heap[2 * hole + 2];
      if (left === undefined) break;
      const goRight = right !== undefined && isBefore(right, left);
      const child = goRight ? right : left;
      if (!isBefore(child, due)) break;
      heap[hole] = child;
      hole = 2 * hole + (goRight ? 2 : 1);
    }
    heap[hole] = due;
  }
}

const isBefore = <T>(a: Due<T>, b: Due<T>): boolean => a.at < b.at || (a.at === b.at && a.sequence < b.sequence);

/** What a worker has done since it started, and how it stands: what its health answers are made of. It knows batches by number alone. */
import { noOutcomes, type Outcome, type OutcomeCounts, outcomes } from '../domain/outcome.ts';

export class Tally {
  /** Rows that came to an outcome while this worker had their batch. */
  readonly rows = noOutcomes();
  /** Ends of work on a batch, by exit code. */
  readonly exits = new Map<number, number>();
  /** Wall-clock seconds at which a row was last completed; 0: none was. */
  completedAt = 0;
  /** Whether the server of the ledger answered when it was last asked. */
  hasLedger = false;
  /** Whether the service has given a token. */
  hasToken = false;
  isStopping = false;
  /** Batches that wait for a person, as this worker knows. */
  left = 0;
  readonly #slices = new Map<object, OutcomeCounts>();

  get isReady(): boolean {
    return this.hasLedger && this.hasToken && !this.isStopping;
  }

  /** Batches that are worked on now. */
  get batches(): number {
    return this.#slices.size;
  }

  /** Rows of them that were sent and have no final word. */
  get open(): number {
    return [...this.#slices.values()].reduce((sum, counts) => sum + counts.pending + counts['in-doubt'], 0);
  }

  begin(slice: object, counts: OutcomeCounts): void {
    this.#slices.set(slice, counts);
  }

  /** `counts`: of the whole batch, now. What is less than before counts as nothing: a counter never goes back. */
  move(slice: object, counts: OutcomeCounts, now: number): void {
    const before = this.#slices.get(slice);
    if (!before) return;
    for (const outcome of outcomes) this.rows[outcome] += grown(before, counts, outcome);
    if (grown(before, counts, 'completed') > 0) this.completedAt = Math.floor(now / 1000);
    this.#slices.set(slice, { ...counts });
  }

  end(slice: object, exit: number | undefined): void {
    this.#slices.delete(slice);
    if (exit !== undefined) this.exits.set(exit, (this.exits.get(exit) ?? 0) + 1);
  }
}

const grown = (before: OutcomeCounts, after: OutcomeCounts, outcome: Outcome): number =>
  Math.max(after[outcome] - before[outcome], 0);

/** What a worker has done since it started, and how it is doing: the source of its health answers. It counts batches and names none. */
import { noOutcomes, type Outcome, type OutcomeCounts, outcomes } from '../domain/outcome.ts';

export class Tally {
  /** Rows that reached an outcome while this worker had their batch. */
  readonly rows = noOutcomes();
  /** How many times work on a batch ended, by exit code. */
  readonly exits = new Map<number, number>();
  /** Time at which a row was last completed, in wall-clock seconds; 0: none was. */
  completedAt = 0;
  /** Whether the server of the ledger answered when it was last asked. */
  hasLedger = false;
  /** Whether the service has issued a token. */
  hasToken = false;
  isStopping = false;
  /** Number of batches that wait for a person, as far as this worker knows. */
  left = 0;
  readonly #slices = new Map<object, OutcomeCounts>();

  get isReady(): boolean {
    return this.hasLedger && this.hasToken && !this.isStopping;
  }

  /** Number of batches that are worked on now. */
  get batches(): number {
    return this.#slices.size;
  }

  /** Number of rows of those batches that were sent and have no final outcome. */
  get open(): number {
    return [...this.#slices.values()].reduce((sum, counts) => sum + counts.pending + counts['in-doubt'], 0);
  }

  begin(slice: object, counts: OutcomeCounts): void {
    this.#slices.set(slice, counts);
  }

  /**
   * Adds rows that reached an outcome. `counts`: those of the whole batch, now. A decrease counts as nothing, because a
   * counter never goes back.
   */
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

/** Counts of outcomes while a run goes, moved by every recorded order; the ledger stays the truth. */
import type { Tally } from '../domain/batch.ts';
import { isSuperseded, type OrderState, outcomeOfLine } from '../domain/order.ts';
import { isSettled, noOutcomes, type Outcome, type OutcomeCounts } from '../domain/outcome.ts';

export class RunCounts {
  readonly #counts: Record<Outcome, number> = noOutcomes();
  readonly #atStart: OutcomeCounts;
  #unsentMinor = 0n;
  /** Unsent rows whose order was superseded. */
  #superseded = 0;

  constructor(tallies: readonly Tally[]) {
    for (const { outcome, count, amount, superseded = 0 } of tallies) {
      this.#counts[outcome] += count;
      if (outcome !== 'unsent') continue;
      this.#unsentMinor += amount.minor;
      this.#superseded += superseded;
    }
    this.#atStart = { ...this.#counts };
  }

  move(before: OrderState, after: OrderState): void {
    this.#count(before, -1);
    this.#count(after, 1);
  }

  #count(state: OrderState, rows: 1 | -1): void {
    const superseded = isSuperseded(state) ? rows : 0;
    for (const line of countedLines(state)) {
      const outcome = outcomeOfLine(state, line);
      this.#counts[outcome] += rows;
      if (outcome !== 'unsent') continue;
      this.#unsentMinor += BigInt(rows) * line.amount.minor;
      this.#superseded += superseded;
    }
  }

  get counts(): OutcomeCounts {
    return { ...this.#counts };
  }

  /** As the run found the batch. */
  get atStart(): OutcomeCounts {
    return this.#atStart;
  }

  /** Unsent rows that the run may send. */
  get toSend(): number {
    return this.#counts.unsent - this.#superseded;
  }

  /** Sum of the rows that were not sent, in minor units. */
  get unsentMinor(): bigint {
    return this.#unsentMinor;
  }

  /** Rows that were sent, and rows of them that have their final word. */
  get done(): number {
    return Object.entries(this.#counts).reduce((sum, [outcome, count]) => {
      const final = isSettled(outcome as Outcome) || outcome === 'timed-out'; // keys of the record are outcomes
      return final && outcome !== 'invalid' ? sum + count : sum;
    }, 0);
  }

  get payable(): number {
    const all = Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
    return all - this.#counts.invalid;
  }

  get waiting(): number {
    return openIn(this.#counts);
  }
}

/** Rows that were sent and have no final word. */
export const openIn = (counts: OutcomeCounts): number => counts.pending + counts['in-doubt'];

/** Rows that ended without being paid. A row that timed out may still be, and nobody would go on because of that. */
export const lostIn = (counts: OutcomeCounts): number =>
  counts.rejected + counts.refused + counts.failed + counts['timed-out'];

/** A row counts once: in the order that pays it now. */
const countedLines = ({ lines }: OrderState): OrderState['lines'] => lines.filter((line) => !line.replacedBy);

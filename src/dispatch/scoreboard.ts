/** Counts of outcomes while a run goes, moved by every recorded order; the ledger stays the truth. */
import type { Tally } from '../domain/batch.ts';
import { type OrderState, outcomeOfLine } from '../domain/order.ts';
import { isSettled, noOutcomes, type Outcome, type OutcomeCounts } from '../domain/outcome.ts';

export class Scoreboard {
  readonly #counts: Record<Outcome, number> = noOutcomes();

  constructor(tallies: readonly Tally[]) {
    for (const { outcome, count } of tallies) this.#counts[outcome] += count;
  }

  move(before: OrderState, after: OrderState): void {
    for (const line of countedLines(before)) this.#counts[outcomeOfLine(before, line)] -= 1;
    for (const line of countedLines(after)) this.#counts[outcomeOfLine(after, line)] += 1;
  }

  get counts(): OutcomeCounts {
    return { ...this.#counts };
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
    return this.#counts.pending + this.#counts['in-doubt'];
  }
}

/** A row counts once: in the order that pays it now. */
const countedLines = ({ lines }: OrderState): OrderState['lines'] => lines.filter((line) => !line.replacedBy);

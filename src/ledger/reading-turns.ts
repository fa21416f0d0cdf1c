/** Turns for everything else while long tables are read. */
import { setImmediate as turn } from 'node:timers/promises';

/**
 * A database in a file has its answer at once, so a long table would be read in one go: no signal would be heard meanwhile, no
 * timer would fire, and nothing that lived for a while would be freed.
 */
const ROWS_A_TURN = 2000;

export class ReadingTurns {
  /** Rows that were read since the last turn. */
  #rows = 0;

  /** Hands rows on that were just read; after so many of them, everything else goes first. */
  async handOn<Row>(rows: readonly Row[]): Promise<readonly Row[]> {
    this.#rows += rows.length;
    if (this.#rows >= ROWS_A_TURN) {
      this.#rows = 0;
      await turn();
    }
    return rows;
  }
}

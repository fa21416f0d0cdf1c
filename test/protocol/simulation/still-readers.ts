/** Readers to whom a simulated database stands still, whoever commits meanwhile. */
import Sqlite from 'better-sqlite3';
import type { Reader } from '../../../src/database/database.ts';
import { Connection } from '../../../src/database/sqlite.ts';

/** A moment that stands still for one reader; it is copied when somebody commits meanwhile. */
interface Still {
  frozen: Connection | undefined;
  readonly isWanted: () => boolean;
}

export class StillReaders {
  readonly #stills = new Set<Still>();

  /** Lets a reader stand still until its work is done. `now`: the database as it is. */
  async read<T>(
    isWanted: () => boolean,
    now: () => Connection,
    work: (still: Reader['read']) => Promise<T>,
  ): Promise<T> {
    const still: Still = { frozen: undefined, isWanted };
    this.#stills.add(still);
    try {
      return await work(async (sql, values) => (still.frozen ?? now()).all(sql, values));
    } finally {
      this.#stills.delete(still);
      still.frozen = undefined;
    }
  }

  /** Asked before the database changes. */
  freeze(content: () => Buffer): void {
    let frozen: Connection | undefined;
    for (const still of this.#stills) {
      if (still.frozen || !still.isWanted()) continue;
      frozen ??= new Connection(new Sqlite(content()));
      still.frozen = frozen;
    }
  }
}

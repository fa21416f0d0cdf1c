/** How far the batches of a shared ledger are, looked at again and again from outside while its server comes and goes. */
import { asAnother } from '../postgres.ts';

/** Orders with a final word are in none of these phases. */
const PROGRESS = `SELECT batch, sum(version) AS moved, count(*) FILTER (WHERE phase IN ('planned', 'claimed', 'in-doubt', 'accepted')) AS open
  FROM pay_order GROUP BY batch`;

/** How far a batch was when somebody looked, and since when it stands there; undefined: nobody has begun it. */
interface Standing {
  moved: number;
  since: number | undefined;
  isFinal: boolean;
}

export class BatchProgress {
  readonly #address: string;
  readonly #standing = new Map<string, Standing>();
  readonly #longest = new Map<string, number>();

  constructor(address: string) {
    this.#address = address;
  }

  /** Those that were seen so far. */
  get batches(): readonly string[] {
    return [...this.#standing.keys()];
  }

  get finals(): number {
    return [...this.#standing.values()].filter(({ isFinal }) => isFinal).length;
  }

  /** The longest time for which each batch that was begun and not final did not move, in seconds. */
  get longestStill(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#longest);
  }

  /** Open orders; undefined: the server was away. A batch stands still meanwhile. */
  async look(): Promise<number | undefined> {
    let open: number | undefined;
    try {
      for (const { batch, moved, open: left } of await asAnother(this.#address, PROGRESS)) {
        this.#moved(String(batch), Number(moved), Number(left) === 0);
        open = (open ?? 0) + Number(left);
      }
    } catch {
      // What cannot be asked does not move.
    }
    const now = performance.now();
    for (const [batch, { isFinal, since }] of this.#standing) {
      const seconds = since === undefined ? 0 : (now - since) / 1000;
      if (!isFinal) this.#longest.set(batch, Math.max(seconds, this.#longest.get(batch) ?? 0));
    }
    return open;
  }

  #moved(batch: string, moved: number, isFinal: boolean): void {
    const known = this.#standing.get(batch);
    if (!known) this.#standing.set(batch, { moved, since: undefined, isFinal });
    else if (known.moved !== moved) Object.assign(known, { moved, since: performance.now(), isFinal });
    else known.isFinal = isFinal;
  }
}

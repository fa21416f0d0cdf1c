/**
 * The ledger as pages read it. Each page opens it, which takes time by the number of batches. Proving a batch takes time by the
 * number of its rows, so it is done once: one opening is kept between pages and answers what needs a proof. An act opens the
 * ledger for itself and proves it again.
 */
import type { BatchId } from '../domain/ids.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ConsoleWorld, Opened, Records } from './world.ts';

/**
 * The kept opening is closed after this time without use, in milliseconds: on Windows an open file cannot be replaced by a
 * backup.
 */
const UNUSED_MS = 300_000;

/** An opening that is kept between pages. */
interface Kept {
  readonly opening: Promise<Opened<Records>>;
  /** Number of pages that are using it now. */
  users: number;
  /** Time of its last use, in monotonic milliseconds. */
  usedAt: number;
  /**
   * The first batch that it has proven. Asking for the tallies of a proven batch makes the opening read up to the end of the
   * ledger.
   */
  proven?: BatchId;
}

export class KeptLedger {
  readonly #world: Pick<ConsoleWorld, 'records' | 'clock'>;
  readonly #over = new AbortController();
  #kept: Kept | undefined;

  constructor(world: Pick<ConsoleWorld, 'records' | 'clock'>) {
    this.#world = world;
  }

  /**
   * Opens the ledger for one page. The counts of a batch are proven when they are first asked for, and follow the index of the
   * ledger after that. `proveWhole` and `resultRows` prove the whole batch, unless nothing was recorded about it since the last
   * proof. Throws the Faults of `ConsoleWorld.records`.
   */
  async open(): Promise<Opened<Records>> {
    const kept = this.#use();
    try {
      const before = await latestHead(kept);
      const own = await this.#world.records(() => undefined);
      const isSame = await isOneLedger(own.deps.ledger, kept, before).catch(async (error: unknown) => {
        await own[Symbol.asyncDispose]();
        throw error;
      });
      const { ledger } = (await kept.opening).deps;
      // The file was replaced by another ledger or by a backup: proofs of the old one must not reach a page.
      if (!isSame) await this.#forget(kept);
      return {
        deps: isSame ? { ...own.deps, ledger: withProofs(own.deps.ledger, ledger, kept) } : own.deps,
        [Symbol.asyncDispose]: async () => {
          await own[Symbol.asyncDispose]();
          await this.#leave(kept);
        },
      };
    } catch (error) {
      // The next page tries again.
      await this.#forget(kept);
      await this.#leave(kept);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#over.abort();
    if (this.#kept) await this.#forget(this.#kept);
  }

  #use(): Kept {
    const { clock } = this.#world;
    const usedAt = clock.monotonicMs();
    const kept = this.#kept ?? { opening: this.#world.records(() => undefined), users: 0, usedAt };
    if (this.#kept === undefined) void this.#forgetUnused(kept);
    this.#kept = kept;
    kept.users += 1;
    kept.usedAt = usedAt;
    return kept;
  }

  async #forgetUnused(kept: Kept): Promise<void> {
    const { clock } = this.#world;
    for (let leftMs = UNUSED_MS; leftMs > 0; leftMs = kept.usedAt + UNUSED_MS - clock.monotonicMs()) {
      await clock.sleep(leftMs, this.#over.signal);
      if (this.#over.signal.aborted) return;
    }
    await this.#forget(kept);
  }

  /** Drops the kept opening, so that the next page opens another one. */
  async #forget(kept: Kept): Promise<void> {
    if (this.#kept !== kept) return;
    this.#kept = undefined;
    if (kept.users === 0) await closed(kept);
  }

  async #leave(kept: Kept): Promise<void> {
    kept.users -= 1;
    if (kept.users === 0 && this.#kept !== kept) await closed(kept);
  }
}

/** Closes an opening, unless it failed. */
async function closed({ opening }: Kept): Promise<void> {
  const opened = await opening.catch(() => undefined);
  await opened?.[Symbol.asyncDispose]();
}

/**
 * The signed head, including what others recorded since the last use. Before the first proof it is the head at the time of
 * opening.
 */
async function latestHead({ opening, proven }: Kept): Promise<LedgerHead | undefined> {
  const { ledger } = (await opening).deps;
  if (proven !== undefined) await ledger.tallies(proven);
  return ledger.head();
}

/**
 * Whether the opening of a page and the kept one read the same ledger: the page's ledger must contain the kept one's last known
 * head, and the kept one must then reach the page's head. A file that was replaced fails one of these.
 */
async function isOneLedger(own: Ledger, kept: Kept, before: LedgerHead | undefined): Promise<boolean> {
  const end = await own.head();
  // Before the first batch there is nothing to prove.
  if (end === undefined || before === undefined || end.seq < before.seq) return false;
  const [ours, theirs] = [await own.signedBy(), await (await kept.opening).deps.ledger.signedBy()];
  const hasBefore = end.seq === before.seq ? end.hash : (await own.headAt(before.seq)).hash;
  if (ours?.ledger !== theirs?.ledger || hasBefore !== before.hash) return false;
  const now = await latestHead(kept);
  if (now === undefined || now.seq < end.seq) return false;
  return now.seq > end.seq || now.hash === end.hash;
}

/** The ledger that was opened for a page, with the proofs of the kept opening. */
function withProofs(own: Ledger, ledger: Ledger, kept: Kept): Ledger {
  const tallies: Ledger['tallies'] = async (batch) => {
    const found = await ledger.tallies(batch);
    kept.proven ??= batch;
    return found;
  };
  return {
    ...own,
    tallies,
    alarms: (batch) => ledger.alarms(batch),
    alarmedOrders: (batch) => ledger.alarmedOrders(batch),
    unverifiableRows: (batch) => ledger.unverifiableRows(batch),
    async proveWhole(batch) {
      // The kept opening knows what others recorded about the batch only after it has read up to the end of the ledger.
      await tallies(batch);
      await ledger.proveWhole(batch);
    },
    async *resultRows(batch) {
      await tallies(batch);
      yield* ledger.resultRows(batch);
    },
  };
}

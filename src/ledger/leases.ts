/** The leases that this process has, and how it comes by them: first the lock, then an epoch. */
import { type Clock, hastened } from '../domain/clock.ts';
import { invariant } from '../domain/invariant.ts';
import { type Database, numberOf, RowsDiffer, type Statement, writePatiently } from './database.ts';
import {
  atWorkText,
  drawing,
  epochIn,
  fence,
  heldBy,
  holderIn,
  isDraw,
  type LeaseHolder,
  type LeaseName,
  latestEpoch,
  leaseLost,
  leaseNames,
  leaseUnreadable,
  PLANNING,
  READ_EPOCH,
  taking,
} from './lease.ts';

/** So often an epoch is drawn again because somebody has drawn one in between. */
const DRAWS_MAX = 50;

/** Planning takes seconds, and a word that stops a batch a moment, so whoever wants to do the same waits for so long, in milliseconds. */
const BRIEF_MS = 10_000;
/** A batch is followed for hours. But somebody may look in this moment whether it is locked, in milliseconds. */
const LOOKED_AT_MS = 500;
/** How often the lock is tried meanwhile, in milliseconds. */
const TRY_MS = 100;

export interface LeaseTerms {
  readonly database: Database;
  readonly clock: Clock;
  /** This process, as others are told of it. */
  readonly holder: LeaseHolder;
  /** Told when another process is waited for: which one, with what it does, and for how many milliseconds at most. */
  readonly onHeld?: (who: string, forMs: number) => void;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

export class Leases {
  readonly #terms: LeaseTerms;
  readonly #epochs = new Map<LeaseName, number>();

  constructor(terms: LeaseTerms) {
    this.#terms = terms;
  }

  /** Takes a lease, or finds it taken already, and gives its epoch. Throws a Fault `ledger-held` when another process has it. */
  async take(name: LeaseName): Promise<number> {
    const known = this.#epochs.get(name);
    if (known !== undefined) return known;
    await this.#takeAll([name]);
    return this.epochOf(name);
  }

  /** Takes every lease that there is: nobody else does anything with the ledger from then on, but a new batch. */
  async takeEvery(): Promise<void> {
    const names = await leaseNames(this.#terms.database);
    await this.#takeAll(names.filter((name) => !this.#epochs.has(name)));
  }

  /** All of them in one transaction, under one epoch. */
  async #takeAll(names: readonly LeaseName[]): Promise<void> {
    const { database, clock, holder } = this.#terms;
    if (names.length === 0) return;
    const locked: LeaseName[] = [];
    try {
      for (const name of names) {
        await lockLease(this.#terms, name);
        locked.push(name);
      }
      const epoch = await this.#drawn((drawn) => names.map((name) => taking(name, drawn, holder, clock.now())));
      for (const name of names) this.#epochs.set(name, epoch);
    } catch (error) {
      for (const name of locked) await database.unlock(name);
      throw error;
    }
  }

  /** Draws an epoch, and says in the same transaction what is taken under it. */
  async #drawn(statements: (epoch: number) => readonly Statement[]): Promise<number> {
    for (let draws = 1; ; draws += 1) {
      const latest = await latestEpoch(this.#terms.database);
      try {
        await writePatiently(this.#terms, () => [drawing(latest), ...statements(latest + 1)]);
        return latest + 1;
      } catch (error) {
        if (!(error instanceof RowsDiffer)) throw error;
        // The lock is ours, and still somebody has a later epoch: nothing that paybatch has written.
        if (!isDraw(error.sql) || draws === DRAWS_MAX) throw leaseUnreadable(error);
      }
    }
  }

  /** Whether this process has taken the lease. */
  holds(name: LeaseName): boolean {
    return this.#epochs.has(name);
  }

  /** The epoch of a lease that this process took. */
  epochOf(name: LeaseName): number {
    const epoch = this.#epochs.get(name);
    invariant(epoch !== undefined, `the ledger is written under a lease, and this process does not have "${name}"`);
    return epoch;
  }

  /** The highest epoch that this process has been given. */
  get epoch(): number {
    invariant(this.#epochs.size > 0, 'the ledger is written under a lease');
    return Math.max(...this.#epochs.values());
  }

  /**
   * Throws a Fault `ledger-held` when another run has taken one of them since, and `ledger-unsafe` when a lock is no longer held, or
   * nobody answers who has it.
   */
  async prove(): Promise<void> {
    invariant(this.#epochs.size > 0, 'a lease is taken before it is proven');
    for (const [name, ours] of this.#epochs) {
      const [lease] = await this.#terms.database.readLocked(READ_EPOCH, [name]);
      const epoch = lease && numberOf(lease, 'epoch');
      if (epoch !== ours) throw leaseLost(`epoch ${ours} of "${name}" is over; the ledger has ${epoch}`);
    }
  }

  /** The first statements of a group, which fail it when one of its leases is no longer ours. */
  fences(names: readonly LeaseName[]): readonly Statement[] {
    invariant(names.length > 0, 'a group is written under a lease');
    return names.toSorted().map((name) => fence(name, this.epochOf(name)));
  }

  /**
   * Takes the lease of a new batch with the group that plans it, under the epoch of one that this process has. There may be such a lease
   * without a batch: somebody took it, and found that there is none. Throws a Fault `ledger-held` when somebody has it, or had it since.
   */
  async beginning(name: LeaseName, under: LeaseName): Promise<Statement> {
    const { database, clock, holder } = this.#terms;
    const epoch = this.epochOf(under);
    await lockLease(this.#terms, name);
    const before = (await epochIn(database, name)) ?? 0;
    if (before < epoch) return taking(name, epoch, holder, clock.now());
    await database.unlock(name);
    throw leaseLost(`"${name}" had epoch ${before} since "${under}" was given ${epoch}`);
  }

  /** The group that began it is written. */
  begun(name: LeaseName, under: LeaseName): void {
    this.#epochs.set(name, this.epochOf(under));
  }

  /** It was given back or lost, or its group was not written. */
  async over(name: LeaseName): Promise<void> {
    this.#epochs.delete(name);
    await this.#terms.database.unlock(name);
  }

  get names(): readonly LeaseName[] {
    return [...this.#epochs.keys()];
  }
}

/** Takes the lock of a lease. Throws a Fault `ledger-held` when another process keeps it for longer than it is waited for. */
export async function lockLease({ database, clock, onHeld, signal }: LeaseTerms, name: LeaseName): Promise<void> {
  const beganMs = clock.monotonicMs();
  const patienceMs = patienceMsOf(name, database);
  for (let isTold = false; ; ) {
    if (await database.tryLock(name)) return;
    const holder = await holderIn(database, name);
    const isOver = signal?.aborted === true || clock.monotonicMs() - beganMs >= hastened(patienceMs, clock);
    if (isOver) throw heldBy(name, holder);
    if (!isTold && holder && patienceMs > LOOKED_AT_MS) {
      onHeld?.(atWorkText({ name, holder }), hastened(patienceMs, clock));
      isTold = true;
    }
    await clock.sleep(hastened(TRY_MS, clock), signal);
  }
}

/** How long somebody who has a lease is waited for, in milliseconds. */
function patienceMsOf(name: LeaseName, { lingersMs }: Pick<Database, 'lingersMs'>): number {
  const isBrief = name === PLANNING || name.startsWith('stop ');
  return Math.max(isBrief ? BRIEF_MS : LOOKED_AT_MS, lingersMs);
}

/** The leases that this process has, and how it takes them: first the lock, then an epoch. */

import { type Database, numberOf, RowsDiffer, type Statement, writePatiently } from '../database/database.ts';
import { type Clock, hastened } from '../domain/clock.ts';
import { invariant } from '../domain/invariant.ts';
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

/** How many times an epoch is drawn, if other processes draw one in between. */
const DRAWS_MAX = 50;

/**
 * How long to wait for the lease of planning, or of stopping a batch, in milliseconds. Planning takes seconds, and a stop
 * takes a moment.
 */
const BRIEF_MS = 10_000;
/**
 * How long to wait for any other lease, in milliseconds. A batch is followed for hours, but its lock may also be busy
 * because another process is just checking it.
 */
const LOOKED_AT_MS = 500;
/** Pause between two tries for a lock, in milliseconds. */
const TRY_MS = 100;

export interface LeaseTerms {
  readonly database: Database;
  readonly clock: Clock;
  /** This process, as described to others. */
  readonly holder: LeaseHolder;
  /** Called when waiting for another process begins, with that process and what it does, and the longest wait in milliseconds. */
  readonly onHeld?: (who: string, forMs: number) => void;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

export class Leases {
  readonly #terms: LeaseTerms;
  readonly #epochs = new Map<LeaseName, number>();
  /** The reading of `prove` that is under way, or the last one. */
  #proof: Promise<void> = Promise.resolve();
  /** The reading that begins after it. */
  #nextProof: Promise<void> | undefined;

  constructor(terms: LeaseTerms) {
    this.#terms = terms;
  }

  /**
   * Takes a lease, unless this process has it already, and returns its epoch. Throws a Fault `ledger-held` if another
   * process has it.
   */
  async take(name: LeaseName): Promise<number> {
    const known = this.#epochs.get(name);
    if (known !== undefined) return known;
    await this.#takeAll([name]);
    return this.epochOf(name);
  }

  /** Takes every existing lease. From then on no other process does anything with the ledger, except begin a new batch. */
  async takeEvery(): Promise<void> {
    const names = await leaseNames(this.#terms.database);
    await this.#takeAll(names.filter((name) => !this.#epochs.has(name)));
  }

  /** Takes these leases in one transaction, under one epoch. */
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

  /** Draws an epoch, and records in the same transaction what is taken under it. */
  async #drawn(statements: (epoch: number) => readonly Statement[]): Promise<number> {
    for (let draws = 1; ; draws += 1) {
      const latest = await latestEpoch(this.#terms.database);
      try {
        await writePatiently(this.#terms, () => [drawing(latest), ...statements(latest + 1)]);
        return latest + 1;
      } catch (error) {
        if (!(error instanceof RowsDiffer)) throw error;
        // This process has the lock, and yet the lease has a later epoch: nothing that paybatch has written.
        if (!isDraw(error.sql) || draws === DRAWS_MAX) throw leaseUnreadable(error);
      }
    }
  }

  /** Reports whether this process has taken the lease. */
  holds(name: LeaseName): boolean {
    return this.#epochs.has(name);
  }

  /** Returns the epoch of a lease that this process took. */
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
   * Throws a Fault `ledger-held` if another run has taken one of the leases since, and `ledger-unsafe` if a lock is no
   * longer held, or it cannot be found out who has it. Asked before each submission, so calls share a reading: each waits for
   * one that began after the call. A reading that was under way by then may show a lease that has been lost since.
   */
  prove(): Promise<void> {
    this.#nextProof ??= this.#proof.then(() => {
      this.#nextProof = undefined;
      const proof = this.#readEpochs();
      this.#proof = proof.catch(nothing); // whoever waits for it is told
      return proof;
    });
    return this.#nextProof;
  }

  async #readEpochs(): Promise<void> {
    invariant(this.#epochs.size > 0, 'a lease is taken before it is proven');
    for (const [name, ours] of this.#epochs) {
      const [lease] = await this.#terms.database.readLocked(READ_EPOCH, [name]);
      const epoch = lease && numberOf(lease, 'epoch');
      if (epoch !== ours) throw leaseLost(`epoch ${ours} of "${name}" is over; the ledger has ${epoch}`);
    }
  }

  /** Returns the first statements of a group, which make it fail if this process no longer has one of its leases. */
  fences(names: readonly LeaseName[]): readonly Statement[] {
    invariant(names.length > 0, 'a group is written under a lease');
    return names.toSorted().map((name) => fence(name, this.epochOf(name)));
  }

  /**
   * Returns the statement that takes the lease of a new batch, for the group that plans the batch, under the epoch of a
   * lease that this process has. The lease may exist without the batch, if a process took it and then found no batch. Throws
   * a Fault `ledger-held` if another process has the lease, or has had it since.
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

  /** Takes over a lease whose first group is written. */
  begun(name: LeaseName, under: LeaseName): void {
    this.#epochs.set(name, this.epochOf(under));
  }

  /** Drops a lease that was released or lost, or whose first group was not written. */
  async over(name: LeaseName): Promise<void> {
    this.#epochs.delete(name);
    await this.#terms.database.unlock(name);
  }

  get names(): readonly LeaseName[] {
    return [...this.#epochs.keys()];
  }
}

/** Takes the lock of a lease. Throws a Fault `ledger-held` if another process keeps it for longer than the wait allows. */
export async function lockLease({ database, clock, onHeld, signal }: LeaseTerms, name: LeaseName): Promise<void> {
  const beganMs = clock.monotonicMs();
  const patienceMs = patienceMsOf(name, database);
  for (let isReported = false; ; ) {
    if (await database.tryLock(name)) return;
    const holder = await holderIn(database, name);
    const isOver = signal?.aborted === true || clock.monotonicMs() - beganMs >= hastened(patienceMs, clock);
    if (isOver) throw heldBy(name, holder);
    if (!isReported && holder && patienceMs > LOOKED_AT_MS) {
      onHeld?.(atWorkText({ name, holder }), hastened(patienceMs, clock));
      isReported = true;
    }
    await clock.sleep(hastened(TRY_MS, clock), signal);
  }
}

/** Returns how long to wait for the holder of a lease, in milliseconds. */
function patienceMsOf(name: LeaseName, { lingersMs }: Pick<Database, 'lingersMs'>): number {
  const isBrief = name === PLANNING || name.startsWith('stop ');
  return Math.max(isBrief ? BRIEF_MS : LOOKED_AT_MS, lingersMs);
}

const nothing = (): void => undefined;

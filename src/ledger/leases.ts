/** The leases that this process has, and how it comes by them. */
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { numberOf, RowsDiffer, type Statement } from './database.ts';
import {
  batchOfLease,
  drawing,
  isTaking,
  type LeaseName,
  type LeaseRecord,
  laneOfLease,
  leaseLost,
  leaseNames,
  leaseOf,
  leaseUnreadable,
  READ_EPOCH,
  renewal,
  taking,
} from './lease.ts';
import { type LeaseWatch, leaseToTake } from './lease-watch.ts';
import { writePatiently } from './patient-write.ts';
import type { Span } from './span.ts';

/** So often a lease is looked at again because somebody has taken another one in between. */
const TAKES_MAX = 50;

interface NamedLease {
  readonly name: LeaseName;
  readonly lease: LeaseRecord;
}

export class Leases {
  readonly #options: LeaseWatch;
  readonly #epochs = new Map<LeaseName, number>();
  /** Of the lanes that this process has. */
  readonly #spans = new Map<BatchId, Span>();

  constructor(options: LeaseWatch) {
    this.#options = options;
  }

  /** Takes a lease, or finds it taken already, and gives its epoch. Throws a Fault `ledger-held` when another process has it. */
  async take(name: LeaseName): Promise<number> {
    const known = this.#epochs.get(name);
    if (known !== undefined) return known;
    await this.#takeAll([name]);
    return this.epochOf(name);
  }

  /** Takes several that are not held here, or none of them, under one epoch. Throws as `take`. */
  takeTogether(names: readonly LeaseName[]): Promise<void> {
    return this.#takeAll(names, true);
  }

  /** Takes every lease that there is: nobody else does anything with the ledger from then on, but a new batch. */
  async takeEvery(): Promise<void> {
    const names = await leaseNames(this.#options.database);
    await this.#takeAll(names.filter((name) => !this.#epochs.has(name)));
  }

  /** All of them in one transaction, under one epoch. `atOnce`: those that are silent are watched at the same time. */
  async #takeAll(names: readonly LeaseName[], atOnce = false): Promise<void> {
    const { clock, holder } = this.#options;
    if (names.length === 0) return;
    for (let tries = 1; ; tries += 1) {
      const leases = atOnce ? await this.#toTakeAtOnce(names) : await this.#toTake(names);
      const latest = Math.max(...leases.map(({ lease }) => lease.latest));
      const at = clock.now();
      try {
        await writePatiently(this.#options, () => [
          drawing(latest),
          ...leases.map(({ name, lease }) => taking(name, lease, latest + 1, holder, at)),
        ]);
      } catch (error) {
        // Who took it is told when it is looked at again.
        if (!(error instanceof RowsDiffer && isTaking(error.sql))) throw error;
        if (tries === TAKES_MAX) throw leaseUnreadable(error);
        continue;
      }
      for (const name of names) this.#epochs.set(name, latest + 1);
      return;
    }
  }

  async #toTake(names: readonly LeaseName[]): Promise<readonly NamedLease[]> {
    const leases: NamedLease[] = [];
    for (const name of names) leases.push({ name, lease: await leaseToTake(this.#options, name) });
    return leases;
  }

  /** Silence takes a minute to be known: of many leases, not a minute each. Who is told that one is held waits for no other. */
  async #toTakeAtOnce(names: readonly LeaseName[]): Promise<readonly NamedLease[]> {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, ...(this.#options.signal ? [this.#options.signal] : [])]);
    const watch = { ...this.#options, signal };
    try {
      return await Promise.all(names.map(async (name) => ({ name, lease: await leaseToTake(watch, name) })));
    } finally {
      over.abort();
    }
  }

  /**
   * What this process writes of a batch is written under all of these: the lease of the batch with those of its lanes, or that of one
   * lane. Never none: without one, nothing is written.
   */
  namesOf(batch: BatchId): readonly [LeaseName, ...LeaseName[]] {
    const [first = leaseOf(batch), ...others] = this.names.filter((name) => batchOfLease(name) === batch);
    return [first, ...others];
  }

  /** The epoch under which this process works on a batch, or on a lane of it. */
  epochOfBatch(batch: BatchId): number {
    return this.epochOf(this.namesOf(batch)[0]);
  }

  /** Which orders of a batch this process may move; undefined: all of them. */
  spanOf(batch: BatchId): Span | undefined {
    return this.#spans.get(batch);
  }

  /** Takes one lane of a batch, to move the orders that stand in it. */
  async takeLane(batch: BatchId, name: LeaseName, span: Span): Promise<void> {
    await this.take(name);
    this.#spans.set(batch, span);
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

  /** Throws a Fault `ledger-held` when another run has taken one of them since. It reads alone: a run that waits shows no life by it. */
  async prove(): Promise<void> {
    invariant(this.#epochs.size > 0, 'a lease is taken before it is proven');
    for (const [name, ours] of this.#epochs) {
      const [lease] = await this.#options.database.read(READ_EPOCH, [name]);
      const epoch = lease && numberOf(lease, 'epoch');
      if (epoch !== ours) throw leaseLost(`epoch ${ours} of "${name}" is over; the ledger has ${epoch}`);
    }
  }

  /** Renews leases as the first statements of a group. */
  fences(names: readonly LeaseName[]): readonly Statement[] {
    invariant(names.length > 0, 'a group is written under a lease');
    const at = this.#options.clock.now();
    return names.toSorted().map((name) => renewal(name, this.epochOf(name), at));
  }

  /**
   * Takes the lease of a new batch with the group that plans it, under the epoch of one that this process has. There may be such a lease
   * without a batch: somebody took it, and found that there is none. Throws a Fault `ledger-held` when somebody has it, or had it since.
   */
  async beginning(name: LeaseName, under: LeaseName): Promise<Statement> {
    const { clock, holder } = this.#options;
    const [lease, epoch] = [await leaseToTake(this.#options, name), this.epochOf(under)];
    if (lease.epoch >= epoch) throw leaseLost(`"${name}" had epoch ${lease.epoch} since "${under}" was given ${epoch}`);
    return taking(name, lease, epoch, holder, clock.now());
  }

  /** The group that began it is written. */
  begun(name: LeaseName, under: LeaseName): void {
    this.#epochs.set(name, this.epochOf(under));
  }

  /** It was given back, or lost. */
  over(name: LeaseName): void {
    this.#epochs.delete(name);
    const batch = laneOfLease(name) === undefined ? undefined : batchOfLease(name);
    if (batch !== undefined) this.#spans.delete(batch);
  }

  get names(): readonly LeaseName[] {
    return [...this.#epochs.keys()];
  }
}

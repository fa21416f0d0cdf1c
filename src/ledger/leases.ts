/** The leases that this process has, and how it comes by them. */
import { invariant } from '../domain/invariant.ts';
import { numberOf, RowsDiffer, type Statement, writePatiently } from './database.ts';
import {
  drawing,
  isTaking,
  type LeaseName,
  type LeaseRecord,
  leaseLost,
  leaseNames,
  leaseUnreadable,
  READ_EPOCH,
  renewal,
  taking,
} from './lease.ts';
import { type LeaseWatch, leaseToTake } from './lease-watch.ts';

/** So often a lease is looked at again because somebody has taken another one in between. */
const TAKES_MAX = 50;

interface NamedLease {
  readonly name: LeaseName;
  readonly lease: LeaseRecord;
}

export class Leases {
  readonly #options: LeaseWatch;
  readonly #epochs = new Map<LeaseName, number>();

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

  /** Takes every lease that there is: nobody else does anything with the ledger from then on, but a new batch. */
  async takeEvery(): Promise<void> {
    const names = await leaseNames(this.#options.database);
    await this.#takeAll(names.filter((name) => !this.#epochs.has(name)));
  }

  /** All of them in one transaction, under one epoch. */
  async #takeAll(names: readonly LeaseName[]): Promise<void> {
    const { clock, holder } = this.#options;
    if (names.length === 0) return;
    for (let tries = 1; ; tries += 1) {
      const leases = await this.#toTake(names);
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
  }

  get names(): readonly LeaseName[] {
    return [...this.#epochs.keys()];
  }
}

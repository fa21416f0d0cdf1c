/** The one way into the ledger: groups of statements, each under the lease, with their facts at the end of the chain. */
import type { BatchFact, Fact, RunTerms, StopDetails } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import { type ChainHead, type Chains, factHash } from './chain.ts';
import type { NewSalt } from './commitment.ts';
import { numberOf, RowsDiffer, type Statement } from './database.ts';
import { encodeFact } from './fact-record.ts';
import { factStatement } from './facts.ts';
import type { Keyring } from './keyring.ts';
import { isLeaseStatement, leaseLost, READ_EPOCH, releasing, renewal, taking } from './lease.ts';
import { type LeaseWatch, leaseToTake } from './lease-watch.ts';
import type { Proof } from './proof.ts';
import { headStatement, signedHead } from './signed-head.ts';

/** Makes the statement that appends a fact. Every one that is made must be run, in the order in which they were made. */
export type Append = (batch: BatchId, fact: Fact | BatchFact) => Statement;

export interface WriterOptions extends LeaseWatch {
  readonly ledgerUuid: string;
  /** Where the chains end: what is appended goes on from there. */
  readonly proof: Pick<Proof, 'chains' | 'head' | 'appended'>;
  readonly keyring: Pick<Keyring, 'signer'>;
  readonly newSalt: NewSalt;
}

export class Writer {
  readonly #options: WriterOptions;
  #epoch: number | undefined;
  #run: BatchId | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Takes the lease, or finds it held already, and gives its epoch. Throws a Fault `ledger-held` when another has it. */
  async take(): Promise<number> {
    if (this.#epoch !== undefined) return this.#epoch;
    const { database, clock, holder } = this.#options;
    const lease = await leaseToTake(this.#options);
    await guarded(database.write([taking(lease, holder, clock.now())]));
    this.#epoch = lease.epoch + 1;
    return this.#epoch;
  }

  /** Whether this process has taken the lease. */
  get holds(): boolean {
    return this.#epoch !== undefined;
  }

  /** The epoch of the lease that this process took. */
  get epoch(): number {
    invariant(this.#epoch !== undefined, 'the ledger is written under the lease');
    return this.#epoch;
  }

  /** The end of the ledger, as far as it is committed. */
  get head(): ChainHead {
    const { head, chains } = this.#options.proof;
    return head ? { seq: head.seq, hash: head.hash } : chains.head;
  }

  async renew(): Promise<void> {
    await this.write(() => []);
  }

  /** Throws a Fault `ledger-held` when another run has taken the lease since. It reads alone: a run that waits shows no life by it. */
  async prove(): Promise<void> {
    const [lease] = await this.#options.database.read(READ_EPOCH);
    const epoch = lease && numberOf(lease, 'epoch');
    if (epoch !== this.epoch) throw leaseLost(`epoch ${this.epoch} is over; the ledger has ${epoch}`);
  }

  async recordRun(batch: BatchId, version: string, terms: RunTerms = {}): Promise<void> {
    const { clock, holder } = this.#options;
    const fact: BatchFact = {
      type: 'run-started',
      batch,
      at: clock.now(),
      epoch: this.epoch,
      holder: `${holder.description} (process ${holder.pid} on ${holder.host})`,
      version,
      ...terms,
    };
    await this.write((append) => [append(batch, fact)]);
    this.#run = batch;
  }

  /** Records why the run that was recorded with `recordRun` came to its end. */
  async recordStop(reason: string, stop?: StopDetails): Promise<void> {
    const batch = this.#run;
    invariant(batch !== undefined, 'a run is recorded before its end');
    const at = this.#options.clock.now();
    const { epoch } = this;
    await this.write((append) => [append(batch, { type: 'run-stopped', batch, at, epoch, reason, ...stop })]);
    this.#run = undefined;
  }

  /** Gives the lease back, if this process has it. One that is lost, or cannot be written any more, is left alone. */
  async release(): Promise<void> {
    const epoch = this.#epoch;
    if (epoch === undefined) return;
    try {
      await this.write(() => [releasing(epoch)]);
    } catch (error) {
      // Whoever opens the ledger next sees that this process is gone.
      if (!(error instanceof Fault)) throw error;
    } finally {
      this.#epoch = undefined;
    }
  }

  /** Writes one group; it is asked for when its turn has come. */
  write(group: (append: Append) => Iterable<Statement>): Promise<void> {
    return guarded(this.#options.database.write(this.#fenced(this.epoch, group)));
  }

  /** Writes one group that comes in blocks, all of them in one transaction. */
  stream(blocks: (append: Append) => AsyncIterable<readonly Statement[]>): Promise<void> {
    return guarded(this.#options.database.write(this.#fencedStream(this.epoch, blocks)));
  }

  /** One block, so that a database that is far away is not waited for between two statements. */
  *#fenced(epoch: number, group: (append: Append) => Iterable<Statement>): Generator<readonly Statement[]> {
    const ending = this.#ending();
    yield [renewal(epoch, this.#options.clock.now()), ...group(ending.append), ...ending.sign()];
    // Reached when every statement was good: either the group is committed now, or nothing is ever written again.
    ending.keep();
  }

  async *#fencedStream(
    epoch: number,
    blocks: (append: Append) => AsyncIterable<readonly Statement[]>,
  ): AsyncGenerator<readonly Statement[]> {
    const ending = this.#ending();
    yield [renewal(epoch, this.#options.clock.now())];
    yield* blocks(ending.append);
    yield [...ending.sign()];
    ending.keep();
  }

  /** The end of the ledger as a group moves it: facts follow, the new end is signed, and kept when the group is. */
  #ending(): { readonly append: Append; readonly sign: () => Iterable<Statement>; readonly keep: () => void } {
    const { proof, keyring, ledgerUuid, newSalt } = this.#options;
    let moved: Chains | undefined;
    let head: LedgerHead | undefined;
    const append: Append = (batch, fact) => {
      moved ??= proof.chains.copy();
      const { number: before, hash: previous } = moved.endOf(batch);
      const number = before + 1;
      const order = 'order' in fact ? fact.order : undefined;
      const { type, at } = fact;
      const { data, kept } = encodeFact(fact, newSalt);
      const hash = factHash(previous, { batch, number, order, type, at, data });
      moved.follow(batch, { number, hash });
      const { text, salt } = kept ?? {};
      return factStatement({ seq: moved.seq, batch, number, order, type, at, data, hash, text, salt });
    };
    return {
      append,
      *sign() {
        if (!moved) return;
        head = signedHead(ledgerUuid, moved.head, keyring.signer);
        yield headStatement(head, proof.head?.seq ?? 0);
      },
      keep() {
        if (moved) proof.appended(moved, head);
      },
    };
  }
}

/** Says in our words that the lease was lost. */
async function guarded(written: Promise<void>): Promise<void> {
  try {
    await written;
  } catch (error) {
    if (error instanceof RowsDiffer && isLeaseStatement(error.sql)) throw leaseLost(error);
    throw error;
  }
}

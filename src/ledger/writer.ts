/**
 * The only way to write to the ledger: groups of statements, each under its leases, with their facts at the end of the
 * chains.
 */

import { RowsDiffer, type Statement, Turns, writePatiently } from '../database/database.ts';
import type { BatchFact, RunTerms, StopDetails } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { ChainHead } from './chain.ts';
import { type Append, type CommitOptions, commitOf } from './commit.ts';
import { isFence, type LeaseName, leaseLost, leaseOf, processText, releasing } from './lease.ts';
import { Leases, type LeaseTerms } from './leases.ts';
import type { Proof } from './proof.ts';
import { headSeq, isBelief, lockingHead } from './signed-head.ts';

/**
 * How many times a group is tried when other processes are faster. After the first time it waits until no other process can
 * append, so more tries are needed only on a database whose locks do not work.
 */
const GROUPS_MAX = 10;

/** Returns the statements of a group. Called again, with other numbers, if another process was faster. */
type Group = (append: Append) => Iterable<Statement>;

/** The leases that a group of several blocks is written under. */
export interface StreamTerms {
  readonly under: readonly LeaseName[];
  /** New leases, which this process has once the group is written, in the epoch of the first lease of `under`. */
  readonly takes?: readonly LeaseName[];
}

interface WriterOptions extends LeaseTerms, CommitOptions {
  readonly proof: CommitOptions['proof'] & Pick<Proof, 'follow'>;
}

/** The writer of a ledger, and what is proven of the ledger. */
export interface Recording {
  readonly writer: Writer;
  readonly proof: Proof;
}

export class Writer {
  readonly #options: WriterOptions;
  /** The leases that this process has. */
  readonly leases: Leases;
  /** Builds groups one after the other, so that none continues a chain that another one is moving. */
  readonly #turns = new Turns();
  /**
   * Whether no other process has appended facts lately. A group then assumes that none does now either, which saves a round
   * trip to a database that is far away.
   */
  #isAlone = true;
  /** The batch of the run that was recorded last and has no end yet. */
  #running: BatchId | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.leases = new Leases(options);
  }

  /** The end of the ledger as it is committed, as far as this process knows. */
  get head(): ChainHead {
    const { head, chains } = this.#options.proof;
    return head ? { seq: head.seq, hash: head.hash } : chains.head;
  }

  async recordRun(batch: BatchId, version: string, terms: RunTerms = {}): Promise<void> {
    const { clock, holder } = this.#options;
    const fact: BatchFact = {
      type: 'run-started',
      batch,
      at: clock.now(),
      epoch: this.leases.epochOf(leaseOf(batch)),
      holder: processText(holder),
      version,
      ...terms,
    };
    await this.write([leaseOf(batch)], (append) => [append(batch, fact)]);
    this.#running = batch;
  }

  /** Records why the run that was recorded with `recordRun` ended. */
  async recordStop(reason: string, stop?: StopDetails): Promise<void> {
    const batch = this.#running;
    invariant(batch !== undefined, 'a run is recorded before its end');
    const at = this.#options.clock.now();
    const epoch = this.leases.epochOf(leaseOf(batch));
    await this.write([leaseOf(batch)], (append) => [
      append(batch, { type: 'run-stopped', at, epoch, reason, ...stop, batch }),
    ]);
    this.#running = undefined;
  }

  /**
   * Releases those of the leases that this process has, in one group. Leases that are lost, or that can no longer be
   * written, are only unlocked.
   */
  async release(...names: readonly LeaseName[]): Promise<void> {
    const held = names.filter((name) => this.leases.holds(name));
    if (held.length === 0) return;
    const released = held.map((name) => releasing(name, this.leases.epochOf(name)));
    try {
      await this.write(held, () => released);
    } catch (error) {
      // The next process that wants one of these leases finds its lock free.
      if (!(error instanceof Fault)) throw error;
    } finally {
      for (const name of held) await this.leases.over(name);
    }
  }

  async releaseAll(): Promise<void> {
    for (const name of this.leases.names) await this.release(name);
  }

  /**
   * Writes one group under the leases of everything that it is about. Other processes append facts too: if one of them was
   * faster, the group is rolled back, what they appended is proven, and the group is built again with the numbers that
   * follow.
   */
  write(under: readonly LeaseName[], group: Group): Promise<void> {
    return this.#turns.take(async () => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await writePatiently(this.#options, () =>
            this.#isAlone ? this.#fenced(under, group) : this.#fencedInTurn(under, group),
          );
        } catch (error) {
          if (!wasOvertaken(error)) throw inOurWords(error);
          this.#isAlone = false;
          if (tries === GROUPS_MAX) throw overtaken(error);
        }
      }
    });
  }

  /** Writes one group that comes in blocks, all of them in one transaction. No other process writes in the meantime. */
  stream(terms: StreamTerms, blocks: (append: Append) => AsyncIterable<readonly Statement[]>): Promise<void> {
    return this.#turns.take(async () => {
      const { takes = [], under } = terms;
      const [first] = under;
      const begins: Statement[] = [];
      for (const taken of takes) if (first !== undefined) begins.push(await this.leases.beginning(taken, first));
      let isBegun = false;
      const make = () =>
        this.#fencedStream(terms, begins, (append) => {
          isBegun = true;
          return blocks(append);
        });
      try {
        await writePatiently(this.#options, make, () => !isBegun);
      } catch (error) {
        for (const taken of takes) await this.leases.over(taken);
        throw wasOvertaken(error) ? overtaken(error) : inOurWords(error);
      }
      for (const taken of takes) if (first !== undefined) this.leases.begun(taken, first);
    });
  }

  /** Reads and proves what other processes have appended since, without writing anything. Faults as `write`. */
  catchUp(): Promise<void> {
    return this.#turns.take(async () => {
      if ((await headSeq(this.#options.database)) !== (this.#options.proof.head?.seq ?? 0)) await this.#follow();
    });
  }

  async #follow(): Promise<void> {
    for (const batch of await this.#options.proof.follow()) {
      if (this.leases.holds(leaseOf(batch))) throw leaseLost(`somebody else has recorded facts of batch ${batch}`);
    }
  }

  /** Yields a group as one block, so that there is no waiting for a database that is far away between two statements. */
  *#fenced(under: readonly LeaseName[], group: Group): Generator<readonly Statement[]> {
    const commit = commitOf(this.#options, under);
    const statements = [...group(commit.append)];
    yield [...this.leases.fences(under), ...commit.begin(), ...statements, ...commit.sign()];
    // Reached only if every statement succeeded: now either the group is committed, or nothing is ever written again.
    commit.keep();
  }

  /** Like `#fenced`, after it has waited until no other process can append, and has read what others have appended. */
  async *#fencedInTurn(under: readonly LeaseName[], group: Group): AsyncGenerator<readonly Statement[]> {
    yield [...this.leases.fences(under), lockingHead];
    const { seq } = this.head;
    await this.#follow();
    this.#isAlone = this.head.seq === seq;
    yield* this.#fenced(under, group);
  }

  /** Like `#fencedInTurn`, but yields the group in blocks. */
  async *#fencedStream(
    { under, takes = [] }: StreamTerms,
    begins: readonly Statement[],
    blocks: (append: Append) => AsyncIterable<readonly Statement[]>,
  ): AsyncGenerator<readonly Statement[]> {
    yield [...this.leases.fences(under), lockingHead];
    await this.#follow();
    const commit = commitOf(this.#options, [...under, ...takes]);
    yield [...begins, ...commit.begin('always')];
    yield* blocks(commit.append);
    yield [...commit.sign()];
    commit.keep();
  }
}

/** Reports whether a group failed because others have appended facts since it was built. */
const wasOvertaken = (error: unknown): boolean => error instanceof RowsDiffer && isBelief(error.sql);

/** Returns the Fault for a lost lease if that is what an error means, otherwise the error itself. */
const inOurWords = (error: unknown): unknown =>
  error instanceof RowsDiffer && isFence(error.sql) ? leaseLost(error) : error;

/**
 * Returns the Fault for a group that others overtook again and again. With locks that work, every process gets its turn, so
 * this database does not keep processes apart.
 */
const overtaken = (cause: unknown): Fault =>
  new Fault(
    'ledger-unsafe',
    `Other processes recorded something each of the ${GROUPS_MAX} times that this one tried to record alone, so its last record was not written.`,
    'Nothing more was sent. Check that all of them use one ledger on a local disk or one server, then run `paybatch resume`.',
    { cause },
  );

/**
 * What has been proven of a ledger in this process. Nothing that the tables say is believed before that.
 *
 * First, what the ledger says about itself is compared with what its key has signed; the cost grows with the number of batches,
 * and not of orders. A batch is proven as a whole before it is read: its facts follow each other, and everything else
 * follows from its facts. After that, this process knows what each order of the batch has come to (`OrderDigests`), and
 * compares every order that it reads with that.
 */

import type { Database, Reader, SqlRow } from '../database/database.ts';
import type { Tally } from '../domain/batch.ts';
import type { BatchFact } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import type { PurgeRecord } from '../domain/purged.ts';
import { allDifferences } from './all-differences.ts';
import { batchDifferences, foundDifferences, rowAsPlanned, rowsAsPlanned, sheetRows, Tallied } from './batch-proof.ts';
import { batches, findBatch } from './batches.ts';
import { type ChainHead, type Chains, headHash } from './chain.ts';
import {
  chainDifferences,
  factDifferences,
  ledgerDifferences,
  noFacts,
  type ProvenFacts,
  plannedColumns,
  readLedger,
} from './chain-proof.ts';
import { RowsHash } from './commitment.ts';
import type { Keyring } from './keyring.ts';
import { readEnds } from './ledger-chain.ts';
import type { FoundRow } from './payees.ts';
import { changed } from './proof-faults.ts';
import { OrderDigests, type OrdersRead, type PlacedFact } from './recorded-orders.ts';
import { headSeq, type RecordedHead, recordedHead, signedHeadText } from './signed-head.ts';

interface ProofOptions {
  readonly database: Database;
  readonly ledgerUuid: string;
  readonly keyring: Keyring;
}

export class Proof {
  readonly #options: ProofOptions;
  #facts: ProvenFacts;
  #head: LedgerHead | undefined;
  /** `undefined` until the facts are proven for the first time. */
  #proven: Promise<void> | undefined;
  #every: Promise<void> | undefined;
  /** Digests of the orders of batches that were proven, or planned by this process. */
  readonly #digests = new Map<BatchId, OrderDigests>();
  /** Batches that this process planned, and about which no other process has recorded anything: they need no proof. */
  readonly #planned = new Set<BatchId>();
  /** Proofs of batches as wholes, under way or finished. */
  readonly #batches = new Map<BatchId, Promise<void>>();
  /** Proofs of only the rows of batches (`rowsSince`, `provenRows`), under way or finished. */
  readonly #rows = new Map<BatchId, Promise<void>>();
  /** For each batch, the number of its facts when it was last proven as a whole, and what had become of its rows by then. */
  readonly #wholeAt = new Map<BatchId, Whole>();
  /** Batches that were proven since the facts were last proven again, and not yet used by `batchUnderLease`. */
  readonly #underLease = new Set<BatchId>();
  /**
   * Batches about which other processes recorded something after they were proven. They are proven again only with the
   * facts, so a process that only reads proves them once.
   */
  readonly #overtaken = new Set<BatchId>();
  /**
   * How many times the facts were proven again. A proof of a batch that began before the latest time is not a proof under
   * the lease.
   */
  #leases = 0;

  constructor(options: ProofOptions) {
    this.#options = options;
    this.#facts = noFacts(options.ledgerUuid);
  }

  /** Proves the facts, unless that was done. With `again`, also proves the facts that were appended since. */
  facts(which?: 'again'): Promise<void> {
    if (which === 'again') {
      this.#leases += 1;
      this.#underLease.clear();
      this.#proven = (this.#proven ?? Promise.resolve()).then(() => this.#proveFacts());
    }
    this.#proven ??= this.#proveFacts();
    return this.#proven;
  }

  /**
   * Proves the facts that another process has appended, up to the end of the ledger, and returns the batches that they are
   * about. What this process has proven under its own leases stays valid, because no other process changes it.
   */
  async follow(): Promise<ReadonlySet<BatchId>> {
    const followed = (this.#proven ?? Promise.resolve()).then(() => this.#proveNew());
    this.#proven = followed.then(() => undefined);
    this.#proven.catch(() => undefined); // the next call of `facts` rejects with it
    for (const batch of await followed) this.#overtaken.add(batch);
    return followed;
  }

  /**
   * Proves every fact of the ledger, unless that was done. No proof of a single batch covers a question about the orders of
   * all batches at once.
   */
  everyFact(): Promise<void> {
    this.#every ??= this.#options.database.snapshot(async (still) => {
      const first = await this.#differencesIn(still, await recordedHead(still)).next();
      if (first.done !== true) throw changed(first.value);
    });
    return this.#every;
  }

  #differencesIn(still: Reader, recorded: RecordedHead) {
    const { ledgerUuid: uuid, keyring } = this.#options;
    return factDifferences(still, { uuid, proven: noFacts(uuid), keyring }, recorded);
  }

  /**
   * Proves a batch before it is read, unless that was done, or this process planned it. Of a batch that does not exist,
   * nothing is proven.
   */
  async batch(id: BatchId): Promise<void> {
    await this.facts();
    if (!this.#planned.has(id)) await this.#provenOnce(id);
  }

  /** Proves a batch as a whole as it is now, unless nothing was recorded about it since that was last done. */
  async whole(id: BatchId): Promise<void> {
    await this.facts();
    if ((this.#wholeAt.get(id)?.number ?? 0) < this.chains.endOf(id).number) this.#batches.delete(id);
    await this.#provenOnce(id);
  }

  /**
   * Returns what has become of the rows of a batch, according to its facts. Returns `undefined` if the batch was not proven
   * as a whole since the last fact about it was recorded.
   */
  talliesOf(id: BatchId): readonly Tally[] | undefined {
    const whole = this.#wholeAt.get(id);
    return whole && whole.number >= this.chains.endOf(id).number ? whole.tallies : undefined;
  }

  async #provenOnce(id: BatchId): Promise<void> {
    const leases = this.#leases;
    const isNew = !this.#batches.has(id);
    await once(this.#batches, id, () => this.#proveBatch(id));
    if (isNew && leases === this.#leases) this.#underLease.add(id);
  }

  /** Reports whether this process knows what the orders of a batch have come to. */
  knows(id: BatchId): boolean {
    return this.#digests.has(id);
  }

  /** Makes every batch be proven again before it is read, because it may have been edited since it was proven. */
  proveAnew(): void {
    this.#batches.clear();
    this.#rows.clear();
    this.#planned.clear();
  }

  /**
   * Returns what the orders of a batch have come to, as far as this process knows. The batch must have been proven before,
   * or planned by this process.
   */
  digestsOf(id: BatchId): OrderDigests {
    const digests = this.#digests.get(id);
    invariant(digests, `batch ${id} is proven before its orders are read`);
    return digests;
  }

  /**
   * Proves a batch whose people are about to be deleted: again, unless that was done under this lease. One proof serves one
   * call only.
   */
  async batchUnderLease(id: BatchId): Promise<void> {
    if (!this.#underLease.has(id)) this.#batches.delete(id);
    await this.#provenOnce(id);
    this.#underLease.delete(id);
  }

  /**
   * Proves that no person is hidden in the batches planned at this time or later: their rows are those that were planned, by
   * what the sheet said about each. Every new sheet asks for this. Which order pays a row, and what became of it, is proven
   * only for rows in which payments are found (`found`).
   */
  async rowsSince(plannedAt: number): Promise<void> {
    await this.facts();
    const { database } = this.#options;
    for (const { id, plannedAt: then } of await batches(database)) {
      if (then < plannedAt || (await this.#isWhole(id))) continue;
      await once(this.#rows, id, async () => this.#requireRows(id, await rowsAsPlanned(database, id)));
    }
  }

  /**
   * Yields what the sheet said about the rows of a batch, in sheet order, in blocks. Proves the rows like `rowsSince` when
   * the last block was used: nothing of them may be believed before the generator ends.
   */
  async *provenRows(id: BatchId): AsyncGenerator<readonly SqlRow[]> {
    await this.facts();
    const hash = new RowsHash();
    for await (const block of sheetRows(this.#options.database, id)) {
      for (const row of block) hash.add(rowAsPlanned(row));
      yield block;
    }
    if (!(await this.#isWhole(id))) await once(this.#rows, id, () => this.#requireRows(id, hash.value()));
  }

  /** Proves rows in which payments were found, and the orders that pay them. The rows of their batches must be proven. */
  async found(found: ReadonlyMap<BatchId, readonly FoundRow[]>, read: OrdersRead): Promise<void> {
    for (const [batch, rows] of found) {
      if (await this.#isWhole(batch)) continue;
      if (!this.knows(batch)) await this.#options.database.snapshot((still) => this.#proveChain(still, batch));
      for await (const wrong of foundDifferences(read, batch, rows)) throw changed(wrong);
    }
  }

  /** Reports whether a batch is proven as a whole, or was planned by this process. Waits for a proof that is under way. */
  async #isWhole(id: BatchId): Promise<boolean> {
    await this.#batches.get(id);
    return this.#planned.has(id) || this.#batches.has(id);
  }

  /** Where the rows are not those that were planned, the whole batch is proven, which says why: a purge, or an edit. */
  async #requireRows(id: BatchId, hash: string): Promise<void> {
    if (this.#facts.rows.get(id) !== hash) await this.batch(id);
  }

  /** The ends of the chains, as proven, or as written by this process. */
  get chains(): Chains {
    return this.#facts.chains;
  }

  /**
   * Returns the head that the ledger had when it ended with this fact. The head follows from the last fact that each batch
   * had by then. The opening of a batch proves that its own facts lead from there to its present end.
   */
  async headAt(seq: number): Promise<ChainHead> {
    const { database, ledgerUuid } = this.#options;
    return { seq, hash: headHash(ledgerUuid, await readEnds(database, seq)) };
  }

  /** Reports whether a head, wherever it was kept, was signed with a key of this ledger. */
  hasSigned(head: LedgerHead): boolean {
    const { ledgerUuid, keyring } = this.#options;
    return keyring.hasSigned(head.key, signedHeadText(ledgerUuid, head), head.signature, this.#facts.keyChanges);
  }

  get keyChanges(): ProvenFacts['keyChanges'] {
    return this.#facts.keyChanges;
  }

  get head(): LedgerHead | undefined {
    return this.#head;
  }

  /** Takes over the facts that this process has appended and signed. */
  appended({ chains, ledgerEnd, planned, followed, head }: Appended): void {
    this.#facts = { ...this.#facts, chains, ledgerEnd };
    for (const [batch, digests] of planned) this.#digests.set(batch, digests);
    for (const fact of followed) this.#digests.get(fact.batch)?.follow(fact);
    this.#head = head;
    this.#options.keyring.name(head.key);
  }

  /** Takes over a fact about the ledger as a whole that this process has recorded. */
  recorded(fact: BatchFact): void {
    const { plans, keyChanges, account } = this.#facts;
    if (fact.type === 'batch-planned') {
      plans.set(fact.batch, plannedColumns(fact));
      this.#planned.add(fact.batch);
      this.#facts.account = fact.account;
    }
    if (fact.type === 'client-id-changed' && account) this.#facts.account = { ...account, clientId: fact.to };
    if (fact.type === 'signing-key-changed') keyChanges.push(fact);
  }

  /** What the facts say about batches as wholes, as far as this process has read them. */
  get ledgerState(): Pick<ProvenFacts, 'plans' | 'purges' | 'stops' | 'ledgerEnd'> {
    return this.#facts;
  }

  /** Takes over that this process has deleted the people of a batch. */
  purged(record: Omit<PurgeRecord, 'seq'>): void {
    const { purges, chains } = this.#facts;
    const { batch } = record;
    purges.set(batch, { ...record, seq: chains.seq, number: chains.endOf(batch).number });
    this.#forget(batch);
  }

  /** Makes the next reader of the batch prove it again. */
  #forget(batch: BatchId): void {
    this.#batches.delete(batch);
    this.#rows.delete(batch);
    this.#planned.delete(batch);
  }

  /**
   * Returns everything in the ledger that disagrees, in plain words, at most `most` entries. Reads one snapshot, so what
   * others write in the meantime is not a difference.
   */
  differences(most: number): Promise<readonly string[]> {
    const { database, ledgerUuid: uuid, keyring } = this.#options;
    return database.snapshot(async (still) => {
      const ledger = { uuid, proven: noFacts(uuid), keyring };
      const found: string[] = [];
      for await (const one of allDifferences(still, ledger)) {
        if (found.push(one) === most) break;
      }
      return found;
    });
  }

  async #proveFacts(): Promise<void> {
    for (const batch of [...(await this.#proveNew()), ...this.#overtaken]) this.#forget(batch);
    this.#overtaken.clear();
  }

  /**
   * Proves what was appended since the last proof, and returns the batches that it is about. Facts about orders are read
   * only for the batches whose orders this process knows; other batches are proven when they are read.
   */
  async #proveNew(): Promise<ReadonlySet<BatchId>> {
    const { database, ledgerUuid: uuid, keyring } = this.#options;
    const proven = this.#facts;
    const before = proven.chains.copy();
    const planned = new Set(proven.plans.keys());
    // In one snapshot: a purge in the meantime would delete texts before its own fact, further on, has been read.
    const { grown, recorded } = await database.snapshot(async (still) => {
      const reading = await readLedger(still, before.seq);
      const found = ledgerDifferences(reading, { uuid, proven, keyring }).next();
      if (found.done !== true) throw changed(await this.#firstOfAll(still, found.value));
      for (const [batch, digests] of this.#digests) {
        if (proven.chains.endOf(batch).number === before.endOf(batch).number) continue;
        if (!planned.has(batch)) {
          // Planned by another process after this one was interrupted: it is proven when it is read.
          this.#digests.delete(batch);
          continue;
        }
        const differences = chainDifferences(still, { uuid, proven }, batch, { digests, from: before.copy() });
        for await (const wrong of differences) throw changed(await this.#firstOfAll(still, wrong));
      }
      return { grown: found.value, recorded: reading.recorded };
    });
    // If this process has appended facts in the meantime, it has the later head already.
    if (proven !== this.#facts) return grown;
    const { head } = recorded;
    this.#head = head;
    if (head) keyring.name(head.key);
    return grown;
  }

  /**
   * Reads every fact, and returns the first difference, or `found` if no fact differs: people look for a fact, and not for a
   * hash over many.
   */
  async #firstOfAll(still: Reader, found: string): Promise<string> {
    const first = await this.#differencesIn(still, await recordedHead(still)).next();
    return first.done === true ? found : first.value;
  }

  /** Proves a batch as a whole, in one snapshot, against the head that the ledger has in that snapshot. */
  async #proveBatch(id: BatchId): Promise<void> {
    const { database } = this.#options;
    await database.snapshot(async (still) => {
      const header = await findBatch(still, id);
      if (!header) return;
      const digests = await this.#proveChain(still, id);
      const tallied = new Tallied();
      for await (const wrong of batchDifferences(still, header, tallied)) throw changed(wrong);
      this.#wholeAt.set(id, { number: digests.number, tallies: tallied.list(header.currency) });
    });
  }

  /** Returns the proven facts as of a snapshot: those that this process has, unless others have recorded something since. */
  async #factsIn(still: Reader): Promise<ProvenFacts> {
    if ((await headSeq(still)) === this.#facts.chains.seq) return this.#facts;
    const { ledgerUuid: uuid, keyring } = this.#options;
    const proven = noFacts(uuid);
    const found = ledgerDifferences(await readLedger(still, 0), { uuid, proven, keyring }).next();
    if (found.done !== true) throw changed(await this.#firstOfAll(still, found.value));
    return proven;
  }

  /** Proves the chain of a batch, and returns what its orders have come to. This process knows that from then on. */
  async #proveChain(still: Reader, id: BatchId): Promise<OrderDigests> {
    const ledger = { uuid: this.#options.ledgerUuid, proven: await this.#factsIn(still) };
    const digests = new OrderDigests();
    for await (const wrong of chainDifferences(still, ledger, id, { digests })) throw changed(wrong);
    // This process may have recorded more about the batch in the meantime.
    if ((this.#digests.get(id)?.number ?? 0) < digests.number) this.#digests.set(id, digests);
    return digests;
  }
}

/**
 * Runs a proof once for each batch. A caller that asks while it runs waits for the same proof; a failure is not kept for
 * later callers.
 */
async function once(done: Map<BatchId, Promise<void>>, id: BatchId, prove: () => Promise<void>): Promise<void> {
  const known = done.get(id);
  if (known) return known;
  const proving = prove();
  done.set(id, proving);
  try {
    await proving;
  } catch (error) {
    done.delete(id);
    throw error;
  }
}

/** What was known about a batch when it was proven as a whole. */
interface Whole {
  /** Number of its facts. */
  readonly number: number;
  readonly tallies: readonly Tally[];
}

/** What this process has appended, and the end of the ledger after it. */
export interface Appended {
  readonly chains: Chains;
  readonly ledgerEnd: string;
  /** Digests of the orders of batches whose first facts are among the appended ones. */
  readonly planned: ReadonlyMap<BatchId, OrderDigests>;
  /** The appended facts about all other batches. */
  readonly followed: readonly PlacedFact[];
  readonly head: LedgerHead;
}

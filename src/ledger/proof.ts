/**
 * What has been proven of a ledger in this process. Nothing that the tables say is believed before.
 *
 * At first what the ledger says of itself is held against what its key has signed: that costs what there is of batches, and not of
 * orders. A batch is proven as a whole before it is read: its facts follow each other, and everything else follows from them. From
 * then on this process knows what each of its orders has come to (`OrderDigests`), and holds every order against that.
 */
import type { Tally } from '../domain/batch.ts';
import type { BatchFact } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { encodeRecord } from '../domain/json.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import type { PurgeRecord } from '../domain/purged.ts';
import { allDifferences } from './all-differences.ts';
import { batchDifferences, candidateDifferences, PlannedRows, Tallied } from './batch-proof.ts';
import { batches, findBatch } from './batches.ts';
import type { ChainHead, Chains } from './chain.ts';
import {
  type ChainReading,
  chainDifferences,
  factDifferences,
  headAt,
  noFacts,
  type ProvenFacts,
  standingDifferences,
} from './chain-proof.ts';
import type { Database, Reader } from './database.ts';
import type { Keyring } from './keyring.ts';
import { changed } from './proof-faults.ts';
import { currentOrdersAt, OrderDigests, type OrdersRead, type PlacedFact } from './recorded-orders.ts';
import { type RecordedHead, recordedHead, signedHeadText } from './signed-head.ts';

interface ProofOptions {
  readonly database: Database;
  readonly ledgerUuid: string;
  readonly keyring: Keyring;
}

export class Proof {
  readonly #options: ProofOptions;
  #facts: ProvenFacts;
  #head: LedgerHead | undefined;
  /** The earlier one that was asked for last: facts never change, so neither does what led to it. */
  #headBefore: ChainHead | undefined;
  /** Undefined before the facts were proven once. */
  #proven: Promise<void> | undefined;
  #every: Promise<void> | undefined;
  /** Of the batches that were proven, or planned by this process. */
  readonly #digests = new Map<BatchId, OrderDigests>();
  /** Batches that this process has planned, and of which nobody else has recorded anything: it knows all of them. */
  readonly #planned = new Set<BatchId>();
  /** Proofs of batches that are under way, or over. */
  readonly #batches = new Map<BatchId, Promise<void>>();
  /** The same of the rows alone (`rowsSince`). */
  readonly #rows = new Map<BatchId, Promise<void>>();
  /** How many facts each had when all of it was proven last, and what had become of its rows then. */
  readonly #wholeAt = new Map<BatchId, Whole>();
  /** Batches that were proven since the facts were last proven again, and of which no run was recorded since. */
  readonly #underLease = new Set<BatchId>();
  /** Batches of which others have recorded something since they were proven: readers prove once. */
  readonly #overtaken = new Set<BatchId>();
  /** So often the facts were asked for again: what was begun before is no proof under the lease. */
  #leases = 0;

  constructor(options: ProofOptions) {
    this.#options = options;
    this.#facts = noFacts(options.ledgerUuid);
  }

  /** Proves the facts, unless that was done; `again`: and those that were appended since. */
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
   * Goes on to the end of the ledger, because another process has appended facts, and gives the batches that they are of. What this
   * process has proven under its own leases stays: nobody else moves that.
   */
  async follow(): Promise<ReadonlySet<BatchId>> {
    const followed = (this.#proven ?? Promise.resolve()).then(() => this.#proveNew());
    this.#proven = followed.then(() => undefined);
    this.#proven.catch(() => undefined); // whoever asks next is told
    for (const batch of await followed) this.#overtaken.add(batch);
    return followed;
  }

  /** Proves every fact of the ledger, unless that was done: what is asked of the orders of all batches at once is in no proof of one of them. */
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

  /** Proves a batch before it is read, unless that was done, or this process has planned it. A batch that is not there is nobody's. */
  async batch(id: BatchId): Promise<void> {
    await this.facts();
    if (!this.#planned.has(id)) await this.#provenOnce(id);
  }

  /** Proves all of a batch as it is now, unless nothing was recorded of it since that was done. */
  async whole(id: BatchId): Promise<void> {
    await this.facts();
    if ((this.#wholeAt.get(id)?.number ?? 0) < this.chains.endOf(id).number) this.#batches.delete(id);
    await this.#provenOnce(id);
  }

  /** What has become of the rows of a batch, by its facts; undefined: something was recorded of it since all of it was proven. */
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

  /** Whether it is known what the orders of a batch have come to. */
  knows(id: BatchId): boolean {
    return this.#digests.has(id);
  }

  /** From here on every batch is proven anew before it is read: what was proven earlier may have been edited since. */
  proveAnew(): void {
    this.#batches.clear();
    this.#rows.clear();
    this.#planned.clear();
  }

  /** What the orders of a batch have come to, as far as this process knows. The batch was proven before, or is planned by it. */
  digestsOf(id: BatchId): OrderDigests {
    const digests = this.#digests.get(id);
    invariant(digests, `batch ${id} is proven before its orders are read`);
    return digests;
  }

  /** Proves a batch of which something is to be deleted: once more, unless that was done under this lease, and once only. */
  async batchUnderLease(id: BatchId): Promise<void> {
    if (!this.#underLease.has(id)) this.#batches.delete(id);
    await this.#provenOnce(id);
    this.#underLease.delete(id);
  }

  /**
   * Proves of all batches that were planned at this time or later that none of their payments is hidden: their facts are whole, and
   * every row is there as it was planned, under its order. That is asked for each new sheet, so it costs a hash or two an order; what
   * became of an order is proven where a payment is found (`candidates`).
   */
  async rowsSince(plannedAt: number): Promise<void> {
    await this.facts();
    for (const { id, plannedAt: then } of await batches(this.#options.database)) {
      if (then < plannedAt) continue;
      // A purge leaves of its rows what one hash is over.
      if (this.#facts.purges.has(id)) await this.batch(id);
      else if (!(await this.#isWhole(id))) await once(this.#rows, id, () => this.#proveRows(id));
    }
  }

  /** Proves that orders, in which payments were found, and their rows are what their facts say. Their rows were proven before. */
  async candidates(found: ReadonlyMap<BatchId, readonly number[]>, read: OrdersRead): Promise<void> {
    for (const [batch, positions] of found) {
      if (await this.#isWhole(batch)) continue;
      const orders = await currentOrdersAt(read, positions);
      for await (const wrong of candidateDifferences(read.database, batch, orders)) throw changed(wrong);
    }
  }

  /** Whether all of a batch is proven, or was planned by this process; a proof that is under way is waited for. */
  async #isWhole(id: BatchId): Promise<boolean> {
    await this.#batches.get(id);
    return this.#planned.has(id) || this.#batches.has(id);
  }

  /** The ends of the chains, as they were proven, or written by this process. */
  get chains(): Chains {
    return this.#facts.chains;
  }

  /** The head of the ledger when it ended with this fact, whatever came after it. It is asked for twice at each start. */
  async headAt(seq: number): Promise<ChainHead> {
    const { database, ledgerUuid } = this.#options;
    const known = this.#headBefore?.seq === seq ? this.#headBefore : undefined;
    this.#headBefore = known ?? (await headAt(database, ledgerUuid, this.#facts.chains, seq));
    return this.#headBefore;
  }

  /** Whether a head, wherever it was kept, was signed with a key of this ledger. */
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

  /** This process has appended facts, and signed. */
  appended({ chains, told, planned, followed, head }: Appended): void {
    this.#facts = { ...this.#facts, chains, told };
    for (const [batch, digests] of planned) this.#digests.set(batch, digests);
    for (const fact of followed) this.#digests.get(fact.batch)?.follow(fact);
    this.#head = head;
    this.#options.keyring.name(head.key);
  }

  /** This process has recorded something about the ledger as a whole. */
  recorded(fact: BatchFact): void {
    const { plans, keyChanges, account } = this.#facts;
    if (fact.type === 'batch-planned') {
      plans.set(fact.batch, encodeRecord(fact.header));
      this.#planned.add(fact.batch);
      this.#facts.account = fact.account;
    }
    if (fact.type === 'client-id-changed' && account) this.#facts.account = { ...account, clientId: fact.to };
    if (fact.type === 'signing-key-changed') keyChanges.push(fact);
  }

  /** What was said of batches as a whole, as far as this process has read. */
  get told(): Pick<ProvenFacts, 'plans' | 'purges' | 'stops' | 'told'> {
    return this.#facts;
  }

  /** This process has deleted the people of a batch. */
  purged(record: Omit<PurgeRecord, 'seq'>): void {
    const { purges, chains } = this.#facts;
    const { batch } = record;
    purges.set(batch, { ...record, seq: chains.seq, number: chains.endOf(batch).number });
    this.#forget(batch);
  }

  /** Whoever asks for the batch next has it proven anew. */
  #forget(batch: BatchId): void {
    this.#batches.delete(batch);
    this.#rows.delete(batch);
    this.#planned.delete(batch);
  }

  /** Everything that does not agree, in plain words, at most so many; what others write meanwhile is no difference. */
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
   * Proves what was appended since, and gives the batches that it is of. Facts are read of those batches alone of which this process
   * knows the orders: what became of others is proven by who reads them.
   */
  async #proveNew(): Promise<ReadonlySet<BatchId>> {
    const { database, ledgerUuid: uuid, keyring } = this.#options;
    const proven = this.#facts;
    const before = proven.chains.copy();
    // At one moment: a purge that comes meanwhile takes texts away that its fact, further on, has not been read of yet.
    const { grown, recorded } = await database.snapshot(async (still) => {
      const recorded = await recordedHead(still);
      const standing = await standingDifferences(still, { uuid, proven, keyring }, recorded).next();
      if (standing.done !== true) throw changed(await this.#firstOfAll(still, standing.value));
      for (const [batch, digests] of this.#digests) {
        if (proven.chains.endOf(batch).number === before.endOf(batch).number) continue;
        const differences = chainDifferences(still, { uuid, proven }, batch, { digests, from: before.copy() });
        for await (const wrong of differences) throw changed(await this.#firstOfAll(still, wrong));
      }
      return { grown: standing.value, recorded };
    });
    // This process may have appended facts meanwhile, and has the later head.
    if (proven !== this.#facts) return grown;
    const { head } = recorded;
    this.#head = head;
    if (head) keyring.name(head.key);
    return grown;
  }

  /** What disagrees first when every fact is read: people look for a fact, and not for a hash over many. */
  async #firstOfAll(still: Reader, found: string): Promise<string> {
    const first = await this.#differencesIn(still, await recordedHead(still)).next();
    return first.done === true ? found : first.value;
  }

  /** At one moment, of which the ledger itself says what it is. */
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

  /** At one moment, as well. */
  async #proveRows(id: BatchId): Promise<void> {
    await this.#options.database.snapshot(async (still) => {
      const rows = new PlannedRows(id);
      await this.#proveChain(still, id, (facts) => rows.differences(still, facts));
      for (const wrong of rows.left()) throw changed(wrong);
    });
  }

  /** From then on it is known what the orders of the batch have come to. */
  async #proveChain(still: Reader, id: BatchId, about?: ChainReading['about']): Promise<OrderDigests> {
    const { ledgerUuid: uuid, keyring } = this.#options;
    const ledger = { uuid, proven: noFacts(uuid), keyring };
    const facts = await standingDifferences(still, ledger, await recordedHead(still)).next();
    if (facts.done !== true) throw changed(await this.#firstOfAll(still, facts.value));
    const digests = new OrderDigests();
    const reading = { digests, ...(about && { about }) };
    for await (const wrong of chainDifferences(still, ledger, id, reading)) throw changed(wrong);
    // This process may have recorded more of it meanwhile.
    if ((this.#digests.get(id)?.number ?? 0) < digests.number) this.#digests.set(id, digests);
    return digests;
  }
}

/** Does it once; whoever asks meanwhile waits for the same, and a failure is no answer to who asks later. */
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

/** A batch when all of it was proven. */
interface Whole {
  /** Facts of it. */
  readonly number: number;
  readonly tallies: readonly Tally[];
}

/** What this process has appended, and how the ledger ends with it. */
export interface Appended {
  readonly chains: Chains;
  readonly told: string;
  /** The orders of batches that began with it. */
  readonly planned: ReadonlyMap<BatchId, OrderDigests>;
  /** The facts of other batches. */
  readonly followed: readonly PlacedFact[];
  readonly head: LedgerHead;
}

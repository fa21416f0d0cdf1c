/**
 * Keeps the checkpoint of a ledger up to date, and judges by it whether the ledger is the one that was here last. The rule: a checkpoint is
 * durable before anything that it speaks of is sent, so a ledger that agrees with its checkpoint has forgotten nothing that was sent.
 *
 * ```text
 * what is gone, or put back          what shows it                                       the ledger is
 * the ledger                         the checkpoint names another one                          lost
 * the ledger, by an older copy       the checkpoint is further, and is settled (`settle`)      restored
 * the checkpoint                           there is none, and the ledger has facts             no-checkpoint
 * the checkpoint, by an older copy         a run that it does not know claimed, or ended       no-checkpoint
 * the ledger and the checkpoint            nothing is here                                     new
 * both, by a copy                    the checkpoint names another file, or another computer    copied
 * both, by a disk in place           nothing here: the service shows what was sent       behind, once it does (`suspect`)
 * ```
 *
 * A checkpoint that names another fact at a number that the ledger has, or that no key of the ledger has signed, is tampering.
 */
import type { Clock } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { findBatch, batches as headers, smallestOrders } from './batches.ts';
import type { ChainHead } from './chain.ts';
import {
  type BegunBatch,
  begunBatch,
  type Checkpoint,
  type ClosedBatch,
  type Doubt,
  type DoubtReason,
  distinct,
  type FoundCheckpoint,
  idBeginning,
  isAmong,
  isElsewhere,
  isOfServerBefore,
  isOnServer,
  isSame,
  joined,
  type LedgerFiles,
  lockCheckpoint,
  openOf,
  type Place,
  readCheckpoint,
  type SignedCheckpoint,
  signedCheckpointText,
  writeCheckpoint,
} from './checkpoint.ts';
import { type Database, Turns } from './database.ts';
import type { Keyring } from './keyring.ts';
import { latestEpoch } from './lease.ts';
import type { Proof } from './proof.ts';
import { TOLD } from './told-facts.ts';

/** Batches that a checkpoint names at most: more than a weekly payroll has in fifteen years. */
const BATCHES_MAX = 1000;
/** Ids of a batch that its checkpoint keeps: one of them is there also where two of their rows were taken off the sheet. */
const FIRST = 3;
/**
 * For so long a ledger that was doubted is also doubted about batches that no checkpoint names, in milliseconds: 45 days. By then
 * the sheets of the month in which it was lost are paid, or somebody has missed their pay.
 */
const UNNAMED_MS = 45 * 86_400_000;

export interface CheckpointKeeperOptions {
  readonly database: Database;
  readonly ledgerUuid: string;
  readonly proof: Pick<Proof, 'chains' | 'facts' | 'headAt' | 'keyChanges'>;
  readonly keyring: Keyring;
  /** The checkpoint's file. */
  readonly path: string;
  readonly files: LedgerFiles;
  /** Where the ledger is. */
  readonly place: Place;
  readonly clock: Clock;
}

export class CheckpointKeeper {
  readonly #options: CheckpointKeeperOptions;
  /** Changes of the checkpoint by this process, one after the other. */
  readonly #turns = new Turns();
  /**
   * The checkpoint as this process judged it, took it over from another one or wrote it last, whatever was put in the place of its file
   * since. Where the ledger does not go on from the checkpoint that was here, it says of no fact: its `seq` is 0.
   */
  #checkpoint: Checkpoint | undefined;
  /** The text that this process wrote last; undefined: none yet. */
  #written: string | undefined;
  /** Batches of which this process knew that they are in doubt when it began them, or found it out. */
  readonly #doubted = new Set<BatchId>();

  constructor(options: CheckpointKeeperOptions) {
    this.#options = options;
  }

  /** Lease. Holds the ledger against its checkpoint again, unless this process has begun to write it. */
  async judge(): Promise<void> {
    if (this.#written === undefined) this.#checkpoint = await this.#judged();
  }

  /**
   * Writes down that the ledger was put back before it goes on from there: its next facts will have numbers of facts that it has
   * forgotten.
   */
  async settle(epoch: number, head: ChainHead): Promise<void> {
    const isSettled = this.#written !== undefined || (await this.#known()).doubt?.why !== 'restored';
    if (!isSettled) await this.#change((checkpoint) => this.#upTo(head, epoch, checkpoint));
  }

  /** Why orders of the batch are looked up before they are sent; undefined when the ledger knows all that was sent. */
  async doubt(batch: BatchId): Promise<DoubtReason | undefined> {
    const { doubt } = await this.#known();
    if (doubt === undefined) return undefined;
    return isAmong(doubt.batches, batch) || this.#mayBeUnnamed(doubt, batch) ? doubt.why : undefined;
  }

  /** Batches that another state of this ledger had begun, that it does not have, and that nobody has closed. */
  async lostBatches(): Promise<readonly BegunBatch[]> {
    const { doubt, batches } = await this.#known();
    if (doubt === undefined) return [];
    const kept = (await headers(this.#options.database)).map(({ id }) => id);
    return batches.filter(({ id }) => isAmong(doubt.batches, id) && !isAmong(kept, id));
  }

  /** What the checkpoint says that cannot be true of this ledger, in plain words. One that was put back is in doubt, and whole. */
  async differences(): Promise<readonly string[]> {
    try {
      await this.judge();
      return [];
    } catch (error) {
      if (error instanceof Fault && error.code === 'ledger-unsafe') return [error.message];
      throw error;
    }
  }

  /** From here on the batch may be sent. */
  async begin(batch: BatchId, epoch: number, head: ChainHead): Promise<void> {
    const header = await findBatch(this.#options.database, batch);
    invariant(header, 'a batch is planned before it is in the checkpoint');
    const first = (await smallestOrders(this.#options.database, batch, FIRST)).map(idBeginning);
    // Not what another process wrote since the run asked: it would send without a look.
    if ((await this.doubt(batch)) !== undefined) this.#doubted.add(batch);
    await this.#change((checkpoint) => {
      const { doubt } = checkpoint;
      // One that is begun in doubt stays so until it is through, however long that takes.
      const isUnnamed = doubt && this.#mayBeUnnamed(doubt, batch);
      return {
        ...this.#upTo(head, epoch, checkpoint),
        batches: distinct([...checkpoint.batches, { ...begunBatch(header), first }]).slice(-BATCHES_MAX),
        doubt: isUnnamed ? { ...doubt, batches: [...new Set([...doubt.batches, batch])] } : doubt,
      };
    });
  }

  /** Checkpoints a new ledger as one that nothing came before. */
  async vouch(epoch: number, head: ChainHead): Promise<void> {
    if ((await this.#known()).doubt?.why !== 'new') return;
    await this.#change((checkpoint) => ({ ...this.#upTo(head, epoch, checkpoint), doubt: undefined }));
  }

  /** Records a person's word that a lost batch needs no look any more. */
  async close(closed: ClosedBatch, epoch: number, head: ChainHead): Promise<void> {
    await this.#change((checkpoint) => {
      const { doubt } = checkpoint;
      invariant(doubt, 'a batch is lost with its ledger');
      const batches = doubt.batches.filter((id) => !isSame(id, closed.id));
      return {
        ...this.#upTo(head, epoch, checkpoint),
        doubt: { ...doubt, batches },
        closed: [...checkpoint.closed, closed],
      };
    });
  }

  /**
   * The ledger is whole in another place now, and nothing is recorded here any more: its checkpoint follows it, with all that it says.
   * A checkpoint of that place, or of the one before, does not speak against it.
   */
  async moveTo(file: string, epoch: number, { seq, hash }: ChainHead): Promise<void> {
    const there = { ...this.#options.place, file };
    this.#checkpoint = await this.#judged([this.#options.place, there]);
    await this.#change((checkpoint) => ({ ...checkpoint, ...there, epoch, seq, hash }));
  }

  /** Resolves when the checkpoint goes at least this far, once a run has begun. */
  async advance(head: ChainHead): Promise<void> {
    if (this.#written === undefined) return;
    await this.#change((checkpoint) =>
      checkpoint.seq < head.seq ? { ...checkpoint, ...further(head, checkpoint) } : checkpoint,
    );
  }

  /**
   * Throws a Fault `ledger-unsafe` when another run found out, since this one asked, that the ledger does not know all that was sent.
   */
  requireUndoubted(batch: BatchId): void {
    const doubt = this.#written === undefined ? undefined : this.#checkpoint?.doubt;
    if (doubt === undefined || !isAmong(doubt.batches, batch) || this.#doubted.has(batch)) return;
    throw doubtedMeanwhile(batch);
  }

  /** What was sent from elsewhere shows that this ledger is not the latest, or not the only one. */
  async suspect(epoch: number, head: ChainHead): Promise<void> {
    await this.#change((checkpoint) => {
      const batches = openOf(checkpoint);
      for (const batch of batches) this.#doubted.add(batch);
      const doubt = { why: 'behind', since: this.#options.clock.now(), batches, through: [] } as const;
      return { ...this.#upTo(head, epoch, checkpoint), doubt };
    });
  }

  /** Every order of the batch was sent, or found at the service. `andUnnamed`: so was whatever no checkpoint names. */
  async dispel(batch: BatchId, { andUnnamed }: { readonly andUnnamed: boolean }): Promise<void> {
    invariant(this.#written, 'a batch is in the checkpoint before it is through');
    await this.#change((checkpoint) => {
      const { doubt } = checkpoint;
      if (doubt === undefined) return checkpoint;
      const batches = doubt.batches.filter((one) => !isSame(one, batch));
      if (batches.length === 0 && (andUnnamed || !this.#isRecent(doubt))) return { ...checkpoint, doubt: undefined };
      const through = [...doubt.through, batch].slice(-BATCHES_MAX);
      return { ...checkpoint, doubt: { ...doubt, batches, through } };
    });
  }

  /** Whether a batch that no checkpoint names may have been sent all the same. */
  #mayBeUnnamed(doubt: Doubt, batch: BatchId): boolean {
    return this.#isRecent(doubt) && !isAmong(doubt.through, batch);
  }

  /** A clock that was set back makes it recent again, which costs look-ups. */
  #isRecent({ since }: Doubt): boolean {
    return this.#options.clock.now() - since < UNNAMED_MS;
  }

  async #known(): Promise<Checkpoint> {
    this.#checkpoint ??= await this.#judged();
    return this.#checkpoint;
  }

  /** The checkpoint, made here and now. */
  #upTo(head: ChainHead, epoch: number, checkpoint: Checkpoint): Checkpoint {
    return {
      ...checkpoint,
      ...this.#options.place,
      epoch: Math.max(checkpoint.epoch, epoch),
      ...further(head, checkpoint),
    };
  }

  /** Replaces the checkpoint by what is made of it and of what other processes have written since. */
  async #change(make: (checkpoint: Checkpoint) => Checkpoint): Promise<void> {
    const { database, path, files, keyring } = this.#options;
    await this.#turns.take(async () => {
      using _ = await lockCheckpoint(path, this.#options);
      const own = await this.#known();
      const found = await readCheckpoint(path, files);
      const before = this.#following(found, own);
      // What is recorded in a file that was taken away speaks of nothing that the ledger in its place has.
      database.assertInPlace();
      const made = make(before);
      // What another process wrote may not have been synced by it: it is written again.
      if (made === before && isWritten(found) && found.text === this.#written) return;
      const writes = 1 + Math.max(before.writes, isWritten(found) ? found.checkpoint.writes : 0);
      const checkpoint = { ...made, writes };
      this.#written = await writeCheckpoint(path, checkpoint, { files, signer: keyring.signer });
      this.#checkpoint = checkpoint;
    });
  }

  /** What this process knows, and what another one has written since. */
  #following(found: FoundCheckpoint, own: Checkpoint): Checkpoint {
    if (!isWritten(found) || found.text === this.#written || !this.#isOurs(found)) return own;
    const { writes } = found.checkpoint;
    const isNews = writes > own.writes || (writes === own.writes && this.#written !== undefined);
    return isNews ? joined(found.checkpoint, own) : own;
  }

  #isOurs({ checkpoint, key, text, signature }: SignedCheckpoint): boolean {
    const { ledgerUuid, keyring, proof } = this.#options;
    return (
      checkpoint.ledger === ledgerUuid &&
      keyring.hasSigned(key, signedCheckpointText(text), signature, proof.keyChanges)
    );
  }

  /** The checkpoint to go on from, by what its file says. `places`: where the ledger is known to be. */
  async #judged(places = [this.#options.place]): Promise<Checkpoint> {
    const { path, files, database, clock, proof, ledgerUuid: ledger, place } = this.#options;
    const found = await readCheckpoint(path, files);
    // Read after it: a checkpoint is behind its ledger whenever it is read, and who writes to both may be another process.
    await proof.facts('again');
    const why = await this.#whyDoubted(found, places);
    const none: Checkpoint = { ledger, ...place, epoch: 0, seq: 0, hash: '', writes: 0, batches: [], closed: [] };
    const checkpoint = isWritten(found) ? found.checkpoint : none;
    const { closed, writes } = checkpoint;
    const kept = (await headers(database)).toReversed().map(begunBatch);
    const batches = distinct([...checkpoint.batches, ...kept]);
    if (why === undefined) return { ...checkpoint, batches };
    const doubt = { why, since: clock.now(), batches: openOf({ batches, closed }), through: [] };
    return { ...none, writes, batches, closed, doubt };
  }

  /** What speaks against this ledger as it is. A checkpoint that is behind is no doubt: the ledger went on from there. */
  async #whyDoubted(found: FoundCheckpoint, places: readonly Place[]): Promise<DoubtReason | undefined> {
    const { database, ledgerUuid, proof, path, place } = this.#options;
    const last = proof.chains.seq;
    if (!isWritten(found)) return found === 'missing' && last === 0 ? 'new' : 'no-checkpoint';
    const { checkpoint } = found;
    if (checkpoint.ledger !== ledgerUuid) return 'lost';
    if (!this.#isOurs(found)) throw tampered(`The checkpoint ${path} was not signed by the key of this ledger`);
    const isForgotten = checkpoint.seq > last || (await proof.headAt(checkpoint.seq)).hash !== checkpoint.hash;
    // A server that took over from another one goes on from what had reached it.
    if (isForgotten && checkpoint.seq <= last && !isOfServerBefore(checkpoint, place)) {
      throw tampered(`The checkpoint ${path} names another fact ${checkpoint.seq} than the ledger has`);
    }
    if (isForgotten || checkpoint.epoch > (await latestEpoch(database))) return 'restored';
    // Other computers that pay from a server have checkpoints of their own.
    if (!isOnServer(place) && (await database.read(RUN_SINCE, [checkpoint.seq])).length > 0) return 'no-checkpoint';
    return places.every((one) => isElsewhere(checkpoint, one)) ? 'copied' : undefined;
  }
}

/** A run that began after a fact, and claimed or ended. It was in the checkpoint before it did either, so one that goes no further is an older one. */
const RUN_SINCE = `SELECT f.seq FROM fact f WHERE f.seq > ? AND ${TOLD} AND f.type = 'run-started' AND EXISTS (
  SELECT 1 FROM fact c WHERE c.batch = f.batch AND c.seq > f.seq AND c.type IN ('order-claimed', 'run-stopped')) LIMIT 1`;

const isWritten = (found: FoundCheckpoint): found is SignedCheckpoint => typeof found === 'object';

/** A checkpoint never goes back: another process may have written more than this one knows. */
const further = (head: ChainHead, checkpoint: Checkpoint): ChainHead =>
  checkpoint.seq > head.seq ? { seq: checkpoint.seq, hash: checkpoint.hash } : { seq: head.seq, hash: head.hash };

const tampered = (what: string): Fault =>
  new Fault(
    'ledger-unsafe',
    `${what}: one of the two was changed by something else than paybatch. Nothing more was sent.`,
    'Keep both as they are, and find out who changed what. A checkpoint that somebody put back from a back-up may be set aside: every payment is then looked up before it is sent.',
  );

const doubtedMeanwhile = (batch: BatchId): Fault =>
  new Fault(
    'ledger-unsafe',
    'Another run found payments at the service that this ledger never sent, so it may not know all that was sent of this batch either. Nothing more was sent.',
    `Go on with \`paybatch resume ${batch}\`: every payment is looked up before it is sent.`,
  );

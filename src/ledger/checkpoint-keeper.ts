/**
 * Keeps the checkpoint of a ledger up to date, and decides by it whether the ledger is the one that was here last. The rule: a
 * checkpoint is durable before anything that it speaks of is sent, so a ledger that agrees with its checkpoint has forgotten
 * nothing that was sent.
 *
 * ```text
 * what was lost or replaced            what shows it                                        the ledger is
 * the ledger                           the checkpoint names another ledger                  lost
 * the ledger, by an older copy         the checkpoint is further, which `settle` records    restored
 * the checkpoint                       there is none, and the ledger has facts              no-checkpoint
 * the checkpoint, by an older copy     a run that it does not know has claimed, or ended    no-checkpoint
 * the ledger and the checkpoint        there is nothing here                                new
 * both, by a copy                      the checkpoint names another file or computer        copied
 * both, by a disk in place             nothing here: the service shows what was sent        behind, after `suspect`
 * ```
 *
 * It is tampering if the checkpoint names another fact at a number that the ledger has, or was not signed by a key of the ledger.
 */

import { type Database, Turns } from '../database/database.ts';
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
  type RecoveryNote,
  type RecoveryReason,
  readCheckpoint,
  type SignedCheckpoint,
  signedCheckpointText,
  writeCheckpoint,
} from './checkpoint.ts';
import type { Keyring } from './keyring.ts';
import { latestEpoch } from './lease.ts';
import { LEDGER_FACTS } from './ledger-chain.ts';
import type { Proof } from './proof.ts';

/** The most batches that a checkpoint names: more than a weekly payroll has in fifteen years. */
const BATCHES_MAX = 1000;
/**
 * How many order ids of a batch its checkpoint keeps. One of them is still there if two of their rows were taken off the
 * sheet.
 */
const FIRST = 3;
/**
 * How long a ledger in recovery distrusts batches that no checkpoint names, in milliseconds: 45 days. By then the sheets of
 * the month in which the ledger was lost are paid, or somebody has missed their pay.
 */
const UNNAMED_MS = 45 * 86_400_000;

export interface CheckpointKeeperOptions {
  readonly database: Database;
  readonly ledgerUuid: string;
  readonly proof: Pick<Proof, 'chains' | 'facts' | 'headAt' | 'keyChanges'>;
  readonly keyring: Keyring;
  /** The file of the checkpoint. */
  readonly path: string;
  readonly files: LedgerFiles;
  /** Where the ledger is. */
  readonly place: Place;
  readonly clock: Clock;
}

export class CheckpointKeeper {
  readonly #options: CheckpointKeeperOptions;
  /** Runs the changes of the checkpoint by this process one after the other. */
  readonly #turns = new Turns();
  /**
   * The checkpoint as this process judged it, took it over from another process, or wrote it last, even if something has replaced its
   * file since. If the ledger does not continue from the checkpoint that was here, it names no fact: its `seq` is 0.
   */
  #checkpoint: Checkpoint | undefined;
  /** The text that this process wrote last; `undefined` if it has not written yet. */
  #written: string | undefined;
  /** Batches that this process knew to be in recovery when it began them, or found to be so itself. */
  readonly #inRecovery = new Set<BatchId>();

  constructor(options: CheckpointKeeperOptions) {
    this.#options = options;
  }

  /** Needs a lease. Compares the ledger with its checkpoint again, unless this process has begun to write the checkpoint. */
  async judge(): Promise<void> {
    if (this.#written === undefined) this.#checkpoint = await this.#judged();
  }

  /**
   * Records in the checkpoint that the ledger was restored, before the ledger continues from there: its next facts will have
   * the numbers of facts that it has forgotten.
   */
  async settle(epoch: number, head: ChainHead): Promise<void> {
    const isSettled = this.#written !== undefined || (await this.#known()).recovery?.why !== 'restored';
    if (!isSettled) await this.#change((checkpoint) => this.#upTo(head, epoch, checkpoint));
  }

  /**
   * Returns why orders of the batch are looked up before they are sent, or `undefined` if the ledger knows everything that
   * was sent.
   */
  async recoveryReason(batch: BatchId): Promise<RecoveryReason | undefined> {
    const { recovery } = await this.#known();
    if (recovery === undefined) return undefined;
    return isAmong(recovery.batches, batch) || this.#mayBeUnnamed(recovery, batch) ? recovery.why : undefined;
  }

  /**
   * Returns the batches that another state of this ledger had begun, that this ledger does not have, and that no person has
   * closed.
   */
  async lostBatches(): Promise<readonly BegunBatch[]> {
    const { recovery, batches } = await this.#known();
    if (recovery === undefined) return [];
    const kept = (await headers(this.#options.database)).map(({ id }) => id);
    return batches.filter(({ id }) => isAmong(recovery.batches, id) && !isAmong(kept, id));
  }

  /**
   * Returns what the checkpoint says that cannot be true of this ledger, in plain words. A ledger that was restored is in
   * recovery, but sound.
   */
  async differences(): Promise<readonly string[]> {
    try {
      await this.judge();
      return [];
    } catch (error) {
      if (error instanceof Fault && error.code === 'ledger-unsafe') return [error.message];
      throw error;
    }
  }

  /** Records in the checkpoint that the batch is begun. Only after that may it be sent. */
  async begin(batch: BatchId, epoch: number, head: ChainHead): Promise<void> {
    const header = await findBatch(this.#options.database, batch);
    invariant(header, 'a batch is planned before it is in the checkpoint');
    const first = (await smallestOrders(this.#options.database, batch, FIRST)).map(idBeginning);
    // Asked before what other processes wrote is taken over: a recovery that began since this run asked must not count as
    // known, or the run would send without a look-up.
    if ((await this.recoveryReason(batch)) !== undefined) this.#inRecovery.add(batch);
    await this.#change((checkpoint) => {
      const { recovery } = checkpoint;
      // A batch that is begun in recovery stays in recovery until it is finished, however long that takes.
      const isUnnamed = recovery && this.#mayBeUnnamed(recovery, batch);
      return {
        ...this.#upTo(head, epoch, checkpoint),
        batches: distinct([...checkpoint.batches, { ...begunBatch(header), first }]).slice(-BATCHES_MAX),
        recovery: isUnnamed ? { ...recovery, batches: [...new Set([...recovery.batches, batch])] } : recovery,
      };
    });
  }

  /** Records in the checkpoint that nothing came before a new ledger. */
  async trustNew(epoch: number, head: ChainHead): Promise<void> {
    if ((await this.#known()).recovery?.why !== 'new') return;
    await this.#change((checkpoint) => ({ ...this.#upTo(head, epoch, checkpoint), recovery: undefined }));
  }

  /** Records that a person has closed a lost batch, so that it needs no look-up any more. */
  async close(closed: ClosedBatch, epoch: number, head: ChainHead): Promise<void> {
    await this.#change((checkpoint) => {
      const { recovery } = checkpoint;
      invariant(recovery, 'a batch is lost with its ledger');
      const batches = recovery.batches.filter((id) => !isSame(id, closed.id));
      return {
        ...this.#upTo(head, epoch, checkpoint),
        recovery: { ...recovery, batches },
        closed: [...checkpoint.closed, closed],
      };
    });
  }

  /**
   * Moves the checkpoint, with everything that it says, after its ledger, which is complete in another place now and no
   * longer written here. A checkpoint that names the new place or the old one does not put the ledger in recovery.
   */
  async moveTo(file: string, epoch: number, { seq, hash }: ChainHead): Promise<void> {
    const there = { ...this.#options.place, file };
    this.#checkpoint = await this.#judged([this.#options.place, there]);
    await this.#change((checkpoint) => ({ ...checkpoint, ...there, epoch, seq, hash }));
  }

  /** Resolves when the checkpoint goes at least as far as this head. Does nothing before a run has begun. */
  async advance(head: ChainHead): Promise<void> {
    if (this.#written === undefined) return;
    await this.#change((checkpoint) =>
      checkpoint.seq < head.seq ? { ...checkpoint, ...further(head, checkpoint) } : checkpoint,
    );
  }

  /**
   * Throws a Fault `ledger-unsafe` if another run has found, since this one asked, that the ledger does not know everything
   * that was sent.
   */
  requireNoNewRecovery(batch: BatchId): void {
    const recovery = this.#written === undefined ? undefined : this.#checkpoint?.recovery;
    if (recovery === undefined || !isAmong(recovery.batches, batch) || this.#inRecovery.has(batch)) return;
    throw beganMeanwhile(batch);
  }

  /**
   * Puts every open batch in recovery, because payments that were sent from elsewhere show that this ledger is not the
   * latest, or not the only one.
   */
  async suspect(epoch: number, head: ChainHead): Promise<void> {
    await this.#change((checkpoint) => {
      const batches = openOf(checkpoint);
      for (const batch of batches) this.#inRecovery.add(batch);
      const recovery = { why: 'behind', since: this.#options.clock.now(), batches, through: [] } as const;
      return { ...this.#upTo(head, epoch, checkpoint), recovery };
    });
  }

  /**
   * Ends the recovery of a batch of which every order was sent, or found at the service. `andUnnamed` says that this also
   * holds for everything that no checkpoint names.
   */
  async endRecovery(batch: BatchId, { andUnnamed }: { readonly andUnnamed: boolean }): Promise<void> {
    invariant(this.#written, 'a batch is in the checkpoint before it is through');
    await this.#change((checkpoint) => {
      const { recovery } = checkpoint;
      if (recovery === undefined) return checkpoint;
      const batches = recovery.batches.filter((one) => !isSame(one, batch));
      if (batches.length === 0 && (andUnnamed || !this.#isRecent(recovery)))
        return { ...checkpoint, recovery: undefined };
      const through = [...recovery.through, batch].slice(-BATCHES_MAX);
      return { ...checkpoint, recovery: { ...recovery, batches, through } };
    });
  }

  /** Reports whether a batch that no checkpoint names may have been sent nevertheless. */
  #mayBeUnnamed(recovery: RecoveryNote, batch: BatchId): boolean {
    return this.#isRecent(recovery) && !isAmong(recovery.through, batch);
  }

  /**
   * Reports whether recovery began less than `UNNAMED_MS` ago. A clock that was set back makes it recent again, which costs
   * look-ups.
   */
  #isRecent({ since }: RecoveryNote): boolean {
    return this.#options.clock.now() - since < UNNAMED_MS;
  }

  async #known(): Promise<Checkpoint> {
    this.#checkpoint ??= await this.#judged();
    return this.#checkpoint;
  }

  /** Returns the checkpoint as of now: with the present place, epoch and head. */
  #upTo(head: ChainHead, epoch: number, checkpoint: Checkpoint): Checkpoint {
    return {
      ...checkpoint,
      ...this.#options.place,
      epoch: Math.max(checkpoint.epoch, epoch),
      ...further(head, checkpoint),
    };
  }

  /** Replaces the checkpoint with what `make` returns for it, after taking over what other processes have written since. */
  async #change(make: (checkpoint: Checkpoint) => Checkpoint): Promise<void> {
    const { database, path, files, keyring } = this.#options;
    await this.#turns.take(async () => {
      using _ = await lockCheckpoint(path, this.#options);
      const own = await this.#known();
      const found = await readCheckpoint(path, files);
      const before = this.#following(found, own);
      // If the file of the ledger was taken away, its facts mean nothing for the ledger that has replaced it.
      database.assertInPlace();
      const made = make(before);
      // The other process may not have synced what it wrote, so that is written again.
      if (made === before && isWritten(found) && found.text === this.#written) return;
      const writes = 1 + Math.max(before.writes, isWritten(found) ? found.checkpoint.writes : 0);
      const checkpoint = { ...made, writes };
      this.#written = await writeCheckpoint(path, checkpoint, { files, signer: keyring.signer });
      this.#checkpoint = checkpoint;
    });
  }

  /** Returns what this process knows, joined with what another process has written since. */
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

  /** Returns the checkpoint to continue from, by what its file says. `places` are the places where the ledger is known to be. */
  async #judged(places = [this.#options.place]): Promise<Checkpoint> {
    const { path, files, database, clock, proof, ledgerUuid: ledger, place } = this.#options;
    const found = await readCheckpoint(path, files);
    // Read after the checkpoint: a checkpoint is never ahead of its ledger, even while another process writes both.
    await proof.facts('again');
    const why = await this.#reasonFor(found, places);
    const none: Checkpoint = { ledger, ...place, epoch: 0, seq: 0, hash: '', writes: 0, batches: [], closed: [] };
    const checkpoint = isWritten(found) ? found.checkpoint : none;
    const { closed, writes } = checkpoint;
    const kept = (await headers(database)).toReversed().map(begunBatch);
    const batches = distinct([...checkpoint.batches, ...kept]);
    if (why === undefined) return { ...checkpoint, batches };
    const recovery = { why, since: clock.now(), batches: openOf({ batches, closed }), through: [] };
    return { ...none, writes, batches, closed, recovery };
  }

  /**
   * Returns why the ledger has to be in recovery, or `undefined`. A checkpoint that is behind is not a reason: the ledger
   * has continued from there.
   */
  async #reasonFor(found: FoundCheckpoint, places: readonly Place[]): Promise<RecoveryReason | undefined> {
    const { database, ledgerUuid, proof, path, place } = this.#options;
    const last = proof.chains.seq;
    if (!isWritten(found)) return found === 'missing' && last === 0 ? 'new' : 'no-checkpoint';
    const { checkpoint } = found;
    if (checkpoint.ledger !== ledgerUuid) return 'lost';
    if (!this.#isOurs(found)) throw tampered(`The checkpoint ${path} was not signed by the key of this ledger`);
    const isForgotten = checkpoint.seq > last || (await proof.headAt(checkpoint.seq)).hash !== checkpoint.hash;
    // A server that took over from another one continues from what had reached it, so another fact there is not tampering.
    if (isForgotten && checkpoint.seq <= last && !isOfServerBefore(checkpoint, place)) {
      throw tampered(`The checkpoint ${path} names another fact ${checkpoint.seq} than the ledger has`);
    }
    if (isForgotten || checkpoint.epoch > (await latestEpoch(database))) return 'restored';
    // Not on a server: other computers that pay from it have their own checkpoints.
    if (!isOnServer(place) && (await database.read(RUN_SINCE, [checkpoint.seq])).length > 0) return 'no-checkpoint';
    return places.every((one) => isElsewhere(checkpoint, one)) ? 'copied' : undefined;
  }
}

/**
 * A run that began after a given fact, and then claimed or ended. A run is in the checkpoint before it does either, so a
 * checkpoint that ends with the given fact is an older one.
 */
const RUN_SINCE = `SELECT f.seq FROM fact f WHERE f.seq > ? AND ${LEDGER_FACTS} AND f.type = 'run-started' AND EXISTS (
  SELECT 1 FROM fact c WHERE c.batch = f.batch AND c.seq > f.seq AND c.type IN ('order-claimed', 'run-stopped')) LIMIT 1`;

const isWritten = (found: FoundCheckpoint): found is SignedCheckpoint => typeof found === 'object';

/** Returns the later of the two. A checkpoint never goes back: another process may have written more than this one knows. */
const further = (head: ChainHead, checkpoint: Checkpoint): ChainHead =>
  checkpoint.seq > head.seq ? { seq: checkpoint.seq, hash: checkpoint.hash } : { seq: head.seq, hash: head.hash };

const tampered = (what: string): Fault =>
  new Fault(
    'ledger-unsafe',
    `${what}: something other than paybatch changed one of the two. Nothing more was sent.`,
    'Keep both as they are, and find out who changed what. A checkpoint that somebody restored from a backup may be set aside: every payment is then looked up before it is sent.',
  );

const beganMeanwhile = (batch: BatchId): Fault =>
  new Fault(
    'ledger-unsafe',
    'Another run found payments at the service that this ledger never sent, so it may not know all that was sent of this batch either. Nothing more was sent.',
    `Continue with \`paybatch resume ${batch}\`: every payment is looked up before it is sent.`,
  );

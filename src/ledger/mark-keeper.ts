/**
 * Keeps the marks of a ledger up to date, and judges by them whether the ledger is the one that was here last. The rule:
 * a mark is durable before anything that it speaks of is sent, so a ledger that agrees with every mark has forgotten
 * nothing that was sent.
 */
import type { BatchHeader } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import { type BatchId, comparedBatchName } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { moneyText } from '../domain/money.ts';
import { findBatch, batches as headers, smallestOrders } from './batches.ts';
import type { ChainHead } from './chain.ts';
import type { Database } from './database.ts';
import type { Keyring } from './keyring.ts';
import { READ_LEASE, readLease } from './lease.ts';
import {
  type ClosedBatch,
  type Doubt,
  type DoubtReason,
  type FoundMarks,
  idBeginning,
  type LedgerFiles,
  type Mark,
  type MarkedBatch,
  type Place,
  readMarks,
  writeMark,
} from './mark.ts';
import type { Proof } from './proof.ts';
import { requireSigned } from './signed-marks.ts';

/** Batches that a mark names at most: more than a weekly payroll has in fifteen years. */
const BATCHES_MAX = 1000;
/** Ids of a batch that its mark keeps: one of them is there also where two of their rows were taken off the sheet. */
const FIRST = 3;
/**
 * For so long a ledger that was doubted is also doubted about batches that no mark names, in milliseconds: 45 days. By then
 * the sheets of the month in which it was lost are paid, or somebody has missed their pay.
 */
const UNNAMED_MS = 45 * 86_400_000;

export interface MarkKeeperOptions {
  readonly database: Database;
  readonly ledgerUuid: string;
  readonly proof: Pick<Proof, 'chains' | 'facts' | 'headAt' | 'keyChanges'>;
  readonly keyring: Keyring;
  /** Every place in which a mark is kept. */
  readonly paths: readonly string[];
  readonly files: LedgerFiles;
  readonly place: Place;
  readonly clock: Clock;
}

/** Marks that are known to be this ledger's own, or that are another one's. */
type FoundPlain = Omit<FoundMarks, 'marks'> & { readonly marks: readonly Mark[] };

/** What the marks say, before this process changes them. */
interface Judgement {
  readonly doubt: Doubt | undefined;
  readonly batches: readonly MarkedBatch[];
  readonly closed: readonly ClosedBatch[];
}

export class MarkKeeper {
  readonly #options: MarkKeeperOptions;
  #judgement: Judgement | undefined;
  /** As this process wrote it last. */
  #mark: Mark | undefined;
  /** Resolves when the write before is done: two at once would mix in one file. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: MarkKeeperOptions) {
    this.#options = options;
  }

  /** Holds the ledger against its marks again, unless this process has begun to write them. */
  async judge(): Promise<void> {
    if (this.#mark === undefined) this.#judgement = await this.#judged();
  }

  /**
   * Writes down that the ledger was put back before it goes on from there: its next facts will have numbers of facts that it has
   * forgotten.
   */
  async settle(epoch: number, head: ChainHead): Promise<void> {
    const { doubt, batches, closed } = await this.#known();
    if (doubt?.why !== 'restored' || this.#mark !== undefined) return;
    await this.#change(() => ({ ...this.#mine(epoch, head, batches, closed), doubt }));
  }

  /** Why orders of the batch are looked up before they are sent; undefined when the ledger knows all that was sent. */
  async doubt(batch: BatchId): Promise<DoubtReason | undefined> {
    const { doubt } = await this.#known();
    if (doubt === undefined) return undefined;
    return isAmong(doubt.batches, batch) || this.#mayBeUnnamed(doubt, batch) ? doubt.why : undefined;
  }

  /** Batches that another state of this ledger had begun, that it does not have, and that nobody has closed. */
  async lostBatches(): Promise<readonly MarkedBatch[]> {
    const { doubt, batches } = await this.#known();
    if (doubt === undefined) return [];
    const kept = (await headers(this.#options.database)).map(({ id }) => id);
    return batches.filter(({ id }) => isAmong(doubt.batches, id) && !isAmong(kept, id));
  }

  /** What marks say that cannot be true of this ledger, in plain words. One that was put back is in doubt, and whole. */
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
    const { doubt, batches, closed } = await this.#known();
    const header = await findBatch(this.#options.database, batch);
    invariant(header, 'a batch is planned before it is marked');
    const first = (await smallestOrders(this.#options.database, batch, FIRST)).map(idBeginning);
    const named = distinct([...batches, { ...markedBatch(header), first }]).slice(-BATCHES_MAX);
    // One that is begun in doubt stays so until it is through, however long that takes.
    const doubted = doubt && this.#mayBeUnnamed(doubt, batch) ? [...doubt.batches, batch] : doubt?.batches;
    await this.#change(() => ({
      ...this.#mine(epoch, head, named, closed),
      ...(doubt && doubted && { doubt: { ...doubt, batches: [...new Set(doubted)] } }),
    }));
  }

  /** Marks a new ledger as one that nothing came before. */
  async vouch(epoch: number, head: ChainHead): Promise<void> {
    const { doubt, closed } = await this.#known();
    if (doubt?.why !== 'new') return;
    await this.#change(() => this.#mine(epoch, head, [], closed));
  }

  /** Records a person's word that a lost batch needs no look any more. */
  async close(closed: ClosedBatch, epoch: number, head: ChainHead): Promise<void> {
    const { doubt, batches, closed: before } = await this.#known();
    invariant(doubt, 'a batch is lost with its ledger');
    const left = { ...doubt, batches: doubt.batches.filter((id) => !isSame(id, closed.id)) };
    await this.#change(() => ({ ...this.#mine(epoch, head, batches, [...before, closed]), doubt: left }));
  }

  /**
   * The ledger is whole in another place now, and nothing is recorded here any more: its marks follow it, with all that they say.
   * Marks that were there before do not speak against it.
   */
  async moveTo(file: string, epoch: number, { seq, hash }: ChainHead): Promise<void> {
    const { place } = this.#options;
    const { doubt, batches, closed } = await this.#judged([place, { ...place, file }]);
    await this.#change(() => ({ ...this.#mine(epoch, { seq, hash }, batches, closed), file, ...(doubt && { doubt }) }));
  }

  /** Resolves when the ledger is marked at least this far, once a run has begun. */
  async advance(head: ChainHead): Promise<void> {
    if (this.#mark === undefined) return;
    await this.#change((mark) => (mark && mark.seq < head.seq ? { ...mark, ...head } : mark));
  }

  /** What was sent from elsewhere shows that this ledger is not the latest, or not the only one. */
  async suspect(epoch: number, head: ChainHead): Promise<void> {
    const { batches, closed } = await this.#known();
    const doubt = {
      why: 'behind',
      since: this.#options.clock.now(),
      batches: openOf(batches, closed),
      through: [],
    } as const;
    await this.#change(() => ({ ...this.#mine(epoch, head, batches, closed), doubt }));
  }

  /** Every order of the batch was sent, or found at the service. `andUnnamed`: so was whatever no mark names. */
  async dispel(batch: BatchId, { andUnnamed }: { readonly andUnnamed: boolean }): Promise<void> {
    await this.#change((mark) => {
      invariant(mark, 'a batch is marked before it is through');
      const { doubt, ...rest } = mark;
      if (doubt === undefined) return mark;
      const batches = doubt.batches.filter((one) => !isSame(one, batch));
      if (batches.length === 0 && (andUnnamed || !this.#isRecent(doubt))) return rest;
      return { ...rest, doubt: { ...doubt, batches, through: [...doubt.through, batch].slice(-BATCHES_MAX) } };
    });
  }

  /** Whether a batch that no mark names may have been sent all the same. */
  #mayBeUnnamed(doubt: Doubt, batch: BatchId): boolean {
    return this.#isRecent(doubt) && !isAmong(doubt.through, batch);
  }

  /** A clock that was set back makes it recent again, which costs look-ups. */
  #isRecent({ since }: Doubt): boolean {
    return this.#options.clock.now() - since < UNNAMED_MS;
  }

  async #known(): Promise<Judgement> {
    if (this.#judgement === undefined) await this.judge();
    invariant(this.#judgement, 'a ledger is judged before it is marked');
    return this.#mark ? { ...this.#mark, doubt: this.#mark.doubt, closed: this.#mark.closed ?? [] } : this.#judgement;
  }

  #mine(epoch: number, head: ChainHead, batches: readonly MarkedBatch[], closed: readonly ClosedBatch[]): Mark {
    const { ledgerUuid: ledger, place } = this.#options;
    return { ledger, ...place, epoch, batches, ...head, ...(closed.length > 0 && { closed }) };
  }

  #change(make: (mark: Mark | undefined) => Mark | undefined): Promise<void> {
    const changed = this.#turn.then(async () => {
      const mark = make(this.#mark);
      if (mark === undefined || mark === this.#mark) return;
      const { paths, files, keyring } = this.#options;
      await writeMark(paths, mark, { files, signer: keyring.signer });
      this.#mark = mark;
    });
    this.#turn = changed.catch(() => undefined);
    return changed;
  }

  /** `places`: where the ledger is known to be. */
  async #judged(places = [this.#options.place]): Promise<Judgement> {
    const { paths, files, database, clock, proof } = this.#options;
    const read = await readMarks(paths, files);
    // A mark is behind its ledger whenever it is read, and who writes to both may be another process.
    await proof.facts('again');
    await requireSigned(read, this.#options);
    const found = { ...read, marks: read.marks.map(({ mark }) => mark) };
    const kept = (await headers(database)).toReversed().map(markedBatch);
    const batches = distinct([...found.marks.flatMap((mark) => mark.batches), ...kept]);
    const closed = found.marks.flatMap((mark) => mark.closed ?? []).filter(isFirst);
    const carried = found.marks.flatMap(({ doubt }) => doubt ?? []);
    const why = await this.#whyNew(found, places);
    const earlier = carried.flatMap((doubt) => doubt.batches);
    if (why !== undefined) {
      return { batches, closed, doubt: { why, since: clock.now(), batches: openOf(batches, closed), through: [] } };
    }
    const [first] = carried;
    if (first === undefined) return { batches, closed, doubt: undefined };
    // What is through is so by every mark: one that was put back alone knows less.
    const through = first.through.filter((id) => carried.every((one) => one.through.includes(id)));
    const since = Math.max(...carried.map((one) => one.since));
    return { batches, closed, doubt: { why: first.why, since, batches: [...new Set(earlier)], through } };
  }

  /** What speaks against this ledger as it is. A mark that is behind is no doubt: the ledger went on from there. */
  async #whyNew({ marks, ...found }: FoundPlain, places: readonly Place[]): Promise<DoubtReason | undefined> {
    const { missing, unreadable } = found;
    const { database, ledgerUuid, proof } = this.#options;
    const last = proof.chains.seq;
    if (marks.length === 0 && !unreadable) return last === 0 ? 'new' : 'unmarked';
    if (marks.some(({ ledger }) => ledger !== ledgerUuid)) return 'lost';
    const [lease] = await database.read(READ_LEASE);
    const epoch = lease ? readLease(lease).epoch : 0;
    for (const mark of marks) {
      if (mark.epoch > epoch || mark.seq > last || (await proof.headAt(mark.seq)).hash !== mark.hash) return 'restored';
    }
    // The one that is not there could have told that the ledger was put back together with the other.
    if (missing || unreadable) return 'unmarked';
    return marks.some((mark) => places.every((place) => isElsewhere(mark, place))) ? 'copied' : undefined;
  }
}

/** A mark that does not say where it was made speaks against nothing. */
const isElsewhere = (mark: Mark, { machine, file }: Place): boolean =>
  (mark.machine ?? machine) !== machine || (mark.file ?? file) !== file;

const markedBatch = ({ id, plannedAt, payable, total }: BatchHeader): MarkedBatch => ({
  id,
  plannedAt,
  payable,
  total: moneyText(total),
});

/** A batch may be named in another way of writing when it is run again after a loss. */
const isSame = (one: BatchId, other: BatchId): boolean => comparedBatchName(one) === comparedBatchName(other);

const isAmong = (batches: readonly BatchId[], batch: BatchId): boolean => batches.some((one) => isSame(one, batch));

/** Those that no person has closed. */
const openOf = (batches: readonly MarkedBatch[], closed: readonly ClosedBatch[]): readonly BatchId[] => {
  const ended = closed.map(({ id }) => id);
  return batches.map(({ id }) => id).filter((id) => !isAmong(ended, id));
};

/** The latest word on each batch, in the order in which they were begun. */
function distinct(batches: readonly MarkedBatch[]): readonly MarkedBatch[] {
  const latest = new Map<string, MarkedBatch>();
  for (const batch of batches) {
    const name = comparedBatchName(batch.id);
    latest.set(name, { ...latest.get(name), ...batch });
  }
  return [...latest.values()];
}

const isFirst = ({ id }: ClosedBatch, index: number, all: readonly ClosedBatch[]): boolean =>
  all.findIndex((one) => one.id === id) === index;

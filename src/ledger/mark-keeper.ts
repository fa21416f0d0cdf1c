/**
 * Keeps the marks of a ledger up to date, and judges by them whether the ledger is the one that was here last. The rule:
 * a mark is durable before anything that it speaks of is sent, so a ledger that agrees with every mark has forgotten
 * nothing that was sent.
 */
import type { Clock } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { findBatch, batches as headers, smallestOrders } from './batches.ts';
import type { ChainHead } from './chain.ts';
import type { Database } from './database.ts';
import type { Keyring } from './keyring.ts';
import { latestEpoch } from './lease.ts';
import {
  type ClosedBatch,
  type Doubt,
  type DoubtReason,
  type FoundMarks,
  idBeginning,
  isElsewhere,
  type Mark,
  type MarkedBatch,
  type Place,
  readMarks,
} from './mark.ts';
import type { Proof } from './proof.ts';
import {
  distinct,
  doubtedMeanwhile,
  further,
  isAmong,
  isFirst,
  isSame,
  markedBatch,
  openOf,
  SharedMark,
  type SharedMarkOptions,
} from './shared-mark.ts';
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

export interface MarkKeeperOptions extends SharedMarkOptions {
  readonly database: Database;
  readonly proof: Pick<Proof, 'chains' | 'facts' | 'headAt' | 'keyChanges'>;
  readonly keyring: Keyring;
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
  /** So often they had been written. */
  readonly writes: number;
}

/** What is known of a ledger at the moment in which a mark is changed. */
type Known = Omit<Judgement, 'writes'>;

export class MarkKeeper {
  readonly #options: MarkKeeperOptions;
  readonly #mark: SharedMark;
  #judgement: Judgement | undefined;
  /** Batches of which this process knew that they are in doubt when it began them, or found it out. */
  readonly #doubted = new Set<BatchId>();

  constructor(options: MarkKeeperOptions) {
    this.#options = options;
    this.#mark = new SharedMark(options);
  }

  /** Lease. Holds the ledger against its marks again, unless this process has begun to write them. */
  async judge(): Promise<void> {
    if (this.#mark.known !== undefined) return;
    // Of a process that writes both marks for the first time, one may be there.
    await this.#mark.alone(async () => {
      this.#judgement = await this.#judged();
    });
  }

  /**
   * Writes down that the ledger was put back before it goes on from there: its next facts will have numbers of facts that it has
   * forgotten.
   */
  async settle(epoch: number, head: ChainHead): Promise<void> {
    if (this.#mark.known !== undefined || (await this.#known()).doubt?.why !== 'restored') return;
    // Where it is there, another process has settled it.
    await this.#change((known, mark) => mark ?? { ...this.#mine(epoch, head, known), ...field(known.doubt) });
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
      if (this.#mark.known === undefined) this.#judgement = await this.#judged();
      return [];
    } catch (error) {
      if (error instanceof Fault && error.code === 'ledger-unsafe') return [error.message];
      throw error;
    }
  }

  /** From here on the batch may be sent. */
  async begin(batch: BatchId, epoch: number, head: ChainHead): Promise<void> {
    const header = await findBatch(this.#options.database, batch);
    invariant(header, 'a batch is planned before it is marked');
    const first = (await smallestOrders(this.#options.database, batch, FIRST)).map(idBeginning);
    await this.#change((known, mark) => {
      const { doubt } = known;
      const batches = distinct([...known.batches, { ...markedBatch(header), first }]).slice(-BATCHES_MAX);
      // One that is begun in doubt stays so until it is through, however long that takes.
      const doubted = doubt && this.#mayBeUnnamed(doubt, batch) ? [...doubt.batches, batch] : doubt?.batches;
      if (doubted && isAmong(doubted, batch)) this.#doubted.add(batch);
      return {
        ...this.#mine(epoch, further(head, mark), { ...known, batches }),
        ...field(doubt && doubted && { ...doubt, batches: [...new Set(doubted)] }),
      };
    });
  }

  /** Marks a new ledger as one that nothing came before. */
  async vouch(epoch: number, head: ChainHead): Promise<void> {
    if ((await this.#known()).doubt?.why !== 'new') return;
    await this.#change((known, mark) => this.#mine(epoch, head, { ...known, batches: mark?.batches ?? [] }));
  }

  /** Records a person's word that a lost batch needs no look any more. */
  async close(closed: ClosedBatch, epoch: number, head: ChainHead): Promise<void> {
    await this.#change((known, mark) => {
      const { doubt } = known;
      invariant(doubt, 'a batch is lost with its ledger');
      const left = { ...doubt, batches: doubt.batches.filter((id) => !isSame(id, closed.id)) };
      const said = { ...known, closed: [...known.closed, closed] };
      return { ...this.#mine(epoch, further(head, mark), said), doubt: left };
    });
  }

  /**
   * The ledger is whole in another place now, and nothing is recorded here any more: its marks follow it, with all that they say.
   * Marks that were there before do not speak against it.
   */
  async moveTo(file: string, epoch: number, { seq, hash }: ChainHead): Promise<void> {
    const { place } = this.#options;
    this.#judgement = await this.#judged([place, { ...place, file }]);
    const said = this.#judgement;
    await this.#change(() => ({ ...this.#mine(epoch, { seq, hash }, said), file, ...field(said.doubt) }));
  }

  /** Resolves when the ledger is marked at least this far, once a run has begun. */
  async advance(head: ChainHead): Promise<void> {
    if (this.#mark.known === undefined) return;
    await this.#change((_, mark, isNews) => {
      // What another process wrote may not have been synced by it: it is written again.
      if (mark && (mark.seq < head.seq || isNews)) return { ...mark, ...further(head, mark) };
      return mark;
    });
  }

  /**
   * Throws a Fault `ledger-unsafe` when another run found out, since this one began the batch, that the ledger does not know all that
   * was sent.
   */
  requireUndoubted(batch: BatchId): void {
    const { doubt } = this.#mark.known ?? {};
    if (doubt === undefined || !isAmong(doubt.batches, batch) || this.#doubted.has(batch)) return;
    throw doubtedMeanwhile(batch);
  }

  /** What was sent from elsewhere shows that this ledger is not the latest, or not the only one. */
  async suspect(epoch: number, head: ChainHead): Promise<void> {
    await this.#change((known, mark) => {
      const batches = openOf(known.batches, known.closed);
      for (const batch of batches) this.#doubted.add(batch);
      const doubt = { why: 'behind', since: this.#options.clock.now(), batches, through: [] } as const;
      return { ...this.#mine(epoch, further(head, mark), known), doubt };
    });
  }

  /** Every order of the batch was sent, or found at the service. `andUnnamed`: so was whatever no mark names. */
  async dispel(batch: BatchId, { andUnnamed }: { readonly andUnnamed: boolean }): Promise<void> {
    await this.#change((_, mark) => {
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

  async #known(): Promise<Known> {
    const mark = this.#mark.known;
    if (mark) return knownIn(mark);
    this.#judgement ??= await this.#judged();
    return this.#judgement;
  }

  #mine(epoch: number, head: ChainHead, { batches, closed }: Known): Mark {
    const { ledgerUuid: ledger, place } = this.#options;
    return { ledger, ...place, epoch, batches, ...head, ...(closed.length > 0 && { closed }) };
  }

  async #change(make: (known: Known, mark: Mark | undefined, isNews: boolean) => Mark | undefined): Promise<void> {
    this.#judgement ??= await this.#judged();
    const judgement = this.#judgement;
    await this.#mark.change(judgement.writes, (mark, isNews) => {
      // What is recorded in a file that was taken away speaks of nothing that the ledger in its place has.
      this.#options.database.assertInPlace();
      return make(mark ? knownIn(mark) : judgement, mark, isNews);
    });
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
    const writes = Math.max(0, ...found.marks.map((mark) => mark.writes ?? 0));
    if (why !== undefined) {
      return {
        batches,
        closed,
        writes,
        doubt: { why, since: clock.now(), batches: openOf(batches, closed), through: [] },
      };
    }
    const [first] = carried;
    if (first === undefined) return { batches, closed, writes, doubt: undefined };
    // What is through is so by every mark: one that was put back alone knows less.
    const through = first.through.filter((id) => carried.every((one) => one.through.includes(id)));
    const since = Math.max(...carried.map((one) => one.since));
    return { batches, closed, writes, doubt: { why: first.why, since, batches: [...new Set(earlier)], through } };
  }

  /** What speaks against this ledger as it is. A mark that is behind is no doubt: the ledger went on from there. */
  async #whyNew({ marks, ...found }: FoundPlain, places: readonly Place[]): Promise<DoubtReason | undefined> {
    const { missing, unreadable } = found;
    const { database, ledgerUuid, proof } = this.#options;
    const last = proof.chains.seq;
    if (marks.length === 0 && !unreadable) return last === 0 ? 'new' : 'unmarked';
    if (marks.some(({ ledger }) => ledger !== ledgerUuid)) return 'lost';
    const epoch = await latestEpoch(database);
    for (const mark of marks) {
      if (mark.epoch > epoch || mark.seq > last || (await proof.headAt(mark.seq)).hash !== mark.hash) return 'restored';
    }
    // The one that is not there could have told that the ledger was put back together with the other.
    if (missing || unreadable) return 'unmarked';
    return marks.some((mark) => places.every((place) => isElsewhere(mark, place))) ? 'copied' : undefined;
  }
}

const knownIn = ({ doubt, batches, closed = [] }: Mark): Known => ({ doubt, batches, closed });

const field = (doubt: Doubt | undefined): Pick<Mark, 'doubt'> => (doubt ? { doubt } : {});

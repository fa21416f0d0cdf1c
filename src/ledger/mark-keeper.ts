/**
 * Keeps the marks of a ledger up to date, and judges by them whether the ledger is the one that was here last. The rule:
 * a mark is durable before anything that it speaks of is sent, so a ledger that agrees with every mark has forgotten
 * nothing that was sent.
 */
import { type BatchId, comparedName } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { ChainHead } from './chain.ts';
import { type Database, numberOf, textOf } from './database.ts';
import { READ_LEASE, readLease } from './lease.ts';
import {
  type Doubt,
  type DoubtReason,
  type FoundMarks,
  type LedgerFiles,
  type Mark,
  type Place,
  readMarks,
  writeMark,
} from './mark.ts';

/** Batches that a mark names at most: more than a weekly payroll has in fifteen years. */
const BATCHES_MAX = 1000;

const HASH_AT = 'SELECT hash FROM fact WHERE seq = ?';
const READ_HEAD = 'SELECT seq, hash FROM fact ORDER BY seq DESC LIMIT 1';
const BATCHES = 'SELECT id FROM batch ORDER BY number';

export interface MarkKeeperOptions {
  readonly database: Database;
  readonly ledgerUuid: string;
  /** Where the chain of this ledger begins. */
  readonly start: ChainHead;
  /** Every place in which a mark is kept. */
  readonly paths: readonly string[];
  readonly files: LedgerFiles;
  readonly place: Place;
}

/** What the marks say, before this process changes them. */
interface Judgement {
  readonly doubt: Doubt | undefined;
  readonly batches: readonly BatchId[];
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

  /** Holds the ledger against its marks anew, unless this process has begun to write them. */
  async judge(): Promise<void> {
    if (this.#mark === undefined) this.#judgement = await this.#judged();
  }

  /** Why orders of the batch are looked up before they are sent; undefined when the ledger knows all that was sent. */
  async doubt(batch: BatchId): Promise<DoubtReason | undefined> {
    if (this.#judgement === undefined) await this.judge();
    const doubt = this.#mark ? this.#mark.doubt : this.#judgement?.doubt;
    return doubt && (doubt.everyBatch || doubt.batches.some(isNamed(batch))) ? doubt.why : undefined;
  }

  /** Batches that were begun from here, as the marks say, and that the ledger does not hold. */
  async lost(): Promise<readonly BatchId[]> {
    const { marks } = await readMarks(this.#options.paths, this.#options.files);
    const kept = new Set(await this.#kept());
    const named = marks.flatMap(({ batches, doubt }) => [...batches, ...(doubt?.batches ?? [])]);
    return distinct(named).filter((batch) => !kept.has(batch));
  }

  /** From here on the batch may be sent. */
  async begin(batch: BatchId, epoch: number, head: ChainHead): Promise<void> {
    if (this.#judgement === undefined) await this.judge();
    invariant(this.#judgement, 'a ledger is judged before it is marked');
    const { doubt, batches } = this.#mark ?? this.#judgement;
    const named = distinct([...batches.filter((one) => !isNamed(batch)(one)), batch]).slice(-BATCHES_MAX);
    const { ledgerUuid: ledger, place } = this.#options;
    const known = { ledger, ...place, epoch, batches: named, ...(doubt && { doubt }) };
    await this.#change(() => ({ ...known, ...head }));
  }

  /** Marks a new ledger as one that nothing came before. */
  async vouch(epoch: number, head: ChainHead): Promise<void> {
    if (this.#judgement === undefined) await this.judge();
    if (this.#judgement?.doubt?.why !== 'new') return;
    const { ledgerUuid: ledger, place } = this.#options;
    await this.#change(() => ({ ledger, ...place, epoch, batches: [], ...head }));
  }

  /** Resolves when the ledger is marked at least this far, once a run has begun. */
  async advance(head: ChainHead): Promise<void> {
    if (this.#mark === undefined) return;
    await this.#change((mark) => (mark && mark.seq < head.seq ? { ...mark, ...head } : mark));
  }

  /** Every order of the batch was sent, or found at the service: whatever comes next is new. */
  async dispel(batch: BatchId): Promise<void> {
    await this.#change((mark) => {
      invariant(mark, 'a batch is marked before it is through');
      const { doubt, ...rest } = mark;
      if (doubt === undefined) return mark;
      const batches = doubt.batches.filter((one) => !isNamed(batch)(one));
      return batches.length === 0 ? rest : { ...rest, doubt: { ...doubt, everyBatch: false, batches } };
    });
  }

  #change(make: (mark: Mark | undefined) => Mark | undefined): Promise<void> {
    const changed = this.#turn.then(async () => {
      const mark = make(this.#mark);
      if (mark === undefined || mark === this.#mark) return;
      await writeMark(this.#options.paths, mark, this.#options.files);
      this.#mark = mark;
    });
    this.#turn = changed.catch(() => undefined);
    return changed;
  }

  async #judged(): Promise<Judgement> {
    const found = await readMarks(this.#options.paths, this.#options.files);
    const kept = await this.#kept();
    const carried = found.marks.flatMap(({ doubt }) => doubt ?? []);
    const batches = distinct([...found.marks.flatMap((mark) => mark.batches), ...kept]);
    const why = await this.#whyNew(found);
    if (why !== undefined) {
      const doubted = distinct([...batches, ...carried.flatMap((doubt) => doubt.batches)]);
      return { batches, doubt: { why, everyBatch: true, batches: doubted } };
    }
    const [first] = carried;
    if (first === undefined) return { batches, doubt: undefined };
    const doubt = {
      why: first.why,
      everyBatch: carried.some((one) => one.everyBatch),
      batches: distinct(carried.flatMap((one) => one.batches)),
    };
    return { batches, doubt };
  }

  async #kept(): Promise<readonly BatchId[]> {
    return (await this.#options.database.read(BATCHES)).map((row) => textOf(row, 'id') as BatchId); // stored as one
  }

  /** What speaks against this ledger as it is. A mark that is behind is no doubt: the ledger went on from there. */
  async #whyNew({ marks, missing, unreadable }: FoundMarks): Promise<DoubtReason | undefined> {
    const { database, ledgerUuid, start, place } = this.#options;
    const [last] = await database.read(READ_HEAD);
    if (marks.length === 0 && !unreadable) return last === undefined ? 'new' : 'unmarked';
    if (marks.some(({ ledger }) => ledger !== ledgerUuid)) return 'lost';
    const [lease] = await database.read(READ_LEASE);
    const epoch = lease ? readLease(lease).epoch : 0;
    for (const mark of marks) {
      const [at] = await database.read(HASH_AT, [mark.seq]);
      const hash = mark.seq === 0 ? start.hash : at && textOf(at, 'hash');
      if (mark.epoch > epoch || mark.seq > (last ? numberOf(last, 'seq') : 0) || hash !== mark.hash) return 'restored';
    }
    // The one that is not there could have told that the ledger was put back together with the other.
    if (missing || unreadable) return 'unmarked';
    return marks.some((mark) => isElsewhere(mark, place)) ? 'copied' : undefined;
  }
}

/** A mark that does not say where it was made speaks against nothing. */
const isElsewhere = (mark: Mark, { machine, file }: Place): boolean =>
  (mark.machine ?? machine) !== machine || (mark.file ?? file) !== file;

/** A ledger that was lost may have had the same name in another case. */
const isNamed =
  (batch: BatchId) =>
  (other: BatchId): boolean =>
    comparedName(other) === comparedName(batch);

const distinct = (batches: readonly BatchId[]): readonly BatchId[] => [...new Set(batches)];

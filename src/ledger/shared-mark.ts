/**
 * The mark of a ledger as several processes of one computer write it. Each change is made to what the files say at that moment, under
 * a lock that ends with its process, so none of them takes back what another one has written. The files are read as they were written
 * last: `Mark.writes` counts that. What a process wrote itself it knows, whatever was put in the place of its files since.
 */
import { dirname } from 'node:path';
import type { BatchHeader } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import { type BatchId, comparedBatchName } from '../domain/ids.ts';
import { moneyText } from '../domain/money.ts';
import type { ChainHead } from './chain.ts';
import { Turns } from './database.ts';
import type { Keyring } from './keyring.ts';
import {
  type ClosedBatch,
  type Doubt,
  type LedgerFiles,
  type Mark,
  type MarkedBatch,
  readMarks,
  signedMarkText,
  writeMark,
} from './mark.ts';
import type { Proof } from './proof.ts';

/** How long another process may have the lock, in milliseconds, and how often it is asked for. Two small files are synced meanwhile. */
const LOCK_MS_MAX = 30_000;
const LOOK_MS = 3;

export interface SharedMarkOptions {
  readonly ledgerUuid: string;
  readonly keyring: Pick<Keyring, 'signer' | 'hasSigned'>;
  readonly proof: Pick<Proof, 'keyChanges'>;
  /** Every place in which the mark is kept, the one beside the ledger first. */
  readonly paths: readonly string[];
  readonly files: LedgerFiles;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
}

export class SharedMark {
  readonly #options: SharedMarkOptions;
  /** As this process wrote it last, or took it over from another one. */
  #known: Mark | undefined;
  /** Only it itself has written since. */
  #isOwn = false;
  readonly #turns = new Turns();

  constructor(options: SharedMarkOptions) {
    this.#options = options;
  }

  /** What this process knows of it, once it has begun to change it. */
  get known(): Mark | undefined {
    return this.#known;
  }

  /** Does what no other process may do meanwhile. */
  async alone(work: () => Promise<void>): Promise<void> {
    await this.#turns.take(async () => {
      using _ = await this.#lock();
      await work();
    });
  }

  /**
   * Changes the mark. `judged`: how often it had been written when this process judged the ledger by it. `make` is given the mark that
   * is continued; undefined: none that this process, or another one since the judgement, has written for this ledger.
   */
  change(
    judged: number,
    make: (mark: Mark | undefined, isNews: boolean) => Promise<Mark | undefined> | Mark | undefined,
  ): Promise<void> {
    return this.alone(async () => {
      const { before, latest } = await this.#latest(judged);
      const made = await make(latest, !this.#isOwn);
      if (made === undefined || (made === latest && this.#isOwn)) return;
      const mark = { ...made, writes: before + 1 };
      const { paths, files, keyring } = this.#options;
      await writeMark(paths, mark, { files, signer: keyring.signer });
      [this.#known, this.#isOwn] = [mark, true];
    });
  }

  /** The mark to go on from, and how often any was written until now. */
  async #latest(judged: number): Promise<{ readonly before: number; readonly latest: Mark | undefined }> {
    const { paths, files, ledgerUuid, keyring, proof } = this.#options;
    const { marks } = await readMarks(paths, files);
    const own = this.#known;
    const ownText = own && JSON.stringify(own);
    const found = marks
      .filter(({ mark, key, text, signature }) => {
        // What is known is no news, whoever signed it.
        const mayBeNews = mark.ledger === ledgerUuid && text !== ownText;
        return mayBeNews && keyring.hasSigned(key, signedMarkText(text), signature, proof.keyChanges);
      })
      .map(({ mark }) => mark)
      .filter((mark) => writesOf(mark) > (own ? writesOf(own) : judged) || (own && writesOf(mark) === writesOf(own)))
      .toSorted((one, other) => writesOf(other) - writesOf(one))[0];
    const before = Math.max(judged, ...marks.map(({ mark }) => writesOf(mark)), own ? writesOf(own) : 0);
    if (found) [this.#known, this.#isOwn] = [own ? joined(found, own) : found, false];
    return { before, latest: this.#known };
  }

  async #lock(): Promise<Disposable> {
    const { files, clock, paths } = this.#options;
    const [beside = ''] = paths;
    const path = beside.replace(/\.json$/, '.lock');
    const beganMs = clock.monotonicMs();
    for (;;) {
      const lock = held(path, files);
      if (lock) return lock;
      if (clock.monotonicMs() - beganMs >= LOCK_MS_MAX) throw heldBySomebody(path);
      await clock.sleep(LOOK_MS);
    }
  }
}

function held(path: string, files: LedgerFiles): Disposable | undefined {
  try {
    files.prepareFolder(dirname(path));
    return files.hold(path);
  } catch (error) {
    throw unmarkable(path, error instanceof Error ? error.message : String(error), error);
  }
}

/** Nothing is wrong with the ledger: a process was stopped, or its disk hangs, and it goes on some time. */
const heldBySomebody = (path: string): Fault =>
  new Fault(
    'ledger-held',
    `Another run of this computer is writing the marks of the ledger, and has not gone on for ${LOCK_MS_MAX / 1000} s. Nothing more was sent.`,
    `Find out which paybatch of this computer stands still (\`fuser ${path}\` names it), let it go on or end it, then run \`paybatch resume\`.`,
  );

const unmarkable = (path: string, why: string, cause?: unknown): Fault =>
  new Fault(
    'ledger-unsafe',
    `The marks of the ledger cannot be written, because ${path} cannot be held: ${why}.`,
    'Nothing more was sent. Check the rights of the state folder and the space on its disk, then run `paybatch resume`.',
    { cause },
  );

const writesOf = ({ writes = 0 }: Mark): number => writes;

/**
 * What was written last, and what this process knows on top: a batch that was begun stays one, and a fact that was marked stays
 * marked. Where both were written as often, files were removed in between, and the doubt of either counts.
 */
function joined(latest: Mark, own: Mark): Mark {
  const { seq, hash } = latest.seq >= own.seq ? latest : own;
  const isNewer = writesOf(latest) > writesOf(own);
  const doubt = isNewer ? latest.doubt : joinedDoubt(latest.doubt, own.doubt);
  const closed = [...(latest.closed ?? []), ...(own.closed ?? [])].filter(isFirst);
  const { doubt: _, closed: __, ...rest } = latest;
  return {
    ...rest,
    epoch: Math.max(latest.epoch, own.epoch),
    seq,
    hash,
    batches: distinct([...own.batches, ...latest.batches]),
    ...(closed.length > 0 && { closed }),
    ...(doubt && { doubt }),
  };
}

function joinedDoubt(one: Doubt | undefined, other: Doubt | undefined): Doubt | undefined {
  if (!one || !other) return one ?? other;
  const batches = [...new Set([...one.batches, ...other.batches])];
  const through = one.through.filter((id) => other.through.includes(id));
  return { why: one.why, since: Math.max(one.since, other.since), batches, through };
}

/** A batch may be named in another way of writing when it is run again after a loss. */
export const isSame = (one: BatchId, other: BatchId): boolean => comparedBatchName(one) === comparedBatchName(other);

export const isAmong = (batches: readonly BatchId[], batch: BatchId): boolean =>
  batches.some((one) => isSame(one, batch));

/** The latest word on each batch, in the order in which they were begun. */
export function distinct(batches: readonly MarkedBatch[]): readonly MarkedBatch[] {
  const latest = new Map<string, MarkedBatch>();
  for (const batch of batches) {
    const name = comparedBatchName(batch.id);
    latest.set(name, { ...latest.get(name), ...batch });
  }
  return [...latest.values()];
}

export const isFirst = ({ id }: ClosedBatch, index: number, all: readonly ClosedBatch[]): boolean =>
  all.findIndex((one) => one.id === id) === index;

export const markedBatch = ({ id, plannedAt, payable, total }: BatchHeader): MarkedBatch => ({
  id,
  plannedAt,
  payable,
  total: moneyText(total),
});

/** Those that no person has closed. */
export const openOf = (batches: readonly MarkedBatch[], closed: readonly ClosedBatch[]): readonly BatchId[] => {
  const ended = closed.map(({ id }) => id);
  return batches.map(({ id }) => id).filter((id) => !isAmong(ended, id));
};

export const doubtedMeanwhile = (batch: BatchId): Fault =>
  new Fault(
    'ledger-unsafe',
    'Another run found payments at the service that this ledger never sent, so it may not know all that was sent of this batch either. Nothing more was sent.',
    `Go on with \`paybatch resume ${batch}\`: every payment is looked up before it is sent.`,
  );

/** A mark never goes back: another process may have marked more than this one knows. */
export const further = (head: ChainHead, mark: Mark | undefined): ChainHead =>
  mark && mark.seq > head.seq ? { seq: mark.seq, hash: mark.hash } : { seq: head.seq, hash: head.hash };

/**
 * The checkpoint of a ledger: one small file outside of the ledger's folder that says how far the ledger is known to have
 * come. A ledger that was deleted, replaced, or restored from an older copy is complete in itself; only something that
 * stayed behind can show what happened. A checkpoint names no payee.
 *
 * Every process of a computer reads the file, changes what it says and replaces it, under one lock that ends with the
 * process.
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { holdFile } from '../database/file-locks.ts';
import { SERVER_PLACE } from '../database/postgres/address.ts';
import type { BatchHeader } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import { type BatchId, comparedBatchName, type OrderId } from '../domain/ids.ts';
import { moneyText } from '../domain/money.ts';
import { type DurableFiles, ownDurableFiles, replaceOn } from '../files/durable-file.ts';
import { fileIdentity } from '../files/file-identity.ts';
import type { SigningKey } from './signing.ts';

/**
 * The reasons why a ledger cannot be relied on to know everything that was sent. `new`: nothing was ever kept here, or all
 * of it was deleted, and the two cannot be told apart. `lost`: another ledger was here. `restored`: this ledger was further
 * than it is now. `copied`: the ledger was on another computer, or in another file, when the checkpoint was made.
 * `no-checkpoint`: its checkpoint is missing, cannot be read, or is an older one that was restored. `behind`: nothing here
 * speaks against the ledger, but the service shows payments that it never sent.
 */
export const recoveryReasons = ['new', 'lost', 'restored', 'copied', 'no-checkpoint', 'behind'] as const;
export type RecoveryReason = (typeof recoveryReasons)[number];

/**
 * Where a ledger is kept. A ledger that was copied or restored together with its checkpoint is in another place than the
 * checkpoint says.
 */
export interface Place {
  /** `LeaseHolder.machine`. */
  readonly machine?: string;
  /** `fileIdentity` of its file. */
  readonly file?: string;
}

const batchId = z.custom<BatchId>((value) => typeof value === 'string');
const batchIds = z.array(batchId).readonly();

/** The recovery of a ledger: which batches are looked up before they are sent, until each of them is finished. */
const recoverySchema = z.object({
  why: z.enum(recoveryReasons),
  /** When recovery began, in wall-clock milliseconds. */
  since: z.number(),
  /** Batches that another state of the ledger had begun, and batches that were begun in recovery. */
  batches: batchIds,
  /** Batches that are finished, among those that no checkpoint names. */
  through: batchIds,
});

/** A batch that was begun, described for people who look for its sheet. */
const begunBatchSchema = z.object({
  id: batchId,
  /** Wall-clock milliseconds. */
  plannedAt: z.number(),
  /** Rows to be paid, and their control total as text with its currency. */
  payable: z.number(),
  total: z.string(),
  /**
   * The beginnings of the smallest ids of its orders (`idBeginning`): another sheet under its name has none of them. Absent
   * if the batch is known only from its ledger.
   */
  first: z.array(z.string()).readonly().optional(),
});

/** A lost batch that a person says is dealt with. */
const closedBatchSchema = z.object({
  id: batchId,
  reason: z.string(),
  /** User and machine. */
  by: z.string(),
  /** Wall-clock milliseconds. */
  at: z.number(),
});

/** Strict: something that this version does not know may be a reason to distrust the ledger, so the checkpoint is unreadable then. */
const checkpointSchema = z.strictObject({
  /** The ledger's own id. */
  ledger: z.string(),
  machine: z.string().exactOptional(),
  file: z.string().exactOptional(),
  /** The latest epoch of the leases under which the checkpoint was written. */
  epoch: z.number(),
  /** The number of the last fact, and the hash over the ends of all chains at that fact. */
  seq: z.number(),
  hash: z.string(),
  /**
   * How many times the checkpoint was written, by any process. Of two checkpoints, the one that was written more often is
   * the newer one.
   */
  writes: z.number().default(0),
  /** Batches that may have been sent from here, the latest last. */
  batches: z.array(begunBatchSchema.readonly()).readonly(),
  recovery: recoverySchema.readonly().optional(),
  /** Lost batches that need no look-up any more because a person closed them, and why. */
  closed: z.array(closedBatchSchema.readonly()).readonly().default([]),
});

/** A checkpoint as stored in its file, signed with a key of the ledger. */
const signedSchema = z.object({ text: z.string(), key: z.string(), signature: z.string() });

export type RecoveryNote = Readonly<z.infer<typeof recoverySchema>>;
export type BegunBatch = Readonly<z.infer<typeof begunBatchSchema>>;
export type ClosedBatch = Readonly<z.infer<typeof closedBatchSchema>>;
export type Checkpoint = Readonly<z.infer<typeof checkpointSchema>>;
/** A checkpoint with its signature. `text` is what was signed, `key` the name of the key. */
export type SignedCheckpoint = Readonly<z.infer<typeof signedSchema>> & { readonly checkpoint: Checkpoint };

/**
 * What was found where a checkpoint should be. `unreadable` means that there is a file, but it cannot be read or is not a
 * checkpoint.
 */
export type FoundCheckpoint = SignedCheckpoint | 'missing' | 'unreadable';

/** The file operations that a ledger and its checkpoint need. */
export interface LedgerFiles extends DurableFiles {
  readonly readFile: (file: string, encoding: 'utf8') => Promise<string>;
  readonly identityOf: (ledgerPath: string) => string;
  /** Locks an empty file until it is disposed of or the process ends. Returns `undefined` if another process has it. */
  readonly hold: (path: string) => Disposable | undefined;
}

/** The file operations of this machine. */
export const ownFiles: LedgerFiles = {
  ...ownDurableFiles,
  readFile: async (file, encoding) => readFileSync(file, encoding),
  identityOf: fileIdentity,
  hold: holdFile,
};

/** Returns the file of the checkpoint of a ledger that was given no other place for it: next to the ledger. */
export const checkpointBeside = (ledgerPath: string): string => `${ledgerPath.replace(/\.db$/, '')}.checkpoint.json`;

export async function readCheckpoint(path: string, files: Pick<LedgerFiles, 'readFile'>): Promise<FoundCheckpoint> {
  try {
    const signed = signedSchema.parse(JSON.parse(await files.readFile(path, 'utf8')));
    return { ...signed, checkpoint: checkpointSchema.parse(JSON.parse(signed.text)) };
  } catch (error) {
    // Any other error counts as unreadable: then nothing is known, which is the safe side.
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'missing' : 'unreadable';
  }
}

/** Returns the text that is signed for a checkpoint. Nothing else that a key signs begins like it. */
export const signedCheckpointText = (text: string): string => `paybatch checkpoint 1 ${text}`;

/**
 * Writes a checkpoint durably, and returns the text that was signed. The file holds either the old or the new checkpoint, whatever
 * happens in between. Throws a Fault `ledger-unsafe` if the file cannot be written.
 */
export async function writeCheckpoint(
  path: string,
  checkpoint: Checkpoint,
  { files, signer }: { readonly files: DurableFiles; readonly signer: SigningKey },
): Promise<string> {
  const text = JSON.stringify(checkpoint);
  const signed = { text, key: signer.name, signature: signer.sign(signedCheckpointText(text)) };
  // A run whose ledger was taken away may still write its last checkpoint while a run on the next ledger writes one, so each
  // ledger has a draft of its own.
  const draft = `${path}.${checkpoint.ledger}.new`;
  try {
    await replaceOn(files, path, draft, `${JSON.stringify(signed)}\n`);
  } catch (error) {
    throw unwritable(path, error);
  }
  return text;
}

/**
 * How long to wait for another process that has the lock, and how often to try, both in milliseconds. A process has the lock
 * while it syncs one small file.
 */
const LOCK_MS_MAX = 30_000;
const LOOK_MS = 3;

/**
 * Locks the checkpoint, so that no other process changes it until the lock is disposed of. Throws a Fault `ledger-held` if
 * another process has kept the lock for half a minute, and `ledger-unsafe` if the folder cannot be written.
 */
export async function lockCheckpoint(
  path: string,
  { files, clock }: { readonly files: LedgerFiles; readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'> },
): Promise<Disposable> {
  const lockPath = path.replace(/\.json$/, '.lock');
  const beganMs = clock.monotonicMs();
  for (;;) {
    const lock = held(lockPath, files);
    if (lock) return lock;
    if (clock.monotonicMs() - beganMs >= LOCK_MS_MAX) throw heldBySomebody(lockPath);
    await clock.sleep(LOOK_MS);
  }
}

function held(path: string, files: LedgerFiles): Disposable | undefined {
  try {
    files.prepareFolder(dirname(path));
    return files.hold(path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/**
 * Returns the Fault for a lock that another process keeps. Nothing is wrong with the ledger: that process was stopped, or
 * its disk hangs, and it will continue at some time.
 */
const heldBySomebody = (path: string): Fault =>
  new Fault(
    'ledger-held',
    `Another run on this computer is writing the checkpoint of the ledger, and has made no progress for ${LOCK_MS_MAX / 1000} s. Nothing more was sent.`,
    `Find the paybatch process on this computer that hangs (\`fuser ${path}\` shows it), let it continue or end it, then run \`paybatch resume\`.`,
  );

const unwritable = (path: string, cause: unknown): Fault =>
  new Fault(
    'ledger-unsafe',
    `The checkpoint of the ledger cannot be written, because of ${path}: ${cause instanceof Error ? cause.message : String(cause)}.`,
    'Nothing more was sent. Check the permissions of the state folder and the space on its disk, then run `paybatch resume`.',
    { cause },
  );

/**
 * Reports whether a checkpoint was made in another place. A checkpoint that does not say where it was made counts as made
 * here.
 */
export const isElsewhere = (checkpoint: Checkpoint, { machine, file }: Place): boolean =>
  (checkpoint.machine ?? machine) !== machine || (checkpoint.file ?? file) !== file;

export const isOnServer = ({ file }: Place): boolean => file?.startsWith(`${SERVER_PLACE}/`) === true;

/** Reports whether a checkpoint is from another server, or an earlier timeline, than the one that has the ledger now. */
export const isOfServerBefore = (checkpoint: Checkpoint, place: Place): boolean =>
  checkpoint.file !== undefined && checkpoint.file !== place.file && isOnServer(place);

/**
 * Returns a checkpoint that another process wrote, joined with what this process knows: a batch that was begun stays begun,
 * and the checkpoint does not go back behind a fact. If both were written the same number of times, the file was taken away
 * in between, and what both say about recovery counts.
 */
export function joined(latest: Checkpoint, own: Checkpoint): Checkpoint {
  const { seq, hash } = latest.seq >= own.seq ? latest : own;
  return {
    ...latest,
    epoch: Math.max(latest.epoch, own.epoch),
    seq,
    hash,
    batches: distinct([...own.batches, ...latest.batches]),
    closed: [...latest.closed, ...own.closed].filter(isFirst),
    recovery: latest.writes > own.writes ? latest.recovery : joinedRecovery(latest.recovery, own.recovery),
  };
}

function joinedRecovery(one: RecoveryNote | undefined, other: RecoveryNote | undefined): RecoveryNote | undefined {
  if (!one || !other) return one ?? other;
  const batches = [...new Set([...one.batches, ...other.batches])];
  const through = one.through.filter((id) => other.through.includes(id));
  return { why: one.why, since: Math.max(one.since, other.since), batches, through };
}

/**
 * Returns the beginning of an id, which is enough to tell it from others. Checkpoints are written often, so they are kept
 * small.
 */
export const idBeginning = (id: OrderId): string => id.slice(0, 8);

export const begunBatch = ({ id, plannedAt, payable, total }: BatchHeader): BegunBatch => ({
  id,
  plannedAt,
  payable,
  total: moneyText(total),
});

/** Reports whether two ids are of the same batch. When a batch is run again after a loss, its name may be written differently. */
export const isSame = (one: BatchId, other: BatchId): boolean => comparedBatchName(one) === comparedBatchName(other);

export const isAmong = (batches: readonly BatchId[], batch: BatchId): boolean =>
  batches.some((one) => isSame(one, batch));

/** Returns each batch once, with what was said last, in the order in which the batches were begun. */
export function distinct(batches: readonly BegunBatch[]): readonly BegunBatch[] {
  const latest = new Map<string, BegunBatch>();
  for (const batch of batches) {
    const name = comparedBatchName(batch.id);
    latest.set(name, { ...latest.get(name), ...batch });
  }
  return [...latest.values()];
}

const isFirst = ({ id }: ClosedBatch, index: number, all: readonly ClosedBatch[]): boolean =>
  all.findIndex((one) => one.id === id) === index;

/** Returns the batches that no person has closed. */
export const openOf = ({ batches, closed }: Pick<Checkpoint, 'batches' | 'closed'>): readonly BatchId[] => {
  const ended = closed.map(({ id }) => id);
  return batches.map(({ id }) => id).filter((id) => !isAmong(ended, id));
};

/**
 * The checkpoint of a ledger: how far it was known to have come, in one small file outside of its folder. A ledger that is deleted, replaced
 * or put back from an older copy is whole in itself; only something that stayed behind can tell. It names no payee.
 *
 * Every process of a computer reads the file, changes what it says and replaces it, under one lock that ends with its process.
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { BatchHeader } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import { type BatchId, comparedBatchName, type OrderId } from '../domain/ids.ts';
import { moneyText } from '../domain/money.ts';
import { type DurableFiles, ownDurableFiles, replaceOn } from '../files/durable-file.ts';
import { fileIdentity } from '../files/file-identity.ts';
import { holdFile } from './file-locks.ts';
import type { SigningKey } from './signing.ts';

/**
 * Why a ledger cannot be relied on to know all that was sent. `new`: nothing was ever kept here, or all of it was deleted,
 * and nobody can tell which. `lost`: another ledger was here. `restored`: this one was further than it is. `copied`: another
 * computer, or another file, was the ledger when the checkpoint was made. `no-checkpoint`: its checkpoint is missing, cannot be read, or is an older
 * one that somebody put back. `behind`: nothing here speaks against it, and the service shows payments that it never sent.
 */
export const doubtReasons = ['new', 'lost', 'restored', 'copied', 'no-checkpoint', 'behind'] as const;
export type DoubtReason = (typeof doubtReasons)[number];

/** Where a ledger is kept. One that is copied or restored together with its checkpoint is somewhere else than that says. */
export interface Place {
  /** `LeaseHolder.machine`. */
  readonly machine?: string;
  /** `fileIdentity` of its file. */
  readonly file?: string;
}

const batchId = z.custom<BatchId>((value) => typeof value === 'string');
const batchIds = z.array(batchId).readonly();

/** What is looked up before it is sent, until each batch is through. */
const doubtSchema = z.object({
  why: z.enum(doubtReasons),
  /** When the ledger was first doubted, in wall-clock milliseconds. */
  since: z.number(),
  /** Batches that another state of the ledger had begun, and those that were begun in doubt. */
  batches: batchIds,
  /** Of the others, which no checkpoint names, those that are through. */
  through: batchIds,
});

/** A batch that was begun, in the words of people who look for its sheet. */
const begunBatchSchema = z.object({
  id: batchId,
  /** Wall-clock milliseconds. */
  plannedAt: z.number(),
  /** Rows to be paid, and their control total as text with its currency. */
  payable: z.number(),
  total: z.string(),
  /** How the smallest ids of its orders begin (`idBeginning`): another sheet under its name has none of them. Missing where only its ledger told of it. */
  first: z.array(z.string()).readonly().optional(),
});

/** A person's word that a lost batch is dealt with. */
const closedBatchSchema = z.object({
  id: batchId,
  reason: z.string(),
  /** User and machine. */
  by: z.string(),
  /** Wall-clock milliseconds. */
  at: z.number(),
});

const checkpointSchema = z.object({
  /** The ledger's own id. */
  ledger: z.string(),
  machine: z.string().exactOptional(),
  file: z.string().exactOptional(),
  /** Latest epoch of the leases under which it was written. */
  epoch: z.number(),
  /** The last fact, and the hash of the chain there. */
  seq: z.number(),
  hash: z.string(),
  /** So often it was written, whichever process did: of two checkpoints, the one that was written more often is the newer one. */
  writes: z.number().default(0),
  /** Batches that may have been sent from here, the latest last. */
  batches: z.array(begunBatchSchema.readonly()).readonly(),
  doubt: doubtSchema.readonly().optional(),
  /** Lost batches that a person says need no look any more, and why. */
  closed: z.array(closedBatchSchema.readonly()).readonly().default([]),
});

/** A checkpoint as its file has it: in the word of a key of the ledger. */
const signedSchema = z.object({ text: z.string(), key: z.string(), signature: z.string() });

export type Doubt = Readonly<z.infer<typeof doubtSchema>>;
export type BegunBatch = Readonly<z.infer<typeof begunBatchSchema>>;
export type ClosedBatch = Readonly<z.infer<typeof closedBatchSchema>>;
export type Checkpoint = Readonly<z.infer<typeof checkpointSchema>>;
/** `text`: what was signed. `key`: the name of the key. */
export type SignedCheckpoint = Readonly<z.infer<typeof signedSchema>> & { readonly checkpoint: Checkpoint };

/** `unreadable`: a file is there, and is no checkpoint. */
export type FoundCheckpoint = SignedCheckpoint | 'missing' | 'unreadable';

/** What a ledger and its checkpoint ask of a file system. */
export interface LedgerFiles extends DurableFiles {
  readonly readFile: (file: string, encoding: 'utf8') => Promise<string>;
  readonly identityOf: (ledgerPath: string) => string;
  /** Holds a file that holds nothing, until it is let go or the process ends; undefined: another process has it. */
  readonly hold: (path: string) => Disposable | undefined;
}

/** The machine's own files. */
export const ownFiles: LedgerFiles = {
  ...ownDurableFiles,
  readFile: async (file, encoding) => readFileSync(file, encoding),
  identityOf: fileIdentity,
  hold: holdFile,
};

/** Where the checkpoint is kept of a ledger that was given no place for it. */
export const checkpointBeside = (ledgerPath: string): string => `${ledgerPath.replace(/\.db$/, '')}.checkpoint.json`;

export async function readCheckpoint(path: string, files: Pick<LedgerFiles, 'readFile'>): Promise<FoundCheckpoint> {
  try {
    const signed = signedSchema.parse(JSON.parse(await files.readFile(path, 'utf8')));
    return { ...signed, checkpoint: checkpointSchema.parse(JSON.parse(signed.text)) };
  } catch (error) {
    // Whatever else keeps it from being read: nothing is known, and that is on the safe side.
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'missing' : 'unreadable';
  }
}

/** What is signed: nothing else that a key signs begins so. */
export const signedCheckpointText = (text: string): string => `paybatch checkpoint 1 ${text}`;

/**
 * Resolves, with the text that was signed, when the file holds the checkpoint durably; it holds the old or the new one, whatever happens
 * meanwhile. A Fault `ledger-unsafe` when it cannot be written.
 */
export async function writeCheckpoint(
  path: string,
  checkpoint: Checkpoint,
  { files, signer }: { readonly files: DurableFiles; readonly signer: SigningKey },
): Promise<string> {
  const text = JSON.stringify(checkpoint);
  const signed = { text, key: signer.name, signature: signer.sign(signedCheckpointText(text)) };
  // A run whose ledger was taken away may still write its last checkpoint beside the one that began after it.
  const draft = `${path}.${checkpoint.ledger}.new`;
  try {
    await replaceOn(files, path, draft, `${JSON.stringify(signed)}\n`);
  } catch (error) {
    throw unwritable(path, error);
  }
  return text;
}

/** How long another process may have the lock, in milliseconds, and how often it is asked for. One small file is synced meanwhile. */
const LOCK_MS_MAX = 30_000;
const LOOK_MS = 3;

/**
 * Resolves when no other process may change the checkpoint, until the lock is let go. Faults: `ledger-held` when another one has not let it
 * go for half a minute, `ledger-unsafe` when the folder cannot be written.
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

/** Nothing is wrong with the ledger: a process was stopped, or its disk hangs, and it goes on some time. */
const heldBySomebody = (path: string): Fault =>
  new Fault(
    'ledger-held',
    `Another run of this computer is writing the checkpoint of the ledger, and has not gone on for ${LOCK_MS_MAX / 1000} s. Nothing more was sent.`,
    `Find out which paybatch of this computer stands still (\`fuser ${path}\` names it), let it go on or end it, then run \`paybatch resume\`.`,
  );

const unwritable = (path: string, cause: unknown): Fault =>
  new Fault(
    'ledger-unsafe',
    `The checkpoint of the ledger cannot be written, because of ${path}: ${cause instanceof Error ? cause.message : String(cause)}.`,
    'Nothing more was sent. Check the rights of the state folder and the space on its disk, then run `paybatch resume`.',
    { cause },
  );

/** A checkpoint that does not say where it was made speaks against nothing. */
export const isElsewhere = (checkpoint: Checkpoint, { machine, file }: Place): boolean =>
  (checkpoint.machine ?? machine) !== machine || (checkpoint.file ?? file) !== file;

/** The first word of the place of a ledger that a server has; that of a file is a number. */
export const SERVER_PLACE = 'postgres';

export const isOnServer = ({ file }: Place): boolean => file?.startsWith(`${SERVER_PLACE}/`) === true;

/** Whether a checkpoint is of another server, or of an earlier timeline, than the one that has the ledger now. */
export const isOfServerBefore = (checkpoint: Checkpoint, place: Place): boolean =>
  checkpoint.file !== undefined && checkpoint.file !== place.file && isOnServer(place);

/**
 * A checkpoint that another process wrote, and what this process knows on top: a batch that was begun stays one, and a fact that it goes to
 * is never behind it again. Where both were written as often, the file was taken away in between, and the doubt of either counts.
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
    doubt: latest.writes > own.writes ? latest.doubt : joinedDoubt(latest.doubt, own.doubt),
  };
}

function joinedDoubt(one: Doubt | undefined, other: Doubt | undefined): Doubt | undefined {
  if (!one || !other) return one ?? other;
  const batches = [...new Set([...one.batches, ...other.batches])];
  const through = one.through.filter((id) => other.through.includes(id));
  return { why: one.why, since: Math.max(one.since, other.since), batches, through };
}

/** Enough of an id to tell it from others: checkpoints are written often. */
export const idBeginning = (id: OrderId): string => id.slice(0, 8);

export const begunBatch = ({ id, plannedAt, payable, total }: BatchHeader): BegunBatch => ({
  id,
  plannedAt,
  payable,
  total: moneyText(total),
});

/** A batch may be named in another way of writing when it is run again after a loss. */
export const isSame = (one: BatchId, other: BatchId): boolean => comparedBatchName(one) === comparedBatchName(other);

export const isAmong = (batches: readonly BatchId[], batch: BatchId): boolean =>
  batches.some((one) => isSame(one, batch));

/** The latest word on each batch, in the order in which they were begun. */
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

/** Those that no person has closed. */
export const openOf = ({ batches, closed }: Pick<Checkpoint, 'batches' | 'closed'>): readonly BatchId[] => {
  const ended = closed.map(({ id }) => id);
  return batches.map(({ id }) => id).filter((id) => !isAmong(ended, id));
};

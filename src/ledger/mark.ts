/**
 * The mark of a ledger: how far it was known to have come, kept outside of it. A ledger that is deleted, replaced or put
 * back from an older copy is whole in itself; only something that stayed behind can tell. It names no payee.
 */
import { readFileSync } from 'node:fs';
import { Fault } from '../domain/fault.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import { type DurableFiles, ownDurableFiles, replaceOn } from '../files/durable-file.ts';
import { fileIdentity } from '../files/file-identity.ts';
import { holdFile } from './hold-file.ts';
import type { SigningKey } from './signing.ts';

/**
 * Why a ledger cannot be relied on to know all that was sent. `new`: nothing was ever kept here, or all of it was deleted,
 * and nobody can tell which. `lost`: another ledger was here. `restored`: this one was further than it is. `copied`: another
 * computer, or another file, was the ledger when the mark was made. `unmarked`: a mark of it is missing or cannot be read.
 * `behind`: nothing here speaks against it, and the service shows payments that it never sent.
 */
export const doubtReasons = ['new', 'lost', 'restored', 'copied', 'unmarked', 'behind'] as const;
export type DoubtReason = (typeof doubtReasons)[number];

/** Where a ledger is kept. One that is copied or restored together with its marks is somewhere else than they say. */
export interface Place {
  /** `LeaseHolder.machine`. */
  readonly machine?: string;
  /** `fileIdentity` of its file. */
  readonly file?: string;
}

/** What is looked up before it is sent, until each batch is through. */
export interface Doubt {
  readonly why: DoubtReason;
  /** When the ledger was first doubted, in wall-clock milliseconds. */
  readonly since: number;
  /** Batches that another state of the ledger had begun, and those that were begun in doubt. */
  readonly batches: readonly BatchId[];
  /** Of the others, which no mark names, those that are through. */
  readonly through: readonly BatchId[];
}

/** Enough of an id to tell it from others: marks are written often. */
export const idBeginning = (id: OrderId): string => id.slice(0, 8);

/** A batch that was begun, in the words of people who look for its sheet. */
export interface MarkedBatch {
  readonly id: BatchId;
  /** Wall-clock milliseconds. */
  readonly plannedAt: number;
  /** Rows to be paid, and their control total as text with its currency. */
  readonly payable: number;
  readonly total: string;
  /** How the smallest ids of its orders begin (`idBeginning`): another sheet under its name has none of them. Missing where only its ledger told of it. */
  readonly first?: readonly string[];
}

/** A person's word that a lost batch is dealt with. */
export interface ClosedBatch {
  readonly id: BatchId;
  readonly reason: string;
  /** User and machine. */
  readonly by: string;
  /** Wall-clock milliseconds. */
  readonly at: number;
}

export interface Mark extends Place {
  /** The ledger's own id. */
  readonly ledger: string;
  /** Epoch of the lease under which it was written. */
  readonly epoch: number;
  /** The last fact, and the hash of the chain there. */
  readonly seq: number;
  readonly hash: string;
  /** So often it was written: several processes do, each after what the one before has written (`shared-mark.ts`). */
  readonly writes?: number;
  /** Batches that may have been sent from here, the latest last. */
  readonly batches: readonly MarkedBatch[];
  readonly doubt?: Doubt;
  /** Lost batches that a person says need no look any more, and why. */
  readonly closed?: readonly ClosedBatch[];
}

/** A mark as it is written: in the word of the ledger's own key. */
export interface SignedMark {
  readonly mark: Mark;
  /** The text that was signed. */
  readonly text: string;
  /** Name of the key. */
  readonly key: string;
  readonly signature: string;
  readonly path: string;
}

export interface FoundMarks {
  readonly marks: readonly SignedMark[];
  /** A file is not there. */
  readonly missing: boolean;
  /** A file is there, and is no mark. */
  readonly unreadable: boolean;
}

/** What a ledger and its marks ask of a file system. */
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

/** The mark beside a ledger's file. */
export const markBeside = (ledgerPath: string): string => `${ledgerPath.replace(/\.db$/, '')}.mark.json`;

/** The marks that are there. */
export async function readMarks(paths: readonly string[], files: LedgerFiles): Promise<FoundMarks> {
  const found = await Promise.all(paths.map((path) => readMark(path, files)));
  return {
    marks: found.filter((one) => typeof one === 'object'),
    missing: found.includes(undefined),
    unreadable: found.includes('unreadable'),
  };
}

async function readMark(path: string, files: LedgerFiles): Promise<SignedMark | 'unreadable' | undefined> {
  try {
    const { text, key, signature } = fieldsOf(JSON.parse(await files.readFile(path, 'utf8')));
    if (typeof text !== 'string' || typeof key !== 'string' || typeof signature !== 'string') return 'unreadable';
    const mark: unknown = JSON.parse(text);
    return isMark(mark) ? { mark, text, key, signature, path } : 'unreadable';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    // Whatever else keeps it from being read: nothing is known, and that is on the safe side.
    return 'unreadable';
  }
}

function isMark(value: unknown): value is Mark {
  const { batches, doubt, closed = [], ...rest } = fieldsOf(value);
  return (
    hold(rest, { ledger: 'string', hash: 'string', epoch: 'number', seq: 'number' }) &&
    [rest['machine'], rest['file']].every((text) => text === undefined || typeof text === 'string') &&
    ['undefined', 'number'].includes(typeof rest['writes']) &&
    isListOf(batches, (one) => isMarkedBatch(fieldsOf(one))) &&
    isListOf(closed, (one) => hold(fieldsOf(one), { id: 'string', reason: 'string', by: 'string', at: 'number' })) &&
    (doubt === undefined || isDoubt(fieldsOf(doubt)))
  );
}

const isMarkedBatch = ({ first, ...rest }: Fields): boolean =>
  hold(rest, { id: 'string', plannedAt: 'number', payable: 'number', total: 'string' }) &&
  (first === undefined || isTexts(first));

const isDoubt = ({ why, since, batches, through }: Fields): boolean =>
  doubtReasons.some((reason) => reason === why) && typeof since === 'number' && isTexts(batches) && isTexts(through);

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

const hold = (fields: Fields, types: Readonly<Record<string, 'string' | 'number'>>): boolean =>
  Object.entries(types).every(([name, type]) => typeof fields[name] === type);

const isListOf = (value: unknown, isOne: (value: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isOne);

const isTexts = (value: unknown): boolean => isListOf(value, (text) => typeof text === 'string');

/** A mark that does not say where it was made speaks against nothing. */
export const isElsewhere = (mark: Mark, { machine, file }: Place): boolean =>
  (mark.machine ?? machine) !== machine || (mark.file ?? file) !== file;

/** The first word of the place of a ledger that a server has; that of a file is a number. */
export const SERVER_PLACE = 'postgres';

/** Whether a mark is of another server, or of an earlier timeline, than the one that has the ledger now. */
export const isOfServerBefore = (mark: Mark, { file }: Place): boolean =>
  mark.file !== undefined && mark.file !== file && file?.startsWith(`${SERVER_PLACE}/`) === true;

/** What is signed: nothing else that a key signs begins so. */
export const signedMarkText = (text: string): string => `paybatch mark 1 ${text}`;

/** Resolves when every path holds the mark durably; each holds the old or the new one, whatever happens meanwhile. */
export async function writeMark(
  paths: readonly string[],
  mark: Mark,
  { files, signer }: { readonly files: LedgerFiles; readonly signer: SigningKey },
): Promise<void> {
  const said = JSON.stringify(mark);
  const signed = { text: said, key: signer.name, signature: signer.sign(signedMarkText(said)) };
  const text = `${JSON.stringify(signed)}\n`;
  await Promise.all(paths.map((path) => writeWhole(path, { text, ledger: mark.ledger }, files)));
}

async function writeWhole(
  path: string,
  { text, ledger }: { readonly text: string; readonly ledger: string },
  files: LedgerFiles,
): Promise<void> {
  // A run whose ledger was taken away may still write its last mark beside the one that began after it.
  const draft = `${path}.${ledger}.new`;
  try {
    await replaceOn(files, path, draft, text);
  } catch (error) {
    throw new Fault(
      'ledger-unsafe',
      `The mark of the ledger, ${path}, cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
      'Nothing more was sent. Check the rights of the state folder and the space on its disk, then run `paybatch resume`.',
      { cause: error },
    );
  }
}

/** Keeps signing keys as files in their own folder, for their owner only. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../domain/fault.ts';
import { invariant } from '../domain/invariant.ts';
import { createDurably } from '../files/durable-file.ts';
import { forMeAlone } from '../files/file-rights.ts';
import { prepareFolder } from '../files/folders.ts';
import { MOUNTED_SECRETS, readPrivateFile, readUntouchedFile } from '../files/private-file.ts';
import { keyFromPem, type LedgerKeys, nameFromPem, newKey, publicPem, type SigningKey } from './signing.ts';

/**
 * The form of a ledger's id. Anything else is never used in a file name: the id is read from the ledger before anything of
 * the ledger is proven.
 */
const LEDGER_ID = /^[0-9a-z-]{1,80}$/;

/** The ending of a file name, which says what the file holds: the key, or its public part. */
type Ending = 'pem' | 'public.pem';

/**
 * Returns the keys in a folder. A key is one file, `LEDGER.1.pem`; the key that replaced it is `LEDGER.2.pem`. A person who
 * only reads has the public parts instead, `LEDGER.1.public.pem`. `first` and `next` throw the errors of the disk.
 */
export function keysInFolder(folder: string): LedgerKeys {
  const filesOf = (ledger: string, ending: Ending): readonly string[] =>
    numbersIn(folder, ledger, ending).map((number) => fileOf(folder, ledger, number, ending));
  const of = (ledger: string): readonly SigningKey[] => filesOf(ledger, 'pem').map(readKey);
  return {
    place: folder,
    of,
    publicOf: (ledger) => filesOf(ledger, 'public.pem').map(readPublicPart),
    first: (ledger) => of(ledger).at(-1) ?? makeKey(folder, ledger),
    next: (ledger) => makeKey(folder, ledger),
  };
}

/**
 * Writes the public part of the key of this name, for people who only read the ledger, and returns the file. Makes the folder
 * if it is missing. Throws a Fault `usage` if the file exists, and `file-unwritten` if it cannot be written.
 */
export function writePublicPart(folder: string, ledger: string, key: string): string {
  invariant(LEDGER_ID.test(ledger), 'a ledger has an id of its own');
  const file = fileOf(folder, ledger, 1, 'public.pem');
  try {
    mkdirSync(folder, { recursive: true });
    createDurably(file, publicPem(key));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new Fault(
      error.code === 'EEXIST' ? 'usage' : 'file-unwritten',
      `The public part of the key was not written to ${file}: ${error.message}.`,
      'Choose another folder with --out, or remove what is there.',
      { cause: error },
    );
  }
  return file;
}

function makeKey(folder: string, ledger: string): SigningKey {
  invariant(LEDGER_ID.test(ledger), 'a ledger has an id of its own');
  prepareFolder(folder);
  const number = (numbersIn(folder, ledger, 'pem').at(-1) ?? 0) + 1;
  const { key, pem } = newKey();
  createDurably(fileOf(folder, ledger, number, 'pem'), pem);
  return key;
}

const fileOf = (folder: string, ledger: string, number: number, ending: Ending): string =>
  join(folder, `${ledger}.${number}.${ending}`);

/** Returns the numbers of the keys of a ledger, the latest last. */
function numbersIn(folder: string, ledger: string, wanted: Ending): readonly number[] {
  if (!LEDGER_ID.test(ledger)) return [];
  return namesIn(folder)
    .flatMap((name) => {
      const [of, number = '', ...ending] = name.split('.');
      return of === ledger && ending.join('.') === wanted && /^[1-9]\d*$/.test(number) ? [Number(number)] : [];
    })
    .toSorted((a, b) => a - b);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return [];
    throw unreadable(folder, error);
  }
}

const readKey = (file: string): SigningKey =>
  readable(file, () => {
    const read = readPrivateFile(file);
    if ('others' in read) throw open(file, read.others);
    return keyFromPem(read.text);
  });

const readPublicPart = (file: string): string =>
  readable(file, () => {
    const read = readUntouchedFile(file);
    if ('others' in read) throw replaceable(file, read.others);
    return nameFromPem(read.text);
  });

function readable<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw unreadable(file, error);
  }
}

/** Returns the Fault for a key that others can read: anyone who has read it can rewrite the ledger so that it is believed. */
const open = (file: string, why: string): Fault =>
  new Fault(
    'configuration',
    `The signing key of the ledger, ${file}, is not private to you: ${why}. Nothing was sent.`,
    `Find out who could have read it, then: ${forMeAlone(file)}, as the user who pays; and sign with a new one: \`paybatch ledger new-key\`.`,
    { details: [MOUNTED_SECRETS] },
  );

/** Returns the Fault for a public part that others can write: anyone who writes it decides which ledger is believed. */
const replaceable = (file: string, why: string): Fault =>
  new Fault(
    'configuration',
    `The public key of the ledger, ${file}, may have been replaced: ${why}. Nothing was sent.`,
    `Ask somebody who pays for the key again, put it there, then: ${forMeAlone(file)}`,
  );

const unreadable = (place: string, cause: unknown): Fault =>
  new Fault(
    'configuration',
    `The signing key of the ledger cannot be read from ${place}: ${cause instanceof Error ? cause.message : String(cause)}.`,
    'Check its permissions, or restore it from a backup. Nothing was sent.',
    { cause },
  );

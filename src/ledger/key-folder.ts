/** Signing keys as files in a folder of their own, for their owner alone. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../domain/fault.ts';
import { invariant } from '../domain/invariant.ts';
import { createDurably } from '../files/durable-file.ts';
import { forMeAlone } from '../files/file-rights.ts';
import { prepareFolder } from '../files/folders.ts';
import { MOUNTED_SECRETS, readPrivateFile, readUntouchedFile } from '../files/private-file.ts';
import { keyFromPem, type LedgerKeys, nameFromPem, newKey, publicPem, type SigningKey } from './signing.ts';

/** What no id of a ledger has is no part of a file name either: the id is read from the ledger, before anything of it is proven. */
const LEDGER_ID = /^[0-9a-z-]{1,80}$/;

/** What a file of the folder holds: the key, or its public part. */
type Ending = 'pem' | 'public.pem';

/**
 * A key is one file, `LEDGER.1.pem`; one that took its place is `LEDGER.2.pem`. Who only reads has the public parts in their place,
 * `LEDGER.1.public.pem`. `first` and `next` throw what the disk says.
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

/** Writes the public part of the key of this name, for whoever only reads the ledger, and gives the file. Throws a Fault. */
export function writePublicPart(folder: string, ledger: string, key: string): string {
  invariant(LEDGER_ID.test(ledger), 'a ledger has an id of its own');
  const file = fileOf(folder, ledger, 1, 'public.pem');
  try {
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

/** Numbers of the keys of a ledger, the latest last. */
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

/** Whoever reads the key can rewrite the ledger so that it is believed. */
const open = (file: string, why: string): Fault =>
  new Fault(
    'configuration',
    `The signing key of the ledger, ${file}, is not for you alone: ${why}. Nothing was sent.`,
    `Find out who could have read it, then: ${forMeAlone(file)}, as the user who pays; and sign with a new one: \`paybatch ledger new-key\`.`,
    { details: [MOUNTED_SECRETS] },
  );

/** Whoever writes it decides which ledger is believed. */
const replaceable = (file: string, why: string): Fault =>
  new Fault(
    'configuration',
    `The public key of the ledger, ${file}, may be another one by now: ${why}. Nothing was sent.`,
    `Ask somebody who pays for it once more, put it there, then: ${forMeAlone(file)}`,
  );

const unreadable = (place: string, cause: unknown): Fault =>
  new Fault(
    'configuration',
    `The signing key of the ledger cannot be read from ${place}: ${cause instanceof Error ? cause.message : String(cause)}.`,
    'Check its rights, or put it back from a back-up. Nothing was sent.',
    { cause },
  );

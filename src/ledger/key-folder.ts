/** Signing keys as files in a folder of their own, for their owner alone. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../domain/fault.ts';
import { invariant } from '../domain/invariant.ts';
import { createDurably } from '../files/durable-file.ts';
import { forMeAlone } from '../files/file-rights.ts';
import { prepareFolder } from '../files/folders.ts';
import { MOUNTED_SECRETS, readPrivateFile } from '../files/private-file.ts';
import { keyFromPem, type LedgerKeys, newKey, type SigningKey } from './signing.ts';

/** What no id of a ledger has is no part of a file name either: the id is read from the ledger, before anything of it is proven. */
const LEDGER_ID = /^[0-9a-z-]{1,80}$/;

/** A key is one file, `LEDGER.1.pem`; one that took its place is `LEDGER.2.pem`. `first` and `next` throw what the disk says. */
export function keysInFolder(folder: string): LedgerKeys {
  const of = (ledger: string): readonly SigningKey[] =>
    numbersIn(folder, ledger).map((number) => readKey(fileOf(folder, ledger, number)));
  return {
    place: folder,
    of,
    first: (ledger) => of(ledger).at(-1) ?? makeKey(folder, ledger),
    next: (ledger) => makeKey(folder, ledger),
  };
}

function makeKey(folder: string, ledger: string): SigningKey {
  invariant(LEDGER_ID.test(ledger), 'a ledger has an id of its own');
  prepareFolder(folder);
  const number = (numbersIn(folder, ledger).at(-1) ?? 0) + 1;
  const { key, pem } = newKey();
  createDurably(fileOf(folder, ledger, number), pem);
  return key;
}

const fileOf = (folder: string, ledger: string, number: number): string => join(folder, `${ledger}.${number}.pem`);

/** Numbers of the keys of a ledger, the latest last. */
function numbersIn(folder: string, ledger: string): readonly number[] {
  if (!LEDGER_ID.test(ledger)) return [];
  return namesIn(folder)
    .flatMap((name) => {
      const [of, number, ending, ...rest] = name.split('.');
      return of === ledger && ending === 'pem' && rest.length === 0 && /^[1-9]\d*$/.test(number ?? '')
        ? [Number(number)]
        : [];
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

function readKey(file: string): SigningKey {
  try {
    const read = readPrivateFile(file);
    if ('others' in read) throw open(file, read.others);
    return keyFromPem(read.text);
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

const unreadable = (place: string, cause: unknown): Fault =>
  new Fault(
    'configuration',
    `The signing key of the ledger cannot be read from ${place}: ${cause instanceof Error ? cause.message : String(cause)}.`,
    'Check its rights, or put it back from a back-up. Nothing was sent.',
    { cause },
  );

/**
 * Decides whether a configuration file is obeyed. The file decides where money and secrets go, so it matters who could have
 * written it. What was trusted is recorded in one small file for each path, in the state folder. Only the content that was
 * trusted last is believed at a path, so that nobody can put back an earlier content, or that of another folder.
 */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { Fault, systemCode } from '../../domain/fault.ts';
import { jsonIn } from '../../domain/json.ts';
import { shown } from '../../domain/shown-text.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { requireOwnFolder, useOwnFolder, writeOwnFile } from '../../files/own-folder.ts';
import type { ReadFile } from './config-file.ts';

const trustedSchema = z.strictObject({
  v: z.literal(1),
  /** Absolute path. */
  file: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** ISO 8601. */
  at: z.string(),
  by: z.string(),
});

/** A record that a person has trusted a file with the content that it had then. */
type Trusted = Omit<z.infer<typeof trustedSchema>, 'v'>;

const folderOf = (home: string): string => path.join(home, 'trusted');
const recordOf = (home: string, file: string): string =>
  path.join(folderOf(home), `${createHash('sha256').update(file).digest('hex')}.json`);

/** Returns what was trusted at a path, or `undefined` if nothing was. Throws a Fault if the record itself cannot be believed. */
export function trustedAt(home: string, file: string): Trusted | undefined {
  requireOwnFolder(folderOf(home));
  const text = textOf(recordOf(home, file));
  if (text === undefined) return undefined;
  // A record that was cut off proves nothing, so its file has to be trusted again.
  const parsed = trustedSchema.safeParse(jsonIn(text));
  if (!parsed.success || parsed.data.file !== file) return undefined;
  const { v: _, ...record } = parsed.data;
  return record;
}

/** Records that this content, and no other, is believed at its path from now on. */
export function trust(home: string, trusted: Trusted): void {
  useOwnFolder(folderOf(home));
  const content: z.infer<typeof trustedSchema> = { v: 1, ...trusted };
  writeOwnFile(recordOf(home, trusted.file), content);
}

function textOf(record: string): string | undefined {
  try {
    return readFileSync(record, 'utf8');
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Fault(
      'configuration',
      `The record of trusted configuration files cannot be read: ${record} (${code}). Nothing was sent.`,
      'Give the state folder to the user who pays.',
      { cause: error },
    );
  }
}

/**
 * Throws a Fault `configuration` unless a file is believed. A file that was named, or is the user's own configuration, needs no
 * trust if only the user or the administrator could have written it. A file that was found in a folder, or that others can write,
 * must have been trusted with its present content.
 */
export function requireBelieved(file: ReadFile, home: string): void {
  if (file.by !== 'found' && file.otherWriter === undefined) return;
  const trusted = trustedAt(home, file.path);
  if (trusted?.sha256 === file.sha256) return;
  const place = shown(file.path);
  const why = trusted
    ? `has changed since ${shown(trusted.by)} trusted it (${trusted.at.slice(0, 10)})`
    : file.by === 'found'
      ? 'is in this folder, and nobody has trusted it'
      : 'may be from somebody else, and nobody has trusted it';
  throw new Fault(
    'configuration',
    `The configuration ${place} ${why}. It would decide where money and secrets go. Nothing was sent.`,
    `See what it sets, and trust it once: paybatch config trust ${typedPath(place)}   To ignore it, name another one with --config.`,
    {
      details:
        file.otherWriter === undefined ? [] : [`Others could have written it: ${file.otherWriter}.`, ...ownWay(file)],
    },
  );
}

/** The way to use a named file without trusting it: a file that only the user can write needs no trust (umask 002). */
const ownWay = ({ by, path }: ReadFile): readonly string[] =>
  by === 'found' ? [] : [`If it is yours and nobody else wrote it: chmod go-w ${typedPath(shown(path))}`];

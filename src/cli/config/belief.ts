/**
 * Whether a configuration file is obeyed. It decides where money and secrets go, so who could have written it matters. What was
 * trusted stands in one small file for each path in the state folder: a path has one content that is believed, the latest, so that
 * nobody can put an earlier one back, or another folder's in its place.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { requireOwnFolder, useOwnFolder, writeOwnFile } from '../../files/own-folder.ts';
import type { ReadFile } from './config-file.ts';

const trustedSchema = z.strictObject({
  v: z.literal(1),
  /** As a whole path. */
  file: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** ISO 8601. */
  at: z.string(),
  by: z.string(),
});

/** That somebody has trusted a file as it was. */
type Trusted = Omit<z.infer<typeof trustedSchema>, 'v'>;

const folderOf = (home: string): string => path.join(home, 'trusted');
const recordOf = (home: string, file: string): string =>
  path.join(folderOf(home), `${createHash('sha256').update(file).digest('hex')}.json`);

/** What was trusted at this path; undefined: nothing. A Fault when the record itself cannot be believed. */
export function trustedAt(home: string, file: string): Trusted | undefined {
  requireOwnFolder(folderOf(home));
  const text = textOf(recordOf(home, file));
  if (text === undefined) return undefined;
  const parsed = trustedSchema.safeParse(jsonOf(text));
  if (!parsed.success || parsed.data.file !== file) return undefined;
  const { v: _, ...record } = parsed.data;
  return record;
}

/** A record that was cut off says nothing, so its file is asked about again. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** From now on this content is believed at its path, and no other. */
export function trust(home: string, trusted: Trusted): void {
  useOwnFolder(folderOf(home));
  const content: z.infer<typeof trustedSchema> = { v: 1, ...trusted };
  writeOwnFile(recordOf(home, trusted.file), content);
}

function textOf(record: string): string | undefined {
  try {
    return readFileSync(record, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Fault(
      'configuration',
      `Which configuration files were trusted cannot be read: ${record} (${code}). Nothing was sent.`,
      'Give the state folder to the user who pays.',
      { cause: error },
    );
  }
}

/**
 * Why a file is believed; undefined: because it is the user's own, or the administrator's, and somebody said that it counts. Any
 * other one was trusted as it stands: one that lay in a folder, or that others may write. A Fault `configuration` when it was not.
 */
export function requireBelieved(file: ReadFile, home: string): Trusted | undefined {
  if (file.by !== 'found' && file.otherWriter === undefined) return undefined;
  const trusted = trustedAt(home, file.path);
  if (trusted?.sha256 === file.sha256) return trusted;
  const place = shown(file.path);
  const why = trusted
    ? `has changed since ${shown(trusted.by)} trusted it (${trusted.at.slice(0, 10)})`
    : file.by === 'found'
      ? 'lies here, and nobody has trusted it'
      : 'may be from somebody else, and nobody has trusted it';
  throw new Fault(
    'configuration',
    `The configuration ${place} ${why}. It would decide where money and secrets go. Nothing was sent.`,
    `See what it sets, and trust it once: paybatch config trust ${typedPath(place)}   To leave it aside, name another one with --config.`,
    {
      details:
        file.otherWriter === undefined ? [] : [`Others could have written it: ${file.otherWriter}.`, ...ownWay(file)],
    },
  );
}

/** A file that was named needs no trust once it is the user's alone (umask 002). */
const ownWay = ({ by, path }: ReadFile): readonly string[] =>
  by === 'found' ? [] : [`If it is yours and nobody else did: chmod go-w ${typedPath(shown(path))}`];

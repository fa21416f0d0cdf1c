/** Files that exist completely or not at all: written next to the target, synced, and only then renamed. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, lstat, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { codeOf, Fault } from '../domain/fault.ts';
import { contentHash } from './file-identity.ts';
import { syncFolderAsync } from './folders.ts';
import { openTemporary, whyUnwritten } from './temporary-file.ts';

export interface WrittenFile {
  /** Path of the file. */
  readonly path: string;
  /** SHA-256 of its bytes, lower-case hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  /**
   * The path that was asked for, if the file had to take another name: another program kept that path open, a folder has it,
   * or an older file there is kept.
   */
  readonly insteadOf?: string;
}

/** The stream for the content, and a signal that is aborted if the disk refuses it. */
export interface Sink {
  readonly stream: Writable;
  readonly signal: AbortSignal;
}

interface FileRole {
  /** What happens to an older file of the same name. */
  readonly older: 'replaced' | 'kept';
  /** Number of names that are tried: `NAME.xlsx`, `NAME (2).xlsx` and so on. */
  readonly namesMax: number;
  /** Remedies for a file that is open in another program, and for a disk that refuses it. */
  readonly remedies: readonly [held: string, refused: string];
}

const roles = {
  // Nine names are enough for a file left open on a long day.
  report: {
    older: 'replaced',
    namesMax: 9,
    remedies: [
      'Close the file in other programs, or choose another folder with --out; then write it again with `paybatch report`.',
      'Fix that, or choose another folder with --out; then write it again with `paybatch report`.',
    ],
  },
  template: {
    older: 'replaced',
    namesMax: 9,
    remedies: [
      'Close the file in other programs, or choose another name with --output.',
      'Fix that, or choose another place with --output.',
    ],
  },
  // People make their corrections in copies: an older copy may hold an hour of work. Nobody keeps track of hundreds of them
  // for one sheet.
  copy: {
    older: 'kept',
    namesMax: 999,
    remedies: [
      'Close the file in other programs, choose another folder with --out, or skip the copy with --no-copy.',
      'Choose a writable folder with --out, or skip the copy with --no-copy.',
    ],
  },
  // Approvals belong to one plan: a later plan of the same batch must not replace it.
  plan: {
    older: 'kept',
    namesMax: 99,
    remedies: [
      'Close the file in other programs, or choose another folder with --out.',
      'Choose a writable folder with --out.',
    ],
  },
  // Control totals are found by their name, so they have only one.
  totals: {
    older: 'replaced',
    namesMax: 1,
    remedies: ['Close the file in other programs.', 'Fix that, then run the same command again.'],
  },
  page: {
    older: 'replaced',
    namesMax: 9,
    remedies: [
      'Close the file in other programs, or choose another folder with --out.',
      'Choose a writable folder with --out.',
    ],
  },
} as const satisfies Record<string, FileRole>;

/** The use of a file, which decides what happens to an older one and which remedy a failure names. */
export type FileUse = keyof typeof roles;

/** Error codes of a rename whose target is open in Excel, or is held by a virus scanner. */
const KEPT_OPEN: ReadonlySet<string> = new Set(['EBUSY', 'EPERM', 'EACCES']);

/**
 * Writes a file through `produce`. Its folder is created if only that folder is missing. The target appears once every byte
 * is on disk, or not at all; nothing else is left in the folder. If the disk refuses: Fault `report-unwritten` for a report
 * and `file-unwritten` for anything else. An error of `produce` itself passes unchanged.
 */
export async function writeWholeFile(
  target: string,
  use: FileUse,
  produce: (sink: Sink) => Promise<void>,
): Promise<WrittenFile> {
  const role: FileRole = roles[use];
  const refused = (cause: unknown): Fault => unwritten(target, use, cause);
  const onDisk = <T>(act: () => Promise<T>): Promise<T> =>
    act().catch((error: unknown) => {
      throw refused(error);
    });
  const { path: temporary, handle: file } = await openTemporary(path.dirname(target)).catch((cause: unknown) => {
    // Nothing holds a new file open, so the same error codes are about the folder.
    throw unwritten(target, use, cause, false);
  });
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Writable({
    // A zip arrives in hundreds of small pieces. Each write is a trip to another thread, so all that wait are written at once.
    writev(pieces, done) {
      const block = Buffer.concat(pieces.map(({ chunk }) => chunk));
      hash.update(block);
      bytes += block.length;
      file.appendFile(block).then(() => done(), done);
    },
  });
  const abort = new AbortController();
  stream.once('error', (error) => abort.abort(error));
  try {
    await produced(stream, () => produce({ stream, signal: abort.signal }), refused);
    const sha256 = hash.digest('hex');
    const written = await onDisk(() => landed(file, temporary, target, { ...role, sha256, bytes }));
    return {
      path: written,
      sha256,
      bytes,
      ...(written !== target && { insteadOf: target }),
    };
  } catch (error) {
    stream.destroy();
    await onDisk(async () => {
      await file.close();
      await rm(temporary, { force: true });
    });
    throw error;
  }
}

async function produced(
  stream: Writable,
  produce: () => Promise<void>,
  refused: (cause: unknown) => Fault,
): Promise<void> {
  try {
    await produce();
    if (!stream.writableFinished) await finished(stream.end());
  } catch (error) {
    throw stream.errored ? refused(stream.errored) : error;
  }
}

/** How a file takes its name, and what is in it. */
interface Landing extends FileRole, Pick<WrittenFile, 'sha256' | 'bytes'> {}

async function landed(file: FileHandle, temporary: string, target: string, role: Landing): Promise<string> {
  await file.sync();
  await file.close();
  const written = await renamed(temporary, target, role);
  await syncFolderAsync(path.dirname(target));
  return written;
}

/** Gives the file its name. An older file that is kept, and says the same already, is used in its place. */
async function renamed(temporary: string, target: string, landing: Landing): Promise<string> {
  const { older, namesMax } = landing;
  const { dir, name, ext } = path.parse(target);
  let held: unknown = new Error(`all names up to ${name} (${namesMax})${ext} are taken`);
  for (let attempt = 1; attempt <= namesMax; attempt++) {
    const free = attempt === 1 ? target : path.join(dir, `${name} (${attempt})${ext}`);
    // The plain name may be a file of paybatch's own, to be replaced. A numbered name may be a copy that a person keeps.
    if ((attempt > 1 || older === 'kept') && existsSync(free)) {
      if (older !== 'kept' || !(await saysTheSame(free, landing))) continue;
      await rm(temporary);
      return free;
    }
    try {
      await rename(temporary, free);
      return free;
    } catch (error) {
      // Windows refuses the name of a folder with the code of a file that is open.
      if (!isKeptOpen(error) && codeOf(error) !== 'EISDIR') throw error;
      held = error;
    }
  }
  throw held;
}

/** Reads only a file of the same length: anything else may be endless, such as a pipe. */
async function saysTheSame(path: string, { sha256, bytes }: Landing): Promise<boolean> {
  const there = await lstat(path);
  return there.isFile() && there.size === bytes && (await contentHash(path)) === sha256;
}

const isKeptOpen = (error: unknown): boolean => KEPT_OPEN.has(codeOf(error) ?? '');

function unwritten(target: string, use: FileUse, cause: unknown, mayBeOpen = isKeptOpen(cause)): Fault {
  const [held, refused] = roles[use].remedies;
  const fault = use === 'report' ? 'report-unwritten' : 'file-unwritten';
  const said = cause instanceof Error ? cause.message : String(cause);
  const reason = cause instanceof Error && !mayBeOpen ? whyUnwritten(cause) : said;
  return new Fault(fault, `${target} could not be written: ${reason}.`, mayBeOpen ? held : refused, { cause });
}

/** Number of characters that are collected before they are written. */
const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Writes a text that may be too large for memory, piece by piece, as fast as the disk takes it. See `writeWholeFile` for what is
 * promised of the file.
 */
export const writeWholeText = (
  path: string,
  use: FileUse,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<WrittenFile> =>
  writeWholeFile(path, use, async ({ stream, signal }) => {
    let text = '';
    for await (const piece of pieces) {
      text += piece;
      if (text.length < CHUNK_CHARACTERS) continue;
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(error) : resolve()));
      });
      text = '';
    }
    stream.write(text);
  });

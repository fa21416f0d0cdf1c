/** Files that are there wholly or not at all: written beside the target, synced, and only then renamed. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Fault } from '../../domain/fault.ts';

export interface WrittenFile {
  /** Where the file is. */
  readonly path: string;
  /** SHA-256 of its bytes, lower-case hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  /** The path that was asked for, when another program kept it open and the file had to take another name. */
  readonly insteadOf?: string;
}

/** Where the content goes, and a signal that is aborted when the disk refuses it. */
export interface Sink {
  readonly stream: Writable;
  readonly signal: AbortSignal;
}

/** How many names are tried, from `NAME.xlsx` to `NAME (9).xlsx`: enough for a file left open on a long day. */
const NAMES_MAX = 9;

/** What a rename answers when the target is open in Excel, or is held by a virus scanner. */
const KEPT_OPEN: ReadonlySet<string> = new Set(['EBUSY', 'EPERM', 'EACCES']);

/** Only the owner reads it: names and account numbers. */
const OWNER_ONLY = 0o600;

/**
 * Writes a file through `produce`. The target appears when every byte is on disk, or not at all; nothing else is left
 * in the folder. A disk that refuses is Fault `report-unwritten`; an error of `produce` itself passes unchanged.
 */
export async function writeWholeFile(target: string, produce: (sink: Sink) => Promise<void>): Promise<WrittenFile> {
  const temporary = path.join(path.dirname(target), `.paybatch-${randomUUID()}.tmp`);
  const file = await onDisk(target, () => open(temporary, 'wx', OWNER_ONLY));
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      file.appendFile(chunk).then(() => done(), done);
    },
  });
  const abort = new AbortController();
  stream.once('error', (error) => abort.abort(error));
  try {
    await produced(target, stream, () => produce({ stream, signal: abort.signal }));
    const written = await onDisk(target, () => landed(file, temporary, target));
    return {
      path: written,
      sha256: hash.digest('hex'),
      bytes,
      ...(written !== target && { insteadOf: target }),
    };
  } catch (error) {
    stream.destroy();
    await onDisk(target, async () => {
      await file.close();
      await rm(temporary, { force: true });
    });
    throw error;
  }
}

async function produced(target: string, stream: Writable, produce: () => Promise<void>): Promise<void> {
  try {
    await produce();
    if (!stream.writableFinished) await finished(stream.end());
  } catch (error) {
    throw stream.errored ? unwritten(target, stream.errored) : error;
  }
}

async function landed(file: FileHandle, temporary: string, target: string): Promise<string> {
  await file.sync();
  await file.close();
  const written = await renamed(temporary, target);
  await syncFolder(path.dirname(target));
  return written;
}

async function renamed(temporary: string, target: string): Promise<string> {
  const { dir, name, ext } = path.parse(target);
  let held: unknown;
  for (let attempt = 1; attempt <= NAMES_MAX; attempt++) {
    const free = attempt === 1 ? target : path.join(dir, `${name} (${attempt})${ext}`);
    // The plain name is ours to replace. A numbered one may be a copy that somebody keeps.
    if (attempt > 1 && existsSync(free)) continue;
    try {
      await rename(temporary, free);
      return free;
    } catch (error) {
      if (!isKeptOpen(error)) throw error;
      held = error;
    }
  }
  throw held;
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

const isKeptOpen = (error: unknown): boolean => KEPT_OPEN.has(codeOf(error) ?? '');

/** Makes the rename itself durable. Windows has no such call: there a rename is durable with its volume. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function onDisk<T>(target: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw unwritten(target, error);
  }
}

function unwritten(target: string, cause: unknown): Fault {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const remedy = isKeptOpen(cause)
    ? 'Close the file in other programs, or choose another folder with --out; then write it again with `paybatch report`.'
    : 'Make room on the disk, or choose another folder with --out; then write it again with `paybatch report`.';
  return new Fault('report-unwritten', `${target} could not be written: ${reason}.`, remedy, { cause });
}

/**
 * The file on disk while it is read: opened once, read by ranges, never written. A file that changes or is replaced in the
 * meantime is a fault, so the bytes that were hashed are the bytes that were read.
 */
import { createHash } from 'node:crypto';
import { type BigIntStats, statSync } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { didYouMean } from '../domain/likeness.ts';
import { mebibytes, type SheetLimits } from './sheet-limits.ts';
import { unreadable } from './unreadable.ts';

/**
 * Names of files that are read as sheets, without the lock files of open workbooks; and, among them, names of the results
 * that paybatch writes.
 */
const SHEET_NAME = /^(?!~\$).*\.(?:xlsx|csv|tsv)$/i;
const RESULTS_NAME = /\.results\.(?:xlsx|csv)$/i;
/** Most sheets of a folder that a remedy names. */
const NAMED_SHEETS = 5;

/** Bytes of one read, and so the most that is read in vain when reading ends early. */
const chunkBytes = 64 * 1024;

export interface SheetFile {
  readonly name: string;
  readonly folder: string;
  readonly bytes: number;
  /** Descriptor of the open file, which the zip reader needs. */
  readonly descriptor: number;
  /** Yields the bytes from `start` up to, but not including, `end`. */
  read(start?: number, end?: number): AsyncGenerator<Buffer>;
  /** Reads the whole file and returns its SHA-256 in hexadecimal digits. */
  sha256(): Promise<string>;
  /** Throws when the file is no longer the one that was opened. */
  assertUnchanged(): Promise<void>;
  close(): Promise<void>;
}

export async function openSheetFile(path: string, limits: SheetLimits): Promise<SheetFile> {
  const absolute = resolve(path);
  const handle = await openToRead(absolute, path);
  try {
    const opened = await handle.stat({ bigint: true });
    assertSheetSize(opened, path, limits);
    return sheetFile(absolute, handle, opened);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openToRead(absolute: string, path: string): Promise<FileHandle> {
  try {
    // Checked before opening, because opening a named pipe waits for its writer.
    const found = await stat(absolute);
    if (found.isDirectory()) throw unreadable(`"${path}" is a folder, not a sheet.`, await sheetInside(absolute));
    if (!found.isFile()) throw unreadable(`"${path}" is not a file.`, 'Name an .xlsx or .csv file.');
    return await open(absolute, 'r');
  } catch (error) {
    const reason = systemCode(error);
    if (reason === 'ENOENT' || reason === 'ENOTDIR') {
      throw unreadable(`There is no file "${path}".`, await nameMeant(absolute), error);
    }
    if (reason !== undefined) {
      throw unreadable(
        `"${path}" cannot be opened (${reason}).`,
        'Close it in other programs and check that you may read it.',
        error,
      );
    }
    throw error;
  }
}

/**
 * Returns the names in a folder that could be payout sheets; empty if the folder cannot be read. Results are left out,
 * because they are never paid.
 */
async function sheetsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => SHEET_NAME.test(name) && !RESULTS_NAME.test(name)).sort();
}

/** Returns the remedy for a folder that was named instead of a sheet. */
async function sheetInside(folder: string): Promise<string> {
  const names = await sheetsIn(folder);
  if (names.length === 0) return 'It holds no .xlsx and no .csv file. Name the sheet itself.';
  const more = names.length - NAMED_SHEETS;
  return `Name the file inside it: ${names.slice(0, NAMED_SHEETS).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** Returns the remedy for a path at which no file exists. */
async function nameMeant(absolute: string): Promise<string> {
  const folder = dirname(absolute);
  const there = await stat(folder).catch(() => undefined);
  if (!there?.isDirectory()) return `There is no folder "${folder}" either. Check the path.`;
  return didYouMean(basename(absolute), await sheetsIn(folder)) ?? `Check the name; the folder is ${folder}.`;
}

function assertSheetSize(found: BigIntStats, path: string, { fileBytes }: SheetLimits): void {
  if (found.size === 0n) throw unreadable(`"${path}" is empty.`, 'Save the sheet again and check that it has rows.');
  if (found.size > BigInt(fileBytes)) {
    throw unreadable(
      `"${path}" is larger than ${mebibytes(fileBytes)}.`,
      'Remove pictures and other worksheets, or split the sheet.',
    );
  }
}

function sheetFile(absolute: string, handle: FileHandle, opened: BigIntStats): SheetFile {
  const bytes = Number(opened.size);

  /**
   * `into` is one buffer for all chunks, for a caller that is done with a chunk when it asks for the next. Without it, each
   * chunk has its own buffer.
   */
  async function* read(start = 0, end = bytes, into?: Buffer): AsyncGenerator<Buffer> {
    for (let position = start; position < end; ) {
      const wanted = Math.min(chunkBytes, end - position);
      const { bytesRead, buffer } = await handle.read(into ?? Buffer.allocUnsafe(wanted), 0, wanted, position);
      if (bytesRead === 0) throw changed();
      yield buffer.subarray(0, bytesRead);
      position += bytesRead;
    }
  }

  return {
    name: basename(absolute),
    folder: dirname(absolute),
    bytes,
    descriptor: handle.fd,
    read: (start, end) => read(start, end),
    async sha256() {
      const hash = createHash('sha256');
      // One buffer for all chunks: JavaScript frees buffers late, and one per chunk took as much memory as a large file has
      // bytes.
      for await (const chunk of read(0, bytes, Buffer.allocUnsafe(chunkBytes))) hash.update(chunk);
      return hash.digest('hex');
    },
    async assertUnchanged() {
      const held = await handle.stat({ bigint: true });
      const named = statSync(absolute, { bigint: true, throwIfNoEntry: false });
      if (!isSame(opened, held) || named === undefined || !isSame(opened, named)) throw changed();
    },
    close: () => handle.close(),
  };
}

const isSame = (before: BigIntStats, now: BigIntStats): boolean =>
  before.size === now.size && before.mtimeNs === now.mtimeNs && before.ino === now.ino;

const changed = () =>
  unreadable('The file was changed while it was read.', 'Save it, close it in other programs, and run it again.');

const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error
    ? error.code
    : undefined;

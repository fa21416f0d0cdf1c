/** Opens a pack from an unknown source: its size is bounded, and the caller compares its hashes before it reads content. */
import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Fault, systemCode } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { type ArchiveFile, type ArchiveProblem, openZipArchive, type ZipArchive } from '../../files/zip-archive.ts';
import { LINE_BYTES_MAX, type Member, packLimits, SMALL_BYTES_MAX } from './members.ts';

/** A part of a pack that is not as paybatch wrote it, in plain words. */
export class PackDifference extends Error {
  override readonly name = 'PackDifference';
}

export interface OpenPack extends AsyncDisposable {
  readonly has: (name: Member) => boolean;
  readonly bytes: (name: Member) => AsyncGenerator<Buffer>;
  /** Reads a short file as a whole. Throws a `PackDifference` if it is longer than `bytesMax`. */
  readonly whole: (name: Member, bytesMax?: number) => Promise<Buffer>;
  /** Returns the SHA-256 of a file. */
  readonly sha256: (name: Member) => Promise<string>;
  /** Yields a file line by line, without line ends. */
  readonly lines: (name: Member) => AsyncGenerator<string>;
  /** Names of all files, as they are in the zip and not yet checked. */
  readonly names: readonly string[];
}

const chunkBytes = 64 * 1024;

/**
 * Opens a pack. Throws a `PackDifference` if the file is not a zip, or is one that no paybatch wrote, and a Fault `usage` if
 * there is no such file.
 */
export async function openPack(path: string): Promise<OpenPack> {
  const handle = await openToRead(path);
  try {
    const archive = await openZipArchive(fileOf(handle), {
      limits: packLimits,
      problem: (problem) => new PackDifference(sentenceOf(problem)),
      isOwn: (error) => error instanceof PackDifference,
    });
    return reader(archive, handle);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openToRead(path: string): Promise<FileHandle> {
  try {
    // Checked before opening, because opening a named pipe would wait for its writer.
    const found = await stat(path);
    if (!found.isFile()) throw new Fault('usage', `${shown(path)} is not a file.`, 'Name the zip of an evidence pack.');
    return await open(path, 'r');
  } catch (error) {
    const why = `${shown(path)} cannot be read (${systemCode(error)}).`;
    throw new Fault('usage', why, 'Check its path and its permissions.', { cause: error });
  }
}

function fileOf(handle: FileHandle): ArchiveFile {
  async function* read(start: number, end: number): AsyncGenerator<Buffer> {
    for (let position = start; position < end; ) {
      const wanted = Math.min(chunkBytes, end - position);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, position);
      if (bytesRead === 0) throw new PackDifference('the pack: it ends in the middle of a file; it was cut off');
      yield buffer.subarray(0, bytesRead);
      position += bytesRead;
    }
  }
  return { descriptor: handle.fd, read };
}

function reader(archive: ZipArchive, handle: FileHandle): OpenPack {
  const { has, read: bytes } = archive;
  const whole = async (name: Member, bytesMax = SMALL_BYTES_MAX): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of bytes(name)) {
      size += chunk.length;
      if (size > bytesMax) throw new PackDifference(`${name}: is longer than paybatch writes it`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };
  return {
    has,
    bytes,
    whole,
    async sha256(name) {
      const hash = createHash('sha256');
      for await (const chunk of bytes(name)) hash.update(chunk);
      return hash.digest('hex');
    },
    lines: (name) => linesOf(name, bytes(name)),
    names: archive.members,
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

async function* linesOf(name: Member, chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  try {
    for await (const chunk of chunks) {
      text += decoder.decode(chunk, { stream: true });
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
        yield text.slice(0, end);
        text = text.slice(end + 1);
      }
      if (text.length > LINE_BYTES_MAX)
        throw new PackDifference(`${name}: has a line that is longer than paybatch writes`);
    }
    text += decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new PackDifference(`${name}: is not text in UTF-8`);
    throw error;
  }
  if (text !== '') throw new PackDifference(`${name}: its last line has no end`);
}

/** Returns a sentence for each problem of a zip. */
function sentenceOf(problem: ArchiveProblem): string {
  switch (problem.type) {
    case 'cut-off':
      return 'the pack: is not a zip, or was cut off';
    case 'too-many':
      return `the pack: holds more than ${problem.most} files, as no evidence pack does`;
    case 'too-large':
      return `the pack: unpacks to more than ${Math.round(problem.most / 1024 / 1024)} MiB, as no evidence pack does`;
    case 'bomb':
      return `${shown(problem.member)}: unpacks to more than ${problem.ratio} times its size, which only a hostile file does`;
    default:
      return `${shown(problem.member)}: ${sentences[problem.type]}`;
  }
}

const sentences = {
  encrypted: 'is encrypted',
  'foreign-packing': 'is packed in a way that paybatch does not use',
  twice: 'is in the pack twice',
  overlaps: 'overlaps another file of the pack',
  missing: 'is missing in the pack',
  'two-names': 'has two names in the pack',
  'not-found': 'cannot be found in the pack',
  'not-inflated': 'was changed (it cannot be unpacked)',
  larger: 'was changed (it is larger than it says)',
  smaller: 'was changed (it is smaller than it says)',
  checksum: 'was changed (its checksum differs)',
} as const;

/**
 * Yields the records of a list, line by line. Throws a `PackDifference` for a line that is not a record, or if there are more
 * than `most` lines.
 */
export async function* recordsIn<T>(
  pack: OpenPack,
  name: Member,
  recordOf: (line: string) => T | undefined,
  most: number,
): AsyncGenerator<T> {
  let number = 0;
  for await (const line of pack.lines(name)) {
    number += 1;
    if (number > most) throw new PackDifference(`${name}: has more than ${most} lines, as no batch does`);
    const record = recordOf(line);
    if (record === undefined) throw new PackDifference(`${name}: its line ${number} is not as paybatch writes it`);
    yield record;
  }
}

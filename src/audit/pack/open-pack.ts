/** A pack as it comes from somebody: bounded, its members in a closed list, its hashes compared before anything is read. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { type ArchiveFile, type ArchiveProblem, openZipArchive, type ZipArchive } from '../../files/zip-archive.ts';
import { LINE_BYTES_MAX, type Member, packLimits, SMALL_BYTES_MAX } from './members.ts';

/** Something in a pack that is not as it was written, in plain words. */
export class PackDifference extends Error {
  override readonly name = 'PackDifference';
}

export interface OpenPack extends AsyncDisposable {
  readonly has: (name: Member) => boolean;
  readonly bytes: (name: Member) => AsyncGenerator<Buffer>;
  /** The whole of a short file. */
  readonly whole: (name: Member, bytesMax?: number) => Promise<Buffer>;
  /** Line by line, without their ends. */
  readonly lines: (name: Member) => AsyncGenerator<string>;
  /** Names of all files, as somebody wrote them. */
  readonly names: readonly string[];
}

const chunkBytes = 64 * 1024;

/** Opens a pack. A PackDifference when it is no zip, or one that no paybatch wrote; Fault `usage` when there is no such file. */
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
    // Asked before opening: opening a named pipe would wait for its writer.
    const found = await stat(path);
    if (!found.isFile()) throw new Fault('usage', `${shown(path)} is not a file.`, 'Name the zip of an evidence pack.');
    return await open(path, 'r');
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
    throw new Fault(
      'usage',
      `${shown(path)} cannot be read (${String(error.code)}).`,
      'Check its path and its rights.',
      {
        cause: error,
      },
    );
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
    if (error instanceof TypeError) throw new PackDifference(`${name}: is no text in UTF-8`);
    throw error;
  }
  if (text !== '') throw new PackDifference(`${name}: its last line has no end`);
}

/** Each problem of a zip in words. */
function sentenceOf(problem: ArchiveProblem): string {
  switch (problem.type) {
    case 'cut-off':
      return 'the pack: is no zip, or was cut off';
    case 'too-many':
      return `the pack: holds more than ${problem.most} files, as no evidence pack does`;
    case 'too-large':
      return `the pack: unpacks to more than ${Math.round(problem.most / 1024 / 1024)} MiB, as no evidence pack does`;
    case 'bomb':
      return `${shown(problem.member)}: unpacks to more than ${problem.ratio} times its size, as only a hostile file does`;
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

/** The records of a list, line by line. A PackDifference for what is none. */
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

/**
 * Reads a zip archive that somebody else made. Its directory is checked before anything is inflated, and its members are inflated
 * as a stream that counts what really comes out. Nothing is ever extracted to disk, and no other file is ever opened.
 */
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromFd, type ZipFile } from 'yauzl';

/** The file of the archive, open while it is read. */
export interface ArchiveFile {
  /** Descriptor of the open file, which the zip reader needs. */
  readonly descriptor: number;
  /** Yields the bytes from `start` up to, but not including, `end`. */
  read(start: number, end: number): AsyncGenerator<Buffer>;
}

/** Limits of an archive, each checked against what is really there. */
export interface ArchiveLimits {
  /** Inflated size of all members together, in bytes. */
  readonly inflatedBytes: number;
  /** Inflated size of one member, in bytes. */
  readonly entryBytes: number;
  /** Inflated bytes per compressed byte of one member; checked above `ratioFreeBytes`. */
  readonly entryRatio: number;
  /** Inflated size, in bytes, up to which `entryRatio` does not apply to a member. */
  readonly ratioFreeBytes: number;
  /** Number of members. */
  readonly entries: number;
}

/**
 * What is wrong with an archive; `member` is the name of a member, as written. The caller turns each problem into an error of
 * its own.
 */
export type ArchiveProblem =
  | { readonly type: 'cut-off'; readonly cause: unknown }
  | { readonly type: 'too-many' | 'too-large'; readonly most: number }
  | { readonly type: 'encrypted' | 'foreign-packing' | 'twice' | 'overlaps' | 'missing'; readonly member: string }
  | { readonly type: 'two-names' | 'larger' | 'smaller' | 'checksum'; readonly member: string }
  | { readonly type: 'bomb'; readonly member: string; readonly ratio: number }
  | { readonly type: 'not-found' | 'not-inflated'; readonly member: string; readonly cause: unknown };

export interface ArchiveReading {
  readonly limits: ArchiveLimits;
  /** Returns the key by which names are compared; the name itself if absent. */
  readonly keyOf?: (member: string) => string;
  /** Returns the error to throw for a problem. */
  readonly problem: (problem: ArchiveProblem) => Error;
  /** Reports whether an error was made by `problem` or comes from the file itself; such an error is passed on unchanged. */
  readonly isOwn: (error: unknown) => boolean;
}

export interface ZipArchive {
  /** Names of all members, as written, in the order of the archive. */
  readonly members: readonly string[];
  readonly has: (member: string) => boolean;
  /** Yields the inflated bytes of a member. Throws the error of a problem if the member is missing, corrupt or too large. */
  readonly read: (member: string) => AsyncGenerator<Buffer>;
}

const inflatedChunkBytes = 64 * 1024;
const localHeaderBytes = 30;
const stored = 0;
const deflated = 8;

export async function openZipArchive(file: ArchiveFile, reading: ArchiveReading): Promise<ZipArchive> {
  const { keyOf = (member: string) => member, problem } = reading;
  const { zip, entries } = await readDirectory(file, reading);
  const byKey = new Map<string, Entry>();
  for (const entry of entries) {
    if (byKey.has(keyOf(entry.fileName))) throw problem({ type: 'twice', member: entry.fileName });
    byKey.set(keyOf(entry.fileName), entry);
  }
  assertApart(entries, reading);
  const budget = inflationBudget(reading);

  async function* read(member: string): AsyncGenerator<Buffer> {
    const entry = byKey.get(keyOf(member));
    if (entry === undefined) throw problem({ type: 'missing', member });
    // A stated size that is too large is refused immediately; one that is too small shows while the member is inflated.
    budget.check(entry, entry.uncompressedSize);
    const start = await dataStart(zip, entry, reading);
    const packed = file.read(start, start + entry.compressedSize);
    const bytes = entry.compressionMethod === stored ? packed : inflated(packed, member, reading);
    yield* counted(entry, bytes, budget, reading);
  }

  return { members: entries.map(({ fileName }) => fileName), has: (member) => byKey.has(keyOf(member)), read };
}

async function readDirectory({ descriptor }: ArchiveFile, { limits, problem, isOwn }: ArchiveReading) {
  try {
    const zip = await openZip(descriptor);
    if (zip.entryCount > limits.entries) throw problem({ type: 'too-many', most: limits.entries });
    const entries: Entry[] = [];
    let statedBytes = 0;
    for await (const entry of zip.eachEntry()) {
      // The maker of an archive can write any count at the end of the directory.
      if (entries.length >= limits.entries) throw problem({ type: 'too-many', most: limits.entries });
      const { fileName: member } = entry;
      if (entry.isEncrypted()) throw problem({ type: 'encrypted', member });
      if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated) {
        throw problem({ type: 'foreign-packing', member });
      }
      statedBytes += entry.uncompressedSize;
      if (statedBytes > limits.inflatedBytes) throw problem({ type: 'too-large', most: limits.inflatedBytes });
      entries.push(entry);
    }
    return { zip, entries };
  } catch (error) {
    throw isOwn(error) ? error : problem({ type: 'cut-off', cause: error });
  }
}

const openZip = (descriptor: number): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromFd(descriptor, { lazyEntries: true, autoClose: false }, (error, zip) => (error ? reject(error) : resolve(zip)));
  });

/** Throws if members share bytes, which is how a small file claims to be a large one. */
function assertApart(entries: readonly Entry[], { problem }: ArchiveReading): void {
  const inOrder = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const { relativeOffsetOfLocalHeader: start, fileName: member, fileNameLength, compressedSize } of inOrder) {
    if (start < end) throw problem({ type: 'overlaps', member });
    end = start + localHeaderBytes + fileNameLength + compressedSize;
  }
}

async function dataStart(zip: ZipFile, entry: Entry, { problem, isOwn }: ArchiveReading): Promise<number> {
  const { fileName: member } = entry;
  try {
    const header = await zip.readLocalFileHeaderPromise(entry);
    if (!header.fileName.equals(entry.fileNameRaw)) throw problem({ type: 'two-names', member });
    return header.fileDataStart;
  } catch (error) {
    throw isOwn(error) ? error : problem({ type: 'not-found', member, cause: error });
  }
}

async function* inflated(
  packed: AsyncGenerator<Buffer>,
  member: string,
  { problem, isOwn }: ArchiveReading,
): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: inflatedChunkBytes });
  let failure: unknown;
  pipeline(Readable.from(packed, { objectMode: false }), inflate, (error) => {
    failure ??= error ?? undefined;
  });
  try {
    for await (const chunk of inflate) yield chunk as Buffer;
  } catch (error) {
    const cause = failure ?? error;
    throw isOwn(cause) ? cause : problem({ type: 'not-inflated', member, cause });
  }
}

/** Counts the largest size seen of each member, so that a member that is read twice counts once. */
function inflationBudget({ limits, problem }: ArchiveReading) {
  const seen = new Map<Entry, number>();
  let total = 0;

  function check({ fileName: member, compressedSize }: Entry, bytes: number): void {
    if (bytes > limits.entryBytes) throw problem({ type: 'too-large', most: limits.entryBytes });
    if (bytes <= limits.ratioFreeBytes || bytes <= compressedSize * limits.entryRatio) return;
    throw problem({ type: 'bomb', member, ratio: limits.entryRatio });
  }
  return {
    check,
    take(entry: Entry, bytes: number): void {
      const before = seen.get(entry) ?? 0;
      if (bytes > before) {
        seen.set(entry, bytes);
        total += bytes - before;
      }
      if (total > limits.inflatedBytes) throw problem({ type: 'too-large', most: limits.inflatedBytes });
      check(entry, bytes);
    },
  };
}

/** Passes the bytes on, and compares them with the limits and, at the end, with size and checksum in the directory. */
async function* counted(
  entry: Entry,
  chunks: AsyncGenerator<Buffer>,
  budget: ReturnType<typeof inflationBudget>,
  { problem }: ArchiveReading,
): AsyncGenerator<Buffer> {
  const { fileName: member } = entry;
  let bytes = 0;
  let checksum = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    budget.take(entry, bytes);
    if (bytes > entry.uncompressedSize) throw problem({ type: 'larger', member });
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (bytes !== entry.uncompressedSize) throw problem({ type: 'smaller', member });
  if (checksum !== entry.crc32) throw problem({ type: 'checksum', member });
}

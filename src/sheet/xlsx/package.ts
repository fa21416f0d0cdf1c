/**
 * A workbook as a package of parts (ZIP, OPC): its directory checked before anything is inflated, its parts inflated as
 * a stream that counts what really comes out. Nothing is ever extracted to disk, and no other file is ever opened.
 */
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromFd, type ZipFile } from 'yauzl';
import { Fault } from '../../domain/fault.ts';
import type { SheetFile } from '../sheet-file.ts';
import { mebibytes, type SheetLimits } from '../sheet-limits.ts';
import { damaged, saveAgain, unreadable } from '../unreadable.ts';

export interface Package {
  /** Names of all parts, as written. */
  readonly parts: readonly string[];
  readonly has: (part: string) => boolean;
  /** The bytes of a part, inflated. A part that is missing, false or too large is a fault. */
  readonly read: (part: string) => AsyncGenerator<Buffer>;
}

/** What part names are compared by: they do not differ in case (OPC 9.1.1). */
const keyOf = (part: string): string => part.replace(/^\//, '').toLowerCase();

const inflatedChunkBytes = 64 * 1024;
const localHeaderBytes = 30;
const stored = 0;
const deflated = 8;

export async function openPackage(file: SheetFile, limits: SheetLimits): Promise<Package> {
  const { zip, entries } = await readDirectory(file, limits);
  const byKey = new Map<string, Entry>();
  for (const entry of entries) {
    if (byKey.has(keyOf(entry.fileName))) throw damaged(`It holds the part ${entry.fileName} twice.`);
    byKey.set(keyOf(entry.fileName), entry);
  }
  assertApart(entries);
  const budget = inflationBudget(limits);

  async function* read(part: string): AsyncGenerator<Buffer> {
    const entry = byKey.get(keyOf(part));
    if (entry === undefined) throw damaged(`The part ${part} is missing.`);
    // What it says of itself is believed when it is too much; that it says too little shows while it unpacks.
    budget.check(entry, entry.uncompressedSize);
    const start = await dataStart(zip, entry);
    const packed = file.read(start, start + entry.compressedSize);
    yield* counted(entry, entry.compressionMethod === stored ? packed : inflated(packed, part), budget);
  }

  return { parts: entries.map(({ fileName }) => fileName), has: (part) => byKey.has(keyOf(part)), read };
}

async function readDirectory({ descriptor }: SheetFile, limits: SheetLimits) {
  try {
    const zip = await openZip(descriptor);
    if (zip.entryCount > limits.entries) throw tooManyParts(limits);
    const entries: Entry[] = [];
    let statedBytes = 0;
    for await (const entry of zip.eachEntry()) {
      // The count in the directory's end is whatever its maker wrote.
      if (entries.length >= limits.entries) throw tooManyParts(limits);
      if (entry.isEncrypted()) {
        throw unreadable('The parts of the workbook are encrypted.', 'Save a copy without a password and run that.');
      }
      if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated) {
        throw damaged(`The part ${entry.fileName} is packed in a way that workbooks do not use.`);
      }
      statedBytes += entry.uncompressedSize;
      if (statedBytes > limits.inflatedBytes) throw tooLarge(limits.inflatedBytes);
      entries.push(entry);
    }
    return { zip, entries };
  } catch (error) {
    throw error instanceof Fault ? error : damaged('Its directory cannot be read, or the file is cut off.', error);
  }
}

const openZip = (descriptor: number): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromFd(descriptor, { lazyEntries: true, autoClose: false }, (error, zip) => (error ? reject(error) : resolve(zip)));
  });

/** Parts that share bytes are how a small file claims to be a large one. */
function assertApart(entries: readonly Entry[]): void {
  const inOrder = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const { relativeOffsetOfLocalHeader: start, fileName, fileNameLength, compressedSize } of inOrder) {
    if (start < end) throw damaged(`The part ${fileName} overlaps another one.`);
    end = start + localHeaderBytes + fileNameLength + compressedSize;
  }
}

async function dataStart(zip: ZipFile, entry: Entry): Promise<number> {
  try {
    const header = await zip.readLocalFileHeaderPromise(entry);
    if (!header.fileName.equals(entry.fileNameRaw)) throw damaged(`The part ${entry.fileName} has two names.`);
    return header.fileDataStart;
  } catch (error) {
    throw error instanceof Fault ? error : damaged(`The part ${entry.fileName} cannot be found in the file.`, error);
  }
}

async function* inflated(packed: AsyncGenerator<Buffer>, part: string): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: inflatedChunkBytes });
  let failure: unknown;
  pipeline(Readable.from(packed, { objectMode: false }), inflate, (error) => {
    failure ??= error ?? undefined;
  });
  try {
    for await (const chunk of inflate) yield chunk as Buffer;
  } catch (error) {
    const cause = failure ?? error;
    throw cause instanceof Fault ? cause : damaged(`The part ${part} cannot be unpacked.`, cause);
  }
}

/** Largest size seen of each part: a part read twice counts once. */
function inflationBudget(limits: SheetLimits) {
  const seen = new Map<Entry, number>();
  let total = 0;

  function check({ fileName, compressedSize }: Entry, bytes: number): void {
    if (bytes > limits.entryBytes) throw tooLarge(limits.entryBytes);
    if (bytes <= limits.ratioFreeBytes || bytes <= compressedSize * limits.entryRatio) return;
    throw unreadable(
      `The part ${fileName} unpacks to more than ${limits.entryRatio} times its size, as only a hostile file does.`,
      saveAgain,
    );
  }
  return {
    check,
    take(entry: Entry, bytes: number): void {
      const before = seen.get(entry) ?? 0;
      if (bytes > before) {
        seen.set(entry, bytes);
        total += bytes - before;
      }
      if (total > limits.inflatedBytes) throw tooLarge(limits.inflatedBytes);
      check(entry, bytes);
    },
  };
}

/** Passes the bytes on, holding them against the limits and, at the end, against size and checksum of the directory. */
async function* counted(
  entry: Entry,
  chunks: AsyncGenerator<Buffer>,
  budget: ReturnType<typeof inflationBudget>,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  let checksum = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    budget.take(entry, bytes);
    if (bytes > entry.uncompressedSize) throw damaged(`The part ${entry.fileName} is larger than it says.`);
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (bytes !== entry.uncompressedSize) throw damaged(`The part ${entry.fileName} is smaller than it says.`);
  if (checksum !== entry.crc32) throw damaged(`The part ${entry.fileName} does not match its checksum.`);
}

const tooManyParts = ({ entries }: SheetLimits) =>
  unreadable(`The workbook has more than ${entries} parts, as no sheet of payments does.`, saveAgain);

const tooLarge = (bytes: number) =>
  unreadable(
    `The workbook unpacks to more than ${mebibytes(bytes)}.`,
    'Remove pictures and unused worksheets, or split the sheet.',
  );

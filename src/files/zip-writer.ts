/**
 * A zip archive on its way to a file: members one after the other, each packed as its bytes come. All of them have one date, so the
 * bytes of an archive depend on its content alone. Source: PKWARE APPNOTE 6.3.10, sections 4.3, 4.4 and 4.5.3.
 */
import { once } from 'node:events';
import { constants, crc32, createDeflateRaw } from 'node:zlib';
import { invariant } from '../domain/invariant.ts';
import type { Sink } from './whole-file.ts';

const LOCAL_SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const ZIP64_END_SIGNATURE = 0x06064b50;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;

const LOCAL_BYTES = 30;
const ENTRY_BYTES = 46;
const END_BYTES = 22;
const ZIP64_EXTRA = 0x0001;
const ZIP64_END_BYTES = 56;
const ZIP64_LOCATOR_BYTES = 20;

/** What stands in a field whose value is in the fields for large archives. */
const ELSEWHERE_32 = 0xffffffff;
const ELSEWHERE_16 = 0xffff;

/** Sizes follow the bytes, and names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
const VERSION = 20;
const VERSION_ZIP64 = 45;
/** Attributes are those of Unix: a file that its owner alone may read and write. */
const MADE_ON_UNIX = 3 << 8;
const OWN_FILE = 0o100600 * 2 ** 16;
/** 1 January 1980, 00:00: the first date that a zip can hold. */
const FIRST_TIME = 0x0000;
const FIRST_DATE = 0x0021;

const CHUNK_BYTES = 64 * 1024;
/** Bytes that wait for being packed, so that whoever makes them and the thread that packs them work at the same time. */
const WAITING_BYTES = 4 * CHUNK_BYTES;

export interface ZipOptions {
  /** Level of zlib; its own choice when not given. */
  readonly level?: number;
  /** From this size or offset on, fields for large archives are used; what 32 bits cannot hold when not given. */
  readonly largeFrom?: number;
}

interface Entry {
  readonly name: Buffer;
  readonly offset: number;
  readonly checksum: number;
  readonly packed: number;
  readonly bytes: number;
}

/** A member under way. */
export interface ZipMember {
  /** Takes the next bytes; where it gives a promise, more of them are to wait for it. */
  write(chunk: Uint8Array): Promise<void> | undefined;
  /** Ends the member. The next one begins only then. */
  end(): Promise<void>;
}

/** Writes one archive into a sink. Its waits reject as soon as the sink refuses. */
export class ZipWriter {
  readonly #sink: Sink;
  readonly #level: number;
  readonly #largeFrom: number;
  readonly #entries: Entry[] = [];
  #offset = 0;
  #stop: () => void = () => undefined;

  constructor(sink: Sink, { level = constants.Z_DEFAULT_COMPRESSION, largeFrom = ELSEWHERE_32 }: ZipOptions = {}) {
    this.#sink = sink;
    this.#level = level;
    this.#largeFrom = largeFrom;
  }

  /** Writes a member wholly. */
  async add(name: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const member = await this.begin(name);
    for await (const chunk of bytes) await member.write(chunk);
    await member.end();
  }

  /** Begins a member whose bytes come bit by bit. */
  async begin(name: string): Promise<ZipMember> {
    const { stream, signal } = this.#sink;
    const at = { name: Buffer.from(name), offset: this.#offset };
    await this.#put(localHeader(at.name));
    const options = { level: this.#level, chunkSize: CHUNK_BYTES, highWaterMark: WAITING_BYTES };
    const deflate = createDeflateRaw(options);
    this.#stop = () => void deflate.destroy();
    let [checksum, packed, bytes] = [0, 0, 0];
    deflate.on('data', (chunk: Buffer) => {
      packed += chunk.length;
    });
    deflate.pipe(stream, { end: false });
    return {
      write(chunk) {
        checksum = crc32(chunk, checksum);
        bytes += chunk.length;
        return deflate.write(chunk) ? undefined : once(deflate, 'drain', { signal }).then(() => undefined);
      },
      end: async () => {
        const ended = once(deflate, 'end', { signal });
        deflate.end();
        await ended;
        this.#offset += packed;
        const entry = { ...at, checksum, packed, bytes };
        this.#entries.push(entry);
        await this.#put(descriptor(entry, Math.max(packed, bytes) >= this.#largeFrom));
      },
    };
  }

  /** Writes the directory. Nothing comes after it. */
  async end(): Promise<void> {
    const start = this.#offset;
    for (const entry of this.#entries) await this.#put(directoryEntry(entry, this.#isLarge(entry)));
    const directory = { entries: this.#entries.length, start, bytes: this.#offset - start };
    invariant(directory.entries < ELSEWHERE_16, 'an archive of ours has few members');
    const isLarge = this.#offset >= this.#largeFrom;
    if (isLarge) await this.#put(largeEnd(directory));
    await this.#put(directoryEnd(directory, isLarge));
  }

  /** Gives up: what was begun is not packed any further. */
  stop(): void {
    this.#stop();
  }

  #isLarge({ offset, packed, bytes }: Entry): boolean {
    return Math.max(offset, packed, bytes) >= this.#largeFrom;
  }

  async #put(bytes: Buffer): Promise<void> {
    const { stream, signal } = this.#sink;
    signal.throwIfAborted();
    this.#offset += bytes.length;
    if (!stream.write(bytes)) await once(stream, 'drain', { signal });
  }
}

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(LOCAL_BYTES);
  header.writeUInt32LE(LOCAL_SIGNATURE, 0);
  header.writeUInt16LE(VERSION, 4);
  writeNature(header, 6);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

/** Flags, method, time and date, as both headers have them. */
function writeNature(header: Buffer, at: number): void {
  header.writeUInt16LE(FLAGS, at);
  header.writeUInt16LE(DEFLATED, at + 2);
  header.writeUInt16LE(FIRST_TIME, at + 4);
  header.writeUInt16LE(FIRST_DATE, at + 6);
}

function descriptor({ checksum, packed, bytes }: Entry, isLarge: boolean): Buffer {
  const made = Buffer.alloc(isLarge ? 24 : 16);
  made.writeUInt32LE(DESCRIPTOR_SIGNATURE, 0);
  made.writeUInt32LE(checksum, 4);
  if (isLarge) {
    made.writeBigUInt64LE(BigInt(packed), 8);
    made.writeBigUInt64LE(BigInt(bytes), 16);
  } else {
    made.writeUInt32LE(packed, 8);
    made.writeUInt32LE(bytes, 12);
  }
  return made;
}

function directoryEntry({ name, offset, checksum, packed, bytes }: Entry, isLarge: boolean): Buffer {
  const header = Buffer.alloc(ENTRY_BYTES);
  const extra = isLarge ? largeFields(bytes, packed, offset) : Buffer.alloc(0);
  const version = isLarge ? VERSION_ZIP64 : VERSION;
  header.writeUInt32LE(ENTRY_SIGNATURE, 0);
  header.writeUInt16LE(MADE_ON_UNIX | version, 4);
  header.writeUInt16LE(version, 6);
  writeNature(header, 8);
  header.writeUInt32LE(checksum, 16);
  header.writeUInt32LE(isLarge ? ELSEWHERE_32 : packed, 20);
  header.writeUInt32LE(isLarge ? ELSEWHERE_32 : bytes, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(OWN_FILE, 38);
  header.writeUInt32LE(isLarge ? ELSEWHERE_32 : offset, 42);
  return Buffer.concat([header, name, extra]);
}

function largeFields(...values: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * values.length);
  extra.writeUInt16LE(ZIP64_EXTRA, 0);
  extra.writeUInt16LE(8 * values.length, 2);
  for (const [index, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  return extra;
}

/** Where the directory is, and how much of it there is. */
interface Directory {
  readonly entries: number;
  readonly start: number;
  readonly bytes: number;
}

function largeEnd({ entries, start, bytes }: Directory): Buffer {
  const end = Buffer.alloc(ZIP64_END_BYTES + ZIP64_LOCATOR_BYTES);
  end.writeUInt32LE(ZIP64_END_SIGNATURE, 0);
  end.writeBigUInt64LE(BigInt(ZIP64_END_BYTES - 12), 4); // without the signature and itself
  end.writeUInt16LE(MADE_ON_UNIX | VERSION_ZIP64, 12);
  end.writeUInt16LE(VERSION_ZIP64, 14);
  end.writeBigUInt64LE(BigInt(entries), 24);
  end.writeBigUInt64LE(BigInt(entries), 32);
  end.writeBigUInt64LE(BigInt(bytes), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  end.writeUInt32LE(ZIP64_LOCATOR_SIGNATURE, ZIP64_END_BYTES);
  end.writeBigUInt64LE(BigInt(start + bytes), ZIP64_END_BYTES + 8);
  end.writeUInt32LE(1, ZIP64_END_BYTES + 16);
  return end;
}

function directoryEnd({ entries, start, bytes }: Directory, isLarge: boolean): Buffer {
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END_SIGNATURE, 0);
  end.writeUInt16LE(isLarge ? ELSEWHERE_16 : entries, 8);
  end.writeUInt16LE(isLarge ? ELSEWHERE_16 : entries, 10);
  end.writeUInt32LE(isLarge ? ELSEWHERE_32 : bytes, 12);
  end.writeUInt32LE(isLarge ? ELSEWHERE_32 : start, 16);
  return end;
}

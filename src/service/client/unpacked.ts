/** The text of an answer: unpacked if the service packed it, within the size limit of an answer, and without a byte order mark. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

/**
 * The text of a body. A body that was cut off yields its beginning; one that cannot be unpacked, or is too long when
 * unpacked, yields an empty text.
 */
export interface AnswerText {
  readonly text: string;
  readonly oversized: boolean;
  /** Why the body cannot be unpacked; absent if it was unpacked, or was not packed. */
  readonly unread?: string;
}

/** Returns the unpacked bytes, at most `maxOutputLength`. Throws if there are more, or if the bytes are not packed this way. */
type Unpack = (packed: Buffer, bound: { readonly maxOutputLength: number }) => Buffer;

const unpackers: Readonly<Record<string, Unpack>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  // RFC 9110 means the zlib format; some services send the bare deflate stream under this name.
  deflate: (packed, bound) => (isZlib(packed) ? inflateSync : inflateRawSync)(packed, bound),
  br: brotliDecompressSync,
};

/** Reports whether bytes begin with the header of the zlib format. RFC 1950, section 2.2. */
const isZlib = ([first = 0, second = 0]: Buffer): boolean => (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;

/**
 * Reads a whole body in the encoding that its header names; `bytesMost` limits the unpacked bytes. paybatch never asks for
 * packed answers.
 */
export function unpacked(body: Buffer, encoding: string, bytesMost: number): AnswerText {
  const name = encoding.trim().toLowerCase();
  if (body.length === 0 || name === '' || name === 'identity') return { text: textOf(body), oversized: false };
  const unpack = Object.hasOwn(unpackers, name) ? unpackers[name] : undefined;
  if (!unpack) return { text: '', oversized: false, unread: 'it is compressed in a way that paybatch does not know' };
  try {
    return { text: textOf(unpack(body, { maxOutputLength: bytesMost })), oversized: false };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (error.code === 'ERR_BUFFER_TOO_LARGE') return { text: '', oversized: true };
    return { text: '', oversized: false, unread: `it is labelled ${name}, but cannot be decompressed as that` };
  }
}

/** Returns bytes as text. JSON has no byte order mark, but some programs write one (RFC 8259, section 8.1). */
export function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

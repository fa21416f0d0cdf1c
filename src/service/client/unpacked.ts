/** The text of an answer: unpacked where the service packed it, within the bound of an answer, and without a byte order mark. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

/** The text of a body, or its beginning: all that was read of one that is longer, nothing of one that cannot be unpacked. */
export interface AnswerText {
  readonly text: string;
  readonly oversized: boolean;
  /** Why the body cannot be unpacked; missing: it was, or was not packed. */
  readonly unread?: string;
}

/** Gives the unpacked bytes, as many as `maxOutputLength` at most; throws for more, and for what is not packed so. */
type Unpack = (packed: Buffer, bound: { readonly maxOutputLength: number }) => Buffer;

const unpackers: Readonly<Record<string, Unpack>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  // RFC 9110 means the zlib format; some services send the bare stream under this name.
  deflate: (packed, bound) => (isZlib(packed) ? inflateSync : inflateRawSync)(packed, bound),
  br: brotliDecompressSync,
};

/** Whether bytes begin with the head of the zlib format. RFC 1950, section 2.2. */
const isZlib = ([first = 0, second = 0]: Buffer): boolean => (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;

/** Reads a whole body in the encoding that its head names; `bytesMost` bounds the unpacked bytes. Nobody asks for packed answers. */
export function unpacked(body: Buffer, encoding: string, bytesMost: number): AnswerText {
  const name = encoding.trim().toLowerCase();
  if (body.length === 0 || name === '' || name === 'identity') return { text: textOf(body), oversized: false };
  const unpack = Object.hasOwn(unpackers, name) ? unpackers[name] : undefined;
  if (!unpack) return { text: '', oversized: false, unread: 'it is packed in a way that is not known here' };
  try {
    return { text: textOf(unpack(body, { maxOutputLength: bytesMost })), oversized: false };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (error.code === 'ERR_BUFFER_TOO_LARGE') return { text: '', oversized: true };
    return { text: '', oversized: false, unread: `it is called ${name}, and cannot be unpacked as that` };
  }
}

/** Bytes as text. JSON has no byte order mark, and some programs write one all the same (RFC 8259, section 8.1). */
export function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Reads files that others made with any editor or shell, and that are short if they are what they should be. */
import { readFileSync, statSync } from 'node:fs';
import { systemCode } from '../domain/fault.ts';

/**
 * Returns the bytes of a file. Throws a RangeError that says in a few words what is wrong if it is not a file, or longer than
 * `bytesMax`, and the error of the system if it cannot be read.
 */
export function readShortFile(file: string, bytesMax: number): Buffer {
  // Asked before it is opened: opening a named pipe would wait for its writer.
  const stats = statSync(file);
  if (!stats.isFile()) throw new RangeError('it is not a file');
  if (stats.size > bytesMax) throw new RangeError(`it is larger than ${bytesMax} bytes`);
  return readFileSync(file);
}

/**
 * Decodes UTF-8, or UTF-16 with its byte order mark, which Windows PowerShell (`>`) and old editors write. The mark itself is
 * not part of the text. Throws a RangeError that says in a few words what is wrong if the bytes are not text: decoding them anyway
 * would replace characters, and a name or a secret would silently be another one.
 */
export function textOf(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decoded(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return decoded(bytes, 'utf-16be');
  if (bytes.includes(0)) throw new RangeError('it is UTF-16 without a byte order mark, or not text; save it as UTF-8');
  return decoded(bytes, 'utf-8');
}

function decoded(bytes: Buffer, encoding: 'utf-8' | 'utf-16le' | 'utf-16be'): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new RangeError(`some of its bytes are not ${encoding.toUpperCase()}; save it as UTF-8`, { cause: error });
  }
}

/** Returns in a few words why a file could not be read: what the system says, or why it is not text. Throws anything else again. */
export const whyUnread = (error: unknown): string => (error instanceof RangeError ? error.message : systemCode(error));

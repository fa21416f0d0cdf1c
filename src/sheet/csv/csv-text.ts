/**
 * Reads the bytes of a CSV file as whole lines of checked UTF-8. A byte that is not text stops the reading with a fault that
 * says where it is, because a name or an account with a replacement character in it would be paid.
 */
import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { Fault } from '../../domain/fault.ts';
import { mebibytes, type SheetLimits } from '../sheet-limits.ts';
import { unreadable } from '../unreadable.ts';

export interface CsvEncoding {
  /** Label of the Encoding Standard: `utf-8`, `utf-16le`, `windows-1252`. */
  readonly label: string;
  /** Length of the byte order mark in bytes; 0 without one. */
  readonly markBytes: number;
}

/**
 * Returns the encoding of a file from its first bytes. A byte order mark decides; without one the encoding is what the user
 * stated, or UTF-8. Fault `usage` if the stated encoding is unknown.
 */
export function csvEncodingOf(head: Uint8Array, stated: string | undefined): CsvEncoding {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { label: 'utf-8', markBytes: 3 };
  if (first === 0xff && second === 0xfe) return { label: 'utf-16le', markBytes: 2 };
  if (first === 0xfe && second === 0xff) return { label: 'utf-16be', markBytes: 2 };
  return { label: stated === undefined ? 'utf-8' : knownEncoding(stated), markBytes: 0 };
}

function knownEncoding(stated: string): string {
  try {
    return new TextDecoder(stated, { fatal: true }).encoding;
  } catch (error) {
    throw new Fault(
      'usage',
      `"${stated}" is not an encoding.`,
      'Use one such as windows-1252, iso-8859-15 or utf-16le.',
      {
        cause: error,
      },
    );
  }
}

/** Yields whole lines as UTF-8, several at a time. Each piece ends with a line break, except the last. */
export async function* csvLines(
  chunks: AsyncIterable<Buffer>,
  { label, markBytes }: CsvEncoding,
  { lineBytes }: SheetLimits,
): AsyncGenerator<Buffer> {
  const decoded = label === 'utf-8' ? chunks : inUtf8(chunks, label);
  let line = 1;
  let byte = markBytes;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of decoded) {
    const held = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const cut = afterLastBreak(held);
    rest = held.subarray(cut);
    if (cut > 0) {
      const piece = held.subarray(0, cut);
      assertText(piece, line, byte);
      yield piece;
      line += lineBreaks(piece);
      byte += cut;
    }
    if (rest.length > lineBytes) throw lineTooLong(line, lineBytes);
  }
  const last = withoutEndMark(rest);
  if (last.length === 0) return;
  assertText(last, line, byte);
  yield last;
}

/** Marks the end of a text file in DOS; programs from that time still write it. */
const END_OF_FILE = 0x1a;

/**
 * Returns the last bytes of a file without the DOS end marks. Elsewhere such a byte means damaged text and stays, so that it
 * is reported.
 */
function withoutEndMark(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (bytes[end - 1] === END_OF_FILE) end -= 1;
  return bytes.subarray(0, end);
}

/**
 * Returns the position after the last line break. A carriage return at the very end does not count yet: its line feed may
 * come with the next bytes.
 */
function afterLastBreak(bytes: Buffer): number {
  const whole = bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
  return Math.max(whole.lastIndexOf(lineFeed), whole.lastIndexOf(carriageReturn)) + 1;
}

const lineFeed = 10;
const carriageReturn = 13;

/** Reports whether a byte is LF or CR. */
export const isLineBreak = (byte: number | undefined): boolean => byte === lineFeed || byte === carriageReturn;

/** Counts the line breaks in the bytes: LF, CR or CRLF. */
export function lineBreaks(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === lineFeed || (byte === carriageReturn && bytes[at + 1] !== lineFeed)) count += 1;
  }
  return count;
}

function assertText(piece: Buffer, line: number, byte: number): void {
  const zero = piece.indexOf(0);
  if (zero !== -1) {
    throw unreadable(
      `Line ${line + lineBreaks(piece.subarray(0, zero))} holds a zero byte: the file is not plain text, or is UTF-16 without a byte order mark.`,
      'Save it again as "CSV UTF-8", or say --encoding utf-16le.',
    );
  }
  if (isUtf8(piece)) return;
  const at = firstInvalid(piece);
  const found = (piece[at] ?? 0).toString(16).padStart(2, '0').toUpperCase();
  throw unreadable(
    `Line ${line + lineBreaks(piece.subarray(0, at))} is not UTF-8: byte ${byte + at + 1} of the file is ${found}.`,
    'Save the sheet again as "CSV UTF-8", or state its encoding, for example --encoding windows-1252.',
  );
}

/** Returns the position of the first character that cannot be decoded. */
function firstInvalid(piece: Buffer): number {
  let [good, bad] = [0, piece.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (canDecode(piece.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  // The bytes up to here may end in the middle of a character.
  while (good > 0 && !isUtf8(piece.subarray(0, good))) good -= 1;
  return good;
}

function canDecode(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function* inUtf8(chunks: AsyncIterable<Buffer>, label: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(label, { fatal: true });
  let line = 1;
  const decode = (chunk: Buffer | undefined): Buffer => {
    try {
      const text = chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
      return Buffer.from(text);
    } catch (error) {
      throw unreadable(
        `The file is not ${label.toUpperCase()}: its text breaks off at or after line ${line}.`,
        'Save the sheet again as "CSV UTF-8".',
        error,
      );
    }
  };
  for await (const chunk of chunks) {
    const text = decode(chunk);
    yield text;
    line += lineBreaks(text);
  }
  const last = decode(undefined);
  if (last.length > 0) yield last;
}

const lineTooLong = (line: number, lineBytes: number) =>
  unreadable(
    `Line ${line} is longer than ${mebibytes(lineBytes)}, which is too long for a row of a sheet.`,
    'Check that the file is a CSV file and that its lines are whole.',
  );

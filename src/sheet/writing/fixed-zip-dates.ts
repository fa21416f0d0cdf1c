/** Zip files whose bytes depend on their content alone: every entry gets the same date. */
import { invariant } from '../../domain/invariant.ts';

/** Signatures and field offsets of the zip format. Source: APPNOTE.TXT sections 4.3.7, 4.3.12 and 4.3.16. */
const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;

/** 1 January 1980, 00:00: the first date that a zip can hold, as time and date words. */
const FIRST_TIME = 0x0000;
const FIRST_DATE = 0x0021;

/** The same zip with the first date that a zip can hold on every entry. It has no comment and fewer than 65,536 entries. */
export function withFixedZipDates(zip: Uint8Array): Buffer {
  const bytes = Buffer.from(zip);
  const end = bytes.length - END_BYTES;
  invariant(end >= 0 && bytes.readUInt32LE(end) === END_SIGNATURE, 'a zip made here ends without a comment');
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    invariant(bytes.readUInt32LE(at) === ENTRY_SIGNATURE, 'a zip entry begins where the one before ended');
    const local = bytes.readUInt32LE(at + 42);
    invariant(bytes.readUInt32LE(local) === LOCAL_SIGNATURE, 'a zip entry points at its file');
    stamp(bytes, at + 12);
    stamp(bytes, local + 10);
    at += ENTRY_BYTES + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return bytes;
}

function stamp(bytes: Buffer, at: number): void {
  bytes.writeUInt16LE(FIRST_TIME, at);
  bytes.writeUInt16LE(FIRST_DATE, at + 2);
}

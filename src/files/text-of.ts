/** Decodes a short file that a person wrote with any editor or shell. */

/**
 * Decodes UTF-8, or UTF-16 with its byte order mark, which Windows PowerShell (`>`) and old editors write. Throws a RangeError that
 * says in a few words what is wrong if the bytes are not text, and a TypeError with a code if UTF-16 breaks off.
 */
export function textOf(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', { fatal: true }).decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', { fatal: true }).decode(bytes);
  if (bytes.includes(0)) throw new RangeError('it is UTF-16 without a byte order mark, or not text; save it as UTF-8');
  return bytes.toString('utf8');
}

/** The text of a short file that somebody wrote, by whatever editor or shell. */

/**
 * UTF-8, or UTF-16 with its byte order mark: so do Windows PowerShell (`>`) and old editors write. Throws a RangeError that says
 * what is wrong in a few words where the bytes are no text, and a TypeError with a code where UTF-16 breaks off.
 */
export function textOf(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', { fatal: true }).decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', { fatal: true }).decode(bytes);
  if (bytes.includes(0)) throw new RangeError('it is UTF-16 without its mark, or no text; save it as UTF-8');
  return bytes.toString('utf8');
}

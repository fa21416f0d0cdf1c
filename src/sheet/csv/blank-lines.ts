/**
 * Blank lines, also of spaces, as lines of empty fields. The parser makes an error with a stack for every record of
 * another width than the first one, and exports end in blank lines by the hundred thousand: that took twenty times as
 * long as reading them.
 */

import { quotesIn } from './csv-records.ts';

/** Longer lines of separators would make megabytes of a few kilobytes of line breaks. */
const paddingMax = 64;

/** Fills the blank lines of whole lines with `padding`; pieces of a file are to be given in order. */
export function blankLineFiller(padding: string): (lines: Buffer) => Buffer {
  let isQuoted = false;
  if (padding === '' || padding.length > paddingMax) return (lines) => lines;
  return (lines) => {
    if (!hasBlankLine(lines)) {
      if (quotesIn(lines) % 2 === 1) isQuoted = !isQuoted;
      return lines;
    }
    const filled = lines.toString('latin1').replace(/"|(?:^|\r\n|\n|\r(?!\n))(?= *[\r\n])/g, (found) => {
      // A doubled quote toggles twice, so inside a quoted field the count of quotes is odd.
      if (found === '"') isQuoted = !isQuoted;
      return found === '"' || isQuoted ? found : found + padding;
    });
    return Buffer.from(filled, 'latin1');
  };
}

/** Line feed, carriage return, space. */
const startsBlank: ReadonlySet<number> = new Set([10, 13, 32]);
const breakPairs = ['\n\n', '\n\r', '\n ', '\r\r', '\r '];

/** Whether one of the lines may be blank. */
const hasBlankLine = (lines: Buffer): boolean =>
  startsBlank.has(lines[0] ?? 0) || breakPairs.some((pair) => lines.includes(pair));

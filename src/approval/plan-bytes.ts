/**
 * A file that is said to be a plan, before anything in it is believed. Whoever mails it chose its bytes: it must not cost more memory
 * than a plan does, and what programs on the way have done to it is told by its name.
 */

/** Levels of groups and lists within each other; a plan has seven. */
const DEPTH_MAX = 12;
/** Values of all kinds. The longest plan has half as many. */
const VALUES_MAX = 2_000_000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/** Whether JSON in these bytes would become no more than a plan can be: neither deeper, nor of more values. */
export function isOfPlanSize(bytes: Uint8Array): boolean {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === COMMA) values++;
    else if (OPENING.has(byte)) {
      values++;
      depth++;
    } else if (CLOSING.has(byte)) depth--;
    if (depth > DEPTH_MAX || values > VALUES_MAX) return false;
  }
  return true;
}

/** Where a text ends that begins here; behind the last byte when it does not end. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let end = start + 1; ; end++) {
    end = bytes.indexOf(QUOTE, end);
    if (end === -1) return bytes.length;
    let first = end;
    while (bytes[first - 1] === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
}

const MARK = '\uFEFF';

/** Without the mark that some programs put in front of a text: it can be told then what the text was. */
export const withoutMark = (text: string): string => (text.startsWith(MARK) ? text.slice(1) : text);

/** What programs on the way did to a text that is whole without it; undefined when it was changed in another way too. */
export function changeOnTheWay(text: string, isWhole: (repaired: string) => boolean): string | undefined {
  const repaired = `${withoutMark(text).replaceAll('\r\n', '\n').trimEnd()}\n`;
  if (repaired === text || !isWhole(repaired)) return undefined;
  if (text.startsWith(MARK)) return 'a mark (BOM) was put in front of it on its way';
  return text.includes('\r')
    ? 'its line ends were changed on its way (CRLF)'
    : 'its last line end was changed on its way';
}

/** Mail programs change texts, and leave archives as they are. */
export const SEND_AGAIN = 'Have it sent once more, inside a ZIP file.';

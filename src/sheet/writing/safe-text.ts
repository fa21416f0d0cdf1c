/** Prepares text for a spreadsheet cell, so that nothing is lost silently and Excel never has to repair the file. */

/** Characters that one cell can hold, counted as UTF-16 units. Source: Excel specifications and limits. */
export const CELL_TEXT_MAX = 32_767;

/** Mark at the end of a text that was cut. */
const CUT_MARK = ' … [cut]';

/** Characters that need a closer look. Nearly every text has none of them, which makes the test fast. */
const REMARKABLE = /[^ -~\n]/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 forbids, halves of pairs, and DEL
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff\p{Surrogate}]|\r\n?/gu;

/** Where the pictures of control characters begin in Unicode: U+0001 is shown as U+2401. */
const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;
const DELETE_PICTURE = '\u2421';
const REPLACEMENT = '\ufffd';

function visible(found: string): string {
  if (found.startsWith('\r')) return '\n';
  const code = found.charCodeAt(0);
  if (code === DELETE) return DELETE_PICTURE;
  return code < 0x20 ? String.fromCharCode(CONTROL_PICTURES + code) : REPLACEMENT;
}

/**
 * Returns the text as a cell can hold it. Control characters become their pictures (`␀`), halves of characters become `�`,
 * carriage returns become line feeds (XML readers would change them anyway), and a text that is too long is cut and marked.
 * Everything else stays, no matter what it begins with.
 */
export function safeText(text: string): string {
  if (text.length <= CELL_TEXT_MAX && !REMARKABLE.test(text)) return text;
  const whole = text.replace(FORBIDDEN, visible);
  if (whole.length <= CELL_TEXT_MAX) return whole;
  return whole.slice(0, CELL_TEXT_MAX - CUT_MARK.length).replace(/\p{Surrogate}$/u, '') + CUT_MARK;
}

/**
 * Reports whether a text must be written as an inline string with `xml:space`. Spaces at its edges would be trimmed in a
 * plain value, and `_x0041_` would be read as the letter A (ECMA-376 part 1, section 22.9.2.19).
 */
export const isFragile = (text: string): boolean =>
  !(isSolid(text.charCodeAt(0)) && isSolid(text.charCodeAt(text.length - 1)) && !text.includes('_x')) &&
  /^\s|\s$|_x[0-9A-Fa-f]{4}_/.test(text);

/** Reports whether a character can certainly not be trimmed. */
const isSolid = (code: number): boolean => code > 0x20 && code < 0x7f;

/** Returns the text with every `_xHHHH_` in it escaped, so that a spreadsheet program shows it unchanged. */
export const escapedText = (text: string): string => text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');

/**
 * Returns the text as a file can hold it, so that reading the file returns the same characters: what XML cannot hold is
 * written `_x0001_`. For copies of text of others, which `safeText` would change.
 */
export const storedText = (text: string): string =>
  escapedText(text).replace(FORBIDDEN, (found) => {
    const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `_x${code}_${found.slice(1)}`;
  });

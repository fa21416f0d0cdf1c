/** Estimates how much room a text takes in a cell, on the safe side, so that nothing is cut off on screen or paper. */

/** Greatest height of a row in a spreadsheet. Source: Excel specifications and limits. */
export const ROW_HEIGHT_MAX_POINTS = 409;

/** East Asian characters, each as wide as two others. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/g;

/** Matches texts in which no character is as wide as two. */
const PLAIN = /^[ -~]*$/;

const CAPITAL = /[A-Z@%&_]/g;

/** Column widths count digits; lower-case letters are a little narrower, capitals wider. */
const SMALL_WIDTH = 0.95;
const CAPITAL_EXTRA = 0.25;

const widthOf = (text: string): number =>
  SMALL_WIDTH * text.length + (text.match(WIDE)?.length ?? 0) + CAPITAL_EXTRA * (text.match(CAPITAL)?.length ?? 0);

/** Greatest width of one character. */
const CHARACTER_MAX = 1 + SMALL_WIDTH;

/** Room that the edges of a cell and its indent take, in characters. */
const EDGES = 1.5;

/**
 * Returns the number of lines that a text needs in a cell of `width` characters, broken at spaces and inside words that are
 * too long.
 */
export function linesOf(text: string, width: number): number {
  const room = Math.max(1, width - EDGES);
  // Most texts are short, and testing for that is cheaper than breaking them.
  if (fits(text, room)) return 1;
  let lines = 0;
  for (const paragraph of text.split('\n')) {
    lines += 1;
    let used = 0;
    for (const word of paragraph.split(' ')) {
      const wanted = widthOf(word);
      if (used > 0 && used + 1 + wanted > room) {
        lines += 1;
        used = 0;
      }
      if (wanted > room) {
        lines += Math.ceil(wanted / room) - 1;
        used = wanted % room;
      } else {
        used += wanted + (used > 0 ? 1 : 0);
      }
    }
  }
  return lines;
}

/** Reports whether a text fits in one line, no matter which words it has. */
const fits = (text: string, room: number): boolean =>
  (text.length * CHARACTER_MAX <= room || (PLAIN.test(text) && text.length * (SMALL_WIDTH + CAPITAL_EXTRA) <= room)) &&
  !text.includes('\n');

/** How much room a text takes in a cell: a guess on the safe side, so that nothing is cut off on screen or paper. */

/** Highest row that a spreadsheet can show. Source: Excel specifications and limits. */
export const ROW_HEIGHT_MAX_POINTS = 409;

/** East Asian characters take the room of two. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/g;

/** No character takes the room of two. */
const PLAIN = /^[ -~]*$/;

const CAPITAL = /[A-Z@%&_]/g;

/** Column widths count digits; small letters are a little narrower, capitals wider. */
const SMALL_WIDTH = 0.95;
const CAPITAL_EXTRA = 0.25;

const widthOf = (text: string): number =>
  SMALL_WIDTH * text.length + (text.match(WIDE)?.length ?? 0) + CAPITAL_EXTRA * (text.match(CAPITAL)?.length ?? 0);

/** Room that any character of a text takes at most. */
const CHARACTER_MAX = 1 + SMALL_WIDTH;

/** Characters that the edges of a cell and its indent take. */
const EDGES = 1.5;

/** Lines that a text needs in a cell of `width` characters, broken at spaces, and inside words that are too long. */
export function linesOf(text: string, width: number): number {
  const room = Math.max(1, width - EDGES);
  // Most texts are short: to see that is cheaper than to break them.
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

/** Whether a text stands in one line, whatever its words are. */
const fits = (text: string, room: number): boolean =>
  (text.length * CHARACTER_MAX <= room || (PLAIN.test(text) && text.length * (SMALL_WIDTH + CAPITAL_EXTRA) <= room)) &&
  !text.includes('\n');

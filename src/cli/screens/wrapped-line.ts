/**
 * A long line as lines that fit a terminal, which by itself breaks in the middle of words. What follows stands below the text and
 * not below its label. A command is never broken: half of one, copied, may be another command.
 */

/** Narrower ones are left as they are: nothing would fit beside a label. */
const LEAST_COLUMNS = 40;

/** `ERROR     `, `OK     Ledger's account  `, a number of a list, or blanks. */
const LABEL = /^(?: *[\dA-Z][\w']*(?: [\w']+){0,2} {2,}){1,2}|^ */;

/** What separates commands and sentences on one line, and stays away where the line is broken. */
const GAP = /( {3,})/;

/** A command behind a colon or at the beginning, to the end of its sentence. */
const COMMAND = /(?<=^|: |\()paybatch (?:(?!\. [A-Z]|\)).)*/g;

/** Our own colours, which take no room. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
const COLOUR = /(\u001b\[\d+m)/g;

/** Stands for a blank that is no place to break. */
const HARD_BLANK = '\u0000';

const widthOf = (text: string): number => text.replace(COLOUR, '').length;

/** The line in pieces of at most so many columns, but for words and commands that are longer by themselves. */
export function wrapped(line: string, columns: number): readonly string[] {
  if (columns < LEAST_COLUMNS || widthOf(line) <= columns) return [line];
  const [label = ''] = LABEL.exec(line.replace(COLOUR, '')) ?? [];
  const indent = label.length < (columns * 2) / 3 ? label.length : 0;
  const start = offsetAt(line, indent);
  const lines: string[] = [];
  let now = line.slice(0, start);
  let isEmpty = true;
  for (const { gap, word } of wordsOf(line.slice(start))) {
    if (!isEmpty && widthOf(now) + gap.length + widthOf(word) > columns) {
      lines.push(now);
      now = ' '.repeat(indent);
      isEmpty = true;
    }
    now += isEmpty ? word : gap + word;
    isEmpty = false;
  }
  return [...lines, now];
}

interface Word {
  /** What stands between it and the word before. */
  readonly gap: string;
  readonly word: string;
}

function wordsOf(text: string): readonly Word[] {
  let gap = '';
  return text.split(GAP).flatMap((part, at): readonly Word[] => {
    if (at % 2 === 1) {
      gap = part;
      return [];
    }
    const bound = part.replace(COMMAND, (command) => command.replaceAll(' ', HARD_BLANK));
    return bound
      .split(' ')
      .map((word, first) => ({ gap: first === 0 ? gap : ' ', word: word.replaceAll(HARD_BLANK, ' ') }));
  });
}

/** Where the text has so many columns behind it: colours are passed by. */
function offsetAt(line: string, columns: number): number {
  let [offset, passed] = [0, 0];
  for (const part of line.split(COLOUR)) {
    const isColour = widthOf(part) === 0;
    if (!isColour && passed + part.length >= columns) return offset + columns - passed;
    offset += part.length;
    passed += isColour ? 0 : part.length;
  }
  return offset;
}

/** The width of a text on a terminal, and how a text is cut and folded so that no line is wider than the screen. */

/** paybatch's own colours, which take no column and are never split. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
export const COLOUR: RegExp = /(\u001b\[(?:[12]|22|3[1-6]|39)m)/;

/** Characters that take two columns: East Asian scripts, their full-width forms, pictures. Unicode Standard Annex 11. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF01-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u;

/** Made for the first text that needs it: it takes megabytes, and most texts are plain. */
let signs: Intl.Segmenter | undefined;

function signsOf(text: string): readonly string[] {
  signs ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(signs.segment(text), ({ segment }) => segment);
}

const columnsOfSign = (sign: string): number => (WIDE.test(sign) ? 2 : 1);

/** Plain texts, which most are: as wide as they are long, of Western letters, dashes, quotation marks and arrows. */
const PLAIN = /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u00FF\u2013\u2014\u2018-\u201D\u2026\u2190-\u2193]*$/;

/** Returns the columns that a text takes on a terminal, without its colours. */
export function columnsOf(text: string): number {
  const plain = text.split(COLOUR).filter((_, at) => at % 2 === 0);
  return plain.reduce((sum, part) => sum + partColumns(part), 0);
}

const partColumns = (text: string): number =>
  PLAIN.test(text) ? text.length : signsOf(text).reduce((sum, sign) => sum + columnsOfSign(sign), 0);

/** Returns the text in exactly `width` columns: cut at its end, or at its start if the end says more, and filled up with blanks. */
export function fitted(text: string, width: number, keep: 'start' | 'end' = 'start'): string {
  const cut = columnsOf(text) <= width ? text : cutTo(text, width, keep);
  return cut + ' '.repeat(Math.max(0, width - columnsOf(cut)));
}

function cutTo(text: string, width: number, keep: 'start' | 'end'): string {
  const all = keep === 'start' ? signsOf(text) : signsOf(text).toReversed();
  const kept: string[] = [];
  let used = 1;
  for (const sign of all) {
    used += columnsOfSign(sign);
    if (used > width) break;
    kept.push(sign);
  }
  return keep === 'start' ? `${kept.join('')}…` : `…${kept.toReversed().join('')}`;
}

/** The column where the text of a line begins, if the line starts with one of paybatch's labels: `Paid      KES 7,000.20`. */
export const LABEL_COLUMNS = 10;
/** A sentence has no two blanks in a row; a label of nine letters, which has only one behind it, precedes a figure or a path. */
const LABEL = /^(?:\S[^\n]{0,7} {2,}(?=\S)|\S{9} (?=\P{L}))/u;
/** The number of a line in a list: `  1  paybatch template`. */
const NUMBER = /^ *\d+ {2,}(?=\S)/;
/** A line that starts with two labels, as `doctor` and problems print them: `OK     Ledger's account  It belongs to none yet.` */
const TWO_LABELS = /^[A-Z]+ {2,}[A-Z][\w.']*(?: [\w']+){0,2} {2,}(?=\S)/;

/** Returns the indent of what is folded: below the text of the line, not below its label. */
function hangOf(line: string): number {
  const plain = line.replaceAll(new RegExp(COLOUR, 'g'), '');
  const [labels] = TWO_LABELS.exec(plain) ?? [];
  if (labels !== undefined) return labels.length;
  const [label = ''] = LABEL.exec(plain.slice(0, LABEL_COLUMNS + 1)) ?? [];
  if (label.length === LABEL_COLUMNS) return LABEL_COLUMNS;
  const [number] = NUMBER.exec(plain) ?? [];
  if (number !== undefined) return number.length;
  return plain.length - plain.trimStart().length;
}

/** Reports whether a word is a path or a command: these are copied as a whole, so they go over the edge instead of being split. */
const isWhole = (word: string): boolean => /[/\\]/.test(word) || word.trim().includes(' ');

/**
 * A command between backticks; or one after a colon or a parenthesis, or at the beginning, up to the end of its sentence. Half of a
 * command, copied, may be another command.
 */
const COMMAND = /`paybatch [^`]*`|(?<=^ *(?:\d +)?|[:(] *)paybatch (?=[a-z-])(?:(?!\. [A-Z]| {3}|\)).)*/g;

/** Replaces a blank at which a line must not be folded. */
const HARD_BLANK = '\u0000';

/** Splits a line where it may be folded: into words with the blanks before them, with a command as one word. */
const wordsOf = (line: string): readonly string[] =>
  (line.replace(COMMAND, (command) => command.trimEnd().replaceAll(' ', HARD_BLANK)).match(/ *[^ ]+/g) ?? []).map(
    (word) => word.replaceAll(HARD_BLANK, ' '),
  );

/** Folds a line between words, into pieces of at most `width` columns; only a path or a command may be wider. */
export function folded(line: string, width: number): readonly string[] {
  if (columnsOf(line) <= width) return [line];
  const hang = Math.min(hangOf(line), Math.floor(width / 2));
  const lines: string[] = [];
  let current = '';
  for (const word of wordsOf(line)) {
    if (columnsOf(current) + columnsOf(word) <= width) {
      current += word;
      continue;
    }
    if (current.trim() !== '') lines.push(current);
    const [last = '', ...before] = piecesOf(word.trimStart(), width - hang).toReversed();
    for (const piece of before.toReversed()) lines.push(' '.repeat(hang) + piece);
    current = ' '.repeat(hang) + last;
  }
  return [...lines, current];
}

/** Splits a word that is wider than a line into pieces that are not. */
function piecesOf(word: string, width: number): readonly string[] {
  if (columnsOf(word) <= width || isWhole(word)) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const sign of signsOf(word)) {
    if (columnsOf(piece) + columnsOfSign(sign) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += sign;
  }
  return [...pieces, piece];
}

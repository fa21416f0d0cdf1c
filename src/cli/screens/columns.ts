/** How wide a text is on a terminal, and how it is cut and folded so that no line is wider than the screen. */

/** Our own colours, which take no column and are never torn apart. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
export const COLOUR: RegExp = /(\u001b\[(?:[12]|22|3[1-6]|39)m)/;

/** Signs that take two columns: East Asian scripts, their full-width forms, pictures. Unicode Standard Annex 11. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF01-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u;

/** Made when the first text needs it: it takes megabytes, and most texts are plain. */
let signs: Intl.Segmenter | undefined;

function signsOf(text: string): readonly string[] {
  signs ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(signs.segment(text), ({ segment }) => segment);
}

const columnsOfSign = (sign: string): number => (WIDE.test(sign) ? 2 : 1);

/** Most of what is shown is plain, and as wide as it is long: signs of Western languages, dashes, quotation marks and arrows. */
const PLAIN = /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u00FF\u2013\u2014\u2018-\u201D\u2026\u2190-\u2193]*$/;

/** Columns that a text takes on a terminal, colours apart. */
export function columnsOf(text: string): number {
  const plain = text.split(COLOUR).filter((_, at) => at % 2 === 0);
  return plain.reduce((sum, part) => sum + partColumns(part), 0);
}

const partColumns = (text: string): number =>
  PLAIN.test(text) ? text.length : signsOf(text).reduce((sum, sign) => sum + columnsOfSign(sign), 0);

/** The text in so many columns: cut at its end, or at its start where the end tells more, and filled up with blanks. */
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

/** Where the text of a line begins that starts with one of our words: `Paid      KES 7,000.20`. */
const LABEL_COLUMNS = 10;
const LABEL = /^\S[^\n]{0,8} +(?=\S)/;
/** The same where two of them stand, as in the lines of `doctor` and of problems: `OK     Ledger's account  It belongs to none yet.` */
const TWO_LABELS = /^[A-Z]+ {2,}[A-Z][\w.']*(?: [\w']+){0,2} {2,}(?=\S)/;

/** What follows stands below the text of the line, not below its label. */
function hangOf(line: string): number {
  const plain = line.replaceAll(new RegExp(COLOUR, 'g'), '');
  const [labels] = TWO_LABELS.exec(plain) ?? [];
  if (labels !== undefined) return labels.length;
  const [label = ''] = LABEL.exec(plain.slice(0, LABEL_COLUMNS + 1)) ?? [];
  if (label.length === LABEL_COLUMNS) return LABEL_COLUMNS;
  return plain.length - plain.trimStart().length;
}

/** A path or a command is copied whole: it goes over the edge rather than be torn apart. */
const isWhole = (word: string): boolean => /[/\\]/.test(word) || word.trim().includes(' ');

/** A command behind a colon, or at the beginning, to the end of its sentence. Half of one, copied, may be another command. */
const COMMAND = /(?<=^ *(?:\d +)?|[:(] *)paybatch (?:(?!\. [A-Z]| {3}|\)).)*/g;

/** Stands for a blank that is no place to fold. */
const HARD_BLANK = '\u0000';

/** Where a line may be folded: words with the blanks before them, and a command as one word. */
const wordsOf = (line: string): readonly string[] =>
  (line.replace(COMMAND, (command) => command.trimEnd().replaceAll(' ', HARD_BLANK)).match(/ *[^ ]+/g) ?? []).map(
    (word) => word.replaceAll(HARD_BLANK, ' '),
  );

/** A line in pieces of no more than so many columns, folded between words; only a path or a command may be wider by itself. */
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

/** A word that is wider than a line, in pieces that are not. */
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

/** What a terminal shows, as a picture: the colours of `tmux capture-pane -e` become text of an SVG. */

/** A cell in pixels, and the edge around all of them. */
const CELL = { width: 8.4, height: 18 } as const;
const EDGE = 16;
const FONT_SIZE = 14;

const PAPER = '#1b1f27';
const INK = '#e6e6e6';
/** SGR colours of the foreground. WCAG AA on the paper. */
const inks: Readonly<Record<number, string>> = {
  30: '#9aa0aa',
  31: '#ff8b8b',
  32: '#8bd49c',
  33: '#f0d070',
  34: '#8fb8ff',
  35: '#e0a0ff',
  36: '#7fd6e0',
  37: INK,
  90: '#9aa0aa',
};
const DIM = '#aab0bb';

interface Style {
  readonly ink: string;
  readonly isBold: boolean;
  readonly isInverse: boolean;
}

const PLAIN: Style = { ink: INK, isBold: false, isInverse: false };

/** Text of one style, at its column. */
interface Piece {
  readonly column: number;
  readonly text: string;
  readonly style: Style;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a style begins with one
const SGR = /\u001b\[([\d;]*)m/;

/** What a code of SGR changes. */
function changedBy(code: number): Partial<Style> {
  switch (code) {
    case 0:
      return PLAIN;
    case 1:
      return { isBold: true };
    case 2:
      return { ink: DIM };
    case 7:
      return { isInverse: true };
    case 22:
      return { isBold: false, ink: INK };
    case 27:
      return { isInverse: false };
    case 39:
      return { ink: INK };
    default:
      return inks[code] === undefined ? {} : { ink: inks[code] };
  }
}

const styled = (style: Style, codes: string): Style =>
  Object.assign({ ...style }, ...codes.split(';').map((code) => changedBy(Number(code || 0))));

/** Readers of pictures make several blanks one, so words that are far apart are pieces of their own. */
const wordsOf = (text: string): readonly { readonly text: string; readonly index: number }[] =>
  Array.from(text.matchAll(/\S+(?: \S+)*/g), (match) => ({ text: match[0], index: match.index }));

/** Pieces of each line. A style goes on in the next line. */
function piecesOf(lines: readonly string[]): readonly (readonly Piece[])[] {
  let style = PLAIN;
  return lines.map((line) => {
    const pieces: Piece[] = [];
    let column = 0;
    for (const [at, part] of line.split(SGR).entries()) {
      if (at % 2 === 1) {
        style = styled(style, part);
        continue;
      }
      for (const { text, index } of style.isInverse ? [{ text: part, index: 0 }] : wordsOf(part)) {
        pieces.push({ column: column + [...part.slice(0, index)].length, text, style });
      }
      column += [...part].length;
    }
    return pieces;
  });
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const rounded = (pixels: number): string => String(Math.round(pixels * 10) / 10);

/** Every piece has its width, so that any fixed-width font of the reader keeps the columns. */
function textOf({ column, text, style }: Piece, row: number): string {
  const [x, top] = [EDGE + column * CELL.width, EDGE + row * CELL.height];
  const width = [...text].length * CELL.width;
  const box = style.isInverse
    ? `<rect x="${rounded(x)}" y="${top}" width="${rounded(width)}" height="${CELL.height}" fill="${style.ink}"/>`
    : '';
  if (text.trim() === '') return box;
  const look = `fill="${style.isInverse ? PAPER : style.ink}"${style.isBold ? ' font-weight="bold"' : ''}`;
  const place = `x="${rounded(x)}" y="${top + FONT_SIZE}" textLength="${rounded(width)}" lengthAdjust="spacingAndGlyphs"`;
  return `${box}<text ${place} ${look}>${escaped(text)}</text>`;
}

/** The picture of a screen of so many columns and rows. */
export function terminalSvg(
  screen: string,
  { columns, rows, title }: { readonly columns: number; readonly rows: number; readonly title: string },
): string {
  const [width, height] = [columns * CELL.width + 2 * EDGE, rows * CELL.height + 2 * EDGE];
  const lines = piecesOf(screen.split('\n').slice(0, rows)).flatMap((pieces, row) =>
    pieces.map((piece) => textOf(piece, row)).filter((text) => text !== ''),
  );
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${PAPER}"/>`,
    `<g font-family="ui-monospace, Consolas, 'DejaVu Sans Mono', Menlo, monospace" font-size="${FONT_SIZE}">`,
    ...lines,
    '</g>',
    '</svg>',
  ].join('\n')}\n`;
}

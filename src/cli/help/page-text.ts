/**
 * A page of Markdown as lines for a terminal. It knows what paybatch's own pages use: headings, lists, tables, programs, links,
 * pictures.
 */
import { columnsOf, fitted } from '../screens/columns.ts';

/** Width of a page in columns, the same as of all help, so that a page in a file reads as on a screen. */
const COLUMNS = 80;
/** The blanks between two columns of a table. */
const GAP = '  ';
const INDENT = '  ';

const FENCE = /^\s*```/;
const ITEM = /^(\s*)([-*]|\d+\.)\s+/;
const HEADING = /^(#+)\s+(.*)$/;
const ROW = /^\|/;
const RULE = /^\|[\s:|-]+\|$/;

/** Consecutive lines of one sort, before they are folded. */
interface Block {
  readonly sort: 'text' | 'item' | 'program' | 'table' | 'heading';
  readonly lines: string[];
}

/** Returns every line of a page. None is wider than 80 columns, except in programs and for text that must stay whole. */
export function pageText(page: string): readonly string[] {
  const lines: string[] = [];
  let before: Block['sort'] | undefined;
  for (const block of blocksOf(page)) {
    const isTight = block.sort === 'item' && before === 'item';
    if (before !== undefined && !isTight) lines.push('');
    lines.push(...linesOf(block));
    before = block.sort;
  }
  return lines;
}

/**
 * Returns the part of a page beneath a heading, up to the next heading of the same or a higher level; `undefined` if there is no
 * such heading.
 */
export function sectionOf(page: string, title: string): string | undefined {
  const lines = page.split('\n');
  const begin = lines.findIndex((line) => HEADING.exec(line)?.[2] === title);
  if (begin === -1) return undefined;
  const [, level = ''] = HEADING.exec(lines[begin] ?? '') ?? [];
  const length = lines.slice(begin + 1).findIndex((line) => (HEADING.exec(line)?.[1]?.length ?? 9) <= level.length);
  return lines.slice(begin, length === -1 ? undefined : begin + 1 + length).join('\n');
}

function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  let isFenced = false;
  const begin = (sort: Block['sort'], ...lines: string[]): void => {
    open = { sort, lines };
    blocks.push(open);
  };
  for (const line of page.replaceAll(/<!--[\s\S]*?-->\n?/g, '').split('\n')) {
    if (FENCE.test(line)) {
      isFenced = !isFenced;
      if (isFenced) begin('program');
      else open = undefined;
    } else if (isFenced) open?.lines.push(line);
    else if (line.trim() === '') open = undefined;
    else if (HEADING.test(line)) {
      begin('heading', HEADING.exec(line)?.[2] ?? '');
      open = undefined;
    } else if (ITEM.test(line)) begin('item', line);
    else if (open) open.lines.push(line);
    else begin(ROW.test(line) ? 'table' : 'text', line);
  }
  return blocks;
}

function linesOf({ sort, lines }: Block): readonly string[] {
  switch (sort) {
    case 'heading':
      return [plain(lines.join(' ')).toUpperCase()];
    case 'program':
      return lines.map((line) => `${INDENT}${line}`.trimEnd());
    case 'table':
      return tableLines(lines);
    case 'item': {
      const [mark = '', blanks = '', sign = ''] = ITEM.exec(lines[0] ?? '') ?? [];
      const text = plain(lines.join(' ').slice(mark.length).replaceAll(/\s+/g, ' '));
      const label = `${blanks}${/\d/.test(sign) ? sign : '-'} `;
      const [first = '', ...rest] = folded(text, COLUMNS - label.length);
      return [label + first, ...rest.map((line) => ' '.repeat(label.length) + line)];
    }
    case 'text':
      return folded(plain(lines.join(' ').replaceAll(/\s+/g, ' ')), COLUMNS);
  }
}

/** Folds a text into lines of at most `width` columns. Text in backticks is meant to be copied, so it stays whole. */
function folded(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.match(/(?:`[^`]*`|[^\s`])+/g) ?? []) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && columnsOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.length === 0 ? [''] : lines;
}

/**
 * Returns a text without marks: a link becomes its text, a picture its description, and a link to another page of paybatch names
 * its topic.
 */
const plain = (text: string): string =>
  text
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '[Picture: $1]')
    .replaceAll(/\[([^\]]*)\]\((https?:[^)]*)\)/g, '$1 ($2)')
    .replaceAll(/\[([^\]]*)\]\(([\w-]+)\.md[^)]*\)/g, '$1 (`paybatch help $2`)')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .trim();

const cellsOf = (line: string): readonly string[] =>
  line
    .replaceAll(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => plain(cell).replaceAll('\\|', '|'));

/** Most columns for the cells before the last one of a row, so that the last one has room next to them. */
const INDENT_MAX = 36;

/**
 * Returns the lines of a table: side by side if that fits, with the last column folded; otherwise each row as its first cell, with
 * the others below it.
 */
function tableLines(lines: readonly string[]): readonly string[] {
  const [heading = [], ...rows] = lines.filter((line) => !RULE.test(line)).map(cellsOf);
  const widths = heading.map((_, at) => Math.max(...[heading, ...rows].map((cells) => columnsOf(cells[at] ?? ''))));
  const indent = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  if (indent <= INDENT_MAX || indent + (widths.at(-1) ?? 0) <= COLUMNS) {
    return [heading, ...rows]
      .filter((cells) => cells.some((cell) => cell !== ''))
      .flatMap((cells) => sideBySide(cells, widths, indent));
  }
  return rows.flatMap(([first = '', ...others]) => [
    ...folded(first, COLUMNS),
    ...others.flatMap((cell, at) => (cell === '' ? [] : below(heading[at + 1] ?? '', cell))),
  ]);
}

function sideBySide(cells: readonly string[], widths: readonly number[], indent: number): readonly string[] {
  const others = cells.slice(0, -1).map((cell, at) => fitted(cell, widths[at] ?? 0) + GAP);
  const [first = '', ...rest] = folded(cells.at(-1) ?? '', COLUMNS - indent);
  return [others.join('') + first, ...rest.map((line) => ' '.repeat(indent) + line)].map((line) => line.trimEnd());
}

const below = (heading: string, cell: string): readonly string[] =>
  folded(
    heading === '' ? cell : `${heading}${heading.endsWith('?') ? '' : ':'} ${cell}`,
    COLUMNS - 2 * INDENT.length,
  ).map((line) => INDENT + INDENT + line);

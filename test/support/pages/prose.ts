/**
 * The prose of a Markdown page, as a reader meets it: sentences and links. Tables, code and comments are no prose. A list item, a
 * heading and a paragraph end a sentence, whatever stands at their end.
 */

/** A stretch of prose without a blank line, a list item or a heading; `line` counts from 1. */
interface Block {
  readonly line: number;
  readonly text: string;
}

export interface Sentence {
  /** Line of the page where its paragraph begins, counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly words: number;
}

const FENCE = /^\s*(?:```|~~~)/;
const TABLE = /^\s*\|/;
const INDENTED = /^ {4}/;
const ITEM = /^\s*(?:[-*+]|\d+\.)\s+/;
const HEADING = /^#+\s+/;

/** The blocks of a page, without what is no prose. */
export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { line: number; lines: string[] } | undefined;
  let isFenced = false;
  let isList = false;
  const close = (): void => {
    if (open) blocks.push({ line: open.line, text: open.lines.join(' ') });
    open = undefined;
  };
  for (const [index, text] of withoutComments(page).split('\n').entries()) {
    if (FENCE.test(text)) isFenced = !isFenced;
    // Four blanks are code, but for a list, where they go on with an item.
    const isCode = isFenced || FENCE.test(text) || (INDENTED.test(text) && !open && !isList);
    if (isCode || TABLE.test(text) || text.trim() === '') {
      close();
      continue;
    }
    if (ITEM.test(text) || HEADING.test(text)) close();
    isList = ITEM.test(text) || (isList && text.startsWith(' '));
    open ??= { line: index + 1, lines: [] };
    open.lines.push(text.replace(HEADING, '').replace(ITEM, '').trim());
    if (HEADING.test(text)) close();
  }
  close();
  return blocks;
}

/** Comments become blank lines, so that lines keep their numbers. */
const withoutComments = (page: string): string =>
  page.replaceAll(/<!--[\s\S]*?-->/g, (comment) => comment.replaceAll(/[^\n]/g, ''));

/** In the place of a blank inside of code, which parts no words and ends no sentence. */
const KEPT_BLANK = '\u00a0';

/** The text without marks: a piece of code is one word, whatever stands in it, and of a link its text is read. */
const asRead = (text: string): string =>
  text
    .replaceAll(/`[^`]*`/g, (code) => code.replaceAll(' ', KEPT_BLANK))
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '');

/** A full stop, a question or an exclamation mark, perhaps in brackets or quotes, before a blank. */
const END = /(?<=[.!?]["”»)]*)[ \n]+/;

/** How many words a text has: pieces with a letter or a digit in them. */
export const wordsIn = (text: string): number =>
  asRead(text)
    .split(/[ \n]+/)
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece)).length;

/** Every sentence of a page. */
export const sentencesOf = (page: string): readonly Sentence[] =>
  blocksOf(page).flatMap(({ line, text }) =>
    asRead(text)
      .split(END)
      .map((sentence) => ({ line, text: sentence, words: wordsIn(sentence) })),
  );

/** The longest sentences of a page, the longest first. */
export const longestSentences = (page: string, most: number): readonly Sentence[] =>
  sentencesOf(page)
    .toSorted((one, other) => other.words - one.words)
    .slice(0, most);

/** A part of a page beneath a heading, up to the next heading of any level. */
export interface Section {
  readonly level: number;
  readonly title: string;
  readonly text: string;
}

const SECTION = /^(#+) (.*)$([\s\S]*?)(?=^#+ |$(?![\s\S]))/gm;

/** The sections of a page, in their order. Headings in fences are no headings. */
export const sectionsOf = (page: string): readonly Section[] =>
  [...page.replaceAll(/^(```)[\s\S]*?^\1$/gm, '').matchAll(SECTION)].map(([, marks = '', title = '', text = '']) => ({
    level: marks.length,
    title,
    text,
  }));

/** The decisions of a page: what stands under `###` after its heading "Decisions". A line in bold alone titles a group of them. */
export function decisionsOf(page: string): readonly Section[] {
  const sections = sectionsOf(page);
  const begin = sections.findIndex(({ level, title }) => level === 2 && title === 'Decisions');
  if (begin === -1) return [];
  return sections
    .slice(begin)
    .filter(({ level }) => level > 2)
    .map((section) => ({ ...section, text: inOneLine(section.text.replaceAll(/^\*\*[^*]+\*\*$/gm, '')) }));
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Where the links of a page lead that name no scheme: a path, an anchor, or both. */
export const relativeLinksOf = (page: string): readonly string[] =>
  [...page.replaceAll(/^(```)[\s\S]*?^\1$/gm, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

/** The files of code and prose that a page names without a link: what stands in backticks with a folder in it. */
export const pathsOf = (page: string): readonly string[] =>
  [...page.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|md))`/g)].map(([, named = '']) => named);

/** The anchors of a page, as they are made of its headings. */
export const anchorsOf = (page: string): readonly string[] =>
  sectionsOf(page).map(({ title }) =>
    asPlain(title)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

const asPlain = (title: string): string => title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');

/** The structure of a Markdown page: its sections and decisions, its links and anchors, and the files that it names. */

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

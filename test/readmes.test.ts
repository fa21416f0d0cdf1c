/**
 * The pages about the code stay true: their links lead somewhere, the files that they name are there, each decision says what was
 * given up for it, and every room has its page.
 */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, decisionsOf, pathsOf, relativeLinksOf } from './support/pages/page-structure.ts';

const ROOT = path.join(import.meta.dirname, '..');
/** The test must never pass because it read nothing. */
const DECISIONS_MIN = 60;
const LINKS_MIN = 300;
const PATHS_MIN = 40;

const pages = ['README.md', ...globSync('src/**/*.md', { cwd: ROOT }), 'test/README.md'].map((name) => ({
  name,
  text: readFileSync(path.join(ROOT, name), 'utf8'),
}));
const decisions = pages.flatMap(({ name, text }) => decisionsOf(text).map((decision) => ({ page: name, ...decision })));

/** Whether a link leads to a file or folder that is there, and to a heading of it where it names one. */
function isThere(page: string, link: string): boolean {
  const [to = '', anchor] = decodeURI(link).split('#');
  const file = to === '' ? path.join(ROOT, page) : path.join(ROOT, path.dirname(page), to);
  if (!existsSync(file)) return false;
  return anchor === undefined || anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
}

/** Whether a file is there by a name that may begin at the page, at one of the two trees, or at the root. */
const isNamedRightly = (page: string, named: string): boolean =>
  [path.dirname(page), 'src', 'test', '.'].some((folder) => existsSync(path.join(ROOT, folder, named)));

describe('the pages about the code', () => {
  test('were read at all', () => {
    expect(decisions.length).toBeGreaterThan(DECISIONS_MIN);
    expect(pages.flatMap(({ text }) => relativeLinksOf(text)).length).toBeGreaterThan(LINKS_MIN);
    expect(pages.flatMap(({ text }) => pathsOf(text)).length).toBeGreaterThan(PATHS_MIN);
  });

  test('have links that lead somewhere', () => {
    const dead = pages.flatMap(({ name, text }) =>
      relativeLinksOf(text)
        .filter((link) => !isThere(name, link))
        .map((link) => `${name}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  test('name files that are there', () => {
    const gone = pages.flatMap(({ name, text }) =>
      pathsOf(text)
        .filter((named) => !isNamedRightly(name, named))
        .map((named) => `${name}: ${named}`),
    );
    expect(gone).toEqual([]);
  });

  test('end each decision with what was given up for it', () => {
    const silent = decisions.filter(({ text }) => !/(?:^| )Given up: (?!nothing\b|none\b)\S/.test(text));
    expect(silent.map(({ page, title }) => `${page}: ${title}`)).toEqual([]);
  });

  test('are there for every room', () => {
    const rooms = readdirSync(path.join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(rooms.length).toBeGreaterThan(10);
    expect(
      rooms.map(({ name }) => `src/${name}/README.md`).filter((page) => !pages.some(({ name }) => name === page)),
    ).toEqual([]);
  });
});

/**
 * The documentation stays true: its commands are taken, its tables are those of the program, its links and pictures are there, and
 * the page for finance has no word of the engine.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CliCommand } from '../../src/cli/command.ts';
import { allCommands } from '../../src/cli/commands.ts';
import { madeAnew, partsIn } from '../support/pages/made-parts.ts';
import { relativeLinksOf } from '../support/pages/page-structure.ts';
import { commandsIn, mistakeIn } from '../support/pages/typed-commands.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const DOCS = path.join(ROOT, 'src', 'docs');
/** The tests must never pass because they read nothing. */
const COMMANDS_MIN = 90;
const PAGES_MIN = 10;

const pages = globSync('*.md', { cwd: DOCS }).map((name) => ({
  name,
  text: readFileSync(path.join(DOCS, name), 'utf8'),
}));
const readme = { name: 'README.md of the project', text: readFileSync(path.join(ROOT, 'README.md'), 'utf8') };
const pageOf = (name: string): string => pages.find((page) => page.name === name)?.text ?? '';

/** What people who pay need never know: how it is built, and how programs speak. */
const ENGINE =
  /\b(?:claim\w*|epoch\w*|lease\w*|anchors?|projection\w*|fold(?:s|ed|ing)?|idempoten\w*|ledgers?|hash\w*|chains?|canary|callbacks?|tokens?|JSON|HTTP|API|stdin|stdout|stderr|SQL\w*|UUID\w*|concurren\w*|config\w*|environment|dispatch\w*|reconcil(?:e|ed|es)|schema|payloads?|retries|timeouts?)\b/i;

describe('the pages of the documentation', () => {
  test('were read, and stand in their index', () => {
    expect(pages.length).toBeGreaterThan(PAGES_MIN);
    const listed = relativeLinksOf(pageOf('README.md'));
    expect(pages.map(({ name }) => name).filter((name) => name !== 'README.md' && !listed.includes(name))).toEqual([]);
  });

  test('have the tables that the program has: npm run docs writes them', () => {
    expect(pages.flatMap(({ text }) => partsIn(text)).length).toBeGreaterThan(4);
    expect(pages.filter(({ text }) => madeAnew(text) !== text).map(({ name }) => name)).toEqual([]);
  });

  test('tell nobody to type what paybatch would not take', () => {
    const typed = [...pages, readme].flatMap(({ name, text }) =>
      commandsIn(text).map((command) => ({ name, command, mistake: mistakeIn(command) })),
    );
    expect(typed.length).toBeGreaterThan(COMMANDS_MIN);
    expect(typed.filter(({ mistake }) => mistake !== undefined)).toEqual([]);
  });

  test('install paybatch from a file that one was given: the registry has none, and anybody could take the name', () => {
    const texts = [...pages, readme].flatMap(({ name, text }) =>
      [...text.matchAll(/npm install --global (\S+?)(?=[\s`])/g)].map(([, what = '']) => ({ name, what })),
    );
    expect(texts.length).toBeGreaterThan(2);
    const fromFile = /^(?:\.[\\/]paybatch-\d+\.\d+\.\d+\.tgz|graphile-worker@\d+\.\d+\.\d+)$/;
    expect(texts.filter(({ what }) => !fromFile.test(what))).toEqual([]);
    // In a checkout npx finds it; anywhere else it would ask the registry.
    const paragraphs = pages.flatMap(({ text }) => text.split(/\n\n+/));
    expect(paragraphs.filter((says) => says.includes('npx paybatch') && !says.includes('checkout'))).toEqual([]);
  });

  test('lead nowhere outside of the folder that is shipped', () => {
    const out = pages.flatMap(({ name, text }) =>
      relativeLinksOf(text)
        .filter((link) => link.startsWith('.') || link.startsWith('/'))
        .map((link) => `${name}: ${link}`),
    );
    expect(out).toEqual([]);
  });

  test('have pictures that are there, each described in words', () => {
    const shown = [...pages, readme].flatMap(({ name, text }) =>
      [...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, says = '', file = '']) => ({ name, says, file })),
    );
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.filter(({ says }) => says.split(/\s+/).length < 8)).toEqual([]);
    const folderOf = (name: string): string => (name === readme.name ? ROOT : DOCS);
    expect(shown.filter(({ name, file }) => !existsSync(path.join(folderOf(name), file)))).toEqual([]);
    const named = shown.map(({ file }) => path.basename(file));
    expect(globSync('pictures/*', { cwd: DOCS }).filter((file) => !named.includes(path.basename(file)))).toEqual([]);
  });
});

describe('Pay day', () => {
  test('has no word of the engine', () => {
    // Names of the program's own words, in code, are what a reader sees on the screen.
    const said = pageOf('pay-day.md')
      .replaceAll(/\]\([^)]*\)/g, ']')
      .replaceAll(/```[\s\S]*?```|`[^`]*`/g, '');
    expect(said.split('\n').filter((line) => ENGINE.test(line))).toEqual([]);
  });

  test('would be noticed with one', () => {
    expect('The ledger claims an epoch.').toMatch(ENGINE);
  });
});

test('a command of the list shows three examples', async () => {
  const fewer = (await allCommands()).filter(({ example, moreExamples = [] }) => !example || moreExamples.length !== 2);
  expect(fewer.map(({ name }) => name)).toEqual([]);
});

test('an example of a command, in its help, is one that paybatch takes', async () => {
  const examples = (await allCommands()).flatMap(function of({
    example,
    moreExamples = [],
    children = [],
  }: CliCommand): readonly string[] {
    return [...(example === undefined ? [] : [example]), ...moreExamples, ...children.flatMap(of)];
  });
  expect(examples.length).toBeGreaterThan(40);
  const wrong = examples.map((example) => [example, mistakeIn(example)]).filter(([, mistake]) => mistake !== undefined);
  expect(wrong).toEqual([]);
});

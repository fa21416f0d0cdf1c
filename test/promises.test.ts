/**
 * Nobody changes a promise of the documentation without its proof. A sentence of it that is in no row of the table fails, one of the
 * table that no page has fails, and so does the name of a test that is not there.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { elsewhere, type Promised, whenInDoubt } from './promises.ts';
import { superseded } from './protocol/simulation/tally-text.ts';

const SECTION = 'When in doubt';
const everyPromise = [...whenInDoubt, ...elsewhere];

/** Text in one line, without headings and the marks of a list. */
const inOneLine = (text: string): string => text.replace(/^#+ .*$|^ *- /gm, '').replace(/\s+/g, ' ');
const ROOT = path.join(import.meta.dirname, '..');
/** What people are promised: the README and the pages that are shipped. */
const pages = ['README.md', ...globSync('src/docs/*.md', { cwd: ROOT })]
  .map((name) => readFileSync(path.join(ROOT, name), 'utf8'))
  .join('\n\n');
const [, section = ''] = new RegExp(`^## ${SECTION}$(.*?)^## `, 'ms').exec(pages) ?? [];
/** Sentences of the other sections, without programs, tables, and what is made of the program's own texts. */
const others = inOneLine(
  pages.replace(section, '').replace(/^(```)[\s\S]*?^\1|^\|.*$|<!-- made: [\s\S]*?<!-- end -->/gm, ''),
).split(/(?<=[.?!]) /);

const without = (text: string, promises: readonly Promised[]): string =>
  promises.reduce((left, [says]) => left.replace(says, ''), text);

const speaksOfLedgers = (sentence: string): boolean =>
  /\bledger\b/.test(sentence) && /\b(lost|new|second|apart|one ledger|own)\b/.test(sentence);

/** Whether a file has a test of that name which is not left out, or another file that text. */
function isThere(file: string, name: string): boolean {
  const text = readFileSync(path.join(import.meta.dirname, file), 'utf8');
  const quoted = `'${name.replaceAll("'", "\\'")}'`;
  const [before, after] = text.split(quoted);
  if (before === undefined || after === undefined) return false;
  return !file.endsWith('.test.ts') || (after.startsWith(',') && !/\.(skip|todo|fails)\(\s*$/.test(before));
}

describe('what the documentation promises about doubt and lost ledgers', () => {
  test('stands there word for word', () => {
    const text = inOneLine(pages);
    expect(everyPromise.map(([says]) => says).filter((says) => !text.includes(says))).toEqual([]);
  });

  test(`is all of its section "${SECTION}"`, () => {
    expect(section.length).toBeGreaterThan(1000);
    expect(without(inOneLine(section), whenInDoubt).trim()).toBe('');
  });

  test('is every other sentence that speaks of a ledger that is lost, new or apart', () => {
    const promised = inOneLine(elsewhere.map(([says]) => says).join(' '));
    const left = others.filter((sentence) => speaksOfLedgers(sentence) && !promised.includes(sentence.trim()));
    expect(left).toEqual([]);
  });

  test('is shown by tests that are there, by their names', () => {
    const missing = everyPromise.flatMap(([, ...shownBy]) =>
      shownBy.filter((proof) => {
        const [file = '', ...name] = proof.split(': ');
        return !isThere(file, name.join(': '));
      }),
    );
    expect(missing).toEqual([]);
  });

  test('admits every world that the simulation leaves out', () => {
    const shown = everyPromise.flatMap(([, ...shownBy]) => shownBy);
    expect(superseded.filter((world) => !shown.some((proof) => proof.endsWith(world)))).toEqual([]);
  });
});

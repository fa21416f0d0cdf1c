/** The list of controls for auditors: complete, with words that are counted, and with proofs that are there. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..');
const CONTROLS = 46;
const STANDINGS = ['kept', 'partly', 'not kept', 'cannot'];

const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');

const rows = read('src/controls.md')
  .split(/\n(?=\d+\. )/)
  .map((item) => /^(\d+)\. \*\*(.+?)\*\* \(([^)]+)\): (.+)$/.exec(item.trim().replaceAll(/\s+/g, ' ')))
  .flatMap((item) => (item === null ? [] : [item]))
  .map(([, number = '', control = '', standing = '', proof = '']) => ({
    number: Number(number),
    control,
    standing,
    proof,
  }));

/** Tests that a proof names: file, and part of a name. */
const testsIn = (proof: string): readonly (readonly [file: string, name: string])[] =>
  [...proof.matchAll(/`(test\/[^`\s]+\.test\.ts)` "([^"]+)"/g)].map(([, file = '', name = '']) => [file, name]);

/** Names of the tests in a file, and of what they are collected under; cases are filled into some later. */
const namesIn = (file: string): readonly string[] =>
  [
    ...read(file).matchAll(/(?<!skip|todo|fails)\(\s*(['`])((?:\\.|(?!\1).)+)\1,|^\s*\[(['`])((?:\\.|(?!\3).)+)\3,/gm),
  ].map(([, , name, , filled]) => (name ?? filled ?? '').replaceAll("\\'", "'"));

describe('the list of controls', () => {
  test('has each of them once, in order, with a word for how it stands', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: CONTROLS }, (_, index) => index + 1));
    expect(rows.filter(({ standing }) => !STANDINGS.includes(standing))).toEqual([]);
    expect(rows.filter(({ control, proof }) => control === '' || proof === '')).toEqual([]);
  });

  test('shows each that it calls kept, by a test or a command', () => {
    const kept = rows.filter(({ standing }) => standing === 'kept');
    expect(kept.length).toBeGreaterThan(CONTROLS / 2);
    expect(
      kept.filter(({ proof }) => testsIn(proof).length === 0 && !/`(npm|npx|node|git) [^`]+`/.test(proof)),
    ).toEqual([]);
  });

  test('says of each other what is missing, or why it cannot be', () => {
    const open = rows.filter(({ standing }) => standing !== 'kept');
    const words = /Missing: |There is no |cannot be|Use an |are parsed in the process|prints \d+|no rule of|has no/;
    expect(open.filter(({ proof }) => !words.test(proof)).map(({ number }) => number)).toEqual([]);
  });

  test('names tests that are there, and mentions no test otherwise', () => {
    const named = rows.flatMap(({ number, proof }) => testsIn(proof).map(([file, name]) => ({ number, file, name })));
    expect(named.length).toBeGreaterThan(CONTROLS);
    const missing = named.filter(
      ({ file, name }) => !existsSync(path.join(ROOT, file)) || !namesIn(file).some((one) => one.includes(name)),
    );
    expect(missing).toEqual([]);
    // A name is typed after -t, where it is an expression, and cases have been filled in.
    expect(named.filter(({ name }) => /[%$\\()[\]*+?^|]/.test(name))).toEqual([]);
    const mentioned = rows.flatMap(({ proof }) => proof.match(/test\/[\w./-]+\.test\.ts/g) ?? []);
    expect(mentioned).toHaveLength(named.length);
  });

  test('is where auditors and engineers begin', () => {
    for (const page of ['src/threat-model.md', 'src/README.md']) expect(read(page)).toContain('(controls.md)');
  });
});

/** What a version promised is kept by the later ones of the same first number: `src/docs/versions.md`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { brokenPromises } from './support/versions/broken-promises.ts';
import { keptFace, keptVersions, type PublicFace, publicFace, type Schema } from './support/versions/public-face.ts';

const ROOT = path.join(import.meta.dirname, '..');
const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');
const { version } = JSON.parse(read('package.json'));
const majorOf = (name: string): string => name.split('.')[0] ?? '';

/** What to do about a broken promise, told with each. */
const TODO =
  'src/docs/versions.md promises it to whoever uses this version: keep it beside what is new, or raise the first number in package.json.';

const today = await publicFace();
const first = keptFace('0.1.0');

describe('a version', () => {
  test.each(keptVersions().filter((kept) => majorOf(kept) === majorOf(version)))('keeps what %s promised', (kept) => {
    expect(brokenPromises(keptFace(kept), today), TODO).toEqual([]);
  });

  test('is kept with all that it promises, once it is released', () => {
    const heading = read('CHANGELOG.md')
      .split('\n')
      .find((line) => line.startsWith(`## ${version}`));
    expect(heading).toBeDefined();
    const isReleased = !/unreleased/i.test(heading ?? '');
    const kept = keptVersions().includes(version);
    expect(kept || !isReleased, 'node test/support/programs/keep-version.ts keeps it').toBe(true);
    if (isReleased) expect(brokenPromises(today, keptFace(version)), 'it promises more than is kept').toEqual([]);
  });

  test('that was kept has something to hold others against', () => {
    expect(Object.keys(first.commands).length).toBeGreaterThan(50);
    expect(first.events.anyOf?.length).toBeGreaterThan(70);
    expect(Object.keys(first.settings.properties ?? {}).length).toBeGreaterThan(10);
    expect(first.problems.length).toBeGreaterThan(50);
  });
});

type Json = null | string | number | boolean | readonly Json[] | { readonly [name: string]: Json };

/** The kept face with one place changed. `steps`: names and positions that lead to it; undefined as `to` takes it away. */
function changed(steps: readonly (string | number)[], to: Json | undefined): PublicFace {
  const face = structuredClone(first);
  const last = steps.at(-1) ?? '';
  const parent: unknown = steps.slice(0, -1).reduce<unknown>((at, step) => Reflect.get(Object(at), step), face);
  if (typeof parent !== 'object' || parent === null) throw new Error(`there is no ${steps.join('.')}`);
  if (Array.isArray(parent) && to === undefined) parent.splice(Number(last), 1);
  else if (to === undefined) Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, to);
  return face;
}

const eventAt = (type: string): number =>
  first.events.anyOf?.findIndex(({ properties }) => properties?.['type']?.const === type) ?? -1;
const event = (type: string): readonly (string | number)[] => ['events', 'anyOf', eventAt(type)];
const placeOf = (list: readonly unknown[] | undefined, what: unknown): number => list?.indexOf(what) ?? -1;
const requiredOf = (type: string): readonly string[] => first.events.anyOf?.[eventAt(type)]?.required ?? [];
const setting = (name: string): readonly string[] => ['settings', 'properties', name];

describe('a promise is broken by', () => {
  const breaks: readonly (readonly [what: string, face: PublicFace, says: string])[] = [
    [
      'a field of an event that is gone',
      changed([...event('row.outcome'), 'properties', 'receipt'], undefined),
      'Events of --json: in row.outcome, the field receipt is gone.',
    ],
    [
      'an event of another name',
      changed([...event('batch.planned'), 'properties', 'type', 'const'], 'planned'),
      'Events of --json: the event batch.planned is gone.',
    ],
    [
      'another type of a field',
      changed([...event('end'), 'properties', 'exit'], { type: 'string' }),
      'Events of --json: in end, exit was integer, and is string now.',
    ],
    [
      'a field deep inside that is gone',
      changed([...event('end'), 'properties', 'rows', 'properties', 'inDoubt'], undefined),
      'Events of --json: in end, the field rows.inDoubt is gone.',
    ],
    [
      'a field that may be missing now',
      changed([...event('end'), 'required', placeOf(requiredOf('end'), 'rows')], undefined),
      'Events of --json: in end, the field rows was always there, and may be missing now.',
    ],
    [
      'a word that no event says any more',
      changed([...event('notice'), 'properties', 'level', 'enum'], ['info', 'alarm']),
      'Events of --json: in notice, the word "warning" of level is gone.',
    ],
    [
      'a field of a row that is gone',
      changed(['rows', 'properties', 'outcome'], undefined),
      'Rows of --jsonl: the field outcome is gone.',
    ],
    [
      'a setting that is gone',
      changed(setting('organisation'), undefined),
      'Settings: the field organisation is gone.',
    ],
    [
      'a setting that has to be given now',
      changed(['settings', 'required'], ['organisation']),
      'Settings: the field organisation could be left out, and has to be given now.',
    ],
    [
      'a setting that takes less',
      changed([...setting('organisation'), 'maxLength'], 3),
      'Settings: organisation has other limits',
    ],
    [
      'a setting that is another type',
      changed(setting('organisation'), { type: 'number' }),
      'Settings: organisation was string, and is number now.',
    ],
    ['a command that is gone', changed(['commands', 'retry'], undefined), 'The command line: paybatch retry is gone.'],
    [
      'an option that is gone',
      changed(['commands', 'run', 'options', '--batch'], undefined),
      'The command line: paybatch run takes no --batch any more.',
    ],
    [
      'an option of every command that is gone',
      changed(['commands', '', 'options', '--json'], undefined),
      'The command line: paybatch takes no --json any more.',
    ],
    [
      'an option that takes a value now',
      changed(['commands', 'run', 'options', '--dry-run'], '<how>'),
      'The command line: paybatch run took --dry-run without a value, and takes it <how> now.',
    ],
    [
      'an option that a command cannot do without now',
      changed(['commands', 'run', 'needed'], ['--batch']),
      'The command line: paybatch run cannot do without --batch now.',
    ],
    [
      'an argument that is new and needed',
      changed(['commands', 'run', 'arguments'], ['<sheet>', '<batch>']),
      'The command line: paybatch run took <sheet>, and takes <sheet> <batch> now.',
    ],
    [
      'another exit code',
      changed(['endings', 'already-paid'], 9),
      'Exit codes: already-paid ended with 8, and ends with 9 now.',
    ],
    [
      'an exit code that is gone',
      changed(['exitCodes', placeOf(first.exitCodes, 75)], undefined),
      'Exit codes: the code 75 is gone.',
    ],
    [
      'a name of the environment that is gone',
      changed(['environment', placeOf(first.environment, 'PAYBATCH_HOME')], undefined),
      'Settings: the name of the environment PAYBATCH_HOME is gone.',
    ],
    [
      'a heading that sheets have',
      changed(['headings', 'amount', 0], undefined),
      `Sheets: the heading for the column amount, ${first.headings['amount']?.[0]} is gone.`,
    ],
    [
      'a column of the results',
      changed(['results', placeOf(first.results, 'Receipt number')], undefined),
      'Results: the column Receipt number is gone.',
    ],
    [
      'a code of a problem',
      changed(['problems', placeOf(first.problems, 'PB-EMPTY')], undefined),
      'Problems of a sheet: the code PB-EMPTY is gone.',
    ],
    [
      'a name of the library',
      changed(['library', placeOf(first.library, 'runSheet')], undefined),
      'The library: the name runSheet is gone.',
    ],
  ];

  test.each(breaks)('%s', (_what, face, says) => {
    expect(brokenPromises(first, face)).toEqual([expect.stringContaining(says)]);
  });
});

describe('no promise is broken by', () => {
  const text: Schema & Json = { type: 'string' };
  test.each([
    ['a new field of an event', changed([...event('end'), 'properties', 'weather'], text)],
    [
      'a new event',
      changed(['events', 'anyOf', first.events.anyOf?.length ?? 0], { properties: { type: { const: 'new' } } }),
    ],
    ['a new word', changed([...event('notice'), 'properties', 'level', 'enum'], ['info', 'warning', 'alarm', 'joy'])],
    [
      'a field that is always there now',
      changed([...event('row.outcome'), 'required'], [...requiredOf('row.outcome'), 'receipt']),
    ],
    ['a new setting', changed(setting('weather'), text)],
    ['a setting that takes more', changed([...setting('organisation'), 'maxLength'], 1_000_000)],
    ['a new command', changed(['commands', 'sing'], { arguments: ['<song>'], options: {}, needed: [] })],
    ['a new option', changed(['commands', 'run', 'options', '--loud'], '')],
    ['an argument that can be left out', changed(['commands', 'run', 'arguments'], ['[sheet]', '[other]'])],
    ['a new ending', changed(['endings', 'bored'], 76)],
  ])('%s', (_what, face) => {
    expect(face).not.toEqual(first);
    expect(brokenPromises(first, face)).toEqual([]);
  });
});

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { allCommands } from '../../../src/cli/commands.ts';
import { givenOptions, withGivenOptions, withOptionsGiven } from '../../../src/cli/flags/given-options.ts';
import { Fault } from '../../../src/domain/fault.ts';
import type { BatchId } from '../../../src/domain/ids.ts';
import { noOutcomes } from '../../../src/domain/outcome.ts';
import { endedBy, type RunEnd } from '../../../src/domain/run-end.ts';

const rehearsal = { profile: 'sandbox' };
const unfinished: RunEnd = {
  exit: 7,
  batch: 'mar-2026' as BatchId,
  counts: { ...noOutcomes(), unsent: 3 },
  files: [],
};

describe('a command that is proposed', () => {
  test('names the profile and the settings that this one was given, so that a rehearsal is followed by a rehearsal', () => {
    expect(withGivenOptions(unfinished, rehearsal).next?.command).toBe('paybatch resume mar-2026 --profile sandbox');
    expect(withGivenOptions(unfinished, { profile: 'live', config: 'my settings.json' }).next?.command).toBe(
      'paybatch resume mar-2026 --profile live --config "my settings.json"',
    );
    const counts = { ...noOutcomes(), pending: 1, failed: 1 };
    expect(withGivenOptions({ ...unfinished, counts }, rehearsal).next?.before?.at(-1)).toMatch(
      /with: `paybatch status mar-2026 --profile sandbox`\.$/,
    );
  });

  test('stays as it is where nothing was given, and where it names them itself', () => {
    expect(withGivenOptions(unfinished, {})).toBe(unfinished);
    const next = { says: 'To pay:', command: 'paybatch run a.csv --profile=sandbox' };
    expect(withGivenOptions({ ...unfinished, next }, rehearsal).next).toEqual(next);
  });

  test('is told apart within a sentence', () => {
    const fault = new Fault(
      'already-paid',
      'It was paid.',
      'How it ended: `paybatch status jan`. paybatch sends nothing.',
    );
    const { fault: told, exit } = withGivenOptions(endedBy(fault), rehearsal);
    expect(told).toMatchObject({
      code: 'already-paid',
      message: 'It was paid.',
      remedy: 'How it ended: `paybatch status jan --profile sandbox`. paybatch sends nothing.',
    });
    expect(exit).toBe(fault.exit);
  });
});

describe('a command within a text', () => {
  const told = (text: string): string => withOptionsGiven(text, rehearsal);

  test('ends with the text, or before three blanks', () => {
    expect(told('Have it approved: paybatch plan a.csv   then: paybatch apply PLAN')).toBe(
      'Have it approved: paybatch plan a.csv --profile sandbox   then: paybatch apply PLAN --profile sandbox',
    );
  });

  test('stands between backticks where the text goes on after it, or that would be taken for a part of it', async () => {
    const names = (await allCommands()).map(({ name }) => name).join('|');
    const bare = new RegExp(`: paybatch (?:${names})\\b(?:(?! {3})[^'"\`])*?(?:[.;] | \\(|\\.['"\`])`);
    expect('Ask again: paybatch status NAME (later).').toMatch(bare);
    const sources = globSync(path.join(import.meta.dirname, '../../../src/**/*.ts'));
    expect(sources.length).toBeGreaterThan(400);
    const found = sources.flatMap((file) => {
      const lines = readFileSync(file, 'utf8').split('\n');
      const told = lines.map((line) => line.replaceAll('\\`', '*').replace(/\$\{[^}]*\}/g, 'NAME'));
      return told.filter((line) => bare.test(line) && !/^\s*(?:\/?\*|\/\/)/.test(line));
    });
    expect(found).toEqual([]);
  });

  test('is left alone where the text only names paybatch', () => {
    const text = 'Install it where paybatch is: npm install. What paybatch sent is on record.';
    expect(told(text)).toBe(text);
  });
});

test('the options that were given are typed with quotes where a shell needs them', () => {
  expect(givenOptions({ profile: 'acme live', lang: 'sw' })).toEqual(['--profile "acme live"', '--lang sw']);
});

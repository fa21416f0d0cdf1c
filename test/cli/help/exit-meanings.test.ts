import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { exitMeanings, exitTable } from '../../../src/cli/help/exit-meanings.ts';
import { exitCode } from '../../../src/domain/exit-code.ts';
import { faultTable } from '../../../src/domain/fault.ts';

const known = exitMeanings.flatMap(({ codes }) => codes);

test('every exit code has one meaning, and nothing else has', () => {
  const used = [...Object.values(exitCode), ...Object.values(faultTable).map(({ exit }) => exit)];
  expect(known.toSorted()).toEqual([...new Set(used)].toSorted());
  expect(new Set(known).size).toBe(known.length);
});

test('the README says of each what the help says', async () => {
  const readme = await readFile('README.md', 'utf8');
  const table = readme.slice(readme.indexOf('## Exit codes'), readme.indexOf('## Going live'));
  const rows = [...table.matchAll(/^\| ([\d, ]+?) *\| (.+?) *\| (\w*) *\|$/gm)].map(([, codes, says, sent]) => [
    codes,
    says,
    sent,
  ]);
  expect(rows).toEqual(exitMeanings.map(({ codes, says, sent = '' }) => [codes.join(', '), says, sent]));
});

test('a line of the table fits a terminal of 80 columns', () => {
  expect(exitTable.filter((line) => line.length > 80)).toEqual([]);
});

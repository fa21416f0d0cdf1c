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

test('a line of the table fits a terminal of 80 columns', () => {
  expect(exitTable.filter((line) => line.length > 80)).toEqual([]);
});

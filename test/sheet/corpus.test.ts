import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { sheetCases } from '../fixtures/sheets/cases/index.ts';
import { knownGaps } from '../fixtures/sheets/cases/known-gaps.ts';
import { otherSheets } from '../fixtures/sheets/others.ts';
import { compared } from '../support/sheets/judge-case.ts';
import { judge } from '../support/sheets/judge-sheet.ts';
import type { SheetCase } from '../support/sheets/sheet-case.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

const FOLDER = path.join(import.meta.dirname, '..', 'fixtures', 'sheets');
const CASES_MIN = 150;
const OTHERS_MIN = 20;
const KILOBYTES_MAX = 64;

const came = ({ file, bytes, reading = {}, settings = {}, expected }: SheetCase) =>
  inTemporaryFolder(async (folder) => {
    const sheet = path.join(folder, file);
    await writeFile(sheet, bytes());
    return compared(expected, await judge(sheet, reading, undefined, settings));
  });

const isGap = ({ name }: SheetCase): boolean => name in knownGaps;

describe('the corpus', () => {
  test('covers every entry of the catalogue, under names that differ', () => {
    expect(sheetCases.length).toBeGreaterThan(CASES_MIN);
    expect(new Set(sheetCases.map(({ name }) => name)).size).toBe(sheetCases.length);
    const covered = new Set(sheetCases.map(({ rule }) => rule));
    const entries = Array.from({ length: 59 }, (_, at) => `X${String(at + 1).padStart(2, '0')}`);
    expect(entries.filter((entry) => !covered.has(entry))).toEqual([]);
    expect(Object.keys(knownGaps).filter((gap) => !sheetCases.some(({ name }) => name === gap))).toEqual([]);
  });

  test.each(sheetCases.filter((one) => !isGap(one)))('$rule: $name', async (one) => {
    const { expected, found } = await came(one);
    expect(found).toEqual(expected);
  });

  test.each(sheetCases.filter(isGap))('$rule, a known gap that still stands: $name', async (one) => {
    const { expected, found } = await came(one);
    expect(isDeepStrictEqual(found, expected), 'the gap is mended: take it from the list').toBe(false);
  });
});

describe('sheets of other programs', () => {
  const files = readdirSync(path.join(FOLDER, 'others'));

  test('are all listed, with who wrote them, and small', () => {
    expect(otherSheets.length).toBeGreaterThanOrEqual(OTHERS_MIN);
    expect(otherSheets.map(({ file }) => file).toSorted()).toEqual(files.toSorted());
    for (const { file } of otherSheets) {
      expect(readFileSync(path.join(FOLDER, 'others', file)).length).toBeLessThan(KILOBYTES_MAX * 1024);
    }
  });

  test.each(otherSheets)('$file ($by): $about', async ({ file, expected, reading }) => {
    const shown = compared(expected, await judge(path.join(FOLDER, 'others', file), reading));
    expect(shown.found).toEqual(shown.expected);
  });
});

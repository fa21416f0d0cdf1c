/** A sheet and its checked copy, which nobody corrected: what is told of one must be told of the other. */
import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { Settings } from '../../../src/domain/settings.ts';
import type { SheetOptions } from '../../../src/sheet/open-sheet.ts';
import { inTemporaryFolder } from '../temporary-folder.ts';
import { type Judgement, judge } from './judge-sheet.ts';
import type { SheetCase } from './sheet-case.ts';

/** A copy holds the results of formulas in their place, so that they were computed is no news there. */
const OF_FORMULAS = 'PB-FORMULA-CACHED';

const OF_DATES = 'PB-CELL-DATE';

/** A copy stores a date as spreadsheet programs do, in days: the first of November 2026 is 46,327. */
const stored = (value: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) ? String(Date.parse(value) / 86_400_000 + 25_569) : value;

const problemsOf = ({ issues }: Judgement): readonly string[] =>
  issues
    .filter(({ code }) => code !== OF_FORMULAS)
    .map(
      ({ code, level, cell, row, value }) =>
        `${code} ${level} ${cell ?? row ?? ''} ${code === OF_DATES ? stored(value) : value}`,
    )
    .toSorted();

interface Reading {
  readonly reading?: SheetOptions;
  readonly settings?: Partial<Settings>;
}

/** Holds the copy of a sheet to the sheet; false where it is not handed back. */
export const isSameInCopy = (sheet: string, { reading, settings }: Reading = {}): Promise<boolean> =>
  inTemporaryFolder(async (folder) => {
    const copies = path.join(folder, 'copies');
    await mkdir(copies);
    const of = await judge(sheet, reading, copies, settings);
    const [copy] = readdirSync(copies);
    if (copy === undefined) return false;
    const ofCopy = await judge(path.join(copies, copy), reading, undefined, settings);
    expect(problemsOf(of).length).toBeGreaterThan(0);
    expect(problemsOf(ofCopy)).toEqual(problemsOf(of));
    expect(ofCopy.total).toBe(of.total);
    return true;
  });

/** Holds the copy of a case of the corpus to it. */
export const expectSameInCopy = ({ file, bytes, ...reading }: SheetCase): Promise<void> =>
  inTemporaryFolder(async (folder) => {
    const sheet = path.join(folder, file);
    await writeFile(sheet, bytes());
    expect(await isSameInCopy(sheet, reading)).toBe(true);
  });

/** Whether a case has problems of its cells, and so is handed back: one that holds no row at all is not. */
export const isHandedBack = ({ expected }: SheetCase): boolean =>
  'problems' in expected && expected.problems.some(([code]) => code !== 'PB-EMPTY');

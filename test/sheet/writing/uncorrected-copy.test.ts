import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportedSheets } from '../../fixtures/sheets/reported.ts';
import { isSameInCopy } from '../../support/sheets/uncorrected-copy.ts';

const REPORTED = path.join(import.meta.dirname, '..', '..', 'fixtures', 'sheets', 'reported');
/** Reported sheets that are handed back; others are faults, or can be paid. */
const HANDED_BACK_MIN = 8;

describe('a checked copy that nobody corrects has the problems of its sheet, at the same cells', () => {
  test('of every sheet that was reported', async () => {
    const copied: string[] = [];
    for (const { file } of reportedSheets) if (await isSameInCopy(path.join(REPORTED, file))) copied.push(file);
    expect(copied.length).toBeGreaterThan(HANDED_BACK_MIN);
    expect(copied).toEqual(expect.arrayContaining(['percent-amount.xlsx', 'format-hidden.xlsx']));
  });
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/cell.ts';
import type { Issue } from '../../../src/domain/issue.ts';
import { checkFile, rowsIn } from '../../support/sheets/checked-copies.ts';
import { onDisk } from '../../support/sheets/sheet-on-disk.ts';

const sheet = [
  'Acme Ltd',
  '',
  'Reference;Name;Phone;Amount;Type;Paybill number;Account number;Note',
  'E1;=1+1;0712345678;100.50;wallet;;;"a ""quote"";',
  'and a break"',
  'E2;+Bob;07123456;1.500;wallet;;; spaces ',
  'E3;-Cee;0722345671;300;paybill;400200;="0012345678";@x',
  'E4;Dee;0722345672;300;paybill;400200;12345678901234567890;',
  'E5;Eve;0722345673',
  'E6;Fay;0722345674;1;500;wallet;;;;lunch',
  'Prepared by Amina',
].join('\n');

const texts = (cells: readonly Cell[]): unknown => cells.map(({ address, type, text }) => [address, type, text]);
const atCells = (issues: readonly Issue[]): unknown =>
  issues.map(({ code, level, cell, row, value }) => ({ code, level, cell, row, value }));

describe('the checked copy of a CSV file', () => {
  test('reads as the same texts at the same addresses', async () => {
    const original = await onDisk('pay.csv', sheet);
    const { copy } = await checkFile(original);
    expect(path.basename(copy)).toBe('pay.checked.csv');
    const before = await rowsIn(original);
    const after = await rowsIn(copy);
    expect(after.map(({ number }) => number)).toEqual(before.map(({ number }) => number));
    for (const [at, { cells }] of after.entries()) {
      expect(texts(cells.filter(({ column }) => column <= 10))).toEqual(texts(before[at]?.cells ?? []));
    }
  });

  test('is UTF-8 with a mark, in the delimiter of the original', async () => {
    const { copy } = await checkFile(await onDisk('pay.csv', sheet));
    const bytes = readFileSync(copy);
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const records = parse(bytes, { bom: true, delimiter: ';', relax_column_count: true }) as string[][];
    expect(records[2]?.at(-1)).toBe('paybatch: problems');
    expect(records[4]?.[10]).toMatch(/^WARNING B5: .+ \| ERROR D\d+: .+ \| ERROR C\d+: /);
  });

  test('guards what a spreadsheet would change or calculate, and escapes nothing else of the user', async () => {
    const { copy } = await checkFile(await onDisk('pay.csv', sheet));
    const content = readFileSync(copy, 'utf8');
    expect(content).toContain(';"=""0012345678""";"=""@x""";');
    expect(content).toContain(';"=""12345678901234567890""";');
    expect(content).toContain('E2;"=""+Bob""";"=""07123456""";1.500;');
    expect(content).toContain('E1;"=""=1+1""";');
    expect(content).not.toContain("'=");
    expect(content).not.toContain("'+");
  });

  test('is refused for the same problems at the same cells when nothing was corrected, rows of other widths too', async () => {
    const first = await checkFile(await onDisk('pay.csv', sheet));
    expect(first.issues.filter(({ code }) => code === 'PB-RAGGED').map(({ row }) => row)).toEqual([8, 9]);
    const second = await checkFile(first.copy);
    const third = await checkFile(second.copy);
    expect(atCells(second.issues)).toEqual(atCells(first.issues));
    expect(atCells(third.issues)).toEqual(atCells(first.issues));
    // The third would say what the second says.
    expect(path.basename(second.copy)).toBe('pay.checked (2).csv');
    expect(third.copy).toBe(second.copy);
  });

  test('tells what belongs to no row beside the first one', async () => {
    const { copy } = await checkFile(await onDisk('pay.csv', 'Name,Phone,Mobile No.,Amount\nAnn,0712345678,,100\n'));
    const [, line = ''] = readFileSync(copy, 'utf8').split('\r\n');
    expect(line).toContain('THE WHOLE SHEET: ERROR C1: Two columns');
  });
});

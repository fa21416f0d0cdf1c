import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import exceljs from 'exceljs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fault } from '../../../src/domain/fault.ts';
import type { RowCell } from '../../../src/sheet/writing/cells.ts';
import { CELL_TEXT_MAX } from '../../../src/sheet/writing/safe-text.ts';
import { type SheetSpec, writeWorkbook } from '../../../src/sheet/writing/workbook-writer.ts';
import { needsOwnMounts } from '../../support/desk/own-mounts.ts';
import { needsPosix } from '../../support/needs.ts';
import { money } from '../../support/result-rows.ts';
import { needsOpenpyxl, readWithOpenpyxl } from '../../support/second-readers/openpyxl.ts';
import { readWorkbook } from '../../support/second-readers/seen-workbook.ts';
import { rowsIn } from '../../support/sheets/checked-copies.ts';
import { inTemporaryFolder } from '../../support/temporary-folder.ts';
import { zipMembers } from '../../support/zip-members.ts';

const OPTIONS = {
  title: 'A & B',
  footer: 'Tom & Co · batch 7',
  printedAt: Date.UTC(2026, 10, 21, 21, 30),
  timezone: 'Africa/Nairobi',
};
const SPEC: SheetSpec = {
  name: 'Table',
  table: true,
  frozenColumns: 1,
  columns: [
    { heading: 'Text', width: 20, format: 'text', wrap: true },
    { heading: 'Money', width: 14, format: 'money', note: 'What it costs.' },
    { heading: 'When', width: 20, format: 'dateTime' },
    { heading: 'Count', width: 8, format: 'integer' },
    { heading: 'Share', width: 8, format: 'percent' },
  ],
};

const write = (target: string, rows: readonly (readonly RowCell[])[], spec: SheetSpec = SPEC) =>
  writeWorkbook(target, OPTIONS, (book) =>
    book.sheet(spec, async (sheet) => {
      for (const row of rows) await sheet.row(row);
    }),
  );

/** The first worksheet as exceljs reads it back, with rich text joined: values by address. */
async function readBack(file: string): Promise<Map<string, unknown>> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file);
  const seen = new Map<string, unknown>();
  book.worksheets[0]?.eachRow((row) =>
    row.eachCell(({ address, value }) => {
      const rich = typeof value === 'object' && value !== null && 'richText' in value;
      seen.set(address, rich ? value.richText.map(({ text }) => text).join('') : value);
    }),
  );
  return seen;
}

const BASE = OPTIONS.printedAt;

const HOSTILE = [
  '=HYPERLINK("http://evil.test","click")',
  '+254712345678',
  '-1+2',
  '@SUM(A1:A9)',
  '\tleading tab',
  '  spaces at both ends  ',
  "=cmd|' /C calc'!A0",
  '0712345678',
  '00123456789012345678',
  '1.500',
  'TRUE',
  '<b>Tom & Co"\'</b>',
  'two\nlines',
  'Wanjikũ Mũthoni 東京 🙂',
  '_x0041_ stays',
];

/** exceljs itself decodes entities twice when it reads. */
const TEXTS = [...HOSTILE, 'an entity &amp; its name'];

describe('cells', () => {
  test('every text comes back as the same text in exceljs, whatever it begins with', () =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'a.xlsx');
      await write(
        file,
        HOSTILE.map((text) => [text]),
      );
      const seen = await readBack(file);
      expect(HOSTILE.map((_, index) => seen.get(`A${index + 2}`))).toEqual(HOSTILE);
    }));

  test('every text comes back as the same text to our own reader, and none of them as a formula', () =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'a.xlsx');
      await write(
        file,
        TEXTS.map((text) => [text]),
      );
      const cells = (await rowsIn(file)).slice(1).flatMap((row) => row.cells);
      expect(cells).toEqual(TEXTS.map((text, at) => ({ column: 1, address: `A${at + 2}`, type: 'text', text })));
    }));

  test('openpyxl reads them as texts with the text format, and finds no formula', (context) => {
    needsOpenpyxl(context);
    return inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'a.xlsx');
      await write(
        file,
        TEXTS.map((text) => [text]),
      );
      const cells = readWithOpenpyxl(file).sheets['Table']?.cells ?? {};
      for (const [index, text] of TEXTS.entries()) {
        const shown = text.replace('_x0041_', '_x005F_x0041_'); // openpyxl leaves the escape of ECMA-376 in place
        expect(cells[`A${index + 2}`]).toEqual({ value: shown, type: 's', format: '@' });
      }
    });
  });

  test.each([
    ['a NUL', 'a\u0000b', 'a\u2400b'],
    ['an escape', 'a\u001bb', 'a\u241bb'],
    ['a DEL', 'a\u007fb', 'a\u2421b'],
    ['half a character', 'a\ud83db', 'a\ufffdb'],
    ['a non-character', 'a\uffffb', 'a\ufffdb'],
    ['a carriage return', 'a\rb\r\nc', 'a\nb\nc'],
  ])('%s is replaced visibly', (_, text, shown) =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'a.xlsx');
      await write(file, [[text]]);
      expect((await readBack(file)).get('A2')).toBe(shown);
    }),
  );

  test('a text that no cell can hold is cut with a mark, and one that just fits is whole', () =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'a.xlsx');
      await write(file, [['x'.repeat(CELL_TEXT_MAX)], ['x'.repeat(CELL_TEXT_MAX + 1)]]);
      const seen = await readBack(file);
      expect(seen.get('A2')).toBe('x'.repeat(CELL_TEXT_MAX));
      const cut = String(seen.get('A3'));
      expect(cut).toHaveLength(CELL_TEXT_MAX);
      expect(cut.endsWith(' … [cut]')).toBe(true);
    }));

  test('money, times, counts and shares are numbers with their formats', () =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'a.xlsx');
      const when = Date.UTC(2026, 10, 21, 21, 30, 15);
      await write(file, [
        ['KES', money(123_456_789), when, 1234, 0.05],
        ['UGX', money(1_234_567, 'UGX')],
        ['KWD', money(1_234_567, 'KWD')],
        ['below zero', money(-5)],
        ['largest', money(999_999_999_999_999n)],
        ['nothing', undefined, undefined],
      ]);
      const cells = (await readWorkbook(file)).sheets['Table']?.cells ?? {};
      expect(cells['B2']).toEqual({ value: 1234567.89, type: 'n', format: '#,##0.00' });
      expect(cells['B3']).toEqual({ value: 1234567, type: 'n', format: '#,##0' });
      expect(cells['B4']).toEqual({ value: 1234.567, type: 'n', format: '#,##0.000' });
      expect(cells['B5']?.value).toBe(-0.05);
      expect(cells['B6']?.value).toBe(9999999999999.99);
      expect(cells['B7']?.value).toBeNull();
      // 21:30 UTC is half past midnight of the next day in Nairobi.
      expect(cells['C2']).toEqual({ value: '2026-11-22T00:30:15', type: 'd', format: 'dd mmm yyyy hh:mm' });
      expect(cells['D2']).toEqual({ value: 1234, type: 'n', format: '#,##0' });
      expect(cells['E2']).toEqual({ value: 0.05, type: 'n', format: '0.0%' });
    }));
});

describe('worksheets', () => {
  test('a table has a frozen heading, filters, notes and print set-up', () =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'a.xlsx');
      await write(file, [['one'], ['two']], { ...SPEC, printedColumns: 2 });
      const sheet = (await readWorkbook(file)).sheets['Table'];
      expect(sheet).toMatchObject({
        freeze: 'B2',
        filter: 'A1:E3',
        titleRows: '$1:$1',
        printArea: ['$A$1:$B$3'],
        landscape: true,
        notes: { B1: 'What it costs.' },
      });
      expect(sheet?.footer).toBe('&LTom && Co · batch 7&CPage &P of &N&RPrinted 2026-11-22 00:30');
    }));

  test('a row grows with its longest wrapped text and never beyond what a spreadsheet can show', () =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'a.xlsx');
      await write(file, [['short'], ['word '.repeat(20)], ['word '.repeat(2000)]]);
      const book = new exceljs.Workbook();
      await book.xlsx.readFile(file);
      const heights = [2, 3, 4].map((row) => book.worksheets[0]?.getRow(row).height ?? 0);
      expect(heights[0]).toBeLessThan(25);
      expect(heights[1]).toBeGreaterThan(75);
      expect(heights[2]).toBe(409);
    }));
});

describe('words of others around the cells', () => {
  const NAME = `Tom's & <Co> "x"`;
  const hostile: SheetSpec = {
    ...SPEC,
    name: NAME,
    printedColumns: 2,
    columns: [
      { heading: 'A <b> & "c"', width: 20, format: 'text', note: ' a note with <tags> & "quotes" \nof two lines' },
    ],
  };

  test('name worksheets, headings and notes as they are, to exceljs and to openpyxl', (context) =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'a.xlsx');
      const columns = [...hostile.columns, ...SPEC.columns];
      await write(file, [['one']], { ...hostile, columns });
      const seen = await readWorkbook(file);
      expect(Object.keys(seen.sheets)).toEqual([NAME]);
      expect(seen.sheets[NAME]).toMatchObject({
        titleRows: '$1:$1',
        notes: { A1: ' a note with <tags> & "quotes" \nof two lines' },
      });
      expect(seen.sheets[NAME]?.cells['A1']?.value).toBe('A <b> & "c"');
      needsOpenpyxl(context);
      expect(readWithOpenpyxl(file).sheets[NAME]).toMatchObject({ titleRows: '$1:$1', printArea: ['$A$1:$B$2'] });
    }));
});

describe('the file', () => {
  test('holds the same when the same is written again', () =>
    inTemporaryFolder(async (folder) => {
      const rows = HOSTILE.map((text, at): RowCell[] => [text, money(at), BASE + at * 1000, at, at / 7]);
      const files = [path.join(folder, 'a.xlsx'), path.join(folder, 'b.xlsx')];
      await Promise.all(files.map((file) => write(file, rows)));
      const [first, second] = await Promise.all(files.map(zipMembers));
      expect(second).toEqual(first);
    }));

  test('is there with its hash, readable by its owner alone, and nothing else is in the folder', () =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'a.xlsx');
      const written = await write(file, [['one']]);
      const bytes = await readFile(file);
      expect(written).toEqual({
        path: file,
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      });
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await readdir(folder)).toEqual(['a.xlsx']);
    }));

  test('replaces an older one of the same name', () =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'a.xlsx');
      await writeFile(file, 'old');
      await write(file, [['new']]);
      expect((await readBack(file)).get('A2')).toBe('new');
      expect(await readdir(folder)).toEqual(['a.xlsx']);
    }));

  test('takes the place of a link, and what the link leads to stays as it is', (context) => {
    needsPosix(context);
    return inTemporaryFolder(async (folder) => {
      const [file, other] = [path.join(folder, 'a.xlsx'), path.join(folder, 'other')];
      await writeFile(other, 'mine');
      await symlink(other, file);
      await write(file, [['new']]);
      expect(await readFile(other, 'utf8')).toBe('mine');
      expect((await lstat(file)).isFile()).toBe(true);
    });
  });

  test('an error while rows are made passes unchanged and leaves the older file and no temporary one', () =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'a.xlsx');
      await writeFile(file, 'old');
      const bug = new TypeError('a bug');
      const failing = writeWorkbook(file, OPTIONS, (book) =>
        book.sheet(SPEC, async (sheet) => {
          await sheet.row(['one']);
          throw bug;
        }),
      );
      await expect(failing).rejects.toBe(bug);
      expect(await readdir(folder)).toEqual(['a.xlsx']);
      expect(await readFile(file, 'utf8')).toBe('old');
    }));

  test('a folder that is not there is made', () =>
    inTemporaryFolder(async (folder) => {
      await write(path.join(folder, 'new', 'a.xlsx'), [['one']]);
      expect(await readdir(path.join(folder, 'new'))).toEqual(['a.xlsx']);
    }));

  test('a folder below one that is not there is the fault "report-unwritten", exit 12', () =>
    inTemporaryFolder(async (folder) => {
      const failing = write(path.join(folder, 'missing', 'new', 'a.xlsx'), [['one']]);
      await expect(failing).rejects.toBeInstanceOf(Fault);
      await expect(failing).rejects.toMatchObject({ code: 'report-unwritten', exit: 12 });
    }));

  test('folders with all names that are tried are the fault, and no temporary file is left', () =>
    inTemporaryFolder(async (folder) => {
      const names = ['a.xlsx', ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `a (${number}).xlsx`)];
      for (const name of names) await mkdir(path.join(folder, name));
      await expect(write(path.join(folder, 'a.xlsx'), [['one']])).rejects.toMatchObject({ code: 'report-unwritten' });
      expect((await readdir(folder)).sort()).toEqual(names.sort());
    }));
});

const PROGRAM = path.resolve('test/support/programs/write-one-cell.ts');

describe('a disk that refuses', () => {
  test('fills up in the middle: the fault, and nothing is left behind', (context) => {
    needsPosix(context);
    return inTemporaryFolder(async (folder) => {
      const script = 'trap "" XFSZ; ulimit -f 64; exec "$0" "$1" "$2" 8000';
      const out = execFileSync('bash', ['-c', script, process.execPath, PROGRAM, path.join(folder, 'a.xlsx')], {
        encoding: 'utf8',
      });
      expect(JSON.parse(out)).toMatchObject({ fault: 'report-unwritten', exit: 12 });
      expect(await readdir(folder)).toEqual([]);
    });
  });

  test('a target that is held (EBUSY) stays as it is, and the file takes the next free name', (context) => {
    needsOwnMounts(context);
    return inTemporaryFolder(async (folder) => {
      await writeFile(path.join(folder, 'a.xlsx'), 'held');
      await writeFile(path.join(folder, 'a (2).xlsx'), "somebody's copy");
      // A mount point cannot be renamed over, just like a file that Excel holds open on Windows.
      const script = 'mount --bind "$2" "$2" && exec "$0" "$1" "$2" 1';
      const target = path.join(folder, 'a.xlsx');
      const out = execFileSync('unshare', ['-Urm', 'bash', '-c', script, process.execPath, PROGRAM, target], {
        encoding: 'utf8',
      });
      expect(JSON.parse(out).written).toMatchObject({ path: path.join(folder, 'a (3).xlsx'), insteadOf: target });
      expect((await readdir(folder)).sort()).toEqual(['a (2).xlsx', 'a (3).xlsx', 'a.xlsx']);
      expect(await readFile(target, 'utf8')).toBe('held');
      expect(await readFile(path.join(folder, 'a (2).xlsx'), 'utf8')).toBe("somebody's copy");
      expect((await readBack(path.join(folder, 'a (3).xlsx'))).get('A1')).toMatch(/^[0-9a-f-]{36}$/);
    });
  });
});

describe('a cell that says nothing of its own', () => {
  const text = fc.oneof(
    fc.constantFrom(
      ...HOSTILE,
      '',
      '_x0041_',
      '_x',
      'a\r\nb',
      'a & b',
      '\u0000',
      '\ud800',
      'x'.repeat(CELL_TEXT_MAX + 1),
    ),
    fc.string({ maxLength: 60 }),
    fc.string({ maxLength: 60, unit: 'grapheme' }),
  );
  const amount = fc
    .tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.constantFrom('KES', 'UGX', 'KWD'))
    .map(([minor, code]) => money(minor, code));
  const figure = fc.constant({ digits: '1.50', numFmt: '0.000', text: '1.50' });
  const content = fc.oneof(text, amount, figure, fc.integer(), fc.double({ noNaN: true }), fc.constant(undefined));

  test('is written as one that says of itself what its column says', async () => {
    await inTemporaryFolder(async (folder) => {
      const rows = fc.array(fc.tuple(content, content, fc.integer({ min: 0, max: 4e12 }), content, content), {
        minLength: 1,
        maxLength: 6,
      });
      await fc.assert(
        fc.asyncProperty(rows, async (cells) => {
          const [plain, told] = [path.join(folder, 'plain.xlsx'), path.join(folder, 'told.xlsx')];
          await write(plain, cells);
          await write(
            told,
            cells.map((row) => row.map((value) => ({ value }))),
          );
          expect(await zipMembers(plain)).toEqual(await zipMembers(told));
        }),
        { numRuns: 15 },
      );
    });
  });
});

import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowsOf } from '../support/sheets/sheet-on-disk.ts';

/** Text that exceljs writes as it is: it drops control characters, and leaves `_xHHHH_` for the reader to decode. */
const writable = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...' <>&"\'=+-@;,|0123456789aé\u00a0\u200b'),
      fc.constantFrom('😀', 'ũ', '東', '\n', '\t'),
    ),
    minLength: 1,
    maxLength: 40,
  })
  .filter((text) => !/_x[0-9a-f]{4}_/i.test(text));

const table = fc.array(fc.array(fc.option(writable, { nil: '' }), { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 20,
});

const filled = (rows: readonly (readonly string[])[]) =>
  rows
    .map((row, index) => ({
      number: index + 1,
      texts: row.map((text, at) => [at + 1, text]).filter(([, text]) => text !== ''),
    }))
    .filter(({ texts }) => texts.length > 0);

async function readBack(name: string, bytes: Uint8Array | string) {
  const rows = await rowsOf(name, bytes, { delimiter: ',' });
  return rows.map(({ number, cells }) => ({ number, texts: cells.map(({ column, text }) => [column, text]) }));
}

describe('what was written is what is read', () => {
  test.each([true, false])('as a workbook of exceljs, shared strings: %s', async (useSharedStrings) => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        fc.pre(filled(rows).length > 0);
        const bytes = await written(rows, useSharedStrings);
        expect(await readBack('a.xlsx', bytes)).toEqual(filled(rows));
      }),
      { numRuns: 15 },
    );
  });

  test('as CSV with every field quoted', async () => {
    const literal = /^="[^"]*"$/;
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        fc.pre(filled(rows).length > 0 && !rows.flat().some((text) => literal.test(text)));
        const line = (row: readonly string[]) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(',');
        const blank = (row: readonly string[]) => row.every((text) => text.trim() === '');
        const kept = filled(rows).filter(({ number }) => !blank(rows[number - 1] ?? []));
        fc.pre(kept.length > 0);
        expect(await readBack('a.csv', `${rows.map(line).join('\r\n')}\r\n`)).toEqual(kept);
      }),
      { numRuns: 80 },
    );
  });
});

async function written(rows: readonly (readonly string[])[], useSharedStrings: boolean): Promise<Uint8Array> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Payouts');
  for (const [index, row] of rows.entries()) {
    for (const [at, text] of row.entries()) if (text !== '') sheet.getCell(index + 1, at + 1).value = text;
  }
  return new Uint8Array(await book.xlsx.writeBuffer({ useSharedStrings }));
}

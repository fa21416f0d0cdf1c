import { appendFile, rename, utimes, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { SheetLimits } from '../../../src/sheet/sheet-limits.ts';
import { faultOf, onDisk, opened, rowsOf } from '../../support/sheets/sheet-on-disk.ts';
import { workbookBytes, workbookParts, worksheetXml, type ZipPart, zipBytes } from '../../support/sheets/xlsx-bytes.ts';

const value = '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>';
const sheetPart = 'xl/worksheets/sheet1.xml';

/** The workbook with one part made false. */
const withPart = (name: string, change: Partial<ZipPart>): Buffer =>
  zipBytes(workbookParts({ sheets: value }).map((part) => (part.name === name ? { ...part, ...change } : part)));

const withMore = (...more: ZipPart[]): Buffer => workbookBytes({ sheets: value, more });

describe('a zip that is not what it says', () => {
  test.each<[string, Buffer, RegExp]>([
    ['a part larger than it says', withPart(sheetPart, { claims: { size: 10 } }), /larger than it says/],
    ['a part smaller than it says', withPart(sheetPart, { claims: { size: 9_999 } }), /smaller than it says/],
    ['a wrong checksum', withPart(sheetPart, { claims: { checksum: 1 } }), /does not match its checksum/],
    ['an encrypted part', withPart(sheetPart, { claims: { flags: 1 } }), /encrypted/],
    ['two names for one part', withPart(sheetPart, { claims: { localName: 'xl/worksheets/sheet2.xml' } }), /two names/],
    ['a part twice', withMore({ name: 'XL/workbook.xml', content: 'x' }), /XL\/workbook.xml twice/],
    ['overlapping parts', withMore({ name: 'a.xml', content: 'x', claims: { sharesBytesOf: 0 } }), /overlaps/],
    ['a path upwards', withMore({ name: '../../etc/passwd', content: 'x' }), /directory cannot be read/],
    ['an absolute path', withMore({ name: '/etc/passwd', content: 'x' }), /directory cannot be read/],
    [
      'a stated size beyond all limits',
      withMore({ name: 'a.xml', content: 'x', claims: { size: 600 * 2 ** 20 } }),
      /more than 512 MiB/,
    ],
    ['an end that is cut off', workbookBytes({ sheets: value }).subarray(0, -30), /cut off/],
    [
      'a beginning that is cut off',
      Buffer.concat([Buffer.from('PK\x03\x04'), workbookBytes({ sheets: value }).subarray(900)]),
      /damaged/,
    ],
  ])('%s refuses the workbook', async (_, bytes, says) => {
    expect(await faultOf('a.xlsx', bytes)).toMatchObject({
      code: 'sheet-unreadable',
      message: expect.stringMatching(says),
    });
  });

  test('more parts than any program writes refuse the workbook, whatever number its end states', async () => {
    const parts = [
      ...workbookParts({ sheets: value }),
      ...Array.from({ length: 2_001 }, (_, index) => ({ name: `p${index}`, content: '' })),
    ];
    expect((await faultOf('a.xlsx', zipBytes(parts))).message).toMatch(/more than 2000 parts/);
    expect((await faultOf('a.xlsx', zipBytes(parts, 2))).message).not.toBe('');
  });

  test('one flipped bit in stored XML is found', async () => {
    const bytes = withPart(sheetPart, { isStored: true });
    bytes.write('9', bytes.indexOf('<v>1</v>') + 3);
    expect((await faultOf('a.xlsx', bytes)).message).toMatch(/checksum/);
  });
});

describe('a bomb', () => {
  /** A workbook of about 400 kB whose worksheet unpacks to this many MiB. */
  const bomb = (mebibytes: number, inside: string) => {
    const filler = inside.repeat(Math.ceil((mebibytes * 2 ** 20) / inside.length));
    return workbookBytes({ sheets: value, instead: { [sheetPart]: Buffer.from(worksheetXml(filler)) } });
  };

  test.each([
    ['of spaces', ' '],
    ['of empty rows', '<row/>'],
    ['of texts', `<row><c t="str"><v>${'x'.repeat(1000)}</v></c></row>`],
  ])('%s is refused while it unpacks, in little memory', async (_, inside) => {
    const bytes = bomb(60, inside);
    const before = process.memoryUsage.rss();
    expect((await faultOf('a.xlsx', bytes)).message).toMatch(/200 times its size|unreasonable length/);
    expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(150);
  });

  const refusedBy = (limits: Partial<SheetLimits>, bytes: Buffer) => faultOf('a.xlsx', bytes, { limits });
  const rows = (count: number) => `<sheetData>${'<row><c><v>1</v></c></row>'.repeat(count)}</sheetData>`;

  test.each<[string, Partial<SheetLimits>, Buffer, RegExp]>([
    ['one part', { entryBytes: 2 ** 20 }, workbookBytes({ sheets: rows(50_000) }), /more than 1 MiB/],
    ['all parts together', { inflatedBytes: 2 ** 20 }, workbookBytes({ sheets: rows(50_000) }), /more than 1 MiB/],
    ['rows', { rows: 10 }, workbookBytes({ sheets: rows(11) }), /more than 10 rows/],
    ['cells', { cells: 10 }, workbookBytes({ sheets: rows(11) }), /more than 10 cells/],
    ['the file', { fileBytes: 100 }, workbookBytes({ sheets: value }), /larger than/],
    [
      'merged ranges',
      { mergedRanges: 1 },
      workbookBytes({ sheets: `${value}<mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="A2:B2"/></mergeCells>` }),
      /more than 1 merged/,
    ],
    [
      'empty cells that merged ranges cover',
      { coveredCells: 10 },
      workbookBytes({
        sheets: `<sheetData><row r="1">${'<c><v>1</v></c>'.repeat(5)}</row>${'<row><c><v>1</v></c></row>'.repeat(9)}</sheetData><mergeCells><mergeCell ref="B2:XFD1048576"/></mergeCells>`,
      }),
      /more than 10 empty cells/,
    ],
    [
      'shared strings',
      { sharedStrings: 1 },
      workbookBytes({ sheets: value, strings: '<si><t>a</t></si><si><t>b</t></si>' }),
      /more than 1 texts/,
    ],
    [
      'bytes of shared strings',
      { sharedStringBytes: 10 },
      workbookBytes({ sheets: value, strings: '<si><t>longer than that</t></si>' }),
      /more than 1 MiB/,
    ],
    [
      'elements inside elements',
      { elementDepth: 100 },
      workbookBytes({ sheets: `${'<a>'.repeat(200)}${'</a>'.repeat(200)}${value}` }),
      /nests more than 100/,
    ],
    [
      'a comment',
      { tokenCharacters: 100_000 },
      workbookBytes({ sheets: `<!--${'x'.repeat(300_000)}-->${value}` }),
      /unreasonable length/,
    ],
    [
      'an attribute',
      { tokenCharacters: 100_000 },
      workbookBytes({ sheets: `<cols a="${'x'.repeat(300_000)}"/>${value}` }),
      /unreasonable length/,
    ],
  ])('is refused by the limit of %s', async (_, limits, bytes, says) => {
    expect((await refusedBy(limits, bytes)).message).toMatch(says);
  });
});

describe('XML that reaches outside', () => {
  const bombXml = '<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>';
  test.each([
    ['billion laughs', bombXml],
    ['an external entity', '<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]>'],
    ['a plain DOCTYPE', '<!DOCTYPE worksheet>'],
  ])('%s is refused in every part', async (_, doctype) => {
    for (const part of [
      sheetPart,
      'xl/workbook.xml',
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/sharedStrings.xml',
      'xl/styles.xml',
    ]) {
      const source = { sheets: value, strings: '<si><t>a</t></si>', styles: '<cellXfs><xf/></cellXfs>' };
      const parts = workbookParts(source).map((found) =>
        found.name === part ? { ...found, content: String(found.content).replace('?>\n', `?>${doctype}`) } : found,
      );
      expect((await faultOf('a.xlsx', zipBytes(parts))).message, part).toMatch(/DOCTYPE/);
    }
  });

  test.each(['&other;', '&toString;', '&__proto__;', '&constructor;', '&#0;', '&#xD800;'])(
    'the entity %s is refused',
    async (entity) => {
      const sheets = `<sheetData><row><c t="str"><v>${entity}</v></c></row></sheetData>`;
      expect((await faultOf('a.xlsx', workbookBytes({ sheets }))).message).toMatch(/well-formed/);
    },
  );

  test('names of object properties are data', async () => {
    const sheets = '<sheetData><row __proto__="1" constructor="2"><c t="str"><v>__proto__</v></c></row></sheetData>';
    expect((await rowsOf('a.xlsx', workbookBytes({ sheets })))[0]?.cells[0]?.text).toBe('__proto__');
    expect(({} as Record<string, unknown>)['1']).toBeUndefined();
  });
});

describe('a sheet that changes while it is read', () => {
  const read = async (change: (path: string) => Promise<unknown>) => {
    const { openSheet } = await import('../../../src/sheet/open-sheet.ts');
    const path = await onDisk('a.xlsx', workbookBytes({ sheets: value }));
    const sheet = await openSheet(path);
    try {
      await change(path);
      for await (const _ of sheet.rows());
      return 'read';
    } catch (error) {
      return String(error);
    } finally {
      await sheet.close();
    }
  };

  test('is refused when it grew, was touched, replaced or removed', async () => {
    const other = await onDisk('b.xlsx', workbookBytes({ sheets: value }));
    expect(await read((path) => appendFile(path, 'x'))).toMatch(/changed while it was read/);
    expect(await read((path) => utimes(path, 1, 1))).toMatch(/changed while it was read/);
    expect(await read((path) => rename(other, path))).toMatch(/changed while it was read/);
    expect(await read((path) => rename(path, `${path}.gone`))).toMatch(/changed while it was read/);
    expect(await read((path) => writeFile(`${path}.other`, 'x'))).toBe('read');
  });

  test('can otherwise be read twice, and reading may be broken off', async () => {
    const sheet = await opened(
      'a.xlsx',
      workbookBytes({ sheets: `<sheetData>${'<row><c><v>1</v></c></row>'.repeat(3000)}</sheetData>` }),
    );
    const sizes: number[] = [];
    for await (const block of sheet.rows()) {
      sizes.push(block.length);
      break;
    }
    for await (const block of sheet.rows()) sizes.push(block.length);
    expect(sizes).toEqual([256, ...Array.from({ length: 11 }, () => 256), 3000 - 11 * 256]);
  });
});

describe('a sheet that was probably cut off', () => {
  test.each([65_535, 65_536])('with exactly %i rows is refused', async (count) => {
    const sheets = `<sheetData>${'<row><c><v>1</v></c></row>'.repeat(count)}</sheetData>`;
    expect((await faultOf('a.xlsx', workbookBytes({ sheets }))).message).toMatch(/cut sheets off/);
  });

  test('with one row more is read', async () => {
    const sheets = `<sheetData>${'<row><c><v>1</v></c></row>'.repeat(65_537)}</sheetData>`;
    expect(await rowsOf('a.xlsx', workbookBytes({ sheets }))).toHaveLength(65_537);
  });

  test('with its last row at the very end is refused', async () => {
    const sheets = '<sheetData><row r="1048576"><c><v>1</v></c></row></sheetData>';
    expect((await faultOf('a.xlsx', workbookBytes({ sheets }))).message).toMatch(/exactly 1048576 rows/);
  });
});

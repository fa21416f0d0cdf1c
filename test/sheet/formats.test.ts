import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Fault } from '../../src/domain/fault.ts';
import { openSheet } from '../../src/sheet/open-sheet.ts';
import { faultOf, onDisk, opened, temporaryFolder, textsOf } from '../support/sheets/sheet-on-disk.ts';
import { workbookBytes, zipBytes } from '../support/sheets/xlsx-bytes.ts';

const value = '<sheetData><row><c><v>1</v></c></row></sheetData>';
const hex = (bytes: string, text = ''): Buffer => Buffer.concat([Buffer.from(bytes, 'hex'), Buffer.from(text)]);
const ole = (...names: string[]): Buffer =>
  Buffer.concat([
    hex('d0cf11e0a1b11ae1'),
    Buffer.alloc(70_000),
    ...names.map((name) => Buffer.from(name, 'utf16le')),
    Buffer.alloc(600),
  ]);
const contentTypes = (type: string) =>
  `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${type}"/></Types>`;

describe('files that are no sheet', () => {
  test.each<[string, string, Buffer, RegExp]>([
    ['an empty file', 'a.csv', Buffer.alloc(0), /is empty/],
    ['a workbook behind a password', 'a.xlsx', ole('EncryptionInfo', 'EncryptedPackage'), /protected with a password/],
    ['an old workbook', 'a.xls', ole('Root Entry', 'Workbook'), /old Excel format/],
    ['an old workbook named xlsx', 'a.xlsx', ole('Book'), /old Excel format/],
    ['an old workbook without container', 'a.xls', hex('0908080000051000'), /old Excel format/],
    ['an old Word document', 'a.doc', ole('WordDocument'), /old Office document/],
    [
      'a workbook with macros',
      'a.xlsm',
      workbookBytes({ sheets: value, more: [{ name: 'xl/vbaProject.bin', content: 'x' }] }),
      /macros/,
    ],
    [
      'a workbook that says it has macros',
      'a.xlsx',
      workbookBytes({
        sheets: value,
        instead: { '[Content_Types].xml': contentTypes('application/vnd.ms-excel.sheet.macroEnabled.main+xml') },
      }),
      /macros/,
    ],
    ['a binary workbook', 'a.xlsb', zipBytes([{ name: 'xl/workbook.bin', content: 'x' }]), /binary Excel format/],
    [
      'an OpenDocument sheet',
      'a.ods',
      zipBytes([
        { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', isStored: true },
        { name: 'content.xml', content: '<x/>' },
      ]),
      /OpenDocument/,
    ],
    ['a Numbers file', 'a.numbers', zipBytes([{ name: 'Index/Document.iwa', content: 'x' }]), /Apple Numbers/],
    ['a Word document', 'a.docx', zipBytes([{ name: 'word/document.xml', content: 'x' }]), /Word document/],
    ['a presentation', 'a.pptx', zipBytes([{ name: 'ppt/presentation.xml', content: 'x' }]), /presentation/],
    ['an archive', 'a.zip', zipBytes([{ name: 'notes.doc', content: 'a,b' }]), /packed archive/],
    [
      'a zip around a workbook',
      'a.xlsx',
      zipBytes([{ name: 'June/p.xlsx', content: 'x' }]),
      /the sheet June\/p\.xlsx inside/,
    ],
    [
      'a zip around a CSV file',
      'a.zip',
      zipBytes([{ name: 'payroll.csv', content: 'a,b' }]),
      /the sheet payroll\.csv inside/,
    ],
    ['a zip around an old workbook', 'a.zip', zipBytes([{ name: 'p.XLS', content: 'x' }]), /the sheet p\.XLS inside/],
    ['the lock file of Excel', '~$payroll.xlsx', hex('084a616e65'), /lock file/],
    ['the lock file of Excel, of an old workbook', '~$payroll.xls', Buffer.alloc(0), /lock file/],
    ['the lock file of LibreOffice', '.~lock.payroll.xlsx#', Buffer.from(',jane,desk,01.11.2026,;'), /lock file/],
    ['an archive of nothing', 'a.xlsx', zipBytes([]), /packed archive/],
    ['a gzip file', 'a.csv', hex('1f8b0800'), /packed archive/],
    ['a PDF', 'a.pdf', Buffer.from('%PDF-1.7\n'), /PDF/],
    ['a PNG', 'a.png', hex('89504e470d0a1a0a'), /picture/],
    ['a JPEG', 'a.csv', hex('ffd8ffe0'), /picture/],
    ['a photo of a phone', 'a.heic', hex('0000001866747970', 'heic'), /picture/],
    ['a web page named xls', 'a.xls', Buffer.from('\ufeff \r\n<HTML><body><table>'), /web page/],
    ['a table of a web page', 'a.xls', Buffer.from('<table border=1>'), /web page/],
    ['an XML spreadsheet', 'a.xls', Buffer.from('<?xml version="1.0"?><Workbook>'), /XML document/],
    ['a text document', 'a.rtf', Buffer.from('{\\rtf1 a}'), /RTF/],
    ['text named xlsx', 'a.xlsx', Buffer.from('name,phone\nJane,1\n'), /ends in \.xlsx, but the file is plain text/],
    ['text named xls', 'a.XLS', Buffer.from('name,phone\nJane,1\n'), /ends in \.xls, but/],
    [
      'a workbook named csv',
      'a.csv',
      workbookBytes({ sheets: value }),
      /ends in \.csv, but the file is an Excel workbook/,
    ],
    ['a workbook named xlsm', 'a.xlsm', workbookBytes({ sheets: value }), /ends in \.xlsm, but/],
  ])('%s gets its own sentence and a way out', async (_, name, bytes, says) => {
    const fault = await faultOf(name, bytes);
    expect(fault).toMatchObject({ code: 'sheet-unreadable', exit: 3, message: expect.stringMatching(says) });
    expect(fault.remedy).toMatch(/\.$/);
  });

  test('a file that is missing and a folder are told apart', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'b.xlsx'));
    await expect(openSheet(join(folder, 'a.xlsx'))).rejects.toThrow(/There is no file/);
    await expect(openSheet(join(folder, 'b.xlsx'))).rejects.toThrow(/is a folder/);
    await expect(openSheet(join(folder, 'b.xlsx'))).rejects.toBeInstanceOf(Fault);
  });
});

describe('files that are a sheet', () => {
  test('the name, folder and hash are those of the file', async () => {
    const bytes = workbookBytes({ sheets: value });
    const path = await onDisk('Payroll November.xlsx', bytes);
    const sheet = await openSheet(path);
    expect(sheet).toMatchObject({
      format: 'xlsx',
      name: basename(path),
      folder: dirname(path),
      sha256: createHash('sha256').update(bytes).digest('hex'),
      worksheet: 'Payouts',
      hiddenColumns: [],
      notices: [],
    });
    await sheet.close();
  });

  test('other names do not matter', async () => {
    expect(await textsOf('payroll', workbookBytes({ sheets: value }))).toEqual({ A1: '1' });
    expect(await textsOf('payroll.txt', 'name\tphone\n')).toEqual({ A1: 'name', B1: 'phone' });
    expect(await opened('payroll.dat', 'name,phone\n')).toMatchObject({ format: 'csv', hiddenColumns: [] });
  });
});

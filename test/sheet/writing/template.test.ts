import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ColumnDescription } from '../../../src/domain/column.ts';
import { type TemplateSpec, writeTemplate } from '../../../src/sheet/writing/template.ts';
import { needsOpenpyxl, readWithOpenpyxl } from '../../support/second-readers/openpyxl.ts';
import { readWorkbook } from '../../support/second-readers/seen-workbook.ts';
import { inTemporaryFolder } from '../../support/temporary-folder.ts';
import { zipMembers } from '../../support/zip-members.ts';

const column = (id: string, over: Partial<ColumnDescription> = {}): ColumnDescription => ({
  id,
  heading: id.charAt(0).toUpperCase() + id.slice(1).replace('_', ' '),
  aliases: [],
  help: `What to put into ${id}.`,
  example: '',
  format: 'text',
  width: 14,
  neededFor: [],
  usedFor: [],
  ...over,
});

const BOTH = ['Mobile wallet', 'Business till'];

const SPEC: TemplateSpec = {
  title: 'Payout sheet',
  columns: [
    column('reference', { usedFor: BOTH }),
    column('type', { usedFor: BOTH, choices: ['wallet', 'till'] }),
    column('name', { neededFor: BOTH, example: 'Jane Wanjiku' }),
    column('amount', { neededFor: BOTH, format: 'amount' }),
    column('phone', { neededFor: ['Mobile wallet'], example: '0712345678' }),
    column('till_number', { neededFor: ['Business till'] }),
    column('network', { usedFor: ['Mobile wallet'], choices: ['Safaricom'] }),
  ],
  kinds: [
    { title: 'Mobile wallet', summary: 'To a phone.' },
    { title: 'Business till', summary: 'To a till.' },
  ],
  examples: [
    { type: 'wallet', name: 'Jane Wanjiku', amount: '1500.50', phone: '0712345678' },
    { type: 'till', name: '=Duka', amount: 'about ten', till_number: '00512345' },
  ],
  lists: { network: ['Safaricom', 'Airtel Kenya'], purpose: ['Salary'] },
  rows: 1000,
};

/** What a template of such a description holds. */
const written = (spec: TemplateSpec): Promise<ReadonlyMap<string, Buffer>> =>
  inTemporaryFolder(async (folder) => {
    const file = path.join(folder, 'all.xlsx');
    await writeTemplate(file, spec);
    return zipMembers(file);
  });

describe('what a template holds', () => {
  test('is the same for the same description, whenever it is made', async () => {
    const first = await written(SPEC);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 100_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await written(SPEC)).toEqual(first);
  });

  test('differs when the description differs', async () => {
    const first = await written(SPEC);
    expect(await written({ ...SPEC, title: 'Another sheet' })).not.toEqual(first);
  });

  test('is on disk as a whole, and nothing else is left in the folder', () =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'all.xlsx');
      const { bytes } = await writeTemplate(file, SPEC);
      expect(await readFile(file)).toHaveLength(bytes);
      expect(await readdir(folder)).toEqual(['all.xlsx']);
    }));
});

describe('a template', () => {
  test('is read by exceljs with its sheets in order', () =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'all.xlsx');
      await writeTemplate(file, SPEC);
      const book = new exceljs.Workbook();
      await book.xlsx.readFile(file);
      expect(book.worksheets.map(({ name, state }) => [name, state])).toEqual([
        ['Start here', 'visible'],
        ['Payouts', 'visible'],
        ['Examples', 'visible'],
        ['Lists', 'hidden'],
      ]);
      expect(book.worksheets[1]?.getRow(1).values).toEqual([undefined, ...SPEC.columns.map(({ heading }) => heading)]);
    }));

  test('has a sheet to fill in that keeps zeros, offers lists and paints what is missing', () =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'all.xlsx');
      await writeTemplate(file, SPEC);
      const { sheets, names } = await readWorkbook(file);
      const payouts = sheets['Payouts'];
      expect(payouts).toMatchObject({ freeze: 'C2', titleRows: '$1:$1', landscape: true, protected: false });
      for (const row of [2, 500, 1001]) {
        expect(payouts?.cells[`E${row}`]).toEqual({ value: null, type: 'n', format: '@' });
        expect(payouts?.cells[`D${row}`]?.format).toBe('#,##0.00');
      }
      expect(payouts?.notes['E1']).toBe('What to put into phone.\nNeeded for: Mobile wallet.\nExample: 0712345678');
      expect(payouts?.validations).toEqual([
        { range: 'B2:B1001', type: 'list', formula: 'pb_type' },
        { range: 'D2:D1001', type: 'decimal', formula: '0' },
        { range: 'G2:G1001', type: 'list', formula: 'pb_network' },
      ]);
      expect(payouts?.conditional).toContainEqual({
        range: 'C2:C1001',
        formula: 'AND(COUNTA($A2:$G2)>0,LEN(TRIM(C2))=0)',
      });
      expect(payouts?.conditional).toContainEqual({
        range: 'E2:E1001',
        formula: 'AND(OR($B2="wallet"),LEN(TRIM(E2))=0)',
      });
      expect(payouts?.conditional).toContainEqual({ range: 'E2:E1001', formula: 'OR($B2="till")' });
      expect(names).toEqual({
        pb_type: 'Lists!$A$2:$A$3',
        pb_network: 'Lists!$B$2:$B$3',
        pb_purpose: 'Lists!$C$2',
      });
      expect(sheets['Lists']?.cells['B3']?.value).toBe('Airtel Kenya');
    }));

  test('explains itself on a protected sheet, and shows filled rows on another', () =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'all.xlsx');
      await writeTemplate(file, SPEC);
      const { sheets } = await readWorkbook(file);
      expect(sheets['Start here']?.protected).toBe(true);
      const words = Object.values(sheets['Start here']?.cells ?? {}).map(({ value }) => value);
      for (const { title, summary } of SPEC.kinds) expect(words).toEqual(expect.arrayContaining([title, summary]));
      for (const { heading } of SPEC.columns) expect(words).toContain(heading);
      expect(words.filter((word) => word === '●')).toHaveLength(6);
      expect(words.filter((word) => word === '○')).toHaveLength(5);
      const examples = sheets['Examples']?.cells ?? {};
      expect(examples['A1']?.value).toContain('never reads this sheet');
      expect(examples['D3']).toEqual({ value: 1500.5, type: 'n', format: '#,##0.00' });
      expect(examples['E3']).toEqual({ value: '0712345678', type: 's', format: '@' });
      expect(examples['C4']).toEqual({ value: '=Duka', type: 's', format: '@' });
      expect(examples['D4']).toEqual({ value: 'about ten', type: 's', format: '@' });
      expect(examples['F4']?.value).toBe('00512345');
    }));

  test('does not paint by type when the words of the type column fit no kind', () =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'all.xlsx');
      await writeTemplate(file, { ...SPEC, lists: { type: ['pesa', 'till'] } });
      const rules = (await readWorkbook(file)).sheets['Payouts']?.conditional ?? [];
      expect(rules.map(({ range }) => range)).toEqual(['C2:C1001', 'D2:D1001']);
    }));

  test('is to openpyxl what it is to exceljs', (context) => {
    needsOpenpyxl(context);
    return inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'all.xlsx');
      await writeTemplate(file, SPEC);
      expect(readWithOpenpyxl(file)).toEqual(await readWorkbook(file));
    });
  });
});

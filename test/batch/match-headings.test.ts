import { describe, expect, test } from 'vitest';
import { meaningsOf } from '../../src/batch/heading-mapping.ts';
import { isHeadingRow, matchHeadings } from '../../src/batch/match-headings.ts';
import { columnDescriptions } from '../../src/kinds/index.ts';
import { issueMessage } from '../../src/texts/issue-message.ts';
import { check } from '../support/sheets/checked-sheet.ts';
import { sheetRow } from '../support/sheets/sheet-rows.ts';

const descriptions = columnDescriptions();
const match = (headings: readonly string[]) => matchHeadings(sheetRow(1, headings), descriptions);

describe('a heading', () => {
  test('means its column by id, heading and every alias, in any case and with any punctuation', () => {
    for (const { id, heading, aliases } of descriptions) {
      for (const text of [id, heading, ...aliases]) {
        const forms = [
          text,
          text.toUpperCase(),
          ` ${text}\u00a0`,
          text.replaceAll(' ', '_'),
          `*${text}:`,
          `${text}\ufeff`,
        ];
        for (const form of [...forms, text.normalize('NFD'), text.normalize('NFD').replace(/\p{M}/gu, '')]) {
          expect(match([form]).places.get(id), form).toEqual([1]);
        }
      }
    }
  });

  test('that nobody knows is kept as the own column of the sheet, with its text', () => {
    const { headings, places, issues } = match(['Name', ' Department ', 'Amount', 'Gross pay', 'Basic', 'Phone']);
    expect(headings).toEqual([
      { column: 1, text: 'Name', means: 'name', by: 'alias' },
      { column: 2, text: 'Department' },
      { column: 3, text: 'Amount', means: 'amount', by: 'alias' },
      { column: 4, text: 'Gross pay' },
      { column: 5, text: 'Basic' },
      { column: 6, text: 'Phone', means: 'phone', by: 'alias' },
    ]);
    expect([...places.keys()].sort()).toEqual(['amount', 'name', 'phone']);
    expect(issues).toEqual([]);
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('"%s" is one of those', (text) => {
    const { headings, issues } = match(['Name', text, 'Amount', 'Phone']);
    expect(headings[1]).toEqual({ column: 2, text });
    expect(issues).toEqual([]);
  });

  test('that paybatch wrote itself is carried nowhere', () => {
    expect(match(['Name', 'Amount', 'paybatch: problems', 'Paybatch Problems']).headings).toHaveLength(2);
  });
});

describe('two headings for one column', () => {
  test.each([
    ['Phone', 'Mobile No'],
    ['Account No', 'Acc No'],
    ['Name', 'Payee'],
    ['Reference', 'Staff No'],
    ['Payment type', 'Method'],
  ])('%s and %s are an issue that names both and their cells', (one, other) => {
    const others = ['Name', 'Amount'].filter((text) => ![one, other].includes(text));
    const { issues } = match([one, ...others, other]);
    const twice = issues.filter(({ code }) => code === 'PB-HEADER-TWICE');
    expect(twice).toHaveLength(1);
    expect(twice.map((found) => issueMessage(found)).join()).toContain(`"${one}" (A1) and "${other.trim()}" (`);
  });

  test('refuse the sheet, whatever its rows hold', async () => {
    const { checked, codes } = await check([
      ['Name', 'Phone', 'Amount', 'Mobile'],
      ['Jane', '', '5', '0712345678'],
    ]);
    expect(codes).toContain('PB-HEADER-TWICE');
    expect(checked.sheetErrors).toBeGreaterThan(0);
  });
});

describe('a name', () => {
  const nameOf = async (headings: readonly string[], cells: readonly string[]) => {
    const { staged, codes } = await check([
      [...headings, 'Phone', 'Amount'],
      [...cells, '0712345678', '5'],
    ]);
    return { name: staged[0]?.payout?.name, codes };
  };

  test.each([
    [['First name', 'Last name'], ['Jane', 'Wanjiku'], 'Jane Wanjiku'],
    [['Surname', 'Other Names'], ['Wanjiku', 'Jane Njeri'], 'Jane Njeri Wanjiku'],
    [['Surname', 'Middle name', 'First name'], ['Wanjiku', 'Njeri', 'Jane'], 'Jane Njeri Wanjiku'],
    [['Prénom', 'Family name'], [' Jane ', ' Wanjiku '], 'Jane Wanjiku'],
    [['First name', 'Last name'], ['Jane', ''], 'Jane'],
    [['Last name'], ['Wanjiku'], 'Wanjiku'],
    [['Name', 'First name'], ['Jane W', 'X'], 'Jane W'],
    [['Name', 'Surname'], ['Jane', 'Wanjiku'], 'Jane Wanjiku'],
    [['Surname', 'Names'], ['Wanjiku', 'Jane A'], 'Jane A Wanjiku'],
    [['Nom', 'Prénom'], ['Otieno', 'Jean'], 'Jean Otieno'],
    [['Name', 'First name', 'Surname'], ['Jane W', 'Jane', 'W'], 'Jane W'],
    [['Full Name', 'Surname'], ['Jane W', 'W'], 'Jane W'],
  ])('under %j is joined from %j', async (headings, cells, name) => {
    expect(await nameOf(headings, cells)).toEqual({ name, codes: [] });
  });

  test.each([[['Surname', 'Last name']], [['First name', 'First Name']]])(
    'is not joined from two columns of the same part: %j',
    async (headings) => {
      expect((await nameOf(headings, ['Jane', 'Wanjiku'])).codes).toContain('PB-HEADER-TWICE');
    },
  );

  test('of which one part is damaged is not a name', async () => {
    const { codes, staged } = await check([
      ['First name', 'Last name', 'Phone', 'Amount'],
      ['Jane', { type: 'error', text: '#N/A' }, '0712345678', '5'],
      ['Jane', { formula: 'missing' }, '0712345679', '5'],
      [{ text: 'Jane', merged: true }, { merged: true }, '0712345677', '5'],
    ]);
    expect(codes).toEqual(['PB-CELL-ERROR', 'PB-FORMULA-NO-VALUE', 'PB-MERGED']);
    expect(staged.every(({ payout }) => payout === undefined)).toBe(true);
  });

  test('that no column holds is warned of once, and its rows are called by their payees', async () => {
    const { codes, checked, staged } = await check([
      ['Phone', 'Till', 'Amount', 'Nmae'],
      ['0712345678', '', '5', 'Jane'],
      ['', '512345', '5', 'Duka'],
    ]);
    expect(codes).toEqual(['PB-NAME-COLUMN']);
    expect(checked).toMatchObject({ sheetErrors: 0, payable: 2 });
    expect(staged.map(({ payout }) => payout?.name)).toEqual(['+254712345678', 'Till 512345']);
  });

  test('of a bank is told by its heading where the sheet has no column for it', async () => {
    const { issues } = await check([
      ['Name', 'Bank code', 'Account number', 'Amount'],
      ['Otieno', '68', '0012345', '5'],
    ]);
    const told = issues.map((found) => issueMessage(found));
    expect(told.join(' ')).toMatch(/Bank name/i);
    expect(told.join(' ')).not.toContain('bank_name');
  });

  test('that is empty in one row of a column of names is an issue there', async () => {
    const { codes } = await check([
      ['Name', 'Phone', 'Amount'],
      ['Jane', '0712345678', '5'],
      ['', '0722100200', '6'],
    ]);
    expect(codes).toEqual(['PB-NAME-MISSING']);
  });
});

describe('the heading row', () => {
  const meanings = meaningsOf(descriptions);
  test.each([
    [['Name', 'Amount'], true],
    [['Net Pay', 'Staff No', 'Department'], true],
    [['Amount'], false],
    [['Amount', 'Net Pay'], false],
    [['Name', 'Phone'], false],
    [['Acme Ltd', 'Salary June'], false],
    [[], false],
  ])('%j: %s', (headings, isHeading) => expect(isHeadingRow(sheetRow(1, headings), meanings)).toBe(isHeading));
});

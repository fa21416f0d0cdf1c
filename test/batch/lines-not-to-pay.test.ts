import { describe, expect, test } from 'vitest';
import { issueFix, issueMessage } from '../../src/texts/issue-message.ts';
import { check } from '../support/sheets/checked-sheet.ts';

const HEADINGS = ['No', 'Name', 'Phone', 'Amount'];
const jane = ['1', 'Jane Wanjiku', '0712345678', '1000'];

describe('a title above rows that are not to be paid', () => {
  test('refuses the sheet, even if rows can be set aside, and names the column that would hold them', async () => {
    const { issues, checked } = await check([HEADINGS, ['STOPPED SALARIES'], jane]);
    expect(issues).toMatchObject([{ code: 'PB-SECTION-NOT-PAID', level: 'error', cell: 'A2' }]);
    expect(checked).toMatchObject({ rows: 1, payable: 1, sheetErrors: 1 });
    const [found] = issues;
    if (!found) throw new Error('nothing was told');
    for (const language of ['en', 'sw', 'fr'] as const) {
      expect(issueMessage(found, language)).toContain('STOPPED SALARIES');
      expect(issueFix(found, language)).toContain('Hold');
    }
  });

  test('is no row of its own where it stands in a column that is read', async () => {
    const { codes, checked } = await check([HEADINGS, jane, ['', 'DO NOT PAY'], ['2', 'Ali', '0722345678', '500']]);
    expect(codes).toEqual(['PB-SECTION-NOT-PAID']);
    expect(checked).toMatchObject({ rows: 2, payable: 2, invalid: 0, sheetErrors: 1 });
  });
});

describe('the notice of titles among the rows', () => {
  const titled = async (count: number): Promise<string | undefined> => {
    const told: string[] = [];
    const sections = Array.from({ length: count }, (_, at) => [
      [`Department ${at + 1}`],
      [`${at + 1}`, `Person ${at + 1}`, `07123456${String(at + 10)}`, '10'],
      ['Sub total', '', '', '10'],
    ]);
    await check([HEADINGS, ...sections.flat()], {}, (event) => {
      if (event.type === 'notice') told.push(event.message);
    });
    return told.find((message) => message.startsWith('A title'));
  };

  test('names each of them', async () => {
    expect(await titled(3)).toBe(
      'A title among the rows is not a payment: "Department 1" in A2, "Department 2" in A5, "Department 3" in A8.',
    );
  });

  test('among the names of a numbered list are warned of, because one may be a person who is not filled in', async () => {
    const told: object[] = [];
    const rows = [
      [HEADINGS, ['', 'Ward A', '', ''], ['1', 'Person 1', '0712345610', '10'], ['', 'Mary Barasa', '', '']],
      [['2', 'Person 2', '0712345611', '10']],
    ].flat();
    await check(rows, {}, (event) => {
      if (event.type === 'notice') told.push(event);
    });
    expect(told).toContainEqual({
      type: 'notice',
      level: 'warning',
      message: 'A name that stands alone in its row is not a payment: "Ward A" in B2, "Mary Barasa" in B4.',
    });
  });

  test('names twenty of them, and says how many more there are', async () => {
    const message = await titled(22);
    expect(message).toContain('"Department 20" in A59, and 2 more like it.');
    expect(message).not.toContain('Department 21');
  });
});

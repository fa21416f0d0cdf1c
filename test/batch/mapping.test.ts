import { describe, expect, test } from 'vitest';
import { type HeadingMapping, mappingRecord, repeatedHeading } from '../../src/batch/heading-mapping.ts';
import { decisionOf } from '../../src/batch/heading-question.ts';
import { nextQuestion, openQuestions, readHeadings } from '../../src/batch/learn-mapping.ts';
import { matchHeadings } from '../../src/batch/match-headings.ts';
import { looksLike } from '../../src/batch/suggest-headings.ts';
import type { ColumnDescription } from '../../src/domain/column.ts';
import { columnDescriptions } from '../../src/kinds/index.ts';
import { issueMessage } from '../../src/texts/issue-message.ts';
import { check } from '../support/sheets/checked-sheet.ts';
import { inBlocks, sheetRow, sheetRows } from '../support/sheets/sheet-rows.ts';

const columns = columnDescriptions();
const columnOf = (id: string): ColumnDescription => {
  const found = columns.find((column) => column.id === id);
  if (!found) throw new Error(`there is no column ${id}`);
  return found;
};
const mapping = (...headings: HeadingMapping['headings']): HeadingMapping => ({ name: 'payroll', headings });
const finalPay = { heading: 'Final pay', means: 'amount' } as const;

describe('a mapping', () => {
  test('says what a heading means that nobody knows, and every heading says how it was known', () => {
    const row = sheetRow(1, ['Name', 'Phone', 'FINAL-PAY', 'Grade']);
    const { headings, issues, mapping: record } = matchHeadings(row, columns, mapping(finalPay));
    expect(issues).toEqual([]);
    expect(headings.map(({ means, by }) => [means, by])).toEqual([
      ['name', 'alias'],
      ['phone', 'alias'],
      ['amount', 'mapping'],
      [undefined, undefined],
    ]);
    expect(record).toEqual(mappingRecord(mapping(finalPay)));
  });

  test('wins over aliases: what it names is taken, and what would have been taken is not', async () => {
    const { staged, codes } = await check(
      [
        ['Name', 'Phone', 'Amount', 'Final pay'],
        ['Jane', '0712345678', '5', '1000'],
      ],
      { mapping: mapping(finalPay) },
    );
    expect(codes).toEqual([]);
    expect(staged[0]?.payout?.amount.minor).toBe(100_000n);
  });

  test('settles which of two known headings is meant, by naming it or by saying that the other means nothing', async () => {
    const rows = [
      ['Name', 'Phone', 'Salary', 'Amount'],
      ['Jane', '0712345678', '1000', '5'],
    ];
    expect((await check(rows)).codes).toContain('PB-AMOUNT-HEADING');
    for (const decided of [{ heading: 'Salary', means: 'amount' }, { heading: 'Amount' }]) {
      const { staged, codes } = await check(rows, { mapping: mapping(decided) });
      expect(codes).toEqual([]);
      expect(staged[0]?.payout?.amount.minor).toBe(100_000n);
    }
  });

  test('that names a heading which the sheet lacks refuses the sheet and names it, though an alias would do', async () => {
    const { codes, issues, checked } = await check(
      [
        ['Name', 'Phone', 'Amount', 'Finall pay'],
        ['Jane', '0712345678', '5', '1000'],
      ],
      { mapping: mapping(finalPay) },
    );
    expect(codes).toEqual(['PB-MAPPING-HEADING']);
    expect(issues.map((found) => issueMessage(found)).join()).toContain('"Final pay"');
    expect(checked).toMatchObject({ sheetErrors: 1, payable: 0 });
  });

  test('that lacks another heading than the amount names it too, with what looks like it', async () => {
    const { issues } = await check(
      [
        ['Name', 'Mobile nr', 'Amount'],
        ['Jane', '0712345678', '5'],
      ],
      { mapping: mapping({ heading: 'Cell 1', means: 'phone' }) },
    );
    const [found] = issues.filter(({ code }) => code === 'PB-MAPPING-HEADING');
    expect(found && issueMessage(found)).toContain(
      '"Cell 1", which the sheet does not have (did you mean "Mobile nr" in B1?)',
    );
  });

  test('that ignores a heading fits a sheet without it', async () => {
    const { codes } = await check(
      [
        ['Name', 'Phone', 'Amount'],
        ['Jane', '0712345678', '5'],
      ],
      { mapping: mapping({ heading: 'Amount (USD)' }) },
    );
    expect(codes).toEqual([]);
  });

  test('does not tell two columns with the same heading apart', async () => {
    const { codes } = await check(
      [
        ['Name', 'Phone', 'Final pay', 'final pay'],
        ['Jane', '0712345678', '5', '6'],
      ],
      { mapping: mapping(finalPay) },
    );
    expect(codes).toContain('PB-HEADER-TWICE');
  });

  test('joins a name from the parts that it names, in its own order', async () => {
    const { staged, codes } = await check(
      [
        ['Ukoo', 'Jina la kwanza', 'Phone', 'Amount'],
        ['Wanjiku', 'Jane', '0712345678', '5'],
      ],
      { mapping: mapping({ heading: 'Jina la kwanza', means: 'name' }, { heading: 'Ukoo', means: 'name' }) },
    );
    expect(codes).toEqual([]);
    expect(staged[0]?.payout?.name).toBe('Jane Wanjiku');
  });

  test('says one thing of each heading, and gives a column one heading unless it is the name', () => {
    expect(repeatedHeading([finalPay, { heading: 'FINAL PAY' }])).toBe('FINAL PAY');
    expect(repeatedHeading([finalPay, { heading: 'Net', means: 'amount' }])).toBe('Net');
    expect(
      repeatedHeading([
        { heading: 'A', means: 'name' },
        { heading: 'B', means: 'name' },
        { heading: 'C' },
        { heading: 'D' },
      ]),
    ).toBeUndefined();
  });
});

describe('the hash of a mapping', () => {
  const hash = (...headings: HeadingMapping['headings']): string => mappingRecord(mapping(...headings)).sha256;
  const phone = { heading: 'Cell 1', means: 'phone' };

  test('is of what it means, not of how it is written or called', () => {
    expect(hash(finalPay, phone)).toBe(hash(phone, { ...finalPay, heading: 'final_pay' }));
    expect(mappingRecord({ name: 'other', headings: [finalPay] }).sha256).toBe(hash(finalPay));
    expect(hash(finalPay)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('changes with every meaning, and with the order of the parts of a name', () => {
    const first = { heading: 'A', means: 'name' };
    const last = { heading: 'B', means: 'name' };
    const all = [
      hash(),
      hash(finalPay),
      hash({ heading: 'Final pay' }),
      hash({ heading: 'Final pay', means: 'note' }),
      hash(first, last),
      hash(last, first),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('a heading that looks like a column', () => {
  test.each([
    ['amount', 'Final pay'],
    ['amount', 'Amout'],
    ['amount', 'Amount (USD)'],
    ['phone', 'Cell 1'],
    ['phone', 'Moblie number'],
    ['name', 'Name of employee'],
    ['account_number', 'Acount number'],
  ])('%s: %s', (id, heading) => expect(looksLike(heading, columnOf(id))).toBe(true));

  test.each([
    ['amount', 'Gross Pay'],
    ['amount', 'Basic Salary'],
    ['amount', 'Total deductions'],
    ['amount', 'Last paid'],
    ['amount', 'Day'],
    ['phone', 'Department'],
    ['name', 'Grade'],
  ])('is not %s: %s', (id, heading) => expect(looksLike(heading, columnOf(id))).toBe(false));

  test('is suggested and never taken', async () => {
    const { issues, checked } = await check([
      ['Name', 'Phone', 'Final pay', 'Gross Pay'],
      ['Jane', '0712345678', '5', '6'],
    ]);
    expect(issues.map((found) => issueMessage(found))).toEqual([
      'No column for Amount next to a name was found (did you mean "Final pay" in C1?).',
    ]);
    expect(checked.payable).toBe(0);
  });

  test('of the payee is suggested once for the whole sheet', async () => {
    const { issues } = await check([
      ['Name', 'Amount', 'Cell 1'],
      ['Jane', '5', '0712345678'],
    ]);
    const [found] = issues;
    expect(found?.code).toBe('PB-HEADER-MISSING');
    expect(found && issueMessage(found)).toContain('(did you mean "Cell 1" in C1?)');
  });
});

describe('learning', () => {
  const learn = async (rows: readonly (readonly string[])[], named: readonly string[] = []) => {
    const found = await readHeadings(inBlocks(sheetRows(rows)), columns, named);
    if (!found) throw new Error('no headings were found');
    return found;
  };

  test('has nothing to ask when every needed column has one heading', async () => {
    const found = await learn([['Acme Ltd'], ['Name', 'Phone', 'Amount'], ['Jane', '0712345678', '5']]);
    expect(found.row.number).toBe(2);
    expect(nextQuestion(found, columns, [])).toBeUndefined();
  });

  test('shows what stands below each heading', async () => {
    const found = await learn([
      ['Name', 'Phone', 'Amount'],
      ['Jane', '1', '5'],
      ['Ali', '', '6'],
      ['Ann', '2', '7'],
      ['Joe', '3', '8'],
    ]);
    expect(found.headings.map(({ samples }) => samples)).toEqual([
      ['Jane', 'Ali', 'Ann'],
      ['1', '2', '3'],
      ['5', '6', '7'],
    ]);
  });

  test('finds headings that nobody knows by what they look like, or by their names', async () => {
    const unknown = [['Acme Ltd'], ['Malipo'], ['Mtu', 'Nambari', 'Pesa'], ['Jane', '0712345678', '5']];
    expect((await learn(unknown, ['Pesa'])).row.number).toBe(3);
    expect((await learn([['June'], ['Worker', 'Cell 1', 'Final pay'], ['Jane', '0712345678', '5']])).row.number).toBe(
      2,
    );
  });

  test('asks for what two headings could be, for what is missing, and for one way to reach the money', async () => {
    const found = await learn([
      ['Salary', 'Amount', 'Worker', 'Cell 1'],
      ['5', '6', 'Jane', '0712345678'],
    ]);
    const open = openQuestions(found, columns, []);
    expect(open.map(({ column, why }) => [column.id, why])).toEqual([
      ['amount', 'twice'],
      ['phone', 'one-of'],
      ['till_number', 'one-of'],
      ['paybill_number', 'one-of'],
      ['bank_code', 'one-of'],
      ['bill_service', 'one-of'],
    ]);
    expect(open[0]?.choices.map(({ text }) => text)).toEqual(['Salary', 'Amount']);
    expect(open[1]?.choices[0]?.text).toBe('Cell 1');
  });

  test('demands no names where each row can be named by its payee, and still asks for them', async () => {
    const found = await learn([
      ['Worker', 'Amount', 'Phone'],
      ['Jane', '5', '0712345678'],
    ]);
    expect(openQuestions(found, columns, [])).toEqual([]);
    expect(nextQuestion(found, columns, [])).toMatchObject({ column: { id: 'name' }, why: 'useful' });
    expect(nextQuestion(found, columns, [], new Set(['name']))).toBeUndefined();
  });

  test('demands the names that banks check', async () => {
    const found = await learn([
      ['Bank code', 'Bank name', 'Account No', 'Amount', 'Worker'],
      ['68', 'Practice Bank', '0012345', '5', 'Jane'],
    ]);
    expect(openQuestions(found, columns, []).map(({ column }) => column.id)).toEqual(['name']);
  });

  test('demands nothing for a way of paying that no row shows, or that may be another one', async () => {
    const unfilled = await learn([
      ['Name', 'Phone', 'Bank code', 'Amount'],
      ['Jane', '0712345678', '', '5'],
    ]);
    expect(openQuestions(unfilled, columns, [])).toEqual([]);
    const either = await learn([
      ['Name', 'Till / Paybill No.', 'Amount'],
      ['Water', '512345', '5'],
    ]);
    expect(openQuestions(either, columns, [])).toEqual([]);
  });

  test('asks for all columns of a way of paying once one of them is there', async () => {
    const found = await learn([
      ['Name', 'Amount', 'Paybill number', 'Customer'],
      ['Water', '5', '400200', '0012'],
    ]);
    expect(openQuestions(found, columns, []).map(({ column }) => column.id)).toEqual(['account_number']);
  });

  test('ends when its decisions answer every question, and keeps that the other heading means nothing', async () => {
    const found = await learn([
      ['Salary', 'Amount', 'Name', 'Phone'],
      ['5', '6', 'Jane', '0712345678'],
    ]);
    const question = nextQuestion(found, columns, []);
    const [salary] = question?.choices ?? [];
    if (!question || !salary) throw new Error('there is a question');
    const decided = decisionOf(question, salary);
    expect(decided).toEqual([{ heading: 'Salary', means: 'amount' }, { heading: 'Amount' }]);
    expect(nextQuestion(found, columns, decided)).toBeUndefined();
  });
});

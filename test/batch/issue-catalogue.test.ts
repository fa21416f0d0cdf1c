/** Every issue that the table holds, as real code tells it. `check` refuses a message with a hole in it. */
import { describe, expect, test } from 'vitest';
import { type Issue, type IssueCode, issueLevels } from '../../src/domain/issue.ts';
import { numberFormat } from '../../src/sheet/xlsx/number-format.ts';
import { issueFix, issueMessage } from '../../src/texts/issue-message.ts';
import { currency } from '../support/amounts.ts';
import { check, checkRows } from '../support/sheets/checked-sheet.ts';
import { rowsOf } from '../support/sheets/sheet-on-disk.ts';
import { type CellChoice, number, sheetRow } from '../support/sheets/sheet-rows.ts';

const PLAIN = ['Ref', 'Type', 'Name', 'Phone', 'Network', 'Till', 'Paybill', 'Account', 'Amount', 'Currency'] as const;
const HEADINGS = [...PLAIN, 'Bank code', 'Bank', 'Biller', 'Note', 'Hold'] as const;
type Row = Readonly<Partial<Record<(typeof HEADINGS)[number], CellChoice>>>;

const sheetOf = (...rows: readonly Row[]) => [HEADINGS, ...rows.map((row) => HEADINGS.map((id) => row[id] ?? ''))];
const wallet: Row = { Name: 'Jane', Phone: '0712345678', Amount: '5' };
const account: Row = { Name: 'Otieno', 'Bank code': '68', Bank: 'Practice Bank', Account: '0012345', Amount: '5' };
const business: Row = { Name: 'Nairobi Water', Paybill: '400200', Account: '0012345', Amount: '5' };

/** A number that is shown by a number format. */
function shown(digits: string, code: string, id = 164): CellChoice {
  const format = numberFormat(id, code);
  return { type: 'number', text: digits, ...(format && { format }) };
}

/** A sheet with one person, and more columns to the right. */
const withBeside = (headings: readonly string[], values: readonly string[]): readonly (readonly string[])[] => [
  ['Name', 'Phone', 'Amount', ...headings],
  ['Jane', '0712345678', '5', ...values],
];

/** A sheet for each code; the first issue that it tells has that code. */
const sheets: Readonly<Partial<Record<IssueCode, () => Promise<readonly Issue[]>>>> = {
  'PB-EMPTY': () => issuesOf(sheetOf()),
  'PB-HEADER-MISSING': () =>
    issuesOf([
      ['Name', 'Amount'],
      ['Jane', '5'],
    ]),
  'PB-NAME-COLUMN': () =>
    issuesOf([
      ['Phone', 'Amount'],
      ['0712345678', '5'],
    ]),
  'PB-HEADER-UNKNOWN': () => issuesOf([['Ref', 'Who', 'Where', 'How much']]),
  'PB-HEADER-TWICE': () => issuesOf([['Name', 'Amount', 'Phone', 'Mobile']]),
  'PB-HEADER-MERGED': () =>
    issuesOf([
      ['Name', 'Phone', { text: 'Amount', merged: true, isWide: true }],
      ['Jane', '0712345678', '5', '6'],
    ]),
  'PB-HEADER-LINES': () =>
    issuesOf([
      ['Name', 'Phone', 'Salary'],
      ['', '', 'Basic', 'Net Pay'],
    ]),
  'PB-HEADER-LATE': () => issuesOf([...Array.from({ length: 30 }, () => ['title']), ['Name', 'Phone', 'Amount']]),
  'PB-AMOUNT-HEADING': () =>
    issuesOf([
      ['Name', 'Phone', 'Salary', 'Payable'],
      ['Jane', '0712345678', '1000', '750'],
    ]),
  'PB-HIDDEN': () =>
    checkRows([
      sheetRow(1, ['Name', 'Phone', 'Amount']),
      sheetRow(2, ['Jane', '0712345678', '5'], { hidden: true }),
    ]).then(({ issues }) => issues),
  'PB-STRUCK': () => issuesOf(sheetOf({ ...wallet, Name: { text: 'Jane', struck: true } })),
  'PB-HIDDEN-COUNT': () => check(sheetOf(wallet), { includeHidden: 3 }).then(({ issues }) => issues),
  'PB-HIDDEN-COLUMN': () =>
    check(sheetOf(wallet), { hiddenColumns: [{ from: 9, to: 9 }] }).then(({ issues }) => issues),
  'PB-IDENTICAL-COUNT': () => check(sheetOf(wallet), { allowIdentical: 2 }).then(({ issues }) => issues),
  'PB-ABOVE-TABLE': () => issuesOf([['Jane', '0712345678', '500'], ...sheetOf(wallet)]),
  'PB-OTHER-TABLE': () =>
    issuesOf([
      ['Name', 'Phone', 'Amount'],
      ['Jane', '0712345678', '5', '', 'Account No', 'Total'],
      ['Ali', '0722345678', '6', '', '1102233445', '45000'],
    ]),
  'PB-AMOUNT-BESIDE': () => issuesOf(withBeside(['Tax', 'Rest'], ['1', '4'])),
  'PB-AMOUNT-CENTS': () => issuesOf(withBeside(['Cts'], ['50'])),
  'PB-TOTAL-CARRIED': () => issuesOf(sheetOf(wallet, { Name: 'Balance b/f', Amount: '5' })),
  'PB-TOTAL-PAID': () => issuesOf(sheetOf({ ...wallet, Name: 'TOTAL' })),
  'PB-AMOUNT-SUM': () =>
    issuesOf(
      sheetOf(
        ...['1', '2', '3', '6'].map((amount) => ({
          Name: `Person ${amount}`,
          Phone: `071234567${amount}`,
          Amount: amount,
        })),
      ),
    ),
  'PB-PHONE-ELSEWHERE': () => issuesOf(withBeside(['New Phone'], ['0722345678'])),
  'PB-PHONE-IN-TEXT': () => issuesOf(withBeside(['Remarks'], ['Send to 0722345678'])),
  'PB-AMOUNT-IN-TEXT': () => issuesOf(withBeside(['Remarks'], ['Pay half'])),
  'PB-SECTION-NOT-PAID': () =>
    issuesOf([['No', ...PLAIN], ['STOPPED SALARIES'], ['1', ...PLAIN.map((id) => String(wallet[id] ?? ''))]]),
  'PB-NOTE-NOT-TO-PAY': () => issuesOf([['DRAFT - DO NOT PAY'], ...sheetOf(wallet)]),
  'PB-TITLE-KIND': () => issuesOf([['AIRTIME FOR MARCH'], ...sheetOf(wallet)]),
  'PB-TITLE-OTHER': () => issuesOf([['DEBTORS LIST'], ...sheetOf(wallet)]),
  'PB-PAID-BEFORE-SHEET': () =>
    issuesOf([
      ['Name', 'Phone', 'Amount', 'Paid?'],
      ['Jane', '0712345678', '5', 'Yes'],
    ]),
  'PB-AMOUNT-UNIT': () => issuesOf([["All amounts in '000"], ...sheetOf(wallet)]),
  'PB-FORMULA-CACHED': () => issuesOf(sheetOf({ ...wallet, Amount: { type: 'number', text: '5', formula: 'cached' } })),
  'PB-PHONE-TWO': () => issuesOf(sheetOf({ ...wallet, Phone: '0712345678/0722345678' })),
  'PB-PHONE-STRAY': () => issuesOf(sheetOf({ ...wallet, Phone: '071234560 (1)' })),
  'PB-PHONE-ZERO': () => issuesOf(sheetOf({ ...wallet, Phone: number('712345678') })),
  'PB-ACCOUNT-NUMBER': () => issuesOf(sheetOf({ ...business, Account: number('12345') })),
  'PB-AMOUNT-STYLES': () => issuesOf(sheetOf({ ...wallet, Amount: '1,234.50' }, { ...business, Amount: '1.234,50' })),
  'PB-AMOUNT-SPLIT': () =>
    check(
      [
        ['Name', 'Phone', 'Amount', 'Note'],
        ['Jane', '0712345678', '1', '500.00'],
      ],
      { delimiter: ',' },
    ).then(({ issues }) => issues),
  'PB-AMOUNT-SHOWN': () => issuesOf(sheetOf({ ...wallet, Amount: shown('0.15', '0%') })),
  'PB-AMOUNT-UNSEEN': () => issuesOf(sheetOf({ ...wallet, Amount: shown('5', ';;;') })),
  'PB-AMOUNT-UNUSUAL': () =>
    issuesOf(
      sheetOf(
        ...['1', '2', '3', '4', '5'].map((digit) => ({
          Name: `Person ${digit}`,
          Phone: `071234567${digit}`,
          Amount: digit === '5' ? '101' : '5',
        })),
      ),
    ),
  'PB-NOTE-SHARED': () =>
    check(sheetOf({ ...wallet, Note: 'one' }, { ...wallet, Phone: '0722345678', Name: 'Ali', Note: 'two' }), {
      linesPerOrder: 2,
    }).then(({ issues }) => issues),
  'PB-NOTE-UNSENT': () => issuesOf(sheetOf({ ...wallet, Type: 'airtime', Note: 'for May' })),
  'PB-NET-PAY': () =>
    issuesOf([
      ['Name', 'Phone', 'Gross Pay', 'Total Deductions', 'Net Pay'],
      ['Jane', '0712345678', '1000', '250', '700'],
    ]),
  'PB-CURRENCY-HEADING': () =>
    check(
      [
        ['Name', 'Phone', 'Amount (KES)'],
        ['Jane', '0772123456', '500'],
      ],
      { country: 'UG', currency: currency('UGX') },
    ).then(({ issues }) => issues),
  'PB-CURRENCY-SHOWN': () => issuesOf(sheetOf({ ...wallet, Amount: shown('5', '[$USD] 0.00') })),
  'PB-AMOUNT-ROUNDED': () => issuesOf(sheetOf({ ...wallet, Amount: shown('5.5', '0') })),
  'PB-CURRENCY-COMPUTER': () => issuesOf(sheetOf({ ...wallet, Amount: shown('5', '"$"0.00', 44) })),
  'PB-TEXT-HIDDEN': () => issuesOf(sheetOf({ ...wallet, Name: 'Jane\u202eW' })),
  'PB-NAME-FORMULA': () => issuesOf(sheetOf({ ...wallet, Name: '=Jane' })),
  'PB-NAME-PLACEHOLDER': () => issuesOf(sheetOf({ ...wallet, Name: 'nan' })),
  'PB-NAME-DAMAGED': () => issuesOf(sheetOf({ ...wallet, Name: 'Jos\u00c3\u00a9' })),
  'PB-PLACEHOLDER': () => issuesOf(sheetOf({ ...business, Account: 'N/A' })),
  'PB-NUMBER-FORM': () => issuesOf(sheetOf({ ...business, Account: '1.2E+11' })),
  'PB-NUMBER-SHOWN': () => issuesOf(sheetOf({ ...business, Account: shown('12345', '000000') })),
  'PB-UNUSED-VALUE': () => issuesOf(sheetOf({ ...wallet, Type: 'wallet', Account: '142501.0' })),
  'PB-ACCOUNT-UNUSED': () =>
    issuesOf([
      ['Name', 'Phone', 'Account', 'Amount'],
      ['Jane', '0712345678', '0012345', '5'],
    ]),
  'PB-ACCOUNT-ALONE': () => issuesOf(sheetOf({ ...wallet, Paybill: '-', Account: '0012345' })),
  'PB-NAME-SCRIPTS': () => issuesOf(sheetOf({ ...wallet, Name: 'J\u0430ne' })),
  'PB-PAYEE-NAMES': () =>
    check(sheetOf({ ...wallet, Name: 'Jane' }, { ...wallet, Name: 'Ali', Amount: '6' })).then(({ issues }) =>
      issues.filter(({ code }) => code !== 'PB-DUP-PAYEE'),
    ),
  'PB-NAME-PAYEES': () => issuesOf(sheetOf(wallet, { ...wallet, Phone: '0722345678' })),
  'PB-ID-NAMES': () =>
    issuesOf([
      ['Name', 'Phone', 'Amount', 'ID No'],
      ['Jane', '0712345678', '5', '27654321'],
      ['Ali', '0722345678', '5', '27654321'],
    ]),
  'PB-NOT-DEDUCTED': () =>
    issuesOf([
      ['Name', 'Phone', 'Salary', 'Advance'],
      ['Jane', '0712345678', '5000', '1000'],
    ]),
  'PB-MERGED': () => issuesOf(sheetOf({ ...wallet, Amount: { text: '5', merged: true } })),
  'PB-RAGGED': async () => {
    const rows = await rowsOf('ragged.csv', 'Name,Phone,Amount\nJane,0712345678,5,6\n');
    return (await checkRows(rows)).issues;
  },
  'PB-BELOW-TABLE': () => issuesOf([...sheetOf(wallet), [], ...sheetOf(wallet).slice(1)]),
  'PB-BELOW-NAMED': () => issuesOf([...sheetOf(wallet), [], ...sheetOf({ Name: 'Ali Omar' }).slice(1)]),
  'PB-ROW-COUNT': () => issuesOf([['Number of staff: 3'], ...sheetOf(wallet)]),
  'PB-AMOUNT-ALONE': () => issuesOf(sheetOf(wallet, { Amount: '5' })),
  'PB-TOTAL-ROW': () => issuesOf(sheetOf(wallet, { Ref: 'Total', Amount: '6' })),
  'PB-TOTAL-LEFT-OUT': () => issuesOf(sheetOf(wallet, { ...wallet, Hold: 'on leave' }, { Ref: 'Total', Amount: '6' })),
  'PB-SUBTOTAL-LACKING': () =>
    issuesOf(sheetOf(wallet, { Ref: 'Sub Total', Amount: '5' }, { ...wallet, Phone: '0722345678', Name: 'Ali' })),
  'PB-TOTAL-NO-VALUE': () => issuesOf(sheetOf(wallet, { Ref: 'Total', Amount: { formula: 'missing' } })),
  'PB-TOTAL-UNREAD': async () => {
    const unread = { ...wallet, Phone: '0722345678', Name: 'Ali', Amount: 'five' };
    const found = await issuesOf(sheetOf(wallet, unread, { Ref: 'Total', Amount: '10' }));
    return found.filter(({ code }) => code !== 'PB-AMOUNT-TEXT');
  },
  'PB-TYPE-UNKNOWN': () => issuesOf(sheetOf({ ...wallet, Type: 'cheque' })),
  'PB-TYPE-UNCLEAR': () => issuesOf(sheetOf({ Name: 'Jane', Amount: '5' })),
  'PB-CELL-ERROR': () => issuesOf(sheetOf({ ...wallet, Amount: { type: 'error', text: '#N/A' } })),
  'PB-FORMULA-NO-VALUE': () => issuesOf(sheetOf({ ...wallet, Amount: { formula: 'missing' } })),
  'PB-CELL-CHARS': () => issuesOf(sheetOf({ ...business, Account: '12\u200b3' })),
  'PB-CELL-DATE': () => issuesOf(sheetOf({ ...wallet, Amount: { type: 'date', text: '45992' } })),
  'PB-CELL-BOOLEAN': () => issuesOf(sheetOf({ ...business, Account: { type: 'boolean', text: '1' } })),
  'PB-TEXT-LENGTH': () => issuesOf(sheetOf({ ...wallet, Ref: 'x'.repeat(36) })),
  'PB-NAME-MISSING': () => issuesOf(sheetOf({ ...wallet, Name: '' })),
  'PB-PHONE-MISSING': () => issuesOf(sheetOf({ ...wallet, Type: 'wallet', Phone: '' })),
  'PB-PHONE-LENGTH': () => issuesOf(sheetOf({ ...wallet, Phone: '071234' })),
  'PB-PHONE-EXP': () => issuesOf(sheetOf({ ...wallet, Phone: '7.12E+08' })),
  'PB-PHONE-CHARS': () => issuesOf(sheetOf({ ...wallet, Phone: '071234567O' })),
  'PB-PHONE-LOCAL': () => check(sheetOf(wallet), { currency: currency('UGX') }).then(({ issues }) => issues),
  'PB-PHONE-COUNTRY': () => issuesOf(sheetOf({ ...wallet, Phone: '+256772123456' })),
  'PB-PHONE-LANDLINE': () => issuesOf(sheetOf({ ...wallet, Phone: '0202345678' })),
  'PB-NETWORK-COUNTRY': () =>
    check(sheetOf({ ...wallet, Phone: '+243812345678' }), { country: 'CD' }).then(({ issues }) => issues),
  'PB-NETWORK-UNKNOWN': () => issuesOf(sheetOf({ ...wallet, Network: 'Nokia' })),
  'PB-NETWORK-DIFFERS': () => issuesOf(sheetOf({ ...wallet, Network: 'Airtel' })),
  'PB-TILL': () => issuesOf(sheetOf({ Name: 'Duka', Till: '512', Amount: '5' })),
  'PB-PAYBILL': () => issuesOf(sheetOf({ ...business, Paybill: '4002' })),
  'PB-PAYBILL-ACCOUNT': () => issuesOf(sheetOf({ ...business, Account: '' })),
  'PB-CELL-MISSING': () => issuesOf(sheetOf({ ...account, Account: '' })),
  'PB-BANK-CODE': () => issuesOf(sheetOf({ ...account, 'Bank code': '1' })),
  'PB-ACCOUNT-LENGTH': () => issuesOf(sheetOf({ ...account, Account: '1'.repeat(51) })),
  'PB-PHONE-LIMIT': () =>
    check(sheetOf({ ...wallet, Phone: '0803 123 4567' }), { country: 'NG', currency: currency('NGN') }).then(
      ({ issues }) => issues,
    ),
  'PB-AMOUNT-WHOLE': () => issuesOf(sheetOf({ ...wallet, Type: 'airtime', Amount: '5.50' })),
  'PB-ACCOUNT-DIGITS': () => issuesOf(sheetOf({ ...business, Account: number('1234567890123456') })),
  'PB-AMOUNT-MISSING': () => issuesOf(sheetOf({ ...wallet, Amount: '' })),
  'PB-AMOUNT-ZERO': () => issuesOf(sheetOf({ ...wallet, Amount: '0' })),
  'PB-AMOUNT-TEXT': () => issuesOf(sheetOf({ ...wallet, Amount: 'five' })),
  'PB-AMOUNT-AMBIGUOUS': () => issuesOf(sheetOf({ ...wallet, Amount: '1,500' })),
  'PB-AMOUNT-MARK': () => issuesOf(sheetOf({ ...wallet, Amount: '1500,50' })),
  'PB-AMOUNT-LARGE': () => issuesOf(sheetOf({ ...wallet, Amount: '9'.repeat(30) })),
  'PB-AMOUNT-DECIMALS': () => issuesOf(sheetOf({ ...wallet, Amount: '5.0051' })),
  'PB-HOLD-UNCLEAR': () => issuesOf(sheetOf({ ...wallet, Hold: 'TBC' })),
  'PB-HOLD-ELSEWHERE': () => issuesOf(sheetOf({ ...wallet, Note: 'DO NOT PAY' })),
  'PB-CURRENCY': () => issuesOf(sheetOf({ ...wallet, Currency: 'USD' })),
  'PB-DUP-REFERENCE': () => issuesOf(sheetOf({ ...wallet, Ref: 'E-1' }, { ...business, Ref: 'E-1' })),
  'PB-DUP-ROW': () => issuesOf(sheetOf(wallet, wallet)),
  'PB-DUP-PAYEE': () => issuesOf(sheetOf(wallet, { ...wallet, Amount: '6' })),
};

const issuesOf = async (rows: readonly (readonly CellChoice[])[]): Promise<readonly Issue[]> =>
  (await check(rows)).issues;

/** Codes that no sheet alone makes: they belong to mappings, and to payees that the service was asked about. */
const unconfirmed: readonly string[] = [
  'PB-MAPPING-HEADING',
  'PB-PAYEE-CLOSE',
  'PB-PAYEE-NO-MATCH',
  'PB-PAYEE-NOT-POSSIBLE',
];

describe('every issue', () => {
  test('of the table is told by some sheet, but for those that no check of rows tells', () => {
    const told = Object.keys(sheets);
    expect(
      Object.keys(issueLevels)
        .filter((code) => !unconfirmed.includes(code))
        .sort(),
    ).toEqual(told.sort());
  });

  test.each(Object.entries(sheets))('%s is told whole, with its place and what to do', async (code, make) => {
    const [found] = (await make?.()) ?? [];
    expect(found).toMatchObject({ code, level: issueLevels[code as IssueCode] });
    if (!found) return;
    for (const sentence of [issueMessage(found), issueFix(found)]) {
      expect(sentence).not.toMatch(/[{}]|undefined|null|\[object/);
      expect(sentence.replace(found.value, '…')).not.toMatch(/ {2}|\(\)|""| [.,;:]/);
    }
    const isOfSheet = ['PB-EMPTY', 'PB-HIDDEN-COUNT', 'PB-IDENTICAL-COUNT'].includes(code);
    if (!isOfSheet) expect(found.row).toBeGreaterThan(0);
    const isOfRows = code.startsWith('PB-DUP') || isOfSheet || code === 'PB-RAGGED';
    if (!isOfRows) expect(found.cell).toMatch(/^[A-Z]+\d+$/);
  });
});

import { describe, expect, test } from 'vitest';
import type { KindName, ResultRow } from '../../src/domain/batch.ts';
import { issue } from '../../src/domain/issue.ts';
import { carriedCell, carriedColumn, orderId, type ResultsColumn, resultsColumns } from '../../src/results/columns.ts';
import type { Report } from '../../src/results/report.ts';
import { lookOf, reportOf, shownIn } from '../support/result-report.ts';
import { BATCH_TIME, orderIdAt, resultRow, sourceOf } from '../support/result-rows.ts';

const report: Report = await reportOf(sourceOf([]));

const said = (row: ResultRow, columns: readonly ResultsColumn[] = resultsColumns): Record<string, string | number> =>
  Object.fromEntries(columns.map(({ heading, cell }) => [heading, shownIn(cell(row, report))]));

describe('the columns of the results', () => {
  test('show of a paid row what was asked, what became of it, what it cost, and how to ask for it', () => {
    const report = { date: '2026-11-21T06:00:00Z', resultCode: '0' };
    expect(said(resultRow(7, { payout: { network: 'Airtel' }, report }))).toEqual({
      Row: 7,
      Reference: 'EMP-007',
      Name: 'Person 7',
      Type: 'Mobile wallet',
      Network: 'Airtel',
      'Paid to': '+254700000007',
      Amount: '15007.00',
      Currency: 'KES',
      Outcome: 'Completed',
      'Pay again?': 'No',
      'Receipt number': 'TKQ0000007',
      'Fee quoted': '33.00',
      'Fee charged': '32.93',
      'Total debit': '15039.93',
      'Completed at': Date.UTC(2026, 10, 21, 6),
      'Reason in plain words': '',
      'Result code': '0',
      'Tracking number': 'TRK7',
      'Order id': orderIdAt(7),
      'Service id': '84310000-0e89-0ee0-208b-000000000007',
      Attempts: 1,
    });
  });

  test('show of a row that timed out its quote, and neither a fee nor a time', () => {
    expect(said(resultRow(8, { outcome: 'timed-out' }))).toMatchObject({
      Outcome: 'CHECK Timed out',
      'Pay again?': 'Check first',
      'Receipt number': '',
      'Fee quoted': '33.00',
      'Fee charged': '',
      'Total debit': '',
      'Completed at': '',
      'Result code': '-1',
      'Reason in plain words': expect.stringContaining(
        'The service stopped waiting for an answer; the money may still arrive.',
      ),
    });
  });

  test('show of a row that never left what was planned, and its order by the id that it will have', () => {
    const { state, ...unsent } = resultRow(9, { outcome: 'unsent' });
    const row = said(unsent);
    expect(row).toMatchObject({ Outcome: 'Not sent', 'Order id': orderIdAt(9), 'Service id': '', Attempts: '' });
    expect(said({ ...unsent, state: { ...state, id: orderIdAt(99), attempt: 2 } as never })).toMatchObject({
      'Order id': orderIdAt(99),
      Attempts: 2,
    });
    expect(row).toMatchObject({ 'Result code': '', 'Tracking number': '', 'Fee charged': '', 'Total debit': '' });
  });

  test('show of a row that was set aside what its sheet says in their place, and nothing that was never known', () => {
    const headings = ['phone', 'name', 'type', 'network', 'reference'].map((means, at) => ({
      column: at + 1,
      text: `Their ${means}`,
      means,
    }));
    const sheet = { ...report.source.header.sheet, headings };
    const own = { ...report, source: { ...report.source, header: { ...report.source.header, sheet } } };
    const row = resultRow(4, { outcome: 'invalid', texts: ['07123', 'Amina', 'mpesa', 'Saf', 'E-4'] });
    const cells = resultsColumns.map(({ heading, cell }) => [heading, shownIn(cell(row, own))]);
    expect(Object.fromEntries(cells.filter(([, text]) => text !== ''))).toEqual({
      Row: 4,
      Reference: 'E-4',
      Name: 'Amina',
      Type: 'mpesa',
      Network: 'Saf',
      Outcome: 'Invalid',
      'Pay again?': 'Yes',
      'Reason in plain words': expect.stringMatching(/^C4: Phone number "07123" is incomplete .* Type the whole/),
    });
  });

  test('leave empty what neither payout nor sheet has', () => {
    const { reference, network, ...payout } = resultRow(2).payout ?? ({} as never);
    expect(said({ ...resultRow(2), payout })).toMatchObject({ Reference: '', Network: '' });
    const bare: ResultRow = {
      row: 3,
      outcome: 'invalid',
      texts: [],
      issues: [issue('PB-PHONE-LENGTH', { row: 3, cell: 'C3' })],
    };
    expect(said(bare)).toMatchObject({ Reference: '', Name: '', Type: '', Network: '', 'Paid to': '', Amount: '' });
  });

  test('name a way of paying that is no longer known by its own name', () => {
    expect(said(resultRow(2, { payout: { kind: 'pigeon' as KindName } }))['Type']).toBe('pigeon');
  });

  test('paint the outcome, and the answer that asks somebody to look', () => {
    const looks = (row: ResultRow) =>
      resultsColumns
        .map(({ heading, cell }) => [heading, lookOf(cell(row, report))])
        .filter(([, look]) => look !== undefined);
    expect(looks(resultRow(2))).toEqual([
      ['Outcome', 'good'],
      ['Pay again?', 'row'],
    ]);
    expect(looks(resultRow(2, { outcome: 'in-doubt' }))).toEqual([
      ['Outcome', 'check'],
      ['Pay again?', 'check'],
    ]);
  });

  test('take the time from our own clock where the service names no zone', () => {
    expect(said(resultRow(5))['Completed at']).toBe(BATCH_TIME + 5000);
  });

  test('have their widths and formats, go on in further lines where texts are long, and are printed up to the reason', () => {
    const like = ({ heading, width, format, wrap, printed }: ResultsColumn) =>
      [heading, width, format, wrap ? 'wraps' : '', printed ? 'printed' : ''].join('|');
    expect(resultsColumns.map(like)).toEqual([
      'Row|7|position||printed',
      'Reference|13|text|wraps|printed',
      'Name|23|text|wraps|printed',
      'Type|16|text|wraps|printed',
      'Paid to|21|text|wraps|printed',
      'Amount|16|money||printed',
      'Outcome|18|text||printed',
      'Pay again?|12|text||printed',
      'Receipt number|15|text|wraps|printed',
      'Fee quoted|11|money||printed',
      'Fee charged|11|money||printed',
      'Total debit|16|money||printed',
      'Completed at|19|dateTime||printed',
      'Reason in plain words|42|text|wraps|printed',
      'Currency|11|text||',
      'Network|15|text|wraps|',
      'Result code|9|text||',
      'Tracking number|18|text|wraps|',
      'Order id|40|text||',
      'Service id|40|text||',
      'Attempts|10|integer||',
    ]);
    expect(orderId.heading).toBe('Order id');
  });

  test('say in a note what their headings leave open', () => {
    const notes = resultsColumns.flatMap(({ heading, note }) => (note === undefined ? [] : [[heading, note]]));
    expect(Object.fromEntries(notes)).toEqual({
      Row: 'Number of the row in the sheet that was paid.',
      'Pay again?':
        'Whether this row may be paid again. "Check first": it may have been paid; find out before anything else.',
      'Receipt number': "The network's proof of payment.",
      'Total debit': 'What left the wallet for this row: amount, fee, and what was paid too much.',
      'Completed at': "The service's time when it names its zone, otherwise the time when its final answer was read.",
      'Result code': 'The code of the service, as it came.',
      'Order id': 'What the provider is asked about: originatorConversationId.',
      'Service id': "The provider's own number of the order: systemConversationId.",
      Attempts: 'Attempts at paying this row; a new one is made only after a definite failure.',
    });
  });
});

describe("a column of the user's own", () => {
  const widthOf = (heading: string, longest: number) => carriedColumn({ column: 28, text: heading }, longest).width;

  test('keeps its heading, says where it stood, and holds text', () => {
    expect(carriedColumn({ column: 28, text: 'Cost centre' }, 4)).toEqual({
      heading: 'Cost centre',
      headingLook: 'carried',
      note: 'Column AB of the sheet, as it was read.',
      width: 15,
      format: 'text',
      wrap: true,
    });
  });

  test.each([
    ['a text stays a text, whatever it begins with', '=1+1', '#,##0.00', '=1+1'],
    ['a number keeps its digits and its format', { number: '45000.5' }, '#,##0.00', ['45000.5', '#,##0.00', '45000.5']],
    ['a number among dates is shown as a number', { number: '7' }, 'dd/mm/yyyy', ['7', '0', '7']],
    ['a date keeps its format', { date: '46351' }, 'dd/mm/yyyy', ['46351', 'dd/mm/yyyy', '2026-11-25']],
    [
      'a date among numbers is shown as a date',
      { date: '46351.5' },
      '0',
      ['46351.5', 'yyyy-mm-dd hh:mm', '2026-11-25 12:00'],
    ],
  ] as const)('of a cell: %s', (_, value, format, shown) => {
    const cell = carriedCell(value, { format });
    expect(typeof cell === 'string' ? cell : [cell.digits, cell.numFmt, cell.text]).toEqual(shown);
  });

  test.each([
    ['is as wide as its longest text and a little more', 'Dept', 17, 19],
    ['gives a heading that is longer than the texts its room', 'Department', 3, 14],
    ['is not as wide as a very long heading, which wraps', 'A heading that nobody would ever want to read', 3, 20],
    ['is never narrower than ten characters', 'x', 1, 10],
    ['is never wider than forty', 'x', 300, 40],
  ])('%s', (_, heading, longest, width) => {
    expect(widthOf(heading, longest)).toBe(width);
  });
});

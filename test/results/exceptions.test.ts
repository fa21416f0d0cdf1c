import { describe, expect, test } from 'vitest';
import type { ResultRow } from '../../src/domain/batch.ts';
import { exceptionsSheet } from '../../src/results/exceptions.ts';
import { lookOf, reportOf, rowsOfWorksheet, textsOfWorksheet } from '../support/result-report.ts';
import { everyOutcome, money, orderIdAt, resultRow, sourceOf } from '../support/result-rows.ts';

const listed = async (rows: readonly ResultRow[]) => textsOfWorksheet(exceptionsSheet(await reportOf(sourceOf(rows))));

describe('the worksheet of exceptions', () => {
  test('lists the rows that were not paid, and whether paying them again is safe', async () => {
    const rows = (await listed(everyOutcome())).map((cells) => [cells[0], cells[5], cells[8]]);
    expect(rows).toEqual([
      [4, 'Rejected', 'Yes'],
      [5, 'Refused', 'Yes'],
      [6, 'Failed', 'Yes'],
      [7, 'CHECK Timed out', 'Check first'],
      [8, 'CHECK In doubt', 'Check first'],
      [9, 'Pending', 'No'],
      [10, 'Not sent', 'Yes'],
      [11, 'Invalid', 'Yes'],
      [12, 'Left out', 'Yes'],
    ]);
  });

  test('reads no row when every row was paid, and none behind the last exception', async () => {
    const readBy = async (rows: readonly ResultRow[]): Promise<number> => {
      let read = 0;
      const source = sourceOf(rows, {}, 1);
      const counted: typeof source = {
        ...source,
        async *rows() {
          for await (const block of source.rows()) {
            read += block.length;
            yield block;
          }
        },
      };
      const report = await reportOf(counted);
      read = 0;
      expect((await rowsOfWorksheet(exceptionsSheet(report))).length).toBe(1);
      return read;
    };
    const paid = [3, 4, 5, 6].map((row) => resultRow(row));
    expect(await readBy(paid)).toBe(0);
    expect(await readBy([resultRow(2, { outcome: 'failed' }), ...paid])).toBe(1);
  });

  test('says of each who it is, what happened, what to do, and leaves room for handwriting', async () => {
    const [row] = await listed([resultRow(6, { outcome: 'failed' })]);
    expect(row).toEqual([
      6,
      'EMP-006',
      'Person 6',
      '+254700000006',
      '15006.00',
      'Failed',
      'The payment failed for good. The service says: Invalid credit account.',
      'Fix the cause, then pay it again with "paybatch retry".',
      'Yes',
      orderIdAt(6),
      '',
      '',
      '',
    ]);
  });

  test('has a heading over each column, and the paper shows all of them', async () => {
    const { spec } = exceptionsSheet(await reportOf(sourceOf([])));
    const { columns, ...rest } = spec;
    expect(rest).toEqual({ name: 'Exceptions', table: true, frozenColumns: 3, tabColour: 'C00000' });
    expect(
      columns.map(({ heading, width, format, wrap }) => `${heading}|${width}|${format}|${wrap ? 'wraps' : ''}`),
    ).toEqual([
      'Row|7|position|',
      'Reference|13|text|wraps',
      'Name|23|text|wraps',
      'Paid to|21|text|wraps',
      'Amount|16|money|',
      'Outcome|18|text|',
      'What happened|46|text|wraps',
      'What to do|46|text|wraps',
      'Safe to pay again?|12|text|',
      'Order id|24|text|wraps',
      'Settled by|14|text|',
      'On|12|text|',
      'Note|24|text|',
    ]);
    expect(columns.slice(-3).map(({ note }) => note)).toEqual(Array(3).fill('For you to fill in.'));
    const [{ cells } = { cells: [] }] = await rowsOfWorksheet(
      exceptionsSheet(await reportOf(sourceOf([resultRow(2, { outcome: 'failed' })]))),
    );
    expect(cells.slice(-3).map(lookOf)).toEqual(['hand', 'hand', 'hand']);
  });

  test('keeps a paid row about which the service contradicts itself, now or at an earlier attempt', async () => {
    const alarmed = resultRow(2, { alarms: ['row 2: the service said completed and now says Rejected'] });
    const earlier = { ...resultRow(3), earlierAlarms: ['row 3: it was paid as well'] };
    const rows = await listed([alarmed, earlier, { ...resultRow(4), earlierAlarms: [] }]);
    expect(rows.map((cells) => [cells[0], cells[6]])).toEqual([
      [2, 'ALARM: row 2: the service said completed and now says Rejected.'],
      [3, 'ALARM: row 3: it was paid as well.'],
    ]);
  });

  test('says of a row that was paid twice what was paid too much, and what to ask back from whom', async () => {
    const alarms = ['row 2: the order holds this line twice'];
    const amount = money(150_025);
    const paid = { status: 4, paidAmount: '1500.25', receipt: 'TKQZZ' };
    const row = resultRow(2, { payout: { amount, name: 'Jane Wanjiku' }, alarms, repeats: [paid] });
    const [cells] = await listed([row]);
    expect(cells?.slice(5, 9)).toEqual([
      'Completed',
      'The service shows 2 payments, KES 1,500.25 too much: KES 1,500.25 (receipt TKQ0000002), KES 1,500.25 (receipt TKQZZ). ALARM: row 2: the order holds this line twice.',
      'Do not pay this row again. Ask the provider to return KES 1,500.25 by receipt TKQZZ, and else Jane Wanjiku to pay it back. Record the answer with "paybatch resolve".',
      'No',
    ]);
  });

  test('says of what was carried out twice, and paid once or not yet, that nobody may pay it again', async () => {
    const pending = { status: 0, statusText: 'Pending', paidAmount: '0' };
    const alarms = ['row 2: the order holds this line twice'];
    const [once, not] = await listed([
      resultRow(2, { alarms, repeats: [pending] }),
      resultRow(3, {
        outcome: 'rejected',
        alarms,
        repeats: [{ status: 4, statusText: 'Completed', paidAmount: '15003.00' }],
      }),
    ]);
    const todo =
      'Do not pay this row again. Ask the provider by the order id what became of each payment. Record the answer with "paybatch resolve".';
    expect(once?.slice(6, 9)).toEqual([expect.stringContaining('of the rest it says: Pending.'), todo, 'No']);
    expect(not?.slice(6, 9)).toEqual([expect.stringContaining('of the rest it says: Completed.'), todo, 'Check first']);
  });

  test('has something to do about a paid row that the service contradicts', async () => {
    const [cells] = await listed([
      resultRow(2, { alarms: ['row 2: the service said completed and now says Rejected'] }),
    ]);
    expect(cells?.[7]).toMatch(
      /^Do not pay this row again\. The service contradicts itself about it: ask the provider/,
    );
  });

  test('says that there is nothing to do when every row was paid, across its whole width', async () => {
    const rows = await rowsOfWorksheet(exceptionsSheet(await reportOf(sourceOf([resultRow(2)]))));
    const value = 'Every row of the sheet was paid. There is nothing to do here.';
    expect(rows).toEqual([{ cells: [{ value, format: 'text', look: 'good', span: 13 }] }]);
  });

  test('says so of no batch in which something is left to do', async () => {
    expect(await listed([resultRow(2), resultRow(3, { outcome: 'unsent' })])).toHaveLength(1);
  });

  test('gives days of the zone of the times beside them', async () => {
    const { state, ...row } = resultRow(2, { outcome: 'failed' });
    const rejectRequested = { by: 'Jane', at: Date.parse('2026-11-30T22:30:00Z') };
    const [cells] = await listed([{ ...row, ...(state && { state: { ...state, rejectRequested } }) }]);
    expect(cells?.[6]).toContain('requested by Jane on 2026-12-01.');
  });
});

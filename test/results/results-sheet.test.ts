import { expect, test } from 'vitest';
import { resultsColumns } from '../../src/results/columns.ts';
import { resultsSheet } from '../../src/results/results-sheet.ts';
import { reportOf, rowsOfWorksheet, shownIn } from '../support/result-report.ts';
import { everyOutcome, resultRow, sourceOf } from '../support/result-rows.ts';

const ours = resultsColumns.length;

test('has one row for every row of the sheet, in its order, each with its own outcome', async () => {
  const rows = everyOutcome();
  const worksheet = resultsSheet(await reportOf(sourceOf(rows, {}, 3)));
  const shown = (await rowsOfWorksheet(worksheet)).map(({ cells }) => cells.map(shownIn));
  expect(shown.map((cells) => [cells[0], cells[6]])).toEqual([
    [2, 'Completed'],
    [3, 'Completed'],
    [4, 'Rejected'],
    [5, 'Refused'],
    [6, 'Failed'],
    [7, 'CHECK Timed out'],
    [8, 'CHECK In doubt'],
    [9, 'Pending'],
    [10, 'Not sent'],
    [11, 'Invalid'],
    [12, 'Left out'],
  ]);
});

test("carries the user's own columns behind ours, as wide as their texts ask", async () => {
  const texts = ['=1+1', 'Jane Wanjiku Mũthoni', '0712345678', '15,000', '@SUM(A1)', 'beyond the last heading'];
  const { spec, rows } = resultsSheet(await reportOf(sourceOf([resultRow(2, { texts })])));
  const [row] = await rowsOfWorksheet({ spec, rows });
  expect(row?.cells.slice(ours)).toEqual(texts.slice(0, 5));
  expect(spec.columns.slice(ours).map(({ heading, width }) => [heading, width])).toEqual([
    ['Staff No', 12],
    ['Employee Name', 22],
    ['Mobile', 12],
    ['Net Pay', 11],
    ['Department', 14],
  ]);
});

test('keeps row, reference and name in view, and prints no further than the reason', async () => {
  const { spec } = resultsSheet(await reportOf(sourceOf([])));
  expect({ ...spec, columns: spec.columns.length }).toEqual({
    name: 'Results',
    columns: ours + 5,
    table: true,
    frozenColumns: 3,
    printedColumns: 14,
    tabColour: '1F3864',
  });
});

test('ends with the sums of what a filter shows, below the table', async () => {
  const { total = [] } = resultsSheet(await reportOf(sourceOf(everyOutcome())));
  const shown = new Map(resultsColumns.map(({ heading }, at) => [heading, shownIn(total[at])] as const));
  expect(Object.fromEntries([...shown].filter(([, value]) => value !== ''))).toEqual({
    Row: 'Total',
    Amount: '24006.50',
    'Fee quoted': '297.00',
    'Fee charged': '65.86',
    'Total debit': '16068.36',
  });
  const formulas = total.flatMap((cell) => (typeof cell === 'object' && 'formula' in cell ? cell.formula?.(13) : []));
  expect(formulas[0]).toBe('ROUND(SUBTOTAL(109,$F$2:$F$12),2)');
  expect(resultsSheet(await reportOf(sourceOf([]))).total).toBeUndefined();
});

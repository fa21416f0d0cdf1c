import { expect, test } from 'vitest';
import { kindTitle, nameOfRow, rowsOf } from '../../src/results/source.ts';
import { RESULTS_OPTIONS } from '../support/result-report.ts';
import { everyOutcome, resultRow, sourceOf } from '../support/result-rows.ts';

test('rows come one by one in their order, whatever blocks they are read in', async () => {
  const numbers: number[] = [];
  for await (const { row } of rowsOf(sourceOf(everyOutcome(), {}, 3))) numbers.push(row);
  expect(numbers).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test('a way of paying is called by its title, and by its name when it is no longer known', () => {
  expect(kindTitle('wallet', RESULTS_OPTIONS)).toBe('Mobile wallet');
  expect(kindTitle('pigeon', RESULTS_OPTIONS)).toBe('pigeon');
});

test('a row without a payout is called by the name in its sheet, or by all its texts if no heading means a name', () => {
  const row = resultRow(4, { outcome: 'invalid', texts: ['', ' Cy Kip ', '0712'] });
  const { header } = sourceOf([row]);
  const called = (means: { readonly means?: string }): string => {
    const headings = ['Ref', 'Who', 'Phone'].map((text, at) => ({ column: at + 1, text, ...(at === 1 && means) }));
    return nameOfRow(row, { ...header, sheet: { ...header.sheet, headings } });
  };
  expect(called({ means: 'name' })).toBe('Cy Kip');
  expect(called({})).toBe('Cy Kip, 0712');
});

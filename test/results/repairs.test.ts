import { describe, expect, test } from 'vitest';
import type { ResultRow } from '../../src/domain/batch.ts';
import { type Issue, issue } from '../../src/domain/issue.ts';
import { repairsSheet } from '../../src/results/workbook.ts';
import { issueMessage } from '../../src/texts/issue-message.ts';
import { reportOf, textsOfWorksheet } from '../support/result-report.ts';
import { resultRow, sourceOf } from '../support/result-rows.ts';

const found = issue('PB-PHONE-LENGTH', { row: 4, cell: 'C4', value: "'0712345678" }, { digits: 11, example: '07' });
const repair = { to: '0712345678', why: ['apostrophe'] } as const;
const accepted: Issue = { ...found, level: 'warning', repair };
const proposed: Issue = { ...found, repair, value: "'0700000000" };
const { level } = found;
const warning: Issue = { ...found, level: 'warning', value: 'as it is' };

const withIssues = (row: number, issues: readonly Issue[]): ResultRow => ({ ...resultRow(row), issues });
const sheet = async (repairs: number | undefined, rows: readonly ResultRow[]) =>
  repairsSheet(await reportOf(sourceOf(rows, repairs === undefined ? {} : { repairs })));

describe('the worksheet of repairs', () => {
  test('lists what was read otherwise than it stood, and neither a mere proposal nor another warning', async () => {
    expect(level).toBe('error');
    const rows = [withIssues(2, [proposed]), resultRow(3), withIssues(4, [warning, accepted, proposed])];
    expect(await textsOfWorksheet(await sheet(1, rows))).toEqual([
      [4, 'C4', 'EMP-004', 'Person 4', "'0712345678", '0712345678', issueMessage(accepted)],
    ]);
  });

  test('has a heading over each of its columns, with room for what stands there', async () => {
    const { spec } = (await sheet(1, [])) ?? {};
    expect(spec).toEqual({
      name: 'Repairs',
      table: true,
      frozenColumns: 2,
      columns: [
        { heading: 'Row', width: 8, format: 'position' },
        { heading: 'Cell', width: 10, format: 'text' },
        { heading: 'Reference', width: 16, format: 'text' },
        { heading: 'Name', width: 25, format: 'text' },
        { heading: 'As it was', width: 26, format: 'text' },
        { heading: 'Read as', width: 26, format: 'text' },
        { heading: 'What was wrong', width: 60, format: 'text', wrap: true },
      ],
    });
  });

  test('is not there for a batch without accepted repairs', async () => {
    const rows = [withIssues(2, [proposed])];
    expect(await sheet(undefined, rows)).toBeUndefined();
    expect(await sheet(0, rows)).toBeUndefined();
  });
});

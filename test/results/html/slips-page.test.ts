import { describe, expect, test } from 'vitest';
import type { ResultRow } from '../../../src/domain/batch.ts';
import { slipsPage } from '../../../src/results/html/slips-page.ts';
import { reportOf } from '../../support/result-report.ts';
import { everyOutcome, money, resultRow, sourceOf } from '../../support/result-rows.ts';

const pageOf = async (rows: readonly ResultRow[], sandbox = false): Promise<string> =>
  (await Array.fromAsync(slipsPage(await reportOf(sourceOf(rows, { sandbox }))))).join('');

const slipsIn = (page: string): readonly string[] => page.match(/<article[\s\S]*?<\/article>/g) ?? [];

describe('payment slips', () => {
  test('are of completed rows alone, four to a sheet of paper', async () => {
    const paid = Array.from({ length: 9 }, (_, index) => resultRow(index + 20));
    const page = await pageOf([...everyOutcome(), ...paid]);
    expect(slipsIn(page)).toHaveLength(2 + 9);
    const papers = page.split('<div class="paper">').slice(1);
    expect(papers.map((paper) => slipsIn(paper).length)).toEqual([4, 4, 3]);
  });

  test('say what one person was paid, by which receipt and when, and nothing of anybody else', async () => {
    const rows = [resultRow(2), resultRow(3, { payout: { name: 'Grace <b>', amount: money(123_456_700) } })];
    const [first = '', second = ''] = slipsIn(await pageOf(rows));
    for (const own of ['Person 2', 'EMP-002', '+254700000002', 'KES 15,002.00', '2026-11-21 09:05', 'TKQ0000002']) {
      expect(first).toContain(own);
      expect(second).not.toContain(own === '2026-11-21 09:05' ? 'EMP-002' : own);
    }
    expect(second).toContain('Grace &lt;b&gt;');
    expect(second).toContain('KES 1,234,567.00');
    expect(first).not.toMatch(/Grace|1,234,567|EMP-003|fee/i);
  });

  test('of a row that the service contradicts is not there, and the page says so', async () => {
    const page = await pageOf([
      resultRow(2),
      resultRow(3, { alarms: ['row 3: the service said completed and now says 7'] }),
    ]);
    expect(slipsIn(page)).toHaveLength(1);
    expect(page).toContain('1 completed row has no slip');
    expect(await pageOf([resultRow(2)])).not.toContain('no slip');
  });

  test('of a rehearsal say SANDBOX, each of them', async () => {
    const slips = slipsIn(await pageOf([resultRow(2), resultRow(3)], true));
    expect(slips).toHaveLength(2);
    for (const slip of slips) expect(slip).toContain('SANDBOX');
    expect(slipsIn(await pageOf([resultRow(2)])).join()).not.toContain('SANDBOX');
  });
});

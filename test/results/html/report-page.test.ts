import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { BatchHeader, ResultRow } from '../../../src/domain/batch.ts';
import { groupedDecimalOf } from '../../../src/domain/money.ts';
import { figuresOf } from '../../../src/results/figures.ts';
import { reportPage } from '../../../src/results/html/report-page.ts';
import { RESULTS_OPTIONS, reportOf } from '../../support/result-report.ts';
import { everyOutcome, headerFor, money, resultRow, sourceOf } from '../../support/result-rows.ts';

interface Choice {
  readonly most?: number;
  readonly header?: Partial<BatchHeader>;
}

const pageOf = async (rows: readonly ResultRow[], { most, header }: Choice = {}): Promise<string> =>
  (await Array.fromAsync(reportPage(await reportOf(sourceOf(rows, header)), most))).join('');

/** The rows that it lists, by their numbers. */
const listedIn = (page: string): readonly number[] =>
  [...page.matchAll(/<tr data-outcome="[^"]+"><th scope="row" class="figure" data-sort="(\d+)">/g)].map(([, row]) =>
    Number(row),
  );

const hashOf = (text: string | undefined): string =>
  createHash('sha256')
    .update(text ?? '')
    .digest('base64');

describe('the report as a page', () => {
  test('lists every row of the sheet once, in its order, with the figures of the summary', async () => {
    const rows = everyOutcome();
    const report = await reportOf(sourceOf(rows));
    const page = await pageOf(rows);
    expect(listedIn(page)).toEqual(rows.map(({ row }) => row));
    const { all, byPart } = report.figures;
    for (const sum of [all.amount, all.fees, byPart.paid.amount]) expect(page).toContain(groupedDecimalOf(sum));
    expect(page).not.toContain('not listed');
  });

  test('names nothing that could be fetched, and runs and styles only what its policy names by hash', async () => {
    const page = await pageOf(everyOutcome());
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1];
    const [, style] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    const [, script] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? [];
    expect(policy).toBe(
      `default-src 'none'; style-src 'sha256-${hashOf(style)}'; script-src 'sha256-${hashOf(script)}'; base-uri 'none'; form-action 'none'`,
    );
    expect(page).not.toMatch(/\s(?:src|style|on\w+|srcset|action)=/i);
    expect([...page.matchAll(/\shref="([^"]*)"/g)].every(([, to]) => to?.startsWith('#'))).toBe(true);
    expect(page.replaceAll('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/url\(|@import|<link/i);
  });

  test('shows hostile texts as texts', async () => {
    const hostile = [
      '<img src=x onerror=alert(1)>',
      'a\u202eb',
      'two\nlines',
      '"\'&',
      '</script><script>',
      'x'.repeat(200),
    ];
    const rows = hostile.map((name, index) =>
      resultRow(index + 2, { payout: { name, reference: name, destination: name }, texts: [name, name] }),
    );
    const page = await pageOf(rows, { header: { organisation: hostile[0] ?? '', maker: hostile[4] ?? '' } });
    expect(page).not.toMatch(/<img|onerror=alert\(1\)>[^&]|\u202e/);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).toContain('a&lt;U+202E&gt;b');
    expect(page).toContain('<bdi>two<br>lines</bdi>');
    expect(page).toContain('&quot;&#39;&amp;');
    expect(page).toContain('x'.repeat(200));
  });

  test('lists rows that were not paid first where it is cut, and says so, with the command for all', async () => {
    const rows = [...Array.from({ length: 20 }, (_, index) => resultRow(index + 2)), ...everyOutcome().map(below)];
    const page = await pageOf(rows, { most: 12 });
    const listed = listedIn(page);
    expect(listed).toHaveLength(12);
    expect(listed.slice(0, 3)).toEqual([2, 3, 4]);
    expect(listed.slice(3)).toEqual(rows.filter(({ outcome }) => outcome !== 'completed').map(({ row }) => row));
    expect(page).toContain(
      'This page lists 9 rows that were not paid and 3 rows that were paid. 19 more rows are not listed',
    );
    expect(page).toContain('paybatch report salaries-2026-11 --format csv');
    expect(listedIn(await pageOf(rows, { most: 5 }))).toHaveLength(5);
    expect(await pageOf(rows, { most: 5 })).toContain(
      'lists 5 rows that were not paid and 0 rows that were paid. 26 more',
    );
  });

  test('says in a sentence what has become of the batch, and SANDBOX of a rehearsal', async () => {
    expect(await pageOf([resultRow(2)])).toContain('<p class="verdict good">All 1 row paid.</p>');
    const page = await pageOf(everyOutcome(), { header: { sandbox: true } });
    expect(page).toContain('2 of 11 rows paid; 3 to check or wait for, 4 not paid, 1 not sent, 1 left out on purpose.');
    expect(page).toContain('SANDBOX: practice run');
    expect(await pageOf([resultRow(2)])).not.toContain('SANDBOX');
    const meant = await pageOf([resultRow(2), resultRow(3, { outcome: 'left-out' })]);
    expect(meant).toContain('<p class="verdict good">1 of 2 rows paid; 1 left out on purpose.</p>');
  });

  test('has ids and plots once where a column of the sheet is called as a section is', async () => {
    const header = headerFor(everyOutcome());
    const headings = header.sheet.headings.map((heading) => ({
      ...heading,
      text: heading.column === 5 ? 'outcome' : '',
    }));
    const source = sourceOf(everyOutcome(), { sheet: { ...header.sheet, headings } });
    const options = { ...RESULTS_OPTIONS, groupBy: ['outcome'] };
    const report = { source, options, figures: await figuresOf(source, options) };
    const page = (await Array.fromAsync(reportPage(report))).join('');
    expect(page.match(/>By outcome</g)).toHaveLength(2);
    expect(page.match(/<svg /g)).toHaveLength(3);
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has each plot once, beside a table, and ids that are there once', async () => {
    const page = await pageOf([...everyOutcome(), resultRow(40, { payout: { amount: money(5) } })]);
    expect(page.match(/<svg /g)).toHaveLength(3);
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const used = [...page.matchAll(/aria-labelledby="([^"]+)"|href="#([^"]+)"|\bfor="([^"]+)"/g)].flatMap((found) =>
      (found[1] ?? found[2] ?? found[3] ?? '').split(' '),
    );
    expect(used.filter((id) => !ids.includes(id))).toEqual([]);
  });
});

const below = (row: ResultRow): ResultRow => ({ ...row, row: row.row + 20 });

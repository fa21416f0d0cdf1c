import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { PROBLEMS_LISTED_MAX } from '../../../src/results/check-record.ts';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people } from '../../support/desk/payroll-sheet.ts';

const HOSTILE = `<img src=x onerror=alert(1)>&'`;

async function deskWith(content: string): Promise<Desk> {
  const desk = await openDesk();
  await desk.write('pay.csv', content);
  return desk;
}

const faulty = (): string =>
  csvOf([
    { name: 'Jane', phone: '0712345678', amount: '1000' },
    { name: 'Ali', phone: HOSTILE, amount: '1.500' },
    { name: 'Ann', phone: '07123\u202e45', amount: '' },
    { name: 'Otieno', phone: '0712345678', amount: '7' },
  ]);

interface Document {
  readonly [field: string]: unknown;
  readonly problems: readonly Readonly<Record<string, unknown>>[];
  readonly problemCounts: Readonly<Record<string, number>>;
}

const documentOf = (text: string): Document => JSON.parse(text) as Document;

describe('validate --format json', () => {
  test('is one document with the summary and every problem, and nothing else on stdout', async () => {
    const desk = await deskWith(faulty());
    const { exit, stdout, stderr } = await desk.say(['validate', 'pay.csv', '--format', 'json']);
    const document = documentOf(stdout);
    expect(exit).toBe(3);
    expect(document).toMatchObject({
      v: 1,
      type: 'validation',
      exit: 3,
      sheet: { name: 'pay.csv' },
      columns: { headerRow: 1 },
      summary: {
        rows: 4,
        ready: 2,
        withErrors: 2,
        errors: 4,
        warnings: 2,
        total: { amount: '1007.00', currency: 'KES' },
      },
      problemsNotListed: 0,
      fault: { code: 'sheet-refused' },
    });
    expect(document.problems).toHaveLength(6);
    expect(document.problems[0]).toEqual({
      row: 3,
      cell: expect.stringMatching(/^[A-Z]3$/),
      code: expect.stringMatching(/^PB-/),
      level: 'error',
      message: expect.any(String),
      fix: expect.any(String),
      value: expect.any(String),
    });
    expect(Object.values(document.problemCounts).reduce((sum, count) => sum + count, 0)).toBe(6);
    expect(stderr).toContain('4 rows');
  });

  test('names the files that were written', async () => {
    const desk = await deskWith(faulty());
    const { stdout } = await desk.say(['validate', 'pay.csv', '--format', 'json']);
    expect(documentOf(stdout)['files']).toEqual([{ kind: 'checked', path: desk.path('pay.checked.csv') }]);
  });

  test('is a document for a sheet that cannot be read, too', async () => {
    const desk = await openDesk();
    const { exit, stdout } = await desk.say(['validate', 'none.csv', '--format', 'json']);
    expect(exit).toBe(3);
    expect(documentOf(stdout)).toMatchObject({
      exit: 3,
      summary: null,
      problems: [],
      fault: { code: 'sheet-unreadable' },
    });
  });

  test('is not the stream of events, and cannot be both', async () => {
    const desk = await deskWith(csvOf(people(2)));
    expect((await desk.emit(['validate', 'pay.csv', '--format', 'json'])).fault?.['code']).toBe('usage');
    expect((await desk.say(['validate', 'pay.csv', '--format', 'xml'])).exit).toBe(2);
    expect((await desk.emit(['validate', 'pay.csv'])).events.length).toBeGreaterThan(2);
  });

  test('lists so many problems and counts the rest', async () => {
    const count = PROBLEMS_LISTED_MAX + 26;
    // Each row lacks a name and a phone.
    const lines = Array.from({ length: count / 2 }, (_, at) => `E${at},,,5`);
    const desk = await deskWith(['Reference,Name,Phone,Amount', ...lines].join('\n'));
    const { stdout } = await desk.say(['validate', 'pay.csv', '--format', 'json', '--no-copy']);
    const document = documentOf(stdout);
    expect(document.problems).toHaveLength(PROBLEMS_LISTED_MAX);
    expect(document['problemsNotListed']).toBe(26);
    expect(Object.values(document.problemCounts).reduce((sum, number) => sum + number)).toBe(count);
    await desk.say(['validate', 'pay.csv', '--format', 'html', '--no-copy']);
    const page = await readFile(desk.path('pay.checked.html'), 'utf8');
    expect(page).toContain('Only the first 10,000 problems are listed; 26 more were counted.');
    expect(page.match(/<th scope="row">[BC]\d+<\/th>/g)).toHaveLength(PROBLEMS_LISTED_MAX);
  });
});

describe('validate --format html', () => {
  const pageOf = async (content: string): Promise<string> => {
    const desk = await deskWith(content);
    const { stdout } = await desk.say(['validate', 'pay.csv', '--format', 'html', '--no-copy']);
    expect(stdout).toBe(`${desk.path('pay.checked.html')}\n`);
    return readFile(desk.path('pay.checked.html'), 'utf8');
  };

  test('is one page that needs nothing else and may load nothing else', async () => {
    const page = await pageOf(faulty());
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page).toContain(
      `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
    );
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).not.toMatch(/<script|<link|<iframe|<img|\bstyle="|\bon\w+="|https?:\/\//i);
    expect(style).toContain('@media print');
  });

  test('shows counts, the kinds of problems, and each problem under its kind', async () => {
    const page = await pageOf(faulty());
    expect(page).toContain('Not ready: 4 errors to correct before anything can be paid.');
    expect(page).toContain('<dt>Rows</dt><dd>4</dd>');
    expect(page).toContain('<dt>Ready to pay</dt><dd>KES 1,007.00</dd>');
    const sections = [...page.matchAll(/<section id="(PB-[A-Z-]+)">/g)].map(([, code]) => code);
    const links = [...page.matchAll(/href="#(PB-[A-Z-]+)"/g)].map(([, code]) => code);
    expect(sections).toEqual(links);
    expect(sections).toContain('PB-AMOUNT-AMBIGUOUS');
    // Errors stand before warnings.
    expect(sections.slice(-2).toSorted()).toEqual(['PB-DUP-PAYEE', 'PB-PAYEE-NAMES']);
    expect(page.match(/<table/g)?.length).toBe(page.match(/<caption>/g)?.length);
    expect(page.match(/<th(?! scope="(?:row|col)")[ >]/g)).toBeNull();
  });

  test('shows what stands in the sheet as text, and lets it turn nothing round', async () => {
    const page = await pageOf(faulty());
    expect(page).toContain('<bdi>&lt;img src=x onerror=alert(1)&gt;&amp;&#39;</bdi>');
    expect(page).not.toContain('<img');
    expect(page).not.toContain('\u202e');
  });

  test('says so when there is nothing wrong', async () => {
    const page = await pageOf(csvOf(people(2)));
    expect(page).toContain('Ready to pay: no problems were found.');
    expect(page).not.toContain('Kinds of problems');
  });

  test('is written where --out says, and is an event of --json', async () => {
    const desk = await deskWith(csvOf(people(2)));
    await desk.write('there/keep.txt', '');
    const { exit, end } = await desk.emit(['validate', 'pay.csv', '--format', 'html', '--out', 'there']);
    expect(exit).toBe(0);
    expect(end.files).toEqual([{ kind: 'page', path: desk.path('there', 'pay.checked.html') }]);
    expect((await readdir(desk.path('there'))).sort()).toEqual(['keep.txt', 'pay.checked.html']);
  });

  test('that cannot be written hides nothing that was found', async () => {
    const desk = await deskWith(faulty());
    const bad = await desk.say(['validate', 'pay.csv', '--format', 'html', '--out', 'nowhere/new', '--no-copy']);
    expect(bad.exit).toBe(3);
    expect(bad.stderr).toContain('could not be written');
    await desk.write('pay.csv', csvOf(people(2)));
    expect((await desk.say(['validate', 'pay.csv', '--format', 'html', '--out', 'nowhere/new'])).exit).toBe(2);
  });
});

test.each(['table', 'json', 'html'])('validate --format %s touches no ledger', async (format) => {
  const desk = await deskWith(csvOf(people(2)));
  expect((await desk.say(['validate', 'pay.csv', '--format', format])).exit).toBe(0);
  await expect(readdir(desk.home)).rejects.toThrow('ENOENT');
});

import { describe, expect, test } from 'vitest';
import { TextReporter } from '../../../src/cli/screens/text-reporter.ts';
import type { RunEvent } from '../../../src/domain/event.ts';
import type { BatchId } from '../../../src/domain/ids.ts';
import { type Issue, issue } from '../../../src/domain/issue.ts';
import { noOutcomes } from '../../../src/domain/outcome.ts';
import { issueFix, issueMessage } from '../../../src/texts/issue-message.ts';
import { amountIn } from '../../support/amounts.ts';
import { openPage, toned } from '../../support/desk/page.ts';
import { start, told } from '../../support/desk/told-text.ts';

const batch = 'salaries' as BatchId;

describe('the beginning', () => {
  test('says which version works for which profile, and where its service is', () => {
    expect(told([start()])).toEqual(['paybatch 1.2.3 · REAL MONEY · profile live', '']);
    expect(told([start({ service: 'https://pay.test' })])).toEqual([
      'paybatch 1.2.3 · REAL MONEY · profile live · https://pay.test',
      '',
    ]);
  });

  test('of a practice run says that no real money moves', () => {
    const [line] = told([start({ sandbox: true, service: 'http://127.0.0.1' })]);
    expect(line).toBe('paybatch 1.2.3 · SANDBOX: practice run, no real money moves');
    expect(told([start({ sandbox: true })], { isTTY: true }).map(toned)[0]).toBe(
      'paybatch 1.2.3 · <cyan>SANDBOX: practice run, no real money moves</>',
    );
  });
});

describe('the sheet', () => {
  test('is named, with its worksheet where it has one', () => {
    expect(told([{ type: 'sheet', name: 'pay.xlsx', worksheet: 'June' }])).toEqual([
      'Reading   pay.xlsx, worksheet "June"',
    ]);
    expect(told([{ type: 'sheet', name: 'pay\u001b.csv' }])).toEqual(['Reading   pay<U+001B>.csv']);
  });

  test('tells which of its headings are used, as what, and which are only kept', () => {
    const headings = [
      { column: 1, text: 'Mobile', means: 'phone', by: 'alias' },
      { column: 2, text: 'Take', means: 'amount', by: 'mapping' },
      { column: 3, text: 'Dept' },
      { column: 4, text: 'Remark' },
    ] as const;
    const mapping = { name: 'our-hr', sha256: 'ab' };
    expect(told([{ type: 'columns', headerRow: 4, headings, mapping }])).toEqual([
      '          headings in row 4',
      'Mapping   our-hr',
      'Columns   Mobile → phone   Take → amount (mapping)',
      '          not used, kept in the results: Dept, Remark',
    ]);
    expect(told([{ type: 'columns', headerRow: 1, headings: headings.slice(0, 1) }])).toEqual([
      '          headings in row 1',
      'Columns   Mobile → phone',
    ]);
    expect(told([{ type: 'columns', headerRow: 1, headings: headings.slice(2, 3) }])).toEqual([
      '          headings in row 1',
      '          not used, kept in the results: Dept',
    ]);
  });

  const summary = {
    type: 'sheet.summary',
    rows: 9,
    ready: 7,
    withErrors: 2,
    errors: 3,
    warnings: 1,
    total: amountIn('1234.5'),
  } as const;

  test('is summed up in counts, and in what is ready to pay', () => {
    expect(told([summary])).toEqual([
      'Checking  9 rows: 7 ready, 2 with errors; 3 errors, 1 warning',
      '          ready to pay: KES 1,234.50',
    ]);
    const { total: _, ...unread } = { ...summary, rows: 1, ready: 0, withErrors: 0, errors: 0, warnings: 0 };
    expect(told([unread])).toEqual(['Checking  1 row: 0 ready, 0 with errors; no problems']);
    expect(told([{ ...unread, errors: 1, warnings: 1 }])).toEqual(['Checking  1 row; 1 error, 1 warning']);
    expect(told([{ ...unread, warnings: 2 }])).toEqual([
      'Checking  1 row: 0 ready, 0 with errors; 0 errors, 2 warnings',
    ]);
  });

  const found = issue('PB-PHONE-LENGTH', { row: 4, cell: 'C4', value: '07123' }, { digits: 5, example: '07' });
  const problem = (told: Issue): RunEvent => ({ type: 'row.problem', issue: told });

  test('has its problems told with their places, what is wrong, and what to do', () => {
    const { cell: _, ...ofRow } = found;
    const { row: __, ...ofSheet } = ofRow;
    expect(told([problem(found), problem({ ...ofRow, level: 'warning' }), problem(ofSheet)])).toEqual([
      `ERROR     C4      ${issueMessage(found)}  PB-PHONE-LENGTH`,
      `                  ${issueFix(found)}`,
      `WARN      row 4   ${issueMessage(found)}  PB-PHONE-LENGTH`,
      `                  ${issueFix(found)}`,
      `ERROR             ${issueMessage(found)}  PB-PHONE-LENGTH`,
      `                  ${issueFix(found)}`,
    ]);
    expect(told([problem(found)], { language: 'sw' })).toEqual([
      `ERROR     C4      ${issueMessage(found, 'sw')}  PB-PHONE-LENGTH`,
      `                  ${issueFix(found, 'sw')}`,
    ]);
  });

  test('has its problems in colours that are words as well', () => {
    const lines = told([problem(found), problem({ ...found, level: 'warning' })], { isTTY: true }).map(toned);
    expect(lines[0]).toBe(`<red>ERROR</>     C4      ${issueMessage(found)}  <dim>PB-PHONE-LENGTH</>`);
    expect(lines[2]).toBe(`<yellow>WARN </>     C4      ${issueMessage(found)}  <dim>PB-PHONE-LENGTH</>`);
  });

  test('has forty problems told one by one, and the rest counted', () => {
    const forty = Array.from({ length: 40 }, () => problem(found));
    expect(told([...forty, summary])).toHaveLength(82);
    expect(told([...forty, problem(found), problem(found), summary]).slice(80)).toEqual([
      '          … and 2 more problems (all of them with --json)',
      'Checking  9 rows: 7 ready, 2 with errors; 3 errors, 1 warning',
      '          ready to pay: KES 1,234.50',
    ]);
    expect(told([...forty, problem(found), summary])[80]).toBe(
      '          … and 1 more problem (all of them with --json)',
    );
  });
});

describe('the run', () => {
  test('names its batch, and says of a practice run that it is one', () => {
    const planned: RunEvent = { type: 'batch.planned', batch, payouts: 3 };
    expect(told([planned])).toEqual(['Batch     salaries']);
    expect(told([start({ sandbox: true }), planned]).at(-1)).toBe('Batch     salaries  (SANDBOX)');
  });

  test('tells how far it is, in a plain line for each tenth', () => {
    const progress = (done: number): RunEvent => ({
      type: 'progress',
      done,
      of: 40,
      waiting: 2,
      counts: { ...noOutcomes(), completed: done, unsent: 40 - done },
      failed: 0,
    });
    expect(told([progress(0), progress(1), progress(4), progress(40)])).toEqual([
      'Paying    0 of 40 rows finished, 2 waiting; 0 failed',
      'Paying    4 of 40 rows finished, 2 waiting; 0 failed',
      'Paying    40 of 40 rows finished, 2 waiting; 0 failed',
    ]);
  });

  test('tells how far it is with what it asks before anything is sent', () => {
    const why = 'Nothing is sent until then. Needed for each batch of a new ledger.';
    const asked = (done: number, leftMs: number): RunEvent => ({ type: 'reconcile.progress', done, of: 300, leftMs });
    expect(told([asked(100, 118_200), asked(110, 100_000), asked(300, 0)])).toEqual([
      `Asking    100 of 300 look-ups; about 119 s left. ${why}`,
      `Asking    300 of 300 look-ups. ${why}`,
    ]);
  });

  test('shows payees that somebody should look at, and all of them where they are the answer', () => {
    const payee = (row: number, verdict: 'match' | 'no-match'): RunEvent => ({
      type: 'payee',
      row,
      name: 'Ann',
      payee: '+2547',
      amount: amountIn('1'),
      verdict,
    });
    const figures: RunEvent = {
      type: 'payees',
      asked: 2,
      verdicts: [{ verdict: 'match', count: 1, amount: amountIn('1') }],
    };
    const events = [payee(2, 'match'), payee(3, 'no-match'), figures];
    const inRun = told([start(), ...events]);
    expect(inRun.slice(2)).toEqual([
      expect.stringContaining('Name in the sheet'),
      expect.stringMatching(/^ {6}3 {2}Ann .*NO MATCH$/),
    ]);
    const { terminal, answers, says } = openPage(true);
    const reporter = new TextReporter(
      terminal,
      () => 0,
      () => 'en',
    );
    for (const event of [start({ command: 'verify-payees' }), ...events]) reporter.emit(event);
    expect(answers().map(toned)).toHaveLength(3);
    expect(says()).toContain('  Accounts asked about: 2');
    reporter.emit({ type: 'payees.progress', done: 1, of: 2 });
    expect(says().at(-1)).toContain('Asking    1 of 2 accounts');
  });

  test('tells notices in words for how grave they are', () => {
    const notice = (level: 'info' | 'warning' | 'alarm'): RunEvent => ({
      type: 'notice',
      level,
      message: `so\t${level}`,
    });
    const all = [notice('info'), notice('warning'), notice('alarm')];
    expect(told(all)).toEqual(['          so<U+0009>info', 'WARN      so<U+0009>warning', 'ALARM     so<U+0009>alarm']);
    expect(told(all, { isTTY: true }).map(toned)).toEqual([
      '          so<U+0009>info',
      '<yellow>WARN</>      so<U+0009>warning',
      '<red>ALARM</>     so<U+0009>alarm',
    ]);
  });

  test('names files at its end alone', () => {
    expect(told([{ type: 'file', kind: 'results', path: '/x' }])).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { JsonReporter } from '../../../src/cli/screens/json-reporter.ts';
import type { RunEvent } from '../../../src/domain/event.ts';
import { Fault } from '../../../src/domain/fault.ts';
import type { BatchId } from '../../../src/domain/ids.ts';
import { issue } from '../../../src/domain/issue.ts';
import { noOutcomes } from '../../../src/domain/outcome.ts';
import { endedBy, type RunEnd } from '../../../src/domain/run-end.ts';
import { issueFix, issueMessage } from '../../../src/texts/issue-message.ts';
import { amountIn } from '../../support/amounts.ts';
import { openPage } from '../../support/desk/page.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const AT = '2026-11-21T12:00:00.000Z';

/** A reporter, the lines that it wrote, and its clock. */
function open() {
  const page = openPage();
  const clock = { now: NOON };
  const reporter = new JsonReporter(page.terminal, () => clock.now);
  return {
    reporter,
    clock,
    lines: (): readonly Record<string, unknown>[] => page.answers().map((line) => JSON.parse(line)),
    says: page.says,
  };
}

function told(...events: readonly RunEvent[]): readonly Record<string, unknown>[] {
  const { reporter, lines } = open();
  for (const event of events) reporter.emit(event);
  return lines();
}

function endOf(end: RunEnd, seconds = 1): readonly Record<string, unknown>[] {
  const { reporter, lines } = open();
  reporter.end(end, seconds);
  return lines();
}

const progress = (done: number): RunEvent => ({
  type: 'progress',
  done,
  of: 40,
  waiting: 3,
  counts: noOutcomes(),
  failed: 0,
});
const payees = (done: number): RunEvent => ({ type: 'payees.progress', done, of: 40 });

describe('an event', () => {
  test('is one line with version and time, its money as decimal text, and nothing on stderr', () => {
    const { reporter, lines, says } = open();
    reporter.emit({ type: 'batch.planned', batch: 'b1', payouts: 7 });
    reporter.emit({
      type: 'sheet.summary',
      rows: 9,
      ready: 7,
      withErrors: 2,
      errors: 3,
      warnings: 1,
      total: amountIn('1500.5'),
    });
    expect(lines()).toEqual([
      { v: 1, at: AT, type: 'batch.planned', batch: 'b1', payouts: 7 },
      {
        v: 1,
        at: AT,
        type: 'sheet.summary',
        rows: 9,
        ready: 7,
        withErrors: 2,
        errors: 3,
        warnings: 1,
        total: { amount: '1500.50', currency: 'KES' },
      },
    ]);
    expect(says()).toEqual([]);
  });

  test('of a problem carries where it is, what was seen, what is wrong, and what to do', () => {
    const found = issue(
      'PB-PHONE-LENGTH',
      { row: 4, cell: 'C4', value: '07123' },
      { digits: 5, example: '0712 345 678' },
    );
    const repair = { to: '0712345678', why: ['apostrophe'] } as const;
    const sheetWide = issue('PB-HEADER-UNKNOWN', {});
    const problem = { v: 1, at: AT, type: 'row.problem' };
    expect(
      told(
        { type: 'row.problem', issue: found },
        { type: 'row.problem', issue: { ...found, level: 'warning', repair } },
        { type: 'row.problem', issue: sheetWide },
      ),
    ).toEqual([
      {
        ...problem,
        row: 4,
        cell: 'C4',
        code: 'PB-PHONE-LENGTH',
        level: 'error',
        message: issueMessage(found),
        fix: issueFix(found),
        value: '07123',
      },
      expect.objectContaining({ level: 'warning', repair }),
      {
        ...problem,
        row: null,
        cell: null,
        code: 'PB-HEADER-UNKNOWN',
        level: 'error',
        message: issueMessage(sheetWide),
        fix: issueFix(sheetWide),
        value: '',
      },
    ]);
  });
});

describe.each([
  ['progress', progress],
  ['progress among payees', payees],
] as const)('%s', (_, event) => {
  const doneOf = (lines: readonly Record<string, unknown>[]) => lines.map(({ done }) => done);

  test('is told at most twice a second', () => {
    const { reporter, clock, lines } = open();
    reporter.emit(event(1));
    for (const [ms, done] of [
      [499, 2],
      [500, 3],
      [999, 4],
      [1000, 5],
    ] as const) {
      clock.now = NOON + ms;
      reporter.emit(event(done));
    }
    expect(doneOf(lines())).toEqual([1, 3, 5]);
  });

  test('tells its last word, however soon it comes', () => {
    expect(doneOf(told(event(1), event(39), event(40)))).toEqual([1, 40]);
  });
});

test('what else is told delays no progress', () => {
  const { reporter, clock, lines } = open();
  reporter.emit(progress(1));
  clock.now = NOON + 400;
  reporter.emit({ type: 'batch.planned', batch: 'b1', payouts: 7 });
  clock.now = NOON + 500;
  reporter.emit(progress(2));
  expect(lines().map(({ type }) => type)).toEqual(['progress', 'batch.planned', 'progress']);
});

test('other events are told whenever they come', () => {
  const notice: RunEvent = { type: 'notice', level: 'info', message: 'hello' };
  expect(told(progress(1), notice, notice).map(({ type }) => type)).toEqual(['progress', 'notice', 'notice']);
});

describe('the end', () => {
  const counts = {
    completed: 1,
    rejected: 2,
    refused: 3,
    failed: 4,
    'timed-out': 5,
    'in-doubt': 6,
    pending: 7,
    unsent: 8,
    invalid: 9,
    'left-out': 10,
  };
  const end: RunEnd = {
    exit: 7,
    batch: 'salaries' as BatchId,
    counts,
    amounts: { planned: amountIn('900.10'), completed: amountIn('700.2'), fees: amountIn('30.03') },
    superseded: { rows: 2, batches: ['december' as BatchId] },
    unconfirmed: 4,
    files: [{ kind: 'results', path: '/pay/x.results.xlsx' }],
  };

  test('is one line with every count, the sums of money, the files, and how long it took', () => {
    expect(endOf(end, 12.34567)).toEqual([
      {
        v: 1,
        at: AT,
        type: 'end',
        exit: 7,
        batch: 'salaries',
        rows: {
          total: 55,
          completed: 1,
          rejected: 2,
          refused: 3,
          failed: 4,
          timedOut: 5,
          inDoubt: 6,
          pending: 7,
          unsent: 8,
          invalid: 9,
          leftOut: 10,
        },
        amounts: [{ currency: 'KES', planned: '900.10', completed: '700.20', fees: '30.03' }],
        superseded: { rows: 2, batches: ['december'] },
        unconfirmed: 4,
        files: [{ kind: 'results', path: '/pay/x.results.xlsx' }],
        seconds: 12.346,
      },
    ]);
  });

  test('of several batches has the sums and the doubt of each', () => {
    const overpaid = { rows: [3], tooMuch: amountIn('5') };
    const { amounts: _, batch: __, ...sum } = end;
    const [line] = endOf({
      ...sum,
      batches: [
        { ...end, overpaid },
        { ...end, exit: 0, batch: 'wages' as BatchId },
      ],
    });
    const amounts = [{ currency: 'KES', planned: '900.10', completed: '700.20', fees: '30.03' }];
    expect(line).toMatchObject({
      batch: null,
      amounts: [],
      batches: [
        { batch: 'salaries', exit: 7, amounts, unconfirmed: 4, overpaid: { rows: [3], tooMuch: '5.00' } },
        { batch: 'wages', exit: 0, amounts, unconfirmed: 4 },
      ],
    });
  });

  test('without a sheet has no batch, no sums, and nothing that was left out or not confirmed', () => {
    const [line] = endOf({ exit: 0, counts: noOutcomes(), files: [] });
    expect(line).toMatchObject({ type: 'end', exit: 0, batch: null, amounts: [], files: [] });
    expect(line).not.toHaveProperty('superseded');
    expect(line).not.toHaveProperty('unconfirmed');
    expect(endOf({ ...end, unconfirmed: 0 })[0]).toMatchObject({ unconfirmed: 0 });
  });

  test('after a fault is told behind it, in words and with what to do', () => {
    const lines = endOf(endedBy(new Fault('balance-short', 'The wallet is short.', 'Top it up.')));
    expect(lines).toEqual([
      { v: 1, at: AT, type: 'fault', code: 'balance-short', message: 'The wallet is short.', fix: 'Top it up.' },
      expect.objectContaining({ type: 'end', exit: 5 }),
    ]);
    const [fault] = endOf(endedBy(new Fault('usage', 'No.', 'Do.', { details: ['first', 'second'] })));
    expect(fault).toMatchObject({ type: 'fault', details: ['first', 'second'] });
  });
});

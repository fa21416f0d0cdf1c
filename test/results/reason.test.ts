import { describe, expect, test } from 'vitest';
import type { ResultRow } from '../../src/domain/batch.ts';
import type { LineReport } from '../../src/domain/fact.ts';
import { type Outcome, outcomeTable } from '../../src/domain/outcome.ts';
import { PURGED } from '../../src/domain/purged.ts';
import type { SubmissionName } from '../../src/domain/submission.ts';
import { whatHappened as happenedIn, whatToDo } from '../../src/results/reason.ts';
import { resultRow } from '../support/result-rows.ts';

const ZONE = 'Africa/Nairobi';
const whatHappened = (row: ResultRow): string => happenedIn(row, ZONE);

function rowOf(submission: SubmissionName, outcome: Outcome): ResultRow {
  const row = resultRow(2, { outcome });
  return { ...row, ...(row.state && { state: { ...row.state, submission } }) };
}

describe('a row whose final word comes by callback', () => {
  test('and is pending tells people to keep listening, and to resume when it has come', () => {
    const row = rowOf('airtime', 'pending');
    expect(whatHappened(row)).toMatch(
      /^The service has the payment and has not finished it\. Its final result comes by callback\./,
    );
    expect(whatToDo(row)).toBe('Keep "paybatch listen" running; when the callback has come, run "paybatch resume".');
  });

  test('and is in doubt is not to be paid again, and says whom to ask', () => {
    expect(whatToDo(rowOf('airtime', 'in-doubt'))).toBe(
      'Do not pay this row again. Keep "paybatch listen" running: should a callback come, "paybatch resume" takes its ' +
        'word. If none comes, ask the provider about the order id.',
    );
  });

  test('has the ordinary words for every other outcome', () => {
    for (const outcome of ['completed', 'rejected', 'failed', 'timed-out', 'unsent'] as const) {
      expect(whatToDo(rowOf('airtime', outcome))).toBe(outcomeTable[outcome].todo.replaceAll('`', '"'));
    }
  });
});

test.each(['payment-order', 'bill-payment'] as const)(
  'an order of %s that can be looked up is resumed',
  (submission) => {
    for (const outcome of ['pending', 'in-doubt'] as const) {
      const row = rowOf(submission, outcome);
      expect(whatToDo(row)).toBe(outcomeTable[outcome].todo.replaceAll('`', '"'));
      expect(whatHappened(row)).not.toContain('callback');
    }
  },
);

describe('a row that definitely failed, and that is not retried all the same', () => {
  const advice =
    'Ask the provider about it; if it is still owed then, pay it in a new sheet, under another batch name, without the rows that were paid.';

  test.each(['rejected', 'refused', 'failed'] as const)('because it was %s as often as a row may be', (outcome) => {
    const row = resultRow(2, { outcome });
    const tried = (attempt: number): ResultRow => ({ ...row, ...(row.state && { state: { ...row.state, attempt } }) });
    expect(whatToDo(tried(4))).toBe(outcomeTable[outcome].todo.replaceAll('`', '"'));
    expect(whatToDo(tried(5))).toBe(
      `No "paybatch retry" pays it again: it failed 5 times, which is the most. ${advice}`,
    );
  });

  test('because the service did not say itself that it failed, and nothing can be looked up', () => {
    expect(whatToDo(rowOf('airtime', 'refused'))).toBe(
      `No "paybatch retry" pays it again: the service itself did not say that the payment failed, and this cannot be proven. ${advice}`,
    );
  });

  test('because its people were deleted', () => {
    const row = resultRow(2, { outcome: 'failed' });
    if (!row.payout) throw new Error('nobody is paid');
    const payout = { ...row.payout, name: PURGED, destination: PURGED, payee: '' };
    expect(whatToDo({ ...row, payout })).toBe(
      `No "paybatch retry" pays it again: its name and its account were deleted. ${advice}`,
    );
  });
});

describe('a row that a ledger before this one may have paid', () => {
  test.each(['unsent', 'rejected', 'refused', 'failed'] as const)('and that reads %s waits for a resume', (outcome) => {
    const row = { ...resultRow(2, { outcome }), unconfirmed: true } as const;
    expect(whatHappened(row)).toContain(outcomeTable[outcome].says);
    expect(whatHappened(row)).toContain('one before it may have paid the row.');
    expect(whatToDo(row)).toBe(
      'Do not pay this row by other means before "paybatch resume" has found out whether it was paid.',
    );
  });
});

describe('a row that is not in its order as the service shows it', () => {
  const rowWith = (outcome: Outcome): ResultRow => {
    const row = resultRow(2, { outcome });
    const { report: _, ...line } = row.line ?? {};
    return { ...row, line: { ...line, phase: 'open', lacking: true } } as ResultRow;
  };

  test.each(['in-doubt', 'pending'] as const)('and is %s says so, and how it can be paid', (outcome) => {
    expect(whatHappened(rowWith(outcome))).toContain('The service shows its order, processed and without this row.');
    expect(whatToDo(rowWith(outcome))).toBe(
      'Ask the provider by the order id whether this row was part of the order. If it was not, record that with ' +
        '"paybatch resolve --not-paid"; "paybatch retry" then pays it in an order of its own.',
    );
  });

  test('and was resolved as not paid may be tried again', () => {
    expect(whatToDo(rowWith('failed'))).toBe(outcomeTable.failed.todo.replaceAll('`', '"'));
  });
});

describe('a row of which the service says what decides nothing', () => {
  const openRow = (report: Partial<LineReport>): ResultRow => {
    const row = resultRow(2, { outcome: 'rejected', report });
    return { ...row, outcome: 'in-doubt', ...(row.line && { line: { ...row.line, phase: 'open' } }) };
  };

  test('shows status and code, because one stands against the other', () => {
    const row = openRow({ resultCode: '22', resultText: '' });
    expect(whatHappened(row)).toContain(
      'The service says: Rejected, result code 22 (Partner timeout), which does not say whether it was paid.',
    );
    expect(whatToDo(row)).toMatch(/^Do not pay this row again\./);
  });

  test('tells that the id is held, where nothing else is known', () => {
    const row = openRow({});
    const { report: _, ...line } = row.line ?? {};
    const held = { ...row, line: { ...line, heldAt: 5 } } as ResultRow;
    expect(whatHappened(held)).toContain('The service says: it holds this order id already, and nothing more.');
  });
});

describe('a row that timed out', () => {
  const outcome = 'timed-out';

  test('with a receipt is said to have arrived most likely, and is not to be paid again', () => {
    const row = resultRow(2, { outcome, report: { receipt: 'TKQ1' } });
    expect(whatHappened(row)).toContain('there is a receipt (TKQ1): the money has most likely arrived');
    expect(whatToDo(row)).toMatch(/^Do not pay this row again: there is a receipt\./);
  });

  test('without one has the ordinary words', () => {
    const { receipt: _, ...report } = resultRow(2, { outcome }).line?.report ?? {};
    const row = resultRow(2, { outcome });
    const bare = { ...row, ...(row.line && { line: { ...row.line, report: report as LineReport } }) };
    expect(whatHappened(bare)).toContain(outcomeTable[outcome].says);
    expect(whatToDo(bare)).toBe(outcomeTable[outcome].todo.replaceAll('`', '"'));
  });
});

describe("a person's word about a row", () => {
  /** Still November in New York, December in Nairobi. */
  const at = Date.parse('2026-11-30T22:30:00Z');
  const said = { by: 'Jane', at, note: 'by phone' };

  test.each([
    ['Africa/Nairobi', '2026-12-01'],
    ['America/New_York', '2026-11-30'],
  ])('has the day of the clocks in %s, as the times beside it', (timezone, day) => {
    const { line, state, ...row } = resultRow(2, { outcome: 'failed' });
    const resolved = { ...row, ...(line && { line: { ...line, resolved: { ...said, paid: false, alarms: 0 } } }) };
    expect(happenedIn(resolved, timezone)).toContain(`Resolved by hand as not paid by Jane on ${day}: by phone.`);
    const rejected = { ...row, ...(state && { state: { ...state, rejectRequested: said } }) };
    expect(happenedIn(rejected, timezone)).toContain(`A stop of its order was requested by Jane on ${day}: by phone.`);
  });
});

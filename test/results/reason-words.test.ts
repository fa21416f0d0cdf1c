import { describe, expect, test } from 'vitest';
import type { ResultRow } from '../../src/domain/batch.ts';
import type { LineReport } from '../../src/domain/fact.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import { issue } from '../../src/domain/issue.ts';
import type { LinePhase } from '../../src/domain/order.ts';
import { isSetAside, type Outcome, outcomes, outcomeTable } from '../../src/domain/outcome.ts';
import { whatHappened as happenedIn, reasonOf, whatToDo } from '../../src/results/reason.ts';
import { issueFix, issueMessage } from '../../src/texts/issue-message.ts';
import { type RowChoice, resultRow } from '../support/result-rows.ts';

const ZONE = 'Africa/Nairobi';
const whatHappened = (row: ResultRow): string => happenedIn(row, ZONE);
const happened = (choice: RowChoice): string => whatHappened(resultRow(2, choice));

/** A row whose line stands otherwise than its outcome would have it. */
const inPhase = (phase: LinePhase, choice: RowChoice): ResultRow => {
  const { line, ...row } = resultRow(2, choice);
  return { ...row, ...(line && { line: { ...line, phase } }) };
};

describe('what happened', () => {
  test.each<[Outcome, string]>([
    ['completed', ''],
    ['rejected', 'The service rejected the order before it was paid. The service says: Declined by the customer.'],
    ['refused', 'The service did not accept the order. The service says: 400 phoneNumber is not valid.'],
    ['failed', 'The payment failed for good. The service says: Invalid credit account.'],
    [
      'timed-out',
      'The service stopped waiting for an answer; the money may still arrive. The service says: Timed Out.',
    ],
    [
      'in-doubt',
      'The final outcome of this payment is not known; it may have been made. The service says: ECONNRESET.',
    ],
    ['pending', 'The service has the payment and has not finished it. The service says: Pending.'],
    ['unsent', 'The order never left this computer.'],
  ])('to a row that is %s is said with what the service says of it', (outcome, words) => {
    expect(happened({ outcome, report: outcome === 'timed-out' ? { resultCode: '' } : {} })).toBe(words);
    expect(reasonOf(resultRow(2, { outcome, report: outcome === 'timed-out' ? { resultCode: '' } : {} }), ZONE)).toBe(
      words,
    );
  });

  test('is told in the words of the service, else by its code, else by its status', () => {
    const says = (report: Partial<LineReport>) =>
      happened({ outcome: 'failed', report }).split('The service says: ')[1];
    expect(says({ resultText: 'No such person!', resultCode: '6' })).toBe('No such person!');
    expect(says({ resultText: '  spaced ', resultCode: '6' })).toBe('spaced.');
    expect(says({ resultText: '', resultCode: '6' })).toBe('Invalid credit account.');
    expect(says({ resultText: '', resultCode: '', statusText: 'Failed' })).toBe('Failed.');
    expect(says({ resultText: '', resultCode: '', statusText: '' })).toBeUndefined();
    expect(says({ resultText: 'Why?' })).toBe('Why?');
    expect(says({ resultText: '  Stop. ' })).toBe('Stop.');
    expect(says({ resultText: 'Wait. Then try again' })).toBe('Wait. Then try again.');
  });

  test('shows status and code together only of a line that is open and has both', () => {
    const choice = { outcome: 'pending', report: { resultCode: '22', resultText: '', statusText: 'Queued' } } as const;
    const both = 'Queued, result code 22 (Partner timeout), which does not say whether it was paid.';
    expect(whatHappened(inPhase('open', choice))).toContain(both);
    expect(whatHappened(inPhase('failed', choice))).toContain('The service says: Partner timeout.');
    const noStatus = { ...choice, report: { ...choice.report, statusText: '' } };
    expect(whatHappened(inPhase('open', noStatus))).toContain('The service says: Partner timeout.');
    const noCode = { ...choice, report: { ...choice.report, resultCode: '' } };
    expect(whatHappened(inPhase('open', noCode))).toContain('The service says: Queued.');
  });

  test.each(['refused', 'failed', 'in-doubt', 'pending', 'unsent'] as const)(
    'to a row that is %s is said also where nothing is known of its order',
    (outcome) => {
      const { state: _, line: __, ...bare } = resultRow(2, { outcome });
      expect(whatHappened(bare)).toBe(outcomeTable[outcome].says);
      expect(whatToDo(bare)).toBe(outcomeTable[outcome].todo.replaceAll('`', '"'));
    },
  );

  test('prefers in doubt what the last report says to how the submission was answered', () => {
    const { line, ...row } = resultRow(2, { outcome: 'in-doubt' });
    const heard = { ...row, ...(line && { line: { ...line, heldAt: 1 } }) };
    expect(whatHappened(heard)).toContain('The service says: it holds this order id already, and nothing more.');
    const { answer: _, ...state } = row.state ?? ({} as never);
    expect(whatHappened({ ...row, state } as ResultRow)).toBe(outcomeTable['in-doubt'].says);
  });

  test.each(outcomes.filter((outcome) => !isSetAside(outcome)))(
    'to a row that is %s ends with its alarms',
    (outcome) => {
      const row = resultRow(2, { outcome, alarms: ['it was paid twice'] });
      expect(whatHappened({ ...row, earlierAlarms: ['and once before!'] })).toMatch(
        /(?:^|\. )ALARM: it was paid twice\. and once before!$/,
      );
    },
  );

  test('to a row that the sheet leaves out is why, and that its amount cannot be read where it cannot', () => {
    const held = resultRow(2, { outcome: 'left-out' });
    expect(whatHappened(held)).toBe('The sheet leaves this row out, so it was not sent. Reason: on leave.');
    expect(whatHappened({ ...held, leftOut: { reason: 'cash' } })).toMatch(
      /Reason: cash\. Its amount cannot be read\.$/,
    );
    expect(whatToDo(held)).toMatch(/in a sheet of its own, under another batch name: a batch is paid only once\.$/);
  });

  test('to a row that was set aside is every error at its cell, and no warning', () => {
    const error = issue('PB-PHONE-LENGTH', { row: 2, cell: 'C2', value: '07' }, { digits: 2, example: '0712 345 678' });
    const ofRow = issue('PB-NAME-MISSING', { row: 2 });
    const warning = { ...issue('PB-NAME-MISSING', { row: 2, cell: 'A2' }), level: 'warning' } as const;
    const row: ResultRow = { ...resultRow(2, { outcome: 'invalid' }), issues: [error, warning, ofRow] };
    expect(whatHappened(row)).toBe(`C2: ${issueMessage(error)}\n${issueMessage(ofRow)}`);
    expect(whatToDo(row)).toBe(`C2: ${issueFix(error)}\n${issueFix(ofRow)}`);
    expect(reasonOf(row, ZONE)).toBe(
      `C2: ${issueMessage(error)} ${issueFix(error)}\n${issueMessage(ofRow)} ${issueFix(ofRow)}`,
    );
    const bare: ResultRow = { ...row, issues: [warning] };
    expect(whatHappened(bare)).toBe(outcomeTable.invalid.says);
    expect(reasonOf(bare, ZONE)).toBe(outcomeTable.invalid.says);
    expect(whatToDo(bare)).toBe(outcomeTable.invalid.todo);
    expect(reasonOf({ ...resultRow(2, { outcome: 'failed' }), issues: [error] }, ZONE)).not.toContain('C2');
    expect(whatToDo({ ...resultRow(2, { outcome: 'unsent' }), issues: [error] })).toBe('Run "paybatch resume".');
  });
});

describe('a row that a later batch holds', () => {
  const later = { superseded: { batch: 'december' as BatchId } };

  test.each(['unsent', 'in-doubt', 'rejected', 'refused', 'failed'] as const)(
    'and is %s says which batch holds the payment',
    (outcome) => {
      expect(whatHappened({ ...resultRow(2, { outcome }), ...later })).toContain(
        ' It is not sent from here: batch december, planned later, holds the same payment.',
      );
      expect(whatHappened({ ...resultRow(2, { outcome }), superseded: {} })).toContain(
        ' It is not sent from here: it shares an order with a row that a later batch holds.',
      );
    },
  );

  test('says where to look, and how it may be paid once more', () => {
    expect(whatToDo({ ...resultRow(2, { outcome: 'unsent' }), ...later })).toBe(
      'See "paybatch status december"; if it failed there, "paybatch retry december". If it is owed again, pay it ' +
        'in a new sheet, with --allow-duplicate.',
    );
    expect(whatToDo({ ...resultRow(2, { outcome: 'failed' }), ...later })).toMatch(/^See "paybatch status december"/);
    expect(whatToDo({ ...resultRow(2, { outcome: 'unsent' }), superseded: {} })).toBe(
      'No "paybatch resume" sends it. If it is owed, pay it in a new sheet, with --allow-duplicate.',
    );
    expect(whatToDo({ ...resultRow(2, { outcome: 'in-doubt' }), ...later })).toContain('Run "paybatch resume"');
  });
});

describe("a person's word", () => {
  const at = Date.parse('2026-11-21T06:00:00Z');
  const by = 'Jane';

  test('says what was found out, and the receipt that was given', () => {
    const resolved = { paid: true, by, at, alarms: 0, receipt: 'R-1' };
    const saidOf = (receipt: string): string => {
      const { line, ...row } = inPhase('completed', { outcome: 'completed', report: { receipt } });
      return whatHappened({ ...row, ...(line && { line: { ...line, resolved } }) });
    };
    const said = 'Resolved by hand as paid, receipt R-1 by Jane on 2026-11-21.';
    for (const same of ['R-1', ' r-1']) expect(saidOf(same)).toBe(said);
    expect(saidOf('TKQ2')).toBe(`${said} The service shows another receipt: TKQ2.`);
  });

  test('stands alone where the service never said that the payment failed', () => {
    const resolved = { paid: false, by, at, alarms: 0, note: 'no money came!' };
    const { line, ...row } = inPhase('open', { outcome: 'failed', report: { resultCode: '', statusText: '' } });
    expect(whatHappened({ ...row, ...(line && { line: { ...line, resolved } }) })).toBe(
      'Resolved by hand as not paid by Jane on 2026-11-21: no money came!',
    );
    const { line: told, ...other } = resultRow(2, { outcome: 'failed' });
    expect(whatHappened({ ...other, ...(told && { line: { ...told, resolved } }) })).toMatch(
      /^The payment failed for good\. The service says: Invalid credit account\. Resolved by hand as not paid/,
    );
  });

  test('to stop an order is told until the row was paid', () => {
    const stopped = (outcome: Outcome): string => {
      const { state, ...row } = resultRow(2, { outcome });
      return whatHappened({ ...row, ...(state && { state: { ...state, rejectRequested: { by, at } } }) });
    };
    expect(stopped('pending')).toMatch(/ A stop of its order was requested by Jane on 2026-11-21\.$/);
    expect(stopped('completed')).toBe('');
  });
});

describe('what to do', () => {
  test('about a row that an earlier attempt may have paid goes before everything else', () => {
    const row = { ...resultRow(2, { outcome: 'failed' }), earlierAlarms: ['paid twice'], unconfirmed: true } as const;
    expect(whatToDo(row)).toBe(
      'Do not pay this row again. An earlier attempt at it may have been paid: ask the provider about it, and record ' +
        'the answer with "paybatch resolve".',
    );
  });

  test('about a time-out with a receipt is to have it confirmed', () => {
    expect(whatToDo(resultRow(2, { outcome: 'timed-out', report: { receipt: 'TK1' } }))).toBe(
      'Do not pay this row again: there is a receipt. Have the provider confirm it by the order id, and record the ' +
        'answer with "paybatch resolve".',
    );
  });

  test('about a time-out that a person resolved is nothing more, receipt or not', () => {
    expect(whatToDo(inPhase('timed-out', { outcome: 'completed', report: { receipt: 'TK1' } }))).toBe('Nothing.');
  });
});

import { describe, expect, test } from 'vitest';
import { TextReporter } from '../../../src/cli/screens/text-reporter.ts';
import { Fault } from '../../../src/domain/fault.ts';
import type { BatchId } from '../../../src/domain/ids.ts';
import { noOutcomes } from '../../../src/domain/outcome.ts';
import { endedBy, type RunEnd } from '../../../src/domain/run-end.ts';
import { amountIn } from '../../support/amounts.ts';
import { openPage, type Page, toned } from '../../support/desk/page.ts';

const batch = 'salaries' as BatchId;
const end: RunEnd = { exit: 0, counts: noOutcomes(), files: [] };

/** The page after a run has ended. */
function ended(how: RunEnd, seconds = 1, isTTY = false): Page {
  const page = openPage(isTTY);
  const reporter = new TextReporter(
    page.terminal,
    () => 0,
    () => 'en',
  );
  reporter.end(how, seconds);
  return page;
}

const said = (how: RunEnd, seconds?: number): readonly string[] => ended(how, seconds).says();

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
const amounts = { planned: amountIn('9000.1'), completed: amountIn('7000.2'), fees: amountIn('30.03') };

const askProvider =
  'Nothing more is sent. Ask the provider what became of these payments, then record the answer: paybatch resolve salaries --row N';

describe('the end of a run', () => {
  test('counts every outcome that there is, every row once, and says what was paid for what fees', () => {
    expect(said({ ...end, batch, counts, amounts })).toEqual([
      '',
      '  Completed                1',
      '  Rejected                 2',
      '  Refused                  3',
      '  Failed                   4',
      '  CHECK Timed out          5',
      '  CHECK In doubt           6',
      '  Pending                  7',
      '  Not sent                 8',
      '  Invalid                  9',
      '  Left out                10',
      '  Rows of the sheet       55',
      '',
      'Paid      KES 7,000.20 of KES 9,000.10, fees KES 30.03',
    ]);
    expect(said({ ...end, batch, counts: { ...noOutcomes(), failed: 2 }, amounts }).slice(0, 3)).toEqual([
      '',
      '  Failed                   2',
      '  Rows of the sheet        2',
    ]);
  });

  test('says what was paid too much, and whom to ask', () => {
    const overpaid = { rows: [3, 7], tooMuch: amountIn('2000.5') };
    expect(said({ ...end, exit: 11, batch, counts, amounts, overpaid }).slice(-2)).toEqual([
      'ALARM     The service shows more than was to be paid: KES 2,000.50 too much in rows 3, 7. Ask the provider to return it, and else the payees to pay it back; the worksheet Exceptions has the receipts.',
      `Next      ${askProvider}`,
    ]);
    expect(said({ ...end, exit: 11, batch, counts, amounts, overpaid: { ...overpaid, rows: [3] } }).at(-2)).toContain(
      'too much in row 3. Ask',
    );
  });

  test('names the batch of each alarm where several were paid', () => {
    const overpaid = { rows: [3], tooMuch: amountIn('2000.5') };
    const named = (id: string): RunEnd => ({ ...end, exit: 11, batch: id as BatchId });
    const lines = said({
      ...end,
      exit: 11,
      batches: [{ ...named('a'), overpaid }, named('b'), { ...named('c'), exit: 0 }],
    });
    expect(lines.filter((line) => line.startsWith('ALARM'))).toEqual([
      expect.stringContaining('KES 2,000.50 too much in row 3 of a. Ask'),
      'ALARM     The service contradicts the plan of b.',
    ]);
  });

  test('advises to let a run that is at work finish', () => {
    const atWork = { by: 'amina@desk: run', pid: 7, host: 'desk' };
    expect(said({ ...end, exit: 7, batch, counts, amounts, atWork }).at(-1)).toBe(
      'Next      Let that run finish. See how far it is: paybatch status salaries',
    );
    expect(said({ ...end, exit: 7, batch, counts, amounts }).at(-1)).toContain('paybatch resume salaries');
    expect(said({ ...end, exit: 130, batch, counts, amounts, atWork }).at(-1)).toContain('paybatch resume salaries');
  });

  test('paints every outcome as what it means', () => {
    const painted = ended({ ...end, batch, counts, amounts }, 1, true)
      .says()
      .map(toned);
    expect(painted.slice(1, 10).map((line) => /<(\w+)>(.*?)\s*<\/>/.exec(line)?.slice(1))).toEqual([
      ['green', 'Completed'],
      ['red', 'Rejected'],
      ['red', 'Refused'],
      ['red', 'Failed'],
      ['yellow', 'CHECK Timed out'],
      ['yellow', 'CHECK In doubt'],
      ['yellow', 'Pending'],
      ['dim', 'Not sent'],
      ['red', 'Invalid'],
    ]);
  });

  test('counts nothing where nothing was planned, or no sheet was read', () => {
    expect(said({ ...end, counts, amounts })).toEqual([]);
    expect(said({ ...end, batch, counts })).toEqual([]);
  });

  test('tells a fault with everything that was found, and what to do', () => {
    const fault = new Fault('usage', 'That is\u001b wrong.', 'Mend it.', { details: ['first\u0007', 'second'] });
    expect(said(endedBy(fault))).toEqual([
      'ERROR     That is<U+001B> wrong.',
      '          first<U+0007>',
      '          second',
      'Next      Mend it.',
    ]);
    expect(toned(ended(endedBy(fault), 1, true).says()[0] ?? '')).toBe('<red>ERROR</>     That is<U+001B> wrong.');
  });

  test('takes away the bar that is under way', () => {
    const page = openPage(true);
    const reporter = new TextReporter(
      page.terminal,
      () => 1000,
      () => 'en',
    );
    reporter.emit({ type: 'progress', done: 1, of: 2, waiting: 0, counts: noOutcomes(), failed: 0 });
    reporter.end(end, 1);
    expect(page.says().join('\n').endsWith('\r\u001b[2K\u001b[1A\u001b[2K')).toBe(true);
  });

  test('names its files and how long it took, and the paths alone for programs', () => {
    const files = [
      { kind: 'results', path: '/pay/a.xlsx' },
      { kind: 'log', path: '/pay/b\u0007.log' },
    ];
    const page = ended({ ...end, files }, 12.34);
    expect(page.says()).toEqual(['Results   /pay/a.xlsx', 'Log       /pay/b<U+0007>.log', 'Time      12.3 s']);
    expect(page.answers()).toEqual(['/pay/a.xlsx', '/pay/b\u0007.log']);
  });

  test('does not name its files twice before the same eyes', () => {
    const page = ended({ ...end, files: [{ kind: 'results', path: '/pay/a.xlsx' }] }, 1, true);
    expect(page.says().map(toned)[0]).toBe('Results   <bold>/pay/a.xlsx</>');
    expect(page.answers()).toEqual([]);
  });
});

describe('the advice', () => {
  const resume = 'Next      Everything is saved. Do not run the sheet again; continue with: paybatch resume salaries';
  const nextAfter = (exit: number, more: Partial<RunEnd['counts']>, how: Partial<RunEnd> = {}): string | undefined =>
    said({ ...end, exit, batch, counts: { ...noOutcomes(), ...more }, ...how }).at(-1);

  test.each([130, 143])('after exit %i is to resume the batch, and not to start the sheet again', (exit) => {
    expect(said({ ...end, exit, batch })).toEqual([resume]);
    expect(said({ ...end, exit })).toEqual([]);
  });

  test('after rows that are not final depends on who can tell more of them', () => {
    expect(nextAfter(7, { unsent: 1 })).toBe(resume);
    const pending = { ...end, exit: 7, batch, counts: { ...noOutcomes(), pending: 1 }, openRows: [4] };
    expect(said(pending).slice(-2)).toEqual([
      'Next      Row 4 may have been paid: do not pay it again.',
      '          The service has not finished all payments; look again later with: paybatch status salaries',
    ]);
  });

  test('after rows that were not paid is to try those again that failed, or to correct the others', () => {
    for (const failed of ['rejected', 'refused', 'failed'] as const) {
      expect(nextAfter(6, { [failed]: 1 })).toBe(
        'Next      Deal with the reasons, then pay the failed rows again: paybatch retry salaries',
      );
    }
    expect(nextAfter(6, { invalid: 1 })).toMatch(/^Next {6}Correct the rows that were set aside/);
    expect(nextAfter(6, { unsent: 1 }, { superseded: { rows: 1, batches: [] } })).toMatch(
      /^Next {6}The rows that were not sent are in a later batch/,
    );
  });

  test('after everything was paid is to keep the results, and none where a report alone was asked for', () => {
    const files = [{ kind: 'results', path: '/pay/a.xlsx' }];
    expect(nextAfter(0, { completed: 2 }, { files })).toBe(
      'Next      Nothing is left to do. Keep the results for the books.',
    );
    expect(nextAfter(0, { completed: 2 })).toBe('Next      Nothing is left to do. Every row was paid.');
    expect(nextAfter(0, { completed: 2, pending: 1 }, { files })).toBe('Time      1.0 s');
    expect(nextAfter(0, { completed: 2, 'left-out': 1 }, { files })).toMatch(
      /^Next {6}Every row that was to be paid was paid\./,
    );
  });

  test('after an alarm is to ask the provider', () => {
    expect(said({ ...end, exit: 11, batch })).toEqual([
      'ALARM     The service contradicts the plan.',
      `Next      ${askProvider}`,
    ]);
  });

  test('is that of the fault where one ended the command, unless the rows are graver', () => {
    const fault = new Fault('unreachable', 'Gone.', 'Check the network.');
    expect(said({ ...end, exit: 9, batch, fault })).toEqual(['ERROR     Gone.', 'Next      Check the network.']);
    expect(said({ ...end, exit: 11, batch, fault })).toEqual([
      'ERROR     Gone.',
      '          Check the network.',
      'ALARM     The service contradicts the plan.',
      `Next      ${askProvider}`,
    ]);
  });

  test('is what a command says of itself', () => {
    const next = { says: 'Nothing was sent. To pay:', command: 'paybatch run a.csv' };
    expect(said({ ...end, next })).toEqual(['Next      Nothing was sent. To pay: paybatch run a.csv']);
  });

  const files = [{ kind: 'checked', path: '/pay/my sheet.checked.xlsx' }];

  test('beside a checked copy is to correct it, and to run that', () => {
    const fault = new Fault('sheet-refused', 'Refused.', 'See the copy.');
    expect(said({ ...end, exit: 3, files, fault })).toEqual([
      'ERROR     Refused.',
      '          See the copy.',
      'Time      1.0 s',
      '',
      'A copy of your sheet with every problem marked:  /pay/my sheet.checked.xlsx',
      'Next      Correct the marked cells in the copy, then: paybatch run "/pay/my sheet.checked.xlsx"',
    ]);
  });

  test('beside a copy of a sheet that could be paid is only to look', () => {
    expect(said({ ...end, files })).toEqual([
      'Time      1.0 s',
      '',
      'A copy of your sheet with every problem marked:  /pay/my sheet.checked.xlsx',
      'Look at the marked cells. What you correct there, or leave, can be paid from the copy.',
    ]);
    expect(ended({ ...end, files }).answers()).toEqual(['/pay/my sheet.checked.xlsx']);
    expect(
      ended({ ...end, files }, 1, true)
        .says()
        .map(toned)[2],
    ).toContain('<bold>/pay/my sheet.checked.xlsx</>');
  });
});

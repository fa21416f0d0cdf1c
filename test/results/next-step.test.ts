/** What a person is told to do next, for the combinations of outcomes that a batch can end with. */
import { describe, expect, test } from 'vitest';
import { exitOfRows } from '../../src/domain/exit-code.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import { noOutcomes, type OutcomeCounts } from '../../src/domain/outcome.ts';
import type { RunEnd } from '../../src/domain/run-end.ts';
import { cellTextOf, nextStepOf } from '../../src/results/next-step.ts';

const batch = 'pay' as BatchId;

/** The next step, as a screen shows it, after an end with the exit code of its rows. */
function nextAfter(some: Partial<OutcomeCounts>, more: Partial<RunEnd> = {}): string | undefined {
  const counts = { ...noOutcomes(), completed: 5, ...some };
  const next = nextStepOf({ exit: exitOfRows({ counts, ...more }), batch, counts, files: [], ...more });
  return next && [...(next.before ?? []), next.says, ...(next.command ? [`-> ${next.command}`] : [])].join(' ');
}

const RESUME = 'Everything is saved. Do not run the sheet again; continue with: -> paybatch resume pay';
const RETRY = 'Deal with the reasons, then pay the failed rows again:';
const record = 'record the answer with `paybatch resolve pay --row N --paid RECEIPT` or `--not-paid --note TEXT`';
const ASK = `Ask the provider about what timed out, and ${record}; look again with:`;
const ASK_IN_DOUBT = `Ask the provider about what stays in doubt, and ${record}.`;
const ASK_BOTH = `Ask the provider about what timed out or stays in doubt, and ${record}.`;
const LOOK = 'The service has not finished all payments; look again later with:';
const CORRECT = 'Correct the rows that were set aside, and pay them in a sheet of their own, without the others.';
const LATER = 'The rows that were not sent are in a later batch; see that batch.';
const LEFT_OUT =
  'Rows that were left out go into a sheet of their own, with another batch name, once nothing holds them.';

describe('the next step', () => {
  test.each<[Partial<OutcomeCounts>, string]>([
    [{ rejected: 1 }, `${RETRY} -> paybatch retry pay`],
    [{ refused: 1 }, `${RETRY} -> paybatch retry pay`],
    [{ failed: 1 }, `${RETRY} -> paybatch retry pay`],
    [{ invalid: 1 }, CORRECT],
    [{ invalid: 1, failed: 1 }, `${CORRECT} ${RETRY} -> paybatch retry pay`],
    [{ invalid: 1, 'left-out': 2 }, `${CORRECT} ${LEFT_OUT}`],
    [{ 'left-out': 2, failed: 1 }, `${LEFT_OUT} ${RETRY} -> paybatch retry pay`],
  ])('after rows of which all is known: %j', (counts, says) => {
    expect(nextAfter(counts)).toBe(says);
  });

  test.each<[Partial<OutcomeCounts>, string]>([
    [{ 'timed-out': 2 }, `${ASK} -> paybatch status pay`],
    [{ 'timed-out': 1, pending: 1 }, `${ASK} -> paybatch status pay`],
    [{ pending: 2 }, `${LOOK} -> paybatch status pay`],
    [{ 'timed-out': 2, failed: 1 }, `${ASK} \`paybatch status pay\`. ${RETRY} -> paybatch retry pay`],
    [{ 'timed-out': 2, rejected: 1 }, `${ASK} \`paybatch status pay\`. ${RETRY} -> paybatch retry pay`],
    [{ pending: 2, refused: 1 }, `${LOOK} \`paybatch status pay\`. ${RETRY} -> paybatch retry pay`],
    [{ 'timed-out': 2, invalid: 1 }, `${CORRECT} ${ASK} -> paybatch status pay`],
    [{ 'in-doubt': 2 }, `${ASK_IN_DOUBT} ${RESUME}`],
    [{ 'in-doubt': 1, 'timed-out': 1 }, `${ASK_BOTH} ${RESUME}`],
    [{ 'in-doubt': 1, pending: 1 }, `${LOOK} \`paybatch status pay\`. ${ASK_IN_DOUBT} ${RESUME}`],
    [{ 'in-doubt': 2, failed: 1 }, `${ASK_IN_DOUBT} ${RETRY} \`paybatch retry pay\`. ${RESUME}`],
    [{ 'in-doubt': 1, 'timed-out': 1, failed: 1 }, `${ASK_BOTH} ${RETRY} \`paybatch retry pay\`. ${RESUME}`],
  ])('names the rows that must not be paid again, and says how the others are: %j', (counts, says) => {
    const forbidden = 'Rows 4, 9 may have been paid: do not pay them again.';
    expect(nextAfter(counts, { openRows: [4, 9] })).toBe(`${forbidden} ${says}`);
  });

  test.each<[Partial<OutcomeCounts>, Partial<RunEnd>]>([
    [{ unsent: 1 }, {}],
    // `retry` is refused while rows wait, and the end of the run says what is left.
    [{ unsent: 1, failed: 1, invalid: 1 }, {}],
    [{ unsent: 3 }, { superseded: { rows: 2, batches: [] } }],
    // Nothing that this ledger calls failed is certain.
    [{ failed: 1 }, { unconfirmed: 1 }],
    [
      { unsent: 2, failed: 1 },
      { unconfirmed: 3, superseded: { rows: 2, batches: [] } },
    ],
  ])('is a run, and nothing before it, where only a run can say more: %j %j', (counts, more) => {
    expect(nextAfter(counts, more)).toBe(RESUME);
  });

  test.each<Partial<OutcomeCounts>>([{ failed: 1 }, { unsent: 1 }, { invalid: 1, rejected: 2 }])(
    'is a new sheet where the people of the batch were deleted: %j',
    (counts) => {
      expect(nextAfter(counts, { purged: true })).toBe(
        'Its names, phones and accounts were deleted, so nothing of it can be sent again. Pay what is still owed in a new sheet, under its own batch name.',
      );
    },
  );

  test('still names the rows that must not be paid again before a run', () => {
    expect(nextAfter({ unsent: 1, 'timed-out': 1 }, { openRows: [7] })).toBe(
      `Row 7 may have been paid: do not pay it again. ${RESUME}`,
    );
    expect(nextAfter({ 'in-doubt': 1 }, { exit: 130, openRows: [7] })).toBe(
      `Row 7 may have been paid: do not pay it again. ${RESUME}`,
    );
    expect(nextAfter({ unsent: 1, failed: 1 }, { exit: 143 })).toBe(RESUME);
  });

  test('says of rows that a later batch holds where they are, beside what else is left', () => {
    const superseded = { rows: 2, batches: [] };
    expect(nextAfter({ unsent: 2 }, { superseded })).toBe(LATER);
    expect(nextAfter({ unsent: 2, failed: 1 }, { superseded })).toBe(`${LATER} ${RETRY} -> paybatch retry pay`);
    expect(nextAfter({ unsent: 2, pending: 1 }, { superseded, openRows: [3] })).toBe(
      `Row 3 may have been paid: do not pay it again. ${LATER} ${LOOK} -> paybatch status pay`,
    );
  });

  test('proposes no retry of rows that a later batch holds', () => {
    const elsewhere = 'Rows that failed and are in a later batch are tried again there; see that batch.';
    expect(nextAfter({ failed: 1, refused: 1 }, { failedElsewhere: 2 })).toBe(elsewhere);
    expect(nextAfter({ failed: 3 }, { failedElsewhere: 2 })).toBe(`${elsewhere} ${RETRY} -> paybatch retry pay`);
  });

  test('counts the rows beyond those that are named, and all of them where no row was read', () => {
    const some = { openRows: [2, 3, 4] };
    expect(nextAfter({ pending: 12 }, some)).toMatch(/^Rows 2, 3, 4 and 9 more may have been paid: do not pay them/);
    expect(nextAfter({ pending: 12 })).toMatch(/^12 rows may have been paid: do not pay them again\./);
    expect(nextAfter({ pending: 1 })).toMatch(/^1 row may have been paid: do not pay it again\./);
  });

  test('is to let a run finish that is at work, whatever the rows', () => {
    const atWork = { by: 'ann', pid: 7, host: 'desk' };
    expect(nextAfter({ 'timed-out': 1, failed: 1 }, { atWork })).toBe(
      'Let that run finish. See how far it is: -> paybatch status pay',
    );
  });

  test('is one text in a cell, with commands in quotation marks', () => {
    expect(cellTextOf({ says: 'Look with `paybatch status pay`. Then:', command: 'paybatch retry pay' })).toBe(
      'Look with "paybatch status pay". Then: paybatch retry pay',
    );
  });
});

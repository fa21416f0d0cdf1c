import { expect, test } from 'vitest';
import type { ResultRow } from '../../src/domain/batch.ts';
import type { RunEvent } from '../../src/domain/event.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import { whatHappened, whatToDo } from '../../src/results/reason.ts';
import { emitSentAhead, withSentAhead, withUnconfirmed } from '../../src/results/sent-ahead.ts';
import { everyOutcome, resultRow, sourceOf } from '../support/result-rows.ts';

const NOW = Date.UTC(2026, 10, 21, 6, 5);
const MINUTE = 60_000;

/** A row that was first sent so long after now. */
function sent(
  row: number,
  aheadMs: number,
  choice: Parameters<typeof resultRow>[1] = { outcome: 'in-doubt' },
): ResultRow {
  const { state, ...rest } = resultRow(row, choice);
  return { ...rest, ...(state && { state: { ...state, firstClaimedAt: NOW + aheadMs } }) };
}

async function* one(rows: readonly ResultRow[]): AsyncGenerator<readonly ResultRow[]> {
  yield rows;
}

async function messagesOf(...rows: readonly ResultRow[]): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  const ledger = { resultRows: () => one(rows) };
  const settings = { timezone: 'Africa/Nairobi' };
  await emitSentAhead(
    { id: 'm' as BatchId },
    { ledger, clock: { now: () => NOW }, settings, emit: (event) => events.push(event) },
  );
  return events;
}

test('rows in doubt that were sent later than now are told with both times and what to do', async () => {
  expect(await messagesOf(sent(2, 30 * MINUTE), sent(3, 120 * MINUTE), sent(4, -MINUTE))).toEqual([
    {
      type: 'notice',
      level: 'warning',
      code: 'clock-behind',
      message:
        'The clock of this computer says 2026-11-21 09:05 (Africa/Nairobi), and 2 rows in doubt (2, 3) were sent until 2026-11-21 11:05: the clock was set back since, or was ahead then. These rows are looked up, but not sent again until the clock has passed that time. Set the clock right (`paybatch doctor` compares it), then: `paybatch resume m`. If it is right, do so after 2026-11-21 11:05.',
    },
  ]);
});

test('of many, ten are named', async () => {
  const many = async (count: number) =>
    JSON.stringify(await messagesOf(...Array.from({ length: count }, (_, index) => sent(index + 2, 2 * MINUTE))));
  expect(await many(10)).toContain('(2, 3, 4, 5, 6, 7, 8, 9, 10, 11) were');
  expect(await many(11)).toContain('10, 11 …) were');
});

test.each([
  ['a clock that has caught up within a minute', sent(2, MINUTE)],
  ['a row that is not in doubt', sent(2, 5 * MINUTE, {})],
  ['a row that was never sent', resultRow(2, { outcome: 'unsent' })],
  ['a row that was set aside', resultRow(2, { outcome: 'invalid' })],
])('%s is told to nobody', async (_, row) => {
  expect(await messagesOf(row)).toEqual([]);
});

test('what is sent once at most does not wait for a clock', async () => {
  const { state, ...row } = sent(2, 5 * MINUTE);
  expect(await messagesOf({ ...row, ...(state && { state: { ...state, submission: 'airtime' as const } }) })).toEqual(
    [],
  );
});

test('the row says that it was the clock, and what to do', async () => {
  for await (const [row] of withSentAhead(one([sent(2, 5 * MINUTE)]), NOW)) {
    expect(row && whatHappened(row, 'Africa/Nairobi')).toContain(
      'It was sent by a clock that was ahead of the one of this computer now.',
    );
    expect(row && whatToDo(row)).toMatch(
      /^Do not pay this row again\. Set the clock of this computer right \("paybatch doctor" compares it\), then run "paybatch resume"/,
    );
  }
});

test('the rows that count as not paid are marked, in a ledger that may not know all, and no others', async () => {
  const source = sourceOf(everyOutcome(), {}, 4);
  const marked = new Map<string, boolean>();
  const blocks: number[] = [];
  for await (const block of withUnconfirmed(source.rows())) {
    blocks.push(block.length);
    for (const { outcome, unconfirmed = false } of block) marked.set(outcome, unconfirmed);
  }
  expect(blocks).toEqual([4, 4, 3]);
  expect(Object.fromEntries(marked)).toEqual({
    completed: false,
    rejected: true,
    refused: true,
    failed: true,
    'timed-out': false,
    'in-doubt': false,
    pending: false,
    unsent: true,
    invalid: false,
    'left-out': false,
  });
});

/**
 * Rows in doubt that were sent at a time that has not come yet: the clock of this computer was set back, or was ahead when they
 * were sent. Their age is unknown then, so `dispatch/decision.ts` never sends them again.
 */
import { type BatchHeader, marked, type ResultRow, type Tally } from '../domain/batch.ts';
import { type Clock, localTime } from '../domain/clock.ts';
import { agreeing, counted } from '../domain/counted.ts';
import type { Emit } from '../domain/event.ts';
import { isUnpaidAsKnown } from '../domain/outcome.ts';
import type { Settings } from '../domain/settings.ts';
import { protocols } from '../domain/submission.ts';
import type { LedgerQueries } from '../ledger/ledger.ts';

/** The most rows that the notice names. */
const NAMED_MAX = 10;

/** A clock that is off by less than this catches up before anyone could act, in milliseconds. */
const PASSING_MS = 60_000;

type Rows = AsyncIterable<readonly ResultRow[]>;

/** Yields the rows, and marks those that were sent later than `now`, in wall-clock milliseconds. */
export const withSentAhead = (rows: Rows, now: number): Rows =>
  marked(rows, (row) => {
    const sentAhead = aheadOf(row, now);
    return sentAhead === undefined ? row : { ...row, sentAhead };
  });

/** Returns when a row was sent if that is in the future. A send-once order is never sent again, so it does not wait for a clock. */
function aheadOf({ outcome, state }: ResultRow, now: number): number | undefined {
  if (outcome !== 'in-doubt' || !state || protocols[state.submission] === 'send-once') return undefined;
  const { firstClaimedAt = 0 } = state;
  return firstClaimedAt - now > PASSING_MS ? firstClaimedAt : undefined;
}

/** What `tellSentAhead` reads, and where it reports. */
export interface SentAheadDeps {
  readonly ledger: Pick<LedgerQueries, 'resultRows'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly settings: Pick<Settings, 'timezone'>;
  readonly emit: Emit;
}

/** Reports the rows of a batch that were sent at a time that has not come yet, with what to do; silent if there are none. */
export async function emitSentAhead(
  { id }: Pick<BatchHeader, 'id'>,
  { ledger, clock, settings, emit }: SentAheadDeps,
): Promise<void> {
  const [now, { timezone }] = [clock.now(), settings];
  const found: { readonly row: number; readonly at: number }[] = [];
  for await (const block of withSentAhead(ledger.resultRows(id), now)) {
    for (const { row, sentAhead } of block) if (sentAhead !== undefined) found.push({ row, at: sentAhead });
  }
  if (found.length === 0) return;
  const latest = localTime(Math.max(...found.map(({ at }) => at)), timezone);
  const named = found.slice(0, NAMED_MAX).map(({ row }) => row);
  const which = `${named.join(', ')}${found.length > named.length ? ' …' : ''}`;
  emit({
    type: 'notice',
    level: 'warning',
    code: 'clock-behind',
    message:
      `The clock of this computer says ${localTime(now, timezone)} (${timezone}), and ${counted(found.length, 'row')} in doubt ` +
      `(${which}) ${agreeing(found.length, 'was', 'were')} sent until ${latest}: the clock was set back since, or was ahead then. ` +
      `${agreeing(found.length, 'This row is', 'These rows are')} looked up, but not sent again until the clock has passed that time. Set the clock right (\`paybatch doctor\` compares it), then: \`paybatch resume ${id}\`. If it is right, do so after ${latest}.`,
  });
}

/**
 * Returns how many rows count as not paid only as far as this ledger knows: if it is in recovery, an earlier ledger may have
 * paid them.
 */
export const unpaidAsKnown = (tallies: readonly Pick<Tally, 'outcome' | 'count'>[]): number =>
  tallies.reduce((sum, { outcome, count }) => (isUnpaidAsKnown(outcome) ? sum + count : sum), 0);

/** What marks rows in addition to their facts. */
export interface Marks {
  /** Wall-clock milliseconds. */
  readonly now: number;
  /** Whether an earlier ledger may have paid the rows that count as not paid. */
  readonly inRecovery: boolean;
}

/** Yields the rows with the marks that no fact holds: sent in the future, and maybe paid by an earlier ledger. */
export const withMarks = (rows: Rows, { now, inRecovery }: Marks): Rows =>
  inRecovery ? withUnconfirmed(withSentAhead(rows, now)) : withSentAhead(rows, now);

/** Yields the rows of a batch whose ledger is in recovery, and marks those that an earlier ledger may have paid. */
export const withUnconfirmed = (rows: Rows): Rows =>
  marked(rows, (row) => (isUnpaidAsKnown(row.outcome) ? { ...row, unconfirmed: true } : row));

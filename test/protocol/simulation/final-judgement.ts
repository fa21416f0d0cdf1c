/** What must hold when faults have stopped, time has passed and the batch was resumed on a healthy service. */

import { isDefiniteFailure, type Outcome } from '../../../src/domain/outcome.ts';
import { type Case, factsOf, type ReportedRow, reportOf } from './judge.ts';
import { statesIn } from './moves.ts';
import type { RunEndings } from './real-run.ts';
import { fateOf, type RowFate } from './world.ts';

/** Outcomes with which a row may end, by what the service did with it. */
const endings: Readonly<Record<RowFate['end'], readonly string[]>> = {
  completed: ['completed'],
  'late-completion': ['completed'],
  rejected: ['rejected'],
  failed: ['failed'],
  'timed-out': ['timed-out'],
  stuck: ['in-doubt', 'pending'],
  refused: ['refused'],
};

/** How the runs of a batch came to their end. */
export interface RunsEnd {
  /** Sending had to stop for good. */
  readonly alarmed: boolean;
  /** Wall-clock time at which the last run began. */
  readonly lastRunAtMs: number;
}

interface Found extends RunsEnd {
  /** Orders on record with an alarm. */
  readonly alarmedOrders: ReadonlySet<string>;
}

/** Every row has the one outcome that the service's own books allow. */
export function judgeEnd(c: Case, end: RunsEnd): void {
  const reported = new Map(reportOf(c.disk).map((row) => [row.row, row]));
  const states = [...statesIn(factsOf(c.disk)).values()];
  const found: Found = {
    ...end,
    alarmedOrders: new Set(states.flatMap(({ id, alarms }) => (alarms.length > 0 ? [id] : []))),
  };
  for (const [index, known] of c.batch.rows.entries()) {
    const row = reported.get(known.row);
    const attempt = known.attempts.findIndex(({ order }) => order === row?.order) + 1;
    const fate = fateOf(c.world, index, attempt);
    if (!row?.order || !fate) continue;
    // What somebody stopped before it paid ends so, whatever would have become of it.
    const stopped = c.service.isWithdrawn(row.order, index);
    judgeRow(c, row, row.order, stopped ? { ...fate, end: 'rejected' } : fate, found);
  }
}

function judgeRow(c: Case, row: ReportedRow, order: string, fate: RowFate, end: Found): void {
  const { witness, service } = c;
  const { alarmed, alarmedOrders } = end;
  if (hasResolvedRow(c, order)) return;
  const name = `row ${row.row} (${order.slice(0, 8)})`;
  if (readsUnpaid(c, row) && !mayBeUntold(c, alarmed)) {
    witness.violated('M5', `${name} is paid and reads ${row.outcome}, after the ledger was lost`);
  }
  const taken = service.timesTaken(order) > 0;
  const fates = fatesOf(c, order);
  const lied = fates.some((one) => one?.lie !== undefined);
  if (sawContradiction(c, order) && !alarmedOrders.has(order)) {
    witness.violated('M4', `${name}: the service contradicts the plan and no alarm is raised`);
  }
  if (lied || row.outcome === 'invalid' || mayBeHeldBack(c, row.outcome, alarmed)) return;
  if (taken ? alarmedOrders.has(order) || mayStayOpen(c, order, fates) : mayNeverArrive(c, order, end)) return;
  if (!taken && row.outcome === 'refused') return;
  if (!taken && !fates.some((one) => one?.end === 'refused')) {
    witness.violated('M18', `${name} never reached the service and reads ${row.outcome}`);
    return;
  }
  const expected = taken ? endings[fate.end] : endings.refused;
  if (!expected.includes(row.outcome)) {
    witness.violated('M18', `${name} ends as ${row.outcome}, and the service says ${fate.end}`);
  }
}

/** A run that vouches for what it says knows of every row that was paid, whatever was lost before. */
export function judgeVouched(c: Case, { alarms, unconfirmed }: RunEndings, report: readonly ReportedRow[]): void {
  if (unconfirmed > 0 || mayBeUntold(c, alarms.length > 0)) return;
  for (const row of report) {
    if (!readsUnpaid(c, row) || hasResolvedRow(c, row.order ?? '')) continue;
    c.witness.violated('M5', `row ${row.row} is paid and reads ${row.outcome}, and nothing says that it may be`);
  }
}

/** Paid under whatever id, and on record as one that may be paid again. */
const readsUnpaid = ({ batch, service }: Case, { row, outcome }: ReportedRow): boolean =>
  isDefiniteFailure(outcome as Outcome) && // the report holds outcomes
  service.payments().some((payment) => batch.rows[payment.row]?.row === row);

/** What a lost ledger did later cannot be asked for, or the operator was told that it is not clear. */
function mayBeUntold({ world, traffic }: Case, alarmed: boolean): boolean {
  const { readLagMs, unknownForm } = world.service;
  if (readLagMs > world.settings.inDoubt.quietMs || unknownForm === 'none') return true;
  return traffic.isBeyondTelling || (alarmed && traffic.ledgerWasReplaced);
}

/** What becomes of each line of an order. */
const fatesOf = ({ batch, world }: Case, order: string): readonly (RowFate | undefined)[] =>
  batch.rows.flatMap(({ attempts }, index) =>
    attempts.flatMap((one, before) => (one.order === order ? [fateOf(world, index, before + 1)] : [])),
  );

/** A person spoke on a row of the order: it is never sent again, so its other rows wait for a person, too. */
const hasResolvedRow = ({ batch, witness }: Case, order: string): boolean =>
  batch.rows.some(({ row, attempts }) => witness.resolvedRows.has(row) && attempts.some((one) => one.order === order));

/** Rightly neither sent nor found out, whatever became of it. */
function mayBeHeldBack({ world, traffic }: Case, outcome: string, alarmed: boolean): boolean {
  // What cannot be looked up stays as open as it is; only what never left may have to wait.
  if (world.submission === 'airtime') return outcome !== 'unsent' || alarmed || traffic.filesWereReplaced;
  // A service that cannot say "unknown", or says it of what it has taken, can never show that a ledger in recovery has sent nothing.
  const wasDoubted = !world.machine.usedBefore || traffic.filesWereReplaced || traffic.isBehind;
  const { unknownForm, readLagMs } = world.service;
  const isMute = unknownForm === 'none' || readLagMs > world.settings.inDoubt.quietMs;
  if (isMute && wasDoubted && outcome === 'unsent') return true;
  // A new ledger that met an alarm sends nothing, and so finds nothing of what the old one sent.
  return alarmed && traffic.ledgerWasReplaced;
}

/** The last look-up of a run that nothing disturbed found a contradiction: it was heard, and it was recorded. */
const sawContradiction = ({ traffic }: Case, order: string): boolean =>
  traffic.looks.get(order)?.findLast(({ endedAtMs }) => endedAtMs !== undefined)?.means === 'contradiction' &&
  !traffic.ledgerWasReplaced;

/** Taken, and yet no last word can be had of it. */
function mayStayOpen(c: Case, order: string, fates: readonly (RowFate | undefined)[]): boolean {
  if (c.service.hides(order)) return true;
  const { readLagMs } = c.world.service;
  if (readLagMs > c.world.settings.inDoubt.quietMs) return true;
  // One line without an end keeps the record open, and with it lines that only a finished record can fail.
  return fates.length > 1 && fates.some((fate) => fate?.end === 'stuck');
}

/** Never taken, and rightly given up. */
function mayNeverArrive(c: Case, order: string, { alarmed, lastRunAtMs }: RunsEnd): boolean {
  if (alarmed) return true;
  const { resend, maxResends, maxAgeMs } = c.world.settings.inDoubt;
  const claims = c.disk.rows(
    `SELECT happened_at FROM fact WHERE position = (SELECT position FROM pay_order WHERE id = ?) AND type = 'order-claimed' ORDER BY seq`,
    [order],
  );
  if (claims.length === 0) return false;
  const firstAtMs = Number(claims[0]?.['happened_at']);
  const tooOld = c.traffic.wallSpanMs(firstAtMs) > maxAgeMs;
  // The clock was set back since: nobody knows how old the first submission is before that clock has caught up.
  if (firstAtMs > lastRunAtMs) return true;
  return resend === 'never' || claims.length > maxResends || c.world.service.unknownForm === 'none' || tooOld;
}

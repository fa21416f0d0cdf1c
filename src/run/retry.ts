/**
 * Another attempt at rows that failed definitely: new orders for the same payouts in the same batch, priced, confirmed and
 * recorded like a separate run. Nothing else gives a row a new order id.
 */

import { ROWS_INSTEAD, requireApprovals } from '../approval/require-approvals.ts';
import { plannedCanary } from '../batch/batch-header.ts';
import { originLineOf, originOf } from '../batch/order-origin.ts';
import { nextAttempt, otherOrders } from '../batch/other-orders.ts';
import { isSendOnce } from '../dispatch/decision.ts';
import { AskAgain, type Asked } from '../dispatch/look-up.ts';
import { Attempts } from '../dispatch/other-rows.ts';
import type { BatchHeader, PlannedOrder, ResultRow } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import { counted } from '../domain/counted.ts';
import type { Fact } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import { invariant } from '../domain/invariant.ts';
import { decimalOf } from '../domain/money.ts';
import { type LineState, openAlarms, outcomeOfLine } from '../domain/order.ts';
import { phaseSaid } from '../domain/order-line.ts';
import { isDefiniteFailure } from '../domain/outcome.ts';
import { requireQuiet } from '../domain/quiet-time.ts';
import { retryRefusal } from '../domain/retry-refusal.ts';
import { type RunEnd, unsentIn } from '../domain/run-end.ts';
import { stoppedFault } from '../ledger/batch-stops.ts';
import type { LedgerQueries, StoredOrder } from '../ledger/ledger.ts';
import { paidSince } from '../preflight/duplicates/paid-since.ts';
import { requireNotSuperseded } from '../preflight/duplicates/superseded-rows.ts';
import { requireBalance } from '../preflight/funds.ts';
import { requireNoneLostSince } from '../preflight/ledger-in-recovery.ts';
import { type Preflight, preflight } from '../preflight/preflight.ts';
import { requireResultsFolder } from '../results/file-name.ts';
import { requireHeadings } from '../results/group-by.ts';
import { knownEnd } from '../results/run-end.ts';
import { unsettled } from '../service/submissions/order-body.ts';
import { openStaging } from '../staging/staging.ts';
import { resumeBatch } from './paybatch.ts';
import type { RunDeps } from './run-deps.ts';

interface RetryRequest {
  /** Rows of the sheet; empty: every row that may be tried again. */
  readonly rows: readonly number[];
  readonly outFolder?: string;
}

/** The part of a run's dependencies that planning another attempt needs. */
type AttemptDeps = Pick<
  RunDeps,
  'ledger' | 'settings' | 'client' | 'emit' | 'confirm' | 'clock' | 'random' | 'maker' | 'signal'
>;

/**
 * Tries rows again that failed definitely. If anything forbids another attempt, nothing is planned or sent, and the returned
 * end has the Fault.
 */
export async function retryBatch(batch: BatchHeader, request: RetryRequest, deps: RunDeps): Promise<RunEnd> {
  try {
    requireQuiet(deps.settings);
    requireHeadings(deps.groupBy ?? [], batch.sheet.headings);
    await requireResultsFolder(batch, request.outFolder);
    // The lease of planning keeps other processes from planning a batch that takes over these rows while a person confirms
    // them.
    await deps.ledger.takeLease();
    await deps.ledger.takeLease(batch.id);
    await planAttempts(batch, request.rows, deps);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ...(await knownEnd(batch, deps.ledger)), exit: error.exit, fault: error };
  }
  return resumeBatch(batch, deps, request.outFolder);
}

/**
 * Records another attempt at rows that failed definitely: at all of them, or at none. The caller holds the leases of planning
 * and of the batch. Throws a Fault that says what forbids the attempt.
 */
export async function planAttempts(batch: BatchHeader, rows: readonly number[], deps: AttemptDeps): Promise<void> {
  const { ledger, settings, emit, confirm, clock, maker } = deps;
  await requireBatch(batch, deps);
  const chosen = await chosenRows(batch, rows, deps);
  const ask = new AskAgain(deps, {
    concurrency: settings.sending.concurrency,
    quietMs: settings.inDoubt.quietMs,
  });
  await askAboutAll(batch, chosen, ask, ledger);
  const failed = await Promise.all(chosen.map((row) => attemptOf(batch, row, ledger)));
  const staging = openStaging();
  try {
    staging.add(
      failed.map(({ row, payout, made }) => ({ row, payout, draft: unsettled(made.draft), texts: [], issues: [] })),
    );
    const terms = await preflight(staging, batch.currency, deps);
    emit({ type: 'statement', statement: terms.statement });
    await requireApprovals({ amount: terms.statement.total, instead: ROWS_INSTEAD }, deps);
    requireBalance(terms.statement);
    const orders = ordersOf(batch, failed, terms);
    await requireUnknown(batch, failed, ask, clock);
    const confirmation = await confirm(terms.statement);
    if (deps.signal.aborted) throw new Fault('interrupted', 'Stopped. Nothing was sent.', 'Run it again.');
    const { count, total } = terms.statement;
    const summed = { count, total: decimalOf(total), maker, confirmation, ...plannedCanary(deps) };
    const attempts = failed.map((one, index) => {
      const order = orders[index];
      invariant(order, 'every failed row has a new order');
      return { order, charge: terms.chargeOf(one.payout), replaced: { order: one.stored, trace: one.trace } };
    });
    const fact = { type: 'retry-planned', batch: batch.id, at: clock.now(), ...summed } as const;
    await ledger.planRetry({ batch: batch.id, fact, attempts });
    emit({ type: 'batch.planned', batch: batch.id, payouts: count });
  } finally {
    staging.close();
  }
}

/**
 * Throws a Fault if the batch was purged, is stopped, has an open alarm, or has unsent rows that a run would send: the run that
 * follows must send only what is confirmed now. Superseded rows do not count, because no run sends them. Throws one as well while
 * a later batch is lost.
 */
async function requireBatch(batch: BatchHeader, deps: AttemptDeps): Promise<void> {
  const { ledger } = deps;
  await ledger.requireKept(batch.id);
  await requireNoneLostSince(batch, deps);
  const stop = await ledger.stopOf(batch.id);
  if (stop) throw stoppedFault(stop);
  const [alarm] = await ledger.alarms(batch.id);
  if (alarm !== undefined) throw alarmed(alarm);
  const unsent = unsentIn(await ledger.tallies(batch.id));
  const waiting = unsent.rows - unsent.superseded;
  if (waiting === 0) return;
  throw new Fault(
    'usage',
    `${counted(waiting, 'row of the batch was', 'rows of the batch were')} never sent. Nothing was tried again.`,
    `Send them first: \`paybatch resume ${batch.id}\`.`,
  );
}

const alarmed = (reason: string): Fault =>
  new Fault(
    'alarm',
    `The service contradicts the plan: ${reason}. Nothing was tried again.`,
    'Ask the provider, then record the answer with `paybatch resolve`. Earlier results do not show it: `paybatch report` writes them again.',
  );

/** Returns the rows to try again. Rows whose person another batch pays are left out with a notice, unless they are named. */
async function chosenRows(batch: BatchHeader, rows: readonly number[], deps: AttemptDeps) {
  const { emit } = deps;
  const areNamed = rows.length > 0;
  const found = areNamed ? await namedRows(batch, rows, deps) : await failedRows(batch, deps);
  const free = found.filter(({ line }) => line?.supersededBy === undefined);
  if (areNamed || free.length === 0) await requireNotSuperseded(found, deps);
  const warn = (message: string): void => emit({ type: 'notice', level: 'warning', message });
  for (const { row, line } of found) {
    if (line?.supersededBy !== undefined)
      warn(`Row ${row} is not tried again: batch ${line.supersededBy}, planned later, holds the same payment.`);
  }
  const since = await paidSince(batch, free, deps);
  for (const [row, id] of since) {
    const paid = `batch ${id} has paid the same person since, or may have`;
    warn(
      areNamed
        ? `Row ${row}: ${paid}.`
        : `Row ${row} is not tried again: ${paid}. If both payments are due, name the row: --row ${row}.`,
    );
  }
  const chosen = areNamed ? free : free.filter(({ row }) => !since.has(row));
  if (chosen.length > 0) return chosen;
  throw new Fault(
    'usage',
    'No row of the batch can be tried again. Nothing was sent.',
    `See \`paybatch report ${batch.id}\`.`,
  );
}

/** Returns the rows with these numbers. Throws a Fault `usage` if one of them must not be tried again. */
async function namedRows(batch: BatchHeader, rows: readonly number[], { ledger }: AttemptDeps) {
  const found: ResultRow[] = [];
  for (const number of new Set(rows)) {
    const row = await ledger.findRow(batch.id, number);
    const why = row ? retryRefusal(row) : 'it is not in the batch';
    if (why !== undefined) {
      throw new Fault(
        'usage',
        `Row ${number} cannot be tried again: ${why}. Nothing was sent.`,
        'Name rows that were rejected or refused, or that failed.',
      );
    }
    if (row) found.push(row);
  }
  return found.toSorted((a, b) => a.row - b.row);
}

/** Returns all rows that failed and may be tried again, and reports which may not. */
async function failedRows(batch: BatchHeader, { ledger, emit }: AttemptDeps) {
  const found: ResultRow[] = [];
  for await (const block of ledger.resultRows(batch.id)) {
    for (const row of block) {
      if (!isDefiniteFailure(row.outcome)) continue;
      const why = retryRefusal(row);
      if (why === undefined) found.push(row);
      else emit({ type: 'notice', level: 'warning', message: `Row ${row.row} is not tried again: ${why}.` });
    }
  }
  return found;
}

/**
 * Asks the service about every order that was ever made for the rows. Throws a Fault `preflight-refused` unless the service
 * confirms now that each of them paid nothing, and a Fault `alarm` if its answers contradict the plan.
 */
async function askAboutAll(
  batch: BatchHeader,
  rows: readonly ResultRow[],
  ask: AskAgain,
  ledger: LedgerQueries,
): Promise<void> {
  const orders = new Map<number, StoredOrder>();
  for (const { row, order: id } of rows) {
    for (let next = id; next !== undefined; ) {
      const order = await ledger.findOrder(batch.id, next);
      invariant(order, 'the ledger keeps every order');
      orders.set(order.position, order);
      next = order.state.lines.find((line) => line.row === row)?.replaces;
    }
  }
  const asked = await ask.about([...orders.values()]);
  const alarms = await ledger.alarms(batch.id);
  const [alarm] = alarms;
  if (alarm !== undefined) throw alarmed(alarm);
  const chosen = new Set(rows.map(({ row }) => row));
  for (const one of asked) requireFailed(one, chosen);
}

function requireFailed({ order: { state }, result, facts }: Asked, chosen: ReadonlySet<number>): void {
  invariant(openAlarms(state).length === 0, 'an alarm was seen before');
  for (const line of state.lines) {
    if (!chosen.has(line.row)) continue;
    const isProven =
      line.phase === 'rejected' || line.phase === 'failed'
        ? result === 'nobody' || saysAgain(facts, line)
        : result === 'unknown' || (result === 'found' && line.resolved !== undefined);
    if (isProven && isDefiniteFailure(outcomeOfLine(state, line))) continue;
    throw new Fault(
      'preflight-refused',
      `The service does not confirm now that row ${line.row} was not paid (order ${state.id}). Nothing was tried again.`,
      'Try later, or name other rows with --row.',
    );
  }
}

/**
 * Reports whether the service now states the same failure of a line as before. A record that says less (pending, or that the id
 * is held) revokes nothing, but is not a reason to pay again either.
 */
const saysAgain = (facts: readonly Fact[], { trace, phase }: LineState): boolean =>
  facts.some(
    (fact) =>
      fact.type === 'order-observed' &&
      fact.lines.some((report) => report.trace === trace && phaseSaid(report, fact.processed) === phase),
  );

/**
 * Throws a Fault `preflight-refused` if the service holds, or may hold, another order of one of the rows. A lost ledger may
 * have made the next attempt, or a later one if that was refused.
 */
async function requireUnknown(
  batch: BatchHeader,
  failed: readonly FailedRow[],
  ask: AskAgain,
  clock: Clock,
): Promise<void> {
  const attempts = new Attempts({
    clock,
    otherOrdersOf: (attempt) => otherOrders(attempt, batch),
    resultOf: async (state, body) => {
      const result = await ask.resultOf(state, body);
      // For a send-once submission, only a record that is found proves anything.
      return isSendOnce(state) && result.seen === 'unclear' ? { seen: 'unknown', facts: [] } : result;
    },
  });
  const others = await Promise.all(failed.map(({ row, stored }) => attempts.after(stored, row, 'all')));
  for (const [index, { row }] of failed.entries()) {
    const one = others[index];
    if (!one || one.seen === 'unknown') continue;
    const { id, attempt } = one.order;
    throw new Fault(
      'preflight-refused',
      one.seen === 'found'
        ? `The service holds attempt ${attempt} at row ${row} already (order ${id}), and this ledger does not. Nothing was sent.`
        : `The service does not say whether it holds attempt ${attempt} at row ${row} already. Nothing was sent.`,
      `If this ledger was restored from an older copy, \`paybatch resume ${batch.id}\` takes over the attempt. Otherwise ask the provider about the order id first.`,
    );
  }
}

type FailedRow = Awaited<ReturnType<typeof attemptOf>>;

/** Reads a failed row and its order again, after the service was asked. */
async function attemptOf(batch: BatchHeader, { row }: ResultRow, ledger: LedgerQueries) {
  const found = await ledger.findRow(batch.id, row);
  const stored = found?.order && (await ledger.findOrder(batch.id, found.order));
  invariant(stored && found.payout && found.trace, 'a row that failed has a payout and an order');
  const { payout, trace } = found;
  const { id: order, attempt } = stored.state;
  return { row, payout, order, trace, attempt, stored, made: originLineOf(originOf(stored, batch), stored, row) };
}

function ordersOf(batch: BatchHeader, failed: readonly FailedRow[], terms: Preflight): readonly PlannedOrder[] {
  const notes = `${batch.organisation} ${batch.id}`;
  return failed.map((one) => nextAttempt(one, batch, { ...terms, notes }));
}

/**
 * A person's statement about a row for which the service gives no final outcome. It is recorded next to what the service
 * says, never instead of it, and nothing is sent.
 */
import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import type { Fact, Said } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import { withoutOrder } from '../domain/left-out.ts';
import { add, type Money } from '../domain/money.ts';
import {
  hasResolvedLine,
  isSuperseded,
  type LineState,
  neverTransmitted,
  type OrderState,
  openAlarms,
  outcomeOfLine,
} from '../domain/order.ts';
import { contradicts, lateReceipt } from '../domain/order-line.ts';
import { isOpen, outcomeTable } from '../domain/outcome.ts';
import type { Ledger, LedgerQueries, StoredOrder } from '../ledger/ledger.ts';
import { isSendOnce } from './decision.ts';

/** What the person says about a row. */
interface Verdict {
  readonly row: number;
  readonly paid: boolean;
  /** Present if `paid`. */
  readonly receipt?: string;
  readonly note?: string;
  /** User and machine. */
  readonly by: string;
}

export interface ResolveDeps {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Has a person confirm the amount of the row; throws a Fault if it is not confirmed. */
  readonly confirm: (amount: Money) => Promise<void>;
}

/** Records the statement in every order of the row that it concerns. Fault `usage` if the row is not open to it. */
export async function resolveRow(batch: BatchHeader, verdict: Verdict, deps: ResolveDeps): Promise<void> {
  const { ledger, clock, confirm } = deps;
  await ledger.requireKept(batch.id);
  const [first] = await concerned(batch, verdict, ledger);
  if (!first) throw notOpen(verdict.row, withoutOrder(await ledger.findRow(batch.id, verdict.row)));
  await confirm(first.line.amount);
  await ledger.takeLease(batch.id);
  // Read again under the lease: the service may have said more while the person was typing.
  const about = await concerned(batch, verdict, ledger);
  const { row, ...said } = verdict;
  const at = clock.now();
  const steps = about.map(({ order, line }) => {
    const fact: Fact = { type: 'order-resolved', order: order.state.id, at, trace: line.trace, ...said };
    return { order, facts: [fact], dueAt: null };
  });
  await ledger.record(steps);
}

interface Concerned {
  readonly order: StoredOrder;
  readonly line: LineState;
}

/** Returns the order that pays the row now, and every other order of the row that has an open alarm. */
async function concerned(
  { id }: BatchHeader,
  { row, paid }: Verdict,
  ledger: LedgerQueries,
): Promise<readonly Concerned[]> {
  const { found, current } = await namedRow(id, row, ledger);
  const alarmed = (await ledger.alarmedOrders(id)).filter(({ state }) => state.lines.some((line) => line.row === row));
  const others = alarmed.filter(({ position }) => position !== current?.position);
  const all = [...(current ? [current] : []), ...others].flatMap((order) => {
    const line = order.state.lines.find((one) => one.row === row);
    return line ? [{ order, line }] : [];
  });
  const why = all.length > 0 && others.length === 0 ? closedBecause(found, all[0]) : undefined;
  if (why !== undefined) throw notOpen(row, why);
  // A row is paid if one attempt paid it, no matter what became of the others; it is not paid if none did.
  const agreeing = all.filter(({ line }) => !contradicts(line, paid));
  const against = all.find(({ line }) => contradicts(line, paid));
  if (against && (!paid || agreeing.length === 0)) {
    throw notOpen(row, `the service itself says that it is ${against.line.phase}`);
  }
  const receipt = paid ? undefined : all.map(({ line }) => lateReceipt(line)).find((one) => one !== undefined);
  if (receipt !== undefined) throw notOpen(row, `the service gave the receipt ${receipt}, so it was most likely paid`);
  return agreeing;
}

/** Returns the row, and the order that pays it now, if there is one. Fault `usage` if there is no such row. */
async function namedRow(id: BatchId, row: number, ledger: LedgerQueries) {
  const found = await ledger.findRow(id, row);
  if (!found) throw new Fault('usage', `There is no row ${row} in batch ${id}.`, 'Name a row as the sheet numbers it.');
  return { found, current: found.order === undefined ? undefined : await ledger.findOrder(id, found.order) };
}

/** Returns why the row needs no statement of a person; `undefined` if it is open to one. */
function closedBecause({ outcome }: ResultRow, only: Concerned | undefined): string | undefined {
  if (!only) return undefined;
  const { state } = only.order;
  if (openAlarms(state).length > 0) return undefined;
  const { resolved, ...line } = only.line;
  // An earlier statement of a person may be corrected, as long as the service has said nothing.
  const own = outcomeOfLine(state, resolved ? line : only.line);
  return isOpen(own) ? undefined : `it is known to be "${outcomeTable[outcome].title}"`;
}

const notOpen = (row: number, why: string): Fault =>
  new Fault(
    'usage',
    `Row ${row} cannot be resolved by hand: ${why}. Nothing was recorded.`,
    'Only a row that is timed out, in doubt or pending, or that holds an alarm, can be resolved.',
  );

/**
 * Records a person's statement that nothing of a row's order arrived, for an order that look-ups cannot prove absent. It
 * sends nothing: the next resume looks the order up, and submits the same bytes under the same id if the service still does
 * not know it. Returns the order's id and rows. Fault `usage` if the order is not open to it.
 */
export async function sayAbsent(
  batch: BatchHeader,
  row: number,
  said: Said,
  { ledger, clock, confirm }: ResolveDeps,
): Promise<{ readonly id: OrderId; readonly rows: readonly number[] }> {
  await ledger.requireKept(batch.id);
  const { state } = await openOrder(batch, row, ledger);
  await confirm(state.lines.map(({ amount }) => amount).reduce(add));
  await ledger.takeLease(batch.id);
  // Read again under the lease: the service may have said more while the person was typing.
  const order = await openOrder(batch, row, ledger);
  const { id, lines } = order.state;
  const fact: Fact = { type: 'order-said-absent', order: id, at: clock.now(), ...said };
  await ledger.record([{ order, facts: [fact], dueAt: null }]);
  return { id, rows: lines.map((line) => line.row) };
}

async function openOrder({ id }: BatchHeader, row: number, ledger: LedgerQueries): Promise<StoredOrder> {
  const { found, current } = await namedRow(id, row, ledger);
  if (!current) throw notResendable(row, withoutOrder(found));
  const why = notAbsentBecause(current.state);
  if (why !== undefined) throw notResendable(row, why);
  return current;
}

/** Returns why a person cannot say that the order never arrived; `undefined` if they can. */
function notAbsentBecause(state: OrderState): string | undefined {
  if (state.phase === 'planned' || neverTransmitted(state)) return 'it never left this computer, and a resume sends it';
  if (state.phase !== 'claimed' && state.phase !== 'in-doubt') return 'the service holds its order, or refused it';
  if (isSendOnce(state)) return 'airtime and bills are never sent twice; say --not-paid, and pay it in another sheet';
  if (state.answer?.tag === 'exists') return 'the service said that it holds its order';
  if (openAlarms(state).length > 0) return 'the service contradicts itself about it; say --paid or --not-paid';
  if (hasResolvedLine(state)) return 'a person has already recorded what became of its order';
  if (isSuperseded(state)) return 'a later batch holds the same payment';
  return undefined;
}

const notResendable = (row: number, why: string): Fault =>
  new Fault(
    'usage',
    `Row ${row} cannot be sent again: ${why}. Nothing was recorded.`,
    'Only a row that is in doubt, and of which the service holds nothing, can be said to have never arrived.',
  );

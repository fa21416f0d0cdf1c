/**
 * The state of a run: one value, moved by one pure fold over what happened, as `advance` moves an order. What may leave
 * follows from this value only (`admission.ts`).
 *
 *     chosen ──→ in flight ──(its submission ended)──→ heard ──(what became of it is on record)──→ landed
 *        │            ↑ not on record yet: rows that are being claimed
 *        └── claimed: the same rows, counted by their orders from then on
 */
import type { Tally } from '../domain/batch.ts';
import type { RunEvent } from '../domain/event.ts';
import type { OrderId } from '../domain/ids.ts';
import { add, type Money } from '../domain/money.ts';
import { isSuperseded, neverTransmitted, type OrderState, outcomeOfLine } from '../domain/order.ts';
import { failedIn, finishedIn, noOutcomes, type OutcomeCounts } from '../domain/outcome.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { type Answer, afterAnswer, circuitOf, closedCircuit, type ServiceState, sharing } from './circuit-breaker.ts';

/** The balance of the wallet when it was last read, and the larger sum that the unsent rows needed then. */
export interface Shortfall {
  readonly balance: Money;
  readonly needed: Money;
}

export interface RunState {
  /** Rows by outcome, now and when the run began. */
  readonly outcomes: OutcomeCounts;
  readonly outcomesAtStart: OutcomeCounts;
  /** Unsent rows: their sum in minor units, and the number of those that no run of the batch sends, because they were superseded. */
  readonly unsentMinor: bigint;
  readonly unsentSuperseded: number;
  /** Sum of the completed rows; absent while there were no rows at all. */
  readonly paid?: Money;
  /** Orders chosen to be claimed that have not landed yet: nothing has been recorded about them since. */
  readonly inFlight: ReadonlySet<OrderId>;
  /** Rows whose claim is being written; `outcomes` does not show them yet. */
  readonly claimingRows: number;
  /** Whether planned orders are still going out. */
  readonly isSending: boolean;
  /** Whether the first payments have gone ahead, so that the others may follow. */
  readonly hasBegun: boolean;
  /** Whether this run will look at nothing more that was sent, as far as is known. */
  readonly isIdle: boolean;
  /** Number of senders that share the limits of the service, including this run. */
  readonly senders: number;
  /** What the answers to submissions show about the service. */
  readonly service: ServiceState;
  /** When the wallet was last read, in monotonic milliseconds, and the number of rows that were unsent then. */
  readonly walletReadAtMs?: number;
  readonly unsentThen: number;
  readonly shortfall?: Shortfall;
  /** Fees charged in this run above their quotes, and the number of rows that this happened to. */
  readonly chargedAbove?: Money;
  readonly rowsChargedAbove: number;
  /** Latest time until which this run follows what was sent, in milliseconds of its steady clock. */
  readonly followedUntil: number;
  /** Time before which planned orders must not leave, in milliseconds of the run's steady clock. */
  readonly pausedUntil: number;
}

type Counts = Pick<RunState, 'outcomes' | 'unsentMinor' | 'unsentSuperseded' | 'paid'>;

/** The state of an order before and after something was recorded about it. */
type Move = readonly [before: OrderState, after: OrderState];

/** An event in a run that affects what may leave. */
export type Happening =
  /** Orders were chosen to be claimed. `isTrial`: one order, sent alone to see whether the service takes payments again. */
  | { readonly type: 'chosen'; readonly orders: readonly OrderState[]; readonly isTrial: boolean }
  /** The claim of the chosen orders is on disk. If there are no moves, none of them was claimed. */
  | { readonly type: 'claimed'; readonly orders: readonly OrderState[]; readonly moves: readonly Move[] }
  /** A submission got its result, with or without an answer. */
  | { readonly type: 'answered'; readonly answer: Answer }
  /** A submission ended, whether or not it left. */
  | { readonly type: 'submission-ended'; readonly order: OrderId }
  /** What became of an order in flight is on record. */
  | { readonly type: 'landed'; readonly order: OrderId }
  /** Something was recorded about an order. `followedUntil`: the latest time until which this run follows it, if it was sent. */
  | { readonly type: 'recorded'; readonly move: Move; readonly followedUntil?: number | undefined }
  /** Planned orders must not leave before `until`, in milliseconds of the run's steady clock. */
  | { readonly type: 'paused'; readonly until: number }
  /** The number of senders that share the limits, and of submissions that this run may therefore have in flight. */
  | { readonly type: 'shared'; readonly senders: number; readonly concurrency: number }
  | { readonly type: 'sending-began' }
  | { readonly type: 'sending-ended' }
  | { readonly type: 'first-payments-through' }
  /** The run rested; `isIdle`: nothing that was sent was left to look at. */
  | { readonly type: 'rested'; readonly isIdle: boolean }
  /** An order that was sent is due to be looked at. */
  | { readonly type: 'woken' }
  /** The wallet is being read, at this time in monotonic milliseconds. */
  | { readonly type: 'wallet-asked'; readonly atMs: number }
  | { readonly type: 'wallet-compared'; readonly shortfall: Shortfall | undefined }
  /** A row was charged this much above its quote. */
  | { readonly type: 'charged-above'; readonly by: Money };

function countsOf(tallies: readonly Tally[]): Counts {
  const outcomes = noOutcomes();
  let [unsentMinor, unsentSuperseded] = [0n, 0];
  let paid: Money | undefined;
  for (const { outcome, count, amount, superseded = 0 } of tallies) {
    outcomes[outcome] += count;
    paid = plus(paid, amount, outcome === 'completed' ? 1n : 0n);
    if (outcome !== 'unsent') continue;
    unsentMinor += amount.minor;
    unsentSuperseded += superseded;
  }
  return { outcomes, unsentMinor, unsentSuperseded, ...(paid && { paid }) };
}

export function startOfRun(tallies: readonly Tally[], concurrency: number, maySubmit: boolean): RunState {
  const counts = countsOf(tallies);
  return {
    ...counts,
    outcomesAtStart: counts.outcomes,
    senders: 1,
    inFlight: new Set(),
    claimingRows: 0,
    isSending: maySubmit,
    hasBegun: false,
    isIdle: false,
    service: closedCircuit(concurrency),
    unsentThen: 0,
    rowsChargedAbove: 0,
    followedUntil: 0,
    pausedUntil: 0,
  };
}

/** Returns a sum plus `times` times an amount. */
const plus = (sum: Money | undefined, { minor, currency }: Money, times: bigint): Money => ({
  minor: (sum?.minor ?? 0n) + minor * times,
  currency,
});

export function advanceRun(state: RunState, happening: Happening): RunState {
  switch (happening.type) {
    case 'chosen': {
      const { orders, isTrial } = happening;
      const [trial] = orders;
      return {
        ...state,
        inFlight: new Set([...state.inFlight, ...orders.map(({ id }) => id)]),
        claimingRows: state.claimingRows + unsentRowsIn(orders),
        isIdle: false,
        service: isTrial && trial ? { ...state.service, trial: trial.id } : state.service,
      };
    }
    case 'claimed': {
      const { orders, moves } = happening;
      const claimed = { ...state, claimingRows: state.claimingRows - unsentRowsIn(orders) };
      if (moves.length > 0) return moves.reduce(moved, claimed);
      const ids = orders.map(({ id }) => id);
      return without(claimed, ids);
    }
    case 'answered':
      return { ...state, service: afterAnswer(state.service, happening.answer) };
    case 'submission-ended': {
      const { trial, ...service } = state.service;
      return trial === happening.order ? { ...state, service } : state;
    }
    case 'landed':
      return without(state, [happening.order]);
    case 'recorded': {
      const { move, followedUntil = 0 } = happening;
      return { ...moved(state, move), followedUntil: Math.max(state.followedUntil, followedUntil) };
    }
    case 'paused':
      return { ...state, pausedUntil: happening.until };
    case 'shared': {
      const { senders, concurrency } = happening;
      return { ...state, senders, service: sharing(state.service, concurrency) };
    }
    case 'sending-began':
      return { ...state, isSending: true };
    case 'sending-ended':
      return { ...state, isSending: false };
    case 'first-payments-through':
      return { ...state, hasBegun: true };
    case 'rested':
      return { ...state, isIdle: happening.isIdle };
    case 'woken':
      return { ...state, isIdle: false };
    case 'wallet-asked':
      return { ...state, walletReadAtMs: happening.atMs, unsentThen: state.outcomes.unsent };
    case 'wallet-compared': {
      const { shortfall: _before, ...rest } = state;
      return happening.shortfall ? { ...rest, shortfall: happening.shortfall } : rest;
    }
    case 'charged-above':
      return {
        ...state,
        chargedAbove: state.chargedAbove ? add(state.chargedAbove, happening.by) : happening.by,
        rowsChargedAbove: state.rowsChargedAbove + 1,
      };
  }
}

/** Removes orders from those in flight. */
function without(state: RunState, ids: readonly OrderId[]): RunState {
  const inFlight = new Set(state.inFlight);
  for (const id of ids) inFlight.delete(id);
  return { ...state, inFlight };
}

/** Moves the counts of rows by outcome. Each row counts once: in the order that pays it now. */
function moved(state: RunState, [before, after]: Move): RunState {
  const outcomes = { ...state.outcomes };
  let { unsentMinor, unsentSuperseded, paid } = state;
  const count = (order: OrderState, rows: 1 | -1): void => {
    for (const line of order.lines) {
      if (line.replacedBy) continue;
      const outcome = outcomeOfLine(order, line);
      outcomes[outcome] += rows;
      if (outcome === 'completed') paid = plus(paid, line.amount, BigInt(rows));
      if (outcome !== 'unsent') continue;
      unsentMinor += BigInt(rows) * line.amount.minor;
      if (isSuperseded(order)) unsentSuperseded += rows;
    }
  };
  count(before, -1);
  count(after, 1);
  return { ...state, outcomes, unsentMinor, unsentSuperseded, ...(paid && { paid }) };
}

/** Returns the happening of a claim. `claimed` holds the orders that were claimed, in the order of `chosen` from the first on. */
export const claimOf = (chosen: readonly StoredOrder[], claimed: readonly StoredOrder[]): Happening => ({
  type: 'claimed',
  orders: chosen.map(({ state }) => state),
  moves: chosen.flatMap(({ state }, index): readonly Move[] => {
    const after = claimed[index]?.state;
    return after ? [[state, after]] : [];
  }),
});

/**
 * Returns the number of rows of an order that count as unsent. An order that may have left counts none: sending it again puts
 * no further rows at risk.
 */
export const unsentRowsOf = (state: OrderState): number =>
  state.phase === 'planned' || neverTransmitted(state) ? state.lines.length : 0;

const unsentRowsIn = (orders: readonly OrderState[]): number =>
  orders.reduce((sum, order) => sum + unsentRowsOf(order), 0);

/** Returns the number of rows that were sent and that a run still waits for. */
export const awaitedIn = (counts: OutcomeCounts): number => counts.pending + counts['in-doubt'];

/**
 * Returns the number of rows that ended without being paid. A row that timed out may still be paid, but it counts too,
 * because that does not justify sending more.
 */
export const lostIn = (counts: OutcomeCounts): number => failedIn(counts) + counts['timed-out'];

/** Returns the number of rows that ended in this run in one of the ways that `of` counts. */
export const endedInRun = ({ outcomes, outcomesAtStart }: RunState, of: (counts: OutcomeCounts) => number): number =>
  of(outcomes) - of(outcomesAtStart);

type Progress = Extract<RunEvent, { type: 'progress' }>;

/**
 * Returns the figures of a progress event: rows that are finished, rows that are to be, rows in between, the money,
 * and what the run waits for and until when at the latest. `now` is in milliseconds of the run's steady clock.
 */
export function progressOf(state: RunState, now: number): Omit<Progress, 'type'> {
  const { outcomes: counts, paid } = state;
  const [waiting, failed] = [awaitedIn(counts), failedIn(counts)];
  return { ...finishedIn(counts), waiting, counts, failed, ...(paid && { paid }), ...awaited(state, now) };
}

function awaited(state: RunState, now: number): Pick<Progress, 'awaits'> {
  const { service, isSending, hasBegun, outcomes, pausedUntil, followedUntil } = state;
  const mayGoOn = isSending && outcomes.unsent > 0;
  const isPaused = mayGoOn && circuitOf(service) !== 'closed';
  if (!isPaused && awaitedIn(outcomes) === 0) return {};
  const until = isPaused ? pausedUntil : followedUntil;
  const what = isPaused ? 'service' : mayGoOn && !hasBegun ? 'first-payments' : 'final-words';
  return { awaits: { for: what, ...(until > now && { until }) } };
}

/**
 * How a run stands: one value, moved by one pure fold over what happened, exactly as `advance` moves an order. What may leave
 * follows from it alone (`admission.ts`).
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
import { isSetAside, noOutcomes, type OutcomeCounts, outcomes as outcomeNames } from '../domain/outcome.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { type Answer, afterAnswer, circuitOf, closedCircuit, type ServiceState, sharing } from './circuit-breaker.ts';

/** What the wallet held when it was last read and what was not sent needed then, where it does not suffice. */
export interface Shortfall {
  readonly balance: Money;
  readonly needed: Money;
}

export interface RunState {
  /** Rows by their outcome now, and as the run found them. */
  readonly outcomes: OutcomeCounts;
  readonly outcomesAtStart: OutcomeCounts;
  /** Of the unsent rows: their sum in minor units, and how many no run of the batch sends, because they were superseded. */
  readonly unsentMinor: bigint;
  readonly unsentSuperseded: number;
  /** Sum of the completed rows; missing while there was no row at all. */
  readonly paid?: Money;
  /** Orders that were chosen to be claimed, and of which nothing is on record since. */
  readonly inFlight: ReadonlySet<OrderId>;
  /** Rows whose claim is being written, and which the outcomes do not show yet. */
  readonly claimingRows: number;
  /** Planned orders are still going out. */
  readonly isSending: boolean;
  /** The first payments are through, and the others follow them. */
  readonly hasBegun: boolean;
  /** Nothing that was sent will be looked at any more in this run, as far as is known. */
  readonly isIdle: boolean;
  /** Senders that share the limits of the service, this run among them. */
  readonly senders: number;
  /** What the answers to submissions show of the service. */
  readonly service: ServiceState;
  /** When the wallet was last read, in monotonic milliseconds, and the rows that were unsent then. */
  readonly walletReadAtMs?: number;
  readonly unsentThen: number;
  readonly shortfall?: Shortfall;
  /** Fees charged in this run above their quotes, and in how many rows. */
  readonly chargedAbove?: Money;
  readonly rowsChargedAbove: number;
  /** Until when what was sent is followed in this run, in milliseconds of its steady clock: no order was sent later than the one that set it. */
  readonly followedUntil: number;
  /** Planned orders may not leave before, by the same clock. */
  readonly pausedUntil: number;
}

type Counts = Pick<RunState, 'outcomes' | 'unsentMinor' | 'unsentSuperseded' | 'paid'>;

/** An order before and after something was recorded of it. */
type Move = readonly [before: OrderState, after: OrderState];

/** What happened in a run, as far as it decides what may leave. */
export type Happening =
  /** These were chosen to be claimed; `isTrial`: one alone, to see whether the service takes payments again. */
  | { readonly type: 'chosen'; readonly orders: readonly OrderState[]; readonly isTrial: boolean }
  /** The claim of what was chosen is on disk; no move: it came to nothing. */
  | { readonly type: 'claimed'; readonly orders: readonly OrderState[]; readonly moves: readonly Move[] }
  /** A submission was answered, or was not: what it came to. */
  | { readonly type: 'answered'; readonly answer: Answer }
  /** A submission is over, whether or not it left. */
  | { readonly type: 'submission-ended'; readonly order: OrderId }
  /** What became of an order that was in flight is on record. */
  | { readonly type: 'landed'; readonly order: OrderId }
  /** `followedUntil`: until when the order is followed in this run, at the latest, where it was sent. */
  | { readonly type: 'recorded'; readonly move: Move; readonly followedUntil?: number | undefined }
  /** Planned orders may not leave before, in milliseconds of the run's steady clock. */
  | { readonly type: 'paused'; readonly until: number }
  /** So many senders share the limits; this run may have so many submissions in flight. */
  | { readonly type: 'shared'; readonly senders: number; readonly concurrency: number }
  | { readonly type: 'sending-began' }
  | { readonly type: 'sending-ended' }
  | { readonly type: 'first-payments-through' }
  /** The run rested; `isIdle`: nothing that was sent was left to look at. */
  | { readonly type: 'rested'; readonly isIdle: boolean }
  /** Something that was sent is to be looked at. */
  | { readonly type: 'woken' }
  /** The wallet is being read, at this time in monotonic milliseconds. */
  | { readonly type: 'wallet-asked'; readonly atMs: number }
  | { readonly type: 'wallet-compared'; readonly shortfall: Shortfall | undefined }
  /** A row was charged so much above its quote. */
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

/** A sum with so many times an amount more. */
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
      const claimingRows = state.claimingRows - unsentRowsIn(orders);
      const back = moves.length === 0 ? orders : [];
      return moves.reduce(moved, {
        ...without(
          state,
          back.map(({ id }) => id),
        ),
        claimingRows,
      });
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

/** These are not in flight any more. */
function without(state: RunState, ids: readonly OrderId[]): RunState {
  const inFlight = new Set(state.inFlight);
  for (const id of ids) inFlight.delete(id);
  return { ...state, inFlight };
}

/** Each row counts once: in the order that pays it now. */
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

/** What the claim of chosen orders came to: those that are claimed now, in turn from the first on. */
export const claimOf = (chosen: readonly StoredOrder[], claimed: readonly StoredOrder[]): Happening => ({
  type: 'claimed',
  orders: chosen.map(({ state }) => state),
  moves: chosen.flatMap(({ state }, index): readonly Move[] => {
    const after = claimed[index]?.state;
    return after ? [[state, after]] : [];
  }),
});

/** Rows of an order that count as not sent: to send any other again risks nothing new. */
export const unsentRowsOf = (state: OrderState): number =>
  state.phase === 'planned' || neverTransmitted(state) ? state.lines.length : 0;

const unsentRowsIn = (orders: readonly OrderState[]): number =>
  orders.reduce((sum, order) => sum + unsentRowsOf(order), 0);

/** Rows that were sent and have no final word. */
export const openIn = (counts: OutcomeCounts): number => counts.pending + counts['in-doubt'];

/** Rows that ended without being paid. A row that timed out may still be, and nobody would go on because of that. */
export const lostIn = (counts: OutcomeCounts): number =>
  counts.rejected + counts.refused + counts.failed + counts['timed-out'];

/** Rows that ended in this run in one of the ways that `of` counts. */
export const endedInRun = ({ outcomes, outcomesAtStart }: RunState, of: (counts: OutcomeCounts) => number): number =>
  of(outcomes) - of(outcomesAtStart);

type Progress = Extract<RunEvent, { type: 'progress' }>;

/**
 * What is told of progress: rows that have their final word, all that are to have one, rows between, the money, and what the run waits
 * for, until when at the latest. `now`: in milliseconds of the run's steady clock.
 */
export function progressOf(state: RunState, now: number): Omit<Progress, 'type'> {
  const { outcomes: counts, paid } = state;
  const of = outcomeNames.reduce((sum, outcome) => (isSetAside(outcome) ? sum : sum + counts[outcome]), 0);
  const waiting = openIn(counts);
  const failed = lostIn(counts) - counts['timed-out'];
  const done = of - waiting - counts.unsent;
  return { done, of, waiting, counts, failed, ...(paid && { paid }), ...awaited(state, now) };
}

function awaited(state: RunState, now: number): Pick<Progress, 'awaits'> {
  const { service, isSending, hasBegun, outcomes, pausedUntil, followedUntil } = state;
  const mayGoOn = isSending && outcomes.unsent > 0;
  const isPaused = mayGoOn && circuitOf(service) !== 'closed';
  if (!isPaused && openIn(outcomes) === 0) return {};
  const until = isPaused ? pausedUntil : followedUntil;
  const what = isPaused ? 'service' : mayGoOn && !hasBegun ? 'first-payments' : 'final-words';
  return { awaits: { for: what, ...(until > now && { until }) } };
}

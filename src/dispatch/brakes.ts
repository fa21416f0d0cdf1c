/**
 * What holds sending back, apart from the answers of the service: the canary, the wallet, the fees, and other senders on the same
 * ledger. Each part watches one thing and moves the run state by it (`run-state.ts`); the rule in `admission.ts` decides.
 */

import type { BatchHeader } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import type { Emit } from '../domain/event.ts';
import type { CanaryRecord, Fact, LineReport } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { add, decimalOf, type Money, moneyText, shareOf, sizeFromWire, subtract } from '../domain/money.ts';
import type { OrderState } from '../domain/order.ts';
import type { OutcomeCounts } from '../domain/outcome.ts';
import { sumsOf } from '../domain/run-end.ts';
import type { SendingSettings } from '../domain/settings.ts';
import type { HeldLease, Ledger, LedgerQueries, RunHistory } from '../ledger/ledger.ts';
import { feeOf } from '../ledger/recorded-orders.ts';
import type { Client } from '../service/client/client.ts';
import { alarmAbout, news, shown } from '../service/submissions/evidence.ts';
import { canaryState } from './admission.ts';
import { awaitedIn, type Happening, lostIn, type RunState } from './run-state.ts';
import type { DispatchSettings, ReadBalance, RunControl } from './task.ts';

/** How far fees may be above the charges quoted, in percent, unless the settings say otherwise. */
const FEE_TOLERANCE_PERCENT = 1;

/**
 * Returns the brakes of a run that depend on its batch: the canary, and the limit on fees above their quotes. `asked`: rows
 * that the operator of this run wants to go ahead alone, no matter what was set before.
 */
export async function runLimits(
  batch: BatchHeader,
  ledger: LedgerQueries,
  sending: SendingSettings,
  asked: number | undefined,
): Promise<Pick<DispatchSettings, 'canary' | 'overchargeMost'>> {
  const { counts } = sumsOf(await ledger.tallies(batch.id), batch.currency);
  const ahead = canaryFor(await ledger.runHistory(batch.id), { asked, configured: sending.canary }, counts);
  return {
    canary: ahead && (await inWholeOrders(ahead, counts, ledger, batch.id)),
    overchargeMost: shareOf(batch.charges, sending.feeTolerancePercent ?? FEE_TOLERANCE_PERCENT),
  };
}

/**
 * Returns the canary of a run that begins now: the rows that go ahead alone, which are the first orders of the plan until
 * that many rows are covered. The rest leaves when as many rows are completed as were asked for, so rows that go ahead after
 * a failure are added to those paid before. Progress is the difference between the counts of the ledger and those at the
 * beginning, which are recorded with the run. So a run that was killed leaves nothing else behind that the next one would
 * have to know: what it sent is part of its canary, and so are its failures.
 *
 * Returns `undefined` if no canary was asked for. `asked`: by the operator of this run, which comes first; `configured`: used
 * if nothing else sets a number.
 */
export function canaryFor(
  { isRetry, plannedCanary, started, stopped }: RunHistory,
  { asked, configured }: { readonly asked?: number | undefined; readonly configured?: number | undefined },
  now: OutcomeCounts,
): CanaryRecord | undefined {
  const rows = asked ?? started?.canary?.rows ?? plannedCanary ?? configured;
  if (rows === undefined) return undefined;
  const recorded = started?.canary?.base;
  // A person who resumes after a canary stopped the run knows what became of it: only what is sent from now on counts.
  if (recorded && stopped?.code !== 'canary') return { rows, base: recorded };
  const completed = recorded?.completed ?? (isRetry ? now.completed : 0);
  return { rows, base: { completed, open: awaitedIn(now), lost: lostIn(now) } };
}

/** Orders read at a time to count the rows that they cover. */
const BLOCK_ORDERS = 256;

/** Returns the canary with its rows rounded up to whole orders, because every row of an order that goes ahead has to be completed. */
export async function inWholeOrders(
  canary: CanaryRecord,
  now: OutcomeCounts,
  ledger: Pick<LedgerQueries, 'unsentOrders'>,
  batch: BatchId,
): Promise<CanaryRecord> {
  const { rows, completed, open } = canaryState(canary, now, 0);
  if (completed >= rows) return canary;
  let ahead = completed + open;
  for (let after = 0; ahead < rows; ) {
    const orders = await ledger.unsentOrders(batch, BLOCK_ORDERS, after);
    if (orders.length === 0) break;
    for (const { state, position } of orders) {
      after = position;
      if (ahead < rows) ahead += state.lines.length;
    }
  }
  return { ...canary, rows: Math.max(rows, ahead) };
}

/** Most rows sent between two readings of the wallet, and the time after which it is read again, in milliseconds. */
const SENDS_MAX = 100;
const AGE_MS_MAX = 60_000;

export interface MoneyDeps {
  readonly ledger: Pick<LedgerQueries, 'unsentOutstanding' | 'quotesOf'>;
  readonly clock: { monotonicMs(): number };
  readonly emit: Emit;
  /** Absent if nothing watches the wallet. */
  readonly readBalance?: ReadBalance | undefined;
  readonly batch: BatchId;
  /** The state of the run, and what moves it. */
  readonly run: { readonly state: RunState; happened(happening: Happening): void };
}

/**
 * Watches the wallet and the fees while orders go out. Others may use the wallet too, and it is not known how much of it was
 * already debited for orders under way. So the balance is compared only with what was not sent, counted after the balance was
 * read: counting too little never stops a run that could continue. The first fees above their quotes are reported one by one,
 * and the sum of all of them is compared with the tolerance.
 */
export class MoneyWatch {
  readonly #deps: MoneyDeps;
  readonly #quoteOf: QuoteOf;
  /** Charges of the unsent rows before the wallet was first read; they are never higher later. */
  #chargesMost: bigint | undefined;

  constructor(deps: MoneyDeps) {
    this.#deps = deps;
    this.#quoteOf = quotesOf(deps.ledger, deps.batch);
  }

  /** Reads the wallet if it is time: before the first order, and again after `SENDS_MAX` rows or `AGE_MS_MAX`. */
  async lookAtWallet(signal: AbortSignal): Promise<void> {
    const { clock, readBalance, ledger, batch, run } = this.#deps;
    if (!readBalance) return;
    const atMs = clock.monotonicMs();
    if (!isReadingDue(run.state, atMs)) return;
    run.happened({ type: 'wallet-asked', atMs });
    this.#chargesMost ??= (await ledger.unsentOutstanding(batch)).charges.minor;
    const balance = await readBalance(run.state.unsentMinor + this.#chargesMost, signal);
    // The exact sum reads every row of the batch, so it is computed only if it may matter.
    if (!balance || balance.minor >= run.state.unsentMinor + this.#chargesMost) return;
    const { amount, charges } = await ledger.unsentOutstanding(batch);
    const needed = add(amount, charges);
    const shortfall = balance.minor < needed.minor ? { balance, needed } : undefined;
    run.happened({ type: 'wallet-compared', shortfall });
  }

  /** Returns the facts learnt about an order, without the fees that cannot be meant (`believedFees`). */
  believed(state: OrderState, facts: readonly Fact[]): Promise<readonly Fact[]> {
    return believedFees(state, facts, this.#quoteOf);
  }

  /** Adds up and reports the fees above their quotes of those lines of an order that the latest record completed. */
  async noteFees(before: OrderState, after: OrderState): Promise<void> {
    const { run, emit } = this.#deps;
    for (const [index, line] of after.lines.entries()) {
      const minor = feeOf(line);
      const earlier = before.lines[index];
      if (minor === null || line.replacedBy || (earlier && feeOf(earlier) !== null)) continue;
      const quote = await this.#quoteOf(line.row);
      if (!quote || minor <= quote.minor) continue;
      const fee = { minor, currency: quote.currency };
      run.happened({ type: 'charged-above', by: subtract(fee, quote) });
      const count = run.state.rowsChargedAbove;
      if (count > NAMED_MAX) continue;
      const rest =
        count === NAMED_MAX ? ' Further fees above their quotes are not reported one by one; see the results.' : '';
      const message = `Row ${line.row}: the service charged a fee of ${moneyText(fee)}, and ${moneyText(quote)} was quoted.${rest}`;
      emit({ type: 'notice', level: 'warning', code: 'fee-above-quote', message });
    }
  }
}

const isReadingDue = ({ walletReadAtMs, unsentThen, outcomes }: RunState, nowMs: number): boolean =>
  walletReadAtMs === undefined || unsentThen - outcomes.unsent >= SENDS_MAX || nowMs - walletReadAtMs >= AGE_MS_MAX;

/** Rows whose fee is reported one by one; the results list all of them. */
const NAMED_MAX = 5;

/** Highest plausible fee, as a multiple of the charge that was quoted, or of the amount that was paid if none was. */
const SENSIBLE_TIMES = 100;

/** Returns the charge quoted for a row; `undefined` if none was. */
type QuoteOf = (row: number) => Promise<Money | undefined>;

/** Rows whose quotes are read together. Callers ask for one row at a time, roughly in the order of the sheet. */
const BLOCK_ROWS = 256;
/** Most blocks that are kept. */
const BLOCKS_MAX = 16;

/**
 * Returns a reader of the quotes of a batch, which keeps what it has read for the whole run: only a further attempt at a row
 * gets a new quote. An error of the ledger is thrown for each row of a block.
 */
function quotesOf(ledger: Pick<LedgerQueries, 'quotesOf'>, batch: BatchId): QuoteOf {
  const known = new Map<number, Promise<ReadonlyMap<number, Money>>>();
  return async (row) => {
    const from = row - (row % BLOCK_ROWS);
    const quotes = known.get(from) ?? ledger.quotesOf(batch, from, from + BLOCK_ROWS - 1);
    const [oldest] = known.size < BLOCKS_MAX ? [] : known.keys();
    if (oldest !== undefined && !known.has(from)) known.delete(oldest);
    known.set(from, quotes);
    return (await quotes).get(row);
  };
}

/**
 * Returns the facts without the fees that cannot be meant, and with an alarm for each of those: such a figure would be added
 * up, compared and shown as money.
 */
export async function believedFees(
  state: OrderState,
  facts: readonly Fact[],
  quoteOf: QuoteOf,
): Promise<readonly Fact[]> {
  const observed = facts.filter((fact) => fact.type === 'order-observed');
  const charged = observed.flatMap(({ lines, at }) => lines.filter(isCharged).map((report) => ({ report, at })));
  if (charged.length === 0) return facts;
  const reasons = await Promise.all(charged.map(({ report }) => nonsenseIn(report, state, quoteOf)));
  const alarms: Fact[] = [];
  const nonsense = new Set<LineReport>();
  for (const [index, { report, at }] of charged.entries()) {
    const reason = reasons[index];
    if (reason === undefined) continue;
    nonsense.add(report);
    alarms.push(alarmAbout(state, at, reason));
  }
  if (alarms.length === 0) return facts;
  const believed = (report: LineReport): LineReport => (nonsense.has(report) ? { ...report, feeAmount: '' } : report);
  return [
    ...facts.map((fact) => (fact.type === 'order-observed' ? { ...fact, lines: fact.lines.map(believed) } : fact)),
    ...news(state, alarms),
  ];
}

/** Reports whether the line was charged a fee. A fee that is not a number says nothing and does not count. */
function isCharged({ feeAmount }: LineReport): boolean {
  const fee = Number(feeAmount);
  return fee !== 0 && !Number.isNaN(fee);
}

/** Returns what is wrong with the fee of a charged line; `undefined` if the fee is plausible. */
async function nonsenseIn(
  { trace, feeAmount }: LineReport,
  { lines }: OrderState,
  quoteOf: QuoteOf,
): Promise<string | undefined> {
  const line = lines.find((one) => one.trace === trace);
  if (line === undefined) return undefined;
  const quote = await quoteOf(line.row);
  const scale = quote && quote.minor > 0n ? quote : line.amount;
  const fee = sizeFromWire(feeAmount, line.amount.currency);
  if (fee >= 0 && fee <= SENSIBLE_TIMES * Number(decimalOf(scale))) return undefined;
  const quoted = quote ? `, and ${moneyText(quote)} was quoted` : '';
  return `row ${line.row}: the service says that it charged a fee of ${shown(feeAmount)}${quoted}`;
}

/** How often other senders are looked for, in milliseconds. For that long, two senders may both believe that they are alone. */
export const LOOK_MS = 5000;

export interface SendersDeps {
  readonly task: { readonly batch: BatchId; readonly settings: Pick<DispatchSettings, 'sending'> };
  readonly ledger: Pick<Ledger, 'othersAtWork' | 'stopOf'>;
  readonly client: Pick<Client, 'share'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly control: Pick<RunControl, 'heed'>;
  readonly happened: (happening: Happening) => void;
}

/**
 * Watches who else sends from the ledger, and whether a person has stopped this batch. `sending.concurrency` and
 * `ratePerSecond` are limits of the service, so all senders on one ledger share them: each counts the leases that are held
 * and alive, and takes its part. A new sender begins with its smaller part; the others reduce theirs at their next look.
 * Until then they exceed the limit together, by the part of the new sender. A sender that is no longer seen keeps its part
 * for a while, because it may be between two batches.
 */
export class ConcurrentSenders {
  readonly #deps: SendersDeps;
  #senders = 1;

  constructor(deps: SendersDeps) {
    this.#deps = deps;
  }

  /** Looks every `LOOK_MS` until the run is over. */
  async keep(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await this.look();
      await this.#deps.clock.sleep(LOOK_MS, over);
    }
  }

  /** Stops the run if a person stopped the batch, and takes this sender's part of the limits according to who is active now. */
  async look(): Promise<void> {
    const { ledger, control, client, happened } = this.#deps;
    const { batch, settings } = this.#deps.task;
    control.heed(await ledger.stopOf(batch));
    const others = (await ledger.othersAtWork()).filter((lease) => lease.batch !== undefined);
    const senders = client.share(1 + new Set(others.map(senderOf)).size);
    if (senders === this.#senders) return;
    this.#senders = senders;
    happened({ type: 'shared', senders, concurrency: Math.max(1, Math.floor(settings.sending.concurrency / senders)) });
  }
}

/** One process may hold several leases for one sending, and may have several sendings, which it describes differently. */
const senderOf = ({ holder: { host, machine, pid, description } }: HeldLease): string =>
  JSON.stringify([host, machine, pid, description]);

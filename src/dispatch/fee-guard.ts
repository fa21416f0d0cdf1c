/**
 * Holds the fee of every row that completes against the charge that was quoted for it. Each fee above it is told, as far as
 * anybody can read them, and their sum is compared with what is tolerated. A figure that nobody can mean as a fee is an alarm
 * and counts as none: it would be added up, compared and shown as money.
 */
import type { Tell } from '../domain/event.ts';
import type { Fact, LineReport } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { decimalOf, type Money, moneyText, sizeFromWire, subtract } from '../domain/money.ts';
import type { OrderState } from '../domain/order.ts';
import type { LedgerQueries } from '../ledger/ledger.ts';
import { feeOf } from '../ledger/recorded-orders.ts';
import { alarmAbout, news, shown } from '../submissions/evidence.ts';
import type { Admission } from './admission.ts';

/** Rows that are told one by one; the results list all of them. */
const TOLD_MAX = 5;

/** A fee is at most so many times the charge that was quoted, or the amount that was paid where none was. */
const SENSIBLE_TIMES = 100;

/** Tells the charge that was quoted for a row; undefined when none was. */
export type QuoteOf = (row: number) => Promise<Money | undefined>;

/** Rows of which the quotes are read at once: each is asked for by itself, about in the order of the sheet. */
const BLOCK_ROWS = 256;
/** Blocks that are kept at most. */
const BLOCKS_MAX = 16;

/**
 * Tells the quotes of a batch, as long as a run has it: only another attempt at a row is quoted anew. What the ledger throws is thrown
 * for each row of a block.
 */
export function quotesOf(ledger: Pick<LedgerQueries, 'quotesOf'>, batch: BatchId): QuoteOf {
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

/** The facts without the fees that nobody can mean, and an alarm for each of these. */
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

/** What is no number is no fee either, and says nothing. */
function isCharged({ feeAmount }: LineReport): boolean {
  const fee = Number(feeAmount);
  return fee !== 0 && !Number.isNaN(fee);
}

/** What is wrong with the fee of a line that was charged one; undefined for one that may be meant. */
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

interface FeeDeps {
  readonly quoteOf: QuoteOf;
  readonly admission: Pick<Admission, 'state' | 'happened'>;
  readonly tell: Tell;
}

/** Adds up, and tells, what the lines of an order that were completed by what was just recorded cost above their quotes. */
export async function noteFeesAbove(before: OrderState, after: OrderState, deps: FeeDeps): Promise<void> {
  const { quoteOf, admission, tell } = deps;
  for (const [index, line] of after.lines.entries()) {
    const minor = feeOf(line);
    const earlier = before.lines[index];
    if (minor === null || line.replacedBy || (earlier && feeOf(earlier) !== null)) continue;
    const quote = await quoteOf(line.row);
    if (!quote || minor <= quote.minor) continue;
    const fee = { minor, currency: quote.currency };
    admission.happened({ type: 'charged-above', by: subtract(fee, quote) });
    const count = admission.state.rowsChargedAbove;
    if (count > TOLD_MAX) continue;
    const rest = count === TOLD_MAX ? ' Further ones are not told one by one; see the results.' : '';
    const message = `Row ${line.row}: the service charged a fee of ${moneyText(fee)}, and ${moneyText(quote)} was quoted.${rest}`;
    tell({ type: 'notice', level: 'warning', code: 'fee-above-quote', message });
  }
}

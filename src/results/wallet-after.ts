/** What the wallet held when a run ended, compared with what this ledger expects. */
import type { BatchHeader } from '../domain/batch.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import type { StopDetails, WalletRecord } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { add, type Money, subtract, zero } from '../domain/money.ts';
import { openIn } from '../domain/outcome.ts';
import { sumsOf } from '../domain/run-end.ts';
import type { Ledger, RecordedRun } from '../ledger/ledger.ts';
import { completedAt, debitOf } from './row-money.ts';
import { overpaidIn } from './run-end.ts';

type Records = Pick<
  Ledger,
  | 'tallies'
  | 'talliesElsewhere'
  | 'alarmedOrders'
  | 'batchesSince'
  | 'findBatch'
  | 'hasFound'
  | 'recordedRuns'
  | 'resultRows'
>;

/** Returns what is recorded about the wallet at the end of a run; empty if the service does not say, or if the run was interrupted. */
export async function leftInWallet(
  batch: BatchHeader,
  read: (signal: AbortSignal) => Promise<Money | undefined>,
  { ledger, signal }: { readonly ledger: Records; readonly signal: AbortSignal },
): Promise<StopDetails> {
  const balance = signal.aborted ? undefined : await read(signal);
  return balance ? { wallet: await walletRecord(batch, balance, ledger) } : {};
}

/** Returns the balance, and what had left the wallet since the batch was planned, to be recorded. */
async function walletRecord(batch: BatchHeader, balance: Money, ledger: Records): Promise<WalletRecord> {
  const tallies = await ledger.tallies(batch.id);
  const { amounts, counts } = sumsOf(tallies, batch.currency);
  const fees = tallies.reduce((sum, one) => add(sum, one.fees), zero(batch.currency));
  const tooMuch = overpaidIn(await ledger.alarmedOrders(batch.id), batch)?.tooMuch ?? zero(batch.currency);
  const own = add(add(amounts.completed, fees), tooMuch);
  const others = await takenMeanwhile(batch, ledger);
  return {
    balance: `${balance.minor}`,
    own: `${own.minor}`,
    others: `${others.sum.minor}`,
    open: openIn(counts) + others.open,
  };
}

/**
 * Returns what other batches of the ledger took from the wallet since this batch was planned, and how many of their rows
 * may take more. Their figures are read from the index: with many batches at once, each run would otherwise prove the
 * batches of all others when it ends.
 */
async function takenMeanwhile({ id, currency, plannedAt }: BatchHeader, ledger: Records) {
  let [sum, open] = [zero(currency), 0];
  for (const other of await ledger.batchesSince(id)) {
    if ((await ledger.findBatch(other))?.currency !== currency) continue;
    const { amounts, counts } = sumsOf(await ledger.talliesElsewhere(other), currency);
    open += openIn(counts);
    if (amounts.completed.minor === 0n) continue;
    const isAllSince = await paidNothingBefore(other, plannedAt, ledger);
    const paid = isAllSince
      ? add(amounts.completed, amounts.fees)
      : await paidSince(other, { currency, plannedAt }, ledger);
    sum = add(sum, paid);
  }
  return { sum, open };
}

/** Reports whether a batch paid what its rows say, and nothing more, at this time or later. */
async function paidNothingBefore(batch: BatchId, time: number, ledger: Records): Promise<boolean> {
  const runs = await ledger.recordedRuns(batch);
  const hasAlarm = runs.some(({ stopped }) => stopped?.code === 'alarm');
  return (runs[0]?.startedAt ?? 0) >= time && !hasAlarm && !(await ledger.hasFound(batch));
}

/** Returns what a batch took from the wallet at this time or later, row by row. */
async function paidSince(
  batch: BatchId,
  { currency, plannedAt }: Pick<BatchHeader, 'currency' | 'plannedAt'>,
  ledger: Pick<Records, 'resultRows'>,
): Promise<Money> {
  let sum = zero(currency);
  for await (const block of ledger.resultRows(batch)) {
    for (const row of block) {
      const debit = (completedAt(row) ?? 0) >= plannedAt ? debitOf(row) : undefined;
      if (debit) sum = add(sum, debit);
    }
  }
  return sum;
}

export interface WalletAfter {
  /** When the balance was read, in wall-clock milliseconds. */
  readonly at: number;
  readonly balance: Money;
  readonly others: Money;
  /** Money that came in from outside paybatch; negative if it left. */
  readonly outside: Money;
  /** Rows whose money may have left the wallet as well by then. */
  readonly open: number;
}

/** Returns what was last recorded about the wallet; `undefined` if no run could read it. */
export function walletAfter(
  { balance: before, currency }: Pick<BatchHeader, 'balance' | 'currency'>,
  runs: readonly RecordedRun[],
): WalletAfter | undefined {
  const last = runs.findLast(({ stopped }) => stopped?.wallet !== undefined);
  if (!last?.stopped?.wallet || last.stoppedAt === undefined) return undefined;
  const { wallet } = last.stopped;
  const [balance, others] = [moneyOf(wallet.balance, currency), moneyOf(wallet.others, currency)];
  const expected = subtract(subtract(before, moneyOf(wallet.own, currency)), others);
  return { at: last.stoppedAt, balance, others, outside: subtract(balance, expected), open: wallet.open };
}

const moneyOf = (minor: string, currency: CurrencyCode): Money => ({ minor: BigInt(minor), currency });

/** What the wallet held when a run ended, against what this ledger expects there. */
import type { BatchHeader } from '../domain/batch.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import type { StopDetails, WalletRecord } from '../domain/fact.ts';
import { add, type Money, subtract, zero } from '../domain/money.ts';
import type { OutcomeCounts } from '../domain/outcome.ts';
import { sumsOf } from '../domain/run-end.ts';
import type { Ledger, RecordedRun } from '../ledger/ledger.ts';
import { completedAt, debitOf } from './row-money.ts';
import { overpaidIn } from './run-end.ts';

type Records = Pick<Ledger, 'tallies' | 'alarmedOrders' | 'batchesSince' | 'findBatch' | 'resultRows'>;

/** What is recorded of the wallet at the end of a run: nothing when the service does not say, or when somebody wants to leave. */
export async function leftInWallet(
  batch: BatchHeader,
  read: (signal: AbortSignal) => Promise<Money | undefined>,
  { ledger, signal }: { readonly ledger: Records; readonly signal: AbortSignal },
): Promise<StopDetails> {
  const balance = signal.aborted ? undefined : await read(signal);
  return balance ? { wallet: await walletRecord(batch, balance, ledger) } : {};
}

/** For the record: the balance, and what had left the wallet by then since the batch was planned. */
async function walletRecord(batch: BatchHeader, balance: Money, ledger: Records): Promise<WalletRecord> {
  const tallies = await ledger.tallies(batch.id);
  const { amounts, counts } = sumsOf(tallies, batch.currency);
  const fees = tallies.reduce((sum, one) => add(sum, one.fees), zero(batch.currency));
  const tooMuch = overpaidIn(await ledger.alarmedOrders(batch.id), batch)?.tooMuch ?? zero(batch.currency);
  const own = add(add(amounts.completed, fees), tooMuch);
  return {
    balance: `${balance.minor}`,
    own: `${own.minor}`,
    others: `${(await paidMeanwhile(batch, ledger)).minor}`,
    open: openIn(counts) + (await openMeanwhile(batch, ledger)),
  };
}

/** What other batches of the ledger took from the wallet since this one was planned. */
async function paidMeanwhile({ id, currency, plannedAt }: BatchHeader, ledger: Records): Promise<Money> {
  let sum = zero(currency);
  for (const other of await ledger.batchesSince(id)) {
    if ((await ledger.findBatch(other))?.currency !== currency) continue;
    for await (const block of ledger.resultRows(other)) {
      for (const row of block) {
        const debit = (completedAt(row) ?? 0) >= plannedAt ? debitOf(row) : undefined;
        if (debit) sum = add(sum, debit);
      }
    }
  }
  return sum;
}

/** Rows whose money may have left the wallet. */
const openIn = (counts: OutcomeCounts): number => counts.pending + counts['in-doubt'] + counts['timed-out'];

/** The same of other batches, which may be sent at the same time. */
async function openMeanwhile({ id, currency }: BatchHeader, ledger: Records): Promise<number> {
  let open = 0;
  for (const other of await ledger.batchesSince(id)) {
    if ((await ledger.findBatch(other))?.currency !== currency) continue;
    open += openIn(sumsOf(await ledger.tallies(other), currency).counts);
  }
  return open;
}

export interface WalletAfter {
  /** When it was asked for, in wall-clock milliseconds. */
  readonly at: number;
  readonly balance: Money;
  readonly others: Money;
  /** Came from elsewhere, or went there if it is negative. */
  readonly outside: Money;
  /** Rows whose money may have left by then, too. */
  readonly open: number;
}

/** As it was recorded last; undefined when no run could ask for it. */
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

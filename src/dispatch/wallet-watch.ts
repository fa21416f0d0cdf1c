/**
 * Reads the wallet again while orders go out: others may use it too. What in it was not debited yet for orders under way is
 * not known, so only what was not sent is held against it, counted after the balance was read: too little never stops a run
 * that could go on.
 */
import type { Clock } from '../domain/clock.ts';
import type { BatchId } from '../domain/ids.ts';
import { add, type Money } from '../domain/money.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RunState } from './admit.ts';
import type { RunCounts } from './run-counts.ts';

/** Rows that are sent between two readings at most, and the time after which it is read again, in milliseconds. */
const SENDS_MAX = 100;
const AGE_MS_MAX = 60_000;

/** The balance of the wallet; undefined when it cannot be read. The signal ends the waiting for its turn. */
export type ReadBalance = (signal: AbortSignal) => Promise<Money | undefined>;

export interface WalletDeps {
  readonly ledger: Pick<Ledger, 'unsentNeed'>;
  readonly clock: Clock;
  readonly readBalance: ReadBalance;
  readonly runCounts: RunCounts;
}

export class WalletWatch {
  readonly #deps: WalletDeps;
  readonly #batch: BatchId;
  #readAtMs: number | undefined;
  #unsentThen = 0;
  /** Charges of what was not sent when the run began: at no time later are there more. */
  #chargesMost: bigint | undefined;
  #short: RunState['short'];

  constructor(deps: WalletDeps, batch: BatchId) {
    this.#deps = deps;
    this.#batch = batch;
  }

  /** What the last reading showed, where it does not suffice. */
  get short(): RunState['short'] {
    return this.#short;
  }

  /** Reads the wallet when it is time: before the first order, and after so many rows or so long. */
  async look(signal: AbortSignal): Promise<void> {
    const { clock, runCounts, readBalance, ledger } = this.#deps;
    const { unsent } = runCounts.counts;
    const isDue =
      this.#readAtMs === undefined ||
      this.#unsentThen - unsent >= SENDS_MAX ||
      clock.monotonicMs() - this.#readAtMs >= AGE_MS_MAX;
    if (!isDue) return;
    this.#readAtMs = clock.monotonicMs();
    this.#unsentThen = unsent;
    const balance = await readBalance(signal);
    if (!balance) return;
    this.#chargesMost ??= (await ledger.unsentNeed(this.#batch)).charges.minor;
    // The exact sum reads every row of the batch, so it is asked for only when it may matter.
    if (balance.minor >= runCounts.unsentMinor + this.#chargesMost) return;
    const need = await ledger.unsentNeed(this.#batch);
    const needed = add(need.amount, need.charges);
    this.#short = balance.minor < needed.minor ? { balance, needed } : undefined;
  }
}

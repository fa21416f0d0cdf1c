/**
 * Reads the wallet again while orders go out: others may use it too. What in it was not debited yet for orders under way is
 * not known, so only what was not sent is held against it, counted after the balance was read: too little never stops a run
 * that could go on.
 */
import type { BatchId } from '../domain/ids.ts';
import { add } from '../domain/money.ts';
import type { LedgerQueries } from '../ledger/ledger.ts';
import type { Admission } from './admission.ts';
import type { RunState } from './run-state.ts';
import type { ReadBalance } from './task.ts';

/** Rows that are sent between two readings at most, and the time after which it is read again, in milliseconds. */
const SENDS_MAX = 100;
const AGE_MS_MAX = 60_000;

export interface WalletDeps {
  readonly ledger: Pick<LedgerQueries, 'unsentNeed'>;
  readonly clock: { monotonicMs(): number };
  readonly readBalance: ReadBalance;
  readonly batch: BatchId;
  readonly admission: Pick<Admission, 'state' | 'happened'>;
}

export class WalletWatch {
  readonly #deps: WalletDeps;
  /** Charges of what was not sent when the wallet was first read: at no time later are there more. */
  #chargesMost: bigint | undefined;

  constructor(deps: WalletDeps) {
    this.#deps = deps;
  }

  /** Reads the wallet when it is time: before the first order, and after so many rows or so long. */
  async look(signal: AbortSignal): Promise<void> {
    const { clock, readBalance, ledger, batch, admission } = this.#deps;
    const atMs = clock.monotonicMs();
    if (!isDue(admission.state, atMs)) return;
    admission.happened({ type: 'wallet-asked', atMs });
    const balance = await readBalance(signal);
    if (!balance) return;
    this.#chargesMost ??= (await ledger.unsentNeed(batch)).charges.minor;
    // The exact sum reads every row of the batch, so it is asked for only when it may matter.
    if (balance.minor >= admission.state.unsentMinor + this.#chargesMost) return;
    const { amount, charges } = await ledger.unsentNeed(batch);
    const needed = add(amount, charges);
    const shortfall = balance.minor < needed.minor ? { balance, needed } : undefined;
    admission.happened({ type: 'wallet-compared', shortfall });
  }
}

const isDue = ({ walletReadAtMs, unsentThen, outcomes }: RunState, nowMs: number): boolean =>
  walletReadAtMs === undefined || unsentThen - outcomes.unsent >= SENDS_MAX || nowMs - walletReadAtMs >= AGE_MS_MAX;

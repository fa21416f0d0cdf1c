/**
 * Keeps the lease of the ledger while a run goes, however long it waits for the service, and proves that it is still
 * held before something is submitted: a computer that slept may have lost it to another run that went on meanwhile.
 */
import { type Clock, hastened } from '../domain/clock.ts';
import type { LedgerLease } from '../ledger/ledger.ts';

/** How often a quiet run says that it still holds the ledger, in milliseconds: well within the life of the lease. */
const RENEW_MS = 15_000;
/** A proof older than this is made again before anything is submitted, in milliseconds: half the life of the lease. */
const PROOF_MS_MAX = 30_000;

/** A moment by both clocks: the wall clock may be set, and the other one stands still while a computer sleeps. */
interface Moment {
  readonly wallMs: number;
  readonly steadyMs: number;
}

export class LeaseKeeper {
  readonly #ledger: Pick<LedgerLease, 'renewLease' | 'proveLease'>;
  readonly #clock: Clock;
  #provenAt: Moment;
  #proving: Promise<void> | undefined;

  constructor(ledger: Pick<LedgerLease, 'renewLease' | 'proveLease'>, clock: Clock) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#provenAt = this.#now();
  }

  /** Does a write to the ledger: one that succeeds proves the lease. */
  async provenBy<T>(write: () => Promise<T>): Promise<T> {
    // Not when it ended: a process that was stopped after the commit may have lost the lease since.
    const beganAt = this.#now();
    const written = await write();
    this.#provenAt = beganAt;
    return written;
  }

  /** Resolves when the lease is certainly held; rejects with the ledger's Fault when it is not. */
  async hold(): Promise<void> {
    do {
      // A proof that was begun before the computer slept is an old one when it is there.
      while (!this.#isProven) {
        this.#proving ??= this.#renew().finally(() => {
          this.#proving = undefined;
        });
        await this.#proving;
      }
      // No clock shows a sleep in which the wall clock was set back by as much.
      await this.#ledger.proveLease();
    } while (!this.#isProven);
  }

  get #isProven(): boolean {
    const { wallMs, steadyMs } = this.#now();
    const sinceMs = Math.max(Math.abs(wallMs - this.#provenAt.wallMs), steadyMs - this.#provenAt.steadyMs);
    return sinceMs <= hastened(PROOF_MS_MAX, this.#clock);
  }

  /** Renews the lease again and again until the run is over. */
  async keep(over: AbortSignal): Promise<void> {
    for (;;) {
      await this.#clock.sleep(hastened(RENEW_MS, this.#clock), over);
      if (over.aborted) return;
      await this.#renew();
    }
  }

  #renew(): Promise<void> {
    return this.provenBy(() => this.#ledger.renewLease());
  }

  #now(): Moment {
    return { wallMs: this.#clock.now(), steadyMs: this.#clock.monotonicMs() };
  }
}

/** What a run is given, what it works on, and what comes of it. */
import type { Client } from '../client/client.ts';
import type { Attempt, PlannedOrder, Tally } from '../domain/batch.ts';
import type { Clock, Random } from '../domain/clock.ts';
import type { Tell } from '../domain/event.ts';
import type { CanaryRecord } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import type { InDoubtSettings, PollingSettings, SendingSettings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CallbackSource } from './callback-source.ts';
import type { Stop } from './stop-reasons.ts';

/** The balance of the wallet; undefined when it cannot be read. The signal ends the waiting for its turn. */
export type ReadBalance = (signal: AbortSignal) => Promise<Money | undefined>;

export interface DispatchDeps {
  readonly ledger: Ledger;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly tell: Tell;
  /** What the service sent by itself, as a listener keeps it; missing when nobody listens. */
  readonly callbacks?: CallbackSource;
  /** The other orders that can hold the row, in turn (`batch/other-orders.ts`); missing: no ledger that was lost can have made any. */
  readonly ordersBeside?: (attempt: Attempt) => readonly PlannedOrder[];
  /** Reads the wallet again while orders go out; missing: nobody watches it. */
  readonly readBalance?: ReadBalance;
}

export interface DispatchSettings {
  readonly sending: SendingSettings;
  readonly polling: PollingSettings;
  readonly inDoubt: InDoubtSettings;
  /** Rows that go ahead alone, as it was recorded with the run. */
  readonly canary?: CanaryRecord | undefined;
  /** What the fees of the run may be above their quotes in all; undefined: nobody compares them. */
  readonly overchargeMost?: Money | undefined;
}

export interface DispatchResult {
  /** Evidence of the service that contradicts the plan; sending stopped at the first. */
  readonly alarms: readonly string[];
  /** Why sending stopped before its end. */
  readonly stop?: Stop;
  /**
   * Missing where nobody had to doubt that the ledger knows all that was sent. `open`: it may still not know it, because not
   * everything could be asked about, or was answered clearly.
   */
  readonly doubt?: 'over' | 'open';
  /** All was sent, nothing of it shows at the service, and a further run alone cannot prove that: the provider is asked of this row. */
  readonly rowToAskFor?: number;
}

/** What a run works on, and how. */
export interface RunTask {
  readonly batch: BatchId;
  readonly epoch: number;
  readonly settings: DispatchSettings;
  /** Stops the run; what is in flight lands. */
  readonly signal: AbortSignal;
  /** False for a run that only follows what was sent. */
  readonly maySubmit: boolean;
  /** The ledger may not know all that was sent (`Ledger.doubt`): every order is looked up before it is. */
  readonly lookFirst: boolean;
}

/** How a run finds its batch. */
export interface RunStart {
  readonly tallies: readonly Tally[];
  /** The machine's own clock, which may jump. */
  readonly wall: Clock;
  /** The batch was begun before. */
  readonly asksEach: boolean;
}

/** The world of one seed: the batch, the settings, the service, and what goes wrong how often. `draw-world.ts` draws it. */
import type { Lie, NetworkFault } from './fault-kinds.ts';
import type { Mishap } from './mishap.ts';
import type { Plot } from './plot.ts';
import type { Rejecting } from './rejecting.ts';
import type { Situation } from './situation.ts';

/**
 * `hidden`: it acts on a repeated id, and look-ups go on showing the first payment alone. `echoed`: so it does, and answers word for
 * word as the first time.
 */
export type RepeatMode = 'refused' | 'replayed' | 'nine' | 'executed' | 'hidden' | 'echoed';

export type UnknownForm = 'not-found' | 'list' | 'map' | 'none';

/** What becomes of a row at the service. */
export interface RowFate {
  readonly end: 'completed' | 'rejected' | 'failed' | 'timed-out' | 'late-completion' | 'stuck' | 'refused';
  readonly settleMs: number;
  /** Of a late completion: how long after it timed out. */
  readonly lateMs: number;
  /**
   * What a late completion shows instead of a time-out, and what is stuck shows instead of pending: a status, and a result
   * code that decides nothing.
   */
  readonly undecided?: readonly [status: number, resultCode: string];
  /** Whether it shows a status number that nobody knows before its end. */
  readonly odd: boolean;
  readonly lie?: Lie;
}

export interface ServiceHabits {
  readonly repeats: RepeatMode;
  readonly unknownForm: UnknownForm;
  readonly acceptStatus: 200 | 202;
  /** How long an order stays hidden from look-ups. */
  readonly readLagMs: number;
  /** Share of orders that they show at once all the same; missing: none. */
  readonly shownAtOnce?: number;
  readonly tokenLifeSeconds: number;
  /** Share of tokens that end before their time. */
  readonly tokenEndsEarly: number;
}

export interface World {
  readonly seed: number;
  readonly rows: number;
  readonly invalid: number;
  readonly linesPerOrder: number;
  /** Airtime stands for the submissions that cannot be looked up: they are made once, or they stay in doubt. */
  readonly submission: 'payment-order' | 'airtime';
  readonly fates: readonly RowFate[];
  /** What becomes of later attempts, in turn. */
  readonly laterFates: readonly RowFate[];
  /** What people do about rows that ended badly, or not at all, when there is time for it. */
  readonly operator: {
    readonly retries: number;
    readonly resolves: number;
    /** Says so between any two runs already, not only after the last, and tries again at the first occasion. */
    readonly early: boolean;
    readonly rejecting: Rejecting;
  };
  readonly settings: {
    readonly sending: {
      readonly concurrency: number;
      readonly ratePerSecond: number;
      readonly linesPerOrder: number;
      readonly requestTimeoutMs: number;
    };
    readonly polling: { readonly firstMs: number; readonly maxMs: number; readonly deadlineMs: number };
    readonly inDoubt: {
      readonly resend: 'same-id' | 'never';
      readonly unknownGapMs: number;
      readonly quietMs: number;
      readonly maxAgeMs: number;
      readonly maxResends: number;
    };
  };
  readonly service: ServiceHabits;
  readonly network: {
    /** Chance of each fault for one exchange. */
    readonly rates: Readonly<Partial<Record<NetworkFault, number>>>;
    readonly latencyMs: number;
    /** Longest way of a request that arrives after its client gave up. */
    readonly lateMaxMs: number;
    readonly outages: readonly { readonly fromMs: number; readonly toMs: number }[];
    /** One more outage, from the first exchange after so many submissions, or after a mishap. */
    readonly cut?: { readonly after: number | 'mishap'; readonly forMs: number };
  };
  readonly disk: {
    readonly latencyMs: number;
    readonly slowShare: number;
    readonly failsAtWrite?: number;
    readonly failsAtCheckpoint?: number;
  };
  /** When faults stop: whatever is still wrong afterwards stays wrong. */
  readonly calmAtMs: number;
  readonly machine: {
    readonly crashes: number;
    readonly powerLosses: number;
    readonly secondRunner: boolean;
    readonly otherHost: boolean;
    readonly skewMs: number;
    readonly pauses: number;
    readonly sleeps: number;
    /** Moments at which it sleeps beside those; missing: none. */
    readonly sleepsAtMs?: readonly number[];
    /** How often it wakes from a short sleep while orders go out, and sleeps for long before it has done what waited. */
    readonly dozes: number;
    /** How often it is stopped for long as a virtual machine may be while orders go out: its clocks stand still with it; missing: never. */
    readonly halts?: number;
    readonly clockJumps: readonly number[];
    readonly interrupts: number;
    /** Whether other batches were paid there before, so that nobody has to doubt its ledger. */
    readonly usedBefore: boolean;
    /** What becomes of the ledger and of its checkpoint between two runs. */
    readonly mishap?: Mishap;
  };
  /** What this world is about, as far as it happens in every run of it. */
  readonly situations?: readonly Situation[];
  /** More than one ledger, or more than one sheet; missing: one batch is paid from one desk. */
  readonly plot?: Plot;
}

/** Whether the service acts on an id once, however often it is sent. */
export const actsOnce = (repeats: RepeatMode): boolean => !['executed', 'hidden', 'echoed'].includes(repeats);

/** Orders of the batch at their first attempt. */
export const ordersOf = ({ rows, linesPerOrder }: World): number => Math.ceil(rows / linesPerOrder);

/** What becomes of an attempt at a row; the row by its place, attempts counted from 1. */
export function fateOf({ fates, laterFates }: World, row: number, attempt: number): RowFate | undefined {
  return attempt === 1 ? fates[row] : laterFates[(row + attempt) % laterFates.length];
}

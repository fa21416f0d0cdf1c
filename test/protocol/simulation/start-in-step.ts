/**
 * Two computers begin with one sheet in the same moment, at a service that keeps whatever it promises: who is paid twice? Each runs once, on the
 * real engine and the settings of a profile that sets none. What is judged is in the books of the service alone.
 */
import { emptyProfile } from '../../../src/cli/config/config-schema.ts';
import { Desk } from './desk.ts';
import type { Ending } from './ending.ts';
import { Fleet } from './fleet.ts';
import { makeBatch } from './made-batch.ts';
import { nobodyRejects } from './rejecting.ts';
import { lived, stageOf } from './simulation.ts';
import type { RepeatMode, RowFate, World } from './world.ts';

/**
 * What the two ledgers know. `new`: nothing. `beside`: the second knows nothing. `copied`: they are copies of one folder. `trusted`: the
 * same, and neither is in recovery. `interrupted`: they are copies of the folder of a run that was killed in the middle.
 */
export const knowledge = ['new', 'beside', 'copied', 'trusted', 'interrupted'] as const;

export interface StepChoice {
  readonly seed: number;
  readonly rows: number;
  readonly from: (typeof knowledge)[number];
  readonly repeats: RepeatMode;
  /** How late look-ups show an order, in milliseconds. */
  readonly lagMs: number;
}

export interface StepEnd {
  /** People whom the service has paid more than once. */
  readonly paidTwice: number;
  /** Submissions of both. */
  readonly posts: number;
  /** What the two exited with; undefined: with a fault. */
  readonly exits: readonly (number | undefined)[];
}

/** Submissions after which the run is killed whose folder is copied: in the blocks that follow the first payments, where there are so many. */
export const KILLED_AFTER = 8;
/** Longest way of a request in one direction, in milliseconds. */
const LATENCY_MS = 50;

export async function startInStep({ from, ...choice }: StepChoice): Promise<StepEnd> {
  const world = worldOf(choice);
  const batch = makeBatch(world);
  const stage = stageOf(world, [batch]);
  const { timeline, service } = stage;
  const fleet = new Fleet(world.machine, stage);
  const deps = { ...stage, fleet };
  const [here, there] = [new Desk(fleet.desk, 1, deps), new Desk(fleet.other, 101, deps)];
  let endings: readonly Ending[] = [];
  const isOver = await lived(stage, async () => {
    if (from !== 'new') await here.useBefore();
    if (from === 'interrupted') {
      here.sheet(batch).traffic.moments.at(Math.min(KILLED_AFTER, choice.rows), () => here.kill('somebody ends it'));
      await here.run(batch);
    }
    if (from === 'trusted' || from === 'copied' || from === 'interrupted')
      there.disk.copyFrom(here.disk, from === 'copied');
    if (from === 'copied') here.disk.checkpoints.identity = 'another copy of the ledger';
    const second = there.run(batch);
    // A new ledger has kept its silence when it begins to send.
    if (from === 'beside') await timeline.pass(world.settings.inDoubt.quietMs);
    endings = await Promise.all([here.run(batch), second]);
    await timeline.pass(SETTLED_MS);
  });
  if (!isOver) throw new Error(`seed ${world.seed} does not come to an end`);
  const times = new Map<number, number>();
  for (const { row } of service.payments()) times.set(row, (times.get(row) ?? 0) + 1);
  const sheets = [here, there].flatMap((desk) => desk.sheets);
  here.disk.close();
  there.disk.close();
  return {
    paidTwice: [...times.values()].filter((paid) => paid > 1).length,
    posts: sheets.flatMap(({ traffic }) => [...traffic.posts.values()]).reduce((sum, { length }) => sum + length, 0),
    exits: endings.map((ending) => (ending.tag === 'ended' ? ending.endings.exit : undefined)),
  };
}

/** Everybody is paid by then. */
const SETTLED_MS = 10_000;
const FATE: RowFate = { end: 'completed', settleMs: 500, lateMs: 1000, odd: false };

function worldOf({ seed, rows, repeats, lagMs }: Omit<StepChoice, 'from'>): World {
  const { sending, polling, inDoubt } = emptyProfile();
  const { concurrency, ratePerSecond, requestTimeoutMs } = sending;
  const { unknownGapMs, quietMs, maxAgeMs, maxResends } = inDoubt;
  return {
    seed,
    rows,
    invalid: 0,
    linesPerOrder: 1,
    submission: 'payment-order',
    fates: Array.from({ length: rows }, () => FATE),
    laterFates: [FATE],
    operator: { retries: 0, resolves: 0, early: false, rejecting: nobodyRejects },
    settings: {
      sending: { concurrency, ratePerSecond, linesPerOrder: 1, requestTimeoutMs },
      polling,
      inDoubt: { resend: 'same-id', unknownGapMs, quietMs, maxAgeMs, maxResends },
    },
    service: {
      repeats,
      unknownForm: 'not-found',
      acceptStatus: 200,
      readLagMs: lagMs,
      tokenLifeSeconds: 3600,
      tokenEndsEarly: 0,
    },
    network: { rates: {}, latencyMs: LATENCY_MS, lateMaxMs: 0, outages: [] },
    disk: { latencyMs: 2, slowShare: 0 },
    calmAtMs: 0,
    machine: {
      crashes: 0,
      powerLosses: 0,
      secondRunner: false,
      otherHost: true,
      skewMs: 0,
      pauses: 0,
      sleeps: 0,
      dozes: 0,
      clockJumps: [],
      interrupts: 0,
      usedBefore: false,
    },
  };
}

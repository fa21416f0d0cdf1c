/**
 * The world of one seed, drawn before anything happens. Every fault is absent from a third of the worlds, so that each also
 * meets runs without the others; most worlds then take a theme (`themes.ts`), so that what has to come together does.
 *
 * Two promises of a service keep money safe (reference: A1, it never acts on an id twice; A3, what left a while ago and
 * is unknown will not appear any more). A world breaks one of them at most.
 */
import { type Chance, chanceOf } from '../../support/seeded-random.ts';
import { type FaultKind, type Lie, lies, type NetworkFault, networkFaults } from './fault-kinds.ts';
import { drawMishap } from './mishap.ts';
import { drawRejecting } from './rejecting.ts';
import { themeOf } from './themes.ts';
import { actsOnce, type RepeatMode, type RowFate, type World } from './world.ts';

export interface DrawOptions {
  /** Kinds of faults that stay away, to look at what else there is. */
  readonly without?: ReadonlySet<FaultKind>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export function drawWorld(seed: number, { without = new Set() }: DrawOptions = {}): World {
  const chance = chanceOf(seed, 4711);
  const allowed = (kind: FaultKind): boolean => !without.has(kind);
  const repeats = drawRepeats(chance, allowed);
  const safeRepeats = actsOnce(repeats);
  const theme = themeOf(seed, allowed);
  const lie = theme?.lie ?? (theme ? undefined : drawLie(chance, allowed));
  const machine = drawMachine(chance, allowed);
  const settings = drawSettings(
    chance,
    lie,
    theme?.isFast === true || !machine.usedBefore || machine.mishap !== undefined,
  );
  const { quietMs } = settings.inDoubt;
  const rates = drawRates(chance, safeRepeats, allowed);
  const readLagMs = allowed('read-lag') && chance.onceIn(3) ? drawReadLag(chance, quietMs, safeRepeats) : 0;
  const calmAtMs = chance.pick([2 * MINUTE, 10 * MINUTE, HOUR, 4 * HOUR]);
  const rows = drawRows(chance);
  const words = chanceOf(seed, 4713);
  const fateFor = (aLie: Lie | undefined, unusualPercent: number | undefined): RowFate => {
    const fate = drawFate(chance, settings.polling.deadlineMs, aLie, allowed, unusualPercent);
    return { ...fate, ...(allowed('undecided') && drawUndecided(words, fate)) };
  };
  const world: World = {
    seed,
    rows,
    invalid: chance.below(3),
    linesPerOrder: settings.sending.linesPerOrder,
    submission:
      lie === undefined && settings.sending.linesPerOrder === 1 && chance.onceIn(10) ? 'airtime' : 'payment-order',
    fates: Array.from({ length: rows }, () => fateFor(lie, theme?.unusualPercent)),
    laterFates: Array.from({ length: 7 }, () => fateFor(undefined, 40)),
    // A new id rests on the proof that the refused one is absent (A3) alone: no retry where look-ups are blind for longer.
    operator: {
      retries: readLagMs <= quietMs && chance.onceIn(3) ? chance.between(1, 2) : 0,
      resolves: lie === undefined && chance.onceIn(4) ? 1 : 0,
      // A word that says "not paid" is true as long as nothing sends the order again: neither another run, nor an older ledger.
      early: machine.mishap === undefined && !machine.secondRunner && chance.onceIn(2),
      rejecting: drawRejecting(seed, allowed),
    },
    settings,
    service: {
      repeats,
      unknownForm: allowed('no-unknown-form') && chance.onceIn(20) ? 'none' : chance.pick(['not-found', 'list', 'map']),
      acceptStatus: chance.pick([200, 202]),
      readLagMs,
      tokenLifeSeconds: chance.pick([3600, 900, 120]),
      tokenEndsEarly: allowed('token-expired') ? drawShare(chance, 0.5) : 0,
    },
    network: {
      rates,
      latencyMs: chance.pick([5, 50, 50, 300, 1500]),
      lateMaxMs: safeRepeats ? chance.pick([MINUTE, 20 * MINUTE, 3 * HOUR]) : Math.floor(quietMs * 0.6),
      outages: drawOutages(chance, calmAtMs, allowed),
    },
    disk: drawDisk(chance, rows, allowed),
    calmAtMs,
    machine,
  };
  return theme ? theme.shape(world, chance) : world;
}

const drawShare = (chance: Chance, most: number): number => (chance.onceIn(3) ? 0 : (most * chance.below(1000)) / 1000);

function drawRates(
  chance: Chance,
  safeRepeats: boolean,
  allowed: (kind: FaultKind) => boolean,
): Partial<Record<NetworkFault, number>> {
  const heat = chance.pick([0, 0.2, 0.5, 1]);
  const rates: Partial<Record<NetworkFault, number>> = {};
  for (const kind of networkFaults) {
    const rate = drawShare(chance, kind.startsWith('throttled') ? 0.05 : 0.1) * heat;
    // An intermediary that repeats requests is safe only where ids protect.
    if (kind === 'outage' || (kind === 'delivered-twice' && !safeRepeats)) continue;
    if (allowed(kind)) rates[kind] = rate;
  }
  return rates;
}

/** Most of what can go wrong goes wrong in small batches, and they are quick; one in thirty is as large as a payroll. */
function drawRows(chance: Chance): number {
  if (chance.onceIn(30)) return chance.between(60, ROWS_MAX);
  return chance.onceIn(3) ? chance.between(ROWS_MIN, 40) : chance.between(ROWS_MIN, 24);
}

const ROWS_MIN = 20;
const ROWS_MAX = 200;

/** Where ids protect, look-ups may be blind for longer than the silence that proves an order absent. */
const drawReadLag = (chance: Chance, quietMs: number, safeRepeats: boolean): number =>
  safeRepeats && chance.onceIn(2)
    ? chance.between(quietMs, quietMs * 12)
    : chance.between(1, Math.floor(quietMs * 0.3));

function drawRepeats(chance: Chance, allowed: (kind: FaultKind) => boolean): RepeatMode {
  const modes = (['refused', 'replayed', 'nine', 'executed', 'hidden'] as const).filter((mode) =>
    allowed(`repeat-${mode}`),
  );
  return chance.pick(modes.length > 0 ? modes : (['refused'] as const));
}

/** The lie of this world, if it has one. */
function drawLie(chance: Chance, allowed: (kind: FaultKind) => boolean): Lie | undefined {
  const lie = chance.pick(lies);
  return chance.below(100) < LYING_PERCENT && allowed(lie) ? lie : undefined;
}

const LYING_PERCENT = 12;

function drawSettings(chance: Chance, lie: Lie | undefined, isDoubted: boolean): World['settings'] {
  // A third of the worlds lives fast: time limits and silences are a twentieth of the usual. So do most of those that
  // look everything up first, because a run that waits costs as much as one that sends.
  const pace = (isDoubted ? !chance.onceIn(8) : chance.onceIn(3)) ? 0.05 : 1;
  // A line is looked at again after its end only while another one of its order is open.
  const linesPerOrder = chance.onceIn(5) || lie === 'status-back' ? chance.between(2, 7) : 1;
  return {
    sending: {
      concurrency: chance.pick([1, 2, 4, 8, 16]),
      ratePerSecond: chance.onceIn(5) ? chance.between(5, 40) : 0,
      linesPerOrder,
      requestTimeoutMs: chance.pick([1000, 5000, 5000, 30_000]) * pace,
    },
    polling: {
      firstMs: chance.pick([1000, 2000, 5000]),
      maxMs: chance.pick([60_000, 120_000]),
      deadlineMs: chance.pick([1, 3, 3, 15]) * MINUTE,
    },
    inDoubt: {
      resend: chance.onceIn(12) ? 'never' : 'same-id',
      unknownGapMs: 60_000 * pace,
      quietMs: 120_000 * pace,
      maxAgeMs: chance.onceIn(5) ? 10 * MINUTE : 24 * HOUR,
      maxResends: chance.pick([1, 3, 3, 8]),
    },
  };
}

function drawFate(
  chance: Chance,
  deadlineMs: number,
  lie: Lie | undefined,
  allowed: (kind: FaultKind) => boolean,
  unusualPercent = 15,
): RowFate {
  const ends = ['rejected', 'failed', 'timed-out', 'late-completion', 'refused', 'stuck'] as const;
  const drawn = chance.below(100);
  const unusual = drawn < unusualPercent ? chance.pick(ends) : 'completed';
  const end = unusual === 'stuck' && !chance.onceIn(4) ? 'completed' : unusual;
  const tellsLie = lie !== undefined && chance.onceIn(3);
  return {
    end: end === 'completed' || allowed(end) ? end : 'completed',
    settleMs: chance.onceIn(20) ? chance.below(deadlineMs * 2) : chance.between(100, 20_000),
    lateMs: chance.between(1000, deadlineMs),
    odd: allowed('odd-status') && chance.onceIn(12),
    ...(tellsLie && { lie }),
  };
}

/** Every status beside codes that decide nothing, however final it reads. */
const undecidedWords = [
  [7, '22'],
  [7, '-1'],
  [7, '8'],
  [7, '9'],
  [5, '8'],
  [5, '14'],
  [5, '999'],
] as const;

/** Drawn from numbers of its own: whatever is drawn here leaves the rest of the world as it is. */
const drawUndecided = (words: Chance, { end }: RowFate): Pick<RowFate, 'undecided'> =>
  (end === 'late-completion' || end === 'stuck') && words.onceIn(2) ? { undecided: words.pick(undecidedWords) } : {};

function drawOutages(
  chance: Chance,
  calmAtMs: number,
  allowed: (kind: FaultKind) => boolean,
): World['network']['outages'] {
  if (!allowed('outage') || !chance.onceIn(4)) return [];
  // Most of them early, while orders go out.
  const fromMs = chance.below(Math.min(chance.pick([5000, 20_000, MINUTE, calmAtMs / 2]), calmAtMs / 2));
  return [{ fromMs, toMs: Math.min(fromMs + chance.pick([5000, MINUTE, 5 * MINUTE]), calmAtMs) }];
}

function drawDisk(chance: Chance, rows: number, allowed: (kind: FaultKind) => boolean): World['disk'] {
  const fails = allowed('disk-full') && allowed('disk-error') && chance.onceIn(10);
  return {
    latencyMs: chance.pick([0, 2, 10]),
    slowShare: chance.onceIn(4) ? 0.05 : 0,
    ...(fails && { [chance.onceIn(4) ? 'failsAtCheckpoint' : 'failsAtWrite']: chance.between(2, 5 + rows) }),
  };
}

function drawMachine(chance: Chance, allowed: (kind: FaultKind) => boolean): World['machine'] {
  const count = (kind: FaultKind, oneIn: number, most: number): number =>
    allowed(kind) && chance.onceIn(oneIn) ? chance.between(1, most) : 0;
  const jumps: number[] = [];
  const farMs = chance.pick([5 * MINUTE, HOUR, 48 * HOUR]);
  for (let left = count('clock-forward', 8, 2); left > 0; left--) jumps.push(chance.between(1000, farMs));
  for (let left = count('clock-back', 8, 2); left > 0; left--) jumps.push(-chance.between(1000, farMs));
  const mishap = drawMishap(chance, allowed);
  const otherHost = chance.onceIn(2);
  const secondRunner = count('second-runner', 4, 1) > 0;
  // A lease changes hands while its holder stands still.
  const pauses = count('paused', secondRunner ? 2 : 6, 3);
  return {
    crashes: count('crash', 2, 5),
    powerLosses: count('power-loss', 5, 2),
    secondRunner,
    otherHost,
    skewMs: otherHost && allowed('clock-skew') && chance.onceIn(3) ? chance.between(-10 * MINUTE, 10 * MINUTE) : 0,
    pauses,
    sleeps: count('asleep', 8, 2),
    dozes: 0,
    clockJumps: jumps,
    interrupts: count('interrupted', 8, 2),
    usedBefore: !chance.onceIn(8),
    ...(mishap && { mishap }),
  };
}

/**
 * Themes of worlds. What is drawn apart rarely meets: a lease changes hands only where a computer sleeps while orders go out
 * and another one finds that; a ledger that was put back shows only where it was kept while orders went out, and more left
 * before the power failed. A theme lets such things come together, on top of whatever else its world has drawn. Themes take
 * turns by the seed, so that a few seeds in a row meet them all.
 */
import type { FaultKind } from './fault-kinds.ts';
import { lyingInTurn } from './lying-themes.ts';
import { mishaps } from './mishap.ts';
import { lateLookUps, refusedFirst, sleepsBetween, sleepsOverProof, someShownLate } from './order-themes.ts';
import { bothInDoubt, inStep, lostBatches, putBackAndSorted, twoLedgers } from './plot-themes.ts';
import { sharedLedger } from './shared-themes.ts';
import { inTurn, type Theme } from './theme.ts';
import {
  backAndByHand,
  backAtOnce,
  dozing,
  halted,
  leftSince,
  markGone,
  toldLate,
  unheard,
  wholeBack,
} from './timed-themes.ts';
import { ordersOf, type RepeatMode } from './world.ts';

const MINUTE = 60_000;

/** The computer dies while orders go out, and what it knew of them is gone or older when it is back. */
const putBack: Theme = {
  about: ['ledger-lost', 'ledger-restored', 'checkpoint-lost', 'checkpoint-restored', 'power-loss', 'crash'],
  isFast: true,
  shape(world, chance) {
    const { machine, settings, network } = world;
    const backupAt = chance.between(1, Math.max(1, Math.floor(ordersOf(world) / 2)));
    const diesAt = backupAt + chance.between(4, 12);
    const isAirtime = world.linesPerOrder === 1 && chance.onceIn(4);
    return {
      ...world,
      submission: isAirtime ? 'airtime' : 'payment-order',
      operator: { ...world.operator, early: false },
      // Many small claims: what was kept between two of them knows the one and not the other.
      settings: { ...settings, sending: { ...settings.sending, concurrency: 1 } },
      network: { ...network, rates: { ...network.rates, 'lost-request': chance.pick([0, 0.2]) } },
      machine: {
        ...machine,
        secondRunner: false,
        crashes: chance.between(2, 5),
        usedBefore: true,
        mishap: { ...inTurn(mishaps, roundOf(world.seed)), backupAt, diesAt },
      },
    };
  },
};

/** The computer sleeps while orders go out, and another one may take its lease meanwhile. */
const asleep: Theme = {
  about: ['asleep', 'second-runner', 'lost-request'],
  shape(world, chance) {
    const { machine, settings, network } = world;
    const secondRunner = !chance.onceIn(3);
    const { maxAgeMs } = settings.inDoubt;
    return {
      ...world,
      operator: { ...world.operator, early: false },
      settings: {
        ...settings,
        inDoubt: { ...settings.inDoubt, maxAgeMs: secondRunner ? maxAgeMs : 10 * MINUTE },
      },
      network: { ...network, rates: { ...network.rates, 'lost-request': 0.15 } },
      machine: { ...machine, secondRunner, otherHost: true, sleeps: 2 },
    };
  },
};

/** Look-ups are blind for longer than the silence that is kept, at a service that never acts on an id twice. */
const blind: Theme = {
  about: ['read-lag', 'delivered-twice', 'lost-answer', 'crash', 'repeat-refused'],
  shape(world, chance) {
    const { machine, service, network, settings } = world;
    const { quietMs } = settings.inDoubt;
    const repeats = chance.pick<RepeatMode>(['refused', 'refused', 'refused', 'replayed', 'nine']);
    const rates = { ...network.rates, 'delivered-twice': 0.3, 'lost-answer': 0.1 };
    return {
      ...world,
      operator: { ...world.operator, retries: 0 },
      service: { ...service, repeats, readLagMs: chance.between(3 * quietMs, 12 * quietMs) },
      network: { ...network, rates },
      machine: { ...machine, crashes: chance.between(1, 3) },
    };
  },
};

/** Submissions get lost on the way, or find no way, again and again. */
const cutOff: Theme = {
  about: ['unreached', 'lost-request', 'reset-before'],
  shape(world, chance) {
    const { network, settings } = world;
    const rates = { ...network.rates, unreached: 0.2, 'lost-request': 0.1, 'reset-before': 0.1 };
    return {
      ...world,
      settings: { ...settings, inDoubt: { ...settings.inDoubt, maxResends: chance.pick([1, 3]) } },
      network: { ...network, rates },
    };
  },
};

/** A person says between the runs what became of rows, and tries some again. */
const byHand: Theme = {
  about: ['lost-request', 'crash', 'interrupted', 'late-completion', 'timed-out'],
  unusualPercent: 45,
  isFast: true,
  shape(world, chance) {
    const { network, settings, machine } = world;
    const { mishap, ...sound } = machine;
    const { readLagMs } = world.service;
    // A word on one line holds back its whole order.
    const linesPerOrder = chance.pick([1, 2, 4]);
    return {
      ...world,
      linesPerOrder,
      submission: 'payment-order',
      settings: { ...settings, sending: { ...settings.sending, linesPerOrder } },
      operator: { ...world.operator, retries: readLagMs <= settings.inDoubt.quietMs ? 2 : 0, resolves: 2, early: true },
      network: { ...network, rates: { ...network.rates, 'lost-request': 0.2 } },
      machine: { ...sound, secondRunner: false, crashes: chance.between(1, 4), interrupts: 2 },
    };
  },
};

/** What failed is tried again, and then the ledger that knows it is gone or older. */
const triedAgain: Theme = {
  about: ['ledger-lost', 'ledger-restored', 'checkpoint-lost', 'checkpoint-restored', 'rejected', 'failed', 'refused'],
  isFast: true,
  unusualPercent: 45,
  shape(world, chance) {
    const { machine, service, settings, fates, laterFates } = world;
    // A new identifier rests on look-ups alone.
    const readLagMs = Math.min(service.readLagMs, settings.inDoubt.quietMs / 2);
    return {
      ...world,
      submission: 'payment-order',
      // Some are refused twice, and only then taken: of their first attempts the service shows nothing.
      fates: fates.map((fate) => (chance.onceIn(6) ? { ...fate, end: 'refused' as const } : fate)),
      laterFates: laterFates.map((fate, index) => (index % 3 === 0 ? { ...fate, end: 'refused' as const } : fate)),
      service: { ...service, readLagMs },
      operator: { ...world.operator, retries: 2, resolves: 0, early: false },
      machine: {
        ...machine,
        secondRunner: false,
        usedBefore: true,
        mishap: { ...inTurn(mishaps, roundOf(world.seed)), backupAt: 1, afterRetry: true },
      },
    };
  },
};

/** Themes that depend on how often they had their turn. */
const inRounds = {
  lying: lyingInTurn,
  refusedFirst,
  twoLedgers,
  lostBatches: (round: number) => lostBatches(round, false),
  editedSheet: (round: number) => lostBatches(round, true),
  putBackAndSorted,
  bothInDoubt,
} as const satisfies Record<string, (round: number) => Theme>;

const turns: readonly (Theme | keyof typeof inRounds | 'plain')[] = [
  putBack,
  'plain',
  asleep,
  'lying',
  blind,
  putBack,
  byHand,
  cutOff,
  'plain',
  'lying',
  asleep,
  putBack,
  byHand,
  triedAgain,
  blind,
  unheard,
  toldLate,
  backAtOnce,
  dozing,
  wholeBack,
  'twoLedgers',
  'lostBatches',
  'editedSheet',
  'twoLedgers',
  'editedSheet',
  'refusedFirst',
  sleepsBetween,
  backAndByHand,
  lateLookUps,
  halted,
  markGone,
  leftSince,
  someShownLate,
  'putBackAndSorted',
  sleepsOverProof,
  'bothInDoubt',
];

/** One seed in so many is of several processes on one ledger; the others have the worlds that they had before there were such. */
const SHARED_EACH = 11;
/** The turn of those, behind the table above. */
export const SHARED_TURN = turns.length;
/** The same of worlds in which two runs begin in step. */
const STEP_EACH = 53;
export const STEP_TURN = SHARED_TURN + 1;

/** The place of a seed in the table above. */
export function turnOf(seed: number): number {
  if (seed % SHARED_EACH === 0) return SHARED_TURN;
  return seed % STEP_EACH === 0 ? STEP_TURN : seed % turns.length;
}

/** The theme of a seed; undefined for a world that has none. */
export function themeOf(seed: number, allowed: (kind: FaultKind) => boolean): Theme | undefined {
  if (turnOf(seed) === STEP_TURN) return allowedOf(inStep(Math.floor(seed / STEP_EACH)), allowed);
  if (turnOf(seed) === SHARED_TURN) return allowedOf(sharedLedger(Math.floor(seed / SHARED_EACH)), allowed);
  const turn = turns[turnOf(seed)] ?? 'plain';
  if (turn === 'plain') return undefined;
  const theme = typeof turn === 'string' ? inRounds[turn](roundOf(seed)) : turn;
  return allowedOf(theme, allowed);
}

/** Whether a seed has a theme about one of these faults. */
export const isAbout = (seed: number, faults: readonly FaultKind[]): boolean =>
  themeOf(seed, () => true)?.about.some((fault) => faults.includes(fault)) === true;

const allowedOf = (theme: Theme, allowed: (kind: FaultKind) => boolean): Theme | undefined =>
  theme.about.every(allowed) ? theme : undefined;

/** How many seeds before this one had the same turn. */
function roundOf(seed: number): number {
  const place = turnOf(seed);
  const same = (turn: unknown): boolean => turn === turns[place];
  return Math.floor(seed / turns.length) * turns.filter(same).length + turns.slice(0, place).filter(same).length;
}

/** Themes with a plot: two ledgers, several lost batches, edited sheets. They take turns in the table of `themes.ts`. */
import type { Chance } from '../../support/seeded-random.ts';
import { type Edit, edits, hiding, type Origin, origins, type Plot, type Step, steps } from './plot.ts';
import type { Theme } from './theme.ts';
import { undisturbed } from './timed-themes.ts';
import { actsOnce, type RepeatMode, type World } from './world.ts';

const repeatModes: readonly RepeatMode[] = ['refused', 'replayed', 'nine', 'executed', 'hidden'];
const MINUTE = 60_000;

/** Small batches at a service that keeps what it promises: what a ledger does not know is all that goes wrong. */
function bare(drawn: World, chance: Chance): World {
  const world = undisturbed(drawn, chance);
  const { settings, service, network } = world;
  const quietMs = chance.pick([6000, 120_000]);
  return {
    ...world,
    rows: chance.between(20, 28),
    settings: {
      ...settings,
      sending: { ...settings.sending, concurrency: chance.pick([1, 2, 4]), requestTimeoutMs: 2000 },
      inDoubt: {
        ...settings.inDoubt,
        quietMs,
        unknownGapMs: quietMs / chance.pick([2, 6]),
        maxAgeMs: 1440 * MINUTE,
        maxResends: 8,
      },
    },
    service: { ...service, readLagMs: chance.pick([0, 0, 200, 1000]) },
    network: {
      ...network,
      lateMaxMs: quietMs / 2,
      latencyMs: chance.pick([5, 50, 300]),
      rates: chance.onceIn(2) ? {} : { 'lost-request': 0.05, 'lost-answer': 0.05, 'late-request': 0.05 },
    },
    operator: { ...world.operator, retries: 0, resolves: 0 },
  };
}

const withPlot = (world: World, round: number, plot: Plot): World => ({
  ...world,
  // In turn, so that a few of them meet every behaviour.
  service: { ...world.service, repeats: repeatModes[round % repeatModes.length] ?? 'refused' },
  plot,
});

/** Another computer pays the same sheet from a ledger of its own. */
export const twoLedgers = (round: number): Theme => ({
  about: ['second-runner', 'repeat-executed', 'repeat-hidden', 'repeat-nine', 'repeat-refused', 'repeat-replayed'],
  shape(drawn, chance) {
    const world = bare(drawn, chance);
    // Five origins and five behaviours: the one goes on when the others have been through.
    const from: Origin = origins[(round + Math.floor(round / origins.length)) % origins.length] ?? 'new';
    const { settings } = world;
    const isSlow = from === 'sending' || (from === 'new' && chance.onceIn(2));
    const ratePerSecond = isSlow ? chance.pick([0.3, 0.5, 1]) : 0;
    return withPlot(
      {
        ...world,
        settings: {
          ...settings,
          sending: { ...settings.sending, ratePerSecond },
          // Whoever sends so seldom must not wait shortly in between.
          ...(isSlow && { inDoubt: { ...settings.inDoubt, quietMs: 2 * MINUTE, unknownGapMs: MINUTE } }),
        },
        machine: { ...world.machine, otherHost: true, usedBefore: from !== 'new' },
      },
      round,
      {
        tag: 'two-ledgers',
        from,
        afterOrders: chance.between(4, Math.floor(world.rows / 2)),
        apartMs: chance.pick([0, 20, 150, 1000, 20_000, 3 * MINUTE]),
        isTold: chance.onceIn(4),
      },
    );
  },
});

const stepModes: readonly RepeatMode[] = [...repeatModes, 'echoed'];
/** Look-ups that are later than a run waits for its first payments, at a service that acts once; in milliseconds. */
const BLIND_MS = 45_000;

/** Two runs of one sheet begin in the same moment, and each look-up is too early for what the other one sends. */
export const inStep = (round: number): Theme => ({
  about: ['second-runner'],
  shape(drawn, chance) {
    const world = bare(drawn, chance);
    const from: Step = steps[round % steps.length] ?? 'new';
    const repeats = stepModes[Math.floor(round / steps.length) % stepModes.length] ?? 'refused';
    const isSafe = actsOnce(repeats);
    // A copy that nothing tells trusts its ledger: it waits for its first payments for half a minute, and sees nothing that is shown later.
    const isPatient = from !== 'between';
    const { settings, machine, network } = world;
    const quietMs = 2 * MINUTE;
    return {
      ...world,
      settings: { ...settings, inDoubt: { ...settings.inDoubt, quietMs, unknownGapMs: quietMs / 2 } },
      service: {
        ...world.service,
        repeats,
        readLagMs: chance.pick(isSafe && isPatient ? [0, 1000, BLIND_MS] : [0, 1000]),
      },
      network: {
        ...network,
        latencyMs: chance.pick([5, 50]),
        rates: isSafe && chance.onceIn(2) ? { 'delivered-twice': 0.1 } : {},
      },
      machine: { ...machine, otherHost: true, usedBefore: from !== 'new' },
      situations: repeats === 'echoed' ? ['a service that carries a repetition out and answers as the first time'] : [],
      plot: { tag: 'in-step', from, afterOrders: chance.between(4, 10), apartMs: chance.pick([0, 0, 20, 150]) },
    };
  },
});

/** Two computers that know of nothing begin with one sheet in one moment, and answers get lost: each is cleared of other orders first. */
export const bothInDoubt = (round: number): Theme => ({
  about: ['second-runner', 'lost-answer', 'lost-request'],
  shape(drawn, chance) {
    const world = bare(drawn, chance);
    return withPlot(
      {
        ...world,
        network: { ...world.network, rates: { 'lost-request': 0.1, 'lost-answer': 0.15 } },
        machine: { ...world.machine, otherHost: true, usedBefore: false },
      },
      round,
      {
        tag: 'two-ledgers',
        from: 'new',
        afterOrders: 0,
        apartMs: chance.pick([0, 20, 150, 1000]),
        isTold: false,
      },
    );
  },
});

/** The whole folder is put back to before the batch, and its rows stand in another order when they are run again. */
export const putBackAndSorted = (round: number): Theme => ({
  about: ['ledger-restored', 'checkpoint-restored', 'power-loss'],
  shape(drawn, chance) {
    const world = bare(drawn, chance);
    const sorted = { tag: 'lost-batches', batches: 1, lost: 'since', edits: ['sorted'] } as const;
    return withPlot(world, round, { ...sorted, diesAt: chance.between(5, Math.floor(world.rows / 2)) });
  },
});

/** Every ledger is lost after two batches or more, and their sheets are run again: as they are, or edited. */
export const lostBatches = (round: number, isEdited: boolean): Theme => ({
  about: ['ledger-lost', 'checkpoint-lost', 'power-loss'],
  shape(drawn, chance) {
    const world = bare(drawn, chance);
    const first: Edit = edits[round % edits.length] ?? 'sorted';
    const second = chance.pick(edits);
    const chosen = isEdited ? [first, ...(chance.onceIn(2) && !hiding.includes(first) ? [second] : [])] : [];
    const wasGrouped = chosen.includes('grouped') || (isEdited && chance.onceIn(3));
    const linesPerOrder = wasGrouped ? chance.between(2, 4) : 1;
    return withPlot(
      {
        ...world,
        linesPerOrder,
        settings: { ...world.settings, sending: { ...world.settings.sending, linesPerOrder } },
      },
      round,
      {
        tag: 'lost-batches',
        batches: isEdited ? 1 : chance.between(2, 3),
        // Only a checkpoint can tell that a sheet has another name than its batch had.
        lost: chosen.some((edit) => hiding.includes(edit)) || chance.onceIn(2) ? 'ledger' : 'all',
        diesAt: chance.between(4, Math.ceil(world.rows / linesPerOrder)),
        edits: chosen.filter(
          (edit, index) => chosen.indexOf(edit) === index && (!hiding.includes(edit) || index === 0),
        ),
      },
    );
  },
});

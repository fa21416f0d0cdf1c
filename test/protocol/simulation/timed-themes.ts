/**
 * Themes about one thing that has to come at its moment, and does damage only then: nothing else happens in these worlds that
 * could shift it.
 */
import type { Chance } from '../../support/seeded-random.ts';
import type { Mishap } from './mishap.ts';
import { nobodyRejects } from './rejecting.ts';
import type { Theme } from './theme.ts';
import type { RepeatMode, World } from './world.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** Payments that leave within seconds, one by one, from a computer to which nothing happens: what a theme adds comes in time. */
export function undisturbed(world: World, chance: Chance): World {
  const { settings, service, network, operator, disk, machine } = world;
  const { mishap, ...sound } = machine;
  return {
    ...world,
    submission: 'payment-order',
    linesPerOrder: 1,
    settings: {
      sending: { concurrency: chance.pick([4, 8]), ratePerSecond: 0, linesPerOrder: 1, requestTimeoutMs: 2000 },
      polling: { ...settings.polling, maxMs: MINUTE, deadlineMs: MINUTE },
      inDoubt: { ...settings.inDoubt, resend: 'same-id', unknownGapMs: MINUTE, quietMs: 2 * MINUTE },
    },
    service: { ...service, unknownForm: 'not-found', readLagMs: 0, tokenEndsEarly: 0 },
    network: { ...network, rates: {}, latencyMs: 50, outages: [] },
    operator: { ...operator, early: false, rejecting: nobodyRejects },
    disk: { latencyMs: disk.latencyMs, slowShare: 0 },
    machine: {
      ...sound,
      crashes: 0,
      powerLosses: 0,
      secondRunner: false,
      pauses: 0,
      sleeps: 0,
      dozes: 0,
      clockJumps: [],
      interrupts: 0,
      usedBefore: true,
    },
  };
}

/** The ledger is put back, and its checkpoint shows that. */
const olderLedger: Mishap = { ledger: 'restored', checkpoint: 'kept' };

/** Orders leave and get lost, the power fails, and an older ledger goes on at once: soon asked, and to send only after a silence. */
export const backAtOnce: Theme = {
  about: ['ledger-restored', 'power-loss', 'lost-request', 'late-request'],
  shape(drawn, chance) {
    const world = undisturbed(drawn, chance);
    const { settings, network, machine } = world;
    const backupAt = chance.between(1, 4);
    const diesAt = backupAt + chance.between(10, 16);
    return {
      ...world,
      settings: {
        ...settings,
        // Many small claims: what was kept between two of them knows the one and not the other.
        sending: { ...settings.sending, concurrency: 1 },
        inDoubt: { ...settings.inDoubt, unknownGapMs: 3000 },
      },
      network: { ...network, rates: { 'lost-request': 0.2, 'late-request': 0.1 } },
      machine: {
        ...machine,
        mishap: { ...olderLedger, backupAt, diesAt },
      },
    };
  },
};

/** Everything that a computer knows, as it was at one earlier time. */
const olderFolder: Mishap = { ledger: 'restored', checkpoint: 'restored' };

/**
 * The whole state folder is put back from before the batch, or from its middle, at a service that carries out what is
 * repeated: nothing on the computer shows it.
 */
export const wholeBack: Theme = {
  about: ['ledger-restored', 'checkpoint-restored', 'power-loss'],
  shape(drawn, chance) {
    const world = undisturbed(drawn, chance);
    const { settings, network, machine } = world;
    const backupAt = chance.onceIn(2) ? 0 : chance.between(1, Math.floor(world.rows / 2));
    const lost = chance.onceIn(2) ? 0 : 0.1;
    return {
      ...world,
      settings: { ...settings, sending: { ...settings.sending, concurrency: chance.pick([1, 4]) } },
      service: { ...world.service, repeats: chance.pick<RepeatMode>(['executed', 'hidden']) },
      network: { ...network, rates: { 'lost-request': lost, 'lost-answer': lost } },
      machine: { ...machine, mishap: { ...olderFolder, backupAt, diesAt: backupAt + chance.between(4, 12) } },
    };
  },
};

/** The computer wakes for a moment only, and another one takes its lease while the proof of it is being written. */
export const dozing: Theme = {
  about: ['asleep', 'second-runner'],
  shape(drawn, chance) {
    const world = undisturbed(drawn, chance);
    const { settings } = world;
    return {
      ...world,
      // Its clock may be set back: nothing can tell then how old an order is.
      settings: { ...settings, inDoubt: { ...settings.inDoubt, maxAgeMs: DAY } },
      disk: { ...world.disk, latencyMs: 20 },
      machine: { ...world.machine, secondRunner: true, otherHost: true, dozes: 2 },
    };
  },
};

/** The computer is stopped as a virtual machine may be, and another one pays meanwhile: nothing but the lease shows it when it goes on. */
export const halted: Theme = {
  about: ['asleep', 'second-runner'],
  shape(drawn, chance) {
    const world = undisturbed(drawn, chance);
    const { settings, machine } = world;
    return {
      ...world,
      // Its clock stays behind: nothing can tell how old an order is.
      settings: { ...settings, inDoubt: { ...settings.inDoubt, maxAgeMs: DAY } },
      machine: { ...machine, secondRunner: true, otherHost: true, halts: 2 },
      situations: ['a computer that is stopped with its clocks'],
    };
  },
};

/** The ledger is put back to before the first orders left, and its checkpoint is gone. */
const olderWithoutCheckpoint: Mishap = { ledger: 'restored', checkpoint: 'lost' };

/** The first that left is lost or late, and the power fails: no look-up of the next run finds it, and only a checkpoint that is gone could tell. */
export const markGone: Theme = {
  about: ['ledger-restored', 'checkpoint-lost', 'power-loss', 'lost-request', 'late-request'],
  shape(drawn, chance) {
    const world = undisturbed(drawn, chance);
    const { settings, network, machine } = world;
    const backupAt = chance.between(0, 1);
    return {
      ...world,
      // One by one: nothing else has left by then.
      settings: { ...settings, sending: { ...settings.sending, concurrency: 1 } },
      network: { ...network, rates: { 'lost-request': 0.3, 'late-request': 0.2 } },
      machine: { ...machine, mishap: { ...olderWithoutCheckpoint, backupAt, diesAt: backupAt + chance.between(1, 2) } },
      situations: ['a ledger put back, and its checkpoint gone'],
    };
  },
};

/** What found no way before the ledger was kept left after it, and got lost: the older ledger says that it never left. */
export const leftSince: Theme = {
  about: ['ledger-restored', 'power-loss', 'unreached', 'lost-request'],
  shape(drawn, chance) {
    const world = undisturbed({ ...drawn, rows: Math.min(drawn.rows, 30) }, chance);
    const { settings, network, machine } = world;
    // Nearly all were tried once: what leaves now is mostly what found no way before.
    const backupAt = chance.between(18, 24);
    return {
      ...world,
      settings: {
        ...settings,
        sending: { ...settings.sending, concurrency: 1 },
        polling: { ...settings.polling, firstMs: 1000 },
      },
      network: { ...network, rates: { unreached: 0.35, 'lost-request': 0.25 } },
      machine: { ...machine, mishap: { ...olderLedger, backupAt, diesAt: backupAt + chance.between(6, 12) } },
      calmAtMs: 240 * MINUTE,
      situations: ['a ledger put back that says of orders that they never left'],
    };
  },
};

/**
 * Submissions get lost, and the line is down from the last of them until shortly before a run that waits for proof gives up:
 * the first that it is told of an order, and the last, may come in one moment.
 */
export const toldLate: Theme = {
  about: ['lost-request', 'reset-before', 'outage'],
  shape(drawn, chance) {
    const world = undisturbed(drawn, chance);
    const { polling, inDoubt } = world.settings;
    const waitsMs = inDoubt.quietMs + polling.maxMs;
    return {
      ...world,
      network: {
        ...world.network,
        // Few enough for nearly all look-ups to be answered when the line is back.
        rates: { 'lost-request': 0.05, 'reset-before': 0.05 },
        cut: { after: world.rows, forMs: Math.floor((waitsMs * chance.between(65, 85)) / 100) },
      },
    };
  },
};

/**
 * What was still open when the ledger was kept failed later, and was tried again. The first run on that older ledger hears
 * nothing of it: the line is down until it has given those orders up, and back when it asks for further attempts.
 */
export const unheard: Theme = {
  about: ['ledger-restored', 'rejected', 'failed', 'outage'],
  unusualPercent: 45,
  shape(drawn, chance) {
    const world = undisturbed(drawn, chance);
    const { polling, inDoubt } = world.settings;
    const forMs = chance.between(polling.deadlineMs + 5000, inDoubt.quietMs - 10_000);
    return {
      ...world,
      network: { ...world.network, cut: { after: 'mishap', forMs } },
      operator: { ...world.operator, retries: 1, resolves: 0, early: true },
      machine: {
        ...world.machine,
        // When it is kept, the last order has just left.
        mishap: { ...olderLedger, backupAt: world.rows, afterRetry: true },
      },
      calmAtMs: 240 * MINUTE,
    };
  },
};

/** The whole folder is put back, and rows are tried again before and after, or stopped: what was done since is nowhere on the computer. */
export const backAndByHand: Theme = {
  about: ['ledger-restored', 'checkpoint-restored', 'power-loss', 'rejected', 'failed'],
  unusualPercent: 45,
  shape(drawn, chance) {
    const world = wholeBack.shape(drawn, chance);
    const { machine, operator } = world;
    const isTriedAgain = chance.onceIn(2);
    return {
      ...world,
      operator: {
        ...operator,
        retries: 2,
        resolves: 0,
        rejecting: isTriedAgain
          ? operator.rejecting
          : { duringRuns: 1, betweenRuns: 1, calmly: true, crashes: 0, habit: chance.pick(['honest', 'late']) },
      },
      machine: {
        ...machine,
        ...(isTriedAgain && { mishap: { ...olderFolder, backupAt: Math.floor(world.rows / 2), afterRetry: true } }),
      },
    };
  },
};

/** Themes about which orders of a batch meet something: the first that leave, or all; and about when a run asks for them again. */
import { makeBatch } from './made-batch.ts';
import type { Theme } from './theme.ts';
import { undisturbed } from './timed-themes.ts';
import { actsOnce, type RepeatMode, type World } from './world.ts';

/** So many orders are asked for, and may go ahead, before the others (`src/dispatch/recovery.ts`). */
const CANDIDATES = 13;
const MINUTE = 60_000;

/** The orders that go ahead of the others are refused, or all are: nobody may wait for one of them for ever. */
export const refusedFirst = (round: number): Theme => ({
  about: ['refused'],
  isFast: true,
  shape(drawn, chance) {
    const world = undisturbed({ ...drawn, rows: Math.min(drawn.rows, 30) }, chance);
    const ids = makeBatch(world).rows.map(({ attempts }, row) => ({ order: attempts[0]?.order ?? '', row }));
    const isAll = round % 2 === 1;
    const smallest = ids.toSorted((a, b) => (a.order < b.order ? -1 : 1)).slice(0, isAll ? world.rows : CANDIDATES);
    const refused = new Set(smallest.map(({ row }) => row));
    return {
      ...world,
      fates: world.fates.map((fate, row) => (refused.has(row) ? { ...fate, end: 'refused' as const } : fate)),
      operator: { ...world.operator, retries: 0 },
      situations: [isAll ? 'all orders refused' : 'the first orders refused'],
    };
  },
});

/** The computer sleeps for half of the quiet time and more while its orders leave, one after the other. */
export const sleepsBetween: Theme = {
  about: ['asleep'],
  shape(drawn, chance) {
    const world = undisturbed(drawn, chance);
    const { settings, machine } = world;
    return {
      ...world,
      settings: {
        ...settings,
        sending: { ...settings.sending, concurrency: chance.pick([1, 2]), ratePerSecond: chance.pick([0, 2]) },
        inDoubt: { ...settings.inDoubt, maxAgeMs: 1440 * MINUTE },
      },
      machine: { ...machine, sleeps: 2 },
      situations: ['asleep in the middle of a run'],
    };
  },
};

/** The computer sleeps while lost orders are proven absent, one after the other, by look-ups that take their time. */
export const sleepsOverProof: Theme = {
  about: ['asleep', 'lost-request', 'slow'],
  shape(drawn, chance): World {
    const world = undisturbed({ ...drawn, rows: Math.min(drawn.rows, 30) }, chance);
    const { settings, network, operator, machine } = world;
    const requestTimeoutMs = MINUTE / 6;
    const { quietMs } = settings.inDoubt;
    return {
      ...world,
      settings: {
        ...settings,
        sending: { ...settings.sending, requestTimeoutMs },
        polling: { ...settings.polling, deadlineMs: 10 * MINUTE },
        inDoubt: { ...settings.inDoubt, maxAgeMs: 1440 * MINUTE, maxResends: 3 },
      },
      operator: { ...operator, retries: 0 },
      network: { ...network, rates: { 'lost-request': 0.15, slow: 0.3 } },
      machine: { ...machine, sleepsAtMs: [chance.between(quietMs, quietMs + 4 * MINUTE)] },
      calmAtMs: 60 * MINUTE,
      situations: ['asleep while orders are proven absent'],
    };
  },
};

/** Look-ups show most orders at once, and some much later than after the silence that is kept, at a service that acts on no id twice. */
export const someShownLate: Theme = {
  about: ['read-lag', 'delivered-twice', 'lost-answer', 'repeat-refused', 'repeat-nine'],
  shape(drawn, chance): World {
    const world = undisturbed(drawn, chance);
    const { settings, service, network, operator } = world;
    const { quietMs } = settings.inDoubt;
    const repeats = chance.pick<RepeatMode>(['refused', 'nine']);
    return {
      ...world,
      settings: { ...settings, inDoubt: { ...settings.inDoubt, maxAgeMs: 1440 * MINUTE, maxResends: 3 } },
      operator: { ...operator, retries: 0 },
      service: { ...service, repeats, readLagMs: chance.between(3 * quietMs, 12 * quietMs), shownAtOnce: 0.6 },
      // Repeated on the way, it is refused to who sent it once; repeated after proof, it is accepted under another id.
      network: { ...network, rates: repeats === 'nine' ? { 'lost-answer': 0.2 } : { 'delivered-twice': 0.5 } },
      situations: ['look-ups that show some orders much later than others'],
    };
  },
};

/** Look-ups show an order later than after the silence that is kept, at a service that carries out what is repeated. */
export const lateLookUps: Theme = {
  about: ['read-lag', 'lost-answer', 'crash', 'repeat-executed', 'repeat-hidden'],
  shape(drawn, chance): World {
    const world = undisturbed(drawn, chance);
    const { settings, service, network, operator, machine } = world;
    const { quietMs } = settings.inDoubt;
    const repeats = actsOnce(service.repeats) ? chance.pick<RepeatMode>(['executed', 'hidden']) : service.repeats;
    return {
      ...world,
      operator: { ...operator, retries: 0 },
      service: { ...service, repeats, readLagMs: chance.between(quietMs, 12 * quietMs) },
      network: { ...network, rates: { 'lost-answer': 0.1, 'lost-request': chance.pick([0, 0.05]) } },
      machine: { ...machine, crashes: chance.below(3) },
      situations: ['look-ups that lag where repetitions are carried out'],
    };
  },
};

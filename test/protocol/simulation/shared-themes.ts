/** Themes in which several processes share a ledger (`shared-story.ts`). */
import type { Chance } from '../../support/seeded-random.ts';
import { type SharedLedgerPlot, type Strike, situationOfStrike, type Worker } from './plot.ts';
import type { Theme } from './theme.ts';
import { undisturbed } from './timed-themes.ts';
import type { Engine } from './transactions.ts';

const MINUTE = 60_000;

/** What strikes a ledger, by what it is kept in, in turn: a server forgets and starts again, and a file is put back. */
const turns: readonly (readonly [Engine, Strike])[] = [
  ['server', 'none'],
  ['file', 'sleeps'],
  ['server', 'forgets'],
  ['file', 'killed'],
  ['server', 'host-sleeps'],
  ['file', 'put-back'],
  ['server', 'sleeps'],
  ['file', 'none'],
  ['server', 'killed'],
  ['server', 'restarts'],
];

/** Two or three processes at work: on batches of their own, on the same one, or with a retry beside a run. */
function workersOf(chance: Chance, engine: Engine, batches: number): readonly Worker[] {
  const isElsewhere = (): boolean => engine === 'server' && chance.onceIn(2);
  const count = chance.between(2, 3);
  const mayCrash = chance.onceIn(3);
  return Array.from({ length: count }, (_, index) => ({
    batch: index % batches,
    does: index > 0 && chance.onceIn(4) ? ('retry' as const) : ('run' as const),
    startMs: index === 0 ? 0 : chance.pick([0, 0, 5, 50, 400, 5000, 45_000, 90_000]),
    isElsewhere: isElsewhere(),
    mayCrash,
  }));
}

/** Several processes share one ledger. */
export const sharedLedger = (round: number): Theme => {
  const [engine, strike] = turns[round % turns.length] ?? ['file', 'none'];
  return {
    about: ['crash', 'paused', 'asleep', 'second-runner', 'ledger-restored'],
    shape(drawn, chance) {
      const world = undisturbed(drawn, chance);
      const { settings, network, machine, service } = world;
      const rows = chance.between(8, 14);
      const batches = chance.pick([1, 2, 2, 3]);
      const strikesAt = chance.between(2, rows);
      const plot: SharedLedgerPlot = {
        tag: 'shared-ledger',
        engine,
        batches,
        workers: workersOf(chance, engine, batches),
        strike,
        strikesAt,
        keptAt: chance.between(1, strikesAt),
      };
      const lost = chance.onceIn(2) ? 0 : 0.05;
      return {
        ...world,
        rows,
        fates: world.fates.slice(0, rows),
        settings: {
          ...settings,
          sending: { ...settings.sending, concurrency: chance.pick([1, 2, 4]) },
          inDoubt: { ...settings.inDoubt, unknownGapMs: 3000, quietMs: 6000, maxAgeMs: 1440 * MINUTE, maxResends: 8 },
        },
        service: { ...service, readLagMs: 0 },
        network: { ...network, lateMaxMs: 3000, latencyMs: chance.pick([5, 50, 300]), rates: { 'lost-answer': lost } },
        operator: { ...world.operator, retries: 0, resolves: 0 },
        disk: { latencyMs: chance.pick([3, 10, 40]), slowShare: chance.onceIn(3) ? 0.02 : 0 },
        machine: {
          ...machine,
          otherHost: engine === 'server',
          skewMs: engine === 'server' && chance.onceIn(3) ? chance.between(-5 * MINUTE, 5 * MINUTE) : 0,
        },
        situations: [situationOfStrike[strike]],
        plot,
      };
    },
  };
};

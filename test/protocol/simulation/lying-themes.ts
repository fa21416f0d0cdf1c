/** Themes of worlds in which somebody lies. */
import { type FaultKind, type Lie, lies } from './fault-kinds.ts';
import { mishaps } from './mishap.ts';
import { alwaysRejecting, oftenRejecting } from './rejecting.ts';
import { inTurn, type Theme } from './theme.ts';
import { actsOnce, type World } from './world.ts';

/**
 * Each lie in turn, over runs that are cut short, so that what was heard in one is told otherwise in the next. Where
 * identifiers protect, every second world delivers half of what is sent twice, in many small orders. What else rarely meets a lie has
 * a round of its own in eight.
 */
export function lyingInTurn(round: number): Theme {
  const lie = inTurn(lies, round);
  const theme = lying(lie);
  const turn = Math.floor(round / lies.length);
  const twist = twists[turn % TWISTED_EACH];
  if (!twist) return theme;
  const about = [...theme.about, ...twist.about];
  const nth = Math.floor(turn / TWISTED_EACH);
  return { ...theme, about, shape: (world, chance) => twist.shape(theme.shape(world, chance), nth) };
}

const TWISTED_EACH = 8;

/** What is added to a theme, and the faults that it is about. */
interface Twist {
  readonly about: readonly FaultKind[];
  /** The nth time that it has its turn. */
  readonly shape: (world: World, nth: number) => World;
}

const twists: readonly Twist[] = [
  // The files of the computer are lost or put back, and what it heard before with them.
  {
    about: ['ledger-lost', 'ledger-restored', 'checkpoint-lost', 'checkpoint-restored'],
    shape: (world, nth) => ({
      ...world,
      operator: { ...world.operator, early: false },
      // A lie soon stops whoever is lied to: what is put back is kept before the first submission.
      machine: { ...world.machine, mishap: { ...inTurn(mishaps, nth), backupAt: 0 } },
    }),
  },
  // Orders take long, and who asks to stop them is told that they are stopped.
  {
    about: [],
    shape: (world, nth) => ({
      ...world,
      fates: world.fates.map((fate) => ({ ...fate, settleMs: fate.settleMs * 20 })),
      operator: { ...world.operator, rejecting: { ...alwaysRejecting, habit: nth % 2 === 0 ? 'ignored' : 'late' } },
    }),
  },
];

const lying = (lie: Lie): Theme => ({
  about: [lie, 'crash', 'interrupted', 'delivered-twice', 'withdrawn', 'reject-ignored', 'reject-late', 'disk-full'],
  lie,
  unusualPercent: 30,
  shape(world, chance) {
    const { service } = world;
    const machine = { ...world.machine, crashes: chance.between(1, 3), interrupts: 1 };
    // Whoever is lied to stops what is open, too.
    const operator = chance.onceIn(3) ? { ...world.operator, rejecting: oftenRejecting(chance) } : world.operator;
    // A disk that is full in the middle meets no lie otherwise: one in ten worlds has such a disk, and few lines are lied about.
    const disk = chance.onceIn(5)
      ? { ...world.disk, failsAtWrite: chance.between(5, 10 + world.fates.length) }
      : world.disk;
    if (!actsOnce(service.repeats) || chance.onceIn(2)) return { ...world, operator, machine, disk };
    const { network, settings } = world;
    const linesPerOrder = Math.min(world.linesPerOrder, 2);
    return {
      ...world,
      operator,
      machine,
      disk,
      linesPerOrder,
      settings: { ...settings, sending: { ...settings.sending, linesPerOrder } },
      network: { ...network, rates: { ...network.rates, 'delivered-twice': 0.5 } },
    };
  },
});

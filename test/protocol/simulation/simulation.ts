/**
 * One seed from beginning to end: a batch is run, crashed, resumed, run by two at once, and in the end resumed on a
 * healthy service and judged. The same seed gives the same log, event for event.
 */
import { type Chance, chanceOf } from '../../support/seeded-random.ts';
import { Disk } from './disk.ts';
import { type DrawOptions, drawWorld } from './draw-world.ts';
import type { FaultKind } from './fault-kinds.ts';
import { judgeEnd } from './final-judgement.ts';
import { Fleet } from './fleet.ts';
import { type Case, factsOf, judgeBooks, judgeChain, judgeSecrets } from './judge.ts';
import { type MadeBatch, makeBatch } from './made-batch.ts';
import { countMoves } from './moves.ts';
import { Network } from './network.ts';
import type { Plot } from './plot.ts';
import { PlotStory, peopleOf } from './plot-story.ts';
import { Service } from './service.ts';
import { SharedStory } from './shared-story.ts';
import type { Situation } from './situation.ts';
import { Story } from './story.ts';
import { Timeline } from './timeline.ts';
import { judgeTraces } from './trace.ts';
import { Traffic } from './traffic.ts';
import { traceOfAirtime } from './wire.ts';
import { type Violation, Witness } from './witness.ts';
import type { World } from './world.ts';

export interface SeedResult {
  readonly seed: number;
  readonly world: World;
  readonly violations: readonly Violation[];
  readonly faults: ReadonlySet<FaultKind>;
  readonly situations: ReadonlySet<Situation>;
  readonly transitions: ReadonlyMap<string, number>;
  /** What the real ledger did: phase, event, phase. */
  readonly moves: ReadonlyMap<string, number>;
  readonly crashPoints: ReadonlySet<string>;
  readonly outcomes: ReadonlyMap<string, number>;
  readonly payouts: number;
  readonly posts: number;
  readonly runs: number;
  readonly crashes: number;
  /** Most orders that a crash left claimed and not answered, in multiples of the concurrency. */
  readonly claimedAtCrash: number;
  readonly simulatedMs: number;
  readonly log: readonly string[];
  readonly digest: () => string;
}

/** Events after which a seed counts as one that does not come to an end. */
const EVENTS_MAX = 3_000_000;

/** The world of a seed, lived through. */
export const simulate = (seed: number, options: DrawOptions = {}): Promise<SeedResult> =>
  simulateWorld(drawWorld(seed, options));

/** Any world, lived through. */
export function simulateWorld(world: World): Promise<SeedResult> {
  return world.plot ? livePlot(world, world.plot) : liveStory(world);
}

/** What every world has. */
export interface Stage {
  readonly world: World;
  readonly chance: Chance;
  readonly timeline: Timeline;
  readonly witness: Witness;
  readonly service: Service;
}

/** A world with a service in it that knows the sheets of these batches. */
export function stageOf(world: World, batches: readonly MadeBatch[]): Stage {
  const chance = chanceOf(world.seed, 1);
  const timeline = new Timeline(chance);
  const witness: Witness = new Witness(() => timeline.nowMs);
  for (const situation of world.situations ?? []) witness.situations.add(situation);
  const places = batches.flatMap(({ rows }) =>
    rows.flatMap(({ attempts, person }) =>
      attempts.flatMap(({ trace, order }, before) => {
        const place = { row: person, attempt: before + 1 };
        return [[trace, place] as const, [traceOfAirtime(order), place] as const];
      }),
    ),
  );
  return {
    world,
    chance,
    timeline,
    witness,
    service: new Service(world, { timeline, chance, witness }, new Map(places)),
  };
}

/** Lets time go on until what is told is over; false when it never is. */
export async function lived({ timeline, witness }: Stage, emit: () => Promise<void>): Promise<boolean> {
  const unhandled = (error: unknown): void => witness.violated('BUG', `nobody handles: ${String(error)}`);
  process.on('unhandledRejection', unhandled);
  let over = false;
  const told = emit().then(() => {
    over = true;
  });
  await timeline.settle();
  while (!over && (await timeline.step())) {
    if (timeline.events > EVENTS_MAX) break;
  }
  if (over) await told;
  else witness.violated('M18', timeline.events > EVENTS_MAX ? 'it does not come to an end' : 'a run waits for ever');
  process.off('unhandledRejection', unhandled);
  return over;
}

async function liveStory(world: World): Promise<SeedResult> {
  const batch = makeBatch(world);
  const stage = stageOf(world, [batch]);
  const { chance, timeline, witness, service } = stage;
  const disk = new Disk({ chance, witness, now: () => timeline.nowMs, isServer: world.machine.otherHost }, world.disk);
  const traffic = new Traffic(world, batch, { disk, timeline, witness, service });
  const network = new Network({ world, timeline, chance, witness, service, traffic });
  const theCase: Case = { world, batch, disk, service, traffic, witness };
  const story = new Story(theCase, { timeline, chance, network });
  if (await lived(stage, () => story.emit())) {
    judgeBooks(theCase);
    if (!story.broken && !story.refused) judgeEnd(theCase, story);
    const facts = factsOf(disk);
    judgeChain(theCase, facts);
    judgeTraces(theCase, facts);
    // A ledger that broke the rules can hold facts that no state allows.
    if (witness.violations.length === 0) countMoves(theCase, facts);
    if (world.seed % SECRETS_EACH === 0) judgeSecrets(theCase);
  }
  disk.close();
  return resultOf(stage, { ...counted(story), payouts: world.rows, posts: postsIn(traffic) });
}

/** A world with several ledgers or sheets. */
async function livePlot(drawn: World, plot: Plot): Promise<SeedResult> {
  const { sheets, fates } = peopleOf(drawn, plot);
  const world = { ...drawn, fates };
  const stage = stageOf(
    world,
    sheets.map((sheet) => makeBatch(world, sheet)),
  );
  const fleet = new Fleet(world.machine, stage);
  const deps = { ...stage, fleet };
  if (plot.tag === 'shared-ledger') {
    const shared = new SharedStory(deps, plot);
    await lived(stage, () => shared.emit());
    return resultOf(stage, { ...counted(shared), payouts: fates.length, posts: shared.posts });
  }
  const story = new PlotStory(deps);
  await lived(stage, () => story.emit(plot));
  return resultOf(stage, { ...counted(story), payouts: fates.length, posts: story.posts });
}

type Counts = Pick<SeedResult, 'payouts' | 'posts' | 'runs' | 'crashes' | 'claimedAtCrash' | 'outcomes'>;

const counted = ({ runs, crashes, claimedAtCrash, outcomes }: Omit<Counts, 'payouts' | 'posts'>) => ({
  runs,
  crashes,
  claimedAtCrash,
  outcomes,
});

const postsIn = ({ posts }: Traffic): number => [...posts.values()].reduce((sum, { length }) => sum + length, 0);

const resultOf = ({ world, witness, timeline }: Stage, counts: Counts): SeedResult => ({
  ...counts,
  claimedAtCrash: counts.claimedAtCrash / world.settings.sending.concurrency,
  seed: world.seed,
  world,
  violations: witness.violations,
  faults: witness.faults,
  situations: witness.situations,
  transitions: witness.transitions,
  moves: witness.moves,
  crashPoints: witness.crashPoints,
  simulatedMs: timeline.nowMs,
  log: witness.lines,
  digest: () => witness.digest(),
});

/** The whole ledger is searched in one of so many seeds. */
const SECRETS_EACH = 8;

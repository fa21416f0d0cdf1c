/**
 * One seed from beginning to end: a batch is run, crashed, resumed, run by two at once, and in the end resumed on a
 * healthy service and judged. The same seed gives the same log, event for event.
 */
import { chanceOf } from '../../support/seeded-random.ts';
import { Disk } from './disk.ts';
import { type DrawOptions, drawWorld } from './draw-world.ts';
import type { FaultKind } from './fault-kinds.ts';
import { judgeEnd } from './final-judgement.ts';
import { type Case, judgeBooks, judgeChain, judgeSecrets } from './judge.ts';
import { makeBatch } from './made-batch.ts';
import { countMoves } from './moves.ts';
import { Network } from './network.ts';
import { Service } from './service.ts';
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
export async function simulateWorld(world: World): Promise<SeedResult> {
  const { seed } = world;
  const batch = makeBatch(world);
  const chance = chanceOf(seed, 1);
  const timeline = new Timeline(chance);
  const witness = new Witness(() => timeline.nowMs);
  const disk = new Disk(chance, witness, world.disk, () => timeline.nowMs);
  const service: Service = new Service(
    world,
    { timeline, chance, witness },
    new Map(
      batch.rows.flatMap(({ attempts }, row) =>
        attempts.flatMap(({ trace, order }, before) => {
          const place = { row, attempt: before + 1 };
          return [[trace, place] as const, [traceOfAirtime(order), place] as const];
        }),
      ),
    ),
  );
  const traffic = new Traffic(world, batch, { disk, timeline, witness, service });
  const network = new Network({ world, timeline, chance, witness, service, traffic });
  const theCase: Case = { world, batch, disk, service, traffic, witness };
  const story = new Story(theCase, { timeline, chance, network });
  const unhandled = (error: unknown): void => witness.violated('BUG', `nobody handles: ${String(error)}`);
  process.on('unhandledRejection', unhandled);
  let over = false;
  const told = story.tell().then(() => {
    over = true;
  });
  await timeline.settle();
  while (!over && (await timeline.step())) {
    if (timeline.events > EVENTS_MAX) break;
  }
  if (over) {
    await told;
    judgeBooks(theCase);
    if (!story.broken && !story.refused) judgeEnd(theCase, story);
    judgeChain(theCase);
    judgeTraces(theCase);
    // A ledger that broke the rules can hold facts that no state allows.
    if (witness.violations.length === 0) countMoves(theCase);
    if (seed % SECRETS_EACH === 0) judgeSecrets(theCase);
  } else witness.violated('M18', timeline.events > EVENTS_MAX ? 'it does not come to an end' : 'a run waits for ever');
  process.off('unhandledRejection', unhandled);
  disk.close();
  return {
    seed,
    world,
    violations: witness.violations,
    faults: witness.faults,
    transitions: witness.transitions,
    moves: witness.moves,
    crashPoints: witness.crashPoints,
    outcomes: story.outcomes,
    payouts: world.rows,
    posts: [...traffic.posts.values()].reduce((sum, posts) => sum + posts.length, 0),
    runs: story.runs,
    crashes: story.crashes,
    claimedAtCrash: story.claimedAtCrash / world.settings.sending.concurrency,
    simulatedMs: timeline.nowMs,
    log: witness.lines,
    digest: () => witness.digest(),
  };
}

/** The whole ledger is searched in one of so many seeds. */
const SECRETS_EACH = 8;

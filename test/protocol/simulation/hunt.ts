/**
 * Runs seeds on copies of the sources until one breaks a rule with a bug that it does not break without. A process of its own: a bug
 * may end it, or never end. Each copy has modules of its own here, so that a seed is run again in another one at once.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { simulate } from './simulation.ts';
import type { BrokenRule } from './tally.ts';

export interface Hunt {
  /** The copies, by their folders: with the bug and what takes its defences away. */
  readonly planted: string;
  /** Without any bug. */
  readonly sound: string;
  /** With nothing but what takes the defences away, and with nothing but the bug; missing where it has no such defences. */
  readonly behind?: { readonly defences: string; readonly alone: string };
  /** In the order in which they are tried. */
  readonly seeds: readonly number[];
}

/** What a hunt came to. */
export interface Hunted {
  /** Seeds that were run with the bug. */
  readonly tried: number;
  /** The rule that the bug breaks, and the seed that shows it; missing: none did. */
  readonly caught?: BrokenRule;
  /** The bug breaks that rule there also without what should take its defences away. */
  readonly isHeldByNobody: boolean;
}

type Broken = ReadonlyMap<string, string>;

const loaded = new Map<string, typeof simulate>();

/** The rules that a seed breaks in a copy, with what was said of the first time. */
async function brokenIn(folder: string, seed: number): Promise<Broken> {
  let run = loaded.get(folder);
  if (run === undefined) {
    const place = pathToFileURL(path.join(folder, 'test', 'protocol', 'simulation', 'simulation.ts'));
    const copy = (await import(place.href)) as { readonly simulate: typeof simulate }; // a copy of the one that gives the type
    run = copy.simulate;
    loaded.set(folder, run);
  }
  const { violations } = await run(seed);
  return new Map(violations.toReversed().map(({ rule, what }) => [rule, what]));
}

/** The first rule that the seed breaks with the bug alone to thank for it. */
async function caughtBy({ planted, sound, behind }: Hunt, seed: number): Promise<BrokenRule | undefined> {
  const broken = await brokenIn(planted, seed);
  if (broken.size === 0) return undefined;
  const others = [await brokenIn(sound, seed)];
  if (behind) others.push(await brokenIn(behind.defences, seed));
  for (const [rule, what] of [...broken].toReversed()) {
    if (!others.some((known) => known.has(rule))) return { seed, rule, what };
  }
  return undefined;
}

async function hunted(hunt: Hunt, emit: (seed: number) => void): Promise<Hunted> {
  for (const [before, seed] of hunt.seeds.entries()) {
    emit(seed);
    const caught = await caughtBy(hunt, seed);
    if (!caught) continue;
    const alone = hunt.behind && (await brokenIn(hunt.behind.alone, seed));
    return { tried: before + 1, caught, isHeldByNobody: alone?.has(caught.rule) === true };
  }
  return { tried: hunt.seeds.length, isHeldByNobody: false };
}

process.once('message', async (hunt: Hunt) => {
  process.send?.(await hunted(hunt, (begins) => process.send?.({ begins })));
});

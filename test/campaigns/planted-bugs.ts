/**
 * Has the simulation teeth? Plants one bug after the other in a copy of the sources and runs seeds until a rule breaks
 * that does not break without it: `node test/campaigns/planted-bugs.ts --seeds 2000`. A bug that another defence holds is
 * planted together with what takes that defence away, and has to break a rule that neither of them breaks alone. Says which
 * seed caught which bug by which rule, and ends with 1 when one gets away.
 *
 * The seed that caught a bug before is tried first (`catching-seeds.json`; `--keep` writes it anew), then the seeds of the themes that
 * the bug names, then all others. Whichever it is, a judge of its world has to find the bug there.
 */
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { hunt, plant, takeOut, withCopy } from '../protocol/simulation/plant.ts';
import { defencesOf, type PlantedBug, plantedBugs } from '../protocol/simulation/planted-bugs.ts';
import { isAbout, turnOf } from '../protocol/simulation/themes.ts';

const { values } = parseArgs({
  options: {
    /** Most seeds for one bug; the first that catches it ends its run. */
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    /** Only themes with these places in the table of `themes.ts`, as `20,21`: what harms few worlds is found sooner there. */
    turns: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    /** Words of the names of those that are tried; when there are none, all that no test of its own holds. */
    only: { type: 'string', multiple: true, default: [] },
    /** The kept seeds are not tried: a bug has to be found anew. */
    anew: { type: 'boolean', default: false },
    /** The seeds that caught bugs are written down, to be tried first from now on. */
    keep: { type: 'boolean', default: false },
  },
});
const KEPT = path.join(import.meta.dirname, '..', 'protocol', 'simulation', 'catching-seeds.json');
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Tried {
  readonly name: string;
  /** `held by nobody`: it is caught without what should take its defences away. */
  readonly how: 'caught' | 'missed' | 'held by nobody' | 'out of date' | 'broke the simulation';
  /** The first seed that catches it. */
  readonly seed?: number;
  /** The rule that it breaks there, or what went wrong. */
  readonly by: string;
}

/** The copies of one worker: one bug after the other is planted in them, and taken out again. */
interface Copies {
  readonly planted: string;
  readonly defences: string;
  readonly alone: string;
}

const kept: Record<string, number> = JSON.parse(await readFile(KEPT, 'utf8'));

/** Written after each bug: a campaign of hours may be stopped. */
function keep(name: string, seed: number): void {
  kept[name] = seed;
  const named = plantedBugs.flatMap((bug) =>
    kept[bug.name] === undefined ? [] : [[bug.name, kept[bug.name]] as const],
  );
  writeFileSync(KEPT, `${JSON.stringify(Object.fromEntries(named), undefined, 2)}\n`);
}

/** In the order in which they are tried. */
function seedsFor({ name, about = [] }: PlantedBug): readonly number[] {
  const range = Array.from({ length: Number(values.seeds) }, (_, index) => Number(values.from) + index);
  const turns = values.turns?.split(',').map(Number);
  const wanted = turns ? range.filter((seed) => turns.includes(turnOf(seed))) : range;
  const before = values.anew ? undefined : kept[name];
  const made = wanted.filter((seed) => isAbout(seed, about));
  return [...new Set([...(before === undefined ? [] : [before]), ...made, ...wanted])];
}

async function tryBug(bug: PlantedBug, sound: string, { planted, defences, alone }: Copies): Promise<Tried> {
  const { name } = bug;
  const held = defencesOf(bug);
  const places = [
    [planted, [bug, ...held]],
    [defences, held],
    [alone, [bug]],
  ] as const;
  try {
    for (const [folder, bugs] of places) {
      if (!(await plant(bugs, folder))) return { name, how: 'out of date', by: bug.file };
    }
    const behind = held.length > 0 && { behind: { defences, alone } };
    const answer = await hunt({ planted, sound, ...behind, seeds: seedsFor(bug) });
    if (typeof answer === 'string') return { name, how: 'broke the simulation', by: answer };
    const { caught, tried, isHeldByNobody } = answer;
    if (!caught) return { name, how: 'missed', by: `${tried} seeds` };
    const by = `${caught.rule}: ${caught.what}${behind ? ' (with what holds it)' : ''}`;
    return { name, how: isHeldByNobody ? 'held by nobody' : 'caught', seed: caught.seed, by };
  } finally {
    for (const [folder, bugs] of places) await takeOut(bugs, folder, sound);
  }
}

const isWanted = ({ name, heldBy }: PlantedBug): boolean =>
  values.only.length === 0 ? heldBy === undefined : values.only.some((word) => name.includes(word));
const chosen = plantedBugs.filter(isWanted);
const waiting = [...chosen];
const tried = new Map<string, Tried>();

async function work(sound: string, copies: Copies): Promise<void> {
  for (let bug = waiting.shift(); bug; bug = waiting.shift()) {
    const one = await tryBug(bug, sound, copies);
    tried.set(bug.name, one);
    if (values.keep && one.how === 'caught' && one.seed !== undefined) keep(bug.name, one.seed);
    const seed = one.seed === undefined ? '' : ` by seed ${one.seed}`;
    process.stderr.write(`${tried.size} of ${chosen.length}: ${one.how}${seed}, ${one.name}\n`);
  }
}

await withCopy((sound) => {
  const worker = (): Promise<void> =>
    withCopy((planted) => withCopy((defences) => withCopy((alone) => work(sound, { planted, defences, alone }))));
  return Promise.all(Array.from({ length: Number(values.workers) }, worker));
});

const widest = Math.max(...chosen.map(({ name }) => name.length));
say(`${'bug'.padEnd(widest)}   seed  caught by`);
for (const { name } of chosen) {
  const { how, seed, by } = tried.get(name) ?? { how: 'missed', seed: undefined, by: '' };
  say(`${name.padEnd(widest)}  ${String(seed ?? '-').padStart(5)}  ${how === 'caught' ? by : `${how} (${by})`}`);
}
if (values.only.length === 0) {
  for (const { name, heldBy } of plantedBugs) if (heldBy !== undefined) say(`"${name}" is held by ${heldBy}`);
}
const caught = [...tried.values()].filter(({ how }) => how === 'caught');
say(`caught ${caught.length}, missed ${chosen.length - caught.length}`);
process.exitCode = caught.length === chosen.length ? 0 : 1;

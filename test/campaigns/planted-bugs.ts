/**
 * Has the simulation teeth? Plants one bug after the other in a copy of the sources and runs seeds until a rule breaks
 * that does not break without it: `node test/campaigns/planted-bugs.ts --seeds 2000`. A bug that another defence holds is
 * planted together with what takes that defence away, and has to break a rule that neither of them breaks alone. Says which
 * seed caught which bug by which rule, and ends with 1 when one gets away.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { plant, runSeeds, type SeedsRun, withCopy } from '../protocol/simulation/plant.ts';
import { defencesOf, type PlantedBug, plantedBugs } from '../protocol/simulation/planted-bugs.ts';
import type { BrokenRule } from '../protocol/simulation/tally.ts';

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
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const workers = Number(values.workers);
const range = {
  from: Number(values.from),
  seeds: Number(values.seeds),
  ...(values.turns !== undefined && { turns: values.turns }),
};

interface Tried {
  readonly name: string;
  /** `held by nobody`: it is caught without what should take its defences away. */
  readonly how: 'caught' | 'missed' | 'held by nobody' | 'out of date' | 'broke the simulation';
  /** The first seed that catches it. */
  readonly seed?: number;
  /** The rule that it breaks there, or what went wrong. */
  readonly by: string;
}

const nameOf = ({ seed, rule }: BrokenRule): string => `${seed} ${rule}`;

/** The rules that seeds break with these bugs. */
const brokenBy = (bugs: readonly PlantedBug[], seeds: SeedsRun): Promise<readonly string[]> =>
  withCopy(async (folder) => {
    const answer = (await plant(bugs, folder)) && (await runSeeds(folder, seeds));
    return typeof answer === 'object' ? answer.broken.map(nameOf) : [];
  });

const tryBug = (bug: PlantedBug, sound: readonly string[]): Promise<Tried> =>
  withCopy(async (folder) => {
    const { name } = bug;
    const defences = defencesOf(bug);
    if (!(await plant([bug, ...defences], folder))) return { name, how: 'out of date', by: bug.file };
    // It takes all of them: what breaks without the defences says nothing of the bug.
    const known = defences.length > 0 ? [...sound, ...(await brokenBy(defences, range))] : sound;
    const answer = await runSeeds(folder, { ...range, known });
    if (typeof answer === 'string') return { name, how: 'broke the simulation', by: answer };
    const first = answer.broken.find((one) => !known.includes(nameOf(one)));
    if (!first) return { name, how: 'missed', by: `${answer.seeds} seeds` };
    const { seed } = first;
    const alone = defences.length > 0 ? await brokenBy([bug], { from: seed, seeds: 1 }) : [];
    const by = `${first.rule}: ${first.what}${defences.length > 0 ? ' (with what holds it)' : ''}`;
    return { name, how: alone.includes(nameOf(first)) ? 'held by nobody' : 'caught', seed, by };
  });

const sound = await withCopy((folder) => runSeeds(folder, { ...range, workers }));
if (typeof sound === 'string') throw new Error(`The simulation does not run: ${sound}`);
const known = sound.broken.map(nameOf);
say(`Without a planted bug ${known.length} rules are broken in ${range.seeds} seeds; they count as caught nowhere.`);
for (const one of known) say(`  seed and rule: ${one}`);
const { only } = values;
const isWanted = ({ name, heldBy }: PlantedBug): boolean =>
  only.length === 0 ? heldBy === undefined : only.some((word) => name.includes(word));
const chosen = plantedBugs.filter(isWanted);
const waiting = [...chosen];
const tried = new Map<string, Tried>();
const work = async (): Promise<void> => {
  for (let bug = waiting.shift(); bug; bug = waiting.shift()) {
    const one = await tryBug(bug, known);
    tried.set(bug.name, one);
    process.stderr.write(
      `${tried.size} of ${chosen.length}: ${one.how}${one.seed ? ` by seed ${one.seed}` : ''}, ${one.name}\n`,
    );
  }
};
await Promise.all(Array.from({ length: workers }, work));

const widest = Math.max(...chosen.map(({ name }) => name.length));
say(`${'bug'.padEnd(widest)}   seed  caught by`);
for (const { name } of chosen) {
  const { how, seed, by } = tried.get(name) ?? { how: 'missed', seed: undefined, by: '' };
  say(`${name.padEnd(widest)}  ${String(seed ?? '-').padStart(5)}  ${how === 'caught' ? by : `${how} (${by})`}`);
}
const needed = [...tried.values()]
  .flatMap(({ how, seed }) => (how !== 'caught' || seed === undefined ? [] : [seed - range.from + 1]))
  .toSorted((a, b) => a - b);
say(
  `${needed.length} of ${chosen.length} caught; seeds until then: median ${needed[needed.length >> 1]}, worst ${needed.at(-1)}`,
);
process.exitCode = needed.length === chosen.length ? 0 : 1;

/**
 * Has the simulation teeth? Plants one bug after the other in a copy of the sources and runs seeds until a rule breaks
 * that does not break without it: `node test/campaigns/planted-bugs.ts --seeds 2000`. Says which seed caught which bug by
 * which rule, and ends with 1 when one gets away.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { plant, runSeeds, withCopy } from '../protocol/simulation/plant.ts';
import { type PlantedBug, plantedBugs } from '../protocol/simulation/planted-bugs.ts';

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
  readonly how: 'caught' | 'missed' | 'out of date' | 'broke the simulation';
  /** The first seed that catches it. */
  readonly seed?: number;
  /** The rule that it breaks there, or what went wrong. */
  readonly by: string;
}

const tryBug = (bug: PlantedBug, known: readonly string[]): Promise<Tried> =>
  withCopy(async (folder) => {
    const { name } = bug;
    if (!(await plant(bug, folder))) return { name, how: 'out of date', by: bug.file };
    const answer = await runSeeds(folder, { ...range, known });
    if (typeof answer === 'string') return { name, how: 'broke the simulation', by: answer };
    const [first] = answer.broken;
    if (!first) return { name, how: 'missed', by: `${answer.seeds} seeds` };
    return { name, how: 'caught', seed: first.seed, by: `${first.rule}: ${first.what}` };
  });

const sound = await withCopy((folder) => runSeeds(folder, { ...range, workers }));
if (typeof sound === 'string') throw new Error(`The simulation does not run: ${sound}`);
const known = sound.broken.map(({ seed, rule }) => `${seed} ${rule}`);
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
  .flatMap(({ seed }) => (seed === undefined ? [] : [seed - range.from + 1]))
  .toSorted((a, b) => a - b);
say(
  `${needed.length} of ${chosen.length} caught; seeds until then: median ${needed[needed.length >> 1]}, worst ${needed.at(-1)}`,
);
process.exitCode = needed.length === chosen.length ? 0 : 1;

/**
 * Has the simulation teeth? Plants one bug after the other in a copy of the sources and runs seeds until a rule breaks
 * that does not break without it: `node test/campaigns/planted-bugs.ts --seeds 2000`. Ends with 1 when one gets away.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { plant, runSeeds, withCopy } from '../protocol/plant.ts';
import { type PlantedBug, plantedBugs } from '../protocol/planted-bugs.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: String(availableParallelism()) },
    /** Words of the names of those that are tried; all when there are none. */
    only: { type: 'string', multiple: true, default: [] },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const range = { from: Number(values.from), seeds: Number(values.seeds) };

interface Tried {
  readonly how: 'caught' | 'missed' | 'out of date' | 'broke the simulation';
  readonly seeds: number;
  readonly by: string;
}

const tryBug = (bug: PlantedBug, known: readonly string[]): Promise<Tried> =>
  withCopy(async (folder) => {
    if (!(await plant(bug, folder))) return { how: 'out of date', seeds: 0, by: bug.file };
    const answer = await runSeeds(folder, { ...range, known });
    if (typeof answer === 'string') return { how: 'broke the simulation', seeds: 0, by: answer };
    const [first] = answer.broken;
    if (!first) return { how: 'missed', seeds: answer.seeds, by: '' };
    return { how: 'caught', seeds: first.seed - range.from + 1, by: `${first.rule}: ${first.what}` };
  });

const sound = await withCopy((folder) => runSeeds(folder, range));
if (typeof sound === 'string') throw new Error(`The simulation does not run: ${sound}`);
const known = sound.broken.map(({ seed, rule }) => `${seed} ${rule}`);
say(
  `${sound.broken.length} rules are broken in ${range.seeds} seeds without a planted bug; they count as caught nowhere`,
);
const { only } = values;
const waiting = plantedBugs.filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)));
const all: Tried[] = [];
const work = async (): Promise<void> => {
  for (let bug = waiting.shift(); bug; bug = waiting.shift()) {
    const tried = await tryBug(bug, known);
    all.push(tried);
    say(`${tried.how.padEnd(20)} ${String(tried.seeds).padStart(5)}  ${bug.name}  (${tried.by})`);
  }
};
await Promise.all(Array.from({ length: Number(values.workers) }, work));
const caught = all.filter(({ how }) => how === 'caught');
const seeds = caught.map((one) => one.seeds).toSorted((a, b) => a - b);
say(
  `${caught.length} of ${all.length} caught; seeds until then: median ${seeds[seeds.length >> 1]}, worst ${seeds.at(-1)}`,
);
process.exitCode = caught.length === all.length ? 0 : 1;

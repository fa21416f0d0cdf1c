/**
 * Two computers begin with one sheet in the same moment: `node test/campaigns/in-step.ts --starts 20 --rows 1,2,3,13,120,300`. For each
 * service and each lag of its look-ups, on the simulated network and the real engine: how many people are paid twice, how often more
 * than three, and how many submissions leave for each person. Ends with 1 where the mean is 0.5 or more from 13 rows on, or a service that
 * refuses repetitions pays anybody twice.
 */
import { parseArgs } from 'node:util';
import { KILLED_AFTER, knowledge, type StepEnd, startInStep } from '../protocol/simulation/start-in-step.ts';
import type { RepeatMode } from '../protocol/simulation/world.ts';

const { values } = parseArgs({
  options: {
    /** Starts of each row of the table. */
    starts: { type: 'string', default: '20' },
    rows: { type: 'string', default: '1,2,3,13,120,300' },
    from: { type: 'string', default: knowledge.join(',') },
    services: { type: 'string', default: 'refused,echoed,hidden,executed' },
    lags: { type: 'string', default: '0,1000' },
    seed: { type: 'string', default: '1' },
  },
});
/** From so many unsent rows on the gate holds: who begins with fewer in one second has nowhere to see the other one first. */
const GATED_ROWS = 13;
const MEAN_MAX = 0.5;
const MANY = 3;
const chosen = (text: string): readonly string[] => text.split(',');
const isKnown = (text: string): text is (typeof knowledge)[number] => knowledge.some((one) => one === text);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
say('ledgers   service   lag ms    rows  starts   paid twice: mean    > 3   worst   posts a person   exits');
let isBroken = false;
const began = performance.now();
let starts = 0;

for (const from of chosen(values.from).filter(isKnown)) {
  for (const service of chosen(values.services)) {
    for (const lagMs of chosen(values.lags).map(Number)) {
      for (const rows of chosen(values.rows).map(Number)) {
        const ends: StepEnd[] = [];
        for (let index = 0; index < Number(values.starts); index++) {
          const seed = Number(values.seed) + index;
          ends.push(await startInStep({ seed, rows, from, repeats: service as RepeatMode, lagMs })); // as told
        }
        starts += ends.length;
        emit({ from, service, lagMs, rows, ends });
      }
    }
  }
}
say(`${starts} starts, ${((performance.now() - began) / 1000).toFixed(0)} s`);
process.exitCode = isBroken ? 1 : 0;

interface Cell {
  readonly from: string;
  readonly service: string;
  readonly lagMs: number;
  readonly rows: number;
  readonly ends: readonly StepEnd[];
}

function emit({ from, service, lagMs, rows, ends }: Cell): void {
  const twice = ends.map(({ paidTwice }) => paidTwice);
  const mean = twice.reduce((sum, one) => sum + one, 0) / ends.length;
  const many = twice.filter((one) => one > MANY).length;
  const posts = ends.reduce((sum, end) => sum + end.posts, 0) / ends.length / rows;
  const exits = Map.groupBy(ends, (end) =>
    end.exits
      .map((exit) => exit ?? 'fault')
      .toSorted()
      .join('+'),
  );
  const told = [...exits].map(([name, those]) => `${name}: ${those.length}`).join(', ');
  const left = from === 'interrupted' ? rows - 2 * KILLED_AFTER : rows;
  if (left >= GATED_ROWS && mean >= MEAN_MAX) isBroken = true;
  if (service === 'refused' && Math.max(...twice) > 0) isBroken = true;
  const columns = [from.padEnd(9), service.padEnd(9), String(lagMs).padStart(6), String(rows).padStart(7)];
  const counts = [String(ends.length).padStart(7), mean.toFixed(3).padStart(18), String(many).padStart(6)];
  say(
    [...columns, ...counts, String(Math.max(...twice)).padStart(7), posts.toFixed(2).padStart(16), `  ${told}`].join(
      ' ',
    ),
  );
}

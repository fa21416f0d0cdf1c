/**
 * Two real processes begin with one sheet in the same moment: `node test/campaigns/two-in-step.ts --starts 10 --rows 120`. With two new
 * state folders, and with two copies of the folder of a run that was interrupted, at a service that refuses repetitions, at one that carries them
 * out and answers as the first time, and at one that carries them out and shows both. Ends with 1 where more than three are paid twice.
 */
import { parseArgs } from 'node:util';
import { repetitions, startTogether } from '../support/desk/step-site.ts';

const { values } = parseArgs({
  options: { starts: { type: 'string', default: '10' }, rows: { type: 'string', default: '120' } },
});
const rows = Number(values.rows);
const MANY = 3;
let isBroken = false;
process.stdout.write('service   folders   paid twice in each start             posts a person   exits\n');
for (const isCopied of [false, true]) {
  for (const repetition of repetitions) {
    const twice: number[] = [];
    const exits: string[] = [];
    let posts = 0;
    for (let start = 0; start < Number(values.starts); start++) {
      const end = await startTogether(repetition, rows, isCopied);
      twice.push(end.paidTwice);
      posts += end.posts;
      exits.push(end.exits.toSorted((a, b) => a - b).join('+'));
    }
    isBroken ||= twice.some((count) => count > MANY);
    const told = [...Map.groupBy(exits, (one) => one)].map(([name, those]) => `${name}: ${those.length}`).join(', ');
    const sent = (posts / twice.length / rows).toFixed(2);
    process.stdout.write(
      `${repetition.padEnd(9)} ${(isCopied ? 'copied' : 'new').padEnd(9)} ${twice.join(' ').padEnd(36)} ${sent.padStart(14)}   ${told}\n`,
    );
  }
}
process.exitCode = isBroken ? 1 : 0;

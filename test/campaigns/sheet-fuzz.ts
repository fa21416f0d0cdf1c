/**
 * Mutants of sheets through the whole check: `node test/campaigns/sheet-fuzz.ts --mutants 50000 --seed 1`. Prints the
 * verdicts and the rate; a mutant that fails is kept and named with its seed, and the campaign ends with 1.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fuzz } from '../support/sheet-fuzz/sheet-fuzz.ts';

const { values } = parseArgs({
  options: {
    mutants: { type: 'string', default: '50000' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: String(availableParallelism()) },
    keep: { type: 'string', default: path.join(tmpdir(), 'paybatch-fuzz-failures') },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-fuzz-'));
try {
  const [mutants, seed, workers] = [Number(values.mutants), Number(values.seed), Number(values.workers)];
  const started = performance.now();
  const report = await fuzz({ mutants, seed, workers, folder, keep: values.keep, emit: say });
  const seconds = (performance.now() - started) / 1000;
  say(`${mutants} mutants, seed ${seed}, ${seconds.toFixed(0)} s, ${(mutants / seconds).toFixed(0)} a second`);
  say(`slowest ${report.slowestMs.toFixed(0)} ms, largest process ${report.peakMiB.toFixed(0)} MiB`);
  for (const [verdict, number] of [...report.verdicts].toSorted()) say(`${String(number).padStart(8)}  ${verdict}`);
  for (const [what, number] of [...report.totals].toSorted()) say(`${String(number).padStart(8)}  totals, ${what}`);
  say(`${String(report.late).padStart(8)}  judged a second time, alone`);
  say(`${String(report.failures.length).padStart(8)}  failures`);
  for (const { index, what, path: file } of report.failures.slice(0, 50))
    say(`  ${seed}/${index}  ${what}\n    ${file}`);
  process.exitCode = report.failures.length > 0 ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}

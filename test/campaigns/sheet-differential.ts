/**
 * Generated workbooks through three readers: `node test/campaigns/sheet-differential.ts --workbooks 2000 --seed 1`.
 * Prints what was compared, which differences are faults of other programs, and ends with 1 when one is ours.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Difference, faultsOfOthers } from '../support/second-readers/faults-of-others.ts';
import { hasXlsxwriter, pythonWithOpenpyxl } from '../support/second-readers/python.ts';
import { differential } from '../support/second-readers/sheet-differential.ts';

const { values } = parseArgs({
  options: { workbooks: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

if (pythonWithOpenpyxl === undefined || !hasXlsxwriter) {
  say('python3-openpyxl and python3-xlsxwriter are needed: nothing was compared');
  process.exit(2);
}

const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-differential-'));
try {
  const started = performance.now();
  const report = await differential(folder, Number(values.workbooks), Number(values.seed));
  const seconds = (performance.now() - started) / 1000;
  const written = [...report.written].map(([program, number]) => `${program} ${number}`).join(', ');
  say(`workbooks ${report.workbooks} (${written}; ${report.unwritten} that their program could not write)`);
  say(`cells ${report.cells}, comparisons ${report.compared}, ${seconds.toFixed(1)} s, seed ${values.seed}`);
  for (const [what, number] of report.unopened) say(`not opened  ${String(number).padStart(6)}  ${what}`);
  for (const { id, reason } of faultsOfOthers) {
    say(`theirs      ${String(report.explained.get(id) ?? 0).padStart(6)}  ${id}: ${reason}`);
  }
  say(`ours        ${String(report.unexplained.length).padStart(6)}`);
  for (const difference of report.unexplained.slice(0, 30)) say(shown(difference));
  process.exitCode = report.unexplained.length > 0 ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}

function shown({ made, other, address, cell, ours, theirs }: Difference): string {
  return `  workbook ${made.seed} by ${made.program}, ${address}, ${other}: ${JSON.stringify({ ours, theirs, cell })}`;
}

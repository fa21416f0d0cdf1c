/**
 * Makes the kept ledger of the present version of the tables, in `test/fixtures/ledgers`: the state folder of a user who rehearsed three
 * sheets, without its checkpoints. October is paid, and its people are deleted; of November two rows failed; December broke off in the middle. Run it before the
 * tables change, and never again for the same version. Facts name user and computer: `unshare -u` gives it another name.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ledgerSchema } from '../../../src/ledger/schema.ts';
import { csvOf, people } from '../desk/payroll-sheet.ts';
import { paybatchCommand, programEnv } from '../desk/program.ts';

const KEPT = path.join(import.meta.dirname, '..', '..', 'fixtures', 'ledgers', `version-${ledgerSchema.version}`);
if (existsSync(KEPT)) throw new Error(`${KEPT} is kept already`);

// Facts and headers name the folder of a sheet.
const folder = mkdtempSync('/tmp/payroll-');
const home = path.join(folder, 'state');

/** Phones whose payments end so. */
const endings = ['+254712340008', '+254712340001'] as const;
const [first, second, ...others] = people(30);
if (!(first && second)) throw new Error('there are people');
const sheets = {
  october: [first, second],
  november: [{ ...first, phone: endings[0] }, { ...second, phone: endings[1] }, ...others.slice(0, 2)],
  december: others.slice(2),
};
for (const [name, rows] of Object.entries(sheets)) writeFileSync(path.join(folder, `${name}.csv`), csvOf(rows));

await ended(['run', 'october.csv', '--batch', 'october'], 0);
await ended(['run', 'november.csv', '--batch', 'november'], 6);
await ended(['run', 'december.csv', '--batch', 'december'], 130, '"type":"progress"');
await ended(['purge', '--batch', 'october', '--older-than', '1s'], 0);
await ended(['verify'], 0);

const kept = ['sandbox/ledger.db', 'sandbox/books.ndjson'];
if (statSync(path.join(home, 'sandbox', 'ledger.db-wal')).size > 0) throw new Error('the log is not empty');
mkdirSync(KEPT, { recursive: true });
for (const file of kept) cpSync(path.join(home, file), path.join(KEPT, 'state', file));
for (const name of Object.keys(sheets)) cpSync(path.join(folder, `${name}.csv`), path.join(KEPT, `${name}.csv`));
rmSync(folder, { recursive: true });

/** Runs a command to its end. `until`: it is interrupted when this is written. */
function ended(argv: readonly string[], exit: number, until?: string): Promise<void> {
  const [program = '', ...before] = paybatchCommand;
  const child = spawn(program, [...before, ...argv, '--json'], {
    cwd: folder,
    env: { ...programEnv, PAYBATCH_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  let isStopped = false;
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    // A second signal would end it at once.
    if (until === undefined || isStopped || !said.includes(until)) return;
    isStopped = child.kill('SIGINT');
  });
  return new Promise((resolve, reject) => {
    child.once('close', (code) =>
      code === exit ? resolve() : reject(new Error(`${argv.join(' ')}: ${code}\n${said}`)),
    );
  });
}

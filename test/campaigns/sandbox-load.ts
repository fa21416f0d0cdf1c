/**
 * Many clients at once against the practice service: `node test/campaigns/sandbox-load.ts --clients 200 --seconds 60`.
 * They submit orders of one to five lines, look them up, read balances, buy airtime, pay bills and ask for deposits over
 * connections that are kept alive. Afterwards the books are held to the cent to what was answered. Ends with 1 on any violation.
 *
 * The service's own share is its processor time (user and system, /proc/PID/stat before and after) over the time of the
 * load. The clients run in this process and compete for the same processors, so a share is more telling than the rate.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type LoadReport, loadSandbox } from '../support/load/sandbox-load.ts';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
/** More violations than this are counted, not shown. */
const MOST_SHOWN = 50;

/** Processor time of the service, over the time of the load and for each request. */
function workOf({ cpuSeconds, seconds, requests }: LoadReport): string {
  if (cpuSeconds === undefined) return 'not measured on this system';
  const share = ((cpuSeconds / seconds) * 100).toFixed(0);
  const each = ((cpuSeconds / requests) * 1000).toFixed(3);
  return `${share} % of the run (${cpuSeconds.toFixed(1)} s of processor time, ${each} ms a request)`;
}

const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-load-'));
try {
  const [clients, seconds, seed] = [Number(values.clients), Number(values.seconds), Number(values.seed)];
  const report = await loadSandbox({ clients, seconds, seed, folder });
  const { books, violations } = report;
  say(
    `${clients} clients, ${report.seconds.toFixed(1)} s, seed ${seed}, Node.js ${process.version}, ${cpus().length} processors`,
  );
  say(`${report.requests} requests, ${report.perSecond.toFixed(0)} a second, ${report.movements} movements of money`);
  say(
    `p50 ${report.p50Ms.toFixed(1)} ms, p99 ${report.p99Ms.toFixed(1)} ms, slowest ${report.slowestMs.toFixed(0)} ms`,
  );
  say(`the service's own work: ${workOf(report)}`);
  for (const [name, count] of [...report.counts].toSorted()) say(`${String(count).padStart(8)}  ${name}`);
  for (const [code, balance] of Object.entries(books.balance)) {
    say(
      `${code}  opening ${books.opening[code]} + received ${books.received[code]} − paid ${books.paid[code]}` +
        ` − fees ${books.fees[code]} = ${balance}`,
    );
  }
  say(`${String(violations.length).padStart(8)}  violations`);
  for (const violation of violations.slice(0, MOST_SHOWN)) say(`  ${violation}`);
  process.exitCode = violations.length > 0 ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}

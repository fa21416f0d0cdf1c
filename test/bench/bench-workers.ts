/**
 * Rates of a file, of PostgreSQL and of workers beside each other: `npm run bench:workers`. Each answer of the service takes 250 ms, and
 * each worker has 16 orders in flight. Told are seconds, CPU and memory of each process. `--rows N` of one batch (600) · `--workers
 * 1,2,4` · `--answer-ms N` · `--long ROWS` instead: one batch of so many rows at 100 lines an order (`--lines N`), planned, sent by a worker,
 * reported and proven once, at a service that answers at once · `--planning ROWS` instead: 1,000 rows planned beside so many unsent ones
 * in 16 other batches, and alone, by turns · `--json FILE`. It never fails for being slow.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { postgresAddress } from '../../src/database/postgres/address.ts';
import { asAnother, type Cluster, newAddress, openCluster } from '../support/postgres.ts';
import { totalOf, writePayroll } from './account.ts';
import { type Cost, measure, medianOf, type Program } from './measure.ts';
import { type Office, openOffice } from './office.ts';
import { runWatched, startWatched, type Usage, Watched } from './watched.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '600' },
    workers: { type: 'string', default: '1,2,4' },
    'answer-ms': { type: 'string', default: '250' },
    long: { type: 'string' },
    planning: { type: 'string' },
    lines: { type: 'string', default: '100' },
    json: { type: 'string' },
  },
});
const [rows, answerMs] = [Number(values.rows), Number(values['answer-ms'])];
const IN_FLIGHT = 16;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Measured {
  readonly name: string;
  readonly rows: number;
  readonly seconds: number;
  readonly rowsPerSecond: number;
  readonly processes: readonly Usage[];
}
const measured: Measured[] = [];
const plans: (Cost & { readonly name: string })[] = [];
const disk: { readonly rows: number; readonly tables: number; readonly log: number }[] = [];

function emit(name: string, count: number, seconds: number, processes: readonly Usage[]): void {
  measured.push({ name, rows: count, seconds, rowsPerSecond: count / seconds, processes });
  say(
    `\n${name}, ${count.toLocaleString('en')} rows: ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(1)} rows a second`,
  );
  for (const { name: who, cpuSeconds, peakMb, memory } of processes) {
    const perRow = ((1e6 * cpuSeconds) / count).toFixed(0);
    say(`  ${who.padEnd(12)} CPU ${cpuSeconds.toFixed(1)} s (${perRow} µs a row), ${peakMb} MB at most`);
    if (values.long !== undefined)
      say(`               MB over time: ${memory.map(([at, mb]) => `${at} s ${mb}`).join(' · ')}`);
  }
}

/** A sheet whose people, from one on, are in no other, and the command that plans it and leaves it to workers. */
async function planning(office: Office, name: string, count: number, from = 0): Promise<Program> {
  await writePayroll(path.join(office.folder, `${name}.csv`), count, name, from);
  const totals = ['--expect-count', String(count), '--expect-total', totalOf(count, from)];
  const argv = [
    'run',
    `${name}.csv`,
    '--batch',
    name,
    '--detach',
    '--no-copy',
    '--allow-duplicate',
    'bench',
    ...totals,
  ];
  return { ...office.paybatch(...argv), exit: 7 };
}

async function planned(office: Office, name: string, count: number, from = 0): Promise<Usage> {
  return runWatched('plan', await planning(office, name, count, from));
}

/** Starts workers, and stops them when every batch is through. */
async function worked(office: Office, workers: number, batches: readonly string[]): Promise<readonly Usage[]> {
  const left = new Set(batches);
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  const hear = (line: string): void => {
    const { type, point, batch, exit, message } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if (type !== 'worker') return;
    if (point === 'left' || point === 'alarm') reject(new Error(String(message)));
    if (point === 'over' && exit === 0) left.delete(String(batch));
    if (left.size === 0) resolve();
  };
  const started = Array.from({ length: workers }, (_, at) =>
    startWatched(`worker ${at + 1}`, office.paybatch('worker', '--json'), hear),
  );
  await over;
  const usages = started.map(({ watched }) => watched.end());
  for (const { child } of started) child.kill('SIGTERM');
  await Promise.all(started.map(({ child }) => once(child, 'close')));
  return usages;
}

/** What is done while the service, and the server of the ledger, are watched. */
async function beside(
  office: Office,
  cluster: Cluster | undefined,
  work: () => Promise<readonly Usage[]>,
): Promise<{ readonly seconds: number; readonly processes: readonly Usage[] }> {
  const service = new Watched('service', office.service.pid ?? 0, true);
  const postgres = cluster && new Watched('postgres', cluster.pid(), true);
  const began = performance.now();
  const own = await work();
  const seconds = (performance.now() - began) / 1000;
  return { seconds, processes: [...own, ...(postgres ? [postgres.end()] : []), service.end()] };
}

const openServer = (): Promise<Cluster> =>
  openCluster({ max_connections: '100', shared_buffers: '128MB', max_wal_size: '2GB', autovacuum: 'on' });

/** What the tables of a ledger and their indexes take on the disk of the server, and what its log has grown to by now. */
async function tellDisk(address: string, count: number): Promise<void> {
  const [row] = await asAnother(
    address,
    `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint AS log, (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c
      WHERE c.relkind = 'r' AND c.relnamespace = '${postgresAddress(address).schema}'::regnamespace)::bigint AS tables`,
  );
  const [tables, log] = [Number(row?.['tables']), Number(row?.['log'])];
  say(
    `  on disk: ${(tables / count).toFixed(0)} bytes a row in tables; the log of the server is at ${(log / 1e6).toFixed(0)} MB`,
  );
  disk.push({ rows: count, tables, log });
}

async function rates(): Promise<void> {
  const sending = { concurrency: IN_FLIGHT, linesPerOrder: 1, answerMs };
  const file = await openOffice(sending);
  const alone = await beside(file, undefined, async () => [await runWatched('run', await file.payment(rows))]);
  emit('run, ledger in a file', rows, alone.seconds, alone.processes);
  await file.close();
  const cluster = await openServer();
  const office = await openOffice({ ...sending, ledger: newAddress(cluster) });
  const shared = await beside(office, cluster, async () => [await runWatched('run', await office.payment(rows))]);
  emit('run, ledger on PostgreSQL', rows, shared.seconds, shared.processes);
  await office.close();
  for (const workers of values.workers.split(',').map(Number)) {
    const batches = Array.from({ length: workers }, (_, at) => `w${workers}-${at + 1}`);
    await sendPlanned(cluster, workers, batches, `${workers} workers on ${workers} batches, planned before`);
  }
  await cluster.stop();
}

/** The limits are those of all workers together, so each has as many submissions in flight as one alone. */
async function sendPlanned(cluster: Cluster, workers: number, batches: readonly string[], name: string): Promise<void> {
  // A ledger of its own: the one before would make the opening longer.
  const address = newAddress(cluster);
  const concurrency = IN_FLIGHT * workers;
  const each = (workers * rows) / batches.length;
  const next = await openOffice({ concurrency, linesPerOrder: 1, answerMs, ledger: address });
  for (const [at, batch] of batches.entries()) await planned(next, batch, each, at * each);
  const { seconds, processes } = await beside(next, cluster, () => worked(next, workers, batches));
  emit(name, workers * rows, seconds, processes);
  await tellDisk(address, workers * rows);
  await next.close();
}

async function long(count: number): Promise<void> {
  const cluster = await openServer();
  const address = newAddress(cluster);
  const office = await openOffice({ concurrency: IN_FLIGHT, linesPerOrder: Number(values.lines), ledger: address });
  const steps = {
    planned: async () => [await planned(office, 'long', count)],
    'sent by a worker': () => worked(office, 1, ['long']),
    reported: async () => [await runWatched('report', office.paybatch('report', 'long'))],
    'opened and proven': async () => [await runWatched('verify', office.paybatch('verify'))],
  };
  for (const [name, work] of Object.entries(steps)) {
    const { seconds, processes } = await beside(office, cluster, work);
    emit(name, count, seconds, processes);
    await tellDisk(address, count);
  }
  await office.close();
  await cluster.stop();
}

/** Rows that are planned beside others, batches of the others, and how often each is measured. */
const [PLANNED, OTHERS, TURNS] = [1000, 16, 5];

async function planningBeside(count: number): Promise<void> {
  const cluster = await openServer();
  const [alone, among] = [[], []] as [Cost[], Cost[]];
  const full = await openOffice({ concurrency: IN_FLIGHT, linesPerOrder: 1, ledger: newAddress(cluster) });
  const each = Math.ceil(count / OTHERS);
  for (let at = 0; at < OTHERS; at++) await planned(full, `other-${at}`, each, at * each);
  for (let turn = 0; turn < TURNS; turn++) {
    const empty = await openOffice({ concurrency: IN_FLIGHT, linesPerOrder: 1, ledger: newAddress(cluster) });
    alone.push(await measure(await planning(empty, 'alone', PLANNED)));
    await empty.close();
    among.push(await measure(await planning(full, `turn-${turn}`, PLANNED, count + turn * PLANNED)));
  }
  await full.close();
  await cluster.stop();
  for (const [how, costs] of Object.entries({ alone, [`beside ${count.toLocaleString('en')} unsent rows`]: among })) {
    const name = `${PLANNED.toLocaleString('en')} rows planned ${how}`;
    const { wallSeconds, cpuSeconds, peakMb } = medianOf(costs);
    plans.push({ name, wallSeconds, cpuSeconds, peakMb });
    say(
      `${name}: ${wallSeconds.toFixed(2)} s, CPU ${cpuSeconds.toFixed(2)} s, ${peakMb.toFixed(0)} MB (medians of ${TURNS})`,
    );
  }
}

const machine = `${cpus()[0]?.model} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GB, Node.js ${process.versions.node}`;
say(`${machine}; answers in ${values.long === undefined ? answerMs : 0} ms, ${IN_FLIGHT} orders in flight a worker`);
if (values.planning !== undefined) await planningBeside(Number(values.planning));
else if (values.long === undefined) await rates();
else await long(Number(values.long));
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ machine, answerMs, measured, plans, disk }, null, 2)}\n`);

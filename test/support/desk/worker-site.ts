/** Workers in processes of their own, on one PostgreSQL ledger and one practice service, with several batches to be sent. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFailed, onTestFinished } from 'vitest';
import { checkpointFile, ledgerFile } from '../../../src/cli/state/state-files.ts';
import { thisProcess } from '../../../src/cli/state/system.ts';
import { keysInFolder } from '../../../src/ledger/key-folder.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { systemClock } from '../../../src/system.ts';
import { queueSchema } from '../../../src/worker/queue.ts';
import { asAnother, type Cluster, newAddress, ownCluster, sharedAt } from '../postgres.ts';
import { csvOf, people } from './payroll-sheet.ts';
import { openSite, type Site, type SiteOptions } from './process-site.ts';

/** Rows of one batch. */
export const ROWS = 90;

/** A worker that was started, and all that it told so far. */
export interface StartedWorker {
  readonly child: ChildProcess;
  readonly events: () => readonly Readonly<Record<string, unknown>>[];
  readonly stderr: () => string;
  /** Resolves when it has told an event like this. */
  told(like: Readonly<Record<string, unknown>>): Promise<void>;
  /** Its exit code; null: it was killed. */
  readonly ended: Promise<number | null>;
}

export interface WorkerSite {
  readonly cluster: Cluster;
  readonly site: Site;
  readonly address: string;
  /** Plans a batch of people that no other has, and leaves it to the workers. */
  detach(name: string): Promise<void>;
  worker(...options: readonly string[]): StartedWorker;
  /** The same under another program, which gets it as its arguments. */
  workerUnder(under: readonly string[], ...options: readonly string[]): StartedWorker;
  /** The same on a computer of its own, which has vouched for the ledger. */
  workerOn(machine: string): Promise<StartedWorker>;
  /** The service has just begun, so nothing can have been sent to it: this machine need not doubt its ledger. */
  vouch(): Promise<void>;
  /** Forgets all jobs, whoever does them. */
  emptyQueue(): Promise<void>;
  /** Everybody of so many batches is in the books of the service, and once. */
  expectPaidOnce(batches: number): Promise<void>;
  /** Resolves when so many orders are in its books. */
  sent(orders: number): Promise<void>;
}

interface WorkerSiteOptions extends Partial<Pick<SiteOptions, 'rows' | 'sending' | 'gate'>> {
  /** Another one than all tests of this process share: for a test that ends its server, or gives somebody rights there. */
  readonly cluster?: Cluster;
}

/** `scenario`: of the practice service; slow enough that a signal meets a batch in the middle. `rows`: of each batch. */
export async function openWorkerSite(
  scenario = 'slow=200,settle-min=50,settle-max=300',
  { rows = ROWS, cluster: given, ...options }: WorkerSiteOptions = {},
): Promise<WorkerSite> {
  const cluster = given ?? (await ownCluster());
  const address = newAddress(cluster);
  const site = await openSite({ ...options, rows, scenario, env: { PAYBATCH_LEDGER: address } });
  onTestFinished(() => site.close());
  let sheets = 0;
  const schema = queueSchema(new URL(address.replace('@/', '@none/')).searchParams.get('schema') ?? '');
  return {
    cluster,
    site,
    address,
    async detach(name) {
      const lines = people((sheets + 1) * rows).slice(sheets * rows);
      sheets += 1;
      await writeFile(path.join(site.folder, `${name}.csv`), csvOf(lines));
      const total = lines.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0) / 100;
      const totals = ['--expect-count', String(rows), '--expect-total', total.toFixed(2)];
      const { exit, stderr } = await site.end([
        'run',
        `${name}.csv`,
        '--batch',
        name,
        '--detach',
        '--no-copy',
        ...totals,
      ]);
      expect([exit, stderr]).toEqual([7, expect.stringContaining(`paybatch status ${name}`)]);
    },
    worker: (...options) => startedWorker(site, options),
    workerUnder: (under, ...options) => startedWorker(site, options, under),
    async workerOn(machine) {
      const home = path.join(site.folder, machine);
      await vouch(site, address, home, machine);
      return startedWorker(site, [], ['env', `PAYBATCH_HOME=${home}`, `PAYBATCH_MACHINE=${machine}`]);
    },
    vouch: () => vouch(site, address, path.join(site.folder, 'home')),
    async emptyQueue() {
      await asAnother(address, `DELETE FROM ${schema}._private_jobs RETURNING 1 AS gone`);
    },
    async expectPaidOnce(batches) {
      const { orders } = await site.books();
      const payees = orders.flatMap((order) => order.lines).map(({ payee }) => payee);
      expect(payees).toHaveLength(batches * rows);
      expect(new Set(payees).size).toBe(batches * rows);
    },
    sent: async (orders) => {
      await expect.poll(async () => (await site.books()).orders.length).toBeGreaterThan(orders);
    },
  };
}

async function vouch({ folder }: Site, address: string, home: string, machine?: string): Promise<void> {
  const place = { home, profileName: 'env' };
  const ledger = await openLedger({
    path: ledgerFile(place),
    checkpointPath: checkpointFile(place),
    shared: sharedAt(address),
    keys: keysInFolder(path.join(folder, 'keys')),
    clock: systemClock,
    holder: thisProcess('test', machine),
  });
  try {
    await ledger.takeLease();
    await ledger.trustNew();
  } finally {
    await ledger.close();
  }
}

function startedWorker(site: Site, options: readonly string[], under?: readonly string[]): StartedWorker {
  const child = site.start(['worker', '--json', ...options], under);
  const said = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  onTestFailed(() => void process.stderr.write(said.stdout + said.stderr));
  const events = () =>
    said.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  return {
    child,
    events,
    stderr: () => said.stderr,
    told: async (like) => {
      await expect.poll(events).toContainEqual(expect.objectContaining(like));
    },
    ended: once(child, 'close').then(([code]) => code as number | null),
  };
}

/**
 * Two machines, and the link from one of them to the server of the ledger is cut in the middle of a batch: packets are dropped, and
 * nobody is told. `node test/campaigns/cut-link.ts --rows 400 --batches 2`. The machines are network namespaces, which takes an
 * administrator and Linux; nothing of them can be reached from outside. The machine that is cut off still reaches the service.
 *
 * Prints when the lock was free, when the other machine went on with the batch, and how often the one that was cut off submitted
 * anything after the cut. Ends with 1 when anybody is paid twice or not at all, or when the batch stands still for longer than 20 s.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { FireLedgers } from '../support/desk/fire-ledgers.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';
import { openSite } from '../support/desk/process-site.ts';
import { newAddress, openCluster, runPostgres } from '../support/postgres.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '400' },
    scenario: { type: 'string', default: 'slow=150,settle-min=50,settle-max=300' },
    inside: { type: 'boolean', default: false },
  },
});
const ROWS = Number(values.rows);
/** The batch of a machine that vanished goes on within so long, in seconds. */
const STILL_MOST_S = 20;
/** The whole must be over by then. */
const LONGEST_MS = 300_000;
const [SERVER, CUT_OFF] = ['10.77.0.1', '10.77.0.2'];
const PORT = '5432';
const RELAY = path.join(import.meta.dirname, '..', 'support', 'programs', 'tcp-relay.ts');
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const ip = (...argv: readonly string[]): string => execFileSync('ip', argv, { encoding: 'utf8' });

// All of it happens in a network of its own.
if (values.inside) await campaign();
else {
  const argv = [process.execPath, import.meta.filename, '--inside', ...process.argv.slice(2)];
  const child = spawn('unshare', ['-n', '--', ...argv], { stdio: 'inherit' });
  process.exitCode = ((await once(child, 'close')) as [number | null])[0] ?? 1;
}

async function campaign(): Promise<void> {
  const started: ChildProcess[] = [];
  const start = (program: string, argv: readonly string[]): ChildProcess => {
    const child = spawn(program, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(child);
    return child;
  };
  ip('link', 'set', 'lo', 'up');
  const away = start('unshare', ['-n', '--', 'sh', '-c', 'echo ready; exec sleep 3600']);
  await once(away.stdout as NonNullable<typeof away.stdout>, 'data');
  const there = ['nsenter', '-t', String(away.pid), '-n', '--'] as const;
  ip('link', 'add', 'cut', 'type', 'veth', 'peer', 'name', 'far', 'netns', String(away.pid));
  ip('addr', 'add', `${SERVER}/24`, 'dev', 'cut');
  ip('link', 'set', 'cut', 'up');
  for (const argv of [
    ['link', 'set', 'lo', 'up'],
    ['addr', 'add', `${CUT_OFF}/24`, 'dev', 'far'],
    ['link', 'set', 'far', 'up'],
  ])
    execFileSync(there[0], [...there.slice(1), 'ip', ...argv]);

  const cluster = await openCluster({ listen_addresses: SERVER, autovacuum: 'on' });
  const hba = runPostgres(cluster, 'psql', ['-Atc', 'SHOW hba_file']).trim();
  runPostgres(cluster, 'psql', [
    '-c',
    `COPY (SELECT unnest(ARRAY['local all all trust', 'host all all ${CUT_OFF}/32 trust'])) TO '${hba}'`,
  ]);
  runPostgres(cluster, 'psql', ['-c', 'SELECT pg_reload_conf()']);
  const address = newAddress(cluster);
  const schema = new URL(address.replace('@/', '@none/')).searchParams.get('schema');
  let service = '';
  const site = await openSite({
    rows: 1,
    scenario: values.scenario,
    deadlineMs: 60_000,
    env: { PAYBATCH_LEDGER: address },
    gate: async (url) => {
      service = new URL(url).port;
      return url;
    },
  });
  const relay = async (under: readonly string[], from: string, to: string, log?: string): Promise<void> => {
    const [program = '', ...argv] = [...under, process.execPath, RELAY, from, to, ...(log ? [log] : [])];
    const { stdout } = start(program, argv);
    if (stdout) await once(stdout, 'data');
  };
  try {
    const socket = path.join(cluster.socket, 'service.sock');
    const submitted = path.join(site.folder, 'submitted-there');
    await relay([], socket, service);
    await relay(there, service, socket, submitted);
    await relay(there, PORT, `${SERVER}:${PORT}`);
    const ledgers = new FireLedgers(site, address);
    for (const name of [undefined, 'here', 'there']) await ledgers.vouch(name);
    for (const [at, name] of ['batch-1', 'batch-2'].entries()) {
      const lines = people(2 * ROWS).slice(at * ROWS, (at + 1) * ROWS);
      await writeFile(path.join(site.folder, `${name}.csv`), csvOf(lines));
      const sum = lines.reduce((all, { amount }) => all + Math.round(Number(amount) * 100), 0) / 100;
      const totals = ['--expect-count', String(ROWS), '--expect-total', sum.toFixed(2)];
      await site.end(['run', `${name}.csv`, '--batch', name, '--detach', '--no-copy', ...totals]);
    }

    const farLedger = `postgres://paybatch@127.0.0.1:${PORT}/postgres?schema=${schema}`;
    const far = worker('there', [...there, 'env', `PAYBATCH_LEDGER=${farLedger}`], 1);
    await until(() => far.batch() !== undefined && sentThere() > 20, 'the machine that is to be cut off is at work');
    // It has room for the other batch as well, and does not have to hand on its own first.
    const near = worker('here', ['env'], 2);
    await until(() => near.batch() !== undefined, 'the other machine is at work');

    ip('link', 'set', 'cut', 'down');
    const cutAt = Date.now();
    say(`cut off: ${far.name}, which works on ${far.batch()}; ${sentThere()} submissions from there so far`);
    await until(() => locksOfCutOff() === 0, 'the server lets go of the locks');
    const freeAfter = (Date.now() - cutAt) / 1000;
    await until(() => near.batches().includes(far.batch() ?? ''), 'the other machine goes on with its batch');
    const movesAfter = (Date.now() - cutAt) / 1000;
    const late = timesThere().filter((at) => at > cutAt);
    say(
      `its locks were free after ${freeAfter.toFixed(1)} s; the other machine began its batch after ${movesAfter.toFixed(1)} s`,
    );
    say(
      `submissions from the machine after it was cut off: ${late.length}${late.length > 0 ? `, the last after ${((Math.max(...late) - cutAt) / 1000).toFixed(2)} s` : ''}`,
    );
    await until(
      async () => (await site.books()).orders.length >= 2 * ROWS && near.through() >= 2,
      'both batches are final',
    );
    const end = await site.books();
    const paid = end.orders.flatMap(({ lines }) => lines.map(({ payee }) => payee));
    const { judgement, violations } = await ledgers.judged(['batch-1', 'batch-2']);
    say(
      `payouts ${judgement.payouts}, once ${judgement.once}, twice ${judgement.twice}, lost ${judgement.lost}, submitted ${end.orders.reduce((sum, { posts }) => sum + posts, 0)} times`,
    );
    for (const wrong of [...violations, ...judgement.violations]) say(`VIOLATION ${wrong}`);
    const isRight =
      violations.length + judgement.violations.length === 0 &&
      new Set(paid).size === paid.length &&
      paid.length === 2 * ROWS;
    process.exitCode = isRight && movesAfter <= STILL_MOST_S ? 0 : 1;
    say(process.exitCode === 0 ? 'No violation.' : 'It is not as it should be.');

    function timesThere(): readonly number[] {
      return existsSync(submitted) ? readFileSync(submitted, 'utf8').split('\n').slice(0, -1).map(Number) : [];
    }
    function sentThere(): number {
      return timesThere().length;
    }
    function locksOfCutOff(): number {
      const sql = `SELECT COUNT(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE l.locktype = 'advisory' AND a.client_addr = '${CUT_OFF}'`;
      return Number(runPostgres(cluster, 'psql', ['-Atc', sql]));
    }
    function worker(name: string, under: readonly string[], atOnce: number) {
      const home = path.join(site.folder, name);
      const [program = '', ...rest] = under;
      const own = program === 'env' ? rest : [...rest];
      const child = site.start(
        ['worker', '--json', '--batches', String(atOnce)],
        [
          program,
          ...own,
          ...(under.includes('env') ? [] : ['env']),
          `PAYBATCH_HOME=${home}`,
          `PAYBATCH_MACHINE=${name}`,
        ],
      );
      started.push(child);
      child.stderr?.resume();
      let said = '';
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      const points = (point: string) =>
        said
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
          .filter((event) => event['type'] === 'worker' && event['point'] === point);
      const batches = () => points('begun').map(({ batch }) => String(batch));
      return { name, batches, batch: () => batches()[0], through: () => points('over').length };
    }
  } finally {
    for (const child of started) child.kill('SIGKILL');
    await site.close();
    await cluster.stop();
  }
}

async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const last = performance.now() + LONGEST_MS;
  while (!(await isSo())) {
    if (performance.now() > last) throw new Error(`waited in vain: ${what}`);
    await sleep(100);
  }
}

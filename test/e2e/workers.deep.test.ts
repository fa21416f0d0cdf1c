/** Workers on one ledger: real processes that are killed and told to stop, a queue that is emptied, a server that goes away. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { postgresAddress } from '../../src/database/postgres/address.ts';
import { lockNumber } from '../../src/database/postgres/session-locks.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import { leaseOf } from '../../src/ledger/lease.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';
import { openWorkerSite, ROWS, type WorkerSite } from '../support/desk/worker-site.ts';
import { asAnother, needsPostgres, openCluster, runPostgres } from '../support/postgres.ts';

beforeEach(needsPostgres);

async function expectVerified({ site }: WorkerSite): Promise<void> {
  const { exit, stdout } = await site.end(['verify', '--json']);
  expect(exit, stdout).toBe(0);
}

/** Processes start one after the other, and some wait until others are missed: on a busy machine that takes its time. */
describe('workers', () => {
  test('send what several people have planned, everybody once, and end with 0 when they are told to', async () => {
    const site = await openWorkerSite();
    const names = ['first', 'second', 'third'];
    for (const name of names) await site.detach(name);
    const workers = [site.worker(), site.worker('--batches', '2')];
    for (const batch of names) {
      await expect
        .poll(() => workers.flatMap((one) => one.events()))
        .toContainEqual(expect.objectContaining({ type: 'worker', point: 'over', batch, exit: 0 }));
    }
    for (const { child } of workers) child.kill('SIGTERM');
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
    await site.expectPaidOnce(names.length);
    await expectVerified(site);
  });

  test('go on with the batch of one that was killed, long before its job expires', async () => {
    const site = await openWorkerSite();
    const workers = [site.worker(), site.worker()];
    for (const one of workers) await one.told({ type: 'worker', point: 'ready' });
    await site.detach('first');
    await site.sent(ROWS / 4);
    const doomed = workers.find((one) => one.events().some(({ point }) => point === 'begun'));
    const other = workers.find((one) => one !== doomed);
    if (!(doomed && other)) throw new Error('nobody has begun with the batch');
    doomed.child.kill('SIGKILL');
    expect(await doomed.ended).toBeNull();
    expect((await site.site.books()).orders.length).toBeLessThan(ROWS);
    await other.told({ type: 'worker', point: 'over', batch: 'first', exit: 0 });
    await site.expectPaidOnce(1);
    await expectVerified(site);
  });

  test('fill a queue that was emptied in the middle again from the ledger', async () => {
    const site = await openWorkerSite();
    await site.detach('first');
    await site.detach('second');
    const worker = site.worker();
    await site.sent(ROWS / 4);
    await site.emptyQueue();
    for (const batch of ['first', 'second']) await worker.told({ type: 'worker', point: 'over', batch, exit: 0 });
    await site.expectPaidOnce(2);
    await expectVerified(site);
  });

  test('that are told to stop in the middle let what is on its way land, and give the batch back', async () => {
    const site = await openWorkerSite();
    await site.detach('first');
    const stopped = site.worker();
    await site.sent(ROWS / 4);
    stopped.child.kill('SIGTERM');
    expect(await stopped.ended).toBe(0);
    await stopped.told({ type: 'worker', point: 'handed-on', batch: 'first' });
    expect(stopped.events().at(-1)).toMatchObject({ type: 'end', exit: 0, batch: null });
    const { orders, requests } = await site.site.books();
    expect(orders.length).toBeLessThan(ROWS);
    expect(requests['submit-order']).toBe(orders.length);
    const { exit, stderr } = await site.site.end(['worker', '--once', '--json']);
    expect(exit, stderr).toBe(0);
    await site.expectPaidOnce(1);
    await expectVerified(site);
  });

  test.each(['stop', 'crash'] as const)(
    'wait for a server that is gone (%s), claim nothing meanwhile, and go on',
    async (how) => {
      const site = await openWorkerSite(undefined, { cluster: await openCluster() });
      await site.detach('first');
      const worker = site.worker('--health', '0');
      await site.sent(ROWS / 4);
      const url = String(worker.events().find(({ type }) => type === 'worker-health')?.['url']);
      const ready = async (): Promise<number> => (await fetch(`${url}/ready`)).status;
      expect(await ready()).toBe(200);
      await site.cluster[how]();
      if (how === 'stop') {
        await expect.poll(ready).toBe(503);
        await worker.told({ type: 'worker', point: 'waiting' });
        const { length } = (await site.site.books()).orders;
        expect(length).toBeLessThan(ROWS);
        expect((await fetch(`${url}/live`)).status).toBe(200);
        await site.cluster.start();
      }
      await worker.told({ type: 'worker', point: 'over', batch: 'first', exit: 0 });
      expect(await ready()).toBe(200);
      expect(await (await fetch(`${url}/metrics`)).text()).toContain('paybatch_worker_exits_total{exit="0"} 1');
      await site.expectPaidOnce(1);
      await expectVerified(site);
    },
  );

  test('go on with a batch by themselves when the server keeps running and ends only its session', async () => {
    const site = await openWorkerSite(undefined, { cluster: await openCluster() });
    await site.detach('first');
    const worker = site.worker();
    await site.sent(ROWS / 4);
    const lease = lockNumber(postgresAddress(site.address).schema, leaseOf('first' as BatchId));
    const ended = await asAnother(
      site.address,
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
        AND (classid::bigint << 32 | objid::bigint) = ${lease}`,
    );
    expect(ended).toHaveLength(1);
    await worker.told({ type: 'worker', point: 'later', batch: 'first', exit: 10 });
    await worker.told({ type: 'worker', point: 'over', batch: 'first', exit: 0 });
    expect(worker.events().map(({ point }) => point)).not.toContain('alarm');
    await site.expectPaidOnce(1);
    await expectVerified(site);
  });

  test('on two computers go on with all batches after a crash of the server, whoever had them', async () => {
    const site = await openWorkerSite(undefined, { cluster: await openCluster() });
    const names = ['first', 'second', 'third'];
    for (const name of names) await site.detach(name);
    const workers = [await site.workerOn('one'), await site.workerOn('other')];
    const told = (point: string): ReadonlySet<unknown> =>
      new Set(
        workers.flatMap((one) => one.events().filter((event) => event['point'] === point)).map(({ batch }) => batch),
      );
    await expect.poll(() => told('begun').size).toBeGreaterThan(1);
    await site.cluster.crash();
    await expect.poll(() => told('over')).toEqual(new Set(names));
    await site.expectPaidOnce(names.length);
    await expectVerified(site);
  });

  test('leave no place idle while they go on with a batch that one of them left behind', async () => {
    const site = await openWorkerSite();
    await site.detach('first');
    await site.detach('second');
    const killed = site.worker();
    await site.sent(ROWS / 4);
    killed.child.kill('SIGKILL');
    expect(await killed.ended).toBeNull();
    const next = site.worker('--batches', '2');
    for (const batch of ['first', 'second']) await next.told({ type: 'worker', point: 'over', batch, exit: 0 });
    const points = next.events().flatMap(({ type, point }) => (type === 'worker' ? [point] : []));
    expect(points.filter((point) => point === 'begun' || point === 'over').slice(0, 2)).toEqual(['begun', 'begun']);
    await site.expectPaidOnce(2);
    await expectVerified(site);
  });

  test('plan what a schedule says is due, and send it: once, whichever computer asks besides', async () => {
    const site = await openWorkerSite();
    const { folder } = site.site;
    // A minute ago, in whatever month that was.
    const [day = '', time = ''] = new Date(Date.now() - 60_000).toISOString().split('T');
    const period = day.slice(0, 7);
    await writeFile(path.join(folder, `wages-${period}.csv`), csvOf(people(ROWS)));
    const wages = ['--sheet', 'wages-{yyyy}-{MM}.csv', '--on', `day ${Number(day.slice(8))}`, '--at', time.slice(0, 5)];
    for (const command of [
      ['schedule', 'add', 'wages', ...wages, '--timezone', 'UTC'],
      ['validate', `wages-${period}.csv`, '--totals', '--no-copy'],
    ]) {
      const { exit, stderr } = await site.site.end(command);
      expect(exit, stderr).toBe(0);
    }
    // As if it had been added an hour ago.
    const file = path.join(folder, 'home', 'env', 'schedules', 'wages.json');
    const added = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...added, since: added.since - 3_600_000 }));
    // Another computer has the same schedule, and none of the first one's records.
    const second = path.join(folder, 'second');
    await cp(path.dirname(file), path.join(second, 'env', 'schedules'), { recursive: true });
    const trigger = (...under: readonly string[]) =>
      site.site.end(['schedule', 'run-due', '--detach', '--json'], under);
    const elsewhere = ['env', `PAYBATCH_HOME=${second}`];
    const worker = site.worker('--schedules');
    const batch = `wages-${period}`;
    const theirs = await trigger(...elsewhere);
    await worker.told({ type: 'worker', point: 'over', batch, exit: 0 });
    const said = worker.events().map((event) => JSON.stringify(event));
    const sent = [...said, ...theirs.stdout.split('\n')].filter((line) => line.includes('"point":"sent"'));
    expect(sent, theirs.stdout + theirs.stderr).toHaveLength(1);
    for (const under of [[], elsewhere]) {
      const after = await trigger(...under);
      expect(after.exit, after.stdout + after.stderr).toBe(0);
    }
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    await site.expectPaidOnce(1);
    await expectVerified(site);
  });

  test('leave a batch that a person stopped, until that person hands it over', async () => {
    const site = await openWorkerSite();
    const run = site.site.start([...site.site.run, '--concurrency', '2', '--json']);
    run.stdout?.resume();
    run.stderr?.resume();
    await site.sent(ROWS / 4);
    run.kill('SIGINT');
    await new Promise((resolve) => run.once('close', resolve));
    const worker = site.worker();
    await worker.told({ type: 'worker', point: 'left', batch: 'pay', exit: 7 });
    expect((await site.site.books()).orders.length).toBeLessThan(ROWS);
    expect((await site.site.end(['resume', 'pay', '--detach'])).exit).toBe(7);
    await worker.told({ type: 'worker', point: 'over', batch: 'pay', exit: 0 });
    await site.expectPaidOnce(1);
    await expectVerified(site);
  });

  test('need the rights of those who pay, and to make their queue', async () => {
    const cluster = await openCluster();
    const { site, detach, expectPaidOnce, address } = await openWorkerSite(undefined, { cluster });
    await detach('first');
    runPostgres(cluster, 'psql', ['-q'], 'CREATE ROLE mule LOGIN');
    const { stdout: grants } = await site.end(['ledger', 'grants', '--pay', 'mule']);
    runPostgres(cluster, 'psql', ['-q', '--set', 'ON_ERROR_STOP=1'], grants);
    const asMule = ['env', `PAYBATCH_LEDGER=${address.replace('paybatch@', 'mule@')}`];
    const refused = await site.end(['worker', '--once'], asMule);
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('permission denied for database')]);
    runPostgres(cluster, 'psql', ['-q'], 'GRANT CREATE ON DATABASE postgres TO mule');
    const { exit, stderr } = await site.end(['worker', '--once'], asMule);
    expect(exit, stderr).toBe(0);
    await expectPaidOnce(1);
    expect((await site.end(['ledger', 'check'], asMule)).stdout).toContain(
      'may plan, approve and pay, and no more: it may',
    );
  });
});

/** `paybatch stop`: a person stops a batch that other processes send, by a ledger in a file and by one on PostgreSQL. */
import { once } from 'node:events';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { openSite, type Site } from '../support/desk/process-site.ts';
import { openWorkerSite, type StartedWorker, type WorkerSite } from '../support/desk/worker-site.ts';
import { asAnother, needsPostgres, newAddress, openCluster, ownCluster } from '../support/postgres.ts';

const ROWS = 80;
const SCENARIO = 'slow=150,settle-min=50,settle-max=200';
const IN_FLIGHT = 4;
const WHY = 'wrong sheet of November';
const TIMEOUT_MS = 180_000;

async function openOn(driver: string, context: TestContext): Promise<Site> {
  if (driver === 'PostgreSQL') needsPostgres(context);
  const env = driver === 'a file' ? {} : { PAYBATCH_LEDGER: newAddress(await ownCluster()) };
  const site = await openSite({ rows: ROWS, scenario: SCENARIO, deadlineMs: 60_000, env });
  onTestFinished(() => site.close());
  return site;
}

/** A run that is at work: what it said, and its exit code when it has ended. */
async function begun(site: Site, argv: readonly string[]) {
  const child = site.start([...argv, '--concurrency', String(IN_FLIGHT)]);
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said.text += text;
    });
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { said, ended, child };
}

const sentIn = async (site: Site): Promise<number> => (await site.books()).orders.length;

const hasSent = (site: Site, orders: number): Promise<void> => expect.poll(() => sentIn(site)).toBeGreaterThan(orders);

const BUSY =
  "SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid()";

/**
 * Lets a worker stand still in the middle of its batch, outside of a transaction: one that it leaves open holds up everybody
 * else for a minute, and then the server ends it, which is an alarm.
 */
async function standStill({ child }: StartedWorker, { address }: WorkerSite): Promise<void> {
  const isBusy = async (): Promise<boolean> => (await asAnother(address, BUSY)).length > 0;
  do {
    child.kill('SIGCONT');
    await expect.poll(isBusy).toBe(false);
    child.kill('SIGSTOP');
  } while (await isBusy());
}

async function expectEverybodyOnce(site: Site): Promise<void> {
  const lines = (await site.books()).orders.flatMap((order) => order.lines);
  expect(lines).toHaveLength(ROWS);
  expect(new Set(lines.map(({ payee }) => payee)).size).toBe(ROWS);
  const { exit, stdout } = await site.end(['verify', '--json']);
  expect(exit, stdout).toBe(0);
}

describe.each(['a file', 'PostgreSQL'])('a batch on a ledger in %s', { timeout: TIMEOUT_MS }, (driver) => {
  test('is stopped while another process sends it: nothing is claimed after that, 7, and resume pays the rest', async (context) => {
    const site = await openOn(driver, context);
    const run = await begun(site, site.run);
    await hasSent(site, 10);
    const stop = await site.end(['stop', 'pay', '--reason', WHY]);
    expect(stop.exit, stop.stderr).toBe(7);
    const sent = await sentIn(site);
    expect(stop.stderr).toContain(`stopped the batch (${WHY})`);
    expect(stop.stderr).toMatch(/Working on it: .*works on batch pay/);
    expect(await run.ended, run.said.text).toBe(7);
    expect(run.said.text).toContain(`stopped the batch (${WHY})`);
    expect(run.said.text).toContain('paybatch resume pay');
    // What was on its way when it was told lands; claims of a block that had not left go back.
    expect((await sentIn(site)) - sent).toBeLessThanOrEqual(IN_FLIGHT * 4);
    expect(await sentIn(site)).toBeLessThan(ROWS);
    const status = await site.end(['status', 'pay']);
    expect([status.exit, status.stderr]).toEqual([7, expect.stringContaining(`stopped the batch (${WHY})`)]);
    const retried = await site.end(['retry', 'pay']);
    expect([retried.exit, retried.stderr]).toEqual([8, expect.stringContaining(`stopped the batch (${WHY})`)]);
    const resumed = await site.end(['resume', 'pay']);
    expect(resumed.exit, resumed.stderr).toBe(0);
    expect(resumed.stderr).toContain('Stop cancelled');
    await expectEverybodyOnce(site);
  });
});

describe('a batch on a ledger in a file', { timeout: TIMEOUT_MS }, () => {
  test('is stopped when nobody sends it, after its run was killed; a second stop changes nothing', async (context) => {
    const site = await openOn('a file', context);
    const run = await begun(site, site.run);
    await hasSent(site, 5);
    run.child.kill('SIGKILL');
    await run.ended;
    expect((await site.end(['stop', 'pay', '--reason', WHY])).stderr).toContain(
      'no run and no worker is working on it',
    );
    const again = await site.end(['stop', 'pay', '--reason', 'another word']);
    expect(again.stderr).toContain(`stopped the batch (${WHY})`);
    const resumed = await site.end(['resume', 'pay']);
    expect(resumed.exit, resumed.stderr).toBe(0);
    await expectEverybodyOnce(site);
  });

  test('needs a reason, and a batch that is there', async (context) => {
    const site = await openOn('a file', context);
    const unsaid = await site.end(['stop', 'pay']);
    expect([unsaid.exit, unsaid.stderr]).toEqual([2, expect.stringContaining('nothing was stopped')]);
    expect((await site.end(['stop', 'pay', '--reason', WHY])).exit).toBe(2);
  });
});

describe('a batch that workers send', () => {
  test('is stopped from another machine: they leave it to people, until somebody hands it over', async (context) => {
    needsPostgres(context);
    // It asks who is busy at the server: nobody else is.
    const office = await openWorkerSite(undefined, { cluster: await openCluster() });
    const { site } = office;
    await office.detach('first');
    const worker = office.worker();
    await office.sent(2);
    // It knows nothing of the stop until it goes on.
    await standStill(worker, office);
    const before = await sentIn(site);
    const stop = await site.end(['stop', 'first', '--reason', WHY], ['env', 'PAYBATCH_MACHINE=laptop']);
    expect(stop.exit, stop.stderr).toBe(7);
    worker.child.kill('SIGCONT');
    await worker.told({ type: 'worker', point: 'left', batch: 'first', exit: 7 });
    const sent = await sentIn(site);
    expect(sent).toBeLessThan(90);
    expect(sent).toBeGreaterThanOrEqual(before);
    expect(worker.events().find(({ point }) => point === 'left')?.['message']).toContain(WHY);
    // Another worker that starts meanwhile leaves it, too.
    const other = await site.end(['worker', '--once', '--json']);
    expect(other.stdout).toContain('"point":"left"');
    expect(await sentIn(site)).toBe(sent);
    expect((await site.end(['resume', 'first', '--detach'])).exit).toBe(7);
    await worker.told({ type: 'worker', point: 'over', batch: 'first', exit: 0 });
    await office.expectPaidOnce(1);
    const late = await site.end(['stop', 'first', '--reason', WHY]);
    expect([late.exit, late.stderr]).toEqual([0, expect.stringContaining('Nothing of the batch is left to stop')]);
  });
});

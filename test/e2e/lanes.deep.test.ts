/** One batch that several processes send at the same time, lane by lane: workers and `run`, killed and stopped, on PostgreSQL. */
import { beforeEach, describe, expect, test } from 'vitest';
import { LOOK_MS } from '../../src/dispatch/beside.ts';
import { isSubmission, passOn } from '../support/desk/pass-on.ts';
import { openWorkerSite, type WorkerSite } from '../support/desk/worker-site.ts';
import { serve } from '../support/loopback.ts';
import { asAnother, needsPostgres } from '../support/postgres.ts';

beforeEach(needsPostgres);

const SLOW = 'slow=100,settle-min=50,settle-max=300';
const CONCURRENCY = 4;
const SENDING = { concurrency: CONCURRENCY, requestTimeoutMs: 500 };

/** Every run on record, the first one first: of which lane, and of which process. */
async function runsOf({ address }: WorkerSite) {
  const facts = await asAnother(address, `SELECT type, data FROM fact WHERE type LIKE 'run-%' ORDER BY seq`);
  return facts.map(({ type, data }) => {
    const { lane, holder = '', reason, opened } = JSON.parse(String(data));
    return { type, lane, pid: /process (\d+) on/.exec(holder)?.[1], reason, opened };
  });
}

/** Processes that have begun with lanes of the batch. */
async function sendersOf(site: WorkerSite): Promise<ReadonlySet<string | undefined>> {
  const runs = await runsOf(site);
  return new Set(runs.filter(({ type, lane }) => type === 'run-started' && lane !== undefined).map(({ pid }) => pid));
}

async function expectVerified({ site }: WorkerSite): Promise<void> {
  const { exit, stdout } = await site.end(['verify', '--json']);
  expect(exit, stdout).toBe(0);
}

/** Processes start one after the other, and some wait until others are missed: on a busy machine that takes its time. */
describe('a batch in lanes', { timeout: 240_000 }, () => {
  test('is sent by two processes at the same time, everybody once, and ended by one of them', async () => {
    const flying = { now: 0, most: 0 };
    const site = await openWorkerSite('slow=250,settle-min=50,settle-max=300', {
      rows: 320,
      sending: { ...SENDING, ordersPerLane: 40 },
      gate: async (url) => {
        const { url: gate } = await serve((asked, response) => {
          if (isSubmission(asked)) {
            flying.now += 1;
            flying.most = Math.max(flying.most, flying.now);
            response.once('close', () => {
              flying.now -= 1;
            });
          }
          passOn(url, asked, response);
        });
        return gate;
      },
    });
    await site.vouch();
    await site.detach('first');
    const workers = [site.worker(), site.worker()];
    await expect.poll(async () => (await sendersOf(site)).size, { timeout: 90_000 }).toBe(2);
    // Each has looked by then who else is at work: the limit of the service is that of both together.
    await new Promise((resolve) => setTimeout(resolve, 1.5 * LOOK_MS));
    flying.most = flying.now;
    expect((await site.site.books()).orders.length).toBeLessThan(320);
    await expect
      .poll(() => workers.flatMap((one) => one.events()), { timeout: 120_000 })
      .toContainEqual(expect.objectContaining({ type: 'worker', point: 'over', batch: 'first', exit: 0 }));
    expect(flying.most).toBeGreaterThan(0);
    expect(flying.most).toBeLessThanOrEqual(CONCURRENCY);
    for (const { child } of workers) child.kill('SIGTERM');
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
    const runs = await runsOf(site);
    const lanes = runs.filter(({ type, lane }) => type === 'run-started' && lane !== undefined);
    expect(new Set(lanes.map(({ lane }) => lane))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8]));
    // It was opened once, before any lane, and ended once, behind all of them.
    const isOpening = (run: (typeof runs)[number]): boolean => run.opened === true;
    expect(runs.filter(isOpening)).toHaveLength(1);
    expect(runs.findIndex(isOpening)).toBeLessThan(runs.findIndex(({ lane }) => lane !== undefined));
    expect(runs.filter(({ reason }) => reason === 'finished')).toHaveLength(1);
    expect(runs.at(-1)).toMatchObject({ reason: 'finished', lane: undefined });
    await site.expectPaidOnce(1);
    await expectVerified(site);
  });

  test('is gone on with when one of those who send it is killed in its lane: everybody is paid once', async () => {
    const site = await openWorkerSite(SLOW, { rows: 160, sending: { ...SENDING, ordersPerLane: 20 } });
    await site.vouch();
    await site.detach('first');
    const workers = [site.worker(), site.worker()];
    await expect.poll(async () => (await sendersOf(site)).size, { timeout: 90_000 }).toBe(2);
    const [doomed, other] = workers;
    if (!(doomed && other)) throw new Error('two workers were started');
    doomed.child.kill('SIGKILL');
    expect(await doomed.ended).toBeNull();
    expect((await site.site.books()).orders.length).toBeLessThan(160);
    await other.told({ type: 'worker', point: 'over', batch: 'first', exit: 0 });
    const runs = await runsOf(site);
    expect(runs.filter(({ reason }) => reason === 'finished')).toHaveLength(1);
    await site.expectPaidOnce(1);
    await expectVerified(site);
  });

  test('is sent by `run` and a worker together: `run` waits for the other, and ends with what became of all rows', async () => {
    const site = await openWorkerSite(SLOW, { rows: 120, sending: { ...SENDING, ordersPerLane: 20 } });
    await site.vouch();
    const worker = site.worker();
    await worker.told({ type: 'worker', point: 'ready' });
    const run = site.site.end([...site.site.run, '--json']);
    await expect.poll(async () => (await sendersOf(site)).size, { timeout: 90_000 }).toBe(2);
    // Who asks is told who sends which lane, and the batch is over for nobody.
    const { exit, stdout } = await site.site.end(['status', 'pay', '--json']);
    expect([exit, stdout]).toEqual([7, expect.stringMatching(/sends lane \d of batch pay|on lane \d/)]);
    const ended = await run;
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    expect(JSON.parse(ended.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'end',
      exit: 0,
      rows: { total: 120, completed: 120 },
    });
    expect((await runsOf(site)).filter(({ reason }) => reason === 'finished')).toHaveLength(1);
    await site.expectPaidOnce(1);
    await expectVerified(site);
  });

  test('is left to a person by all when somebody stops it in one lane', async () => {
    const site = await openWorkerSite(SLOW, { rows: 160, sending: { ...SENDING, ordersPerLane: 20 } });
    await site.vouch();
    await site.detach('first');
    const workers = [site.worker(), site.worker()];
    await expect.poll(async () => (await sendersOf(site)).size, { timeout: 90_000 }).toBe(2);
    const stopped = await site.site.end(['stop', 'first', '--reason', 'wrong month']);
    expect(stopped.exit, stopped.stderr).toBe(7);
    for (const one of workers)
      await expect
        .poll(() => one.events(), { timeout: 90_000 })
        .toContainEqual(expect.objectContaining({ point: 'left' }));
    const { length } = (await site.site.books()).orders;
    expect(length).toBeLessThan(160);
    // What was claimed is followed; nothing more has left since.
    const claimed = await asAnother(site.address, "SELECT DISTINCT order_id FROM fact WHERE type = 'order-claimed'");
    expect(length).toBeLessThanOrEqual(claimed.length);
    await site.site.end(['resume', 'first', '--detach']);
    await expect
      .poll(() => workers.flatMap((one) => one.events()), { timeout: 90_000 })
      .toContainEqual(expect.objectContaining({ type: 'worker', point: 'over', batch: 'first', exit: 0 }));
    await site.expectPaidOnce(1);
    await expectVerified(site);
  });
});

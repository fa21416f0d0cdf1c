/** Runs on a ledger on PostgreSQL, by real processes that are killed, and a server that goes away. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { totalOf } from '../support/desk/payroll-sheet.ts';
import { type Ended, openSite, type Site } from '../support/desk/process-site.ts';
import { type Cluster, needsPostgres, newAddress, openCluster, ownCluster } from '../support/postgres.ts';

const ROWS = 80;

beforeEach(needsPostgres);

/** `cluster`: another one than all tests of this process share, for a test that ends its server. */
async function openShared(scenario = 'slow=25,settle-min=50,settle-max=400', cluster?: Cluster): Promise<Site> {
  const site = await openSite({
    rows: ROWS,
    scenario,
    deadlineMs: 60_000,
    env: { PAYBATCH_LEDGER: newAddress(cluster ?? (await ownCluster())) },
  });
  onTestFinished(() => site.close());
  return site;
}

/** The same on a server that the test ends. */
async function openMortal(): Promise<{ readonly cluster: Cluster; readonly site: Site }> {
  const cluster = await openCluster();
  return { cluster, site: await openShared(undefined, cluster) };
}

/** Everybody is in the books of the service, and once. */
async function expectEverybodyPaidOnce(site: Site): Promise<void> {
  const { orders, paid } = await site.books();
  const payees = orders.flatMap((order) => order.lines).map(({ payee }) => payee);
  expect(payees).toHaveLength(ROWS);
  expect(new Set(payees).size).toBe(ROWS);
  expect(paid['KES']).toBe(totalOf(ROWS));
}

/** Starts a command, and does something to its world when some payments were sent and others were not. */
async function inTheMiddle(site: Site, argv: readonly string[], act: (child: ChildProcess) => unknown) {
  const child = site.start([...argv, '--concurrency', '2', '--json']);
  let said = '';
  let hasActed = false;
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (hasActed || !said.includes('"type":"progress"')) return;
    hasActed = true;
    act(child);
  });
  child.stderr?.resume();
  const [exit] = await once(child, 'close');
  expect(hasActed).toBe(true);
  return { exit, said };
}

async function expectTheEnd(site: Site): Promise<void> {
  const { exit, stderr } = await site.end(['resume', '--json']);
  expect(exit, stderr).toBe(0);
  await expectEverybodyPaidOnce(site);
  expect((await site.end(['verify', '--json'])).exit).toBe(0);
}

describe('a run on PostgreSQL', () => {
  test('pays everybody once, and the same sheet is refused from then on', async () => {
    const site = await openShared();
    const { exit, stderr } = await site.end(site.run);
    expect(exit, stderr).toBe(0);
    await expectEverybodyPaidOnce(site);
    expect((await site.end(site.run)).exit).toBe(8);
    expect((await site.end(['verify', '--json'])).exit).toBe(0);
    const { stdout } = await site.end(['doctor', '--full', '--json']);
    expect(stdout).toContain('all that its commits rely on holds');
  });

  test('that is killed is resumed, killed again and resumed: nobody is paid twice, or forgotten', async () => {
    const site = await openShared();
    for (const argv of [site.run, ['resume']]) {
      expect((await inTheMiddle(site, argv, (child) => child.kill('SIGKILL'))).exit).toBeNull();
    }
    await expectTheEnd(site);
  });

  test.each(['stop', 'crash'] as const)(
    'of which the server ends (%s) and starts again goes on by itself',
    async (how) => {
      const { site, cluster } = await openMortal();
      let gone: Promise<void> | undefined;
      const { exit, said } = await inTheMiddle(site, site.run, () => {
        gone = cluster[how]().then(() => (how === 'stop' ? cluster.start() : undefined));
      });
      await gone;
      expect(exit, said).toBe(0);
      for (const code of ['ledger-away', 'ledger-back']) expect(said).toContain(`"code":"${code}"`);
      await expectEverybodyPaidOnce(site);
      expect((await site.end(['verify', '--json'])).exit).toBe(0);
    },
    180_000,
  );

  test('of which the server ends for good stops with 10 when it was waited for, and is resumed', async () => {
    const { site, cluster } = await openMortal();
    let gone: Promise<void> | undefined;
    const { exit, said } = await inTheMiddle(site, site.run, () => {
      gone = cluster.stop();
    });
    await gone;
    expect(exit, said).toBe(10);
    expect(said).toContain('Nothing is sent meanwhile. Waiting up to 30 s for the server');
    // Some of it was sent before.
    expect(said).not.toContain('Nothing was sent');
    // Nobody can read what was sent, so nobody is told that it was not.
    const end = JSON.parse(said.trim().split('\n').at(-1) ?? '');
    expect(end).toMatchObject({ batch: 'pay', rows: { unsent: 0 } });
    expect(said).toContain('When the server is back: paybatch resume pay');
    await cluster.start();
    await expectTheEnd(site);
  });

  test('that is resumed while its server is away waits half a minute for it, and goes on when it is back', async () => {
    const { site, cluster } = await openMortal();
    expect((await inTheMiddle(site, site.run, (child) => child.kill('SIGKILL'))).exit).toBeNull();
    await cluster.stop();
    const { exit: given, stderr } = await site.end(['resume']);
    expect([given, stderr]).toEqual([
      10,
      expect.stringMatching(/cannot be reached: .* Waiting up to 30 s for the server/),
    ]);
    // Who only asks is told at once.
    expect((await site.end(['history'])).stderr).not.toContain('Waiting up to 30 s for the server');
    const child = site.start(['resume', '--json']);
    let starting: Promise<void> | undefined;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('Waiting up to 30 s for the server')) starting ??= cluster.start();
    });
    child.stderr?.resume();
    const [exit] = await once(child, 'close');
    await starting;
    expect(exit).toBe(0);
    await expectTheEnd(site);
  });

  test('that another computer has planned is known here, and refused', async () => {
    const site = await openShared();
    expect((await site.end(site.run)).exit).toBe(0);
    // Another state folder, which begins without checkpoints, and the key of the ledger, which people brought along.
    const there = ['env', `PAYBATCH_HOME=${path.join(site.folder, 'there')}`];
    const { exit, stderr } = await site.end(site.run, there);
    expect([exit, stderr]).toEqual([8, expect.stringContaining('was already paid')]);
    expect((await site.end(['status', 'pay', '--json'], there)).stdout).toContain(`"completed":${ROWS}`);
    const keyless = [...there, `PAYBATCH_KEYS=${path.join(site.folder, 'no-keys')}`];
    expect((await site.end(['resume'], keyless)).exit).toBe(2);
    await expectEverybodyPaidOnce(site);
  });

  test('keeps a second one away while it is at work', async () => {
    // The first one is at work for longer than another one takes to begin on a busy machine.
    const site = await openShared('slow=25,settle-min=18000,settle-max=20000');
    let second: Promise<Ended> | undefined;
    const { exit } = await inTheMiddle(site, site.run, () => {
      second = site.end(['resume', '--json']);
    });
    expect(exit).toBe(0);
    expect((await second)?.exit).toBe(75);
    await expectEverybodyPaidOnce(site);
  });
});

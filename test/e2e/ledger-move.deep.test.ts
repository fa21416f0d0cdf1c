/** A ledger that is moved to PostgreSQL by real processes, killed at any moment, while a batch is open and others try to pay. */
import { once } from 'node:events';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { totalOf } from '../support/desk/payroll-sheet.ts';
import { openSite, type Site } from '../support/desk/process-site.ts';
import { needsPostgres, newAddress, ownCluster } from '../support/postgres.ts';
import { chanceOf } from '../support/seeded-random.ts';

const ROWS = 40;
const SEED = 20;
/** About as long as a move takes, in milliseconds; each one is given some more, so that one comes to its end. */
const MOVE_MS = 2000;
const LONGER_MS = 250;

beforeEach(needsPostgres);

async function openMoving(): Promise<{
  readonly site: Site;
  readonly address: string;
  readonly there: readonly string[];
}> {
  const site = await openSite({ rows: ROWS, scenario: 'slow=25,settle-min=50,settle-max=400' });
  onTestFinished(() => site.close());
  const address = newAddress(await ownCluster());
  return { site, address, there: ['env', `PAYBATCH_LEDGER=${address}`] };
}

/** Kills a run when some payments were sent and others were not. */
async function killedRun(site: Site): Promise<void> {
  const child = site.start([...site.run, '--concurrency', '2', '--json']);
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('"type":"progress"')) child.kill('SIGKILL');
  });
  child.stderr?.resume();
  expect((await once(child, 'close'))[0]).toBeNull();
}

async function expectEverybodyPaidOnce(site: Site): Promise<void> {
  const { orders, paid } = await site.books();
  const payees = orders.flatMap((order) => order.lines).map(({ payee }) => payee);
  expect([payees.length, new Set(payees).size, paid['KES']]).toEqual([ROWS, ROWS, totalOf(ROWS)]);
}

/** Starts a command, and kills it after so many milliseconds; gives its exit code, null when it was killed. */
async function cutShort(site: Site, argv: readonly string[], ms: number, under: readonly string[] = []) {
  const child = site.start(argv, under);
  const killing = setTimeout(() => child.kill('SIGKILL'), ms);
  child.stdout?.resume();
  child.stderr?.resume();
  const [exit] = await once(child, 'close');
  clearTimeout(killing);
  return exit as number | null;
}

test('a move that is killed again and again, with runs that try to pay in both places, pays everybody once', {
  timeout: 1_800_000,
}, async () => {
  const { site, address, there } = await openMoving();
  await killedRun(site);
  const chance = chanceOf(SEED);
  const move = ['ledger', 'move', '--to', address];
  for (let tries = 0; ; tries += 1) {
    if ((await cutShort(site, move, chance.below(MOVE_MS) + tries * LONGER_MS)) === 0) break;
    // The file pays until it is locked, the server once it has everything: never both.
    const patience = chance.below(MOVE_MS);
    await Promise.all([
      cutShort(site, ['resume', '--concurrency', '1'], patience),
      cutShort(site, ['resume', '--concurrency', '1'], patience, there),
    ]);
  }
  const refused = await site.end(['resume']);
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining(`was moved to ${address} on `)]);
  const { exit, stderr } = await site.end(['resume', '--json'], there);
  expect(exit, stderr).toBe(0);
  await expectEverybodyPaidOnce(site);
  expect((await site.end(['verify'], there)).exit).toBe(0);
  expect((await site.end(site.run, there)).exit).toBe(8);
});

test('of two moves at once to two places, one is whole and the other moves nothing', async () => {
  const { site, address } = await openMoving();
  await killedRun(site);
  const second = newAddress(await ownCluster());
  const ended = await Promise.all([address, second].map((to) => site.end(['ledger', 'move', '--to', to])));
  expect(ended.map(({ exit }) => exit).filter((exit) => exit === 0)).toHaveLength(1);
  for (const [index, to] of [address, second].entries()) {
    const { exit } = await site.end(['resume', '--json'], ['env', `PAYBATCH_LEDGER=${to}`]);
    // The other one is empty, and its first batch would be paid by a ledger that knows nothing.
    expect(exit === 0, to).toBe(ended[index]?.exit === 0);
  }
  await expectEverybodyPaidOnce(site);
});

test('a ledger that a run is paying from is not moved, and once it is, the same sheet is refused there', async () => {
  const { site, address, there } = await openMoving();
  const child = site.start([...site.run, '--concurrency', '1', '--json']);
  let moving: ReturnType<Site['end']> | undefined;
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('"type":"progress"')) moving ??= site.end(['ledger', 'move', '--to', address]);
  });
  child.stderr?.resume();
  expect((await once(child, 'close'))[0]).toBe(0);
  expect((await moving)?.exit).toBe(75);
  expect((await site.end(['ledger', 'move', '--to', address])).exit).toBe(0);
  expect((await site.end(site.run, there)).exit).toBe(8);
  await expectEverybodyPaidOnce(site);
});

import { describe, expect, test } from 'vitest';
import type { Books, PracticeRoute } from '../../src/sandbox/sandbox.ts';
import { accountIn, openService, paidTraces, quickProfile } from '../support/desk/account.ts';
import { Child } from '../support/desk/child.ts';
import { type Desk, openDesk, type Told, toldOf } from '../support/desk/command-line.ts';
import { csvOf, people, resultsIn, totalOf } from '../support/desk/payroll-sheet.ts';

const ROWS = 2000;
/** Slow enough that a signal meets a run in the middle. */
const SCENARIO = 'slow=15,settle-min=50,settle-max=400';
const SOME_DONE = /"type":"progress","done":[1-9]/;
/** Three runs of 2,000 rows, on a machine that is busy. */
const TIMEOUT_MS = 180_000;

async function deskOf(count: number): Promise<Desk> {
  const desk = await openDesk();
  await desk.write('pay.csv', csvOf(people(count)));
  return desk;
}

/** The practice service as a process of its own; what it says of itself is what the run is configured with. */
async function spawnedService(desk: Desk): Promise<() => Promise<Books>> {
  const service = new Child(desk, ['sandbox', '--port', '0', '--scenario', SCENARIO, '--json']);
  await service.until(/\n/);
  const line = JSON.parse(service.stdout) as {
    readonly url: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly routes: readonly PracticeRoute[];
  };
  await desk.writeConfig({ profiles: { env: quickProfile(line.routes) } });
  Object.assign(desk.env, accountIn(line));
  return async () => (await (await fetch(`${line.url}/__sandbox/books`)).json()) as Books;
}

async function embeddedBooks(desk: Desk): Promise<Books> {
  const { events } = await desk.tell(['sandbox', 'books']);
  return events.find(({ type }) => type === 'sandbox.books')?.['books'] as Books;
}

function expectEverybodyPaidOnce({ orders, paid }: Books, count: number): void {
  const lines = orders.flatMap((order) => order.lines);
  expect(lines).toHaveLength(count);
  expect(new Set(lines.map(({ payee }) => payee)).size).toBe(count);
  expect(paid['KES']).toBe(totalOf(count));
}

async function expectTheEnd({ exit, end, stderr }: Told, count: number): Promise<void> {
  expect(stderr).toBe('');
  expect(exit).toBe(0);
  expect(end.rows).toMatchObject({ total: count, completed: count });
  const results = await resultsIn(end.files[0]?.path ?? '');
  expect(results.map((row) => row['Outcome'])).toEqual(Array.from({ length: count }, () => 'Completed'));
  expect(new Set(results.map((row) => row['Receipt number'])).size).toBe(count);
}

/** Starts a command, and kills it when some payments have their final word and others do not. */
async function killedInTheMiddle(desk: Desk, argv: readonly string[]): Promise<void> {
  const child = new Child(desk, [...argv, '--json']);
  await child.until(SOME_DONE);
  child.kill('SIGKILL');
  const { exit, stdout } = await child.end();
  expect(exit).toBe(-1);
  expect(stdout).not.toContain('"type":"end"');
}

describe('a run of 2,000 rows that is killed, and whose resume is killed too', () => {
  test('pays everybody exactly once at a service of its own', { timeout: TIMEOUT_MS }, async () => {
    const desk = await deskOf(ROWS);
    const books = await spawnedService(desk);
    const totals = ['--expect-count', String(ROWS), '--expect-total', totalOf(ROWS)];

    await killedInTheMiddle(desk, ['run', 'pay.csv', ...totals]);
    expect((await books()).orders.length).toBeLessThan(ROWS);
    await killedInTheMiddle(desk, ['resume']);
    const told = toldOf(await new Child(desk, ['resume', '--json']).end());

    expectEverybodyPaidOnce(await books(), ROWS);
    await expectTheEnd(told, ROWS);
  });

  test('pays everybody exactly once at the embedded sandbox', { timeout: TIMEOUT_MS }, async () => {
    const desk = await deskOf(ROWS);

    await killedInTheMiddle(desk, ['run', 'pay.csv', '--scenario', SCENARIO]);
    const started = await desk.tell(['run', 'pay.csv']);
    expect(started).toMatchObject({ exit: 8, fault: { fix: expect.stringContaining('paybatch resume') } });
    await killedInTheMiddle(desk, ['resume', '--scenario', SCENARIO]);
    const told = toldOf(await new Child(desk, ['resume', '--json']).end());

    expectEverybodyPaidOnce(await embeddedBooks(desk), ROWS);
    await expectTheEnd(told, ROWS);
  });
});

describe('a run that is asked to stop', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'by %s lets what is on its way land, saves, and exits %i; resume finishes',
    {
      timeout: TIMEOUT_MS,
    },
    async (signal, code) => {
      const count = 600;
      const desk = await deskOf(count);
      const child = new Child(desk, ['run', 'pay.csv', '--scenario', SCENARIO, '--concurrency', '2', '--json']);
      await child.until(SOME_DONE);
      child.kill(signal);
      const stopped = toldOf(await child.end());

      expect(stopped.exit).toBe(code);
      expect(stopped.stderr).toContain('nothing new is begun');
      expect(stopped.end.exit).toBe(code);
      expect(stopped.end.rows['total']).toBe(count);
      expect(stopped.end.rows['unsent']).toBeGreaterThan(0);
      expect(await resultsIn(stopped.end.files[0]?.path ?? '')).toHaveLength(count);
      const { requests, orders } = await embeddedBooks(desk);
      expect(requests['submit-order'] ?? 0).toBe(0);
      expect(orders).toHaveLength(count - (stopped.end.rows['unsent'] ?? 0));

      await expectTheEnd(await desk.tell(['resume']), count);
      expectEverybodyPaidOnce(await embeddedBooks(desk), count);
    },
  );

  test('before anything is sent says how to go on, and resume sends everything', async () => {
    const desk = await deskOf(20);
    const stop = new AbortController();
    const stopped = await desk.tell(['run', 'pay.csv'], {
      signal: stop.signal,
      onOutput: (text) => text.includes('"batch.planned"') && stop.abort('SIGINT'),
    });
    expect(stopped.exit).toBe(130);
    expect(stopped.end.rows).toMatchObject({ total: 20, unsent: 20 });
    await expectTheEnd(await desk.tell(['resume']), 20);
  });
});

describe('two runs at once on one ledger', () => {
  test('the second exits 75 and sends nothing', { timeout: TIMEOUT_MS }, async () => {
    const [desk, service] = [await deskOf(100), await openService('slow=20,settle-min=50,settle-max=200')];
    await desk.write('other.csv', csvOf(people(103).slice(100)));
    await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
    Object.assign(desk.env, accountIn(service));
    const first = new Child(desk, [
      'run',
      'pay.csv',
      '--expect-count',
      '100',
      '--expect-total',
      totalOf(100),
      '--json',
    ]);
    await first.until(/"batch.planned"/);

    const second = await desk.say(['run', 'other.csv', '--expect-count', '3', '--expect-total', '3303.75']);
    const looked = await desk.tell(['status']);

    expect(second.exit).toBe(75);
    expect(second.stderr).toMatch(/another run/i);
    expect(looked.exit).toBe(7);
    expect(looked.end.rows['total']).toBe(100);
    expect((await first.end()).exit).toBe(0);
    expect(paidTraces(service.books())).toHaveLength(100);
    expect(service.books().orders).toHaveLength(100);
  });

  test('status shows how far a run on the embedded sandbox is', { timeout: TIMEOUT_MS }, async () => {
    const desk = await deskOf(200);
    const first = new Child(desk, ['run', 'pay.csv', '--scenario', SCENARIO, '--json']);
    await first.until(/"batch.planned"/);

    const looked = await desk.tell(['status']);
    const reset = await desk.say(['sandbox', 'reset']);
    const balance = await desk.say(['balance']);

    expect(looked.exit).toBe(7);
    expect(looked.end.rows['total']).toBe(200);
    expect(reset.exit).toBe(75);
    expect(balance.exit).toBe(75);
    expect((await first.end()).exit).toBe(0);
  });
});

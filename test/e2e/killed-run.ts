/** A run, and what resumes it, in processes that are killed or asked to stop in the middle. */
import { expect } from 'vitest';
import type { PracticeRoute } from '../../src/sandbox/practice-account.ts';
import type { Books } from '../../src/sandbox/sandbox.ts';
import { accountIn, booksOf, quickProfile } from '../support/desk/account.ts';
import { Child } from '../support/desk/child.ts';
import { type Desk, openDesk, type Told, toldOf } from '../support/desk/command-line.ts';
import { csvOf, people, resultsIn, totalOf } from '../support/desk/payroll-sheet.ts';

/** Slow enough that a signal meets a run in the middle. */
export const SCENARIO = 'slow=25,settle-min=50,settle-max=400';
/** The same for a few payments. */
export const SLOWER = 'slow=60,settle-min=50,settle-max=400';
const SOME_SENT = /"type":"progress"/;

export async function deskOf(count: number): Promise<Desk> {
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
    readonly controlToken: string;
    readonly routes: readonly PracticeRoute[];
  };
  await desk.writeConfig({ profiles: { env: quickProfile(line.routes) } });
  desk.payBy(accountIn(line));
  return () => booksOf(line);
}

async function embeddedBooks(desk: Desk): Promise<Books> {
  const { events } = await desk.emit(['sandbox', 'books']);
  return events.find(({ type }) => type === 'sandbox.books')?.['books'] as Books;
}

function expectEverybodyPaidOnce({ orders, paid }: Books, count: number): void {
  const lines = orders.flatMap((order) => order.lines);
  expect(lines).toHaveLength(count);
  expect(new Set(lines.map(({ payee }) => payee)).size).toBe(count);
  expect(paid['KES']).toBe(totalOf(count));
}

export async function expectTheEnd({ exit, end, stderr }: Told, count: number): Promise<void> {
  expect(stderr).toBe('');
  expect(exit).toBe(0);
  expect(end.rows).toMatchObject({ total: count, completed: count });
  const results = await resultsIn(end.files[0]?.path ?? '');
  expect(results.map((row) => row['Outcome'])).toEqual(Array.from({ length: count }, () => 'Completed'));
  expect(new Set(results.map((row) => row['Receipt number'])).size).toBe(count);
}

/**
 * So many at once that a run is not at its last payment when it is killed, also on a fast machine: what is lost of that waits
 * for a person. A large run that looks everything up first needs more, or it takes minutes.
 */
const atOnceOf = (rows: number): string => (rows < 1000 ? '2' : '16');

/** Starts a command, and kills it when some payments were sent and others were not. */
async function killedInTheMiddle(desk: Desk, rows: number, argv: readonly string[]): Promise<void> {
  const child = new Child(desk, [...argv, '--concurrency', atOnceOf(rows), '--json']);
  await child.until(SOME_SENT);
  child.kill('SIGKILL');
  const { exit, stdout } = await child.end();
  expect(exit).toBe(-1);
  expect(stdout).not.toContain('"type":"end"');
}

/** Killed, resumed, killed again and resumed, at a service that goes on: in a process of its own, if no other is started here. */
export async function killedTwiceAtAService(rows: number, start = spawnedService): Promise<void> {
  const desk = await deskOf(rows);
  const books = await start(desk);
  const totals = ['--expect-count', String(rows), '--expect-total', totalOf(rows)];

  await killedInTheMiddle(desk, rows, ['run', 'pay.csv', ...totals]);
  expect((await books()).orders.length).toBeLessThan(rows);
  await killedInTheMiddle(desk, rows, ['resume']);
  const told = toldOf(await new Child(desk, ['resume', '--json']).end());

  expectEverybodyPaidOnce(await books(), rows);
  await expectTheEnd(told, rows);
}

/** The same with a service that dies with each run. */
export async function killedTwiceAtTheSandbox(rows: number): Promise<void> {
  const desk = await deskOf(rows);

  await killedInTheMiddle(desk, rows, ['run', 'pay.csv', '--scenario', SCENARIO]);
  const started = await desk.emit(['run', 'pay.csv']);
  expect(started).toMatchObject({ exit: 8, fault: { fix: expect.stringContaining('paybatch resume') } });
  await killedInTheMiddle(desk, rows, ['resume', '--scenario', SCENARIO]);
  const told = toldOf(await new Child(desk, ['resume', '--json']).end());

  expectEverybodyPaidOnce(await embeddedBooks(desk), rows);
  await expectTheEnd(told, rows);
}

/** Signals that ask a run to stop, and how it ends then. */
export const stopSignals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 143],
] as const;

/** `meanwhile`: what is done while the run is under way, and before it is asked to stop. */
export async function askedToStop(
  rows: number,
  signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP',
  code: number,
  { scenario = SCENARIO, meanwhile }: { scenario?: string; meanwhile?: (desk: Desk) => Promise<void> } = {},
): Promise<void> {
  const desk = await deskOf(rows);
  const child = new Child(desk, ['run', 'pay.csv', '--scenario', scenario, '--concurrency', '2', '--json']);
  await child.until(SOME_SENT);
  if (meanwhile) {
    // It stands still while the others look, so that they find it at work however busy the machine is.
    child.process.kill('SIGSTOP');
    await meanwhile(desk);
    child.process.kill('SIGCONT');
  }
  child.kill(signal);
  const stopped = toldOf(await child.end());

  expect(stopped.exit).toBe(code);
  expect(stopped.stderr).toContain('nothing new is sent');
  expect(stopped.end.exit).toBe(code);
  expect(stopped.end.rows['total']).toBe(rows);
  expect(stopped.end.rows['unsent']).toBeGreaterThan(0);
  expect(await resultsIn(stopped.end.files[0]?.path ?? '')).toHaveLength(rows);
  const { requests, orders } = await embeddedBooks(desk);
  expect(requests['submit-order'] ?? 0).toBe(0);
  expect(orders).toHaveLength(rows - (stopped.end.rows['unsent'] ?? 0));

  await expectTheEnd(await desk.emit(['resume', '--scenario', 'settle-min=10,settle-max=50']), rows);
  expectEverybodyPaidOnce(await embeddedBooks(desk), rows);
}

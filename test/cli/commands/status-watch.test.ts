import { expect, test } from 'vitest';
import type { Clock } from '../../../src/domain/clock.ts';
import { accountIn, openService, quickProfile } from '../../support/desk/account.ts';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people } from '../../support/desk/payroll-sheet.ts';
import { fastClock } from '../../support/fast-clock.ts';

const clock = fastClock();

/** A new ledger of a live account is silent for so long before it sends: long for a busy machine, and soon over. */
const waits = { sending: { requestTimeoutMs: 5_000 }, inDoubt: { unknownGapMs: 50, quietMs: 10_000 } };

/** Longer than any test looks on. */
const SETTLE_MS = 600_000;

/** A batch of two rows that the service has accepted; the run is interrupted then, and by nothing else. */
async function acceptedBatch(serviceClock: Clock): Promise<{ desk: Desk; batch: string }> {
  const desk = await openDesk(clock);
  const service = await openService(`settle-min=${SETTLE_MS},settle-max=${SETTLE_MS}`, serviceClock);
  await desk.write('pay.csv', csvOf(people(2)));
  await desk.writeConfig({ profiles: { env: { ...quickProfile(service.routes, SETTLE_MS), ...waits } } });
  desk.payBy(accountIn(service));
  const stop = new AbortController();
  const { end } = await desk.emit(['run', 'pay.csv', '--expect-count', '2', '--expect-total', '2001.50'], {
    signal: stop.signal,
    onOutput: (text) => text.includes('"pending":2') && stop.abort('SIGINT'),
  });
  expect(end.rows).toMatchObject({ completed: 0, pending: 2 });
  return { desk, batch: end.batch ?? '' };
}

test('status --watch asks again until everything is final, and begins once', async () => {
  let aheadMs = 0;
  const { desk, batch } = await acceptedBatch({ ...clock, now: () => clock.now() + aheadMs });
  const onOutput = (text: string): void => {
    if (text.includes('not final')) aheadMs = SETTLE_MS;
  };
  const told = await desk.emit(['status', batch, '--watch', '--every', '1'], { onOutput });
  expect(told.exit).toBe(0);
  expect(told.end.rows).toMatchObject({ completed: 2 });
  expect(told.events.filter(({ type }) => type === 'start')).toHaveLength(1);
  expect(told.events.filter(({ type }) => type === 'end')).toHaveLength(1);
  expect(told.events.filter(({ message }) => String(message).includes('not final'))).toHaveLength(1);
});

test('between two looks another command can work, and Ctrl-C ends the watch', async () => {
  const { desk, batch } = await acceptedBatch(clock);
  const stop = new AbortController();
  let seen: () => void;
  const looked = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const onOutput = (text: string): void => {
    if (text.includes('not final')) seen();
  };
  const watching = desk.emit(['status', batch, '--watch', '--every', '600'], { signal: stop.signal, onOutput });
  await looked;
  const words = ['resolve', batch, '--row', '2', '--paid', 'QK1', '--amount', '1000.25'];
  expect((await desk.emit(words)).end.rows).toMatchObject({ completed: 1, pending: 1 });
  stop.abort('SIGINT');
  expect((await watching).exit).toBe(130);
});

test('a final batch is looked at once', async () => {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', csvOf(people(1)));
  const { end } = await desk.emit(['run', 'pay.csv']);
  expect((await desk.emit(['status', '--watch', '--every', '600'])).end).toMatchObject({ exit: 0, batch: end.batch });
});

test('--every without --watch is a usage error', async () => {
  expect((await (await openDesk(clock)).emit(['status', '--every', '5'])).exit).toBe(2);
});

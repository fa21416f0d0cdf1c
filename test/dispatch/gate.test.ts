import { expect, test } from 'vitest';
import { Gate } from '../../src/dispatch/gate.ts';
import { Scoreboard } from '../../src/dispatch/scoreboard.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { policy } from './doubted-order.ts';

function claimMost(concurrency: number, ratePerSecond: number): number {
  const sending = { concurrency, ratePerSecond, linesPerOrder: 1, requestTimeoutMs: 30_000, stopAfterFailures: 0 };
  const gate = new Gate(
    { sending, polling: policy.polling, inDoubt: policy.inDoubt },
    {
      clock: new FakeClock(),
      scoreboard: new Scoreboard([]),
      wallet: undefined,
      fees: undefined,
      stop: () => undefined,
    },
  );
  return gate.claimMost;
}

test.each([
  ['as fast as it goes', 16, 0, 64],
  ['at a pace that is no bound', 16, 100, 64],
  ['at one a second', 16, 1, 10],
  ['at one in two seconds', 16, 0.5, 5],
  ['at one a minute', 16, 1 / 60, 1],
])('who sends %s claims no more at once than leaves before its claim is too old', (_pace, concurrency, rate, most) => {
  expect(claimMost(concurrency, rate)).toBe(most);
});

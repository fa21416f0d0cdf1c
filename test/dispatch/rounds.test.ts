/** Rounds of look-ups over orders of which nothing was clear, on a clock that only the test moves. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Rounds } from '../../src/dispatch/recovery.ts';
import { unclearStop } from '../../src/dispatch/stop-reasons.ts';
import { RunControl, type RunTask } from '../../src/dispatch/task.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { policy } from './doubted-order.ts';

const { firstMs, maxMs, deadlineMs } = policy.polling;

/** Notes how long somebody wants to sleep. */
class NotedClock extends FakeClock {
  readonly sleeps: number[] = [];

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(ms);
    return super.sleep(ms, signal);
  }
}

let clock: NotedClock;
let interrupted: AbortController;
let control: RunControl;
let rounds: Rounds;
beforeEach(() => {
  clock = new NotedClock();
  interrupted = new AbortController();
  control = new RunControl({ signal: interrupted.signal, maySubmit: true } as RunTask, () => undefined);
  rounds = new Rounds({ clock, control, polling: policy.polling });
});

/** What came of waiting for another round, and how long that was: undefined where nobody slept. */
async function again(nextAt?: number): Promise<{ readonly more: boolean; readonly waitedMs: number | undefined }> {
  const before = clock.sleeps.length;
  const over = rounds.again(nextAt);
  const waitedMs = clock.sleeps[before];
  if (waitedMs !== undefined) await clock.pass(waitedMs);
  return { more: await over, waitedMs };
}
const stop = () => control.result().stop;

describe('another round', () => {
  test('is not begun where everything was clear', async () => {
    expect(await again()).toEqual({ more: false, waitedMs: undefined });
    expect(stop()).toBeUndefined();
  });

  test('is begun after the first wait where something was not, and not once more for the same', async () => {
    rounds.isUnclear();
    expect(await again()).toEqual({ more: true, waitedMs: firstMs });
    expect(await again()).toEqual({ more: false, waitedMs: undefined });
  });

  test.each([
    [2 * firstMs, firstMs],
    [20_000, 10_000],
    [2 * maxMs, maxMs],
    [200_000, maxMs],
  ])('is waited for half as long as nothing was learnt: after %i ms another %i ms', async (idleMs, waitedMs) => {
    await clock.pass(idleMs);
    rounds.isUnclear();
    expect(await again()).toEqual({ more: true, waitedMs });
  });

  test('is begun soon again when something was learnt', async () => {
    await clock.pass(200_000);
    rounds.hasMoved();
    await clock.pass(10_000);
    rounds.isUnclear();
    expect(await again()).toEqual({ more: true, waitedMs: 5_000 });
  });

  test('is begun when more can be known, however far that is', async () => {
    expect(await again(clock.now() + 300_000)).toEqual({ more: true, waitedMs: 300_000 });
  });

  test('is begun at once where more can be known by now', async () => {
    expect(await again(clock.now())).toEqual({ more: true, waitedMs: 1 });
    expect(await again(clock.now() - 5_000)).toEqual({ more: true, waitedMs: 1 });
  });

  test('is begun for what is unclear, or when more can be known of the rest, whichever comes first', async () => {
    rounds.isUnclear();
    expect(await again(clock.now() + 300_000)).toEqual({ more: true, waitedMs: firstMs });
    rounds.isUnclear();
    expect(await again(clock.now() + 500)).toEqual({ more: true, waitedMs: 500 });
  });
});

describe('sending stops', () => {
  test('when nothing was learnt for as long as the run has patience, with the latest answer', async () => {
    await clock.pass(deadlineMs);
    for (const reason of ['HTTP 500', 'HTTP 502']) rounds.isUnclear(reason);
    expect(await again()).toEqual({ more: false, waitedMs: undefined });
    expect(stop()).toEqual(unclearStop(2, 'HTTP 502'));
  });

  test('without an answer where the latest one was read and told nothing', async () => {
    await clock.pass(deadlineMs);
    rounds.isUnclear('HTTP 500');
    rounds.isUnclear();
    await again();
    expect(stop()).toEqual(unclearStop(2));
  });

  test('not before that', async () => {
    await clock.pass(deadlineMs - 1);
    rounds.isUnclear();
    expect(await again()).toEqual({ more: true, waitedMs: maxMs });
    expect(stop()).toBeUndefined();
  });

  test('not where something was learnt meanwhile', async () => {
    await clock.pass(deadlineMs);
    rounds.hasMoved();
    rounds.isUnclear();
    expect(await again()).toEqual({ more: true, waitedMs: firstMs });
    expect(stop()).toBeUndefined();
  });

  test('not while more can be known later', async () => {
    await clock.pass(deadlineMs);
    rounds.isUnclear();
    expect(await again(clock.now() + 100)).toEqual({ more: true, waitedMs: 100 });
    expect(stop()).toBeUndefined();
  });
});

describe('a run that is interrupted', () => {
  test('begins no other round, and does not wait', async () => {
    interrupted.abort();
    rounds.isUnclear();
    expect(await again(clock.now() + 100)).toEqual({ more: false, waitedMs: undefined });
  });

  test('ends its waiting', async () => {
    rounds.isUnclear();
    const over = rounds.again();
    interrupted.abort();
    expect(await over).toBe(false);
    expect(clock.sleeping).toBe(0);
  });
});

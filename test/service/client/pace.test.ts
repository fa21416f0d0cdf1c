import { describe, expect, test } from 'vitest';
import { Pace } from '../../../src/service/client/pace.ts';
import { Senders } from '../../../src/service/client/senders.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const half = (): number => 0.5;

/** Starts `count` requests at once, and gives the times at which they went out. */
function startAll(pace: Pace, clock: FakeClock, count: number, signal?: AbortSignal): number[] {
  const wentAt: number[] = [];
  const begun = clock.monotonicMs();
  for (let i = 0; i < count; i++) void pace.ready(signal).then(() => wentAt.push(clock.monotonicMs() - begun));
  return wentAt;
}

describe('a pause that the service asked for', () => {
  test('holds everyone until it is over, and then nobody', async () => {
    const clock = new FakeClock();
    const pace = new Pace(clock, half, 0);
    pace.throttled(7_000);
    const wentAt = startAll(pace, clock, 5);
    await clock.pass(6_999);
    expect(wentAt).toEqual([]);
    await clock.pass(1);
    expect(wentAt).toEqual([7_000, 7_000, 7_000, 7_000, 7_000]);
  });

  test('grows when another answer asks for longer, and is never cut short by one that asks for less', async () => {
    const clock = new FakeClock();
    const pace = new Pace(clock, half, 0);
    pace.throttled(2_000);
    pace.throttled(9_000);
    pace.throttled(1_000);
    const wentAt = startAll(pace, clock, 1);
    await clock.pass(20_000);
    expect(wentAt).toEqual([9_000]);
  });

  test('that begins while others wait for theirs holds these too', async () => {
    const clock = new FakeClock();
    const pace = new Pace(clock, half, 0);
    pace.throttled(2_000);
    const wentAt = startAll(pace, clock, 2);
    await clock.pass(1_500);
    pace.throttled(2_000);
    await clock.pass(10_000);
    expect(wentAt).toEqual([3_500, 3_500]);
  });

  test('is at most a quarter of an hour', async () => {
    const clock = new FakeClock();
    const pace = new Pace(clock, half, 0);
    pace.throttled(999_999_000);
    const wentAt = startAll(pace, clock, 1);
    await clock.pass(900_000);
    expect(wentAt).toEqual([900_000]);
  });

  test('ends at once for whoever is stopped', async () => {
    const clock = new FakeClock();
    const pace = new Pace(clock, half, 1);
    const stop = new AbortController();
    pace.throttled(60_000);
    const wentAt = startAll(pace, clock, 3, stop.signal);
    stop.abort();
    await clock.pass(0);
    expect(wentAt).toEqual([0, 0, 0]);
    expect(clock.sleeping).toBe(0);
  });
});

describe('a service that throttles without saying for how long', () => {
  /** The pause after each of `rounds` throttlings in a row, milliseconds. */
  async function pauses(rounds: number, together: number): Promise<number[]> {
    const clock = new FakeClock();
    const pace = new Pace(clock, () => 1, 0);
    const found: number[] = [];
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < together; i++) pace.throttled(undefined);
      const wentAt = startAll(pace, clock, 1);
      await clock.pass(100_000);
      found.push(wentAt[0] ?? -1);
    }
    return found;
  }

  test('is left alone for twice as long each time, up to a minute', async () => {
    expect(await pauses(8, 1)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  test('is not left alone for longer because many requests were in flight together', async () => {
    expect(await pauses(2, 16)).toEqual([1_000, 2_000]);
  });

  test('is asked again soon after an answer of another sort', async () => {
    const clock = new FakeClock();
    const pace = new Pace(clock, () => 1, 0);
    for (let round = 0; round < 5; round++) {
      pace.throttled(undefined);
      await clock.pass(100_000);
    }
    pace.answered();
    pace.throttled(undefined);
    const wentAt = startAll(pace, clock, 1);
    await clock.pass(100_000);
    expect(wentAt).toEqual([1_000]);
  });
});

describe('a rate limit', () => {
  test('spaces requests evenly', async () => {
    const clock = new FakeClock();
    const wentAt = startAll(new Pace(clock, half, 4), clock, 5);
    await clock.pass(5_000);
    expect(wentAt).toEqual([0, 250, 500, 750, 1_000]);
  });

  test('gives no credit for the time in which nothing was sent', async () => {
    const clock = new FakeClock();
    const pace = new Pace(clock, half, 4);
    startAll(pace, clock, 1);
    await clock.pass(60_000);
    const wentAt = startAll(pace, clock, 3);
    await clock.pass(5_000);
    expect(wentAt).toEqual([0, 250, 500]);
  });

  test('still spaces the requests that a pause held back', async () => {
    const clock = new FakeClock();
    const pace = new Pace(clock, half, 4);
    pace.throttled(10_000);
    const wentAt = startAll(pace, clock, 4);
    await clock.pass(30_000);
    const gaps = wentAt.slice(1).map((at, index) => at - (wentAt[index] ?? 0));
    expect(wentAt[0]).toBeGreaterThanOrEqual(10_000);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(250);
  });

  test('still spaces requests that had their slot when the pause began', async () => {
    const clock = new FakeClock();
    const pace = new Pace(clock, half, 4);
    const wentAt = startAll(pace, clock, 6);
    await clock.pass(300);
    pace.throttled(10_000);
    await clock.pass(60_000);
    const gaps = wentAt.slice(1).map((at, index) => at - (wentAt[index] ?? 0));
    expect(wentAt).toHaveLength(6);
    expect(wentAt.filter((at) => at > 300 && at < 10_300)).toEqual([]);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(250);
  });
});

describe('senders that share a rate', () => {
  test('have their smaller part at once, and a larger one when no more were seen for a while', async () => {
    const clock = new FakeClock();
    const senders = new Senders(clock);
    expect([1, 3, 2].map((seen) => senders.share(seen))).toEqual([1, 3, 3]);
    await clock.pass(14_999);
    expect(senders.share(1)).toBe(3);
    await clock.pass(1);
    expect(senders.share(1)).toBe(1);
  });

  test('keep their parts beside one that goes on with another batch, and has no lease meanwhile', async () => {
    const clock = new FakeClock();
    const senders = new Senders(clock);
    for (const seen of [2, 1, 2, 1, 2, 1]) {
      expect(senders.share(seen)).toBe(2);
      await clock.pass(10_000);
    }
    const wentAt = startAll(new Pace(clock, half, 4, { senders }), clock, 3);
    await clock.pass(5_000);
    expect(wentAt).toEqual([0, 500, 1_000]);
  });
});

import { describe, expect, test } from 'vitest';
import { Brake } from '../../src/dispatch/brake.ts';
import { FakeClock } from '../support/fake-clock.ts';

describe('the brake', () => {
  const brakeOf = (concurrency = 16, outageMs = 60_000) => {
    const clock = new FakeClock();
    const brake = new Brake(clock, concurrency, outageMs);
    /** One submission after another. */
    const note = async (tag: Parameters<Brake['note']>[0], times = 1): Promise<void> => {
      for (let i = 0; i < times; i++) {
        const began = clock.monotonicMs();
        await clock.pass(10);
        brake.note(tag, began);
      }
    };
    /** Submissions that were in flight at the same time. */
    const noteTogether = async (tag: Parameters<Brake['note']>[0], count: number): Promise<void> => {
      const began = clock.monotonicMs();
      for (let i = 0; i < count; i++) {
        await clock.pass(1);
        brake.note(tag, began);
      }
    };
    return { clock, brake, note, noteTogether };
  };

  test('halves what may be in flight at each throttling, down to one', async () => {
    const { brake, note } = brakeOf();
    const seen: number[] = [];
    for (let i = 0; i < 6; i++) {
      await note('throttled');
      seen.push(brake.concurrency);
    }
    expect(seen).toEqual([8, 4, 2, 1, 1, 1]);
  });

  test('halves once for submissions that were throttled together', async () => {
    const { brake, noteTogether } = brakeOf();
    await noteTogether('throttled', 16);
    expect(brake.concurrency).toBe(8);
    await noteTogether('throttled', 8);
    expect(brake.concurrency).toBe(4);
  });

  test('lets one more into flight after 32 acceptances in a row, up to what was set', async () => {
    const { brake, note } = brakeOf(4);
    await note('throttled');
    await note('accepted', 31);
    expect(brake.concurrency).toBe(2);
    await note('accepted');
    expect(brake.concurrency).toBe(3);
    await note('accepted', 320);
    expect(brake.concurrency).toBe(4);
  });

  test('pauses for longer and longer while requests never leave, and not at all after an answer', async () => {
    const { clock, brake, note } = brakeOf();
    const pauseOf = async (): Promise<number> => {
      const begun = clock.monotonicMs();
      let waited = -1;
      void brake.ready(new AbortController().signal).then(() => {
        waited = clock.monotonicMs() - begun;
      });
      await clock.pass(40_000);
      return waited;
    };
    await note('not-sent', 4);
    expect(await pauseOf()).toBe(0);
    const pauses: number[] = [];
    const long = brakeOf(16, 10_000_000);
    for (let i = 0; i < 5; i++) await long.note('not-sent');
    for (let i = 0; i < 8; i++) {
      const begun = long.clock.monotonicMs();
      void long.brake.ready(new AbortController().signal).then(() => pauses.push(long.clock.monotonicMs() - begun));
      await long.clock.pass(40_000);
      await long.note('not-sent');
    }
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    await note('ambiguous');
    expect(await pauseOf()).toBe(0);
  });

  test('does not pause because many requests failed to leave together', async () => {
    const { brake, clock, noteTogether } = brakeOf();
    await noteTogether('not-sent', 16);
    await brake.ready(new AbortController().signal);
    expect(clock.sleeping).toBe(0);
  });

  test('ends its pause for whoever is stopped', async () => {
    const { brake, note } = brakeOf();
    await note('not-sent', 5);
    const stop = new AbortController();
    const ready = brake.ready(stop.signal);
    stop.abort();
    await ready;
  });

  test('stops when the service stays unreachable for too long', async () => {
    const { clock, brake, note } = brakeOf(16, 60_000);
    await note('not-sent', 3);
    await clock.pass(59_000);
    expect(brake.stopped).toBeUndefined();
    await clock.pass(1_000);
    await note('not-sent');
    expect(brake.stopped).toBe('the service could not be reached');
  });

  test('stops at the third refusal of fresh credentials in a row, and keeps the first reason', async () => {
    const { brake, note, noteTogether } = brakeOf();
    await noteTogether('unauthorised', 16);
    await note('accepted');
    await noteTogether('unauthorised', 16);
    await noteTogether('unauthorised', 16);
    expect(brake.stopped).toBeUndefined();
    await note('unauthorised');
    expect(brake.stopped).toBe('the service no longer accepts the credentials');
    brake.stop('another reason');
    expect(brake.stopped).toBe('the service no longer accepts the credentials');
  });
});

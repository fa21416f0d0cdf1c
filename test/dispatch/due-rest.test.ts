import { beforeEach, describe, expect, test } from 'vitest';
import { DueRest } from '../../src/dispatch/journal.ts';
import { FakeClock } from '../support/fake-clock.ts';

const NEVER = new AbortController().signal;

describe('who rests until the next order is due', () => {
  let clock: FakeClock;
  let due: DueRest;
  beforeEach(() => {
    clock = new FakeClock();
    due = new DueRest(clock);
    due.begins();
  });

  /** How long a rest lasts of which this became known before it and in it, in milliseconds; each after so long. */
  async function rested(
    nextInMs: number | undefined,
    news: readonly (readonly [afterMs: number, inMs: number | null])[] = [],
  ) {
    const began = clock.now();
    let endedAt: number | undefined;
    const over = due.rest(nextInMs === undefined ? undefined : began + nextInMs, NEVER).then(() => {
      endedAt = clock.now();
    });
    for (let ms = 0; endedAt === undefined && ms < 20_000; ms += 1) {
      for (const [afterMs, inMs] of news) if (afterMs === ms) due.note(inMs === null ? null : clock.now() + inMs);
      await clock.pass(1);
    }
    await over;
    return (endedAt ?? 0) - began;
  }

  test('wakes when it is', async () => {
    expect(await rested(700)).toBe(700);
  });

  test('looks again after fifteen seconds, whatever is due', async () => {
    expect(await rested(undefined)).toBe(15_000);
    expect(await rested(60_000)).toBe(15_000);
  });

  test('wakes at once when another one is due sooner, to see when', async () => {
    expect(await rested(700, [[100, 300]])).toBeLessThanOrEqual(102);
  });

  test('sleeps on when another one is due later, or just then, or not any more', async () => {
    expect(
      await rested(700, [
        [100, 5000],
        [150, 550],
        [200, null],
      ]),
    ).toBe(700);
  });

  test('misses nothing that was recorded while it read what is due', async () => {
    due.note(clock.now() + 40);
    expect(await rested(700)).toBe(40);
  });

  test('forgets what was recorded before it read', async () => {
    due.note(clock.now() + 40);
    due.begins();
    expect(await rested(700)).toBe(700);
  });

  test('ends with its signal', async () => {
    const over = new AbortController();
    const rest = due.rest(undefined, over.signal);
    over.abort();
    await expect(rest).resolves.toBeUndefined();
  });
});

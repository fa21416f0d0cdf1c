import { describe, expect, test } from 'vitest';
import { RecoveryProgress } from '../../src/dispatch/recovery.ts';
import type { RunEvent } from '../../src/domain/event.ts';

describe('what is told before a doubted ledger sends', () => {
  /** A recovery whose silence lasts two minutes, and in which each look-up takes 10 ms. */
  function recovery() {
    let now = 0;
    const told: { readonly done: number; readonly of: number; readonly leftMs: number }[] = [];
    const emit = (event: RunEvent): void => {
      if (event.type !== 'reconcile.progress') return;
      const { type, ...figures } = event;
      told.push(figures);
    };
    const progress = new RecoveryProgress({ now: () => now } as never, emit);
    progress.begin(120_000);
    progress.roundBegins();
    const look = (times: number, seen: 'unknown' | 'unclear' = 'unknown'): void => {
      for (let made = 0; made < times; made++) {
        now += 10;
        progress.counted({ seen, facts: [] });
      }
    };
    const waitUntil = (time: number): void => {
      now = time;
      progress.roundBegins();
    };
    return { told, progress, look, waitUntil };
  }
  const looks = { orders: 100, asked: 100, all: 600 };

  test('is the time that is left: every look-up, and neither the silence nor its wait twice', () => {
    const { told, progress, look, waitUntil } = recovery();
    look(100);
    progress.say(looks);
    // The silence is waited for, and a round begins after it.
    waitUntil(120_000);
    look(100);
    progress.say(looks);
    look(40);
    progress.say(looks);
    // 100 second look-ups and 400 attempts take 5 s; then the attempts alone; then those of 90 orders.
    expect(told).toEqual([
      { done: 100, of: 600, leftMs: 119_000 + 5000 },
      { done: 200, of: 600, leftMs: 4000 },
      { done: 240, of: 600, leftMs: 3600 },
    ]);
  });

  test('counts the first look-ups as part of the silence', () => {
    const { told, progress, look } = recovery();
    look(50);
    progress.say({ orders: 100, asked: 50, all: 200 });
    expect(told).toEqual([{ done: 50, of: 200, leftMs: 119_500 + 1000 }]);
  });

  test('does not count a look-up that has to be made again, nor fewer than there were', () => {
    const { told, progress, look } = recovery();
    look(10, 'unclear');
    progress.say({ orders: 10, asked: 0, all: 20 });
    look(30);
    progress.say({ orders: 10, asked: 10, all: 20 });
    expect(told).toMatchObject([
      { done: 0, of: 20 },
      { done: 30, of: 30 },
    ]);
  });
});

import { describe, expect, test } from 'vitest';
import { looksLeft, RecoveryProgress } from '../../src/dispatch/recovery.ts';
import type { RunEvent } from '../../src/domain/event.ts';

const beside = { next: 1, all: 4 };

describe('what is still to be looked up before a doubted ledger sends', () => {
  const orders = 100;
  const none = { orders, asked: 0, proven: 0, cleared: 0, deep: 13, beside };

  test('is two of each order, its next attempt, and all attempts of the smallest ids', () => {
    expect(looksLeft(none)).toEqual({ before: 100, after: 100 + 13 * 4 + 87 });
    expect(looksLeft({ ...none, asked: 100, proven: 100, cleared: 60, deep: 0 })).toEqual({ before: 0, after: 40 });
    expect(looksLeft({ ...none, asked: 100, proven: 100, cleared: 100, deep: 0 })).toEqual({ before: 0, after: 0 });
  });

  test('is every attempt of each order where the service holds anything of the batch', () => {
    expect(looksLeft({ ...none, deep: orders })).toEqual({ before: 100, after: 100 + 400 });
  });
});

test('the time that is left counts every attempt, and neither the silence nor its wait twice', () => {
  let now = 0;
  const told: number[] = [];
  const tell = (event: RunEvent): void => void (event.type === 'reconcile.progress' && told.push(event.leftMs));
  const progress = new RecoveryProgress({ now: () => now } as never, tell);
  const look = (times: number): void => {
    for (let made = 0; made < times; made++) {
      now += 10;
      progress.asked();
    }
  };
  const standing = { orders: 100, asked: 100, proven: 0, cleared: 0, deep: 100, beside };
  progress.begin(120_000);
  progress.roundBegins();
  look(100);
  progress.say(looksLeft(standing));
  // The silence is waited for, and a round begins after it.
  now = 120_000;
  progress.roundBegins();
  look(100);
  progress.say(looksLeft({ ...standing, proven: 100 }));
  progress.roundBegins();
  look(40);
  progress.say(looksLeft({ ...standing, proven: 100, cleared: 10 }));
  // 100 second look-ups and 400 attempts take 5 s; then the attempts alone; then those of 90 orders.
  expect(told).toEqual([119_000 + 5000, 4000, 3600]);
});

/** Clocks that jump and computers that sleep, while a run goes. */
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/domain/clock.ts';
import { systemClock } from '../../../src/system.ts';
import { answered, handMadeService } from '../../dispatch/hand-made-service.ts';
import { practiceOnRealTime } from '../../dispatch/practice-on-real-time.ts';
import { until } from '../../dispatch/until.ts';
import { expectTheBooksToAgree } from '../../support/books.ts';
import { ordinaryPayees, planBatch, quick } from '../../support/run-harness.ts';
import { inTemporaryFolder } from '../../support/temporary-folder.ts';

const DAY_MS = 86_400_000;

/** A wall clock that a test can set; the monotonic one goes on as ever. */
function settableClock(): { readonly clock: Clock; set(aheadMs: number): void } {
  let aheadMs = 0;
  return {
    // Short sleeps: whoever waits by the wall clock sees at once that it was set.
    clock: {
      ...systemClock,
      now: () => Date.now() + aheadMs,
      sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 50), signal),
    },
    set(ms) {
      aheadMs = ms;
    },
  };
}

describe('a wall clock that is set under way', () => {
  // C33
  test.each([
    ['back a day', -DAY_MS],
    ['on a day', DAY_MS],
  ])('%s shortens no silence: an order is sent again only when the time has really passed', (_name, aheadMs) =>
    inTemporaryFolder(async (folder) => {
      const { clock, set } = settableClock();
      const stop = new AbortController();
      const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
      let isLost = true;
      const service = await handMadeService({
        onPost(_order, response) {
          if (!isLost) return undefined;
          response.destroy();
          return answered;
        },
      });
      const settings = quick({
        inDoubt: { unknownGapMs: 60_000, quietMs: 120_000 },
        polling: { firstMs: 20, maxMs: 40, deadlineMs: 900_000 },
      });
      const running = batch.run(service.url, { clock, settings, signal: stop.signal });
      await until(() => service.posts().length === 1);
      const asked = service.finds().length;
      await until(() => service.finds().length > asked);
      set(aheadMs);
      // Time in which a run that went by the wall clock would send again; the right one only waits.
      await systemClock.sleep(500);
      stop.abort('SIGINT');
      const first = await running;

      expect(first.counts['in-doubt']).toBe(1);
      expect(service.posts()).toHaveLength(1);
      isLost = false;
      await batch.sayAbsent(2);
      expect((await batch.run(service.url, { clock: systemClock })).counts.completed).toBe(1);
      expect(new Set(service.posts()).size).toBe(1);
    }),
  );
});

describe('a computer that slept', () => {
  // C31, C32
  test('for two hours in the middle of a run, and whose ledger nobody took, goes on and pays everybody once', () =>
    inTemporaryFolder(async (folder) => {
      const { clock, set } = settableClock();
      const practice = await practiceOnRealTime('settle-min=5,settle-max=40,slow=10');
      const batch = await planBatch(folder, { payees: ordinaryPayees(60) });
      const settings = quick({ sending: { concurrency: 2 } });
      const running = batch.run(practice.url, { clock, settings });
      await until(() => practice.books().orders.length >= 10);
      set(2 * 3_600_000);
      const woken = await running;
      expect(woken.error).toBeUndefined();

      const report = await batch.run(practice.url, { clock });

      expect(report.counts.completed).toBe(60);
      expectTheBooksToAgree(practice.books(), report);
    }));
});

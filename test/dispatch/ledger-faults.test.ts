/** What stops a run from within: a ledger that cannot be written, a lease that was lost. */

import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { locksBeside } from '../../src/database/file-locks.ts';
import { Fault } from '../../src/domain/fault.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { systemClock } from '../../src/system.ts';
import { fastClock } from '../support/fast-clock.ts';
import { amountAt, open, ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { answered, handMadeService } from './hand-made-service.ts';
import { practiceOnRealTime } from './practice-on-real-time.ts';
import { until } from './until.ts';

/** A ledger whose method fails from its nth call on. */
function failing(
  ledger: Ledger,
  method: 'record' | 'claim' | 'dueOrders',
  from: number,
  onFailure = (): void => undefined,
) {
  let calls = 0;
  const fail = (): never => {
    onFailure();
    throw new Fault('ledger-unsafe', 'The disk is full.', 'Make room.');
  };
  return new Proxy(ledger, {
    get(target, name) {
      const real = Reflect.get(target, name);
      if (name !== method) return real;
      return async (...args: readonly unknown[]) => {
        calls += 1;
        return calls >= from ? fail() : real(...args);
      };
    },
  });
}

describe('a ledger that fails', () => {
  test.each([
    ['record', 1],
    ['record', 4],
    ['claim', 2],
    ['dueOrders', 3],
  ] as const)('in %s at call %d stops sending, and the run rejects with its fault', (method, from) =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService({ onPost: async () => void (await systemClock.sleep(15)) });
      const batch = await planBatch(folder, { payees: ordinaryPayees(60) });
      const settings = quick({ sending: { concurrency: 4 } });
      let postsAtFailure: number | undefined;
      const report = await batch.run(service.url, {
        settings,
        through: (ledger) =>
          failing(ledger, method, from, () => {
            postsAtFailure ??= service.posts().length;
          }),
      });
      expect(report.error).toMatchObject({ code: 'ledger-unsafe' });
      const posts = service.posts().length;
      expect(posts).toBeLessThanOrEqual((postsAtFailure ?? 0) + settings.sending.concurrency);
      // Nothing follows: there is nothing that could be waited for.
      await systemClock.sleep(60);
      expect(service.posts()).toHaveLength(posts);

      const resumed = await batch.run(service.url);
      expect(resumed.counts.completed).toBe(60);
      expect(new Set(service.posts()).size).toBe(service.posts().length);
    }),
  );

  test('because it was closed under way rejects, and a later run ends what was begun', () =>
    inTemporaryFolder(async (folder) => {
      const clock = fastClock();
      const practice = await practiceOnRealTime('settle-min=5,settle-max=40,slow=10', clock);
      const batch = await planBatch(folder, { clock, payees: ordinaryPayees(60) });
      const report = await batch.run(practice.url, {
        through(ledger) {
          void until(() => practice.books().orders.length > 10).then(() => ledger.close());
          return ledger;
        },
      });
      expect(report.error).toBeInstanceOf(Error);
      // How soon the rest is paid is up to the machine.
      const resumed = await batch.run(practice.url, { settings: quick({ polling: { deadlineMs: 100_000 } }) });
      expect(resumed.counts.completed).toBe(60);
      expect(practice.books().paid['KES']).toBe(sumOf(60));
    }));
});

const sumOf = (rows: number): string => {
  const minor = Array.from({ length: rows }, (_, index) => amountAt(index).minor).reduce((a, b) => a + b, 0n);
  return `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
};

describe('the lease', () => {
  test('that another run took, because somebody removed its lock, keeps what was claimed from leaving', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService({
        onPost(_order, response) {
          response.writeHead(429, { 'retry-after': '1' }).end();
          return answered;
        },
      });
      const batch = await planBatch(folder, { payees: ordinaryPayees(8) });
      const running = batch.run(service.url, {
        settings: quick({ sending: { concurrency: 1 } }),
      });
      await until(() => service.posts().length === 1);
      rmSync(locksBeside(batch.path), { recursive: true });
      const other = await open(batch.path, systemClock);
      await other.takeLease(batch.header.id);
      const report = await running;
      await other.close();
      expect(report.error).toMatchObject({ code: 'ledger-held', exit: 75 });
      expect(service.posts()).toHaveLength(1);
    }));
});

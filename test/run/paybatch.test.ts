/** How a run ends that something breaks off: people and programs still learn which batch it was, and how far it is. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BatchHeader } from '../../src/domain/batch.ts';
import { Fault } from '../../src/domain/fault.ts';
import type { RunEnd } from '../../src/domain/run-end.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { knownEnd } from '../../src/results/run-end.ts';
import { resumeBatch } from '../../src/run/paybatch.ts';
import { refreshBatch } from '../../src/run/refresh.ts';
import { retryBatch } from '../../src/run/retry.ts';
import type { RunDeps } from '../../src/run/run-deps.ts';
import { openClient } from '../../src/service/client/client.ts';
import { openTransport } from '../../src/service/client/transport.ts';
import { systemClock, systemRandom } from '../../src/system.ts';
import { handMadeService, paidRecordOf } from '../dispatch/hand-made-service.ts';
import { liveSettings } from '../support/desk/live-settings.ts';
import { type Batch, open, ordinaryPayees, planBatch } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

/** A ledger of which some methods fail from a call of one of them on. */
function failing(ledger: Ledger, method: keyof Ledger, from: number, also: readonly (keyof Ledger)[] = []): Ledger {
  let calls = 0;
  let broken = false;
  return new Proxy(ledger, {
    get(target, name: keyof Ledger) {
      const real = Reflect.get(target, name) as (...args: readonly unknown[]) => unknown;
      if (name !== method && !also.includes(name)) return real;
      return async (...args: readonly unknown[]) => {
        if (name === method) calls += 1;
        broken ||= calls >= from;
        if (broken) throw new Fault('ledger-unsafe', 'The disk is full.', 'Make room.');
        return real(...args);
      };
    },
  });
}

type Work = (batch: BatchHeader, deps: RunDeps, outFolder?: string) => Promise<RunEnd>;
const tryAgain: Work = (batch, deps) => retryBatch(batch, { rows: [] }, deps);

async function endOf(
  work: Work,
  batch: Batch,
  folder: string,
  url: string,
  through: (ledger: Ledger) => Ledger = (ledger) => ledger,
  settings = liveSettings,
): Promise<RunEnd> {
  const ledger = await open(batch.path, systemClock);
  const client = openClient(
    {
      baseUrl: url,
      tokenUrl: `${url}/connect/token`,
      clientId: 'acme',
      clientSecret: 'secret',
      scope: 'service_api',
      requestTimeoutMs: 1000,
      ratePerSecond: 0,
    },
    { transport: openTransport(12), clock: systemClock, random: systemRandom },
  );
  try {
    const deps = {
      settings,
      clock: systemClock,
      random: systemRandom,
      emit: () => undefined,
      client,
      ledger: through(ledger),
      service: url,
      signal: new AbortController().signal,
      confirm: async () => 'typed',
      maker: 'amina@desk',
      version: '0.1.0',
    };
    return await work(batch.header, deps, join(folder, 'out'));
  } finally {
    await client.close();
    await ledger.close();
  }
}

const total = ({ counts }: RunEnd): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

describe('silence that ends while a request may still be under way', () => {
  test.each([
    ['resume', resumeBatch],
    ['status', refreshBatch],
    ['retry', tryAgain],
  ] as const)('is refused in settings made by hand: %s', (_, work) =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
      const settings = { ...liveSettings, inDoubt: { ...liveSettings.inDoubt, quietMs: 79 } };
      const refused = expect.objectContaining({
        code: 'configuration',
        message: expect.stringMatching(/^inDoubt\.quietMs is 79 and sending\.requestTimeoutMs is 40: /),
        remedy: 'Set quietMs to 80 or more. Nothing was sent.',
      });
      const end = endOf(work, batch, folder, 'http://127.0.0.1:9', undefined, settings);
      if (work === tryAgain) expect((await end).fault).toEqual(refused);
      else await expect(end).rejects.toEqual(refused);
    }),
  );
});

/** Answers of a busy machine are waited for: the ledger alone ends these runs. */
const unhurried: typeof liveSettings = {
  ...liveSettings,
  sending: { ...liveSettings.sending, requestTimeoutMs: 500 },
  inDoubt: { ...liveSettings.inDoubt, quietMs: 1000 },
};

describe('a ledger that fails under way', () => {
  test.each([
    ['record', 2],
    ['claim', 2],
    ['dueOrders', 2],
    ['recordStop', 1],
  ] as const)('in %s ends the run with its fault, the batch and what is recorded', (method, from) =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService();
      const batch = await planBatch(folder, { payees: ordinaryPayees(80) });
      const wrap = (ledger: Ledger): Ledger => failing(ledger, method, from);
      const end = await endOf(resumeBatch, batch, folder, service.url, wrap, unhurried);
      expect(end).toMatchObject({ exit: 10, batch: batch.header.id, fault: { code: 'ledger-unsafe' }, files: [] });
      expect(end.counts).toEqual((await batch.inspect()).counts);
      expect(total(end)).toBe(80);
      expect(end.amounts?.planned).toEqual(batch.header.total);
    }),
  );

  test('and cannot be read either ends the run with what may have left in doubt', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService();
      const batch = await planBatch(folder, { payees: ordinaryPayees(30) });
      const end = await endOf(resumeBatch, batch, folder, service.url, (ledger) =>
        failing(ledger, 'record', 1, ['tallies', 'alarms']),
      );
      expect(end).toMatchObject({ exit: 10, batch: batch.header.id, fault: { code: 'ledger-unsafe' } });
      expect(end.counts).toMatchObject({ 'in-doubt': 30, unsent: 0 });
    }));

  test('while a batch is only looked at ends that the same way', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService();
      const batch = await planBatch(folder, { payees: ordinaryPayees(5) });
      const end = await endOf(refreshBatch, batch, folder, service.url, (ledger) => failing(ledger, 'dueOrders', 1));
      expect(end).toMatchObject({ exit: 10, batch: batch.header.id, counts: { unsent: 5 } });
      expect(service.posts()).toEqual([]);
    }));
});

describe('a batch with an alarm', () => {
  const contradicted = () =>
    handMadeService({
      record: (record, order) => ({
        ...record,
        orderLines: [...paidRecordOf(order).orderLines, ...paidRecordOf(order).orderLines],
      }),
    });

  test('ends every run and every look with 11, though all of its rows are settled', () =>
    inTemporaryFolder(async (folder) => {
      const service = await contradicted();
      const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
      for (const work of [resumeBatch, resumeBatch, refreshBatch]) {
        const end = await endOf(work, batch, folder, service.url);
        expect(end.counts.completed).toBe(1);
        expect(end.exit).toBe(11);
      }
      const ledger = await open(batch.path, systemClock);
      expect((await knownEnd(batch.header, ledger)).exit).toBe(11);
      await ledger.close();
      expect(service.posts()).toHaveLength(1);
    }));

  test('ends with 11 also when the ledger fails', () =>
    inTemporaryFolder(async (folder) => {
      const service = await contradicted();
      const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
      await endOf(resumeBatch, batch, folder, service.url);
      const end = await endOf(resumeBatch, batch, folder, service.url, (ledger) => failing(ledger, 'dueOrders', 1));
      expect(end).toMatchObject({ exit: 11, fault: { code: 'ledger-unsafe' } });
    }));
});

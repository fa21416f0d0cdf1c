/** What becomes of the rows stops a run: a canary that fails, too many failures, a wallet that runs dry, fees above their quotes. */
import { describe, expect, test } from 'vitest';
import type { DispatchSettings } from '../../src/dispatch/dispatch.ts';
import type { RunEvent } from '../../src/domain/event.ts';
import type { CanaryRecord } from '../../src/domain/fact.ts';
import { kes } from '../support/amounts.ts';
import { type Batch, ordinaryPayees, planBatch, quick, type RunChoice } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { handMadeService, paidRecordOf } from './hand-made-service.ts';
import { practiceOnRealTime } from './practice-on-real-time.ts';
import { until } from './until.ts';

const QUICK_ENDS = 'settle-min=5,settle-max=40';
const canaryOf = (rows: number): CanaryRecord => ({ rows, base: { completed: 0, open: 0, lost: 0 } });
const withCanary = (rows: number, changes: Parameters<typeof quick>[0] = {}): DispatchSettings => ({
  ...quick(changes),
  canary: canaryOf(rows),
});

/** Payees of whom the one at an index ends as the magic digits say. */
const payeesWith = (count: number, magic: Readonly<Record<number, string>>): string[] =>
  ordinaryPayees(count).map((payee, index) => (magic[index] ? `${payee.slice(0, -4)}${magic[index]}` : payee));

async function told(batch: Batch, url: string, choice: RunChoice) {
  const events: RunEvent[] = [];
  const report = await batch.run(url, { ...choice, emit: (event) => events.push(event) });
  return { ...report, notices: events.flatMap((event) => (event.type === 'notice' ? [event] : [])) };
}

describe('rows that go ahead alone', () => {
  test('are sent before any other, and the others when all of them are completed', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(60) });
      const practice = await practiceOnRealTime('settle-min=150,settle-max=250');
      let mostOpenBefore = 0;
      const { counts, result } = await batch.run(practice.url, {
        settings: withCanary(5),
        emit(event) {
          const done = event.type === 'progress' ? event.counts.completed : 0;
          if (done < 5) mostOpenBefore = Math.max(mostOpenBefore, practice.books().orders.length);
        },
      });
      expect(mostOpenBefore).toBe(5);
      expect(result?.stop).toBeUndefined();
      expect(counts.completed).toBe(60);
    }));

  test('cover as many rows as asked for by whole orders', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(30), ahead: '0008', linesPerOrder: 4 });
      const practice = await practiceOnRealTime(QUICK_ENDS);
      const { counts } = await batch.run(practice.url, { settings: withCanary(8) });
      const sent = practice.books().orders.length;
      expect(sent).toBeLessThanOrEqual(2);
      expect(counts).toMatchObject({ completed: sent * 4 - 1, failed: 1, unsent: 30 - sent * 4 });
    }));

  test.each([
    ['failed', '0008', { failed: 1 }],
    ['is rejected', '0001', { rejected: 1 }],
    ['timed out', '0002', { 'timed-out': 1 }],
    ['is refused', '0004', { refused: 1 }],
    ['stays in doubt', '0009', { 'in-doubt': 1 }],
    ['stays pending', '0003', { 'in-doubt': 0, pending: 1 }],
  ])('keep all others from leaving when one of them %s', (_name, digits, outcome) =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(40), ahead: digits });
      const practice = await practiceOnRealTime(QUICK_ENDS);
      const { counts, result, notices, differences } = await told(batch, practice.url, {
        settings: withCanary(3, { polling: { deadlineMs: 700 } }),
      });
      expect(result?.stop?.code).toBe('canary');
      expect(counts).toMatchObject(outcome);
      expect(counts.completed + counts.unsent).toBe(39);
      expect(notices).toEqual([
        expect.objectContaining({ code: 'stopped-canary', message: expect.stringContaining('of the 3 rows') }),
      ]);
      expect(practice.books().orders.length).toBeLessThanOrEqual(3);
      expect(differences).toEqual([]);
    }),
  );

  test('say nothing of stopping when nothing else was to be sent', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: payeesWith(1, { 0: '0008' }) });
      const practice = await practiceOnRealTime(QUICK_ENDS);
      const { counts, result, notices } = await told(batch, practice.url, { settings: withCanary(1) });
      expect(counts).toMatchObject({ completed: 0, failed: 1 });
      expect(result?.stop).toBeUndefined();
      expect(notices).toEqual([]);
    }));

  test('are still the same after the run stopped in the middle of them', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(40) });
      const practice = await practiceOnRealTime('settle-min=300,settle-max=400');
      const stop = new AbortController();
      const running = batch.run(practice.url, { settings: withCanary(4), signal: stop.signal });
      await until(() => practice.books().orders.length === 4);
      stop.abort();
      expect((await running).counts.unsent).toBe(36);
      let mostBefore = 0;
      const { counts } = await batch.run(practice.url, {
        settings: withCanary(4),
        emit(event) {
          if (event.type === 'progress' && event.counts.completed < 4) {
            mostBefore = Math.max(mostBefore, practice.books().orders.length);
          }
        },
      });
      expect(mostBefore).toBe(4);
      expect(counts.completed).toBe(40);
      expect(practice.books().orders.every(({ posts }) => posts === 1)).toBe(true);
    }));

  test('are sent again when their answers were lost, and the rest follows', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: payeesWith(30, { 0: '0006', 1: '0005' }) });
      const practice = await practiceOnRealTime(QUICK_ENDS);
      const { counts } = await batch.run(practice.url, { settings: withCanary(2) });
      expect(counts.completed).toBe(30);
    }));
});

describe('rows that are not paid', () => {
  const failing = (count: number) =>
    payeesWith(count, Object.fromEntries(Array.from({ length: count }, (_, at) => [at, '0008'])));

  test('stop the run when there are as many as were allowed; what was sent is followed to its end', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: payeesWith(80, { 1: '0008', 3: '0001', 5: '0008' }) });
      const practice = await practiceOnRealTime(`${QUICK_ENDS},slow=20`);
      const settings = quick({ sending: { concurrency: 2, stopAfterFailures: 3 } });
      const { counts, result } = await batch.run(practice.url, { settings });
      expect(result?.stop?.code).toBe('failures');
      expect(counts).toMatchObject({ failed: 2, rejected: 1, pending: 0, 'in-doubt': 0 });
      expect(counts.unsent).toBe(80 - practice.books().orders.length);
      expect(counts.unsent).toBeGreaterThan(0);
      // A run that goes on counts its own.
      expect((await batch.run(practice.url, { settings })).counts).toMatchObject({ completed: 77, unsent: 0 });
    }));

  test('stop a run by themselves when nothing else comes back', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: failing(200) });
      const practice = await practiceOnRealTime(QUICK_ENDS);
      const { counts, result } = await batch.run(practice.url, { settings: quick({ sending: { concurrency: 2 } }) });
      expect(result?.stop?.code).toBe('none-paid');
      expect(counts.failed).toBeGreaterThanOrEqual(20);
      expect(counts.unsent).toBe(200 - practice.books().orders.length);
      expect(counts.unsent).toBeGreaterThan(0);
    }));

  test('stop nothing when the operator says so', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: failing(60) });
      const practice = await practiceOnRealTime(QUICK_ENDS);
      const settings = quick({ sending: { stopAfterFailures: 0 } });
      const { counts } = await batch.run(practice.url, { settings });
      expect(counts.failed).toBe(60);
    }));
});

describe('the wallet', () => {
  const ROWS = 400;

  test('is read again under way, and a run stops before the rows that it cannot pay', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const practice = await practiceOnRealTime(QUICK_ENDS);
      let readings = 0;
      const readBalance = async () => {
        readings += 1;
        return readings < 2 ? kes(10n ** 12n) : kes(100_000n);
      };
      const { counts, result, notices } = await told(batch, practice.url, {
        settings: quick({ sending: { concurrency: 4 } }),
        readBalance,
      });
      expect(result?.stop?.code).toBe('balance');
      expect(notices.at(-1)?.message).toMatch(/wallet holds KES 1,000\.00.*Top up/);
      expect(readings).toBe(2);
      expect(counts.completed).toBeGreaterThan(60);
      expect(counts.completed).toBeLessThan(140);
      expect(counts.unsent).toBe(ROWS - practice.books().orders.length);
      const { counts: after } = await batch.run(practice.url, { readBalance: async () => kes(10n ** 12n) });
      expect(after.completed).toBe(ROWS);
    }));

  test('that holds exactly what is needed, or cannot be read, stops nobody', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(250) });
      const practice = await practiceOnRealTime(QUICK_ENDS);
      const { total, charges } = batch.header;
      let left = total.minor + charges.minor;
      let readings = 0;
      const readBalance = async () => {
        readings += 1;
        const paid = Object.values(practice.books().paid)[0] ?? '0.00';
        left = total.minor + charges.minor - BigInt(paid.replace('.', ''));
        return readings % 2 === 0 ? undefined : kes(left);
      };
      const { counts, result } = await batch.run(practice.url, { readBalance });
      expect(result?.stop).toBeUndefined();
      expect(readings).toBeGreaterThan(1);
      expect(counts.completed).toBe(250);
    }));

  test('that does not cover a batch that is resumed has nothing sent', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(30) });
      const practice = await practiceOnRealTime(QUICK_ENDS);
      const { counts } = await batch.run(practice.url, { readBalance: async () => kes(1n) });
      expect(counts.unsent).toBe(30);
      expect(practice.books().orders).toEqual([]);
    }));
});

describe('fees', () => {
  /** Every row was quoted 5.00. */
  const charging = (fee: number | string) =>
    handMadeService({
      record: (_record, order) => {
        const paid = paidRecordOf(order);
        const [line] = paid.orderLines;
        return {
          ...paid,
          orderLines: [
            { ...line, transactionOutcome: { ...(line?.['transactionOutcome'] as object), feeAmount: fee } },
          ],
        };
      },
    });

  test('above their quotes are told, and stop the run when they are more than is tolerated', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(200) });
      const service = await charging(7.5);
      const settings = { ...quick({ sending: { concurrency: 2 } }), overchargeMost: kes(2_000n) };
      const { counts, result, notices } = await told(batch, service.url, { settings });
      expect(result?.stop).toMatchObject({ code: 'fees' });
      // More may have completed than the first that were too many: how many, is a matter of the machine.
      const above = Number(/, by KES (\d+\.\d\d) so far$/.exec(result?.stop?.says ?? '')?.[1]);
      expect(above).toBeGreaterThan(20);
      expect(above).toBeLessThanOrEqual(counts.completed * 2.5);
      expect(result?.alarms).toEqual([]);
      expect(counts.completed).toBe(service.posts().length);
      expect(counts.unsent).toBe(200 - service.posts().length);
      expect(counts.unsent).toBeGreaterThan(0);
      const rows = notices.filter(({ code }) => code === 'fee-above-quote');
      expect(rows).toHaveLength(5);
      expect(rows[0]?.message).toMatch(/Row \d+: the service charged a fee of KES 7\.50, and KES 5\.00 was quoted\./);
    }));

  test.each([-7, 1e300, 500.01, '1e999'])('of %s are an alarm and no figure: nobody can mean them', (fee) =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(3) });
      const settings = { ...quick({ sending: { concurrency: 1 } }), overchargeMost: kes(5_000n) };
      const service = await charging(fee);
      const { rows, result, differences } = await told(batch, service.url, { settings });
      expect(result?.alarms[0]).toMatch(
        /^row \d: the service says that it charged a fee of .*, and KES 5\.00 was quoted$/,
      );
      expect(result?.alarms[0]).toContain(String(fee));
      const paid = rows.filter(({ outcome }) => outcome === 'completed');
      expect(paid.map(({ line }) => line?.report?.feeAmount)).toEqual(paid.map(() => ''));
      // What was paid is paid.
      expect(paid).toHaveLength(service.posts().length);
      expect(differences).toEqual([]);
    }),
  );

  test.each([-1e-13, 5.000000000000001])('of %s are the fees that they are nearest to', (fee) =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
      const { counts, result, notices } = await told(batch, (await charging(fee)).url, { settings: quick({}) });
      expect([counts.completed, result?.alarms, notices.length]).toEqual([1, [], 0]);
    }),
  );

  test('up to a hundred times their quotes are figures', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
      const settings = { ...quick({}), overchargeMost: kes(100_000n) };
      const { counts, result, notices } = await told(batch, (await charging(500)).url, { settings });
      expect([counts.completed, result?.alarms, notices.length]).toEqual([1, [], 1]);
    }));

  test('that are tolerated, or not above their quotes, stop nobody', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(20) });
      const settings = { ...quick({}), overchargeMost: kes(5_000n) };
      const { counts, result, notices } = await told(batch, (await charging(7.5)).url, { settings });
      expect([counts.completed, result?.stop, notices.length]).toEqual([20, undefined, 5]);
      const other = await planBatch(folder, { name: 'other', payees: ordinaryPayees(20) });
      const strict = { ...quick({}), overchargeMost: kes(0n) };
      const quoted = await told(other, (await charging(5)).url, { settings: strict });
      expect([quoted.counts.completed, quoted.result?.stop, quoted.notices]).toEqual([20, undefined, []]);
    }));
});

/** Whole runs: a ledger on disk, the client and the practice service over loopback. The books are the judge. */
import { describe, expect, test } from 'vitest';
import type { ResultRow } from '../../src/domain/batch.ts';
import type { OutcomeCounts } from '../../src/domain/outcome.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { PaymentOrder } from '../../src/service/contract/payment-order.ts';
import { expectTheBooksToAgree } from '../support/books.ts';
import { fastClock } from '../support/fast-clock.ts';
import { type Batch, ordinaryPayees, planBatch, quick, type RunReport } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { handMadeService } from './hand-made-service.ts';
import { practiceOnRealTime } from './practice-on-real-time.ts';

const clock = fastClock();

const ROWS = 8;
/** Runs after which nothing may be open any more, however much went wrong in each. Deadlines of a busy machine leave more open. */
const RUNS_MAX = 12;
/** A busy machine is not faster than others. */
const polling = { deadlineMs: 12_500 };
const patient = quick({ polling });
/** Rows that meet a fault again and again still go out. */
const persistent = quick({ polling, inDoubt: { maxResends: 10 } });
const QUICK_ENDS = 'settle-min=5,settle-max=40';

const isOpen = ({ unsent, pending, 'in-doubt': inDoubt }: OutcomeCounts): boolean => unsent + pending + inDoubt > 0;

const pendingLinesOf = (order: PaymentOrder) =>
  order.paymentOrderLines.map(({ transaction }) => ({ transaction, transactionOutcome: { transactionStatus: 0 } }));

/** Runs the batch, and again as `resume` does, until nothing is open. The provider tells a person what never arrived. */
async function runToTheEnd(batch: Batch, { url, books }: Sandbox, settings = patient): Promise<RunReport> {
  let report = await batch.run(url, { settings });
  for (let runs = 1; runs < RUNS_MAX && report.error === undefined && isOpen(report.counts); runs++) {
    const held = new Set(books().orders.map(({ id }) => id));
    for (const { row, outcome, order } of report.rows) {
      if (outcome === 'in-doubt' && order && !held.has(order)) await batch.sayAbsent(row);
    }
    report = await batch.run(url, { settings });
  }
  return report;
}

describe('after a run and its resumptions every payout stands in the books exactly once', () => {
  test.each([
    ['an acceptance has status 202', 'accept-status=202'],
    ['answers are lost, or are errors, after the service has acted', 'lost-answer=0.3,error-after=0.2'],
    ['connections break, or errors come, before the service acts', 'reset-before=0.3,error-before=0.2'],
    ['answers are pages of somebody else, or cut off', 'garbage=0.3,truncate=0.2'],
    ['the service throttles', 'throttle=0.15,retry-after=0'],
    ['tokens live for one second', 'token-life=1,settle-min=200,settle-max=1500'],
    ['tokens expire under way, and the token operation fails now and then', 'token-error=0.5,token-expiry=0.05'],
    ['a look-up sees a new order late', 'read-lag=60,lost-answer=0.3'],
    ['everything happens at once', 'flaky,seed=7,retry-after=0,read-lag=50'],
  ])('%s', (_name, scenario) =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime(`${scenario},${QUICK_ENDS}`, clock);
      const batch = await planBatch(folder, { clock, payees: ordinaryPayees(ROWS) });
      const report = await runToTheEnd(batch, practice, persistent);
      expect(report.error).toBeUndefined();
      expect(report.counts).toMatchObject({ completed: ROWS });
      expectTheBooksToAgree(practice.books(), report);
    }),
  );

  test.each(['refuse', 'replay', 'accept-then-9', 'execute', 'hide'])(
    'a repeated id is answered in the mode %s, and submissions vanish and answers are lost',
    (mode) =>
      inTemporaryFolder(async (folder) => {
        const faults = 'lost-answer=0.3,reset-before=0.2,error-before=0.1,error-after=0.1';
        const practice = await practiceOnRealTime(`${faults},duplicates=${mode},${QUICK_ENDS}`, clock);
        const batch = await planBatch(folder, { clock, payees: ordinaryPayees(ROWS) });
        const report = await runToTheEnd(batch, practice, persistent);
        expect(report.error).toBeUndefined();
        expect(report.result?.alarms).toEqual([]);
        expect(report.counts).toMatchObject({ completed: ROWS });
        expectTheBooksToAgree(practice.books(), report);
      }),
  );

  test('orders of many lines are followed line by line', () =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime(`mixed,fail=0.2,reject=0.2,lost-answer=0.3,${QUICK_ENDS}`, clock);
      const batch = await planBatch(folder, { clock, payees: ordinaryPayees(ROWS), linesPerOrder: 7 });
      const report = await runToTheEnd(batch, practice);
      expect(report.counts.failed).toBeGreaterThan(0);
      expect(report.counts.rejected).toBeGreaterThan(0);
      expectTheBooksToAgree(practice.books(), report);
    }));

  test('two runs of a finished batch send and ask nothing', () =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime(QUICK_ENDS, clock);
      const batch = await planBatch(folder, { clock, payees: ordinaryPayees(10) });
      await runToTheEnd(batch, practice);
      const before = practice.books().requests;
      const again = await batch.run(practice.url);
      expect(again.counts.completed).toBe(10);
      expect(practice.books().requests).toEqual(before);
    }));
});

test.each<Readonly<Record<string, ResultRow['outcome']>>>([
  {
    '0001': 'rejected',
    '0002': 'timed-out',
    '0003': 'pending',
    '0004': 'refused',
    '0005': 'completed',
    '0007': 'in-doubt',
    '0008': 'failed',
    '0009': 'in-doubt',
    '0777': 'completed',
  },
  // Alone: nothing follows that would show how late look-ups are.
  { '0006': 'in-doubt' },
])('each magic ending gives its outcome: %j', (outcomes) =>
  inTemporaryFolder(async (folder) => {
    const practice = await practiceOnRealTime(QUICK_ENDS, clock);
    const payees = Object.keys(outcomes).map((ending) => `+25471200${ending}`);
    const batch = await planBatch(folder, { clock, payees });
    const report = await batch.run(practice.url, { settings: quick({ polling: { deadlineMs: 2_500 } }) });
    expect(report.error).toBeUndefined();
    const endings = report.rows.map(({ payout, outcome }) => [payout?.destination.slice(-4), outcome]);
    expect(Object.fromEntries(endings)).toEqual(outcomes);
    expectTheBooksToAgree(practice.books(), report);
  }),
);

describe('the deadline', () => {
  test('parks an order that stays pending, and a later run settles it without sending it again', () =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime('settle-min=3000,settle-max=3000', clock);
      const batch = await planBatch(folder, { clock, payees: ordinaryPayees(5) });
      const settings = quick({ polling: { deadlineMs: 300 } });
      const first = await batch.run(practice.url, { settings });
      expect(first.counts.pending).toBe(5);
      const second = await batch.run(practice.url, { settings: patient });
      expect(second.counts.completed).toBe(5);
      expect(practice.books().orders.map(({ posts }) => posts)).toEqual([1, 1, 1, 1, 1]);
    }));

  test('ends a run on a service that answers nothing but errors, with a bounded number of look-ups', () =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime(`error-before=1,${QUICK_ENDS}`, clock);
      const batch = await planBatch(folder, { clock, payees: ordinaryPayees(5) });
      const settings = quick({ polling: { firstMs: 20, maxMs: 100, deadlineMs: 1000 } });
      const { counts, error, result } = await batch.run(practice.url, { settings });
      expect(error).toBeUndefined();
      // The last one is kept back: sent into the same silence, it would be one more in doubt.
      expect(counts).toMatchObject({ 'in-doubt': 4, unsent: 1 });
      expect(result?.stop?.code).toBe('silence');
      // One each 20 ms at first, one each 100 ms in the end, and a last one; before the first leaves each is asked for, and 15 ids
      // that nobody has.
      expect(practice.books().requests['find-order']).toBeLessThan(5 * 20 + 5 + 15);
      expect(practice.books().orders).toEqual([]);
    }));

  test('that passes during a look-up parks the order too', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService({
        onFind: async () => void (await clock.sleep(250)),
        record: (record, order) => ({ ...record, orderLines: pendingLinesOf(order) }),
      });
      const batch = await planBatch(folder, { clock, payees: ordinaryPayees(1) });
      const settings = quick({ polling: { firstMs: 60, deadlineMs: 150 } });
      expect((await batch.run(service.url, { settings })).counts.pending).toBe(1);
    }));

  test('of zero asks about each order once', () =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime('settle-min=600000,settle-max=600000', clock);
      const batch = await planBatch(folder, { clock, payees: ordinaryPayees(5) });
      await batch.run(practice.url, { settings: quick({ polling: { deadlineMs: 100 } }) });
      const before = practice.books().requests['find-order'] ?? 0;
      await batch.run(practice.url, { settings: quick({ polling: { deadlineMs: 0 } }), maySubmit: false });
      expect((practice.books().requests['find-order'] ?? 0) - before).toBe(5);
    }));
});

describe('a run that may not submit', () => {
  test('posts nothing, neither what is planned nor what is in doubt', () =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime(QUICK_ENDS, clock);
      const batch = await planBatch(folder, { clock, payees: [...ordinaryPayees(5), '+254712000006'] });
      const planned = await batch.run(practice.url, { maySubmit: false });
      expect(planned.counts.unsent).toBe(6);
      expect(practice.books().requests).toEqual({});

      const never = quick({ inDoubt: { resend: 'never' }, polling: { deadlineMs: 300 } });
      const first = await batch.run(practice.url, { settings: never });
      expect(first.counts).toMatchObject({ completed: 5, 'in-doubt': 1 });
      const followed = await batch.run(practice.url, { maySubmit: false });
      expect(followed.counts).toMatchObject({ completed: 5, 'in-doubt': 1 });
      expect(practice.books().requests['submit-order']).toBe(6);
    }));
});

describe('a payment that timed out', () => {
  test('is looked up again by a later run, once, and never sent again', () =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime(QUICK_ENDS, clock);
      const batch = await planBatch(folder, { clock, payees: ['+254712000002'] });
      expect((await batch.run(practice.url)).counts['timed-out']).toBe(1);
      const before = practice.books().requests['find-order'] ?? 0;
      const later = await batch.run(practice.url);
      expect(later.counts['timed-out']).toBe(1);
      expect(practice.books().requests).toMatchObject({ 'submit-order': 1, 'find-order': before + 1 });
    }));
});

/** Airtime and bills against the practice service: its books are the judge of what was bought and paid. */
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/domain/outcome.ts';
import { practicePaths } from '../../src/sandbox/practice-account.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { quick, type RunReport } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { practiceOnRealTime } from './practice-on-real-time.ts';
import { planStrict, type Strict } from './send-once-batch.ts';

const QUICK_ENDS = 'settle-min=5,settle-max=60';
const settings = quick({ polling: { deadlineMs: 600 } });
const kindOf = { airtime: 'buy-airtime', 'bill-payment': 'pay-bill' } as const satisfies Record<Strict, string>;

/** Nothing was taken twice, and the ledger says completed at most where money moved; where nothing was lost, exactly. */
function expectTheBooksToAgree(practice: Sandbox, submission: Strict, report: RunReport): void {
  const taken = practice.books().register[kindOf[submission]] ?? [];
  const ids = taken.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(taken.filter(({ posts }) => posts > 1)).toEqual([]);
  const paid = new Set(taken.filter(({ parts }) => parts.every(({ status }) => status === 4)).map(({ id }) => id));
  const completed = report.rows.filter(({ outcome }) => outcome === 'completed');
  expect(completed.filter(({ order = '' }) => !paid.has(order))).toEqual([]);
  expect(report.differences).toEqual([]);
}

describe.each(['airtime', 'bill-payment'] as const)('%s', (submission) => {
  test('ends as the ending of its account says, and is sent once', () =>
    inTemporaryFolder(async (folder) => {
      const outcomes: Readonly<Record<string, Outcome>> = {
        '0777': 'completed',
        '0001': 'rejected',
        '0002': 'timed-out',
        // Refused with a documented answer, which proves nothing without a documented look-up.
        '0004': 'in-doubt',
        '0005': 'completed',
        // Lost before it was taken: never sent again.
        '0006': 'in-doubt',
        '0007': 'in-doubt',
        '0009': 'in-doubt',
      };
      const endings = Object.keys(outcomes);
      const practice = await practiceOnRealTime(QUICK_ENDS);
      const { batch } = await planStrict(folder, submission, endings);
      const report = await batch.run(practice.url, { settings, paths: practicePaths });
      expect(report.error).toBeUndefined();
      expect(Object.fromEntries(report.rows.map(({ outcome }, row) => [endings[row], outcome]))).toEqual(outcomes);
      await batch.run(practice.url, { settings, paths: practicePaths });
      expect(practice.books().requests[kindOf[submission]]).toBe(endings.length);
      expectTheBooksToAgree(practice, submission, report);
    }));

  test('is paid at most once whatever goes wrong, and never called paid when it is not', () =>
    inTemporaryFolder(async (folder) => {
      const faults = 'lost-answer=0.2,reset-before=0.1,error-before=0.1,error-after=0.1,throttle=0.05,garbage=0.1';
      const practice = await practiceOnRealTime(`mixed,${faults},retry-after=0,duplicates=execute,${QUICK_ENDS}`);
      const { batch, ids } = await planStrict(folder, submission, 40);
      let report = await batch.run(practice.url, { settings, paths: practicePaths });
      for (let again = 0; again < 2; again++) {
        report = await batch.run(practice.url, { settings, paths: practicePaths });
      }
      expect(report.error).toBeUndefined();
      expect(practice.books().requests[kindOf[submission]]).toBeLessThanOrEqual(ids.length);
      expect(report.counts.completed).toBeGreaterThan(10);
      expect(report.counts.refused).toBe(0);
      expectTheBooksToAgree(practice, submission, report);
    }));
});

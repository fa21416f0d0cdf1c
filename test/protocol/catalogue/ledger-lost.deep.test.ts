/**
 * The ledger is gone, old, or there twice. The ids are the same as ever, so a service that knows them again, in whatever
 * way it says so, pays everybody once, and the new ledger finds out what became of each.
 */
import { copyFile, cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { practiceOnRealTime } from '../../dispatch/practice-on-real-time.ts';
import { until } from '../../dispatch/until.ts';
import { expectTheBooksToAgree } from '../../support/books.ts';
import { accountIn, openService, paidTraces, quickProfile, quickWaits } from '../../support/desk/account.ts';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people, totalOf } from '../../support/desk/payroll-sheet.ts';
import { Batch, ordinaryPayees, planBatch, quick } from '../../support/run-harness.ts';
import { inTemporaryFolder } from '../../support/temporary-folder.ts';

const ROWS = 12;
const QUICK_ENDS = 'settle-min=5,settle-max=40';
/** A run that ends when every payment is final: on a busy machine, lost answers take longer than the usual deadline. */
const PATIENT = { settings: quick({ polling: { deadlineMs: 60_000 } }) };
/** How a service that pays nobody twice answers an id that it holds. */
const careful = ['refuse', 'replay', 'accept-then-9'] as const;

/** Puts an older copy of a ledger back in its place, as a restored backup does. */
async function restore(batch: Batch, backup: string): Promise<void> {
  await copyFile(backup, batch.path);
  for (const suffix of ['-wal', '-shm']) await rm(batch.path + suffix, { force: true });
}

/** The same recorded batch in a folder of its own: another computer's copy. */
async function copied(batch: Batch, folder: string): Promise<Batch> {
  const place = path.join(folder, 'elsewhere');
  await mkdir(place, { recursive: true });
  await cp(path.dirname(batch.path), place, { recursive: true });
  return new Batch(batch.header, path.join(place, path.basename(batch.path)), batch.orders);
}

describe('a service that knows an id again pays everybody once', () => {
  // C24, C25
  test.each(careful)(
    'when the ledger is restored from before the first payment, and repeats are answered in the mode %s',
    (mode) =>
      inTemporaryFolder(async (folder) => {
        const practice = await practiceOnRealTime(`${QUICK_ENDS},duplicates=${mode}`);
        const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
        await copyFile(batch.path, `${batch.path}.backup`);
        expect((await batch.run(practice.url, PATIENT)).counts.completed).toBe(ROWS);

        await restore(batch, `${batch.path}.backup`);
        const again = await batch.run(practice.url, PATIENT);

        expect(again.counts.completed).toBe(ROWS);
        expect(again.result?.alarms).toEqual([]);
        expectTheBooksToAgree(practice.books(), again);
      }),
  );

  test.each(careful)('when the ledger is restored from the middle of the run, in the mode %s', (mode) =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime(`${QUICK_ENDS},duplicates=${mode},lost-answer=0.3`);
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const stop = new AbortController();
      const settings = { concurrency: 1 };
      const running = batch.run(practice.url, { signal: stop.signal, ...settingsWith(settings) });
      await until(() => practice.books().orders.length >= 4);
      stop.abort('SIGINT');
      await running;
      await copyFile(batch.path, `${batch.path}.backup`);
      expect((await batch.run(practice.url, PATIENT)).counts.completed).toBe(ROWS);

      await restore(batch, `${batch.path}.backup`);
      const again = await batch.run(practice.url, PATIENT);

      expect(again.counts.completed).toBe(ROWS);
      expectTheBooksToAgree(practice.books(), again);
    }),
  );
});

describe('two computers that send the same batch at the same time', () => {
  // C26, C28
  test.each(careful)('pay everybody once, and each knows it in the end, in the mode %s', (mode) =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime(`${QUICK_ENDS},slow=10,duplicates=${mode}`);
      const here = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const there = await copied(here, folder);

      const reports = await Promise.all([here.run(practice.url), there.run(practice.url)]);

      for (const { error, result } of reports) {
        expect(error).toBeUndefined();
        expect([undefined, 'elsewhere']).toContain(result?.stop?.code);
      }
      for (const batch of [here, there]) {
        const report = await batch.run(practice.url);
        expect(report.counts.completed).toBe(ROWS);
        expectTheBooksToAgree(practice.books(), report);
      }
    }),
  );

  test.each([
    ['new', 'execute'],
    ['trusted', 'execute'],
    ['new', 'hide'],
  ] as const)(
    'pay three of them twice at most where the service pays an id as often as it is sent, with ledgers that are %s, in the mode %s',
    (ledgers, mode) =>
      inTemporaryFolder(async (folder) => {
        const practice = await practiceOnRealTime(`${QUICK_ENDS},slow=10,duplicates=${mode}`);
        const here = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
        const there = await copied(here, folder);
        const lookFirst = ledgers === 'new';
        const settings = quick({ inDoubt: { unknownGapMs: 200, quietMs: 400 } });

        const reports = await Promise.all([here, there].map((one) => one.run(practice.url, { lookFirst, settings })));

        for (const { error } of reports) expect(error).toBeUndefined();
        const paid = paidTraces(practice.books());
        const twice = paid.length - new Set(paid).size;
        expect(twice).toBeLessThanOrEqual(3);
        // Nobody goes on beside another: where both began in one moment both stop, and people are asked.
        const stops = reports.map(({ result }) => result?.stop?.code);
        expect(stops.filter((code) => code === undefined).length).toBeLessThanOrEqual(twice === 0 ? 2 : 1);
        if (twice === 0 && stops.includes(undefined)) expect(new Set(paid).size).toBe(ROWS);
      }),
  );
});

const settingsWith = (sending: { readonly concurrency: number }) => ({
  settings: {
    sending: { ratePerSecond: 0, linesPerOrder: 1, requestTimeoutMs: 1_000, ...sending },
    polling: { firstMs: 15, maxMs: 80, deadlineMs: 2_500 },
    inDoubt: { resend: 'same-id' as const, unknownGapMs: 40, quietMs: 80, maxAgeMs: 60_000, maxResends: 3 },
  },
});

const totals = ['--expect-count', String(ROWS), '--expect-total', totalOf(ROWS)];

async function openOffice(scenario: string) {
  const [desk, service] = [await openDesk(), await openService(scenario)];
  await desk.write('pay.csv', csvOf(people(ROWS)));
  await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
  desk.payBy(accountIn(service));
  return { desk, service };
}

const elsewhere = (desk: Desk): { readonly env: Record<string, string> } => ({
  env: { PAYBATCH_HOME: desk.path('another-home') },
});

describe('a sheet of which the ledger is lost', () => {
  // C23, C39, O12
  test.each(careful)(
    'is told as paid and paid once, in another order of rows and under another name, in the mode %s',
    async (mode) => {
      const { desk, service } = await openOffice(`${QUICK_ENDS},duplicates=${mode}`);
      expect((await desk.emit(['run', 'pay.csv', ...totals])).exit).toBe(0);
      await desk.write('copy of pay.csv', csvOf(people(ROWS).toReversed()));

      const told = await desk.emit(['run', 'copy of pay.csv', ...totals], elsewhere(desk));

      expect(told.exit).toBe(0);
      expect(told.end.rows).toMatchObject({ total: ROWS, completed: ROWS });
      expect(service.books().paid['KES']).toBe(totalOf(ROWS));
      expect(new Set(paidTraces(service.books())).size).toBe(ROWS);
    },
  );

  // C28: the id of an order is that of its first row, and the others are recognised by their trace numbers.
  test('and that is sent in orders of other sizes is recognised, and nobody is called unpaid', async () => {
    const { desk, service } = await openOffice(QUICK_ENDS);
    await desk.emit(['run', 'pay.csv', ...totals]);
    const polling = { firstMs: 30, maxMs: 200, deadlineMs: 800 };
    const env = { ...quickProfile(service.routes), sending: { ...quickWaits.sending, linesPerOrder: 4 }, polling };
    await desk.writeConfig({ profiles: { env } });

    const told = await desk.emit(['run', 'pay.csv', ...totals], elsewhere(desk));

    expect(told.exit).toBe(11);
    expect(told.end.rows).toMatchObject({ inDoubt: ROWS - ROWS / 4, completed: ROWS / 4, unsent: 0, refused: 0 });
    expect(service.books().paid['KES']).toBe(totalOf(ROWS));
  });
});

describe('a ledger whose write-ahead log was deleted', () => {
  // C20
  test('is older than the truth, and still nobody is paid twice', () =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime(QUICK_ENDS);
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      let snapshot = Promise.resolve();
      const first = await batch.run(practice.url, {
        through(ledger) {
          // While the run holds the file, what it wrote is in the log beside it only.
          snapshot = until(() => practice.books().orders.length >= ROWS).then(() =>
            copyFile(batch.path, `${batch.path}.without-log`),
          );
          return ledger;
        },
      });
      await snapshot;
      expect(first.counts.completed).toBe(ROWS);

      await restore(batch, `${batch.path}.without-log`);
      const again = await batch.run(practice.url);

      expect(again.counts.completed).toBe(ROWS);
      expectTheBooksToAgree(practice.books(), again);
    }));
});

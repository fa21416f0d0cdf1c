/** One slice of work on a batch: how it ends, for whom it makes room, and what follows from each exit code. */
import pLimit from 'p-limit';
import { describe, expect, test } from 'vitest';
import { HANDED_ON } from '../../src/dispatch/stop-batch.ts';
import { exitCode } from '../../src/domain/exit-code.ts';
import { Fault } from '../../src/domain/fault.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import { noOutcomes } from '../../src/domain/outcome.ts';
import type { RunEnd } from '../../src/domain/run-end.ts';
import type { WorkSite } from '../../src/worker/site.ts';
import { Slice } from '../../src/worker/slice.ts';
import { Tally } from '../../src/worker/tally.ts';
import { open, planOf, TestClock } from '../ledger/builders.ts';
import { sharedAt } from '../support/postgres.ts';

const settings = {
  inDoubt: { resend: 'same-id', unknownGapMs: 1, quietMs: 1, maxAgeMs: 86_400_000, maxResends: 1 },
} as const;

const ended = (exit: number): RunEnd => ({ exit, counts: noOutcomes(), files: [] });

interface Work {
  readonly clock?: TestClock;
  /** How long it takes to open the ledger. */
  readonly openingMs?: number;
  /** In the place of the run. */
  readonly goOn?: (signal: AbortSignal) => Promise<RunEnd>;
  readonly opens?: () => void;
}

/** A slice of work on a batch that was planned. */
async function sliceOn({ clock = new TestClock(), openingMs = 0, goOn = async () => ended(0), opens }: Work = {}) {
  const ledger = await open({ clock });
  const { header, blocks } = planOf();
  await ledger.takeLease();
  await ledger.planBatch({ ...header, plannedAt: clock.now() }, blocks);
  const tally = new Tally();
  const site: WorkSite = {
    clock,
    signal: new AbortController().signal,
    reached: sharedAt('postgres://nobody@127.0.0.1:1/none'),
    batches: 1,
    once: false,
    check: async () => undefined,
    emit: () => undefined,
    log: () => undefined,
    async open(_, signal) {
      opens?.();
      clock.pass(openingMs);
      // Of the settings, only those about doubt are read.
      return {
        ledger,
        settings: settings as never,
        goOn: () => goOn(signal),
        [Symbol.asyncDispose]: async () => undefined,
      };
    },
  };
  const inTurn = pLimit(1);
  return { slice: new Slice(header.id, site, tally, inTurn), tally, site, inTurn };
}

describe('a slice of work on a batch', () => {
  test.each([
    [exitCode.ok, { now: 'over' }],
    [exitCode.someNotPaid, { now: 'over' }],
    [exitCode.reportUnwritten, { now: 'over' }],
    [75, { now: 'later', inMs: 5000 }],
    [4, { now: 'later', inMs: 60_000 }],
    [9, { now: 'later', inMs: 60_000 }],
    [5, { now: 'left' }],
    [8, { now: 'left' }],
    [exitCode.usage, { now: 'left' }],
    [exitCode.ledgerUnsafe, { now: 'left', isAlarm: true }],
    [exitCode.alarm, { now: 'left', isAlarm: true }],
  ])('that ends with %i is followed by %j', async (exit, follows) => {
    const { slice, tally } = await sliceOn({ goOn: async () => ended(exit) });
    const end = await slice.work();
    expect(end).toMatchObject({ ...follows, exit });
    expect('isAlarm' in end).toBe('isAlarm' in follows);
    expect([...tally.exits]).toEqual([[exit, 1]]);
  });

  test('that cannot even be opened is judged by the code of its fault, and says it', async () => {
    const { slice } = await sliceOn({
      opens: () => {
        throw new Fault('ledger-unsafe', 'The chain is broken.', 'Keep it.');
      },
    });
    const says = expect.stringContaining('The chain is broken. Keep it.');
    expect(await slice.work()).toMatchObject({ now: 'left', exit: 10, isAlarm: true, says });
  });

  test.each([
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
    new Error('Query read timeout'), // a server that was silent for 30 s, as `pg` says it
  ])(
    'of which only the connection was lost is tried again soon, whether the batch was open or not: %s',
    async (cause) => {
      const lost = new Fault('ledger-unsafe', 'The ledger cannot be relied on.', 'Look.', { cause });
      const { slice } = await sliceOn({ goOn: async () => ({ ...ended(exitCode.ledgerUnsafe), fault: lost }) });
      const again = { now: 'later', inMs: 5000, exit: 10 };
      expect(await slice.work()).toEqual(again);
      const { slice: unopened } = await sliceOn({
        opens: () => {
          throw lost;
        },
      });
      expect(await unopened.work()).toEqual(again);
    },
  );

  test('that a bug ends is no end at all: it is thrown', async () => {
    const { slice } = await sliceOn({ goOn: () => Promise.reject(new TypeError('a bug')) });
    await expect(slice.work()).rejects.toThrow('a bug');
  });

  test.each([
    [0, 20_000],
    [10_000, 90_000],
  ])(
    'whose opening took %i ms makes room for others after %i ms, and goes on at once elsewhere',
    async (openingMs, longMs) => {
      const clock = new TestClock();
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const { slice, tally } = await sliceOn({
        clock,
        openingMs,
        goOn: (signal) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              expect(signal.reason).toBe(HANDED_ON);
              resolve(ended(exitCode.interrupted));
            });
            begin();
          }),
      });
      expect(slice.isLong).toBe(false);
      const work = slice.work();
      await begun;
      expect(tally.batches).toBe(1);
      clock.pass(longMs - 1);
      expect(slice.isLong).toBe(false);
      clock.pass(1);
      expect(slice.isLong).toBe(true);
      slice.handOn();
      expect(await work).toEqual({ now: 'again', exit: exitCode.interrupted });
      expect(tally.batches).toBe(0);
    },
  );

  test('waits for its turn to prove the batch, and the wait is no part of its opening', async () => {
    const clock = new TestClock();
    const events: string[] = [];
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: stopped, resolve: stop } = Promise.withResolvers<RunEnd>();
    const { promise: other, resolve: endOther } = Promise.withResolvers<void>();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const { slice, inTurn } = await sliceOn({
      clock,
      opens: open,
      goOn: () => {
        events.push('sends');
        begin();
        return stopped;
      },
    });
    const turn = inTurn(() => other);
    const work = slice.work();
    await opened;
    clock.pass(10_000);
    events.push('the other batch is proven');
    endOther();
    await Promise.all([turn, begun]);
    expect(events).toEqual(['the other batch is proven', 'sends']);
    clock.pass(20_000);
    expect(slice.isLong).toBe(true);
    stop(ended(exitCode.ok));
    expect(await work).toMatchObject({ now: 'over' });
  });

  test('that is handed on while it waits for its turn ends without a look at the batch', async () => {
    const { promise: other, resolve: endOther } = Promise.withResolvers<void>();
    const { slice, inTurn } = await sliceOn({ goOn: () => Promise.reject(new TypeError('it was sent')) });
    const turn = inTurn(() => other);
    const work = slice.work();
    slice.handOn();
    endOther();
    await turn;
    expect(await work).toEqual({ now: 'again', exit: exitCode.notFinal });
  });

  test('of a batch that is not in the ledger is over', async () => {
    const { site, tally, inTurn } = await sliceOn();
    expect(await new Slice('nobody' as BatchId, site, tally, inTurn).work()).toEqual({ now: 'over', exit: 0 });
  });
});

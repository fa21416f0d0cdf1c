/** A computer that sleeps between a claim and the turn of its order: its steady clock stands still, and the service's does not. */
import { expect, test } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import type { OrderState } from '../../src/domain/order.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { systemClock } from '../../src/system.ts';
import type { Arrived } from '../support/loopback.ts';
import { ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { answered, handMadeService } from './hand-made-service.ts';
import { until } from './until.ts';

const MAX_AGE_MS = 60_000;

test.each([
  ['leaves', 'after a short sleep', MAX_AGE_MS / 3, 2],
  ['stays', 'after a sleep that is longer than the service keeps an id', 2 * MAX_AGE_MS, 1],
])('an order that was claimed again %s %s', (_does, _when, sleepMs, posts) =>
  inTemporaryFolder(async (folder) => {
    let asleepMs = 0;
    const clock: Clock = { ...systemClock, now: () => Date.now() + asleepMs };
    let lost: string | undefined;
    const service = await handMadeService({
      onPost({ originatorConversationId: id }, response) {
        lost ??= id;
        if (id !== lost) return undefined;
        response.writeHead(500).end();
        return answered;
      },
    });
    // The second is taken, and shows how late look-ups are.
    const batch = await planBatch(folder, { payees: ordinaryPayees(2) });
    const through = (ledger: Ledger): Ledger => ({
      ...ledger,
      async claim(...args) {
        const claimed = await ledger.claim(...args);
        if (claimed.some(({ state }) => state.posts > 1)) asleepMs = sleepMs;
        return claimed;
      },
    });
    await batch.run(service.url, {
      clock,
      through,
      settings: quick({ inDoubt: { maxAgeMs: MAX_AGE_MS, maxResends: 1 } }),
    });
    expect(service.posts().filter((id) => id === lost)).toHaveLength(posts);
  }),
);

test('an order that was to be submitted again when the computer fell asleep is asked for before it leaves', () =>
  inTemporaryFolder(async (folder) => {
    let asleepMs = 0;
    let isDecided = false;
    let awake: number | undefined;
    let lost: string | undefined;
    const clock: Clock = { ...systemClock, now: () => Date.now() + asleepMs };
    const service = await handMadeService({
      onPost({ originatorConversationId: id }, response) {
        if (lost !== undefined) return undefined;
        lost = id;
        response.writeHead(500).end();
        return answered;
      },
      // The other one is looked at until the lost one has left again.
      record: (record) => (service.taken.size > 1 ? record : { ...record, isProcessed: false, orderLines: [] }),
    });
    const batch = await planBatch(folder, { payees: ordinaryPayees(2) });
    const through = (ledger: Ledger): Ledger => ({
      ...ledger,
      async dueOrders(of, now, ...rest) {
        const due = await ledger.dueOrders(of, now, ...rest);
        isDecided = due.some(({ state }) => state.id === lost && silentMs(state) >= quick({}).inDoubt.quietMs);
        if (!isDecided || awake !== undefined) return due;
        // Both are looked at together.
        return ledger.dueOrders(of, now + MAX_AGE_MS, ...rest);
      },
      async record(group) {
        const recorded = await ledger.record(group);
        if (isDecided && awake === undefined) {
          asleepMs = MAX_AGE_MS * 0.9;
          awake = service.arrived.length;
        }
        return recorded;
      },
    });
    // A run that gives up before the computer slept would show nothing, and later nothing more is to be seen.
    const settings = quick({ polling: { deadlineMs: 60_000 }, inDoubt: { maxAgeMs: MAX_AGE_MS } });
    const stop = new AbortController();
    const running = batch.run(service.url, { clock, through, settings, signal: stop.signal });
    await until(() => awake !== undefined && service.arrived.slice(awake).some((one) => isOf(one, lost)));
    await systemClock.sleep(500);
    stop.abort();
    await running;
    const after = service.arrived.slice(awake);
    const again = after.findIndex(({ method, body }) => method === 'POST' && body.includes(String(lost)));
    expect(awake).toBeGreaterThan(0);
    // It may also stay for the next run.
    if (again >= 0) expect(after.slice(0, again).map(({ query }) => query.get('Id'))).toContain(lost);
  }));

const isOf = ({ body, query }: Arrived, id: string | undefined): boolean =>
  query.get('Id') === id || (id !== undefined && body.includes(id));

/** How long after its submission an order was said to be unknown. */
const silentMs = ({ unknowns, lastUnknownAt = 0, lastEndedAt = 0 }: OrderState): number =>
  unknowns > 1 ? lastUnknownAt - lastEndedAt : 0;

/** A while passes between the look-up that proved an order absent and its turn: another ledger may have sent it meanwhile. */
import { expect, test } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import type { RunEvent } from '../../src/domain/event.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { PaymentOrder } from '../../src/service/contract/payment-order.ts';
import { systemClock } from '../../src/system.ts';
import { ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { answered, handMadeService, paidRecordOf } from './hand-made-service.ts';

const PASSED_MS = 40_000;

/** One of two is lost, and proven absent; then a while passes. `look`: what a look-up of it gives then. */
async function afterAWhile(
  look: 'unknown' | 'found' | 'unclear',
  { deadlineMs = 10 * PASSED_MS, lookFirst = false } = {},
) {
  return inTemporaryFolder(async (folder) => {
    let passedMs = 0;
    let lost: PaymentOrder | undefined;
    let before = 0;
    let shownAt = Number.POSITIVE_INFINITY;
    const clock: Clock = {
      ...systemClock,
      now: () => Date.now() + passedMs,
      monotonicMs: () => systemClock.monotonicMs() + passedMs,
    };
    const service = await handMadeService({
      onPost(order, response) {
        if (lost !== undefined) return undefined;
        lost = order;
        response.writeHead(500).end();
        return answered;
      },
      onFind(id, response) {
        if (lost?.originatorConversationId !== id || look === 'unknown' || passedMs === 0) return undefined;
        if (look === 'found') return paidRecordOf(lost);
        response.writeHead(500).end();
        return answered;
      },
    });
    // The second is taken, and shows how late look-ups are.
    const batch = await planBatch(folder, { payees: ordinaryPayees(2) });
    const settings = quick({ polling: { deadlineMs }, inDoubt: { maxAgeMs: 10 * PASSED_MS } });
    const through = (ledger: Ledger): Ledger => ({
      ...ledger,
      record(steps) {
        const shown = steps.flatMap(({ facts }) => facts).filter(({ type }) => type === 'order-observed');
        shownAt = Math.min(shownAt, ...shown.map(({ at }) => at));
        return ledger.record(steps);
      },
      async dueOrders(...args) {
        const due = await ledger.dueOrders(...args);
        const { lastUnknownAt = 0, lastEndedAt = 0 } =
          due.find(({ state }) => state.id === lost?.originatorConversationId)?.state ?? {};
        const { quietMs, unknownGapMs } = settings.inDoubt;
        const isProven = lastUnknownAt >= Math.max(lastEndedAt + quietMs, shownAt + unknownGapMs);
        if (isProven && passedMs === 0) [passedMs, before] = [PASSED_MS, service.arrived.length];
        return due;
      },
    });
    const notices: string[] = [];
    const emit = (event: RunEvent): void => void (event.type === 'notice' && notices.push(event.code ?? ''));
    const { counts, result } = await batch.run(service.url, { clock, through, settings, lookFirst, emit });
    expect(before).toBeGreaterThan(0);
    const [next] = service.arrived
      .slice(before)
      .filter(({ body, query }) =>
        [query.get('Id'), body].some((text) => text?.includes(String(lost?.originatorConversationId))),
      );
    expect(next?.method).toBe('GET');
    const posts = service.posts().filter((id) => id === lost?.originatorConversationId).length;
    return { posts, completed: counts.completed, stop: result?.stop?.code, notices };
  });
}

test('an order that was proven absent long ago is asked for once more, and leaves when it is still unknown', async () => {
  expect(await afterAWhile('unknown')).toMatchObject({ posts: 2, completed: 2, stop: undefined });
});

test('an order that was proven absent long ago stays when another ledger has sent it since', async () => {
  expect(await afterAWhile('found')).toMatchObject({ posts: 1, completed: 2, stop: undefined });
});

test('an order that was proven absent long ago stays when look-ups say nothing any longer, and sending ends with that', async () => {
  expect(await afterAWhile('unclear', { deadlineMs: PASSED_MS / 2 })).toMatchObject({ posts: 1, stop: 'unclear' });
});

test('the same holds where another run may send it, too', async () => {
  const lookFirst = true;
  expect(await afterAWhile('unknown', { lookFirst })).toMatchObject({ posts: 2, completed: 2, stop: undefined });
  const found = await afterAWhile('found', { lookFirst });
  expect(found).toMatchObject({ posts: 1, completed: 2, stop: undefined });
  expect(found.notices).toContain('not-absent');
  expect(await afterAWhile('unclear', { lookFirst, deadlineMs: 2_000 })).toMatchObject({ posts: 1, stop: 'unclear' });
});

/** What becomes of the last order of a batch, and of those that were lost before it, in whole runs. */
import { expect, test } from 'vitest';
import type { PaymentOrder } from '../../src/service/contract/payment-order.ts';
import { sendJson } from '../support/loopback.ts';
import { ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { acceptanceOf, answered, handMadeService, paidRecordOf } from './hand-made-service.ts';

const settings = quick({ polling: { deadlineMs: 2_000 } });

test('a batch that somebody else answers as a whole keeps one order, and pays everybody once when the service is back', () =>
  inTemporaryFolder(async (folder) => {
    let isPortal = true;
    const page = (response: Parameters<typeof sendJson>[0]): unknown => {
      if (!isPortal) return undefined;
      sendJson(response, 200, { page: 'please log in' });
      return answered;
    };
    const service = await handMadeService({
      onPost: (_order, response) => page(response),
      onFind: (_id, response) => page(response),
    });
    const batch = await planBatch(folder, { payees: ordinaryPayees(4) });
    const first = await batch.run(service.url, { settings });
    expect(first.counts).toMatchObject({ 'in-doubt': 3, unsent: 1 });
    expect(first.result?.stop?.code).toBe('silence');

    isPortal = false;
    const { counts } = await batch.run(service.url, { settings: quick({}) });
    expect(counts.completed).toBe(4);
    expect(service.taken.size).toBe(4);
    expect(new Set(service.posts()).size).toBe(4);
  }));

test('the last order leaves when the others were answered, and the one that was lost goes again beside it', () =>
  inTemporaryFolder(async (folder) => {
    let lost: string | undefined;
    const service = await handMadeService({
      onPost({ originatorConversationId: id }, response) {
        const isFirst = lost === undefined;
        lost ??= id;
        if (!isFirst) return undefined;
        response.destroy();
        return answered;
      },
    });
    const batch = await planBatch(folder, { payees: ordinaryPayees(2) });
    const { counts } = await batch.run(service.url);
    expect(counts.completed).toBe(2);
    const [first, second, third] = service.posts();
    expect([first, third]).toEqual([lost, lost]);
    expect(second).not.toBe(lost);
  }));

test('an order that was lost alone stays in doubt, and goes again on the word of a person', () =>
  inTemporaryFolder(async (folder) => {
    const service = await handMadeService({
      onPost(_order, response) {
        if (service.posts().length > 1) return undefined;
        response.destroy();
        return answered;
      },
    });
    const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
    for (let runs = 0; runs < 2; runs++) {
      const { counts } = await batch.run(service.url, { settings });
      expect(counts['in-doubt']).toBe(1);
      expect(service.posts()).toHaveLength(1);
    }
    await batch.sayAbsent(2);
    const { counts, differences } = await batch.run(service.url, { settings });
    expect(counts.completed).toBe(1);
    expect(differences).toEqual([]);
    const [one, two, ...others] = service.arrived.filter(({ body }) => body.includes('originatorConversationId'));
    expect(two?.body).toBe(one?.body);
    expect(others).toEqual([]);
  }));

test('the last order of several that is lost stays in doubt too: nothing was sent after it', () =>
  inTemporaryFolder(async (folder) => {
    const service = await handMadeService({
      onPost(_order, response) {
        if (service.posts().length < 3) return undefined;
        response.destroy();
        return answered;
      },
    });
    const batch = await planBatch(folder, { payees: ordinaryPayees(3) });
    for (let runs = 0; runs < 2; runs++) {
      const { counts } = await batch.run(service.url, { settings });
      expect(counts).toMatchObject({ completed: 2, 'in-doubt': 1 });
    }
    expect(service.posts()).toHaveLength(3);
  }));

test('look-ups that lag for longer than the silence have nobody sent twice', () =>
  inTemporaryFolder(async (folder) => {
    // Far beyond the gap and the silence (40 and 80 ms), and within the patience of the run.
    const lagMs = 1_000;
    const takenAt = new Map<string, { readonly order: PaymentOrder; readonly at: number }>();
    const service = await handMadeService({
      // Every order is taken, whatever becomes of the answer: each third one is lost.
      onPost(order, response) {
        takenAt.set(order.originatorConversationId, { order, at: Date.now() });
        if (service.posts().length % 3 !== 0) return acceptanceOf(order.originatorConversationId);
        response.destroy();
        return answered;
      },
      onFind(id) {
        const taken = takenAt.get(id);
        return taken && Date.now() - taken.at >= lagMs ? paidRecordOf(taken.order) : undefined;
      },
    });
    const batch = await planBatch(folder, { payees: ordinaryPayees(12) });
    const { counts } = await batch.run(service.url, { settings: quick({ polling: { deadlineMs: 3_000 } }) });
    expect(service.posts()).toHaveLength(12);
    expect(new Set(service.posts()).size).toBe(12);
    expect(counts.unsent).toBe(0);
  }));

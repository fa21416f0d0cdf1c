/** A run that died at one exact point, and the run that comes after it. Whatever was not recorded is asked about. */
import { describe, expect, test } from 'vitest';
import type { Fact } from '../../../src/domain/fact.ts';
import type { StoredOrder } from '../../../src/ledger/orders.ts';
import { submitOrder } from '../../../src/service/contract/payment-order.ts';
import { systemClock } from '../../../src/system.ts';
import { answered, type HandMadeService, handMadeService } from '../../dispatch/hand-made-service.ts';
import { type Batch, open, ordinaryPayees, planBatch, quick } from '../../support/run-harness.ts';
import { inTemporaryFolder } from '../../support/temporary-folder.ts';

const ROWS = 6;

/** What a run had done with its claimed orders when it died. */
interface Death {
  /** Whether their bodies had reached the service. */
  readonly posted: boolean;
  readonly count?: number;
  /** What it had recorded of each after its claim. */
  readonly recorded?: (order: StoredOrder) => readonly Fact[];
}

const accepted = ({ state }: StoredOrder): readonly Fact[] => [
  { type: 'order-answered', order: state.id, at: systemClock.now(), tag: 'accepted', reason: 'HTTP 200' },
];

/** Claims orders of the batch, all unless it says how many, and lets the run die there. Gives the exact bodies by id. */
async function dieAfterClaim(batch: Batch, service: HandMadeService, { posted, recorded, count = ROWS }: Death) {
  const ledger = await open(batch.path, systemClock);
  const epoch = await ledger.takeLease(batch.header.id);
  const planned = await ledger.unsentOrders(batch.header.id, count);
  const claimed = await ledger.claim(planned, systemClock.now(), epoch, null);
  const bodies = new Map(claimed.map(({ state, body }) => [state.id as string, body]));
  for (const body of posted ? bodies.values() : []) {
    await fetch(`${service.url}${submitOrder.path}`, { method: 'POST', body });
  }
  if (recorded) {
    await ledger.record(claimed.map((order) => ({ order, facts: recorded(order), dueAt: null })));
  }
  await ledger.close();
  return bodies;
}

/** Requests about one order, in the order in which they arrived. */
const requestsAbout = ({ arrived }: HandMadeService, id: string): readonly string[] =>
  arrived.filter(({ query, body }) => query.get('Id') === id || body.includes(id)).map(({ method }) => method);

describe('a run that died', () => {
  // C03
  test('after its claim and before the post has each order looked up first, and proven absent before it is sent', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const service = await handMadeService();
      // A run keeps the last order until the others were answered.
      const bodies = await dieAfterClaim(batch, service, { posted: false, count: ROWS - 1 });

      const { counts, differences } = await batch.run(service.url);

      expect(counts.completed).toBe(ROWS);
      expect(differences).toEqual([]);
      for (const [id, body] of bodies) {
        const requests = requestsAbout(service, id);
        const firstPost = requests.indexOf('POST');
        expect(firstPost).toBeGreaterThanOrEqual(2);
        expect(requests.filter((method) => method === 'POST')).toHaveLength(1);
        expect(service.arrived.filter((one) => one.body === body)).toHaveLength(1);
      }
    }));

  test('after its claim is never taken for one that sent nothing, while the service cannot be asked', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const service = await handMadeService({
        onFind(_id, response) {
          response.destroy();
          return answered;
        },
      });
      await dieAfterClaim(batch, service, { posted: false });
      const settings = quick({ polling: { deadlineMs: 400 } });

      const { counts } = await batch.run(service.url, { settings });

      expect(counts).toMatchObject({ 'in-doubt': ROWS, unsent: 0, refused: 0 });
      expect(service.posts()).toEqual([]);
    }));

  // C04, C05
  test('after its posts and before their answers were recorded has nothing sent again', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const service = await handMadeService();
      const bodies = await dieAfterClaim(batch, service, { posted: true });

      const { counts, rows } = await batch.run(service.url);

      expect(counts.completed).toBe(ROWS);
      expect(rows.every(({ line }) => line?.report?.receipt === 'R1')).toBe(true);
      expect(service.posts().toSorted()).toEqual([...bodies.keys()].toSorted());
    }));

  // C06, C07, C08
  test('after an acceptance was recorded only asks on, also when one more run dies while it asks', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const stop = new AbortController();
      const service = await handMadeService({
        onFind: () => void (stop.signal.aborted || stop.abort('SIGTERM')),
      });
      await dieAfterClaim(batch, service, { posted: true, recorded: accepted });
      const posts = service.posts().length;

      const stopped = await batch.run(service.url, { signal: stop.signal });
      const { counts } = await batch.run(service.url);

      expect(stopped.counts.completed + stopped.counts.pending).toBe(ROWS);
      expect(counts.completed).toBe(ROWS);
      expect(service.posts()).toHaveLength(posts);
    }));

  // C02
  test('between its plan and its first claim left nothing that could have been sent, and each order goes out once', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const service = await handMadeService();

      expect((await batch.inspect()).counts.unsent).toBe(ROWS);
      expect((await batch.run(service.url)).counts.completed).toBe(ROWS);
      expect(service.posts().toSorted()).toEqual([...batch.orders].toSorted());
    }));
});

describe('the age of a doubt', () => {
  // 3.8-A(3), V63
  test('beyond the limit of the settings keeps an order from being sent again, however absent it is', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const service = await handMadeService();
      await dieAfterClaim(batch, service, { posted: false });
      const settings = quick({ inDoubt: { maxAgeMs: 0 }, polling: { deadlineMs: 500 } });

      const { counts } = await batch.run(service.url, { settings });

      expect(counts['in-doubt']).toBe(ROWS);
      expect(service.posts()).toEqual([]);
    }));
});

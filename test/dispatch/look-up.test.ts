import { describe, expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import type { Reply } from '../../src/client/reply.ts';
import { LookUp } from '../../src/dispatch/look-up.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';
import { claimedOrder } from './claimed-order.ts';

describe('a look-up', () => {
  const ID = '0b5c3ba0-0000-8000-8000-0000000000aa';
  const unknown = (id: string, words = 'was not found'): Reply<never> => ({
    tag: 'refused',
    status: 404,
    reason: '',
    problem: { shape: 'not-found', complaints: [{ field: 'X', message: `Order ${id.toUpperCase()} ${words}` }] },
  });

  /** A client that answers look-ups as told, and keeps the ids that were asked for. */
  function lookUpOf(answer: (id: string, asked: number) => Reply<unknown>) {
    const asked: string[] = [];
    const client = {
      call: async (_operation: unknown, { query }: { query: { Id: string } }) => {
        asked.push(query.Id);
        await settled();
        return answer(query.Id, asked.length);
      },
    } as unknown as Client;
    const signal = new AbortController().signal;
    return { asked, lookUp: new LookUp(client, new FakeClock(), Math.random, signal) };
  }

  test('learns the form of "unknown" once, with an id that no order has', async () => {
    const { asked, lookUp } = lookUpOf((id) => unknown(id));
    const facts = await Promise.all([1, 2, 3].map(() => lookUp.factsOf(claimedOrder(ID), '{}')));
    expect(facts.flat().map(({ type }) => type)).toEqual(['order-unknown', 'order-unknown', 'order-unknown']);
    expect(asked.filter((id) => id === ID)).toHaveLength(3);
    expect(asked.filter((id) => id !== ID)).toHaveLength(1);
    await lookUp.factsOf(claimedOrder(ID), '{}');
    expect(asked).toHaveLength(5);
  });

  test.each<readonly [string, Reply<unknown>]>([
    ['a refusal in other words', unknown(ID, 'is locked')],
    ['a refusal of another status', { ...unknown(ID), status: 400 } as Reply<unknown>],
    ['an error', { tag: 'ambiguous', reason: 'HTTP 500' }],
    ['a refused token', { tag: 'unauthorised', status: 401, reason: '' }],
    ['throttling', { tag: 'throttled', status: 429, reason: '' }],
    ['a request that never left', { tag: 'not-sent', reason: 'ECONNREFUSED' }],
  ])('that is answered by %s tells nothing', async (_name, reply) => {
    const { lookUp } = lookUpOf((id) => (id === ID ? reply : unknown(id)));
    expect(await lookUp.factsOf(claimedOrder(ID), '{}')).toEqual([]);
  });

  test('tells nothing while the form could not be learnt, and asks for it again next time', async () => {
    const { asked, lookUp } = lookUpOf((id, count) =>
      id !== ID && count < 4 ? { tag: 'ambiguous', reason: 'HTTP 500' } : unknown(id),
    );
    expect(await lookUp.factsOf(claimedOrder(ID), '{}')).toEqual([]);
    expect((await lookUp.factsOf(claimedOrder(ID), '{}')).map(({ type }) => type)).toEqual(['order-unknown']);
    expect(asked).toHaveLength(4);
  });
});

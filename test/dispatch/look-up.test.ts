import { describe, expect, test } from 'vitest';
import { LookUp } from '../../src/dispatch/look-up.ts';
import type { Client } from '../../src/service/client/client.ts';
import type { Reply } from '../../src/service/client/reply.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';
import { claimedOrder } from './claimed-order.ts';

const QUIET_MS = 1000;

describe('a look-up', () => {
  const ID = '0b5c3ba0-0000-8000-8000-0000000000aa';
  const unknown = (id: string, words = 'was not found'): Reply<never> => ({
    tag: 'refused',
    status: 404,
    reason: '',
    problem: { shape: 'not-found', complaints: [{ field: 'X', message: `Order ${id.toUpperCase()} ${words}` }] },
  });

  /** A client that answers look-ups as told, and keeps the ids that were asked for. */
  function lookUpOf(answer: (id: string, asked: number) => Reply<unknown>, wokeAt?: () => number | undefined) {
    const asked: string[] = [];
    const client = {
      knows: () => true,
      call: async (_operation: unknown, { query }: { query: Readonly<Record<string, string>> }) => {
        const id = query['Id'] ?? query['OriginatorConversationId'] ?? '';
        const count = asked.push(id);
        await settled();
        return answer(id, count);
      },
    } as unknown as Client;
    const signal = new AbortController().signal;
    const clock = new FakeClock();
    const deps = { client, clock, random: Math.random, signal, quietMs: QUIET_MS, ...(wokeAt && { wokeAt }) };
    return { asked, lookUp: new LookUp(deps) };
  }

  test('learns the form of "unknown" once, from five ids that no order has', async () => {
    const { asked, lookUp } = lookUpOf((id) => unknown(id));
    const facts = await Promise.all([1, 2, 3].map(() => lookUp.factsOf(claimedOrder(ID), '{}')));
    expect(facts.flat().map(({ type }) => type)).toEqual(['order-unknown', 'order-unknown', 'order-unknown']);
    expect(asked.filter((id) => id === ID)).toHaveLength(3);
    expect(new Set(asked.filter((id) => id !== ID)).size).toBe(5);
    await lookUp.factsOf(claimedOrder(ID), '{}');
    expect(asked).toHaveLength(9);
  });

  test('says of the first "unknown" of a run that no earlier one counts', async () => {
    const { lookUp } = lookUpOf((id) => unknown(id));
    const facts = [
      ...(await lookUp.factsOf(claimedOrder(ID), '{}')),
      ...(await lookUp.factsOf(claimedOrder(ID), '{}')),
    ];
    expect(facts.map((fact) => fact.type === 'order-unknown' && fact.firstInRun)).toEqual([true, undefined]);
  });

  test('tells nothing by "unknown" where the computer slept before it read the answer', async () => {
    let wokeAt: number | undefined;
    const answer = (id: string, count: number): Reply<unknown> => {
      if (count === 1 || count === 8) wokeAt = count;
      return unknown(id);
    };
    const { lookUp } = lookUpOf(answer, () => wokeAt);
    const facts = async () => lookUp.factsOf(claimedOrder(ID), '{}');
    expect(await facts()).toEqual([]);
    // Asked again after the sleep, and the first of the run all the same.
    expect(await facts()).toMatchObject([{ type: 'order-unknown', firstInRun: true }]);
    expect(await facts()).toEqual([]);
    expect(await lookUp.resultOf(claimedOrder(ID), '{}')).toMatchObject({ seen: 'unknown' });
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
      count === 3 ? { tag: 'ambiguous', reason: 'HTTP 500' } : unknown(id),
    );
    expect(await lookUp.factsOf(claimedOrder(ID), '{}')).toEqual([]);
    expect((await lookUp.factsOf(claimedOrder(ID), '{}')).map(({ type }) => type)).toEqual(['order-unknown']);
    // The order and five probes, then the order and the probe that got no clear answer.
    expect(asked).toHaveLength(8);
  });

  test('learns the form that leads by five, whatever somebody on the way answers now and then', async () => {
    const { asked, lookUp } = lookUpOf((id, count) => unknown(id, count === 3 ? 'is archived' : undefined));
    expect((await lookUp.factsOf(claimedOrder(ID), '{}')).map(({ type }) => type)).toEqual(['order-unknown']);
    // Five agree, and one more has to make up for the one that does not.
    expect(asked).toHaveLength(1 + 5 + 2);
  });

  test('tells nothing when ids that nobody has are answered in many ways, and stops asking for it', async () => {
    const { asked, lookUp } = lookUpOf((id, count) => unknown(id, count % 2 === 0 ? 'is archived' : undefined));
    expect(await lookUp.factsOf(claimedOrder(ID), '{}')).toEqual([]);
    expect(asked).toHaveLength(1 + 15);
    expect(await lookUp.factsOf(claimedOrder(ID), '{}')).toEqual([]);
    expect(asked).toHaveLength(1 + 15 + 1);
  });

  test.each(['airtime', 'bill-payment'] as const)(
    'of %s proves nothing by "unknown", and its form is not asked for',
    async (submission) => {
      const { asked, lookUp } = lookUpOf((id) => unknown(id));
      expect(await lookUp.factsOf(claimedOrder(ID, { submission }), '{}')).toEqual([]);
      expect(asked).toHaveLength(1);
    },
  );

  test('tells nothing in a form that an order gets long after it was taken', async () => {
    const { lookUp } = lookUpOf((id) => unknown(id));
    const taken = (ago: number) => claimedOrder(ID, { phase: 'accepted', lastEndedAt: 1_000_000 - ago });
    const types = async (state = claimedOrder(ID)) => (await lookUp.factsOf(state, '{}')).map(({ type }) => type);
    // A look-up may see a new order late.
    await types(taken(QUIET_MS - 1));
    expect(await types()).toEqual(['order-unknown']);
    await types(taken(QUIET_MS));
    expect(await types()).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { CircuitBreaker, type Noted } from '../../src/dispatch/circuit-breaker.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import { FakeClock } from '../support/fake-clock.ts';

type Tag = Noted['tag'];

describe('the breaker', () => {
  const brakeOf = (concurrency = 16) => {
    const clock = new FakeClock();
    const breaker = new CircuitBreaker(clock, concurrency);
    const heard = (tag: Tag): Noted => ({ tag, reason: `it was ${tag}` });
    const [some, probe] = ['some', 'probe'] as OrderId[] as [OrderId, OrderId];
    /** One submission after another. */
    const note = async (tag: Tag, times = 1, order = some): Promise<void> => {
      for (let i = 0; i < times; i++) {
        const began = clock.monotonicMs();
        await clock.pass(10);
        breaker.note(heard(tag), began, order);
      }
    };
    /** Submissions that were in flight at the same time. */
    const noteTogether = async (tag: Tag, count: number): Promise<void> => {
      const began = clock.monotonicMs();
      for (let i = 0; i < count; i++) {
        await clock.pass(1);
        breaker.note(heard(tag), began, some);
      }
    };
    const sendAlone = async (tag: Tag): Promise<void> => {
      breaker.sendAhead(probe);
      await note(tag, 1, probe);
      breaker.isBack(probe);
    };
    return { clock, breaker, note, noteTogether, sendAlone, some, probe };
  };

  test('halves what may be in flight at each throttling, down to one', async () => {
    const { breaker, note } = brakeOf();
    const seen: number[] = [];
    for (let i = 0; i < 6; i++) {
      await note('throttled');
      seen.push(breaker.concurrency);
    }
    expect(seen).toEqual([8, 4, 2, 1, 1, 1]);
  });

  test('halves once for submissions that were throttled together', async () => {
    const { breaker, noteTogether } = brakeOf();
    await noteTogether('throttled', 16);
    expect(breaker.concurrency).toBe(8);
    await noteTogether('throttled', 8);
    expect(breaker.concurrency).toBe(4);
  });

  test('lets one more into flight after 32 acceptances in a row, up to what was set', async () => {
    const { breaker, note } = brakeOf(4);
    await note('throttled');
    await note('accepted', 31);
    expect(breaker.concurrency).toBe(2);
    await note('accepted');
    expect(breaker.concurrency).toBe(3);
    await note('accepted', 320);
    expect(breaker.concurrency).toBe(4);
  });

  test('counts every answer that nobody can read, also of those in flight together: each leaves its own doubt', async () => {
    const { breaker, noteTogether } = brakeOf();
    await noteTogether('ambiguous', 7);
    expect(breaker.state.trouble).toMatchObject({ tag: 'ambiguous', unread: 7, reason: 'it was ambiguous' });
  });

  test.each(['throttled', 'not-sent'] as const)('counts what was %s together once', async (tag) => {
    const { breaker, noteTogether } = brakeOf();
    await noteTogether(tag, 16);
    await noteTogether(tag, 8);
    const { throttled, unreached } = breaker.state.trouble ?? {};
    expect(throttled ?? 0).toBe(tag === 'throttled' ? 2 : 0);
    expect(unreached ?? 0).toBe(tag === 'not-sent' ? 2 : 0);
  });

  test.each(['accepted', 'exists', 'refused'] as const)(
    'forgets all trouble at an answer that is understood: %s',
    async (tag) => {
      const { breaker, note } = brakeOf();
      await note('ambiguous', 2);
      await note(tag);
      expect(breaker.state.trouble).toBeUndefined();
    },
  );

  test('does not take refused credentials for the end of other trouble', async () => {
    const { breaker, note } = brakeOf();
    await note('ambiguous', 2);
    await note('unauthorised');
    expect(breaker.state.trouble?.unread).toBe(2);
  });

  test('keeps the time of the first trouble in a row and of the latest', async () => {
    const { breaker, note, clock } = brakeOf();
    await note('ambiguous');
    const since = clock.monotonicMs();
    await clock.pass(5000);
    await note('not-sent');
    expect(breaker.state.trouble).toMatchObject({ sinceMs: since, lastMs: clock.monotonicMs(), tag: 'not-sent' });
  });

  test('tells a missing permission from refused credentials, by the latest of them', async () => {
    const { breaker, clock, some } = brakeOf();
    const noteForbidden = async (forbidden: boolean): Promise<void> => {
      const began = clock.monotonicMs();
      await clock.pass(10);
      breaker.note({ tag: 'unauthorised', reason: 'HTTP 403', forbidden }, began, some);
    };
    await noteForbidden(true);
    expect(breaker.state).toMatchObject({ unauthorised: 1, forbidden: true });
    await noteForbidden(false);
    expect(breaker.state).toMatchObject({ unauthorised: 2, forbidden: false });
  });

  test('counts rounds of refused credentials in a row', async () => {
    const { breaker, note, noteTogether } = brakeOf();
    await noteTogether('unauthorised', 16);
    await note('accepted');
    await noteTogether('unauthorised', 16);
    await noteTogether('unauthorised', 16);
    expect(breaker.state.unauthorised).toBe(2);
  });

  test('counts refusals until something is taken, whatever else comes in between', async () => {
    const { breaker, note } = brakeOf();
    await note('refused', 4);
    await note('ambiguous');
    await note('refused');
    expect(breaker.state).toMatchObject({ refused: 5, refusedReason: 'it was refused' });
    await note('accepted');
    expect(breaker.state.refused).toBe(0);
  });

  test('holds back what was claimed before sending paused, but not the order that goes alone', async () => {
    const { breaker, note, some, probe } = brakeOf();
    await note('ambiguous', 2);
    expect(breaker.holdsBack(some)).toBe(false);
    await note('ambiguous');
    expect(breaker.holdsBack(some)).toBe(true);
    breaker.sendAhead(probe);
    expect([breaker.holdsBack(some), breaker.holdsBack(probe)]).toEqual([true, false]);
    breaker.isBack(probe);
    expect(breaker.holdsBack(probe)).toBe(true);
  });

  test('counts the orders that went alone, and those whose answer nobody can read', async () => {
    const { breaker, note, sendAlone } = brakeOf();
    await note('ambiguous', 3);
    await sendAlone('ambiguous');
    await sendAlone('not-sent');
    await sendAlone('ambiguous');
    expect(breaker.state.trouble).toMatchObject({ probes: 3, unreadProbes: 2, unread: 5 });
  });

  test('is wary after a pause until 32 in a row were accepted', async () => {
    const { breaker, note, sendAlone } = brakeOf();
    await note('ambiguous', 2);
    expect(breaker.state.wary).toBe(false);
    await note('ambiguous');
    await sendAlone('accepted');
    await note('accepted', 30);
    await note('ambiguous');
    await note('accepted', 31);
    expect(breaker.state.wary).toBe(true);
    await note('accepted');
    expect(breaker.state.wary).toBe(false);
  });
});

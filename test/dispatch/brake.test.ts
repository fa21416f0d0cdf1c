import { describe, expect, test } from 'vitest';
import { Brake, type Noted } from '../../src/dispatch/brake.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import { FakeClock } from '../support/fake-clock.ts';

type Tag = Noted['tag'];

describe('the brake', () => {
  const brakeOf = (concurrency = 16) => {
    const clock = new FakeClock();
    const brake = new Brake(clock, concurrency);
    const heard = (tag: Tag): Noted => ({ tag, reason: `it was ${tag}` });
    const [some, probe] = ['some', 'probe'] as OrderId[] as [OrderId, OrderId];
    /** One submission after another. */
    const note = async (tag: Tag, times = 1, order = some): Promise<void> => {
      for (let i = 0; i < times; i++) {
        const began = clock.monotonicMs();
        await clock.pass(10);
        brake.note(heard(tag), began, order);
      }
    };
    /** Submissions that were in flight at the same time. */
    const noteTogether = async (tag: Tag, count: number): Promise<void> => {
      const began = clock.monotonicMs();
      for (let i = 0; i < count; i++) {
        await clock.pass(1);
        brake.note(heard(tag), began, some);
      }
    };
    const sendAlone = async (tag: Tag): Promise<void> => {
      brake.sendAhead(probe);
      await note(tag, 1, probe);
      brake.isBack(probe);
    };
    return { clock, brake, note, noteTogether, sendAlone, some, probe };
  };

  test('halves what may be in flight at each throttling, down to one', async () => {
    const { brake, note } = brakeOf();
    const seen: number[] = [];
    for (let i = 0; i < 6; i++) {
      await note('throttled');
      seen.push(brake.concurrency);
    }
    expect(seen).toEqual([8, 4, 2, 1, 1, 1]);
  });

  test('halves once for submissions that were throttled together', async () => {
    const { brake, noteTogether } = brakeOf();
    await noteTogether('throttled', 16);
    expect(brake.concurrency).toBe(8);
    await noteTogether('throttled', 8);
    expect(brake.concurrency).toBe(4);
  });

  test('lets one more into flight after 32 acceptances in a row, up to what was set', async () => {
    const { brake, note } = brakeOf(4);
    await note('throttled');
    await note('accepted', 31);
    expect(brake.concurrency).toBe(2);
    await note('accepted');
    expect(brake.concurrency).toBe(3);
    await note('accepted', 320);
    expect(brake.concurrency).toBe(4);
  });

  test('counts every answer that nobody can read, also of those in flight together: each leaves its own doubt', async () => {
    const { brake, noteTogether } = brakeOf();
    await noteTogether('ambiguous', 7);
    expect(brake.standing.trouble).toMatchObject({ tag: 'ambiguous', unread: 7, reason: 'it was ambiguous' });
  });

  test.each(['throttled', 'not-sent'] as const)('counts what was %s together once', async (tag) => {
    const { brake, noteTogether } = brakeOf();
    await noteTogether(tag, 16);
    await noteTogether(tag, 8);
    const { throttled, unreached } = brake.standing.trouble ?? {};
    expect(throttled ?? 0).toBe(tag === 'throttled' ? 2 : 0);
    expect(unreached ?? 0).toBe(tag === 'not-sent' ? 2 : 0);
  });

  test.each(['accepted', 'exists', 'refused'] as const)(
    'forgets all trouble at an answer that is understood: %s',
    async (tag) => {
      const { brake, note } = brakeOf();
      await note('ambiguous', 2);
      await note(tag);
      expect(brake.standing.trouble).toBeUndefined();
    },
  );

  test('does not take refused credentials for the end of other trouble', async () => {
    const { brake, note } = brakeOf();
    await note('ambiguous', 2);
    await note('unauthorised');
    expect(brake.standing.trouble?.unread).toBe(2);
  });

  test('keeps the time of the first trouble in a row and of the latest', async () => {
    const { brake, note, clock } = brakeOf();
    await note('ambiguous');
    const since = clock.monotonicMs();
    await clock.pass(5000);
    await note('not-sent');
    expect(brake.standing.trouble).toMatchObject({ sinceMs: since, lastMs: clock.monotonicMs(), tag: 'not-sent' });
  });

  test('tells a missing permission from refused credentials, by the latest of them', async () => {
    const { brake, clock, some } = brakeOf();
    const noteForbidden = async (forbidden: boolean): Promise<void> => {
      const began = clock.monotonicMs();
      await clock.pass(10);
      brake.note({ tag: 'unauthorised', reason: 'HTTP 403', forbidden }, began, some);
    };
    await noteForbidden(true);
    expect(brake.standing).toMatchObject({ unauthorised: 1, forbidden: true });
    await noteForbidden(false);
    expect(brake.standing).toMatchObject({ unauthorised: 2, forbidden: false });
  });

  test('counts rounds of refused credentials in a row', async () => {
    const { brake, note, noteTogether } = brakeOf();
    await noteTogether('unauthorised', 16);
    await note('accepted');
    await noteTogether('unauthorised', 16);
    await noteTogether('unauthorised', 16);
    expect(brake.standing.unauthorised).toBe(2);
  });

  test('counts refusals until something is taken, whatever else comes in between', async () => {
    const { brake, note } = brakeOf();
    await note('refused', 4);
    await note('ambiguous');
    await note('refused');
    expect(brake.standing).toMatchObject({ refused: 5, refusedReason: 'it was refused' });
    await note('accepted');
    expect(brake.standing.refused).toBe(0);
  });

  test('holds back what was claimed before sending paused, but not the order that goes alone', async () => {
    const { brake, note, some, probe } = brakeOf();
    await note('ambiguous', 2);
    expect(brake.holdsBack(some)).toBe(false);
    await note('ambiguous');
    expect(brake.holdsBack(some)).toBe(true);
    brake.sendAhead(probe);
    expect([brake.holdsBack(some), brake.holdsBack(probe)]).toEqual([true, false]);
    brake.isBack(probe);
    expect(brake.holdsBack(probe)).toBe(true);
  });

  test('counts the orders that went alone, and those whose answer nobody can read', async () => {
    const { brake, note, sendAlone } = brakeOf();
    await note('ambiguous', 3);
    await sendAlone('ambiguous');
    await sendAlone('not-sent');
    await sendAlone('ambiguous');
    expect(brake.standing.trouble).toMatchObject({ probes: 3, unreadProbes: 2, unread: 5 });
  });

  test('is wary after a pause until 32 in a row were accepted', async () => {
    const { brake, note, sendAlone } = brakeOf();
    await note('ambiguous', 2);
    expect(brake.standing.wary).toBe(false);
    await note('ambiguous');
    await sendAlone('accepted');
    await note('accepted', 30);
    await note('ambiguous');
    await note('accepted', 31);
    expect(brake.standing.wary).toBe(true);
    await note('accepted');
    expect(brake.standing.wary).toBe(false);
  });
});

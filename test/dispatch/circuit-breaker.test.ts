import { describe, expect, test } from 'vitest';
import {
  type Answer,
  afterAnswer,
  circuitOf,
  closedCircuit,
  holdsBack,
  isPaused,
  type ServiceState,
  sharing,
} from '../../src/dispatch/circuit-breaker.ts';
import type { OrderId } from '../../src/domain/ids.ts';

type Tag = Answer['tag'];

const [some, trial] = ['some', 'trial'] as OrderId[] as [OrderId, OrderId];

/** A service that is asked one submission after another, or by several at the same time. */
class Asked {
  service: ServiceState;
  nowMs = 1_000_000;

  constructor(concurrency = 16) {
    this.service = closedCircuit(concurrency);
  }

  note(tag: Tag, times = 1, more: Partial<Answer> = {}): void {
    for (let i = 0; i < times; i++) {
      const startedAtMs = this.nowMs;
      this.nowMs += 10;
      this.#answer(tag, startedAtMs, more);
    }
  }

  /** Submissions that were in flight at the same time. */
  noteTogether(tag: Tag, count: number): void {
    const startedAtMs = this.nowMs;
    for (let i = 0; i < count; i++) {
      this.nowMs += 1;
      this.#answer(tag, startedAtMs, {});
    }
  }

  /** One goes alone while sending pauses. */
  sendAlone(tag: Tag): void {
    this.service = { ...this.service, trial };
    this.note(tag, 1, { order: trial });
    const { trial: _over, ...rest } = this.service;
    this.service = rest;
  }

  #answer(tag: Tag, startedAtMs: number, more: Partial<Answer>): void {
    const answer = { order: some, tag, reason: `it was ${tag}`, startedAtMs, endedAtMs: this.nowMs, ...more };
    this.service = afterAnswer(this.service, answer);
  }
}

describe('what the answers show of the service', () => {
  test('is nothing against it before the first', () => {
    expect(closedCircuit(16)).toMatchObject({ unauthorised: 0, forbidden: false, refused: 0, refusedReason: '' });
    expect(circuitOf(closedCircuit(16))).toBe('closed');
  });

  test.each([
    ['throttled', 5],
    ['not-sent', 5],
    ['ambiguous', 3],
  ] as const)('pauses sending when it was %s in %i rounds, and not one before', (tag, rounds) => {
    const asked = new Asked();
    asked.note(tag, rounds - 1);
    expect(asked.service.trouble && isPaused(asked.service.trouble)).toBe(false);
    asked.note(tag);
    expect(asked.service.trouble && isPaused(asked.service.trouble)).toBe(true);
  });

  test('halves what may be in flight at each throttling, down to one', () => {
    const asked = new Asked();
    const seen: number[] = [];
    for (let i = 0; i < 6; i++) {
      asked.note('throttled');
      seen.push(asked.service.concurrency);
    }
    expect(seen).toEqual([8, 4, 2, 1, 1, 1]);
  });

  test('halves once for submissions that were throttled together', () => {
    const asked = new Asked();
    asked.noteTogether('throttled', 16);
    expect(asked.service.concurrency).toBe(8);
    asked.noteTogether('throttled', 8);
    expect(asked.service.concurrency).toBe(4);
  });

  test('counts refusals of the form of our ids until one is taken, whatever comes in between', () => {
    const asked = new Asked();
    asked.note('refused', 2, { aboutIds: true });
    asked.note('refused');
    asked.note('ambiguous');
    expect(asked.service).toMatchObject({ refusedIds: 2, refused: 3 });
    asked.note('accepted');
    expect(asked.service).toMatchObject({ refusedIds: 0, refused: 0 });
  });

  test('keeps how long the latest answer asked to be left alone', () => {
    const asked = new Asked();
    asked.note('throttled', 1, { retryAfterMs: 7_000 });
    expect(asked.service.trouble).toMatchObject({ askedMs: 7_000 });
    asked.note('throttled');
    expect(asked.service.trouble).not.toHaveProperty('askedMs');
  });

  test('lets no more into flight than the part of this sender, and grows into a larger part', () => {
    const shared = sharing(closedCircuit(16), 4);
    expect(shared).toEqual({ ...closedCircuit(16), concurrency: 4, concurrencyMax: 4 });
    expect(sharing(shared, 8)).toMatchObject({ concurrency: 4, concurrencyMax: 8 });
  });

  test('lets one more into flight after 32 acceptances in a row, up to what was set', () => {
    const asked = new Asked(4);
    asked.note('throttled');
    asked.note('accepted', 31);
    expect(asked.service.concurrency).toBe(2);
    asked.note('accepted');
    expect(asked.service.concurrency).toBe(3);
    asked.note('accepted', 320);
    expect(asked.service.concurrency).toBe(4);
  });

  test('counts every answer that nobody can read, also of those in flight together: each leaves its own doubt', () => {
    const asked = new Asked();
    asked.noteTogether('ambiguous', 7);
    expect(asked.service.trouble).toMatchObject({ tag: 'ambiguous', unread: 7, reason: 'it was ambiguous' });
  });

  test.each(['throttled', 'not-sent'] as const)('counts what was %s together once', (tag) => {
    const asked = new Asked();
    asked.noteTogether(tag, 16);
    asked.noteTogether(tag, 8);
    const { throttled, unreached } = asked.service.trouble ?? {};
    expect(throttled ?? 0).toBe(tag === 'throttled' ? 2 : 0);
    expect(unreached ?? 0).toBe(tag === 'not-sent' ? 2 : 0);
  });

  test.each(['accepted', 'exists', 'refused'] as const)(
    'forgets all trouble at an answer that is understood: %s',
    (tag) => {
      const asked = new Asked();
      asked.note('ambiguous', 2);
      asked.note(tag);
      expect(asked.service.trouble).toBeUndefined();
    },
  );

  test('takes refused credentials neither for trouble of that sort nor for its end', () => {
    const asked = new Asked();
    asked.note('unauthorised');
    expect(asked.service).toMatchObject({ unauthorised: 1, forbidden: false });
    expect(asked.service.trouble).toBeUndefined();
    asked.note('ambiguous', 2);
    const { trouble } = asked.service;
    asked.note('unauthorised');
    expect(asked.service.trouble).toEqual(trouble);
  });

  test('keeps the time of the first trouble in a row and of the latest', () => {
    const asked = new Asked();
    asked.note('ambiguous');
    const since = asked.nowMs;
    asked.nowMs += 5000;
    asked.note('not-sent');
    expect(asked.service.trouble).toMatchObject({ sinceMs: since, lastMs: asked.nowMs, tag: 'not-sent' });
  });

  test('tells a missing permission from refused credentials, by the latest of them', () => {
    const asked = new Asked();
    const noteForbidden = (forbidden: boolean): void =>
      asked.note('unauthorised', 1, { reason: 'HTTP 403', forbidden });
    noteForbidden(true);
    expect(asked.service).toMatchObject({ unauthorised: 1, forbidden: true });
    noteForbidden(false);
    expect(asked.service).toMatchObject({ unauthorised: 2, forbidden: false });
  });

  test('counts rounds of refused credentials in a row', () => {
    const asked = new Asked();
    asked.noteTogether('unauthorised', 16);
    asked.note('accepted');
    asked.noteTogether('unauthorised', 16);
    asked.noteTogether('unauthorised', 16);
    expect(asked.service.unauthorised).toBe(2);
  });

  test('counts refusals until something is taken, whatever else comes in between', () => {
    const asked = new Asked();
    asked.note('refused', 4);
    asked.note('ambiguous');
    asked.note('refused');
    asked.note('throttled');
    expect(asked.service).toMatchObject({ refused: 5, refusedReason: 'it was refused' });
    asked.note('accepted');
    expect(asked.service.refused).toBe(0);
  });

  test('holds back what was claimed before sending paused, but not the order that goes alone', () => {
    const asked = new Asked();
    asked.note('ambiguous', 2);
    expect(circuitOf(asked.service)).toBe('closed');
    expect(holdsBack(asked.service, some)).toBe(false);
    asked.note('ambiguous');
    expect(holdsBack(asked.service, some)).toBe(true);
    expect(circuitOf(asked.service)).toBe('open');
    asked.service = { ...asked.service, trial };
    expect(circuitOf(asked.service)).toBe('half-open');
    expect([holdsBack(asked.service, some), holdsBack(asked.service, trial)]).toEqual([true, false]);
    const { trial: _over, ...rest } = asked.service;
    asked.service = rest;
    expect(holdsBack(asked.service, trial)).toBe(true);
  });

  test('counts the orders that went alone, and those whose answer nobody can read', () => {
    const asked = new Asked();
    asked.note('ambiguous', 3);
    asked.sendAlone('ambiguous');
    asked.sendAlone('not-sent');
    asked.sendAlone('ambiguous');
    expect(asked.service.trouble).toMatchObject({ trials: 3, unreadTrials: 2, unread: 5 });
  });

  test('is wary after a pause until 32 in a row were accepted', () => {
    const asked = new Asked();
    asked.note('ambiguous', 2);
    expect(asked.service.wary).toBe(false);
    asked.note('ambiguous');
    asked.sendAlone('accepted');
    asked.note('accepted', 30);
    asked.note('ambiguous');
    asked.note('accepted', 31);
    expect(asked.service.wary).toBe(true);
    asked.note('accepted');
    expect(asked.service.wary).toBe(false);
  });
});

/** An order error carries an id of the service, that of the refusal: no run may take it for an order that the service holds. */
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/domain/event.ts';
import { sendJson } from '../support/loopback.ts';
import { ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { answered, handMadeService } from './hand-made-service.ts';

/** Of a run that ends when the order is refused, in milliseconds. */
const PATIENCE_MS = 60_000;
/** Of one that ends only when it has waited for so long. */
const SHORT_MS = 600;
const REFUSAL_ID = '16780000-a97d-4024-98a9-08d9ed471bab';

/** Published shape of an order that is refused. */
const refusal = (id: string, field: string, words = 'is too long.') => ({
  appDomainName: 'LIVE',
  status: 'BadRequest',
  timestamp: '2026-11-27T06:00:00.2483928Z',
  systemConversationId: REFUSAL_ID,
  originatorConversationId: id,
  errors: [{ field, message: `The ${field} ${words}` }],
});

interface Refused {
  readonly words?: string;
  readonly deadlineMs?: number;
}

/** A run of one order that every submission gets this answer to. */
const runAgainst = (status: number, field: string, { words, deadlineMs = SHORT_MS }: Refused = {}) =>
  inTemporaryFolder(async (folder) => {
    const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
    const answer = (id: string, response: ServerResponse) => {
      sendJson(response, status, refusal(id, field, words));
      return answered;
    };
    const service = await handMadeService({
      onPost: (order, response) => answer(order.originatorConversationId, response),
    });
    const report = await batch.run(service.url, { settings: quick({ polling: { deadlineMs } }) });
    return { ...report, posts: service.posts(), row: report.rows[0] };
  });

describe('an order error', () => {
  test('refuses the order when look-ups do not know it, and leaves no id of the service with it', async () => {
    const { counts, row, posts, error } = await runAgainst(400, 'RecipientName', { deadlineMs: PATIENCE_MS });
    expect(error).toBeUndefined();
    expect([counts.refused, counts['in-doubt'], posts.length]).toEqual([1, 0, 1]);
    expect(row?.state?.answer?.reason).toContain('RecipientName: The RecipientName is too long.');
    expect(JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      REFUSAL_ID,
    );
  });

  test.each([200, 202])('with HTTP %i is no acceptance: the order stays in doubt', async (status) => {
    const { counts, row } = await runAgainst(status, 'RecipientName');
    expect([counts.completed, counts.pending, counts.refused]).toEqual([0, 0, 0]);
    expect(counts['in-doubt'] + counts.unsent).toBe(1);
    expect(row?.state?.serviceId).toBeUndefined();
  });

  test('about an identifier means that it may be held: the order is looked up and not called refused', async () => {
    const { counts, row } = await runAgainst(400, 'OriginatorConversationId', { words: 'was used.' });
    expect(counts.refused).toBe(0);
    expect(row?.state?.serviceId).toBeUndefined();
  });

  test('about the form of an identifier refuses the order when look-ups do not know it', async () => {
    const { counts, row } = await runAgainst(400, 'OriginatorConversationId', { deadlineMs: PATIENCE_MS });
    expect([counts.refused, counts['in-doubt']]).toEqual([1, 0]);
    expect(row?.state?.serviceId).toBeUndefined();
  });
});

describe('a service that refuses the form of our identifiers', () => {
  test.each([
    ['a list of field errors', { errors: [{ field: 'OriginatorConversationId', message: 'At most 20 characters.' }] }],
    ['a map of field errors', { errors: { OriginatorConversationId: ["The value 'x' is not valid."] }, status: 400 }],
    ['one reason', { reason: 'originatorConversationId must be numeric' }],
  ])('in %s is sent no more than the first few, is quoted, and leaves nothing in doubt', (_name, body) =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(60) });
      const service = await handMadeService({
        onPost: (_order, response) => {
          sendJson(response, 400, body);
          return answered;
        },
      });
      const { counts, result, error } = await batch.run(service.url, { settings: quick({}) });
      expect(error).toBeUndefined();
      expect(result?.stop).toMatchObject({
        code: 'identifiers',
        says: expect.stringMatching(/format of the identifiers.*the latest answer: HTTP 400: .*/i),
        todo: expect.stringContaining('UUID of 36 characters'),
      });
      const posts = service.posts().length;
      expect(posts).toBeLessThanOrEqual(5);
      expect(counts).toMatchObject({ refused: posts, 'in-doubt': 0, unsent: 60 - posts });
      // The service is mended: who was not sent is paid once.
      const mended = await handMadeService();
      expect((await batch.run(mended.url)).counts).toMatchObject({ completed: 60 - posts, refused: posts });
    }),
  );
});

test('a service that asks to wait for a day is not waited for: sending stops at once, and says for how long', () =>
  inTemporaryFolder(async (folder) => {
    const batch = await planBatch(folder, { payees: ordinaryPayees(30) });
    const service = await handMadeService({
      onPost: (_order, response) => {
        response.writeHead(429, { 'retry-after': '86400' }).end();
        return answered;
      },
    });
    const events: RunEvent[] = [];
    const stop = new AbortController();
    const emit = (event: RunEvent): void => {
      events.push(event);
      // What was sent would be followed for as long as the client waits.
      if (event.type === 'notice' && event.code === 'stopped-throttled') stop.abort();
    };
    const { counts } = await batch.run(service.url, { settings: quick({}), emit, signal: stop.signal });
    expect(events).toContainEqual(
      expect.objectContaining({ code: 'stopped-throttled', message: expect.stringContaining('asks to wait for 24 h') }),
    );
    expect(counts.unsent).toBeGreaterThan(20);
  }));

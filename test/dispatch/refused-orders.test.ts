/** An order error carries an id of the service, that of the refusal: no run may take it for an order that the service holds. */
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { sendJson } from '../support/loopback.ts';
import { ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { answered, handMadeService } from './hand-made-service.ts';

const settings = quick({ polling: { deadlineMs: 600 } });
const REFUSAL_ID = '16780000-a97d-4024-98a9-08d9ed471bab';

/** Published shape of an order that is refused. */
const refusal = (id: string, field: string) => ({
  appDomainName: 'LIVE',
  status: 'BadRequest',
  timestamp: '2026-11-27T06:00:00.2483928Z',
  systemConversationId: REFUSAL_ID,
  originatorConversationId: id,
  errors: [{ field, message: `The ${field} is too long.` }],
});

/** A run of one order that every submission gets this answer to. */
const runAgainst = (status: number, field: string) =>
  inTemporaryFolder(async (folder) => {
    const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
    const answer = (id: string, response: ServerResponse) => {
      sendJson(response, status, refusal(id, field));
      return answered;
    };
    const service = await handMadeService({
      onPost: (order, response) => answer(order.originatorConversationId, response),
    });
    const report = await batch.run(service.url, { settings });
    return { ...report, posts: service.posts(), row: report.rows[0] };
  });

describe('an order error', () => {
  test('refuses the order when look-ups do not know it, and leaves no id of the service with it', async () => {
    const { counts, row, posts, error } = await runAgainst(400, 'RecipientName');
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
    const { counts, row } = await runAgainst(400, 'OriginatorConversationId');
    expect(counts.refused).toBe(0);
    expect(row?.state?.serviceId).toBeUndefined();
  });
});

/** A service that answers submissions with nonsense: sending pauses, tries one order alone, and stops before many are in doubt. */
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/domain/event.ts';
import { fastClock } from '../support/fast-clock.ts';
import { sendJson } from '../support/loopback.ts';
import { ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { answered, handMadeService } from './hand-made-service.ts';

const clock = fastClock();

const ROWS = 200;
/** More than any machine sends in half a second, one after the other. */
const MANY_ROWS = 1000;
const CONCURRENCY = 8;
/** Those in flight, two in their places, and six that went alone. */
const IN_DOUBT_MAX = CONCURRENCY + 2 + 6;
/** A busy machine is not faster than others. */
const polling = { deadlineMs: 12_500 };
const settings = quick({
  sending: { concurrency: CONCURRENCY },
  polling,
  inDoubt: { unknownGapMs: 1000, quietMs: 2000 },
});

const page = (response: ServerResponse, status: number, headers: Record<string, string> = {}) => {
  response
    .writeHead(status, { 'content-type': 'text/html', ...headers })
    .end('<html><body>Please sign in</body></html>');
  return answered;
};

const json = (response: ServerResponse, status: number, body: object) => {
  sendJson(response, status, body);
  return answered;
};

const refusal = { errors: { RouteId: ['The route is not known.'] }, status: 400 };

const stopsIn = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === 'notice' && event.code?.startsWith('stopped-') ? [event] : []));

describe('a service that answers every submission of 200 rows', () => {
  test.each<readonly [string, (response: ServerResponse) => unknown]>([
    ['with a page', (response) => page(response, 200)],
    ['with an error', (response) => page(response, 500)],
    ['with an error of somebody between', (response) => page(response, 502)],
    ['with a redirect', (response) => page(response, 307, { location: 'http://127.0.0.1:9/' })],
    ['with a status that nobody documented', (response) => json(response, 409, { message: 'conflict' })],
    [
      'by breaking the connection',
      (response) => {
        response.destroy();
        return answered;
      },
    ],
  ])(
    '%s leaves a few in doubt and the others unsent, says why, and a resumed run pays everybody once',
    (_name, nonsense) =>
      inTemporaryFolder(async (folder) => {
        const batch = await planBatch(folder, { clock, payees: ordinaryPayees(ROWS) });
        const events: RunEvent[] = [];
        // Look-ups work all the time, which must not make anybody trust the submissions.
        const unwell = await handMadeService({ onPost: (_order, response) => nonsense(response) });
        const { counts, result, error } = await batch.run(unwell.url, {
          settings,
          emit: (event) => events.push(event),
        });
        expect(error).toBeUndefined();
        const sent = new Set(unwell.posts()).size;
        expect(sent).toBeGreaterThan(0);
        expect(sent).toBeLessThanOrEqual(IN_DOUBT_MAX);
        expect(counts['in-doubt']).toBeLessThanOrEqual(sent);
        expect(counts.unsent + counts['in-doubt']).toBe(ROWS);
        expect(result?.stop?.code).toBe('unreadable');
        expect(stopsIn(events)).toEqual([
          expect.objectContaining({
            level: 'warning',
            message: expect.stringContaining(`paybatch resume ${batch.header.id}`),
          }),
        ]);

        const well = await handMadeService();
        const resumed = await batch.run(well.url, { settings });
        expect(resumed.result?.stop).toBeUndefined();
        expect(resumed.counts.completed).toBe(ROWS);
        expect(well.posts()).toHaveLength(ROWS);
        expect(resumed.differences).toEqual([]);
      }),
  );

  test('by asking to wait, for ever, stops within the time limit of trouble', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { clock, payees: ordinaryPayees(MANY_ROWS) });
      const busy = await handMadeService({ onPost: (_order, response) => page(response, 503, { 'retry-after': '0' }) });
      const soon = quick({ sending: { concurrency: CONCURRENCY }, polling: { deadlineMs: 2_500 } });
      const { counts, result } = await batch.run(busy.url, { settings: soon });
      expect(result?.stop?.code).toBe('throttled');
      expect(counts.unsent).toBeGreaterThan(MANY_ROWS / 2);
    }));

  test('with a documented refusal stops after ten in a row', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { clock, payees: ordinaryPayees(ROWS) });
      const routeless = await handMadeService({ onPost: (_order, response) => json(response, 400, refusal) });
      const { counts, result } = await batch.run(routeless.url, { settings });
      expect(result?.stop?.code).toBe('refusals');
      expect(result?.stop?.says).toContain('The route is not known');
      expect(routeless.posts().length).toBeLessThanOrEqual(10 + CONCURRENCY);
      expect(counts.refused).toBe(routeless.posts().length);
      expect(counts.unsent).toBe(ROWS - counts.refused);
    }));
});

describe('a service that is unwell for a moment', () => {
  test.each([3, 7, 8])('for %i submissions makes a run pause and go on by itself', (bad) =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { clock, payees: ordinaryPayees(100) });
      let answers = 0;
      const hiccup = await handMadeService({
        onPost(_order, response) {
          answers += 1;
          return answers <= bad ? page(response, 502) : undefined;
        },
      });
      const quickly = quick({ sending: { concurrency: CONCURRENCY }, polling });
      const { counts, result } = await batch.run(hiccup.url, { settings: quickly });
      expect(result?.stop).toBeUndefined();
      expect(counts.completed).toBe(100);
      expect(hiccup.taken.size).toBe(100);
    }),
  );

  test('and refuses nine rows in a row is not left', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { clock, payees: ordinaryPayees(30) });
      let answers = 0;
      const picky = await handMadeService({
        onPost(_order, response) {
          answers += 1;
          return answers <= 9 ? json(response, 400, refusal) : undefined;
        },
      });
      const { counts, result } = await batch.run(picky.url, {
        settings: quick({ sending: { concurrency: 1 }, polling }),
      });
      expect(result?.stop).toBeUndefined();
      expect(counts).toMatchObject({ refused: 9, completed: 21 });
    }));
});

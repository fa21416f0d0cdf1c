/** A computer that sleeps between a claim and the turn of its order: its steady clock stands still, and the service's does not. */
import { expect, test } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { systemClock } from '../../src/system.ts';
import { ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { answered, handMadeService } from './hand-made-service.ts';

const MAX_AGE_MS = 60_000;

test.each([
  ['leaves', 'after a short sleep', MAX_AGE_MS / 3, 2],
  ['stays', 'after a sleep that is longer than the service keeps an id', 2 * MAX_AGE_MS, 1],
])('an order that was claimed again %s %s', (_does, _when, sleepMs, posts) =>
  inTemporaryFolder(async (folder) => {
    let asleepMs = 0;
    const clock: Clock = { ...systemClock, now: () => Date.now() + asleepMs };
    let lost: string | undefined;
    const service = await handMadeService({
      onPost({ originatorConversationId: id }, response) {
        lost ??= id;
        if (id !== lost) return undefined;
        response.writeHead(500).end();
        return answered;
      },
    });
    // The second is taken, and shows how late look-ups are.
    const batch = await planBatch(folder, { payees: ordinaryPayees(2) });
    const through = (ledger: Ledger): Ledger => ({
      ...ledger,
      async claim(...args) {
        const claimed = await ledger.claim(...args);
        if (claimed.some(({ state }) => state.posts > 1)) asleepMs = sleepMs;
        return claimed;
      },
    });
    await batch.run(service.url, {
      clock,
      through,
      settings: quick({ inDoubt: { maxAgeMs: MAX_AGE_MS, maxResends: 1 } }),
    });
    expect(service.posts().filter((id) => id === lost)).toHaveLength(posts);
  }),
);

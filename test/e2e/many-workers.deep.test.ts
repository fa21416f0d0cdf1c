/** The short form of `campaigns/many-workers.ts`: workers are killed and the server of the ledger crashes, and everybody is paid once. */
import { beforeEach, expect, test } from 'vitest';
import { underFire } from '../support/desk/under-fire.ts';
import { needsPostgres } from '../support/postgres.ts';

beforeEach(needsPostgres);

test('three workers on three machines pay everybody once while they are killed and their server crashes', async () => {
  const record = await underFire({
    workers: 3,
    lanes: 1,
    batches: 3,
    orders: 300,
    killMs: 5000,
    crashMs: 11_000,
    isOneMachine: false,
    scenario: 'slow=20,settle-min=50,settle-max=500,seed=1',
    seed: '1',
    // A machine that is busy may have nothing sent by then; what is left is sent in peace.
    longestMs: 25_000,
    calmMs: 180_000,
    say: () => undefined,
  });
  expect(record.violations).toEqual([]);
  expect(record.judgement).toMatchObject({ payouts: 300, once: 300, twice: 0, lost: 0, falsePaid: 0, openAtEnd: 0 });
  expect([record.kills > 0, record.crashes > 0, record.left]).toEqual([true, true, []]);
}, 300_000);

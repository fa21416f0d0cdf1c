/** Several processes that find an older ledger on a server in the same moment, again and again: which locks meet is left to chance. */
import { beforeEach, expect, test } from 'vitest';
import type { Upgraded } from '../../src/ledger/upgrade.ts';
import { needsPostgres } from '../support/postgres.ts';
import { laidOnServer, openAs } from './upgraded-ledger.ts';

/** `npm run campaign:upgrade-at-once` has more. */
const ROUNDS = Number(process.env['PAYBATCH_TEST_ROUNDS'] ?? 15);
const PROCESSES = ['one', 'another', 'a third'];

beforeEach(needsPostgres);

test('an older ledger on a server opens for each of three who begin at once, and is brought up to date once', {
  timeout: 600_000,
}, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const kept = await laidOnServer();
    const upgraded: Upgraded[] = [];
    const all = await Promise.all(PROCESSES.map((name) => openAs(kept, { name, next: upgraded })));
    expect(upgraded).toHaveLength(1);
    for (const ledger of all) await ledger.close();
  }
});

/**
 * Keeps the lease of the ledger `argv[2]` until it is killed, as a process of another computer whose clock showed `argv[3]`
 * when it began. Says "kept" when it has it.
 */
import { openLedger } from '../../../src/ledger/ledger.ts';
import { systemClock } from '../../../src/system.ts';
import { testKeys } from '../ledger-keys.ts';

const RENEW_MS = 100;

const [, , path = '', began = ''] = process.argv;
const behindMs = Date.now() - Number(began);
const ledger = await openLedger({
  path,
  keys: testKeys,
  clock: { ...systemClock, now: () => Date.now() - behindMs },
  holder: { host: 'another computer', pid: process.pid, startedAt: 1, description: 'keeps the lease' },
  isAlive: () => true,
});
await ledger.takeLease();
process.send?.('kept');
for (;;) {
  await systemClock.sleep(RENEW_MS);
  await ledger.renewLease();
}

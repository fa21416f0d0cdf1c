/** Keeps the lease of the ledger `argv[2]` until it is killed. Says "kept" when it has it. */
import { openLedger } from '../../../src/ledger/ledger.ts';
import { systemClock } from '../../../src/system.ts';
import { testKeys } from '../ledger-keys.ts';

const [, , path = ''] = process.argv;
const ledger = await openLedger({
  path,
  keys: testKeys,
  clock: systemClock,
  holder: { host: 'desk', pid: process.pid, description: 'keeps the lease' },
});
await ledger.takeLease();
process.send?.('kept');
// Whoever started it ends it, or goes.
process.on('disconnect', () => void ledger.close());

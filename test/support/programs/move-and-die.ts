/** Moves the ledger `argv[2]` to the PostgreSQL at `argv[3]`, and kills itself as soon as the step `argv[4]` is done. */
import { openLedger } from '../../../src/ledger/ledger.ts';
import { systemClock } from '../../../src/system.ts';
import { testKeys } from '../ledger-keys.ts';
import { sharedAt } from '../postgres.ts';

const [, , path = '', address = '', last = ''] = process.argv;
const ledger = await openLedger({
  path,
  checkpointPath: `${path}.checkpoint.json`,
  keys: testKeys,
  clock: systemClock,
  holder: { host: 'desk', pid: process.pid, description: 'moves, and dies' },
});
await ledger.moveTo(sharedAt(address), {
  by: 'amina@desk',
  onStep: (step) => void (step === last && process.kill(process.pid, 'SIGKILL')),
});

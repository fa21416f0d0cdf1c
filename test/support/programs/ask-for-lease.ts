/** Asks for the lease of the batch `argv[3]` of the ledger `argv[2]`, says "taken" or the code of the refusal, and ends. */
import { Fault } from '../../../src/domain/fault.ts';
import type { BatchId } from '../../../src/domain/ids.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { systemClock } from '../../../src/system.ts';
import { testKeys } from '../ledger-keys.ts';

const [, , path = '', batch = ''] = process.argv;
const ledger = await openLedger({
  path,
  keys: testKeys,
  clock: systemClock,
  holder: { host: 'desk', pid: process.pid, description: 'asks' },
});
process.send?.(await asked());
await ledger.close();
process.disconnect();

async function asked(): Promise<string> {
  try {
    await ledger.takeLease(batch as BatchId); // of a test
    return 'taken';
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
}

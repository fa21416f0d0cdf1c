import { describe, expect, test } from 'vitest';
import type { BatchId } from '../../src/domain/ids.ts';
import { earlierBatch, type Intent } from '../../src/preflight/earlier-batch.ts';
import { open, planOf } from '../ledger/builders.ts';

async function ledgerWithBatch() {
  const { header, blocks } = planOf({ name: 'november' });
  const ledger = await open();
  await ledger.takeLease();
  await ledger.planBatch(header, blocks);
  return { ledger, header };
}

describe('a sheet that the ledger holds already', () => {
  test.each<[string, Partial<Intent>, boolean]>([
    ['is found by its name', { fingerprint: 'other' }, true],
    ['is found by its name in a rehearsal', { fingerprint: 'other', sandbox: true }, true],
    ['is found by its name, whatever the reason', { fingerprint: 'other', allowDuplicate: 'bonus' }, true],
    ['is found by its content under another name', { id: 'december' as BatchId }, true],
    [
      'may be paid again under another name for a reason',
      { id: 'december' as BatchId, allowDuplicate: 'bonus' },
      false,
    ],
    ['may be rehearsed again under another name', { id: 'december' as BatchId, sandbox: true }, false],
    ['is not this one', { id: 'december' as BatchId, fingerprint: 'other' }, false],
  ])('%s', async (_, over, isFound) => {
    const { ledger, header } = await ledgerWithBatch();
    const intent = { id: header.id, fingerprint: header.fingerprint, sandbox: false, ...over };
    expect((await earlierBatch(ledger, intent))?.id).toBe(isFound ? header.id : undefined);
  });
});

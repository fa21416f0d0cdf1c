/** Somebody else pays the batch that a run looks up: it waits once, because that may have been the last of a run that was killed. */
import { expect, test } from 'vitest';
import { systemClock } from '../../src/system.ts';
import { open, ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { handMadeService } from './hand-made-service.ts';

test('where payments turn up once more, after a run has looked at all of them anew, it stops and has sent nothing', () =>
  inTemporaryFolder(async (folder) => {
    /** What somebody else sends by itself, and by which look-up that still finds nothing: each is found by the next. */
    const others = new Map<string, { readonly body: string; readonly atLook: number }>();
    const service = await handMadeService({
      onFind(id) {
        const other = others.get(id);
        if (other?.atLook !== service.finds().filter((one) => one === id).length) return;
        setTimeout(() => void fetch(`${service.url}/v1/payment-order/new-order`, { method: 'POST', body: other.body }));
      },
    });
    const batch = await planBatch(folder, { payees: ordinaryPayees(4) });
    const ledger = await open(batch.path, systemClock);
    const orders = await ledger.unsentOrders(batch.header.id, 2);
    await ledger.close();
    // The first of the first two rounds, and of the two that follow when it was found.
    for (const [index, { state, body }] of orders.entries()) others.set(state.id, { body, atLook: 1 + 2 * index });

    const settings = quick({ inDoubt: { unknownGapMs: 400, quietMs: 400 } });
    const { counts, result } = await batch.run(service.url, { lookFirst: true, settings });

    expect(result?.stop?.code).toBe('elsewhere');
    expect(service.posts()).toHaveLength(2);
    expect(counts).toMatchObject({ completed: 2, unsent: 2 });
  }));

/** What a person may not say of a row against the service's own final outcome of it. */
import { expect, test } from 'vitest';
import { resolveRow } from '../../src/dispatch/resolve-row.ts';
import { decimalOf } from '../../src/domain/money.ts';
import { systemClock } from '../../src/system.ts';
import { alarmed, answered, observed, report } from '../support/order-facts.ts';
import { open, ordinaryPayees, planBatch } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

const COMPLETED = 4;
const REJECTED = 7;

/** Says of row 2 whether it was paid. The service gave it this status, and an alarm has opened it to a person all the same. */
const saidOf = (status: number, word: { readonly paid: boolean; readonly receipt?: string; readonly note?: string }) =>
  inTemporaryFolder(async (folder) => {
    const { path, header } = await planBatch(folder, { payees: ordinaryPayees(1) });
    const ledger = await open(path, systemClock);
    try {
      const epoch = await ledger.takeLease(header.id);
      const [order] = await ledger.claim(await ledger.unsentOrders(header.id, 1), 1, epoch, null);
      const [line] = order?.state.lines ?? [];
      if (!order || !line) throw new Error('a batch of one row has one order');
      const paidAmount = status === COMPLETED ? decimalOf(line.amount) : '0';
      const facts = [answered('accepted'), observed([report(status, { trace: line.trace, paidAmount })]), alarmed()];
      await ledger.record([{ order, facts: facts.map((fact) => ({ ...fact, order: order.state.id })), dueAt: null }]);
      const verdict = { row: 2, by: 'amina@desk', ...word };
      await resolveRow(header, verdict, { ledger, clock: systemClock, confirm: async () => undefined });
      return (await ledger.findOrder(header.id, order.state.id))?.state.lines[0]?.resolved;
    } finally {
      await ledger.close();
    }
  });

test('nobody says of a row that the service completed that it was not paid, though it holds an alarm', () =>
  expect(saidOf(COMPLETED, { paid: false, note: 'ticket 1' })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('the service itself says that it is completed'),
  }));

test('nor of one that it rejected that it was paid', () =>
  expect(saidOf(REJECTED, { paid: true, receipt: 'QK1' })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('the service itself says that it is rejected'),
  }));

test('what the service says, a person may say as well', async () => {
  expect(await saidOf(COMPLETED, { paid: true, receipt: 'QK1' })).toMatchObject({ paid: true, receipt: 'QK1' });
  expect(await saidOf(REJECTED, { paid: false, note: 'ticket 1' })).toMatchObject({ paid: false, note: 'ticket 1' });
});

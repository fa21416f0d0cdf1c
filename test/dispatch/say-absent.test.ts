/** Of which orders a person may say that they never arrived. */
import { describe, expect, test } from 'vitest';
import { sayAbsent } from '../../src/dispatch/resolve-row.ts';
import type { Fact } from '../../src/domain/fact.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import { moneyText } from '../../src/domain/money.ts';
import type { StoredOrder } from '../../src/ledger/ledger.ts';
import { systemClock } from '../../src/system.ts';
import { open, ordinaryPayees, planBatch } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

const said = { by: 'amina@desk', note: 'ticket 4711' };
type Story = (order: StoredOrder) => readonly Fact[];

const answer = (tag: 'ambiguous' | 'exists' | 'not-sent' | 'accepted'): Story => {
  return ({ state }) => [{ type: 'order-answered', order: state.id, at: 2, tag, reason: tag }];
};
const alarmed: Story = (order) => [
  ...answer('ambiguous')(order),
  { type: 'order-alarmed', order: order.state.id, at: 3, reason: 'another payee' },
];
const spokenOn: Story = (order) => {
  const [line] = order.state.lines;
  if (!line) return [];
  const word = { by: 'amina@desk', note: 'said the provider', trace: line.trace, paid: false };
  return [...answer('ambiguous')(order), { type: 'order-resolved', order: order.state.id, at: 3, ...word }];
};

/** The word on the first row of an order of two rows that went through something; gives what it came to. */
const saidOf = (story: Story | undefined, row = 2) =>
  inTemporaryFolder(async (folder) => {
    const { path, header } = await planBatch(folder, { payees: ordinaryPayees(2), linesPerOrder: 2 });
    const ledger = await open(path, systemClock);
    try {
      const epoch = await ledger.takeLease(header.id);
      const [order] = await ledger.unsentOrders(header.id, 1);
      if (story && order) {
        const [claimed = order] = await ledger.claim([order], 1, epoch, null);
        await ledger.record([{ order: claimed, facts: story(claimed), dueAt: null }]);
      }
      const confirmed: string[] = [];
      const confirm = async (amount: Parameters<typeof moneyText>[0]) => void confirmed.push(moneyText(amount));
      const end = await sayAbsent(header, row, said, { ledger, clock: systemClock, confirm });
      const after = await ledger.findOrder(header.id as BatchId, end.id);
      return { end, confirmed, state: after?.state, differences: await ledger.verify() };
    } finally {
      await ledger.close();
    }
  });

describe('a person says that it never arrived', () => {
  test('of an order in doubt, for the total of all its rows', async () => {
    const { end, confirmed, state, differences } = await saidOf(answer('ambiguous'));
    expect(end.rows).toEqual([2, 3]);
    expect(confirmed).toEqual(['KES 3,001.50']);
    expect(state).toMatchObject({ phase: 'in-doubt', posts: 1, saidAbsent: { ...said } });
    expect(differences).toEqual([]);
  });

  test('of one that was claimed by a run that died', async () => {
    expect((await saidOf(() => [])).state).toMatchObject({ phase: 'claimed', saidAbsent: { ...said } });
  });

  test.each<[string, Story | undefined, string]>([
    ['that was never claimed', undefined, 'it never left this computer'],
    ['that never left', answer('not-sent'), 'it never left this computer'],
    ['that was accepted', answer('accepted'), 'the service holds its order'],
    ['that the service says it has', answer('exists'), 'the service said that it holds its order'],
    ['with an alarm', alarmed, 'the service contradicts itself'],
    ['that somebody spoke on', spokenOn, 'a person has already recorded what became of its order'],
  ])('not of an order %s', async (_, story, why) => {
    await expect(saidOf(story)).rejects.toThrow(
      new RegExp(`^Row 2 cannot be sent again: ${why}.*\\. Nothing was recorded\\.$`),
    );
  });

  test('not of a row that is not there', async () => {
    await expect(saidOf(answer('ambiguous'), 9)).rejects.toThrow('There is no row 9');
  });
});

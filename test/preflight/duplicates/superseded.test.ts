/** Which orders of earlier batches a batch supersedes, and what the ledger lets runs send of them. */
import { describe, expect, test } from 'vitest';
import type { Payout } from '../../../src/domain/batch.ts';
import type { OrderId } from '../../../src/domain/ids.ts';
import { decimalOf } from '../../../src/domain/money.ts';
import { heldOrders, takeOver } from '../../../src/preflight/duplicates/superseded.ts';
import { accepted, kes, type Plan, planOf, reportOf } from '../../ledger/builders.ts';
import { liveSettings } from '../../support/desk/live-settings.ts';
import {
  daysLater,
  earlier,
  heldIn,
  idsOf,
  later,
  leftOutIn,
  planIn,
  recorded,
  rowsIn,
  sheetOf,
  supersededIn,
} from './later-batches.ts';

describe('a later batch', () => {
  test('that pays other amounts to the same people holds nothing, and is not named', async () => {
    const first = planOf({ name: 'first', rows: 2 });
    const { header, blocks } = planOf({ name: 'second', rows: 2 });
    const amount = kes(7n);
    const other = blocks.map(({ rows, orders }) => ({
      orders: orders.map((order) => ({ ...order, lines: order.lines.map((line) => ({ ...line, amount })) })),
      rows: rows.map((row) => ({ ...row, ...(row.payout && { payout: { ...row.payout, amount } }) })),
    }));
    const second = daysLater(1, { header: { ...header, total: kes(14n) }, blocks: other });
    const ledger = await recorded(first, second, daysLater(2, planOf({ name: 'third', rows: 1 })));
    expect(await heldIn(ledger, first)).toEqual([[2, 'third']]);
    const superseded = await leftOutIn(ledger, first);
    expect(superseded?.says).not.toContain('second');
    expect(superseded?.todo).toContain('paybatch status third');
    expect(superseded?.todo).not.toContain('second');
  });

  test('that pays the same reference or the same name to a corrected account holds the payment, and a count of rows is no reference', async () => {
    const referred = (plan: Plan, change: (payout: Payout, row: number) => Partial<Payout>, prefix = 'E'): Plan => ({
      header: plan.header,
      blocks: plan.blocks.map(({ rows, orders }) => ({
        orders,
        rows: rows.map((row) =>
          row.payout
            ? {
                ...row,
                payout: { ...row.payout, reference: `${prefix}${row.row - 1}`, ...change(row.payout, row.row) },
              }
            : row,
        ),
      })),
    });
    const first = referred(planOf({ name: 'first', rows: 3 }), () => ({}));
    const corrected = ({ name }: Payout, row: number) => ({
      payee: `some-kind|moved-${row}`,
      name: row === 3 ? 'Somebody Else' : name.toUpperCase(),
      ...(row === 4 && { reference: 'E99' }),
    });
    const moved = referred(planOf({ name: 'second', rows: 3 }), corrected);
    expect(await heldIn(await recorded(first, daysLater(1, moved)), first)).toEqual([
      [2, 'second'],
      [3, 'second'],
      [4, 'second'],
    ]);
    const counted = referred(planOf({ name: 'first', rows: 3 }), () => ({}), '');
    const countedToo = referred(planOf({ name: 'second', rows: 3 }), corrected, '');
    expect(await heldIn(await recorded(counted, daysLater(1, countedToo)), counted)).toEqual([
      [2, 'second'],
      [4, 'second'],
    ]);
  });
});

describe('what was found before the lease of planning', () => {
  test('is taken over without another look while nothing was recorded, and is read again otherwise', async () => {
    const ledger = await recorded(earlier);
    using sheet = sheetOf(daysLater(1, later));
    const found = await heldOrders(sheet, { ledger, settings: liveSettings });
    expect(found.orders.map(({ order }) => order)).toEqual(idsOf(earlier).slice(0, 2));
    const blind = { ...ledger, batches: () => Promise.reject(new Error('read again')) };
    expect(await takeOver(sheet, { ledger: blind, settings: liveSettings }, found)).toEqual(found.orders);

    const { id } = earlier.header;
    const [first] = await ledger.unsentOrders(id, 1);
    const [claimed] = await ledger.claim(first ? [first] : [], 1, await ledger.takeLease(id), 2);
    const lines = claimed?.state.lines.map(({ trace, amount }) => reportOf(trace, decimalOf(amount), 4)) ?? [];
    const paid = {
      type: 'order-observed',
      order: idsOf(earlier)[0] as OrderId,
      at: 3,
      processed: true,
      lines,
    } as const;
    await ledger.record(claimed ? [{ order: claimed, facts: [paid], dueAt: null }] : []);
    const taken = await takeOver(sheet, { ledger, settings: liveSettings }, found);
    expect(taken.map(({ order }) => order)).toEqual(idsOf(earlier).slice(1, 2));
  });
});

describe('a run leaves out', () => {
  test('whole orders of which a later batch holds a row, with their counts and sums', async () => {
    const ledger = await recorded(earlier);
    const before = await ledger.unsentOutstanding(earlier.header.id);
    await planIn(ledger, daysLater(1, later));
    expect(await supersededIn(ledger, earlier)).toEqual(idsOf(earlier).slice(0, 2));
    expect(await heldIn(ledger, earlier)).toEqual([2, 3, 4].map((row) => [row, later.header.id]));
    const { amount, charges } = await ledger.unsentOutstanding(earlier.header.id);
    expect(before.amount.minor - amount.minor).toBe(600_006n);
    expect(before.charges.minor - charges.minor).toBe(5200n);
    expect((await ledger.unsentOrders(earlier.header.id, 9)).map(({ state }) => state.id)).toEqual(
      idsOf(earlier).slice(2),
    );
    expect(await ledger.tallies(earlier.header.id)).toMatchObject([{ outcome: 'unsent', count: 6, superseded: 4 }]);
    expect(await leftOutIn(ledger, earlier)).toMatchObject({
      rows: 4,
      says: expect.stringContaining('Rows that share an order with them: 1'),
    });
    expect(await ledger.verify()).toEqual([]);
  });

  test('nothing of the later batch, which alone may send the payments', async () => {
    const ledger = await recorded(earlier, daysLater(1, later));
    expect(await supersededIn(ledger, later)).toEqual([]);
    expect(await leftOutIn(ledger, later)).toBeUndefined();
    expect(await ledger.tallies(later.header.id)).toMatchObject([{ outcome: 'unsent', count: 3 }]);
    expect((await ledger.tallies(later.header.id))[0]).not.toHaveProperty('superseded');
  });

  test('what was planned earlier, though the clock was set back in between', async () => {
    const ledger = await recorded(earlier, daysLater(-2, later));
    expect((await leftOutIn(ledger, earlier))?.rows).toBe(4);
    expect(await leftOutIn(ledger, later)).toBeUndefined();
  });

  test('nothing for a batch of another month, as a new sheet would not be stopped either', async () => {
    const december = planOf({ name: 'salaries-2026-12', rows: 3 });
    const ledger = await recorded(earlier, daysLater(6, december));
    expect(await supersededIn(ledger, earlier)).toEqual([]);
  });

  test('what a batch holds that is near, and nothing of one that is not, of two that hold the same', async () => {
    const old = planOf({ name: 'salaries-2026-10', rows: 3 });
    const ledger = await recorded(old, daysLater(30, earlier), daysLater(31, later));
    expect(await supersededIn(ledger, old)).toEqual([]);
    expect((await leftOutIn(ledger, earlier))?.rows).toBe(4);
  });

  test('nothing in a rehearsal', async () => {
    const ledger = await recorded(earlier);
    await planIn(ledger, daysLater(1, later), { sandbox: true });
    expect(await supersededIn(ledger, earlier)).toEqual([]);
  });

  test('an order that may have been sent, without counting its rows as not sent', async () => {
    const single = planOf({ name: 'first', rows: 3 });
    const ledger = await recorded(single);
    const epoch = await ledger.takeLease(single.header.id);
    await ledger.claim(await ledger.unsentOrders(single.header.id, 3), 1, epoch, null);
    await planIn(ledger, daysLater(1, planOf({ name: 'second', rows: 1 })));
    expect(await supersededIn(ledger, single)).toEqual(idsOf(single).slice(0, 1));
    const superseded = await leftOutIn(ledger, single);
    expect(superseded?.rows).toBe(0);
    expect(superseded?.says).toMatch(/^Rows in doubt are looked up, and not sent again/);
  });

  test('nothing that was paid, and tells nothing of what the service took', async () => {
    const single = planOf({ name: 'first', rows: 3 });
    const ledger = await recorded(single);
    const epoch = await ledger.takeLease(single.header.id);
    const [paid, taken] = await ledger.claim(await ledger.unsentOrders(single.header.id, 2), 1, epoch, null);
    if (!paid || !taken) throw new Error('two orders are claimed');
    const lines = paid.state.lines.map(({ trace, amount }) => reportOf(trace, decimalOf(amount)));
    const order = paid.state.id;
    await ledger.record([
      { order: paid, facts: [{ type: 'order-observed', order, at: 3, processed: true, lines }], dueAt: null },
      { order: taken, facts: [accepted(taken.state.id, 3)], dueAt: 4 },
    ]);
    await planIn(ledger, daysLater(1, planOf({ name: 'second', rows: 2 })));
    expect(await heldIn(ledger, single)).toEqual([[3, 'second']]);
    expect(await leftOutIn(ledger, single)).toBeUndefined();
    expect((await rowsIn(ledger, single)).map((row) => row.superseded)).toEqual([undefined, undefined, undefined]);
  });

  test('each of equal rows, because nobody can say which of them the other batch pays', async () => {
    const { header, blocks } = planOf({ name: 'first', rows: 2 });
    const [payout] = blocks.flatMap(({ rows }) => rows.flatMap((row) => row.payout ?? []));
    if (!payout) throw new Error('the first row is payable');
    const twins: Plan = {
      header: { ...header, total: kes(300_000n) },
      blocks: blocks.map(({ rows, orders }) => ({
        orders: orders.map((order) => ({
          ...order,
          lines: order.lines.map((line) => ({ ...line, amount: payout.amount })),
        })),
        rows: rows.map((row) => ({ ...row, payout })),
      })),
    };
    const ledger = await recorded(twins, daysLater(1, planOf({ name: 'second', rows: 1 })));
    expect(await heldIn(ledger, twins)).toEqual([
      [2, 'second'],
      [3, 'second'],
    ]);
  });

  test('airtime and bills as well, and says how many of them need no answer for', async () => {
    const { header, blocks } = planOf({ name: 'first', rows: 3 });
    const airtime = blocks.map((block) => ({
      ...block,
      orders: block.orders.map((order) => ({ ...order, submission: 'airtime' as const })),
    }));
    const ledger = await recorded({ header, blocks: airtime });
    expect(await ledger.unverifiableRows(header.id)).toBe(3);
    await planIn(ledger, daysLater(1, planOf({ name: 'second', rows: 2 })));
    expect(await ledger.unverifiableRows(header.id)).toBe(1);
  });
});

test('a batch that cannot be planned supersedes nothing', async () => {
  const ledger = await recorded(earlier);
  const { header, blocks } = daysLater(1, later);
  const wrong = { header: { ...header, payable: 2 }, blocks };
  await expect(planIn(ledger, wrong)).rejects.toThrow(/agree with its header/);
  expect(await supersededIn(ledger, earlier)).toEqual([]);
  expect(await ledger.findBatch(header.id)).toBeUndefined();
  await planIn(ledger, { header, blocks });
  expect(await supersededIn(ledger, earlier)).toEqual(idsOf(earlier).slice(0, 2));
});

import { describe, expect, onTestFinished, test } from 'vitest';
import { decimalOf } from '../../src/domain/money.ts';
import { openDurable } from '../../src/ledger/sqlite.ts';
import { accepted, open, planOf, reportOf, temporaryPath } from './builders.ts';

/** A ledger with an order of every stage, and a way to change it behind its back. */
async function worked() {
  const path = temporaryPath();
  const ledger = await open({ path });
  const epoch = await ledger.takeLease();
  const { header, blocks } = planOf({ rows: 6, linesPerOrder: 2, invalid: 1 });
  await ledger.planBatch(header, blocks);
  await ledger.recordRun(header.id, '0.1.0');
  const claimed = await ledger.claim(await ledger.unsentOrders(header.id, 2), 1000, epoch, 5000);
  const [first] = await ledger.record(
    claimed.map((order) => ({ order, facts: [accepted(order.state.id, 1100)], dueAt: 3000 })),
  );
  if (!first) throw new Error('orders are recorded');
  const lines = first.state.lines.map((line) => reportOf(line.trace, decimalOf(line.amount)));
  const order = first.state.id;
  await ledger.record([
    { order: first, facts: [{ type: 'order-observed', order, at: 2000, processed: true, lines }], dueAt: null },
  ]);
  await ledger.recordStop('finished');
  const raw = openDurable(path);
  onTestFinished(() => raw.close());
  return { ledger, raw, header };
}

describe('a ledger that nobody touched', () => {
  test('is sound', async () => {
    const { ledger } = await worked();
    expect(await ledger.verify()).toEqual([]);
  });

  test('holds every fact with the hash of the one before', async () => {
    const { ledger, header } = await worked();
    const stored = await Array.fromAsync(ledger.facts());
    expect(stored.map((fact) => fact.seq)).toEqual(stored.map((_, index) => index + 1));
    expect(stored.slice(1).map((fact) => fact.prevHash)).toEqual(stored.slice(0, -1).map((fact) => fact.hash));
    expect(await Array.fromAsync(ledger.facts(header.id))).toEqual(stored);
    expect(stored[3]?.fact).toMatchObject({ type: 'batch-planned', batch: header.id, header });
  });
});

describe('a ledger that was changed behind its back', () => {
  test.each<readonly [string, string, RegExp]>([
    [
      'a byte of a fact',
      `UPDATE fact SET data = replace(data, '13.00', '12.00') WHERE seq = 10`,
      /fact 10: was changed/,
    ],
    ['the time of a fact', 'UPDATE fact SET happened_at = happened_at + 1 WHERE seq = 6', /fact 6: was changed/],
    ['a fact that is gone', 'DELETE FROM fact WHERE seq = 7', /fact 7: missing/],
    ['the last facts gone', 'DELETE FROM fact WHERE seq >= 10', /differs from its facts in .*version/],
    [
      'a fact with a hash of its own',
      `UPDATE fact SET data = '{}', hash = lower(hex(zeroblob(32))) WHERE seq = 8`,
      /fact 9: does not follow/,
    ],
    ['the outcome of a row', `UPDATE payout SET outcome = 'completed' WHERE sheet_row = 6`, /row 6: is completed/],
    ['the fee of a row', 'UPDATE payout SET fee_minor = 1 WHERE sheet_row = 2', /fees are 1301, .* say 2600/],
    [
      'the amount of a row',
      `UPDATE payout SET payout = replace(payout, '150003', '950003')`,
      /^row 5: its amount was changed$/m,
    ],
    ...['kind', 'reference', 'name', 'payee', 'currency'].map(
      (column) =>
        [
          `the ${column} by which a row is found again`,
          `UPDATE payout SET ${column} = 'other' WHERE sheet_row = 5`,
          new RegExp(`^row 5: its payout differs from its columns ${column}$`),
        ] as const,
    ),
    [
      'the amount by which a row is counted',
      'UPDATE payout SET amount_minor = 950003 WHERE sheet_row = 5',
      /^row 5: its payout differs from its columns amount_minor$/,
    ],
    ['a row that is gone', 'DELETE FROM payout WHERE sheet_row = 8', /has 6 rows instead of 7/],
    ['the phase of an order', `UPDATE pay_order SET phase = 'planned' WHERE position = 1`, /facts in phase/],
    ['the standing of an order', `UPDATE pay_order SET standing = 'refused' WHERE position = 2`, /row 4: is refused/],
    ['the state of an order', `UPDATE pay_order SET state = replace(state, '"posts":1', '"posts":0')`, /in state/],
    ['the lines of an order', `UPDATE pay_order SET lines = replace(lines, 'KES', 'UGX')`, /facts in lines/],
    ['a body', `UPDATE order_body SET body = body || ' ' WHERE position = 3`, /facts in body/],
    ['the submission of an order', `UPDATE pay_order SET submission = 'airtime'`, /facts in submission/],
    ['an alarm that was made up', 'UPDATE pay_order SET alarmed = 1', /facts in alarmed/],
    ['a later batch that was made up', 'UPDATE pay_order SET superseded = 1', /facts in superseded/],
    ['what a body was made of', `UPDATE order_body SET origin = origin || ' ' WHERE position = 3`, /facts in origin/],
    ['a body with its hash', `UPDATE pay_order SET body_sha256 = lower(hex(zeroblob(32)))`, /facts in body_sha256/],
    ['the header of a batch', `UPDATE batch SET header = replace(header, 'amina', 'otieno')`, /header differs/],
  ])('is found out: %s', async (_, change, told) => {
    const { ledger, raw } = await worked();
    raw.exec(change);
    expect((await ledger.verify()).join('\n')).toMatch(told);
  });
});

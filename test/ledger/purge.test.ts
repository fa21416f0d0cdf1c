/** Purging a batch: nothing of its people is left in any file, and the ledger still proves itself. */
import { expect, test } from 'vitest';
import type { DurableConnection } from '../../src/database/sqlite.ts';
import { PURGED } from '../../src/domain/purged.ts';
import { open, planOf } from './builders.ts';
import { BY, closedBatch, finishesAfter, foundIn, secrets, verified } from './closed-batch.ts';
import { editable } from './random-edits.ts';

test('a purge leaves no byte of a name, phone or account in the files, and the ledger proves itself', async () => {
  const { file, ledger, header, clock } = await closedBatch();
  expect(foundIn(file)).toEqual(secrets);
  const before = await ledger.tallies(header.id);
  clock.pass(1000);
  await ledger.purge(header, BY);
  await ledger.compact();
  expect(foundIn(file)).toEqual([]);
  expect(await ledger.verify()).toEqual([]);
  expect(await ledger.tallies(header.id)).toEqual(before);
  expect(await ledger.purges()).toEqual(
    new Map([[header.id, { batch: header.id, at: clock.now(), by: BY, number: 27, seq: 27 }]]),
  );
  await ledger.close();
  expect(foundIn(file)).toEqual([]);
  expect(await verified(file)).toEqual([]);
});

test('ids, amounts, receipts and outcomes stay in the rows of a purged batch', async () => {
  const { ledger, header } = await closedBatch();
  const [first] = (await Array.fromAsync(ledger.resultRows(header.id))).flat();
  await ledger.purge(header, BY);
  const rows = (await Array.fromAsync(ledger.resultRows(header.id))).flat();
  expect(rows.map(({ outcome }) => outcome)).toEqual([
    'completed',
    'completed',
    'rejected',
    'refused',
    'completed',
    'invalid',
  ]);
  const { creditParty, heldName, resultText, ...report } = first?.line?.report ?? {};
  expect(rows[0]).toMatchObject({ order: first?.order, trace: first?.trace, charge: first?.charge });
  expect(rows[0]?.payout).toEqual({
    ...first?.payout,
    name: PURGED,
    destination: PURGED,
    payee: '',
    network: undefined,
  });
  expect(rows[0]?.line?.report).toEqual(report);
  expect(rows[3]?.state?.answer).toEqual({ tag: 'refused', reason: PURGED });
  expect(rows[4]?.line?.resolved).toMatchObject({ by: BY, receipt: 'R1' });
  expect(rows[5]).toMatchObject({ texts: [], issues: [] });
});

test('nothing goes on with a purged batch, and another one of the ledger is as it was', async () => {
  const { ledger, header } = await closedBatch();
  const other = planOf({ name: 'wages', rows: 2 });
  await ledger.planBatch(other.header, other.blocks);
  await ledger.purge(header, BY);
  await expect(ledger.requireKept(header.id)).rejects.toThrow(/batch salaries were deleted on 2026-11-20/);
  await expect(ledger.requireKept(other.header.id)).resolves.toBeUndefined();
  const [row] = (await Array.fromAsync(ledger.resultRows(other.header.id))).flat();
  expect(row?.payout?.name).toBe('Person 0');
  expect(await ledger.verify()).toEqual([]);
});

test.each([
  [
    'the text of a fact',
    `UPDATE fact SET text = NULL, salt = NULL WHERE type = 'order-observed'`,
    /its text is gone, and no fact has purged it/,
  ],
  ['another text of a fact', `UPDATE fact SET text = replace(text, 'WANJIKU', 'OTIENO')`, /its text was changed/],
  [
    'a row without its salt',
    `UPDATE payout SET salt = NULL, name = NULL, reference = NULL, payout = NULL, payee = NULL, texts = '[]', issues = '[]'`,
    /what the sheet said about it was changed/,
  ],
  [
    'a body without its salt',
    `UPDATE order_body SET salt = NULL, body = NULL, origin = NULL`,
    /differs from its facts in body/,
  ],
])('%s that is deleted or changed without a purge is a difference', async (_, sql, difference) => {
  const { file, ledger } = await closedBatch();
  await ledger.close();
  editable(file).exec(sql);
  expect((await verified(file))[0]).toMatch(difference);
});

const SALT = 'zeroblob(16)';

test.each<readonly [string, string | ((raw: DurableConnection) => void), RegExp]>([
  [
    'an amount',
    'UPDATE payout SET amount_minor = amount_minor + 1 WHERE outcome IS NULL',
    /its rows differ from what its purge left/,
  ],
  [
    'a way of paying',
    `UPDATE payout SET kind = 'till' WHERE sheet_row = 3`,
    /its rows differ from what its purge left/,
  ],
  [
    'a name that is put back',
    `UPDATE payout SET name = 'Person 0' WHERE sheet_row = 2`,
    /row 2 .* has personal data that was purged/,
  ],
  [
    'a body that is put back',
    `UPDATE order_body SET body = '{}', origin = '{}', salt = ${SALT} WHERE position = 1`,
    /differs from its facts in body/,
  ],
  [
    'a text that is put back',
    `UPDATE fact SET text = '{}', salt = ${SALT} WHERE type = 'order-observed'`,
    /its text was changed/,
  ],
  [
    'a receipt',
    `UPDATE fact SET data = replace(data, '"receipt":"R', '"receipt":"S') WHERE type = 'order-observed'`,
    /was changed/,
  ],
  [
    'the fact that purged it',
    `DELETE FROM fact WHERE type = 'batch-purged'`,
    /has no head|head of the ledger|does not follow/,
  ],
])('%s of a purged batch that is changed is a difference', async (_, change, difference) => {
  const { file, ledger, header } = await closedBatch();
  await ledger.purge(header, BY);
  await ledger.close();
  const raw = editable(file);
  if (typeof change === 'string') raw.exec(change);
  else change(raw);
  expect((await verified(file)).join('\n')).toMatch(difference);
});

test('a purge fact that somebody forges without the key is a difference, whatever it deletes', async () => {
  const { file, ledger } = await closedBatch();
  await ledger.close();
  const raw = editable(file);
  raw.exec(`INSERT INTO fact (seq, batch, number, position, type, happened_at, data, hash)
    SELECT seq + 1, batch, number + 1, NULL, 'batch-purged', happened_at, '{"by":"x","left":"y"}', hash
    FROM fact ORDER BY seq DESC LIMIT 1`);
  raw.exec('UPDATE fact SET text = NULL, salt = NULL');
  expect((await verified(file)).join('\n')).toMatch(/was changed \(its hash differs\)[\s\S]*head of the ledger/);
});

test('what was proven before a purge by another process is proven again after it', async () => {
  const { file, ledger, header } = await closedBatch();
  await ledger.close();
  const reader = await open({ path: file });
  expect((await reader.findRow(header.id, 2))?.payout?.name).toBe('Person 0');
  const purger = await open({ path: file });
  await purger.takeLease();
  await purger.purge(header, BY);
  await purger.close();
  await reader.takeLease();
  expect((await reader.findRow(header.id, 2))?.payout?.name).toBe(PURGED);
  expect(await reader.verify()).toEqual([]);
});

test('a purge that is killed once it is committed leaves a ledger that proves itself, and the next purge finishes it', () =>
  finishesAfter('committed'));

/** The proof of one batch, whatever somebody edits in its tables: the chain of its facts, and all that follows from them. */
import { expect, test } from 'vitest';
import type { Reader } from '../../src/database/database.ts';
import { batchDifferences } from '../../src/ledger/batch-proof.ts';
import { batches } from '../../src/ledger/batches.ts';
import { rawFacts } from '../../src/ledger/facts.ts';
import { BY, closedBatch } from './closed-batch.ts';
import { everythingHappened } from './every-outcome.ts';
import { editable } from './random-edits.ts';

/** What does not follow from the facts, and how many facts are about an order that is not there. */
async function proven(database: Reader): Promise<readonly string[]> {
  const differences: string[] = [];
  for (const header of await batches(database)) {
    for await (const one of batchDifferences(database, header)) differences.push(one);
    for await (const block of rawFacts(database, { batch: header.id })) {
      for (const { seq, position, order } of block) {
        if (position !== undefined && order === undefined) differences.push(`fact ${seq}: its order is missing`);
      }
    }
  }
  return differences;
}

async function openEdited() {
  const { path, ledger } = await everythingHappened();
  await ledger.close();
  const raw = editable(path);
  const reader: Reader = { read: async (sql, values = []) => raw.all(sql, values) };
  return { raw, reader };
}

test('the proof of a batch tells of each order whose outcome was edited', async () => {
  const { raw, reader } = await openEdited();
  expect(await proven(reader)).toEqual([]);
  const orders = raw.all('SELECT position FROM pay_order', []).length;
  expect(orders).toBeGreaterThan(5);
  raw.run("UPDATE pay_order SET outcome = CASE outcome WHEN 'failed' THEN 'refused' ELSE 'failed' END", []);
  expect((await proven(reader)).filter((one) => one.startsWith('order '))).toHaveLength(orders);
});

test('a purged batch is held to what its purge left of all rows', async () => {
  const { file, ledger, header } = await closedBatch();
  await ledger.purge(header, BY);
  await ledger.close();
  const raw = editable(file);
  const reader: Reader = { read: async (sql, values = []) => raw.all(sql, values) };
  expect(await proven(reader)).toEqual([]);
  raw.run("UPDATE payout SET kind = 'till' WHERE sheet_row = (SELECT MAX(sheet_row) FROM payout)", []);
  expect(await proven(reader)).toHaveLength(1);
});

const PAID = 'SELECT sheet_row, order_id, trace FROM payout WHERE order_id IS NOT NULL';

test.each([
  [
    'gives a row to the order of another',
    `UPDATE payout SET order_id = (SELECT order_id FROM (${PAID}) ORDER BY order_id DESC LIMIT 1) WHERE rowid = (SELECT rowid FROM payout WHERE order_id IS NOT NULL ORDER BY order_id LIMIT 1)`,
  ],
  [
    'calls a paid row invalid',
    "UPDATE payout SET order_id = NULL, trace = NULL, charge_minor = NULL, fee_minor = NULL, outcome = 'invalid' WHERE rowid = (SELECT rowid FROM payout WHERE order_id IS NOT NULL LIMIT 1)",
  ],
  [
    'takes a row away',
    'DELETE FROM payout WHERE rowid = (SELECT rowid FROM payout WHERE order_id IS NOT NULL LIMIT 1)',
  ],
  [
    'takes an invalid row away',
    'DELETE FROM payout WHERE rowid = (SELECT rowid FROM payout WHERE order_id IS NULL LIMIT 1)',
  ],
  ['takes an order away', 'DELETE FROM pay_order WHERE position = (SELECT MIN(position) FROM pay_order)'],
  [
    'changes the id of an order',
    "UPDATE pay_order SET id = 'ffffffff-ffff-8fff-bfff-ffffffffffff' WHERE position = (SELECT MIN(position) FROM pay_order)",
  ],
  ['changes a body', "UPDATE order_body SET body = '{}' WHERE position = (SELECT MIN(position) FROM pay_order)"],
  [
    'changes a name',
    "UPDATE payout SET name = 'Mallory' WHERE rowid = (SELECT MAX(rowid) FROM payout WHERE order_id IS NOT NULL)",
  ],
  ['calls an order completed', "UPDATE pay_order SET outcome = 'completed' WHERE outcome <> 'completed'"],
  ['takes the facts of an order away', 'DELETE FROM fact WHERE position = (SELECT MIN(position) FROM fact)'],
  ['takes one fact away', "DELETE FROM fact WHERE seq = (SELECT MAX(seq) FROM fact WHERE type = 'order-observed')"],
  [
    'gives an order the plan of another',
    `UPDATE fact SET position = (SELECT MAX(position) FROM fact) WHERE seq = (SELECT MIN(seq) FROM fact WHERE type = 'order-planned')`,
  ],
])('somebody who %s is found', async (_, sql) => {
  const { raw, reader } = await openEdited();
  raw.exec('PRAGMA foreign_keys = OFF');
  expect(raw.run(sql, [])).toBeGreaterThan(0);
  expect(await proven(reader)).not.toEqual([]);
});

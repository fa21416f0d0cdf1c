import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hexOf, textOf } from '../../src/database/database.ts';
import { type DurableConnection, openDurable } from '../../src/database/sqlite.ts';
import { type BatchId, type OrderId, sha256 } from '../../src/domain/ids.ts';
import { decimalOf } from '../../src/domain/money.ts';
import { factHash, headHash } from '../../src/ledger/chain.ts';
import { factStatement } from '../../src/ledger/facts.ts';
import { keysInFolder } from '../../src/ledger/key-folder.ts';
import { signedHead } from '../../src/ledger/signed-head.ts';
import type { LedgerKeys } from '../../src/ledger/signing.ts';
import { keysOf, testKeys } from '../support/ledger-keys.ts';
import { accepted, open, planOf, reportOf, temporaryPath } from './builders.ts';
import { everythingHappened } from './every-outcome.ts';
import { editTexts } from './order-edits.ts';

/** The last fact of that ledger. */
const LAST = 12;

/** What a run begins with, on a ledger that nobody else has open. */
async function sendable(path: string, keys: LedgerKeys = testKeys): Promise<unknown> {
  const ledger = await open({ path, keys, account: 'none' });
  await ledger.takeLease();
  return Promise.all((await ledger.batches()).map(({ id }) => ledger.unsentOrders(id, 100)));
}

function idIn(path: string): string {
  const raw = openDurable(path);
  const [meta] = raw.all('SELECT ledger_uuid FROM meta');
  raw.close();
  return String(meta?.['ledger_uuid']);
}

/** The facts as somebody reads them. */
const chained = (raw: DurableConnection) =>
  raw
    .all('SELECT f.*, o.id AS order_id FROM fact f LEFT JOIN pay_order o ON o.position = f.position ORDER BY seq')
    .map((row) => ({
      seq: Number(row['seq']),
      number: Number(row['number']),
      batch: textOf(row, 'batch') as BatchId,
      position: row['position'] === null ? undefined : Number(row['position']),
      order: (row['order_id'] ?? undefined) as OrderId | undefined,
      type: textOf(row, 'type'),
      at: Number(row['happened_at']),
      data: textOf(row, 'data'),
      hash: hexOf(row, 'hash'),
      text: undefined,
      salt: undefined,
    }));

/** Changes what facts say, and makes all their hashes anew; gives the end of the chain. */
function rewrite(raw: DurableConnection, start: string, change: (data: string) => string) {
  let end = { number: 0, hash: start };
  for (const fact of chained(raw)) {
    const told = { ...fact, data: change(fact.data), number: end.number + 1 };
    const hash = factHash(end.hash, told);
    const { text, salt } = raw.all('SELECT text, salt FROM fact WHERE seq = ?', [fact.seq])[0] ?? {};
    raw.run('DELETE FROM fact WHERE seq = ?', [fact.seq]);
    const { sql, values } = factStatement({ ...told, hash });
    raw.run(sql, values);
    raw.run('UPDATE fact SET text = ?, salt = ? WHERE seq = ?', [
      text as string | null,
      salt as Uint8Array | null,
      fact.seq,
    ]);
    end = { number: told.number, hash };
  }
  return end;
}

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
  return { ledger, raw, header, path };
}

describe('a ledger that nobody touched', () => {
  test('is sound', async () => {
    const { ledger } = await worked();
    expect(await ledger.verify()).toEqual([]);
  });

  test('holds every fact with a hash over that of the one before', async () => {
    const { ledger, raw, path, header } = await worked();
    const stored = await Array.fromAsync(ledger.facts());
    expect(stored.map((fact) => fact.seq)).toEqual(stored.map((_, index) => index + 1));
    let before = sha256(`PB1:${idIn(path)}:${header.id}`);
    for (const fact of chained(raw)) {
      before = factHash(before, fact);
      expect(fact.hash).toBe(before);
    }
    expect(stored.map(({ hash }) => hash)).toEqual(chained(raw).map(({ hash }) => hash));
    expect(await Array.fromAsync(ledger.facts(header.id))).toEqual(stored);
    expect(stored[4]?.fact).toMatchObject({ type: 'batch-planned', batch: header.id, header });
  });
});

describe('a ledger that was changed behind its back', () => {
  test.each<readonly [string, string | ((raw: DurableConnection) => void), RegExp]>([
    [
      'a byte of a fact',
      `UPDATE fact SET data = replace(data, '13.00', '12.00') WHERE seq = 11`,
      /fact 11: was changed/,
    ],
    ['a fact that says nothing', `UPDATE fact SET data = '{}' WHERE seq = 8`, /fact 8: was changed/],
    ['a fact that nobody can read', `UPDATE fact SET data = x'ff' WHERE seq = 8`, /fact 8: was changed/],
    ['a fact as bytes', 'UPDATE fact SET data = CAST(data AS BLOB) WHERE seq = 8', /fact 8: was changed/],
    ['the number of a fact', 'UPDATE fact SET number = 99 WHERE seq = 8', /fact 8: does not follow/],
    ['the time of a fact', 'UPDATE fact SET happened_at = happened_at + 1 WHERE seq = 6', /fact 6: was changed/],
    ['a fact that is gone', 'DELETE FROM fact WHERE seq = 7', /fact 7: missing/],
    [
      'the last fact gone',
      `DELETE FROM fact WHERE seq = ${LAST}`,
      /fact 12: the head of the ledger is that of fact 12/,
    ],
    [
      'the last fact gone, and the head with it',
      `DELETE FROM fact WHERE seq = ${LAST}; DELETE FROM head`,
      /the ledger has no head/,
    ],
    [
      'the last fact gone, and the head put back by one',
      `DELETE FROM fact WHERE seq = ${LAST}; UPDATE head SET seq = 11, hash = '${'0'.repeat(64)}'`,
      /the head of the ledger: its signature is wrong/,
    ],
    [
      'a fact with a hash of its own',
      `UPDATE fact SET hash = zeroblob(32) WHERE seq = 8`,
      /fact 8: was changed[\s\S]*fact 9: was changed/,
    ],
    ['the outcome of a row', `UPDATE payout SET outcome = 'completed' WHERE sheet_row = 6`, /row 6 .* in outcome$/m],
    ['the fee of a row', 'UPDATE payout SET fee_minor = 1 WHERE sheet_row = 2', /row 2 .* in fee_minor$/m],
    ['the charge of a row', 'UPDATE payout SET charge_minor = 1 WHERE sheet_row = 2', /row 2 .* in charge_minor$/m],
    ...['kind', 'reference', 'name', 'payee', 'currency', 'amount_minor', 'payout', 'texts', 'issues', 'salt'].map(
      (column) =>
        [
          `the ${column} of a row`,
          `UPDATE payout SET ${column} = ${column === 'salt' ? 'zeroblob(16)' : "'99999999999999999999999999999999'"} WHERE sheet_row = 5`,
          /^row 5 of batch salaries: what the sheet said about it was changed$/m,
        ] as const,
    ),
    [
      'a row that was set aside',
      `UPDATE payout SET texts = '["x"]' WHERE sheet_row = 8`,
      /row 8 .*: what the sheet said/,
    ],
    ['a row that is gone', 'DELETE FROM payout WHERE sheet_row = 8', /has 6 rows instead of 7/],
    ['the phase of an order', `UPDATE pay_order SET phase = 'planned' WHERE position = 1`, /facts in phase/],
    ['the outcome of an order', `UPDATE pay_order SET outcome = 'refused' WHERE position = 2`, /facts in outcome/],
    [
      'a body',
      (raw) => editTexts(raw, ({ body, origin }, at) => ({ origin, body: at === 3 ? `${body} ` : body })),
      /facts in body$/m,
    ],
    ['a body that is another text', `UPDATE order_body SET body = '{}' WHERE position = 1`, /facts in body$/m],
    ['a body as bytes', 'UPDATE order_body SET body = CAST(body AS BLOB) WHERE position = 3', /facts in body$/m],
    ['the submission of an order', `UPDATE pay_order SET submission = 'airtime'`, /facts in submission/],
    ['an alarm that was made up', 'UPDATE pay_order SET alarmed = 1', /facts in alarmed/],
    ['a later batch that was made up', 'UPDATE pay_order SET superseded = 1', /facts in superseded/],
    [
      'what a body was made of',
      (raw) => editTexts(raw, ({ body, origin }, at) => ({ body, origin: at === 3 ? `${origin} ` : origin })),
      /facts in body$/m,
    ],
    ['the header of a batch', `UPDATE batch SET header = replace(header, 'amina', 'otieno')`, /its facts in header/],
    ['the day of a batch', 'UPDATE batch SET planned_at = 1', /its facts in planned_at/],
    ['a batch under another name', `UPDATE batch SET batch_key = 'name:other'`, /its facts in batch_key/],
    ['the account', `UPDATE meta SET client_id = 'other'`, /its account differs/],
    [
      'a paid order that was set back to planned, all that finds it',
      `UPDATE pay_order SET (phase, outcome, version, due_at) =
         (SELECT phase, outcome, version, due_at FROM pay_order o WHERE o.position = 3) WHERE position = 1;
       UPDATE payout SET outcome = NULL, fee_minor = NULL WHERE sheet_row IN (2, 3)`,
      /order .* differs from its facts in phase, outcome, version/,
    ],
    [
      'a paid order that was set back to planned with its facts',
      `UPDATE pay_order SET (phase, outcome, version, due_at) =
         (SELECT phase, outcome, version, due_at FROM pay_order o WHERE o.position = 3) WHERE position = 1;
       DELETE FROM fact WHERE position = 1 AND type <> 'order-planned';
       UPDATE payout SET outcome = NULL, fee_minor = NULL WHERE sheet_row IN (2, 3)`,
      /fact \d+: missing/,
    ],
    [
      'bodies that changed places, with their salts',
      `UPDATE order_body SET (body, origin, salt) = (SELECT body, origin, salt FROM order_body AS o
         WHERE o.position = 5 - order_body.position) WHERE position IN (2, 3)`,
      /order .* in body/,
    ],
  ])('is found out, and stops the next run: %s', async (_, change, told) => {
    const { ledger, raw, path } = await worked();
    raw.exec('PRAGMA ignore_check_constraints = ON');
    if (typeof change === 'string') raw.exec(change);
    else change(raw);
    expect((await ledger.verify()).join('\n')).toMatch(told);
    await ledger.close();
    await expect(sendable(path)).rejects.toMatchObject({ code: 'ledger-unsafe' });
  });

  test('is found out though all hashes were made anew, because its head cannot be signed', async () => {
    const { ledger, raw, header } = await worked();
    const [meta] = raw.all('SELECT ledger_uuid FROM meta');
    const uuid = String(meta?.['ledger_uuid']);
    const start = sha256(`PB1:${uuid}:${header.id}`);
    const end = rewrite(raw, start, (data) => data.replaceAll('13.00', '12.00'));
    raw.run('UPDATE payout SET fee_minor = 1200 WHERE fee_minor IS NOT NULL', []);
    expect(await ledger.verify()).toEqual(['the head of the ledger: does not follow from its facts']);
    const hash = headHash(uuid, new Map([[header.id, end]]));
    raw.run('UPDATE head SET hash = ?', [hash]);
    expect(await ledger.verify()).toEqual(['the head of the ledger: its signature is wrong']);
    const forger = keysOf('of somebody else').first(uuid);
    const forged = signedHead(uuid, { seq: end.number, hash }, forger);
    raw.run('UPDATE head SET signing_key = ?, signature = ?', [forged.key, forged.signature]);
    expect(await ledger.verify()).toEqual([
      `the head of the ledger: signed by the key ${forger.name}, which is not this ledger's`,
    ]);
  });
});

describe('the key of a ledger', () => {
  test('that is missing stops everything with the way on, and is no damage', async () => {
    const { ledger, path } = await worked();
    await ledger.close();
    const keys: LedgerKeys = { ...keysOf('another'), place: '/keys', of: () => [] };
    const fault = { code: 'configuration', exit: 2, message: expect.stringContaining('is not in /keys') };
    await expect(sendable(path, keys)).rejects.toMatchObject(fault);
    await expect((await open({ path, keys })).verify()).rejects.toMatchObject(fault);
  });

  test('can be changed by one that the one before has vouched for, and signs from then on', async () => {
    const path = temporaryPath();
    const folder = keysInFolder(join(dirname(path), '..', 'keys'));
    const { ledger, batches } = await everythingHappened(path, folder);
    const before = await ledger.head();
    const change = await ledger.changeKey({ by: 'amina', reason: 'a new year' });
    const after = await ledger.head();
    expect(change).toMatchObject({ from: before?.key, to: after?.key });
    expect(after?.key).not.toBe(before?.key);
    expect(await ledger.verify()).toEqual([]);
    await ledger.close();

    const [header] = batches;
    const again = await open({ path, keys: folder, account: 'none' });
    const id = header?.id ?? ('' as BatchId);
    await again.takeLease(id);
    await again.recordRun(id, '0.1.0');
    expect((await again.head())?.key).toBe(change.to);
    expect(await again.verify()).toEqual([]);
    await again.close();

    // Whoever has the old key alone lacks one, and is no forger.
    const [old] = folder.of(idIn(path));
    const only: LedgerKeys = { ...folder, of: () => (old ? [old] : []) };
    await expect(sendable(path, only)).rejects.toMatchObject({ code: 'configuration' });
  });

  test('is kept for its owner alone, and made once for each ledger', async () => {
    const path = temporaryPath();
    const folder = join(dirname(path), '..', 'keys');
    const first = await open({ path, keys: keysInFolder(folder) });
    await first.takeLease();
    expect(existsSync(folder)).toBe(false);
    await first.planBatch(planOf().header, planOf().blocks);
    await first.planBatch(planOf({ name: 'wages' }).header, planOf({ name: 'wages' }).blocks);
    const [name, ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    expect(name).toBe(`${idIn(path)}.1.pem`);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, name ?? '')).mode & 0o777).toBe(0o600);
  });
});

/** Edits of a ledger by whoever can write to its file, and does not have its key. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Inbox } from '../../src/callbacks/inbox.ts';
import { type DurableConnection, openDurable } from '../../src/database/sqlite.ts';
import type { BatchHeader } from '../../src/domain/batch.ts';
import { Fault } from '../../src/domain/fault.ts';
import type { BatchId, OrderId } from '../../src/domain/ids.ts';
import type { RetryPlan } from '../../src/ledger/plan-retry.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { brokenEnd, dispatchedEnd, knownEnd } from '../../src/results/run-end.ts';
import { chanceOf } from '../support/seeded-random.ts';
import { holder, kes, open, planOf, temporaryPath } from './builders.ts';
import { bindings, inboxBindings } from './column-bindings.ts';
import { everythingHappened } from './every-outcome.ts';
import { edit, editable, editText, rotated, stopsAtEdits, type Victim } from './random-edits.ts';

const EDITS = 100;
/** Each of them is a ledger of its own. */
const EDITS_BY_ORDER = 60;
const SEED = 15;

/** A ledger with all outcomes that nobody has open. */
async function victim(): Promise<Victim> {
  const { path, ledger, batches } = await everythingHappened();
  expect(await ledger.verify()).toEqual([]);
  await ledger.close();
  return { path, raw: editable(path), batches };
}

test('every column of the ledger is listed as bound or free, and no other', async () => {
  const { raw } = await victim();
  const there = ledgerSchema.statements.flatMap((sql) => /^CREATE TABLE (\w+)/.exec(sql)?.[1] ?? []);
  expect(there.toSorted()).toEqual(Object.keys(bindings).toSorted());
  for (const table of there) {
    const columns = raw.all(`SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name);
    expect(columns.toSorted(), table).toEqual(Object.keys(bindings[table] ?? {}).toSorted());
  }
});

test('every column of the inbox is listed, and no other', async () => {
  const path = temporaryPath('inbox.db');
  await new Inbox(path).close();
  const raw = openDurable(path);
  onTestFinished(() => raw.close());
  const columns = raw.all("SELECT name FROM pragma_table_info('callback')").map(({ name }) => name);
  expect(columns.toSorted()).toEqual(Object.keys(inboxBindings).toSorted());
});

describe('a ledger with all outcomes', () => {
  test(`stops a run at each of ${EDITS} random edits of bound columns, and says the same after one of a free column`, async () => {
    await stopsAtEdits(await victim(), EDITS, SEED);
  });
});

/** What a run would post, or the Fault that stops it before. */
async function posted(file: Buffer, batches: readonly BatchHeader[], made?: (raw: DurableConnection) => void) {
  const path = temporaryPath();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, file, { mode: 0o600 });
  if (made) made(editable(path));
  try {
    const ledger = await open({ path, account: rotated, holder: holder('a run', 1) });
    const bodies: string[] = [];
    for (const { id } of batches) {
      const epoch = await ledger.takeLease(id);
      await ledger.recordRun(id, '0.1.0');
      const claimed = await ledger.claim(await ledger.unsentOrders(id, 100), 5000, epoch, null);
      bodies.push(...claimed.map(({ position, state, body }) => `${position} ${state.id} ${state.attempt} ${body}`));
    }
    return bodies;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

test('a run posts what was planned alone, whatever somebody edits', async () => {
  const { path, raw, batches } = await victim();
  raw.close();
  const file = readFileSync(path);
  const truth = await posted(file, batches);
  if (truth instanceof Fault) throw truth;
  expect(truth.length).toBeGreaterThan(2);
  const chance = chanceOf(SEED);
  let stopped = 0;
  for (let number = 0; number < EDITS_BY_ORDER; number++) {
    let what = '';
    const bodies = await posted(file, batches, (edited) => {
      what = editText(edit(edited, chance));
    });
    if (bodies instanceof Fault) stopped += 1;
    else for (const body of bodies) expect(truth, `edit ${number} of seed ${SEED}: ${what}`).toContain(body);
  }
  expect(stopped).toBeGreaterThan(EDITS_BY_ORDER / 3);
});

test.each([
  ["phase = 'planned'", "phase <> 'planned'"],
  ['superseded = 0', 'superseded = 1'],
])('a run sends nothing again because a column says %s', async (edit, where) => {
  const { path, raw, batches } = await victim();
  const orders = raw.all(`SELECT position FROM pay_order WHERE ${where}`, []).map(({ position }) => position);
  raw.close();
  const file = readFileSync(path);
  expect(orders.length).toBeGreaterThan(0);
  for (const position of orders) {
    const found = await posted(file, batches, (edited) => {
      edited.run(`UPDATE pay_order SET ${edit} WHERE position = ?`, [position as bigint]);
    });
    expect(found, `order at ${position}`).toMatchObject({ code: 'ledger-unsafe' });
  }
});

/** A run that has proven its batch, and has read what it may send. */
async function atWork() {
  const { path, raw, batches } = await victim();
  for (const { id } of batches) {
    const ledger = await open({ path, account: rotated, holder: holder('a run', 1) });
    const epoch = await ledger.takeLease(id);
    await ledger.recordRun(id, '0.1.0');
    const unsent = await ledger.unsentOrders(id, 100);
    if (unsent.length > 1) return { ledger, raw, id, epoch, unsent };
    await ledger.close();
  }
  throw new Error('a batch has orders to send');
}

/** Edits what belongs to the first order that is to be claimed. */
async function claimsNothingAfter(sql: string): Promise<void> {
  const { ledger, raw, epoch, unsent } = await atWork();
  raw.exec('PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON');
  expect(raw.run(sql, [unsent[0]?.position ?? 0])).toBeGreaterThan(0);
  const head = await ledger.head();
  await expect(ledger.claim(unsent, 5000, epoch, null)).rejects.toMatchObject({ code: 'ledger-unsafe' });
  expect(raw.all('SELECT seq FROM head')).toEqual([{ seq: BigInt(head?.seq ?? 0) }]);
}

describe('between the proof of a batch and a claim', () => {
  test.each([
    ['a body', "UPDATE order_body SET body = '{}' WHERE position = ?"],
    ['what a body was made of', "UPDATE order_body SET origin = '{}' WHERE position = ?"],
    ['a salt', 'UPDATE order_body SET salt = zeroblob(16) WHERE position = ?'],
    [
      'the charge of a row',
      'UPDATE payout SET charge_minor = 1 WHERE order_id = (SELECT id FROM pay_order WHERE position = ?)',
    ],
    [
      'the outcome of a row',
      "UPDATE payout SET outcome = 'failed' WHERE order_id = (SELECT id FROM pay_order WHERE position = ?)",
    ],
    [
      'the plan of an order',
      `UPDATE fact SET data = replace(data, '"attempt":1', '"attempt":2') WHERE position = ? AND type = 'order-planned'`,
    ],
    ['the phase of an order', "UPDATE pay_order SET phase = 'in-doubt' WHERE position = ?"],
    ['the version of an order', 'UPDATE pay_order SET version = 7 WHERE position = ?'],
    ['the id of an order', "UPDATE pay_order SET id = 'ffffffff-ffff-8fff-bfff-ffffffffffff' WHERE position = ?"],
    ['the facts of an order', 'DELETE FROM fact WHERE position = ?'],
  ])('an edit of %s is found before anything is claimed', (_, sql) => claimsNothingAfter(sql));

  test('an order that was edited is not superseded by a plan', async () => {
    const path = temporaryPath();
    const ledger = await open({ path });
    await ledger.takeLease();
    const { header, blocks } = planOf();
    await ledger.planBatch(header, blocks);
    const [order] = await ledger.unsentOrders(header.id, 1);
    if (!order) throw new Error('a batch has orders to send');
    const raw = editable(path);
    // As many facts as before, and as many of the order.
    const sql = `UPDATE fact SET data = replace(data, '"attempt":1', '"attempt":2') WHERE position = ?`;
    expect(raw.run(sql, [order.position])).toBe(1);
    const later = planOf({ name: 'wages', rows: 3 });
    const held = { batch: header.id, order: order.state.id, traces: order.state.lines.map(({ trace }) => trace) };
    await expect(ledger.planBatch(later.header, later.blocks, [held])).rejects.toMatchObject({
      code: 'ledger-unsafe',
      message: expect.stringContaining(`order ${order.state.id}: differs from its facts`),
    });
    expect(raw.all('SELECT id FROM batch')).toEqual([{ id: header.id }]);
  });

  test('facts of an order that were edited are found before anything is claimed', () =>
    claimsNothingAfter("UPDATE fact SET hash = zeroblob(32) WHERE position = ? AND type = 'order-planned'"));

  test('a row that was edited is found before anything is claimed', () =>
    claimsNothingAfter(
      "UPDATE payout SET name = 'Mallory' WHERE order_id = (SELECT id FROM pay_order WHERE position = ?)",
    ));

  test('an edit of a row that nobody claims is found by the report', async () => {
    const { ledger, raw, id } = await atWork();
    raw.run("UPDATE payout SET name = 'Somebody else' WHERE batch = ? AND outcome IS NOT NULL", [id]);
    expect(await ledger.tallies(id)).not.toEqual([]);
    await expect(Array.fromAsync(ledger.resultRows(id))).rejects.toMatchObject({ code: 'ledger-unsafe' });
  });
});

/** A process that has proven a batch of a ledger with all outcomes. */
async function provenVictim(which = 0) {
  const { path, raw, batches } = await victim();
  const id = batches[which]?.id;
  if (id === undefined) throw new Error('there is a batch');
  const ledger = await open({ path, account: rotated, holder: holder('a run', 1) });
  await ledger.tallies(id);
  raw.exec('PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON');
  return { path, raw, ledger, id };
}

test('an answer that is edited beside its hash, after the batch was proven, does not let an order be sent again', async () => {
  const { raw, ledger, id } = await provenVictim();
  const doubtful = `SELECT position FROM fact WHERE type = 'order-answered' AND data LIKE '%"tag":"ambiguous"%'`;
  const [found] = raw.all(`SELECT o.id FROM pay_order o WHERE o.position IN (${doubtful})`);
  const order = String(found?.['id']) as OrderId;
  expect((await ledger.findOrder(id, order))?.state).toMatchObject({ answer: { tag: 'ambiguous' } });
  raw.run("UPDATE pay_order SET outcome = 'unsent' WHERE id = ?", [order]);
  raw.exec(`UPDATE fact SET data = replace(data, '"tag":"ambiguous"', '"tag":"not-sent"')`);
  await expect(ledger.findOrder(id, order)).rejects.toMatchObject({ code: 'ledger-unsafe' });
});

test.each([
  ['the body of an order that was tried again', 'DELETE FROM order_body WHERE position IN', "type = 'order-retried'"],
  ['the body of an order that pays rows', 'DELETE FROM order_body WHERE position IN', "type = 'order-superseded'"],
])('%s cannot be deleted unseen', async (_, sql, which) => {
  const { path, raw, batches } = await victim();
  expect(raw.run(`${sql} (SELECT position FROM fact WHERE ${which})`, [])).toBe(1);
  const ledger = await open({ path, account: rotated, holder: holder('a run', 1) });
  await expect(ledger.tallies(batches[0]?.id as BatchId)).rejects.toMatchObject({ code: 'ledger-unsafe' });
});

const SAYS_PAID =
  "UPDATE payout SET outcome = 'completed' WHERE outcome = 'rejected' OR outcome = 'failed' OR outcome IS NULL";

test('what became of rows is what their facts say, whatever is edited after the batch was proven', async () => {
  const { raw, ledger, id } = await provenVictim();
  const tallies = await ledger.tallies(id);
  const rows = (await Array.fromAsync(ledger.resultRows(id))).flat();
  const one = await ledger.findRow(id, rows[0]?.row ?? 0);
  raw.exec(`${SAYS_PAID}; UPDATE payout SET fee_minor = 7, charge_minor = 7`);
  expect(await ledger.tallies(id)).toEqual(tallies);
  expect((await Array.fromAsync(ledger.resultRows(id))).flat()).toEqual(rows);
  expect(await ledger.findRow(id, rows[0]?.row ?? 0)).toEqual(one);
  raw.exec("UPDATE pay_order SET outcome = 'completed', phase = 'settled'");
  await expect(Array.fromAsync(ledger.resultRows(id))).rejects.toMatchObject({ code: 'ledger-unsafe' });
  expect(await ledger.tallies(id)).toEqual(tallies);
});

test('how a run ended is proven, also when nobody writes results', async () => {
  const { raw, ledger, id } = await provenVictim(1);
  await ledger.takeLease(id);
  await ledger.recordRun(id, '0.1.0');
  const batch = await ledger.findBatch(id);
  if (!batch) throw new Error('there is a batch');
  const before = await knownEnd(batch, ledger);
  raw.exec(`${SAYS_PAID}; UPDATE pay_order SET outcome = 'completed', phase = 'settled'`);
  const { signal } = new AbortController();
  await expect(dispatchedEnd(batch, ledger, [], signal)).rejects.toMatchObject({ code: 'ledger-unsafe' });
  const broken = await brokenEnd(batch, ledger, before, new Fault('unreachable', 'It is away.', 'Try later.'));
  expect(broken.counts.completed).toBe(before.counts.completed);
});

test('another attempt pays what was planned, also when the row was edited while a person confirmed it', async () => {
  const { ledger, id } = await provenVictim();
  await ledger.takeLease();
  await ledger.takeLease(id);
  const rows = (await Array.fromAsync(ledger.resultRows(id))).flat();
  const refused = rows.find(({ outcome }) => outcome === 'refused');
  const old = refused?.order && (await ledger.findOrder(id, refused.order));
  const line = old ? old.state.lines[0] : undefined;
  if (!old || !line) throw new Error('an order was refused');
  const attempt = (minor: bigint) => {
    const lines = [{ ...line, trace: 'another-t' as typeof line.trace, amount: kes(minor), replaces: old.state.id }];
    const ids = { id: 'another' as OrderId, submission: 'payment-order' as const, attempt: 2 };
    return { order: { ...ids, body: '{}', origin: '[]', lines }, charge: kes(9n), replaced: { order: old, ...line } };
  };
  const fact = { type: 'retry-planned', batch: id, at: 1, count: 1, total: '1', maker: 'm', confirmation: 'c' };
  const plan = { batch: id, fact: fact as RetryPlan['fact'] };
  const { minor } = line.amount;
  await expect(ledger.planRetry({ ...plan, attempts: [attempt(minor + 1n)] })).rejects.toMatchObject({
    code: 'ledger-unsafe',
  });
  await ledger.planRetry({ ...plan, attempts: [attempt(minor)] });
});

test('a proof counts rows as the tables do', async () => {
  const { ledger, batches } = await everythingHappened();
  for (const { id } of batches) {
    await ledger.proveWhole(id);
    expect(await ledger.tallies(id)).toEqual(await ledger.evidence(id, (evidence) => evidence.tallies()));
  }
});

test.each(['DELETE FROM pay_order WHERE id =', "UPDATE pay_order SET batch = 'another' WHERE id ="])(
  'a row whose order is edited after the batch was proven is not told: %s',
  async (sql) => {
    const { raw, ledger, id } = await provenVictim();
    const row = (await Array.fromAsync(ledger.resultRows(id))).flat().find(({ order }) => order);
    raw.run(`${sql} ?`, [row?.order ?? '']);
    await expect(ledger.findRow(id, row?.row ?? 0)).rejects.toMatchObject({ code: 'ledger-unsafe' });
  },
);

test('an order without a body that somebody adds to a batch is found', async () => {
  const { path, raw, batches } = await victim();
  const id = batches[0]?.id as BatchId;
  raw.run(
    `INSERT INTO pay_order SELECT 999, 'another', batch, attempt, submission, 'accepted', 'pending', version, 1, 0, 0
    FROM pay_order WHERE batch = ? LIMIT 1`,
    [id],
  );
  const ledger = await open({ path, account: rotated, holder: holder('a run', 1) });
  await expect(ledger.nextDueAt(id)).rejects.toMatchObject({ code: 'ledger-unsafe' });
});

test('a batch is proven when its word on who was paid before is taken, and no other batch is', async () => {
  const { raw, path, batches } = await victim();
  const [first, later] = batches.map(({ id }) => id);
  const [row] = raw.all('SELECT payee FROM payout WHERE batch = ? ORDER BY sheet_row', [first ?? '']);
  const paid = new Set([String(row?.['payee'])]);
  const changed = (batch = '') => raw.run("UPDATE payout SET name = 'Somebody else' WHERE batch = ?", [batch]);
  const known = async (payees: ReadonlySet<string>) => (await open({ path, account: rotated })).knownPayees(payees);

  changed(later);
  expect(await known(paid)).toEqual(paid);
  changed(first);
  expect(await known(new Set(['some-kind|254799999999']))).toEqual(new Set());
  await expect(known(paid)).rejects.toMatchObject({ code: 'ledger-unsafe' });
});

test('what the index says of last month is proven anew when planning is taken, before a guard believes it', async () => {
  const { path, raw, batches } = await victim();
  const payees = raw
    .all('SELECT DISTINCT payee FROM payout WHERE payee IS NOT NULL', [])
    .map(({ payee }) => String(payee));
  const ledger = await open({ path, account: rotated, holder: holder('a run', 1) });
  expect((await ledger.paymentsTo(payees, 0)).length).toBeGreaterThan(0);
  expect(batches.length).toBeGreaterThan(1);
  raw.run("UPDATE payout SET outcome = 'failed' WHERE order_id IS NOT NULL", []);
  await ledger.takeLease();
  await expect(ledger.paymentsTo(payees, 0)).rejects.toMatchObject({ code: 'ledger-unsafe' });
});

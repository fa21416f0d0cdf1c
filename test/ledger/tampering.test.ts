/** Edits of a ledger by whoever can write to its file, and does not have its key. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openInbox } from '../../src/callbacks/inbox.ts';
import type { BatchHeader } from '../../src/domain/batch.ts';
import { Fault } from '../../src/domain/fault.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { type DurableConnection, openDurable } from '../../src/ledger/sqlite.ts';
import { chanceOf } from '../support/seeded-random.ts';
import { holder, open, temporaryPath } from './builders.ts';
import { bindings, inboxBindings } from './column-bindings.ts';
import { everythingHappened } from './every-outcome.ts';
import { edit, editable, editText, rotated, stopsAtEdits, type Victim } from './random-edits.ts';

const EDITS = 200;
/** Each of them is a ledger of its own. */
const EDITS_BY_ORDER = 120;
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
  await (await openInbox(path)).close();
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

/** What a run would post that proves order by order, or the Fault that stops it before. */
async function posted(file: Buffer, batches: readonly BatchHeader[], made?: (raw: DurableConnection) => void) {
  const path = temporaryPath();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, file, { mode: 0o600 });
  if (made) made(editable(path));
  try {
    const ledger = await open({ path, account: rotated, isAlive: () => false, holder: holder('a run', 1) });
    const bodies: string[] = [];
    for (const { id } of batches) {
      const epoch = await ledger.takeLease(id);
      ledger.proveByOrder(id);
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

test('a run that proves order by order posts what was planned alone, whatever somebody edits', async () => {
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
])('a run that proves order by order sends nothing again because a column says %s', async (edit, where) => {
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

test.each(['state', 'lines'])(
  'a run that proves order by order sends nothing whose %s stand in another text',
  async (column) => {
    const { path, raw, batches } = await victim();
    raw.close();
    const found = await posted(readFileSync(path), batches, (edited) => {
      edited.run(`UPDATE pay_order SET ${column} = ${column} || ' '`, []);
    });
    expect(found).toMatchObject({ code: 'ledger-unsafe' });
  },
);

test('what no order shows is found when the batch is proven beside the run', async () => {
  const { path, raw, batches } = await victim();
  const [{ id }] = batches as readonly [BatchHeader];
  const ledger = await open({ path, account: rotated });
  await ledger.takeLease(id);
  ledger.proveByOrder(id);
  raw.run("UPDATE payout SET name = 'Somebody else' WHERE batch = ? AND outcome IS NULL", [id]);
  expect(await ledger.tallies(id)).not.toEqual([]);
  await expect(ledger.proveBeside(id, new AbortController().signal)).rejects.toMatchObject({ code: 'ledger-unsafe' });
});

test('a proof beside a run ends when the run does, and is made anew for its report', async () => {
  const { path, batches } = await victim();
  const [{ id, rows }] = batches as readonly [BatchHeader];
  const ledger = await open({ path, account: rotated });
  await ledger.takeLease(id);
  ledger.proveByOrder(id);
  await expect(ledger.proveBeside(id, AbortSignal.abort())).resolves.toBeUndefined();
  const told = [];
  for await (const block of ledger.resultRows(id)) told.push(...block);
  expect(told).toHaveLength(rows);
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

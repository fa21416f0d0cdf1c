/** Edits of a ledger by whoever can write to its file, and does not have its key. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { openInbox } from '../../src/callbacks/inbox.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { openDurable } from '../../src/ledger/sqlite.ts';
import { open, temporaryPath } from './builders.ts';
import { bindings, inboxBindings } from './column-bindings.ts';
import { everythingHappened } from './every-outcome.ts';
import { editable, rotated, stopsAtEdits, type Victim } from './random-edits.ts';

const EDITS = 200;
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

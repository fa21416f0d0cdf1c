/** Random edits of a ledger by whoever can write to its file and does not have its key, and what a run would believe after each. */
import { expect, onTestFinished } from 'vitest';
import type { SqlRow, SqlValue } from '../../src/database/database.ts';
import { type DurableConnection, openDurable } from '../../src/database/sqlite.ts';
import type { BatchHeader } from '../../src/domain/batch.ts';
import { Fault } from '../../src/domain/fault.ts';
import { type Chance, chanceOf } from '../support/seeded-random.ts';
import { acme, holder, open } from './builders.ts';
import { bindings } from './column-bindings.ts';

export const rotated = { ...acme, clientId: 'acme-2' };

/** A way to edit a ledger that no rule of the tables stops. */
export function editable(path: string): DurableConnection {
  const raw = openDurable(path);
  raw.exec('PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF');
  onTestFinished(() => raw.close());
  return raw;
}

/** What a run that begins now would believe: every row, and what it could send; or the Fault that stops it. */
async function believed(path: string, batches: readonly BatchHeader[]): Promise<unknown> {
  try {
    const ledger = await open({ path, account: rotated, holder: holder('a run', 1) });
    try {
      await ledger.takeLease();
      const told: unknown[] = [];
      for (const { id } of batches) {
        for await (const block of ledger.resultRows(id)) told.push(block);
        told.push(await ledger.tallies(id));
        told.push((await ledger.unsentOrders(id, 100)).map((order) => ({ ...order, dueAt: null })));
      }
      return told;
    } finally {
      await ledger.close();
    }
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

interface Edit {
  readonly table: string;
  readonly column: string;
  readonly row: bigint;
  readonly before: SqlValue;
  readonly after: SqlValue;
}

const tables = Object.keys(bindings);

/** Something else for a value: that of another row, a digit or a letter changed, nothing, or something out of all sense. */
function another(value: SqlValue, others: readonly SqlValue[], chance: Chance): SqlValue {
  if (value instanceof Uint8Array) return chance.pick([() => changedBytes(value, chance), () => null])();
  const kinds: readonly (() => SqlValue)[] = [
    () => (others.length > 0 ? chance.pick(others) : null),
    () => (typeof value === 'bigint' ? value + BigInt(chance.between(1, 900)) : changedText(String(value), chance)),
    () => (typeof value === 'bigint' ? 0n : `${value ?? ''} `),
    () => null,
  ];
  return chance.pick(kinds)();
}

function changedBytes(bytes: Uint8Array, chance: Chance): SqlValue {
  const at = chance.below(bytes.length);
  return bytes.with(at, (bytes[at] ?? 0) ^ (1 << chance.below(8)));
}

function changedText(text: string, chance: Chance): string {
  if (text === '') return 'x';
  const at = chance.below(text.length);
  return `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`;
}

/** Draws an edit that changes something, and makes it. */
export function edit(raw: DurableConnection, chance: Chance): Edit {
  for (;;) {
    const table = chance.pick(tables);
    const column = chance.pick(Object.keys(bindings[table] ?? {}));
    const rows = raw.all(`SELECT rowid AS row, ${column} AS value FROM ${table}`);
    const { row, value } = chance.pick(rows) as { readonly row: bigint; readonly value: SqlValue };
    const others = rows.map((other: SqlRow) => other['value'] as SqlValue).filter((other) => other !== value);
    const after = another(value, others, chance);
    if (after === value) continue;
    try {
      raw.run(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`, [after, row]);
      const [now] = raw.all(`SELECT rowid AS row FROM ${table} WHERE ${column} IS ?`, [after]);
      return { table, column, row: now ? findMoved(raw, table, row, after) : row, before: value, after };
    } catch {
      // A number or name that is taken, or nothing where something has to be: SQLite itself refuses that.
    }
  }
}

/** A key of a table that is its number as well moves the row to another number. */
const findMoved = (raw: DurableConnection, table: string, row: bigint, after: SqlValue): bigint =>
  raw.all(`SELECT rowid AS row FROM ${table} WHERE rowid = ?`, [row]).length > 0 ? row : (after as bigint);

/** In the words of an edit, for whoever has to find it again. */
export const editText = ({ table, column, before, after }: Edit): string =>
  `${table}.${column} from ${shown(before)} to ${shown(after)}`;

const undo = (raw: DurableConnection, { table, column, row, before }: Edit): unknown =>
  raw.run(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`, [before, row]);

const shown = (value: SqlValue): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);

/** A ledger that nobody has open. */
export interface Victim {
  readonly path: string;
  readonly raw: DurableConnection;
  readonly batches: readonly BatchHeader[];
}

/** Makes so many edits, each undone after: a bound column stops the run that begins then, and a free one changes nothing for it. */
export async function stopsAtEdits({ path, raw, batches }: Victim, edits: number, seed: number): Promise<void> {
  const truth = await believed(path, batches);
  expect(truth).not.toBeInstanceOf(Fault);
  const chance = chanceOf(seed);
  const met = new Set<string>();
  for (let number = 0; number < edits; number++) {
    const made = edit(raw, chance);
    const binding = bindings[made.table]?.[made.column];
    const what = `edit ${number} of seed ${seed}: ${editText(made)}`;
    const said = await believed(path, batches);
    if (binding === 'bound') {
      expect(said instanceof Fault ? said.code : 'believed', what).toMatch(/^(ledger-unsafe|configuration)$/);
    } else if (!(said instanceof Fault)) expect(said, what).toEqual(truth);
    met.add(`${made.table}.${made.column}`);
    if (made.table !== 'lease' && made.table !== 'epoch') undo(raw, made);
    // Whoever took a lease since then has drawn further.
    else {
      raw.exec(`DELETE FROM lease; INSERT INTO lease (name, epoch) VALUES ('planning', 1);
        UPDATE epoch SET only_row = 1, latest = ${100 + number}`);
    }
  }
  expect(await believed(path, batches)).toEqual(truth);
  expect(met.size).toBeGreaterThan(40);
}

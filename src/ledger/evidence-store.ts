/**
 * Evidence about a batch that was handed over, put into a separate ledger in a temporary file. The code that proves
 * ledgers proves it there, and results follow from it as they do from a ledger. Nothing of it is believed before that.
 */

import { bytesOf, hexOf, numberOf, type Reader, type SqlValue, textOf } from '../database/database.ts';
import { type Connection, isSqlite, openTemporary } from '../database/sqlite.ts';
import type { BatchHeader } from '../domain/batch.ts';
import { type BatchId, type OrderId, sha256 } from '../domain/ids.ts';
import { InvariantError, invariant } from '../domain/invariant.ts';
import { encodeRecord } from '../domain/json.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import { type BatchEvidence, type EvidenceOrder, type EvidenceRow, evidenceIn } from './batch-evidence.ts';
import { batchDifferences, ownersIn } from './batch-proof.ts';
import type { BatchEnd } from './chain.ts';
import { type BatchPlanned, FactTexts, followFact, noFacts, type ProvenFacts } from './chain-proof.ts';
import { decodeFact, factStatement, type RawFact } from './facts.ts';
import { Keyring } from './keyring.ts';
import { type Folded, foldNext, indexOf, type RowOwner, saidOfRow, textsIn } from './recorded-orders.ts';
import { ledgerSchema } from './schema.ts';
import type { LedgerKeys } from './signing.ts';

/** A fact as it is handed over, among the facts of its batch. */
export type GivenFact = Omit<RawFact, 'batch' | 'position'>;

const INSERT_BATCH = `INSERT INTO batch (number, id, batch_key, fingerprint, planned_at, header, begins_after)
  VALUES (1, ?, ?, ?, ?, ?, ?)`;
const INSERT_ORDER = `INSERT INTO pay_order (position, id, batch, attempt, submission, phase, outcome, version, due_at, alarmed,
  superseded) VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?)`;
const PLACE_FACTS = 'UPDATE fact SET position = ? WHERE position = ?';
const INSERT_BODY = 'INSERT INTO order_body (position, body, origin, salt) VALUES (?, ?, ?, ?)';
const INSERT_ROW = `INSERT INTO payout (batch, sheet_row, kind, reference, name, amount_minor, currency, payout, payee, texts,
  issues, salt, order_id, trace, charge_minor, outcome, fee_minor) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const FACT_AT = 'SELECT number, hash FROM fact WHERE seq = ?';
const FIRST_BODIES = `SELECT o.position, o.id, b.body FROM pay_order o JOIN order_body b ON b.position = o.position
  WHERE o.attempt = 1 AND o.position > ? ORDER BY o.position LIMIT 500`;

/** An order as its facts leave it, and the position that the facts have until that of the order is known. */
interface GivenOrder {
  readonly place: number;
  readonly folded: Folded;
}

/** A store without keys: signatures are checked with the keys that the facts name, and nothing is signed. */
const noKeys: LedgerKeys = {
  place: 'the evidence',
  of: () => [],
  first: () => unsigned(),
  next: () => unsigned(),
};

function unsigned(): never {
  throw new Error('evidence is checked, and signs nothing');
}

/** The columns of a row, as its text has them. */
type RowColumns = readonly [row: unknown, ...rest: unknown[]];

/** A temporary ledger for evidence. It must be filled in this order: facts, then orders, then rows. */
export class EvidenceStore implements Disposable {
  readonly #ledger: string;
  readonly #batch: BatchId;
  readonly #connection: Connection = openTemporary();
  readonly #reader: Reader = { read: async (sql, values = []) => this.#connection.all(sql, values) };
  /** Cleared once everything is in the tables, because the proof folds the facts from there. */
  readonly #orders = new Map<OrderId, GivenOrder>();
  /** What pays each row, by the number of the row. */
  readonly #owners = new Map<number, RowOwner>();
  readonly #leftOut = new Set<number>();
  readonly #texts = new FactTexts();
  readonly #proven: ProvenFacts;
  readonly #keyring: Keyring;
  #header: BatchHeader | undefined;
  #beginsAfter = 0;

  constructor(ledger: string, batch: BatchId) {
    this.#ledger = ledger;
    this.#batch = batch;
    this.#proven = noFacts(ledger);
    this.#keyring = new Keyring(ledger, noKeys);
    // Evidence is not trusted: its maker decided what refers to what, so the proof checks that later.
    this.#connection.exec('PRAGMA foreign_keys = OFF');
    for (const statement of ledgerSchema.statements) this.#connection.exec(statement);
    // Nothing else reads this database, and it is thrown away: a commit after each of a million rows would be wasted.
    this.#connection.exec('BEGIN');
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  /** The header of the batch; `undefined` while no fact has planned it. */
  get header(): BatchHeader | undefined {
    return this.#header;
  }

  /** Number of facts so far. */
  get facts(): number {
    return this.#proven.chains.endOf(this.#batch).number - this.#beginsAfter;
  }

  /** Number of facts that an interrupted planning left under the same id, before those of the batch. */
  get beginsAfter(): number {
    return this.#beginsAfter;
  }

  /** Takes the place where the facts of the batch begin, if an interrupted planning left others under the same id before them. */
  beginAfter(end: BatchEnd): void {
    this.#proven.chains.endAt(0, [[this.#batch, end]]);
    this.#beginsAfter = end.number;
  }

  /** Takes the next fact, which has to follow the one before, and moves what the fact is about. Yields what is wrong. */
  *fact(given: GivenFact): Generator<string> {
    const batch = this.#batch;
    const raw: RawFact = { ...given, batch, position: given.order && this.#placeOf(given.order) };
    yield* followFact(this.#proven, raw, this.#keyring);
    yield* this.#texts.differences(raw);
    const wrong = this.#take(raw);
    if (wrong !== undefined) {
      yield wrong;
      return;
    }
    const { sql, values } = factStatement(raw);
    yield* this.#insert(`fact ${raw.seq}`, sql, values);
    if (raw.type === 'batch-planned') yield* this.#plan(raw);
  }

  /** Returns the position of an order until its own is handed over: a negative number, which no real position is. */
  #placeOf(order: OrderId): number {
    return this.#orders.get(order)?.place ?? -this.#orders.size - 1;
  }

  /** Moves what a fact is about. Returns what is wrong if that is not possible. */
  #take(raw: RawFact): string | undefined {
    try {
      if (raw.order === undefined) {
        const fact = decodeFact(raw);
        if (fact.type === 'row-set-aside' && fact.leftOut) this.#leftOut.add(fact.row);
        return undefined;
      }
      const folded = foldNext(this.#orders.get(raw.order)?.folded, raw);
      this.#orders.set(raw.order, { place: this.#placeOf(raw.order), folded });
      return undefined;
    } catch (error) {
      if (!(error instanceof InvariantError || error instanceof SyntaxError || error instanceof TypeError)) throw error;
      return `fact ${raw.seq}: cannot follow the facts before it (${error.message})`;
    }
  }

  *#plan(raw: RawFact): Generator<string> {
    const planned = decodeFact(raw) as BatchPlanned; // its type was checked, and it was decoded just now
    const header = planned.header as BatchHeader; // recorded as a header
    const { beginsAfter = 0 } = planned;
    if (beginsAfter !== this.#beginsAfter) yield `fact ${raw.seq}: has other facts of its batch before it`;
    const { id, key, fingerprint, plannedAt } = header;
    if (id !== this.#batch) yield `fact ${raw.seq}: plans batch ${id}, but is among the facts of batch ${this.#batch}`;
    this.#header = header;
    yield* this.#insert(`batch ${id}`, INSERT_BATCH, [
      id,
      key,
      fingerprint,
      plannedAt,
      encodeRecord(header),
      beginsAfter,
    ]);
  }

  /** Takes the texts of an order, to which its plan commits. Yields what is wrong. */
  *order({ position, id, kept }: EvidenceOrder): Generator<string> {
    const given = this.#orders.get(id);
    if (!given) {
      yield `order ${id}: no fact has planned it`;
      return;
    }
    const { place, folded } = given;
    const { attempt, submission, phase, outcome, alarmed, superseded } = indexOf(folded.state);
    const index = [attempt, submission, phase, outcome, folded.version, alarmed, superseded];
    yield* this.#insert(`order ${id}`, INSERT_ORDER, [position, id, this.#batch, ...index]);
    yield* this.#insert(`order ${id}`, PLACE_FACTS, [position, place]);
    for (const owner of ownersIn(folded)) this.#owners.set(owner.line.row, owner);
    const texts = kept ? [kept.body, kept.origin, bytesOf(kept.salt)] : [null, null, null];
    yield* this.#insert(`order ${id}`, INSERT_BODY, [position, ...texts]);
  }

  /** Takes what the sheet said about a row, to which its plan commits. Yields what is wrong. */
  *row({ row, text, salt }: EvidenceRow): Generator<string> {
    const sheet = salt === undefined ? leftIn(text) : columnsIn(text);
    if (!sheet || sheet[0] !== row) {
      yield `row ${row}: the text is not that of a row`;
      return;
    }
    const { order_id, trace, charge_minor, outcome, fee_minor } = saidOfRow(
      this.#owners.get(row),
      this.#leftOut.has(row),
    );
    const said = [order_id, trace, charge_minor, outcome, fee_minor];
    yield* this.#insert(`row ${row}`, INSERT_ROW, [
      this.#batch,
      ...sheet,
      salt === undefined ? null : bytesOf(salt),
      ...said,
    ]);
  }

  /** Yields everything that disagrees, once everything was handed over. */
  async *differences(): AsyncGenerator<string> {
    yield* this.#texts.unpurged(this.#proven.purges);
    if (!this.#header) {
      yield `batch ${this.#batch}: no fact has planned it`;
      return;
    }
    this.#orders.clear();
    this.#owners.clear();
    yield* batchDifferences(this.#reader, this.#header);
  }

  /** Returns number and hash of the fact at this place in the ledger, or `undefined` if the batch has none there. */
  factAt(seq: number): { readonly number: number; readonly hash: string } | undefined {
    const [found] = this.#connection.all(FACT_AT, [seq]);
    return found && { number: Number(found['number']), hash: hexOf(found, 'hash') };
  }

  /**
   * Reports whether one key handed over to the other, directly or through the keys between them, each by a change that it
   * signed.
   */
  isHandedOn(from: string, to: string): boolean {
    const changes = this.#proven.keyChanges;
    const first = changes.findIndex((change) => change.from === from);
    return first !== -1 && changes.slice(first).some((change) => change.to === to);
  }

  /** Returns the evidence as a ledger hands it out, for making results from it. The header must be there. */
  evidence(head: LedgerHead): BatchEvidence {
    invariant(this.#header, 'evidence has a header');
    return evidenceIn(this.#reader, { ledger: this.#ledger, header: this.#header, head });
  }

  /** Yields the SHA-256 of the body of every order of the first attempt, as a plan states it. A purge leaves no bodies. */
  *firstBodies(): Generator<{ readonly id: string; readonly body: string }> {
    for (let after = 0; ; ) {
      const rows = this.#connection.all(FIRST_BODIES, [after]);
      const last = rows.at(-1);
      if (!last) return;
      for (const row of rows) yield { id: textOf(row, 'id'), body: sha256(textsIn(row).body) };
      after = numberOf(last, 'position');
    }
  }

  *#insert(what: string, sql: string, values: readonly SqlValue[]): Generator<string> {
    try {
      this.#connection.run(sql, values);
    } catch (error) {
      if (!isSqlite(error) && !(error instanceof TypeError || error instanceof RangeError)) throw error;
      yield `${what}: cannot be (${(error as Error).message})`;
    }
  }
}

const isText = (value: unknown): value is string | null => value === null || typeof value === 'string';

/** Returns the columns of a row in the order of the table, read from its text; `undefined` if the text is not a row. */
function columnsIn(text: string): readonly SqlValue[] | undefined {
  const read = listIn(text);
  const [row, kind, reference, name, amount, currency, payout, payee, texts, issues, ...more] = read ?? [];
  const words = [kind, reference, name, currency, payout, payee, texts, issues];
  if (typeof row !== 'number' || more.length > 0 || !words.every(isText)) return undefined;
  const minor = minorIn(amount);
  if (minor === undefined) return undefined;
  return [row, kind, reference, name, minor, currency, payout, payee, texts, issues] as readonly SqlValue[];
}

/** Like `columnsIn`, but for the text of what a purge has left of a row. */
function leftIn(text: string): readonly SqlValue[] | undefined {
  const [row, kind, amount, currency, ...more] = listIn(text) ?? [];
  const minor = minorIn(amount);
  if (typeof row !== 'string' || !isText(kind) || !isText(currency) || more.length > 0) return undefined;
  if (minor === undefined || !/^[1-9]\d{0,8}$/.test(row)) return undefined;
  return [Number(row), kind, null, null, minor, currency, null, null, '[]', '[]'];
}

function minorIn(amount: unknown): bigint | null | undefined {
  if (amount === null) return null;
  return typeof amount === 'string' && /^[1-9]\d{0,17}$/.test(amount) ? BigInt(amount) : undefined;
}

function listIn(text: string): RowColumns | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? (value as unknown as RowColumns) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

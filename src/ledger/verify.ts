/**
 * Proof that the ledger is sound: the chain of facts is whole, and every projection is what its facts say. It trusts
 * nothing but the facts. Run it while nobody writes: it reads in blocks, not from one moment.
 */

import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import { counted } from '../domain/counted.ts';
import type { Fact } from '../domain/fact.ts';
import { type BatchId, sha256 } from '../domain/ids.ts';
import { InvariantError } from '../domain/invariant.ts';
import { encodeRecord } from '../domain/json.ts';
import {
  advance,
  isSuperseded,
  type LineState,
  type OrderState,
  outcomeOfLine,
  standingAlarms,
} from '../domain/order.ts';
import type { Outcome } from '../domain/outcome.ts';
import { batches, resultRows } from './batches.ts';
import { type ChainHead, factHash } from './chain.ts';
import { type Database, minorOf, numberOf, type SqlRow, textOf } from './database.ts';
import { type RawFact, rawFacts } from './facts.ts';
import { feeOf, standingOf } from './orders.ts';
import { decodeFact, encodeLines, encodeState } from './record-text.ts';

/** After so many differences more of them tell nobody anything new. */
const MOST_DIFFERENCES = 1000;

const BLOCK_ORDERS = 500;

const ORDERS = `SELECT o.position, o.id, o.attempt, o.submission, o.body_sha256, o.phase, o.standing, o.version, o.alarmed, o.superseded,
  o.state, o.lines, b.body, b.origin FROM pay_order o JOIN order_body b ON b.position = o.position WHERE o.batch = ? AND o.position > ? ORDER BY o.position LIMIT ?`;
/** What a payout says that is kept in columns of its own, for sums and for finding a payee again. */
const COPIES = `SELECT sheet_row, kind, reference, name, payee, amount_minor, currency FROM payout
  WHERE batch = ? AND sheet_row >= ? AND sheet_row <= ? ORDER BY sheet_row`;
const FEES = 'SELECT SUM(fee_minor) AS fees FROM payout WHERE batch = ?';

interface Replayed {
  readonly state: OrderState;
  readonly bodySha256: string;
  readonly originSha256: string;
  /** Facts of the order so far. */
  readonly version: number;
}

/** Everything that does not agree, in plain words; empty when the ledger is sound. At most 1000 are told. */
export async function verify(database: Database, start: ChainHead): Promise<readonly string[]> {
  const differences: string[] = [];
  for await (const difference of allDifferences(database, start)) {
    differences.push(difference);
    if (differences.length >= MOST_DIFFERENCES) break;
  }
  return differences;
}

async function* allDifferences(database: Database, start: ChainHead): AsyncGenerator<string> {
  const known = new Set<string>();
  for (const header of await batches(database)) {
    known.add(header.id);
    yield* batchDifferences(database, header);
  }
  let { seq, hash } = start;
  for await (const block of rawFacts(database)) {
    for (const fact of block) {
      seq += 1;
      if (fact.seq !== seq) yield `fact ${seq}: missing; the next one is ${fact.seq}`;
      if (fact.prevHash !== hash) yield `fact ${fact.seq}: does not follow the fact before it`;
      if (factHash(fact.prevHash, fact) !== fact.hash) yield `fact ${fact.seq}: was changed (its hash differs)`;
      if (!known.has(fact.batch)) yield `fact ${fact.seq}: its batch ${fact.batch} is missing`;
      seq = fact.seq;
      hash = fact.hash;
    }
  }
}

async function* batchDifferences(database: Database, header: BatchHeader): AsyncGenerator<string> {
  const replayed = new Map<string, Replayed>();
  let plans = 0;
  for await (const block of rawFacts(database, header.id)) {
    for (const raw of block) {
      const wrong = raw.type === 'batch-planned' ? planDifference(raw, header) : replay(replayed, raw);
      if (raw.type === 'batch-planned') plans += 1;
      if (wrong !== undefined) yield wrong;
    }
  }
  if (plans !== 1) yield `batch ${header.id}: planned by ${plans} facts`;
  yield* payoutDifferences(database, header, replayed);
  yield* orderDifferences(database, header.id, replayed);
}

function planDifference(raw: RawFact, header: BatchHeader): string | undefined {
  const same = raw.data === encodeRecord({ header });
  return same ? undefined : `batch ${header.id}: its header differs from fact ${raw.seq}`;
}

/** Moves one order by one fact; says what is wrong when the fact cannot be. */
function replay(replayed: Map<string, Replayed>, raw: RawFact): string | undefined {
  if (raw.order === undefined) return undefined;
  try {
    const fact = decodeFact(raw) as Fact; // it names an order
    const before = replayed.get(raw.order);
    const hashes = fact.type === 'order-planned' ? fact : before;
    replayed.set(raw.order, {
      state: advance(before?.state, fact),
      bodySha256: hashes?.bodySha256 ?? '',
      originSha256: hashes?.originSha256 ?? '',
      version: (before?.version ?? 0) + 1,
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof InvariantError || error instanceof SyntaxError)) throw error;
    return `fact ${raw.seq}: cannot follow the facts before it (${error.message})`;
  }
}

async function* payoutDifferences(
  database: Database,
  { id, rows, payable, total }: BatchHeader,
  replayed: ReadonlyMap<string, Replayed>,
): AsyncGenerator<string> {
  const seen = { rows: 0, payable: 0, total: 0n, fees: 0n };
  for await (const block of resultRows(database, id)) {
    yield* copyDifferences(database, id, block);
    for (const row of block) {
      const state = row.order && replayed.get(row.order)?.state;
      const line = state?.lines.find((one) => one.trace === row.trace);
      yield* rowDifferences(row, line, state && line ? outcomeOfLine(state, line) : 'invalid');
      seen.rows += 1;
      if (!line) continue;
      seen.payable += 1;
      seen.total += line.amount.minor;
      seen.fees += feeOf(line) ?? 0n;
    }
  }
  const [sum] = await database.read(FEES, [id]);
  const fees = sum ? minorOf(sum, 'fees') : 0n;
  if (fees !== seen.fees) yield `batch ${id}: its fees are ${fees}, but its facts say ${seen.fees}`;
  if (seen.rows !== rows) yield `batch ${id}: has ${counted(seen.rows, 'row')} instead of ${rows}`;
  if (seen.payable !== payable || seen.total !== total.minor) yield `batch ${id}: its control totals differ`;
}

async function* copyDifferences(
  database: Database,
  batch: BatchId,
  block: readonly ResultRow[],
): AsyncGenerator<string> {
  const copies = await database.read(COPIES, [batch, block[0]?.row ?? 0, block.at(-1)?.row ?? 0]);
  for (const [at, { row, payout }] of block.entries()) {
    if (!payout) continue;
    const { kind, reference = null, name, payee, amount } = payout;
    const said = { kind, reference, name, payee, amount_minor: amount.minor, currency: amount.currency };
    const changed = Object.entries(said).flatMap(([column, value]) => (copies[at]?.[column] === value ? [] : [column]));
    if (changed.length > 0) yield `row ${row}: its payout differs from its columns ${changed.join(', ')}`;
  }
}

function* rowDifferences(row: ResultRow, line: LineState | undefined, outcome: Outcome): Generator<string> {
  if (row.outcome !== outcome) yield `row ${row.row}: is ${row.outcome}, but its facts say ${outcome}`;
  if (!line) return;
  if (line.replacedBy) yield `row ${row.row}: its facts say that order ${line.replacedBy} pays it now`;
  if (line.row !== row.row) yield `row ${row.row}: its facts pay row ${line.row}`;
  if (line.amount.minor !== row.payout?.amount.minor) yield `row ${row.row}: its amount was changed`;
}

async function* orderDifferences(
  database: Database,
  batch: BatchId,
  replayed: Map<string, Replayed>,
): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const rows = await database.read(ORDERS, [batch, after, BLOCK_ORDERS]);
    const last = rows.at(-1);
    if (!last) break;
    for (const row of rows) {
      const id = textOf(row, 'id');
      const columns = differingColumns(row, replayed.get(id));
      if (columns.length > 0) yield `order ${id}: differs from its facts in ${columns.join(', ')}`;
      replayed.delete(id);
    }
    after = numberOf(last, 'position');
  }
  for (const id of replayed.keys()) yield `order ${id}: is missing, but has facts`;
}

function differingColumns(row: SqlRow, replayed: Replayed | undefined): readonly string[] {
  if (!replayed) return ['everything'];
  const { state, version, bodySha256, originSha256 } = replayed;
  return [
    ...(textOf(row, 'state') === encodeState(state) ? [] : ['state']),
    ...(textOf(row, 'lines') === encodeLines(state.lines) ? [] : ['lines']),
    ...(textOf(row, 'phase') === state.phase ? [] : ['phase']),
    ...(textOf(row, 'standing') === standingOf(state) ? [] : ['standing']),
    ...(numberOf(row, 'attempt') === state.attempt ? [] : ['attempt']),
    ...(textOf(row, 'submission') === state.submission ? [] : ['submission']),
    ...(numberOf(row, 'alarmed') === (standingAlarms(state).length > 0 ? 1 : 0) ? [] : ['alarmed']),
    ...(numberOf(row, 'superseded') === (isSuperseded(state) ? 1 : 0) ? [] : ['superseded']),
    ...(numberOf(row, 'version') === version ? [] : ['version']),
    ...(textOf(row, 'body_sha256') === bodySha256 ? [] : ['body_sha256']),
    ...(sha256(textOf(row, 'body')) === bodySha256 ? [] : ['body']),
    ...(sha256(textOf(row, 'origin')) === originSha256 ? [] : ['origin']),
  ];
}

/**
 * Proof of one batch: its rows, bodies and states are what its facts say. The facts are replayed by the function that moved the
 * orders, and what they commit to is hashed again.
 */
import { hash } from 'node:crypto';
import type { BatchHeader } from '../domain/batch.ts';
import { counted } from '../domain/counted.ts';
import type { BatchFact, Commitments, Fact } from '../domain/fact.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import { InvariantError } from '../domain/invariant.ts';
import { advance, isSuperseded, type LineState, type OrderState, openAlarms } from '../domain/order.ts';
import { bodyHash, contentText, originHash, ROW_COLUMNS, RowsLeft, storedRowHash } from './commitment.ts';
import { numberOf, type Reader, type SqlRow, textOf } from './database.ts';
import { decodeFact } from './fact-record.ts';
import { type RawFact, rawFacts } from './facts.ts';
import { feeOf, orderOutcomeOf, ownOutcomeOf } from './order-columns.ts';
import { encodeLines, encodeState } from './record-text.ts';

const BLOCK = 500;

const ORDERS = `SELECT o.position, o.id, o.attempt, o.submission, o.phase, o.outcome, o.version, o.alarmed, o.superseded,
  o.state, o.lines, b.body, b.origin, b.salt FROM pay_order o JOIN order_body b ON b.position = o.position
  WHERE o.batch = ? AND o.position > ? ORDER BY o.position LIMIT ?`;
const ROWS = `SELECT ${ROW_COLUMNS}, charge_minor, order_id, trace, outcome, fee_minor FROM payout
  WHERE batch = ? AND sheet_row > ? ORDER BY sheet_row LIMIT ?`;

/** An order as its facts have it: what is read of it later must be the same. */
export interface ProvenOrder {
  /** Facts of the order. */
  readonly version: number;
  /** Of `stateDigest`. */
  readonly state: string;
  /** Of `contentText`, rows included. */
  readonly content: string;
}

/** What tells a state from any other, in a few bytes: one is kept of each order while a run works on its batch. */
export const stateDigest = (state: string, lines: string): string => hash('sha256', `${state}\n${lines}`, 'base64');

interface Replayed {
  readonly state: OrderState;
  readonly version: number;
  readonly commitments: Commitments;
}

/** All that the facts of a batch say of its orders and rows. */
export class Replay {
  readonly orders = new Map<string, Replayed>();
  /** By row: the hash that its plan commits to. */
  readonly rows = new Map<number, string>();
  /** What the people of the batch being deleted has left of its rows (`RowsLeft`); undefined while they are there. */
  left: string | undefined;

  /** Moves one order by one fact; says what is wrong when the fact cannot be. */
  take(raw: RawFact): string | undefined {
    try {
      const fact = decodeFact(raw);
      if (fact.type === 'batch-purged') this.left = fact.left;
      if (fact.type === 'row-set-aside') this.rows.set(fact.row, fact.hash);
      if (raw.order !== undefined) this.#move(raw.order, fact as Fact); // it names an order
      return undefined;
    } catch (error) {
      if (!(error instanceof InvariantError || error instanceof SyntaxError || error instanceof TypeError)) throw error;
      return `fact ${raw.seq}: cannot follow the facts before it (${error.message})`;
    }
  }

  #move(id: OrderId, fact: Exclude<Fact, BatchFact>): void {
    const before = this.orders.get(id);
    const commitments = fact.type === 'order-planned' ? fact.commitments : before?.commitments;
    const state = advance(before?.state, fact);
    this.orders.set(id, { state, version: (before?.version ?? 0) + 1, commitments: commitments ?? NOTHING });
    if (fact.type !== 'order-planned') return;
    for (const [index, { row }] of fact.lines.entries()) {
      const committed = fact.commitments?.rows?.[index];
      if (committed !== undefined) this.rows.set(row, committed);
    }
  }
}

/** No text has this hash, so a plan that commits to nothing never agrees. */
const NOTHING: Commitments = { body: '', origin: '', charges: [] };

/** Tells everything about a batch that does not agree with its facts. What agrees is given to `keep`, order by order. */
export async function* batchDifferences(
  database: Reader,
  header: BatchHeader,
  keep: (position: number, order: ProvenOrder) => void = () => undefined,
): AsyncGenerator<string> {
  const { id } = header;
  const replay = new Replay();
  for await (const block of rawFacts(database, { batch: id })) {
    for (const raw of block) {
      const wrong = replay.take(raw);
      if (wrong !== undefined) yield wrong;
    }
  }
  yield* rowDifferences(database, header, replay);
  yield* orderDifferences(database, id, replay, keep);
}

/** What a row is when it is paid by a line, or by none. */
export interface Owner {
  readonly order: OrderId;
  readonly state: OrderState;
  readonly line: LineState;
  readonly charge: string | null;
}

export function ownersOf({ orders }: Replay): ReadonlyMap<number, Owner> {
  const owners = new Map<number, Owner>();
  for (const { state, commitments } of orders.values()) {
    for (const [index, line] of state.lines.entries()) {
      const charge = commitments.charges[index] ?? null;
      if (!line.replacedBy) owners.set(line.row, { order: state.id, state, line, charge });
    }
  }
  return owners;
}

async function* rowDifferences(
  database: Reader,
  { id, rows, payable, total }: BatchHeader,
  replay: Replay,
): AsyncGenerator<string> {
  const owners = ownersOf(replay);
  const seen = { rows: 0, payable: 0, total: 0n };
  const left = new RowsLeft();
  for (let after = 0; ; ) {
    const block = await database.read(ROWS, [id, after, BLOCK]);
    const last = block.at(-1);
    if (!last) break;
    for (const stored of block) {
      const row = numberOf(stored, 'sheet_row');
      const owner = owners.get(row);
      seen.rows += 1;
      if (replay.left !== undefined) left.add(stored);
      if (owner) {
        seen.payable += 1;
        seen.total += owner.line.amount.minor;
      }
      const wrong = rowDifference(stored, replay, owner);
      if (wrong !== undefined) yield `row ${row} of batch ${id}: ${wrong}`;
    }
    after = numberOf(last, 'sheet_row');
  }
  if (seen.rows !== rows) yield `batch ${id}: has ${counted(seen.rows, 'row')} instead of ${rows}`;
  if (seen.payable !== payable || seen.total !== total.minor) yield `batch ${id}: its control totals differ`;
  if (replay.left !== undefined && replay.left !== left.value())
    yield `batch ${id}: its rows differ from what its purge left`;
}

function rowDifference(stored: SqlRow, { rows, left }: Replay, owner: Owner | undefined): string | undefined {
  const committed = rows.get(numberOf(stored, 'sheet_row'));
  if (committed === undefined) return 'no fact has planned it';
  if (left !== undefined) {
    if (!isPurgedRow(stored)) return 'says of people what was purged';
  } else if (stored['salt'] === null || storedRowHash(stored) !== committed)
    return 'what the sheet said of it was changed';
  const wrong = Object.entries(saidOfRow(owner)).flatMap(([column, value]) =>
    stored[column] === value ? [] : [column],
  );
  return wrong.length > 0 ? `differs from its facts in ${wrong.join(', ')}` : undefined;
}

/** What the facts say of a row beyond its sheet, as its columns hold it. */
export const saidOfRow = (owner: Owner | undefined) =>
  owner
    ? {
        order_id: owner.order,
        trace: owner.line.trace,
        charge_minor: owner.charge === null ? null : BigInt(owner.charge),
        outcome: ownOutcomeOf(owner.state, owner.line),
        fee_minor: feeOf(owner.line),
      }
    : { order_id: null, trace: null, charge_minor: null, outcome: 'invalid' as const, fee_minor: null };

/** Whether nothing of a row is left that its plan commits to, but what `RowsLeft` is over. */
const isPurgedRow = ({ reference, name, payout, payee, salt, texts, issues }: SqlRow): boolean =>
  [reference, name, payout, payee, salt].every((value) => value === null) && texts === '[]' && issues === '[]';

const isPurgedOrder = ({ body, origin, salt }: SqlRow): boolean => body === '' && origin === '' && salt === null;

async function* orderDifferences(
  database: Reader,
  batch: BatchId,
  replay: Replay,
  keep: (position: number, order: ProvenOrder) => void,
): AsyncGenerator<string> {
  const left = new Set(replay.orders.keys());
  for (let after = 0; ; ) {
    const block = await database.read(ORDERS, [batch, after, BLOCK]);
    const last = block.at(-1);
    if (!last) break;
    for (const row of block) {
      const id = textOf(row, 'id');
      const replayed = replay.orders.get(id);
      left.delete(id);
      if (!replayed) {
        yield `order ${id}: no fact has planned it`;
        continue;
      }
      const texts = { state: encodeState(replayed.state), lines: encodeLines(replayed.state.lines) };
      const columns = differingColumns(row, replayed, texts, replay);
      if (columns.length > 0) yield `order ${id}: differs from its facts in ${columns.join(', ')}`;
      else keep(numberOf(row, 'position'), provenOf(replayed, texts, replay));
    }
    after = numberOf(last, 'position');
  }
  for (const id of left) yield `order ${id}: is missing, but has facts`;
}

function provenOf(
  { state, version, commitments }: Replayed,
  texts: { readonly state: string; readonly lines: string },
  { rows }: Replay,
): ProvenOrder {
  const committed = state.lines.map(({ row }) => rows.get(row) ?? '');
  return {
    version,
    state: stateDigest(texts.state, texts.lines),
    content: contentText({ ...commitments, rows: committed }),
  };
}

/** Whether the bytes of an order, and what they were made of, are what its plan commits to, or are gone by a purge. */
function sameTexts(row: SqlRow, commitments: Commitments, isPurged: boolean): Readonly<Record<string, boolean>> {
  if (isPurged || row['salt'] === null) return { body: isPurged && isPurgedOrder(row) };
  const [body, origin, salt] = [textOf(row, 'body'), textOf(row, 'origin'), textOf(row, 'salt')];
  const kept = { position: numberOf(row, 'position'), body, origin, salt };
  return { body: bodyHash(kept) === commitments.body, origin: originHash(kept) === commitments.origin };
}

function differingColumns(
  row: SqlRow,
  { state, version, commitments }: Replayed,
  texts: { readonly state: string; readonly lines: string },
  { left }: Replay,
): readonly string[] {
  const same: Readonly<Record<string, boolean>> = {
    state: textOf(row, 'state') === texts.state,
    lines: textOf(row, 'lines') === texts.lines,
    phase: textOf(row, 'phase') === state.phase,
    outcome: textOf(row, 'outcome') === orderOutcomeOf(state),
    attempt: numberOf(row, 'attempt') === state.attempt,
    submission: textOf(row, 'submission') === state.submission,
    alarmed: numberOf(row, 'alarmed') === (openAlarms(state).length > 0 ? 1 : 0),
    superseded: numberOf(row, 'superseded') === (isSuperseded(state) ? 1 : 0),
    version: numberOf(row, 'version') === version,
    ...sameTexts(row, commitments, left !== undefined),
  };
  return Object.entries(same).flatMap(([column, agrees]) => (agrees ? [] : [column]));
}

/** Proof of orders: their bodies and states are what their facts say. */
import type { Commitments } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { isSuperseded, openAlarms } from '../domain/order.ts';
import { bodyHash, originHash } from './commitment.ts';
import { hexOf, numberOf, type Reader, type SqlRow, textOf } from './database.ts';
import { orderOutcomeOf } from './order-columns.ts';
import { type Part, within } from './order-ranges.ts';
import { rowsSeal, stateSeal, textsSeal } from './order-seal.ts';
import { encodeState, type StateTexts } from './record-text.ts';
import type { Replay, Replayed } from './replay.ts';
import { SealBroken, type Seals } from './seals.ts';
import { textsIn } from './stored-order.ts';

const BLOCK = 500;

/** An order as its facts leave it, with the texts of that state. */
type WithTexts = Replayed & { readonly texts: StateTexts };

const ORDERS = `SELECT o.position, o.id, o.attempt, o.submission, o.phase, o.outcome, o.version, o.alarmed, o.superseded,
  o.state, o.lines, b.body, b.origin, b.salt FROM pay_order o JOIN order_body b ON b.position = o.position
  WHERE o.batch = ? AND o.position > ?`;

export async function* orderDifferences(
  { database, batch, orders }: Part,
  replay: Replay,
  seals?: Seals,
): AsyncGenerator<string> {
  const left = new Set(replay.orders.keys());
  const { sql, values } = within('o.id', orders);
  for (let after = 0; ; ) {
    const block = await database.read(`${ORDERS}${sql} ORDER BY o.position LIMIT ?`, [batch, after, ...values, BLOCK]);
    const last = block.at(-1);
    if (!last) break;
    yield* loading(database, seals, block);
    for (const row of block) {
      const id = textOf(row, 'id');
      const replayed = replay.orders.get(id);
      left.delete(id);
      if (!replayed) {
        yield `order ${id}: no fact has planned it`;
        continue;
      }
      const texts = encodeState(replayed.state);
      const columns = differingColumns(row, { ...replayed, texts }, replay);
      if (columns.length > 0) yield `order ${id}: differs from its facts in ${columns.join(', ')}`;
      else if (seals && !isSealed(seals, numberOf(row, 'position'), batch, { ...replayed, texts }, replay))
        yield `order ${id}: its seal differs from its facts`;
    }
    after = numberOf(last, 'position');
  }
  for (const id of left) yield `order ${id}: is missing, but has facts`;
}

/** Loads the seals of a block, and tells when they are not those of the signed root. */
async function* loading(database: Reader, seals: Seals | undefined, block: readonly SqlRow[]): AsyncGenerator<string> {
  try {
    await seals?.load(
      database,
      block.map((row) => numberOf(row, 'position')),
    );
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    yield error.message;
  }
}

/** Whether the seal of an order is what its facts say. */
function isSealed(
  seals: Seals,
  position: number,
  batch: BatchId,
  { state, version, commitments, texts }: WithTexts,
  { rows }: Replay,
): boolean {
  const seal = seals.sealOf(position);
  const committed = state.lines.map(({ row }) => rows.get(row) ?? '');
  return (
    seal?.version === version &&
    seal.state.equals(stateSeal(texts)) &&
    seal.texts.equals(textsSeal(batch, commitments)) &&
    seal.rows.equals(rowsSeal({ ...commitments, rows: committed }))
  );
}

/** Whether the text of an order, and what it was made of, are what its plan commits to, or are gone by a purge. */
function sameTexts(row: SqlRow, commitments: Commitments, isPurged: boolean): Readonly<Record<string, boolean>> {
  const { body, origin, salt } = row;
  if (isPurged) return { body: body === null && salt === null, origin: origin === null };
  const kept = { position: numberOf(row, 'position'), ...textsIn(row), salt: hexOf(row, 'salt') };
  return { body: bodyHash(kept) === commitments.body, origin: originHash(kept) === commitments.origin };
}

function differingColumns(
  row: SqlRow,
  { state, version, commitments, texts }: WithTexts,
  { left }: Replay,
): readonly string[] {
  const same: Readonly<Record<string, boolean>> = {
    state: row['state'] === texts.state,
    lines: row['lines'] === texts.lines,
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

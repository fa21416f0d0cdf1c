/** Proof of rows: what the tables say of each is what its plan commits to, and what the facts of its order say of it. */
import type { BatchId } from '../domain/ids.ts';
import { ROW_COLUMNS, RowsLeft, storedRowHash } from './commitment.ts';
import { numberOf, type Reader, type SqlRow } from './database.ts';
import { feeOf, ownOutcomeOf } from './order-columns.ts';
import { everyOrder, type Part, within } from './order-ranges.ts';
import { type Owner, ownersOf, type Replay } from './replay.ts';

const BLOCK = 500;

const ROWS = `SELECT ${ROW_COLUMNS}, charge_minor, order_id, trace, outcome, fee_minor FROM payout
  WHERE batch = ? AND sheet_row > ?`;

async function* storedRows({ database, batch, orders }: Part): AsyncGenerator<readonly SqlRow[]> {
  const { sql, values } = within('order_id', orders);
  for (let after = 0; ; ) {
    const block = await database.read(`${ROWS}${sql} ORDER BY sheet_row LIMIT ?`, [batch, after, ...values, BLOCK]);
    const last = block.at(-1);
    if (!last) return;
    yield block;
    after = numberOf(last, 'sheet_row');
  }
}

/** `seen` counts the rows of all parts: one that the tables give to an order of another part is paid by nobody there. */
export async function* rowDifferences(
  part: Part,
  replay: Replay,
  seen: { rows: number; payable: number; total: bigint },
): AsyncGenerator<string> {
  const owners = ownersOf(replay);
  for await (const block of storedRows(part)) {
    for (const stored of block) {
      const row = numberOf(stored, 'sheet_row');
      const owner = owners.get(row);
      seen.rows += 1;
      if (owner) {
        seen.payable += 1;
        seen.total += owner.line.amount.minor;
      }
      const wrong = rowDifference(stored, replay, owner);
      if (wrong !== undefined) yield `row ${row} of batch ${part.batch}: ${wrong}`;
    }
  }
}

function rowDifference(stored: SqlRow, { rows, left, leftOut }: Replay, owner: Owner | undefined): string | undefined {
  const row = numberOf(stored, 'sheet_row');
  const committed = rows.get(row);
  if (committed === undefined) return 'no fact has planned it';
  if (left !== undefined) {
    if (!isPurgedRow(stored)) return 'says of people what was purged';
  } else if (stored['salt'] === null || storedRowHash(stored) !== committed)
    return 'what the sheet said of it was changed';
  const wrong = Object.entries(saidOfRow(owner, leftOut.has(row))).flatMap(([column, value]) =>
    stored[column] === value ? [] : [column],
  );
  return wrong.length > 0 ? `differs from its facts in ${wrong.join(', ')}` : undefined;
}

/** What the facts say of a row beyond its sheet, as its columns hold it. `isLeftOut`: of one without an owner. */
export const saidOfRow = (owner: Owner | undefined, isLeftOut: boolean) =>
  owner
    ? {
        order_id: owner.order,
        trace: owner.line.trace,
        charge_minor: owner.charge === null ? null : BigInt(owner.charge),
        outcome: ownOutcomeOf(owner.state, owner.line),
        fee_minor: feeOf(owner.line),
      }
    : { ...ofNoOrder, outcome: isLeftOut ? ('left-out' as const) : ('invalid' as const) };

const ofNoOrder = { order_id: null, trace: null, charge_minor: null, fee_minor: null };

/** Whether nothing of a row is left that its plan commits to, but what `RowsLeft` is over. */
const isPurgedRow = ({ reference, name, payout, payee, salt, texts, issues }: SqlRow): boolean =>
  [reference, name, payout, payee, salt].every((value) => value === null) && texts === '[]' && issues === '[]';

/** What is left of the rows of a purged batch, in sheet order. */
export async function rowsLeft(database: Reader, batch: BatchId): Promise<string> {
  const left = new RowsLeft();
  for await (const block of storedRows({ database, batch, orders: everyOrder })) for (const row of block) left.add(row);
  return left.value();
}

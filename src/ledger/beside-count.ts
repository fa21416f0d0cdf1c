/**
 * Counts the rows of a batch beside one lane. It is asked before each claim, so only the pieces of the sheet are counted anew in which
 * an order has moved since.
 */
import type { Tally } from '../domain/batch.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { Money } from '../domain/money.ts';
import { type Outcome, outcomes } from '../domain/outcome.ts';
import { BESIDE_LANE, findBatch, OUTCOME } from './batches.ts';
import { minorOf, numberOf, type Reader, type SqlRow, textOf } from './database.ts';
import { lastFactOf } from './signed-head.ts';
import type { Span } from './span.ts';
import { linesIn } from './state-texts.ts';
import { Turns } from './turns.ts';

/** The rows of a batch beside one lane. */
export interface BesideLane {
  readonly tallies: readonly Tally[];
  /** Sum of what their fees are above the charges that were quoted for them. */
  readonly aboveQuotes: Money;
}

/** Rows of the sheet that are counted together. */
const PIECE_ROWS = 128;
const SUMS = `${OUTCOME} AS outcome, COUNT(*) AS number, COALESCE(SUM(p.amount_minor), 0) AS amount, COALESCE(SUM(p.fee_minor), 0) AS fees,
  COALESCE(SUM(o.superseded), 0) AS superseded_rows,
  COALESCE(SUM(CASE WHEN p.fee_minor > p.charge_minor THEN p.fee_minor - p.charge_minor ELSE 0 END), 0) AS above`;
const WHOLE = `SELECT p.sheet_row / ${PIECE_ROWS} AS piece, ${SUMS} FROM payout p LEFT JOIN pay_order o ON o.id = p.order_id
  WHERE p.batch = ? AND ${BESIDE_LANE} GROUP BY p.sheet_row / ${PIECE_ROWS}, ${OUTCOME}`;
const PIECE = `SELECT ${SUMS} FROM payout p LEFT JOIN pay_order o ON o.id = p.order_id
  WHERE p.batch = ? AND p.sheet_row >= ? AND p.sheet_row < ? AND ${BESIDE_LANE} GROUP BY ${OUTCOME}`;
const MOVED = `SELECT DISTINCT o.lines FROM fact f JOIN pay_order o ON o.id = f.order_id
  WHERE f.batch = ? AND f.seq > ? AND f.seq <= ? AND NOT (o.position > ? AND o.position <= ?)`;

interface Sums {
  readonly outcome: Outcome;
  readonly count: number;
  readonly amount: bigint;
  readonly fees: bigint;
  readonly superseded: number;
  readonly above: bigint;
}

/** Gives what counts them, each time as they are then. */
export function besideCount(database: Reader, batch: BatchId, span: Span): () => Promise<BesideLane> {
  const count = new BesideCount(database, batch, span);
  return () => count.now();
}

class BesideCount {
  readonly #database: Reader;
  readonly #batch: BatchId;
  readonly #span: Span;
  readonly #turns = new Turns();
  #currency: CurrencyCode | undefined;
  /** Of each piece with rows beside the lane. */
  readonly #pieces = new Map<number, readonly Sums[]>();
  readonly #sums = new Map<Outcome, Sums>();
  /** The last fact of the batch whose order is counted as it left it, or later. */
  #countedTo: number | undefined;

  constructor(database: Reader, batch: BatchId, span: Span) {
    [this.#database, this.#batch, this.#span] = [database, batch, span];
  }

  /** The rows as they stand now. What moves while they are counted may be in it, and is counted again the next time. */
  async now(): Promise<BesideLane> {
    await this.#turns.take(() => this.#count());
    return this.#told();
  }

  async #count(): Promise<void> {
    const last = await lastFactOf(this.#database, this.#batch);
    if (this.#countedTo === undefined) await this.#countAll();
    else if (last > this.#countedTo) {
      const moved = await this.#movedPieces(this.#countedTo, last);
      await Promise.all(moved.map((piece) => this.#countPiece(piece)));
    }
    this.#countedTo = last;
  }

  async #movedPieces(after: number, to: number): Promise<readonly number[]> {
    const { after: before, upTo } = this.#span;
    const moved = await this.#database.read(MOVED, [this.#batch, after, to, before, upTo]);
    return [...new Set(moved.flatMap((row) => linesIn(row).map((line) => Math.floor(line.row / PIECE_ROWS))))];
  }

  async #countAll(): Promise<void> {
    const { after, upTo } = this.#span;
    const rows = await this.#database.read(WHOLE, [this.#batch, after, upTo]);
    for (const [piece, counted] of Map.groupBy(rows, (row) => numberOf(row, 'piece'))) this.#put(piece, counted);
  }

  async #countPiece(piece: number): Promise<void> {
    const { after, upTo } = this.#span;
    const from = piece * PIECE_ROWS;
    this.#put(piece, await this.#database.read(PIECE, [this.#batch, from, from + PIECE_ROWS, after, upTo]));
  }

  #put(piece: number, rows: readonly SqlRow[]): void {
    for (const sums of this.#pieces.get(piece) ?? []) this.#add(sums, -1);
    const counted = rows.map(sumsIn);
    for (const sums of counted) this.#add(sums, 1);
    this.#pieces.set(piece, counted);
  }

  #add({ outcome, count, amount, fees, superseded, above }: Sums, sign: 1 | -1): void {
    const before = this.#sums.get(outcome) ?? { count: 0, amount: 0n, fees: 0n, superseded: 0, above: 0n };
    this.#sums.set(outcome, {
      outcome,
      count: before.count + sign * count,
      amount: before.amount + BigInt(sign) * amount,
      fees: before.fees + BigInt(sign) * fees,
      superseded: before.superseded + sign * superseded,
      above: before.above + BigInt(sign) * above,
    });
  }

  async #told(): Promise<BesideLane> {
    this.#currency ??= (await findBatch(this.#database, this.#batch))?.currency;
    const currency = this.#currency;
    invariant(currency, `batch ${this.#batch} is in the ledger`);
    const found = outcomes.flatMap((outcome) => this.#sums.get(outcome) ?? []).filter(({ count }) => count > 0);
    const tallies = found.map(
      ({ outcome, count, amount, fees, superseded }): Tally => ({
        outcome,
        count,
        amount: { minor: amount, currency },
        fees: { minor: fees, currency },
        ...(superseded > 0 && { superseded }),
      }),
    );
    return { tallies, aboveQuotes: { minor: found.reduce((sum, { above }) => sum + above, 0n), currency } };
  }
}

const sumsIn = (row: SqlRow): Sums => ({
  outcome: textOf(row, 'outcome') as Outcome, // the schema admits no other
  count: numberOf(row, 'number'),
  amount: minorOf(row, 'amount'),
  fees: minorOf(row, 'fees'),
  superseded: numberOf(row, 'superseded_rows'),
  above: minorOf(row, 'above'),
});

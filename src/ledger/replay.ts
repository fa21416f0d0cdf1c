/** The facts of a batch, replayed by the function that moved its orders. */
import type { BatchFact, Commitments, Fact } from '../domain/fact.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import { InvariantError } from '../domain/invariant.ts';
import { advance, type LineState, type OrderState } from '../domain/order.ts';
import type { Reader } from './database.ts';
import { decodeFact } from './fact-record.ts';
import { type RawFact, rawFacts } from './facts.ts';

/** Facts by which a plan commits to rows, or a purge to what it left of them. */
const COMMITTING = ['order-planned', 'row-set-aside', 'batch-purged'] as const;

/** An order as its facts leave it. */
export interface Replayed {
  readonly state: OrderState;
  readonly version: number;
  readonly commitments: Commitments;
}

/** All that the facts of a batch say of its orders and rows. */
export class Replay {
  readonly orders = new Map<string, Replayed>();
  /** By row: the hash that its plan commits to. */
  readonly rows: Map<number, string>;
  /** What the people of the batch being deleted has left of its rows (`RowsLeft`); undefined while they are there. */
  left: string | undefined;
  /** Rows that the sheet leaves out on purpose. */
  readonly leftOut: Set<number>;

  constructor(rows = new Map<number, string>(), leftOut = new Set<number>()) {
    this.rows = rows;
    this.leftOut = leftOut;
  }

  /** Moves one order by one fact; says what is wrong when the fact cannot be. */
  take(raw: RawFact): string | undefined {
    try {
      const fact = decodeFact(raw);
      if (fact.type === 'batch-purged') this.left = fact.left;
      if (fact.type === 'row-set-aside') {
        this.rows.set(fact.row, fact.hash);
        if (fact.leftOut) this.leftOut.add(fact.row);
      }
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

/** What is to be known of all rows before a part of them is proven: a row of a retry was planned by an order of any part. */
export async function plannedIn(database: Reader, batch: BatchId): Promise<Replay> {
  const planned = new Replay();
  for await (const block of rawFacts(database, { batch, types: COMMITTING })) {
    const some = new Replay(planned.rows, planned.leftOut);
    // What is wrong with one is told with its part.
    for (const raw of block) some.take(raw);
    planned.left ??= some.left;
  }
  return planned;
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

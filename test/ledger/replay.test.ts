import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/domain/fact.ts';
import { decimalOf } from '../../src/domain/money.ts';
import { advance, isSuperseded, type OrderState, outcomeOfLine } from '../../src/domain/order.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { StoredOrder } from '../../src/ledger/orders.ts';
import { open, planOf, reportOf } from './builders.ts';

interface Draw {
  readonly order: number;
  readonly what: number;
  readonly status: number;
  readonly whole: boolean;
}

const draws = fc.array(
  fc.record({
    order: fc.nat(2),
    what: fc.nat(99),
    status: fc.constantFrom(0, 4, 4, 7, 8, 99),
    whole: fc.boolean(),
  }),
  { maxLength: 40 },
);

/** A fact that the state allows, or undefined when the order is to be claimed. */
function legalFact(state: OrderState, { what, status, whole }: Draw, at: number): Fact | undefined {
  const { id: order, phase, lines } = state;
  if (phase === 'planned') return undefined;
  const reported = whole ? lines : lines.slice(0, 1);
  const reports = reported.map((line) => reportOf(line.trace, what % 7 ? decimalOf(line.amount) : '1.00', status));
  const observed: Fact = { type: 'order-observed', order, at, processed: what % 2 === 0, lines: reports };
  const always: Fact[] = [
    observed,
    observed,
    { type: 'order-unknown', order, at },
    { type: 'order-overdue', order, at },
    { type: 'order-alarmed', order, at, reason: 'two lines with one trace number' },
  ];
  const answered: Fact = { type: 'order-answered', order, at, tag: whole ? 'accepted' : 'ambiguous', reason: 'HTTP' };
  if (phase === 'claimed') return [answered, answered, ...always][what % 7];
  if (phase === 'in-doubt') return [undefined, { type: 'order-refused', order, at } as const, ...always][what % 7];
  return always[what % 5];
}

/** Draws from here on are later batches. */
const FROM_LATER = 90;

/** Plans a batch that holds the first line of an order, or all of them. */
async function supersede(ledger: Ledger, { batch, state }: StoredOrder, whole: boolean, index: number) {
  const { header, blocks } = planOf({ name: `later-${index}`, rows: 1 });
  const traces = state.lines.slice(0, whole ? state.lines.length : 1).map(({ trace }) => trace);
  await ledger.planBatch(header, blocks, [{ batch, order: state.id, traces }]);
  const after = await ledger.findOrder(batch, state.id);
  if (!after) throw new Error('the order is still there');
  const fact: Fact = { type: 'order-superseded', order: state.id, at: header.plannedAt, traces, by: header.id };
  return { after, fact };
}

interface Play {
  readonly ledger: Ledger;
  readonly epoch: number;
  readonly index: number;
}

/** What a draw does to an order, and by which fact; one that may not be claimed stays as it is. */
async function play({ ledger, epoch, index }: Play, order: StoredOrder, draw: Draw) {
  if (draw.what >= FROM_LATER) return supersede(ledger, order, draw.whole, index);
  const { state } = order;
  const at = 1000 + index;
  const fact = legalFact(state, draw, at);
  if (!fact && isSuperseded(state)) {
    await expect(ledger.claim([order], at, epoch, at)).rejects.toThrow(/superseded/);
    return { after: order };
  }
  const [after] = fact
    ? await ledger.record([{ order, facts: [fact], dueAt: at }])
    : await ledger.claim([order], at, epoch, at);
  if (!after) throw new Error('the order is given back');
  return { after, fact: fact ?? ({ type: 'order-claimed', order: state.id, at, epoch } as const) };
}

describe('the state of an order', () => {
  test('is the same through the ledger and through a plain fold, whatever happened', async () => {
    await fc.assert(
      fc.asyncProperty(draws, async (sequence) => {
        const ledger = await open();
        const epoch = await ledger.takeLease();
        const { header, blocks } = planOf({ rows: 6, linesPerOrder: 2 });
        await ledger.planBatch(header, blocks);
        const stored: StoredOrder[] = [...(await ledger.unsentOrders(header.id, 10))];
        const folded: OrderState[] = stored.map((order) => order.state);
        for (const [index, draw] of sequence.entries()) {
          const order = stored[draw.order];
          const state = folded[draw.order];
          if (!order || !state) throw new Error('three orders are planned');
          const next = await play({ ledger, epoch, index }, order, draw);
          stored[draw.order] = next.after;
          if (next.fact) folded[draw.order] = advance(state, next.fact);
        }
        expect(stored.map((order) => order.state)).toEqual(folded);
        const rows = (await Array.fromAsync(ledger.resultRows(header.id))).flat();
        const outcomes = folded.flatMap((state) => state.lines.map((line) => outcomeOfLine(state, line)));
        expect(rows.map((row) => row.outcome)).toEqual(outcomes);
        expect(rows.map((row) => row.state)).toEqual(folded.flatMap((state) => state.lines.map(() => state)));
        const tallies = await ledger.tallies(header.id);
        expect(tallies.reduce((sum, tally) => sum + tally.amount.minor, 0n)).toBe(header.total.minor);
        expect(tallies.reduce((sum, tally) => sum + tally.count, 0)).toBe(header.rows);
        expect(await ledger.verify()).toEqual([]);
        await ledger.close();
      }),
      { numRuns: 20 },
    );
  });
});

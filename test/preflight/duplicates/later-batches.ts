/** Batches of the same payments, planned one after the other as runs do. */
import type { ResultRow } from '../../../src/domain/batch.ts';
import type { OrderId } from '../../../src/domain/ids.ts';
import { isSuperseded } from '../../../src/domain/order.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { heldOrders } from '../../../src/preflight/duplicates/superseded.ts';
import { supersededOf } from '../../../src/preflight/duplicates/superseded-rows.ts';
import { openStaging } from '../../../src/staging/staging.ts';
import { open, type Plan, planOf } from '../../ledger/builders.ts';
import { liveSettings } from '../../support/desk/live-settings.ts';

const DAY_MS = 86_400_000;

type Changes = Partial<typeof liveSettings>;

/** Plans batches one after the other, as runs do: each supersedes what it holds of those before. */
export async function recorded(...plans: readonly Plan[]): Promise<Ledger> {
  const ledger = await open();
  await ledger.takeLease();
  for (const plan of plans) await planIn(ledger, plan);
  return ledger;
}

export async function planIn(ledger: Ledger, plan: Plan, changes: Changes = {}): Promise<void> {
  const { header, blocks } = plan;
  const settings = { ...liveSettings, ...changes };
  using sheet = sheetOf(plan);
  const { orders } = await heldOrders(sheet, { ledger, settings });
  await ledger.planBatch(header, blocks, orders);
}

/** The sheet of a plan, with its rows staged. */
export function sheetOf({ header, blocks }: Plan) {
  const staging = openStaging('check');
  for (const { rows } of blocks)
    staging.add(rows.map(({ row, payout }) => ({ row, ...(payout && { payout }), texts: [], issues: [] })));
  return { ...header, staging, [Symbol.dispose]: () => staging.close() };
}

export async function rowsIn(ledger: Ledger, { header }: Plan): Promise<readonly ResultRow[]> {
  return (await Array.fromAsync(ledger.resultRows(header.id))).flat();
}

/** The rows of a batch that another holds, with that batch. */
export const heldIn = async (ledger: Ledger, plan: Plan) =>
  (await rowsIn(ledger, plan)).flatMap(({ row, line }) => (line?.supersededBy ? [[row, line.supersededBy]] : []));

/** The orders of a batch that no run of it sends any more. */
export const supersededIn = async (ledger: Ledger, plan: Plan): Promise<readonly OrderId[]> => {
  const ids = (await rowsIn(ledger, plan)).flatMap(({ state }) => (state && isSuperseded(state) ? [state.id] : []));
  return [...new Set(ids)];
};

/** The plan as if it had been made so many days later. */
export const daysLater = (days: number, { header, blocks }: Plan): Plan => ({
  header: { ...header, plannedAt: header.plannedAt + days * DAY_MS },
  blocks,
});

/** What is told of what a batch leaves out. */
export const leftOutIn = (ledger: Ledger, { header }: Plan) => supersededOf(header, { ledger, settings: liveSettings });

export const earlier = planOf({ name: 'first', rows: 6, linesPerOrder: 2 });
export const later = planOf({ name: 'second', rows: 3 });
export const idsOf = ({ blocks }: Plan): readonly OrderId[] =>
  blocks.flatMap(({ orders }) => orders.map(({ id }) => id));

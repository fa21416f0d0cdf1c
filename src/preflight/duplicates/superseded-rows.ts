/** Explains rows whose orders were superseded: which rows, by which batch, and what to do about them. */
import type { BatchHeader, ResultRow, SupersededRows } from '../../domain/batch.ts';
import { localDate } from '../../domain/clock.ts';
import { andMore, counted } from '../../domain/counted.ts';
import { Fault } from '../../domain/fault.ts';
import type { BatchId } from '../../domain/ids.ts';
import { moneyText } from '../../domain/money.ts';
import { isDefiniteFailure } from '../../domain/outcome.ts';
import type { GuardDeps } from './duplicate-guard.ts';

/** Most payments that are named for each batch. The count covers the rest. */
const NAMED_MAX = 3;

type SupersededDeps = Pick<GuardDeps, 'ledger' | 'settings'>;

/** Returns what runs of this batch leave out, or `undefined` if they would send every unsent row. */
export async function supersededOf(
  batch: BatchHeader,
  { ledger, settings }: SupersededDeps,
): Promise<SupersededRows | undefined> {
  const isAny = (await ledger.tallies(batch.id)).some(({ superseded = 0 }) => superseded > 0);
  if (!isAny) return undefined;
  const held = new HeldElsewhere(await ledger.batches());
  const counts = { all: 0, unsent: 0, sharing: 0 };
  for await (const block of ledger.resultRows(batch.id)) {
    for (const row of block) {
      if (!row.superseded || isDefiniteFailure(row.outcome)) continue;
      counts.all += 1;
      if (row.outcome === 'unsent') counts.unsent += 1;
      if (row.superseded.batch !== undefined) held.add(row, row.superseded.batch);
      else if (row.outcome === 'unsent') counts.sharing += 1;
    }
  }
  if (counts.all === 0) return undefined;
  const says = `${countText(counts.unsent)} ${held.text(settings.timezone)}${sharedOrderText(counts.sharing)}`;
  return { rows: counts.unsent, says, todo: held.todo };
}

/** Throws a Fault `already-paid` if later batches hold some of these failed rows. */
export async function requireNotSuperseded(
  rows: readonly ResultRow[],
  { ledger, settings }: SupersededDeps,
): Promise<void> {
  const superseded = rows.filter(({ line }) => line?.supersededBy !== undefined);
  if (superseded.length === 0) return;
  const held = new HeldElsewhere(await ledger.batches());
  for (const row of superseded) if (row.line?.supersededBy !== undefined) held.add(row, row.line.supersededBy);
  throw new Fault(
    'already-paid',
    `${held.text(settings.timezone)} Nothing was tried again.`,
    `${held.todo} To try others again, name them with --row.`,
  );
}

/** What one later batch holds: the number of rows, and the first few of them. */
interface Held {
  readonly header: BatchHeader;
  readonly named: string[];
  count: number;
}

/** Rows that later batches hold, by batch, latest first. */
class HeldElsewhere {
  readonly #all: readonly Held[];

  /** `batches`: all batches of the ledger, latest first. */
  constructor(batches: readonly BatchHeader[]) {
    this.#all = batches.map((header) => ({ header, named: [], count: 0 }));
  }

  add({ row, payout }: ResultRow, by: BatchId): void {
    const held = this.#all.find(({ header }) => header.id === by);
    if (!held) return;
    held.count += 1;
    if (!payout || held.named.length === NAMED_MAX) return;
    held.named.push(`row ${row} (${payout.name}, ${moneyText(payout.amount)})`);
  }

  get #holding(): readonly Held[] {
    return this.#all.filter(({ count }) => count > 0);
  }

  /** Sentences that say which rows later batches hold, and in which batch they are. */
  text(timezone: string): string {
    const texts = this.#holding.map(({ header: { id, plannedAt, sheet }, named, count }) => {
      return `Batch ${id} of ${localDate(plannedAt, timezone)} (${sheet.name}) was planned later and holds the same payments: ${andMore(named, count)}.`;
    });
    return texts.join(' ');
  }

  /** Sentences that say what to do about these rows. */
  get todo(): string {
    const todos = this.#holding.map(
      ({ header: { id } }) =>
        `To see what became of them: \`paybatch status ${id}\`; to retry what failed there: \`paybatch retry ${id}\`.`,
    );
    return `${todos.join(' ')} Put what is still owed, or owed again, into a new sheet, with --allow-duplicate "reason".`;
  }
}

/** Says how many rows are unsent. If none is, the rows that were found are in doubt. */
const countText = (rows: number): string => {
  if (rows === 0) return 'Rows in doubt are looked up, and not sent again from this batch.';
  return `${counted(rows, 'row is', 'rows are')} not sent from this batch.`;
};

const sharedOrderText = (rows: number): string =>
  rows === 0
    ? ''
    : ` Rows that share an order with them: ${rows}; an order is sent as a whole or not at all, so these are still owed.`;

/**
 * What other batches of a ledger still need from the wallet: unsent rows, which may be resumed at any time, and rows that
 * the service has accepted and not finished, which it may not have debited yet.
 */
import type { BatchHeader, HeldOrder } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import type { MoneyStatement } from '../domain/event.ts';
import type { BatchId, BatchKey } from '../domain/ids.ts';
import { add, type Money, subtract, zero } from '../domain/money.ts';
import type { Settings } from '../domain/settings.ts';
import type { Staging } from '../domain/staging.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { daysBefore } from './duplicates/pay-period.ts';
import { heldOrders } from './duplicates/superseded.ts';

export interface OwedDeps {
  readonly settings: Settings;
  readonly ledger: Pick<
    Ledger,
    'head' | 'batches' | 'lastFactOf' | 'openOutstanding' | 'unpaidRows' | 'unpaidIn' | 'findOrder' | 'quoteOf'
  >;
  readonly clock: Clock;
}

/** A sheet whose rows are staged. */
export interface WaitingSheet {
  readonly key: BatchKey;
  readonly checked: { readonly rows: number };
  readonly staging: Staging;
}

type Owed = NonNullable<MoneyStatement['owed']>;

/**
 * Returns what other batches need, or `undefined` if they need nothing. Looks back as far as an unsent row blocks the same
 * payment. A rehearsal owes nothing. Rows that this sheet takes over count once, as its own.
 */
export async function owedElsewhere(
  { needed, balance }: Pick<MoneyStatement, 'needed' | 'balance'>,
  sheet: WaitingSheet,
  deps: OwedDeps,
): Promise<Owed | undefined> {
  const { key, checked, staging } = sheet;
  const owed = await owedByOthers(balance, deps);
  // The rows that the sheet takes over are looked up one by one, so only if they decide whether the wallet suffices.
  if (!owed || add(needed, owed.amount).minor <= balance.minor) return owed;
  const { orders: held } = await heldOrders({ key, plannedAt: deps.clock.now(), rows: checked.rows, staging }, deps);
  return summed(await withoutHeld(owed.batches, held, deps), balance.currency);
}

/** Like `owedElsewhere`, but without a sheet. `but`: a batch that is not counted. */
export async function owedByOthers(
  { currency }: Pick<Money, 'currency'>,
  { settings, clock, ledger }: OwedDeps,
  but?: BatchId,
): Promise<Owed | undefined> {
  if (settings.sandbox) return undefined;
  const since = daysBefore(clock.now(), settings.duplicates.withinDays);
  const batches: Owed['batches'][number][] = [];
  for (const header of await ledger.batches()) {
    if (header.currency !== currency || header.plannedAt < since || header.id === but) continue;
    const { rows, amount, charges } = await ledger.openOutstanding(header.id);
    if (rows > 0) batches.push({ batch: header.id, rows, amount: add(amount, charges) });
  }
  return summed(batches, currency);
}

/**
 * Returns what is left of the wallet for a batch while other batches are sent at the same time, or `undefined` if the
 * balance is unknown. Batches that were planned earlier come first. If the wallet covers all that was planned of them and
 * `neededMinor` as well, at least that much is left, and that is returned: what they still need exactly takes reading each of
 * their rows. A rehearsal shares the wallet with no other batch.
 */
export async function freeFor(
  { id, currency, plannedAt }: BatchHeader,
  neededMinor: bigint,
  reading: Promise<Money | undefined>,
  { settings, ledger }: { readonly settings: Settings; readonly ledger: FreeLedger },
): Promise<Money | undefined> {
  const balance = await reading;
  if (settings.sandbox || !balance) return balance;
  const others: BatchHeader[] = [];
  for (const batch of new Set((await ledger.othersAtWork()).map((lease) => lease.batch))) {
    const other = batch !== undefined && batch !== id ? await ledger.findBatch(batch) : undefined;
    if (other && other.currency === currency && other.plannedAt <= plannedAt) others.push(other);
  }
  const atLeast = others.reduce((left, { total, charges }) => subtract(left, add(total, charges)), balance);
  if (atLeast.minor >= neededMinor) return atLeast;
  let free = balance;
  for (const other of others) {
    const { amount, charges } = await ledger.unsentElsewhere(other.id);
    free = subtract(free, add(amount, charges));
  }
  return free;
}

type FreeLedger = Pick<Ledger, 'othersAtWork' | 'findBatch' | 'unsentElsewhere'>;

function summed(batches: Owed['batches'], currency: CurrencyCode): Owed | undefined {
  if (batches.length === 0) return undefined;
  return { amount: batches.reduce((sum, { amount }) => add(sum, amount), zero(currency)), batches };
}

/** Leaves out orders that were never sent, because the new plan supersedes them. What the service has accepted stays owed. */
async function withoutHeld(
  batches: Owed['batches'],
  held: readonly HeldOrder[],
  { ledger }: OwedDeps,
): Promise<Owed['batches']> {
  const left = new Map<BatchId, { batch: BatchId; rows: number; amount: Money }>(
    batches.map((one) => [one.batch, { ...one }]),
  );
  for (const { batch, order } of held) {
    const one = left.get(batch);
    const found = await ledger.findOrder(batch, order);
    if (!one || found?.state.phase !== 'planned') continue;
    for (const { row, amount } of found.state.lines) {
      const charge = await ledger.quoteOf(batch, row);
      one.rows -= 1;
      one.amount = subtract(one.amount, charge ? add(amount, charge) : amount);
    }
  }
  return [...left.values()].filter(({ rows }) => rows > 0);
}

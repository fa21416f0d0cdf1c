/**
 * Checks whether the wallet holds enough. What other batches of this ledger still need is reserved for them; the rest covers rows
 * in sheet order. If it does not cover all of them, a person may wait for more money, or have as many rows paid as it
 * covers.
 */

import type { PlannedBlock } from '../domain/batch.ts';
import { MINUTE_MS } from '../domain/clock.ts';
import { andMore, counted, firstOf } from '../domain/counted.ts';
import type { Emit, MoneyStatement } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import { add, type Money, moneyText, subtract, zero } from '../domain/money.ts';
import type { Client } from '../service/client/client.ts';
import { type OwedDeps, owedElsewhere, type WaitingSheet } from './owed-elsewhere.ts';
import { stoppedBy } from './patient-client.ts';
import { balanceNow } from './read-service.ts';

/** Pause between two look-ups of the wallet while a run waits for money, in milliseconds. */
const ASK_AGAIN_MS = 30_000;

/** Most batches that a message names, with what they still need. */
const NAMED_MAX = 3;

export interface FundsChoice {
  /** Exact number of rows to send because the balance covers no more; if absent, it must cover all rows. */
  readonly upToBalance?: number;
  /** How long to look up the wallet again until it suffices, in milliseconds; if absent, it is looked up once. */
  readonly waitForBalanceMs?: number;
}

interface FundsDeps extends OwedDeps {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly emit: Emit;
}

interface PricedSheet {
  readonly statement: MoneyStatement;
}

/** A sheet, and the orders in which it would be paid. */
interface SheetToFund extends WaitingSheet {
  readonly blocks: () => Iterable<PlannedBlock>;
}

/**
 * Returns the sheet with two additions to its statement: what other batches still need, and how many rows the rest of the
 * balance covers.
 */
export async function withFunds<P extends PricedSheet>(priced: P, sheet: SheetToFund, deps: FundsDeps): Promise<P> {
  const { owed: _, ...statement } = priced.statement;
  const owed = await owedElsewhere(statement, sheet, deps);
  const stated = { ...statement, ...(owed && { owed }) };
  return { ...priced, statement: { ...stated, covered: coverage(stated, sheet.blocks) } };
}

/**
 * Returns the sheet as it may be sent. Throws a Fault `balance-short` if the wallet does not cover all rows and
 * `upToBalance` is not the number that it covers, and a Fault `preflight-refused` if there is such a number but the wallet
 * covers all rows. A dry run does not wait.
 */
export async function requireFunds<P extends PricedSheet>(
  priced: P,
  sheet: SheetToFund,
  { upToBalance, waitForBalanceMs = 0, dryRun }: FundsChoice & { readonly dryRun: boolean },
  deps: FundsDeps,
): Promise<P> {
  const funded = dryRun ? priced : await waited(priced, sheet, waitForBalanceMs, deps);
  const { statement } = funded;
  if (upToBalance === undefined) {
    requireBalance(statement);
    return funded;
  }
  const rows = statement.covered?.rows ?? statement.count;
  if (rows === statement.count) throw enough(upToBalance, statement);
  if (rows === 0 || rows !== upToBalance) throw short(statement, upToBalance);
  return { ...funded, statement: { ...statement, upTo: rows } };
}

/**
 * Throws a Fault `balance-short` if the wallet does not hold enough for the payments and their charges, in addition to what
 * is reserved.
 */
export function requireBalance(statement: MoneyStatement): void {
  if (shortfallOf(statement).minor > 0n) throw short(statement);
}

/** Returns what the wallet lacks; zero or less if it suffices. */
const shortfallOf = ({ needed, balance, owed }: MoneyStatement): Money =>
  subtract(owed ? add(needed, owed.amount) : needed, balance);

/** Returns what the wallet covers: whole orders, in the order in which they are planned, up to the first one that does not fit. */
function coverage(
  { count, total, charges, needed, balance, owed }: MoneyStatement,
  blocks: () => Iterable<PlannedBlock>,
): NonNullable<MoneyStatement['covered']> {
  const free = owed ? subtract(balance, owed.amount) : balance;
  if (needed.minor <= free.minor) return { rows: count, amount: total, charges };
  const nothing = zero(total.currency);
  let covered = { rows: 0, amount: nothing, charges: nothing };
  for (const { rows, orders } of blocks()) {
    const quoted = new Map(rows.map(({ row, charge = nothing }) => [row, charge]));
    for (const { lines } of orders) {
      const next = {
        rows: covered.rows + lines.length,
        amount: lines.reduce((sum, { amount }) => add(sum, amount), covered.amount),
        charges: lines.reduce((sum, { row }) => add(sum, quoted.get(row) ?? nothing), covered.charges),
      };
      if (add(next.amount, next.charges).minor > free.minor) return covered;
      covered = next;
    }
  }
  return covered;
}

/**
 * Looks up the wallet again until it suffices or time runs out. Throws a Fault `interrupted` or `terminated` if the signal
 * is aborted.
 */
async function waited<P extends PricedSheet>(
  priced: P,
  sheet: SheetToFund,
  waitMs: number,
  deps: FundsDeps,
): Promise<P> {
  const { client, clock, signal, emit } = deps;
  const endsAt = clock.monotonicMs() + waitMs;
  let now = priced;
  if (waitMs > 0 && shortfallOf(priced.statement).minor > 0n) {
    const message = `The wallet lacks ${moneyText(shortfallOf(priced.statement))}. The balance is checked every ${ASK_AGAIN_MS / 1000} s, for at most ${Math.ceil(waitMs / MINUTE_MS)} min. Nothing is sent until there is enough money.`;
    emit({ type: 'notice', level: 'info', message });
  }
  while (shortfallOf(now.statement).minor > 0n && clock.monotonicMs() < endsAt) {
    await clock.sleep(Math.min(ASK_AGAIN_MS, endsAt - clock.monotonicMs()), signal);
    if (signal.aborted) throw stoppedBy(signal, 'Waiting for the wallet was stopped.');
    const balance = await balanceNow(client, priced.statement.balance.currency, signal);
    if (!balance) continue;
    const statement = { ...now.statement, balance, after: subtract(balance, now.statement.needed) };
    now = await withFunds({ ...now, statement }, sheet, deps);
  }
  if (now !== priced) {
    const message = `The wallet holds ${moneyText(now.statement.balance)} now.`;
    emit({ type: 'notice', level: 'info', message });
  }
  return now;
}

function short(statement: MoneyStatement, said?: number): Fault {
  const { needed, balance, total, charges, covered, count, owed } = statement;
  const spoken = owed ? `, of which ${moneyText(owed.amount)} are reserved for ${batchesText(owed)}` : '';
  const rows = covered?.rows ?? 0;
  const wrong = said === undefined ? '' : ` It covers ${rows} of ${counted(count, 'row')}, not ${said}.`;
  const upTo =
    rows === 0
      ? ''
      : ` Or pay only the ${firstOf(rows, 'row')} now, and the others later with \`paybatch resume\`: --up-to-balance ${rows}`;
  return new Fault(
    'balance-short',
    `The wallet does not hold enough money: needed ${moneyText(needed)} (payments ${moneyText(total)} and charges ${moneyText(charges)}), available ${moneyText(balance)}${spoken}, short ${moneyText(shortfallOf(statement))}.${wrong}`,
    `Top up the wallet and run the same command again. Nothing was sent.${upTo}`,
  );
}

const batchesText = ({ batches }: NonNullable<MoneyStatement['owed']>): string => {
  const named = batches.slice(0, NAMED_MAX).map(({ batch, rows }) => `batch ${batch} (${counted(rows, 'row')})`);
  return andMore(named, batches.length);
};

const enough = (said: number, { count }: MoneyStatement): Fault =>
  new Fault(
    'preflight-refused',
    `The wallet covers all ${counted(count, 'row')}, not ${said}.`,
    'Run it without --up-to-balance. Nothing was sent.',
  );

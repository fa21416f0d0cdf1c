/**
 * Payments as entries of double-entry bookkeeping: payments and their fees are debited, and the wallet is credited with the
 * sum. Only what is known to have left the wallet is booked; what may have left it goes to the suspense account, if there is
 * one.
 */
import type { ResultRow } from '../../domain/batch.ts';
import { counted } from '../../domain/counted.ts';
import { invariant } from '../../domain/invariant.ts';
import type { JournalAccounts, JournalSettings } from '../../domain/journal.ts';
import { add, type Money, sameMoney, zero } from '../../domain/money.ts';
import { batchLabel } from '../file-name.ts';
import { outcomeView } from '../outcome-view.ts';
import type { Report } from '../report.ts';
import { completedAt, feeOf, shownOf } from '../row-money.ts';
import { kindTitle, rowsOf } from '../source.ts';

export interface JournalLine {
  readonly account: string;
  readonly side: 'debit' | 'credit';
  /** Above zero. */
  readonly amount: Money;
  readonly description: string;
}

export interface JournalEntry {
  /** Number of the entry, the same each time the journal is made, so that books can recognise an entry that they already have. */
  readonly number: string;
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** The row that the entry is about; absent in an entry of a whole batch. */
  readonly row?: ResultRow;
  /** Lines whose debits and credits have the same sum. */
  readonly lines: readonly JournalLine[];
}

/** What one row adds to the books. */
interface Booked {
  readonly row: ResultRow;
  readonly at: number;
  readonly paid: Money;
  readonly fee: Money;
  /** Amount of a row that is still open, or what was paid beyond the amount of the row. */
  readonly suspense: Money;
}

/**
 * Yields the entries of a batch. Their sums must equal those of the figures; otherwise an invariant fails and no journal is
 * written.
 */
export async function* journalEntries(report: Report, settings: JournalSettings): AsyncGenerator<JournalEntry> {
  const checked = tiedOut(report, bookedRows(report, settings));
  if (settings.entry === 'batch') yield* batchEntry(report, settings, checked);
  else for await (const booked of checked) yield* rowEntry(report, settings, booked);
}

async function* bookedRows({ source }: Report, { accounts }: JournalSettings): AsyncGenerator<Booked> {
  const { currency, plannedAt } = source.header;
  const nothing = zero(currency);
  for await (const row of rowsOf(source)) {
    const isOpen = outcomeView[row.outcome].part === 'to-check';
    const open = isOpen && row.payout ? row.payout.amount : nothing;
    const booked = {
      row,
      at: completedAt(row) ?? row.line?.resolved?.at ?? row.line?.reportedAt ?? row.state?.lastClaimedAt ?? plannedAt,
      paid: row.outcome === 'completed' && row.payout ? row.payout.amount : nothing,
      fee: feeOf(row) ?? nothing,
      suspense: accounts.suspense === undefined ? nothing : add(open, shownOf(row).tooMuch ?? nothing),
    };
    if ([booked.paid, booked.fee, booked.suspense].some(({ minor }) => minor !== 0n)) yield booked;
  }
}

async function* tiedOut({ figures }: Report, rows: AsyncIterable<Booked>): AsyncGenerator<Booked> {
  const { completed } = figures.byOutcome;
  let paid = zero(completed.amount.currency);
  let fees = paid;
  for await (const booked of rows) {
    paid = add(paid, booked.paid);
    fees = add(fees, booked.fee);
    yield booked;
  }
  invariant(sameMoney(paid, completed.amount), 'the journal books what the figures say was paid');
  invariant(sameMoney(fees, figures.all.fees), 'the journal books the fees of the figures');
}

async function* batchEntry(
  report: Report,
  { accounts }: JournalSettings,
  rows: AsyncIterable<Booked>,
): AsyncGenerator<JournalEntry> {
  const { header } = report.source;
  const nothing = zero(header.currency);
  const kinds = new Map<string, { readonly count: number; readonly paid: Money }>();
  let [fees, suspense, open, at] = [nothing, nothing, 0, 0];
  for await (const booked of rows) {
    const kind = booked.row.payout?.kind ?? '';
    const known = kinds.get(kind) ?? { count: 0, paid: nothing };
    if (booked.paid.minor !== 0n) kinds.set(kind, { count: known.count + 1, paid: add(known.paid, booked.paid) });
    fees = add(fees, booked.fee);
    suspense = add(suspense, booked.suspense);
    if (booked.suspense.minor !== 0n) open += 1;
    at = Math.max(at, booked.at);
  }
  const debits = [
    ...[...kinds].map(([kind, { count, paid }]) =>
      debit(accounts.kinds[kind] ?? accounts.payments, paid, titled(kind, counted(count, 'payment'), report)),
    ),
    debit(accounts.fees, fees, 'Fees charged'),
    debit(accounts.suspense, suspense, `Not final: ${counted(open, 'row')}`),
  ].flat();
  if (debits.length > 0)
    yield entry(report, accounts, { number: batchLabel(header), at, what: `batch ${header.id}`, debits });
}

function* rowEntry(
  report: Report,
  { accounts }: JournalSettings,
  { row, at, paid, fee, suspense }: Booked,
): Generator<JournalEntry> {
  const { payout } = row;
  const whom = [payout?.name, payout?.reference].filter(Boolean).join(', ') || `row ${row.row}`;
  const kind = payout?.kind ?? '';
  const debits = [
    debit(accounts.kinds[kind] ?? accounts.payments, paid, titled(kind, whom, report)),
    debit(accounts.fees, fee, `Fee: ${whom}`),
    debit(accounts.suspense, suspense, `Not final: ${whom}`),
  ].flat();
  const number = `${batchLabel(report.source.header)}-${row.row}`;
  yield { ...entry(report, accounts, { number, at, what: whom, debits }), row };
}

const titled = (kind: string, what: string, { options }: Report): string => `${kindTitle(kind, options)}: ${what}`;

/** Returns a debit line, or none for an amount of zero. A negative amount, such as a refunded fee, becomes a credit. */
function debit(account: string | undefined, { minor, currency }: Money, description: string): readonly JournalLine[] {
  if (account === undefined || minor === 0n) return [];
  const [side, size] = minor < 0n ? (['credit', -minor] as const) : (['debit', minor] as const);
  return [{ account, side, amount: { minor: size, currency }, description }];
}

interface Made {
  readonly number: string;
  readonly at: number;
  /** The batch or the person that the entry is about, in words. */
  readonly what: string;
  readonly debits: readonly JournalLine[];
}

function entry(
  { source: { header } }: Report,
  accounts: JournalAccounts,
  { number, at, what, debits }: Made,
): JournalEntry {
  const sum = debits.reduce((total, { side, amount }) => {
    const signed = side === 'debit' ? amount : { ...amount, minor: -amount.minor };
    return add(total, signed);
  }, zero(header.currency));
  const wallet = { ...sum, minor: -sum.minor };
  const lines = [...debits, ...debit(accounts.wallet, wallet, `Paid out: ${what}`)];
  // A rehearsal that somebody imports by mistake must be recognisable in the books.
  const says = (text: string): string => (header.sandbox ? `SANDBOX, no money moved: ${text}` : text);
  return { number, at, lines: lines.map((line) => ({ ...line, description: says(line.description) })) };
}

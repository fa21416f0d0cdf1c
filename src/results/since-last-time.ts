/**
 * What people were shown about a batch before it was paid, as lines of the Summary worksheet: how it differed from earlier
 * batches, and which amounts cost more than slightly smaller ones. The plan keeps row numbers; names and accounts are read from
 * the rows themselves, so that deleting them there deletes them here.
 */
import type { BatchHeader, ResultRow, SheetDifference } from '../domain/batch.ts';
import { localDate } from '../domain/clock.ts';
import { counted } from '../domain/counted.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { changeText, moneyText } from '../domain/money.ts';
import { maskedPhone } from '../domain/msisdn.ts';
import type { LedgerQueries } from '../ledger/ledger.ts';
import type { DifferenceLine, ResultsSource } from './source.ts';

type Records = Pick<LedgerQueries, 'findRow' | 'findBatch'>;
type Row = Pick<ResultRow, 'row' | 'payout'>;
type RowOf = (batch: BatchId, row: number) => Promise<Row>;

/** Returns the lines for the source of the results; empty if there were no differences. */
export async function sinceLastTime(
  { id, differs, aboveEdge = [] }: BatchHeader,
  ledger: Records,
  timezone: string,
): Promise<Pick<ResultsSource, 'sinceLastTime'>> {
  const rowOf: RowOf = (batch, row) => readRow(ledger, batch, row);
  const own = (row: number): Promise<Row> => rowOf(id, row);
  const lines = [
    ...(await lastTimeLines(differs?.lastTime, { own, rowOf, ledger, timezone })),
    ...(await changedLines(differs?.changedPayees, own, rowOf)),
    ...(await unusualLines(differs?.unusualAmounts, own)),
    ...(await newPayeeLines(differs?.newPayees, own)),
    ...(await edgeLines(aboveEdge, own)),
  ];
  return lines.length === 0 ? {} : { sinceLastTime: lines };
}

/** Reads a row. Another batch that cannot be proven must not keep the results of this one from being written. */
async function readRow(ledger: Records, batch: BatchId, row: number): Promise<Row> {
  try {
    return (await ledger.findRow(batch, row)) ?? { row };
  } catch (error) {
    if (error instanceof Fault) return { row };
    throw error;
  }
}

interface Place {
  readonly own: (row: number) => Promise<Row>;
  readonly rowOf: RowOf;
  readonly ledger: Records;
  readonly timezone: string;
}

async function lastTimeLines(
  lastTime: SheetDifference['lastTime'],
  { own, rowOf, ledger, timezone }: Place,
): Promise<readonly DifferenceLine[]> {
  if (!lastTime) return [];
  const { batch, newPeople, gonePeople, changedAmounts } = lastTime;
  const header = await ledger.findBatch(batch);
  const when = header ? ` of ${localDate(header.plannedAt, timezone)} (${header.sheet.name})` : '';
  const people = async (label: string, some: typeof newPeople, read: Place['own']): Promise<DifferenceLine> => {
    const rows = await Promise.all(some.rows.map(read));
    const names = listed(rows.map(paidText), some.count);
    return [label, some.count === 0 ? 'nobody' : `${counted(some.count, 'row')}, ${moneyText(some.amount)}: ${names}`];
  };
  const { count, more, less } = changedAmounts;
  const amounts = await Promise.all(
    changedAmounts.rows.map(async ({ row, was }) => `${paidText(await own(row))}, before ${moneyText(was)}`),
  );
  const sums = `${counted(count, 'row')}, ${changeText(more, less)}: ${listed(amounts, count)}`;
  return [
    ['Compared with', `batch ${batch}${when}, the latest one that paid most of these people`],
    await people('New people', newPeople, own),
    await people('No longer paid', gonePeople, (row) => rowOf(batch, row)),
    ['Changed amounts', count === 0 ? 'none' : sums],
  ];
}

/** Returns a line for each changed payee, because these are what people ask about afterwards. */
async function changedLines(
  changed: SheetDifference['changedPayees'],
  own: Place['own'],
  rowOf: RowOf,
): Promise<readonly DifferenceLine[]> {
  if (!changed) return [];
  const lines = changed.rows.map(async ({ row, batch, rowThen }): Promise<DifferenceLine> => {
    const [now, then] = await Promise.all([own(row), rowOf(batch, rowThen)]);
    const from = maskedPhone(then.payout?.destination ?? '');
    return ['', `${whoText(now)}: now ${now.payout?.destination ?? ''}, in batch ${batch} ${from}`];
  });
  const rest = changed.count - changed.rows.length;
  return [
    ['Changed phones and accounts', counted(changed.count, 'row')],
    ...(await Promise.all(lines)),
    ...(rest > 0 ? [['', `and ${rest} more`] as const] : []),
  ];
}

async function unusualLines(
  unusual: SheetDifference['unusualAmounts'],
  own: Place['own'],
): Promise<readonly DifferenceLine[]> {
  if (!unusual) return [];
  const rows = await Promise.all(
    unusual.rows.map(async ({ row, usual }) => `${paidText(await own(row))}, usual ${moneyText(usual)}`),
  );
  return [['Far from usual', `${counted(unusual.count, 'row')}: ${listed(rows, unusual.count)}`]];
}

async function newPayeeLines(
  newPayees: SheetDifference['newPayees'],
  own: Place['own'],
): Promise<readonly DifferenceLine[]> {
  if (!newPayees) return [];
  const { count, amount } = newPayees;
  const rows = await Promise.all(newPayees.rows.map(own));
  const text = `${counted(count, 'row')}, ${moneyText(amount)}: ${listed(rows.map(paidText), count)}`;
  return [['Never paid before', text]];
}

/** Returns a line for amounts just above a charge band. Only the first such rows are recorded. */
async function edgeLines(
  edges: NonNullable<BatchHeader['aboveEdge']>,
  own: Place['own'],
): Promise<readonly DifferenceLine[]> {
  if (edges.length === 0) return [];
  const texts = edges.map(async ({ row, saving }) => `${paidText(await own(row))}, ${moneyText(saving)} dearer`);
  return [['Just above a charge band', (await Promise.all(texts)).join('; ')]];
}

const whoText = ({ row, payout }: Row): string => (payout ? `row ${row}, ${payout.name}` : `row ${row}`);

const paidText = (row: Row): string => `${whoText(row)}${row.payout ? ` (${moneyText(row.payout.amount)})` : ''}`;

const listed = (texts: readonly string[], count: number): string =>
  [...texts, ...(count > texts.length ? [`and ${count - texts.length} more`] : [])].join('; ');

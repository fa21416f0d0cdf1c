/** Explains why a sheet may not be paid in addition to earlier batches: which rows, where they were paid, and what to do. */

import type { BatchHeader } from '../../domain/batch.ts';
import { localDate } from '../../domain/clock.ts';
import { agreeing, counted } from '../../domain/counted.ts';
import type { RepeatedPayment } from '../../domain/duplicate.ts';
import { Fault } from '../../domain/fault.ts';
import { type BatchId, namedBatchKey } from '../../domain/ids.ts';
import { moneyText } from '../../domain/money.ts';
import type { LedgerQueries } from '../../ledger/ledger.ts';
import type { Comparison, Overlap, SheetOccasion } from './compare-payments.ts';
import { type DuplicateChoice, judge } from './judge.ts';
import { heldDays, isWithin, periodsAt } from './pay-period.ts';

/** What is needed to judge a comparison and to explain a refusal. */
interface RefusalContext {
  readonly ledger: Pick<LedgerQueries, 'findBatch'>;
  readonly sheet: SheetOccasion;
  readonly choice: DuplicateChoice;
  /** What was found before the totals were confirmed; `undefined` while they are not confirmed. */
  readonly confirmed: Comparison | undefined;
}

type Headers = ReadonlyMap<BatchId, BatchHeader>;

/** Returns a Fault `already-paid` for a sheet that may not be paid as it is, or `undefined` for one that may. */
export async function refusalOf(comparison: Comparison, context: RefusalContext): Promise<Fault | undefined> {
  const { ledger, sheet, choice, confirmed } = context;
  const headers = new Map<BatchId, BatchHeader>();
  for (const { batch, isHeld, isRecent } of comparison.overlaps) {
    const header = isHeld || isRecent ? await ledger.findBatch(batch) : undefined;
    if (header) headers.set(batch, header);
  }
  const verdict = judge(comparison, choice, confirmed, (batch) => headers.get(batch)?.payable);
  switch (verdict.tag) {
    case 'clean':
      return undefined;
    case 'repeated':
      return repeated(comparison, sheet, headers);
    case 'partly':
      return partly(comparison, choice, sheet, headers);
    case 'overtaken':
      return new Fault(
        'already-paid',
        `While this run asked for its control totals, ${takerOf(comparison)} took ${verdict.count} of its payments. Nothing was sent.`,
        'Look at `paybatch history` first; then run the same command again to see what is left of the sheet.',
      );
    case 'same-people':
      return samePeople(verdict.overlap, comparison, sheet, headers);
  }
}

/** Names the batch that holds payments of the sheet by now. */
function takerOf(comparison: Comparison): string {
  const [taker] = heldBy(comparison);
  return taker ? `batch ${taker.batch}` : 'another one';
}

function repeated(comparison: Comparison, sheet: SheetOccasion, headers: Headers): Fault {
  const batch = heldBy(comparison)[0]?.batch ?? '';
  return new Fault(
    'already-paid',
    `${paidBefore(comparison, sheet, headers)} Nothing was sent.`,
    `If that batch is not finished: \`paybatch resume ${batch}\`. If rows of it failed: \`paybatch retry ${batch}\`. If only some rows are new, take the others out of the sheet. If it really is another payment, ${naming(comparison, sheet)}say why: --allow-duplicate "reason".`,
  );
}

/** Suggests a name for the batch under which no payment would be held by an earlier batch; empty if there is no such name. */
function naming({ overlaps }: Comparison, sheet: SheetOccasion): string {
  const { plannedAt, timezone, duplicates } = sheet;
  const period = periodsAt(plannedAt, timezone).find((one) => {
    const named = { key: namedBatchKey(one), plannedAt };
    return !overlaps.some(
      (overlap) => overlap.isHeld && isWithin(named, overlap, heldDays(named, overlap, duplicates, timezone)),
    );
  });
  return period === undefined ? '' : `name the batch after its own month or week (--batch NAME-${period}), or `;
}

function partly(comparison: Comparison, choice: DuplicateChoice, sheet: SheetOccasion, headers: Headers): Fault {
  const { count } = comparison.held;
  const said = choice.acceptPaidBefore;
  if (count === 0) {
    return new Fault(
      'already-paid',
      `No payment of this sheet is in an earlier batch, but --accept-paid-before says ${said}. Nothing was sent.`,
      'Check that this is the sheet you meant, and leave out --accept-paid-before.',
    );
  }
  const wrong = said === undefined ? '' : ` --accept-paid-before says ${said}.`;
  return new Fault(
    'already-paid',
    `${paidBefore(comparison, sheet, headers)}${wrong} Nothing was sent.`,
    `Take these rows out of the sheet; or, if they are to be paid again, ${naming(comparison, sheet)}accept exactly this number: --accept-paid-before ${count}`,
  );
}

function samePeople(
  { batch, people }: Overlap,
  { payable }: Comparison,
  sheet: SheetOccasion,
  headers: Headers,
): Fault {
  return new Fault(
    'already-paid',
    `${ofSheet(people, payable.count)} ${agreeing(people, 'goes', 'go')} to the people of ${batchText(batch, sheet, headers)}, with other amounts: it looks like that batch, corrected. Nothing was sent.`,
    'If amounts of that batch were wrong, pay only the difference, and only to those who are owed one. If it really is another payment (overtime, a bonus), say why: --allow-duplicate "reason".',
  );
}

/** Says how many of the payments of a sheet are meant. */
function ofSheet(count: number, all: number): string {
  if (count < all) return `${count} of the ${counted(all, 'payment')} of this sheet`;
  return all === 1 ? 'The payment of this sheet' : `All ${counted(all, 'payment')} of this sheet`;
}

/** Says which payments were made before, in which batches, and for how much money. */
function paidBefore(comparison: Comparison, sheet: SheetOccasion, headers: Headers): string {
  const { held, payable } = comparison;
  const [first, ...others] = heldBy(comparison);
  if (!first) return '';
  const rest = first.same.count - first.same.rows.length;
  const examples = [...first.same.rows.map(paymentText), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  const also = others
    .slice(0, 2)
    .map((one) => ` ${counted(one.same.count, 'is', 'are')} in ${batchText(one.batch, sheet, headers)}.`);
  const isAll = first.same.count === held.count;
  const where = isAll ? agreeing(held.count, 'It is', 'They are') : counted(first.same.count, 'is', 'are');
  const of = held.amount.minor < payable.amount.minor ? ` of ${moneyText(payable.amount)}` : '';
  return `${ofSheet(held.count, payable.count)} (${moneyText(held.amount)}${of}) ${agreeing(held.count, 'was', 'were')} made before, or may still be. ${where} in ${batchText(first.batch, sheet, headers)}: ${examples}.${also.join('')}`;
}

const heldBy = ({ overlaps }: Comparison): readonly Overlap[] =>
  overlaps.filter(({ isHeld, same }) => isHeld && same.count > 0);

const paymentText = ({ row, name, amount, paidTo }: RepeatedPayment): string =>
  `row ${row} (${name}, ${moneyText(amount)}${paidTo === undefined ? '' : `; paid there to ${paidTo}`})`;

function batchText(batch: BatchId, { timezone }: SheetOccasion, headers: Headers): string {
  const header = headers.get(batch);
  return header
    ? `batch ${batch} of ${localDate(header.plannedAt, timezone)} (${header.sheet.name})`
    : `batch ${batch}`;
}

/** One column for the numbers of tills and of paybills, as lists of suppliers have it: its rows are told apart by their type and digits. */
import { accountColumn } from './account-column.ts';
import { trimmed } from './column.ts';
import type { Kind, RowView } from './kind.ts';
import { isPlaceholder } from './no-value.ts';
import { paybill } from './paybill.ts';
import { till } from './till.ts';

const words = {
  till: ['Till', 'Till No', 'Till Number'],
  paybill: ['Paybill', 'Paybill No', 'Paybill Number'],
} as const;

/** Headings of such a column; they are compared without punctuation, so that `Till / Paybill No.` is one. */
const headings = words.till.flatMap((one) =>
  words.paybill.flatMap((other) => ['', ' or '].flatMap((between) => [one + between + other, other + between + one])),
);

/** Headings that stand for several columns at once, with these columns. */
export const headingsOfSeveral: readonly { readonly heading: string; readonly columns: readonly string[] }[] =
  headings.map((heading) => ({ heading, columns: [till.mark ?? '', paybill.mark ?? ''] }));

/** More digits than a paybill has. Nine that begin with 7 or 1 may be a phone that lost its zero, which nobody's till has to be. */
const TILL_ALONE = /^(?:\d{8}|[02-689]\d{8})$/;

/**
 * Which of the two a row is that fills in their one column and has no type. Most numbers could be either, so what decides is what only
 * one of them has: an account, or more digits. Undefined: it stays open, because a till may have the number of somebody's paybill.
 */
export function tillOrPaybill(shown: readonly Kind[], view: RowView): Kind | undefined {
  if (shown.length !== 2 || !shown.includes(till) || !shown.includes(paybill)) return undefined;
  const [number, other] = shown.map(({ mark = '' }) => view(mark));
  if (!number || number.address !== other?.address) return undefined;
  const isTill = TILL_ALONE.test(trimmed(number).replace(/[ -]/g, ''));
  const account = view(accountColumn.id);
  const hasAccount = trimmed(account) !== '' && !(account.cell && isPlaceholder(account.cell));
  if (isTill === hasAccount) return undefined;
  return isTill ? till : paybill;
}

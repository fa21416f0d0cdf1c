/**
 * One column for the numbers of tills and of paybills, as on lists of suppliers. Its rows are told apart by type,
 * account and digits.
 */
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

/**
 * Headings of such a column. They are compared without punctuation, so that `Till / Paybill No.` matches. `Lipa na M-PESA` is
 * what Safaricom calls both.
 */
const headings = [
  ...words.till.flatMap((one) =>
    words.paybill.flatMap((other) => ['', ' or '].flatMap((between) => [one + between + other, other + between + one])),
  ),
  ...['', ' No', ' Number'].map((end) => `Lipa na M-PESA${end}`),
];

/** Headings that mean several columns at once, with the ids of these columns. */
export const headingsOfSeveral: readonly { readonly heading: string; readonly columns: readonly string[] }[] =
  headings.map((heading) => ({ heading, columns: [till.mark ?? '', paybill.mark ?? ''] }));

/**
 * Numbers with more digits than a paybill has. Nine digits that begin with 7 or 1 do not count: they may be a phone that
 * lost its zero.
 */
const TILL_ALONE = /^(?:\d{8}|[02-689]\d{8})$/;

/**
 * Returns the kind of a row that fills in the shared column of tills and paybills and has no type. Most numbers could be
 * either, so a feature that only one kind has decides: an account, or more digits. `undefined` if it stays open, because a
 * till can have the number of another business's paybill.
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

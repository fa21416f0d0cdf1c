/** The list of all kinds, and how the kind of a row is found. Adding a kind is one file and one line of the list. */

import type { Cell } from '../domain/cell.ts';
import type { ColumnDescription } from '../domain/column.ts';
import { type Issue, type IssuePlace, issue } from '../domain/issue.ts';
import { namesNetwork } from '../domain/network.ts';
import { accountColumn } from './account-column.ts';
import { airtime } from './airtime.ts';
import { bank, bankName } from './bank.ts';
import { bill } from './bill.ts';
import { type CellView, type Column, damageOf, issueAt, trimmed } from './column.ts';
import type { Kind, RowView } from './kind.ts';
import { CASH, holdColumn } from './left-out.ts';
import { mobileWallet } from './mobile-wallet.ts';
import { filledIn, isErrorValue, isPlaceholder } from './no-value.ts';
import { paybill } from './paybill.ts';
import { foldedWord } from './plain-text.ts';
import { till } from './till.ts';
import { tillOrPaybill } from './till-or-paybill.ts';

export { headingsOfSeveral } from './till-or-paybill.ts';

export const kinds: readonly Kind[] = [mobileWallet, till, paybill, bank, airtime, bill];

/** Ids of the columns that show on their own how a row is paid, each once. Every sheet needs at least one of them. */
export const markColumns: readonly string[] = [...new Set(kinds.flatMap(({ mark }) => mark ?? []))];

/** The mark columns of kinds whose rows can be called by their payee, so that a sheet does not need names. */
export const namelessMarks: readonly string[] = kinds.flatMap(({ mark, needsName }) => (needsName ? [] : (mark ?? [])));

/** Ids of the columns of accounts and id numbers, each once. */
export const numberColumns: readonly string[] = [
  ...new Set(
    kinds.flatMap(({ columns }) => columns.filter(({ calculated }) => calculated === 'refused').map(({ id }) => id)),
  ),
];

/** Titles of the kinds by name, for people. */
export const kindTitles: Readonly<Record<string, string>> = Object.fromEntries(
  kinds.map(({ name, title }) => [name, title]),
);

/** The column that names the kind of a row. It belongs to no kind, because it chooses one. */
export const typeColumn = {
  id: 'type',
  heading: 'Payment type',
  aliases: [
    'Payment Method',
    'Payment Mode',
    'Payment Channel',
    'Payment Option',
    'Pay Method',
    'Pay Mode',
    'Mode of Payment',
    'Mode of Pay',
    'Mode',
    'Channel',
    'Method',
    'Pay Via',
    'Paid Via',
    'Pay Through',
    'Payment Through',
    'Account Type',
    'Mode de paiement',
    'Njia ya Malipo',
  ],
  help: 'How this row is paid. It may be empty if the filled columns make it clear, but never for airtime. Rows with "cash" are left out.',
} as const;

const kindByWord = new Map<string, Kind>(
  kinds.flatMap((kind) => [kind.name, kind.title, ...kind.words].map((word) => [foldedWord(word), kind] as const)),
);

const kindNames = (): string => [...kinds.map((kind) => kind.name), CASH].join(', ');

/**
 * Returns a function that finds the kind of each row of a sheet; `has` reports which columns the sheet has. It is the kind
 * that the type column of the row names, or else the kind whose own column is filled in, unless the row has an account that
 * this kind does not pay. If the columns of the sheet leave only one kind, each row is of it, even if its column is empty.
 * Returns an issue if the kind is unclear.
 */
export function kindFinder(has: (column: string) => boolean): (view: RowView) => Kind | Issue {
  const isTyped = has(typeColumn.id);
  const markable = kinds.filter(({ mark }) => mark !== undefined && has(mark));
  const payAccounts = markable.filter((kind) => kind.businessAccount || kind === bank);
  const [only, ...others] = isTyped ? [] : markable;
  const sole = others.length === 0 ? only : undefined;
  return (view) => {
    const stated = isTyped ? statedKind(view(typeColumn.id)) : undefined;
    if (stated) return stated;
    const marked = filledIn(markable, ({ mark = '' }) => view(mark));
    // A contact phone next to a till number does not show a kind; next to a bank account it could be where the money goes.
    const shown = marked.filter((kind) => !marked.some(({ contact }) => contact === kind.mark));
    const [left] = shown.length === 1 ? shown : [tillOrPaybill(shown, view) ?? sole];
    if (!left) return unclearIssue(shown, isTyped, view);
    return otherAccountIssue(left, payAccounts, view) ?? left;
  };
}

/** Returns the issue of a row whose kind is unclear: at its type, or else at the first of the columns that show several kinds. */
function unclearIssue(shown: readonly Kind[], isTyped: boolean, view: RowView): Issue {
  const marks = shown.map(({ mark = '' }) => view(mark));
  const [place = view(typeColumn.id)] = isTyped ? [] : marks;
  const headings = [...new Set(marks.map(({ heading }) => heading))];
  const hint = headings.length > 1 ? `: ${headings.join(', ')}` : '';
  return issue('PB-TYPE-UNCLEAR', placeOf(place), { kinds: kindNames(), hint });
}

/**
 * Returns the issue of a row that seems to be of a kind without accounts but has one, if the sheet has a column that says
 * whose accounts they are (`payAccounts`): a bill whose paybill was not filled in, or an account whose bank code was not,
 * would be paid to the phone next to it. Next to the name of a bank, only the bank code is missing.
 */
function otherAccountIssue(kind: Kind, payAccounts: readonly Kind[], view: RowView): Issue | undefined {
  const other = payAccounts.length === 0 ? undefined : otherAccount(kind, view);
  if (!other) return undefined;
  const isOfBank = filledIn([bankName], ({ id }) => view(id)).length > 0;
  const lacking = isOfBank ? payAccounts.filter((one) => one === bank) : payAccounts;
  if (lacking.length === 0) return undefined;
  const missing = [...new Set(lacking.map(({ mark = '' }) => view(mark).heading))].join(' / ');
  return issueAt(other.account, 'PB-ACCOUNT-ALONE', { missing, paid: other.paid.heading, kinds: kindNames() });
}

/**
 * Returns the warning of a row with an account that is paid elsewhere, unless its type says so: a sheet without bank codes
 * pays phones, however many accounts it lists.
 */
export function unusedAccountIssue(kind: Kind, view: RowView): Issue | undefined {
  const other = trimmed(view(typeColumn.id)) === '' ? otherAccount(kind, view) : undefined;
  return other && issueAt(other.account, 'PB-ACCOUNT-UNUSED', { paid: other.paid.heading, count: 1 });
}

/** Returns the account of a row whose kind pays none, with what is paid instead. An account equal to this phone says nothing. */
function otherAccount(kind: Kind, view: RowView): { readonly account: CellView; readonly paid: CellView } | undefined {
  if (kind.columns.some(({ id }) => id === accountColumn.id)) return undefined;
  const account = view(accountColumn.id);
  const { cell } = account;
  if (!cell || trimmed(account) === '' || isPlaceholder(cell) || isErrorValue(cell)) return undefined;
  const paid = view(kind.mark ?? '');
  if (lastDigits(account) !== '' && lastDigits(account) === lastDigits(paid)) return undefined;
  return { account, paid };
}

/** Returns the digits of a phone without its country code or zero; an empty text if there are too few. */
const lastDigits = (view: CellView): string => /\d{9}$/.exec(trimmed(view).replace(/[^\p{L}\d]/gu, ''))?.[0] ?? '';

/** Finds the kind of a row in a sheet whose columns are not known. */
export const kindOfRow = kindFinder(() => true);

/** Returns the kind that a type column states for its row, or an issue; `undefined` if the cell is empty. */
function statedKind(type: CellView): Kind | Issue | undefined {
  // A covered cell of a merged range looks empty, and its kind must not be guessed from the other columns.
  const damage = damageOf(type);
  if (damage) return damage;
  const stated = trimmed(type);
  if (stated === '') return undefined;
  // The number of the row decides which network pays it.
  const known = kindByWord.get(foldedWord(stated)) ?? (namesNetwork(stated) ? mobileWallet : undefined);
  return known ?? issue('PB-TYPE-UNKNOWN', placeOf(type), { kinds: kindNames() });
}

const placeOf = (type: CellView): IssuePlace => ({ row: type.row, cell: type.address, value: trimmed(type) });

/** Reports whether rows that fill in only this kind's own columns show the kind on their own, so that no type has to be chosen. */
export function isShownByColumns(kind: Kind): boolean {
  const filledIn =
    (columns: readonly Column<unknown>[]): RowView =>
    (id) => {
      const cell: Cell = { column: 1, address: 'A1', type: 'text', text: '1' };
      return { row: 1, address: 'A1', heading: id, ...(columns.some((column) => column.id === id) && { cell }) };
    };
  const least = kind.columns.filter(({ required }) => required);
  return [kind.columns, least].every((columns) => kindOfRow(filledIn(columns)) === kind);
}

/** Returns all columns of the kinds, each once, with the kinds that need or use it. Templates and help derive from this. */
export function columnDescriptions(of: readonly Kind[] = kinds): readonly ColumnDescription[] {
  const described = new Map<string, { column: Column<unknown>; needed: string[]; used: string[] }>();
  for (const kind of of) {
    for (const column of kind.columns) {
      const entry = described.get(column.id) ?? { column, needed: [], used: [] };
      (column.required ? entry.needed : entry.used).push(kind.title);
      described.set(column.id, entry);
    }
  }
  const type: ColumnDescription = {
    ...typeColumn,
    example: of[0]?.name ?? '',
    format: 'text',
    choices: [...of.map(({ name }) => name), CASH],
    width: 14,
    neededFor: [],
    usedFor: of.map(({ title }) => title),
  };
  const own = [...described.values()].map(({ column, needed, used }): ColumnDescription => {
    const { id, heading, aliases, help, example, format, choices, width } = column;
    return {
      id,
      heading,
      aliases,
      help,
      example,
      format,
      ...(choices && { choices }),
      width,
      neededFor: needed,
      usedFor: used,
    };
  });
  const hold: ColumnDescription = { ...holdColumn, neededFor: [], usedFor: of.map(({ title }) => title) };
  const [reference, ...rest] = own;
  return reference ? [reference, type, ...rest, hold] : [type, hold];
}

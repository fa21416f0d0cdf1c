/**
 * What a plan commits to without showing it. Names, phones and bodies are kept next to the facts, so that they can be
 * deleted one day; the facts hold a hash of each, with its own salt. Without the salt nobody can find a phone by trying
 * all of them, and when text and salt are gone, the facts still prove each other.
 */
import { createHash, hash, randomBytes } from 'node:crypto';
import { hexOf, type SqlRow, type SqlValue } from '../database/database.ts';
import type { Payout, PlannedRow } from '../domain/batch.ts';
import type { Commitments } from '../domain/fact.ts';
import type { LeftOut } from '../domain/left-out.ts';
import type { Money } from '../domain/money.ts';

/** Makes a salt: 16 random bytes, as 32 hexadecimal digits. */
export type NewSalt = () => string;

const SALT_BYTES = 16;

/** Salts that are made at a time: asking the system for each of them costs more than everything that is done with it. */
const SALTS_AT_ONCE = 256;

let salts = '';

export function randomSalt(): string {
  if (salts === '') salts = randomBytes(SALT_BYTES * SALTS_AT_ONCE).toString('hex');
  const salt = salts.slice(0, 2 * SALT_BYTES);
  salts = salts.slice(2 * SALT_BYTES);
  return salt;
}

/**
 * Returns the hash of a text under a salt. Every salt has the same length and no label has a colon, so two different lists
 * of parts never give the same text.
 */
const committed = (salt: string, label: string, text: string): string =>
  hash('sha256', `${salt}${label}:${text}`, 'hex');

/** What the ledger keeps for an order in addition to its facts. */
interface OrderTexts {
  /** Place among all orders of the ledger. */
  readonly position: number;
  readonly body: string;
  readonly origin: string;
  readonly salt: string;
}

/** Returns the hash that commits to a body. It covers the position, so that two orders cannot change places either. */
export const bodyHash = ({ salt, position, body }: OrderTexts): string => committed(salt, `body ${position}`, body);

export const originHash = ({ salt, origin }: OrderTexts): string => committed(salt, 'origin', origin);

/**
 * Returns what the plan of an order commits to. `committed` has the hashes of the rows that its lines pay, and the charges
 * that were quoted for them.
 */
export const commitmentsTo = (texts: OrderTexts, committed: Pick<Commitments, 'rows' | 'charges'>): Commitments => ({
  body: bodyHash(texts),
  origin: originHash(texts),
  ...committed,
});

/** Returns the hash that commits to a text that was taken out of a fact (`fact-text.ts`). */
export const factTextHash = ({ salt, text }: { readonly salt: string; readonly text: string }): string =>
  committed(salt, 'fact', text);

/** What the sheet said about a row, in the order of the columns that keep it. */
type RowColumns = readonly (string | number | bigint | null)[];

/**
 * The names of the columns that keep what the sheet said about a row, and its salt. Columns that change later, as the row is
 * paid, are not among them.
 */
export const ROW_COLUMNS =
  'sheet_row, kind, reference, name, amount_minor, currency, payout, payee, texts, issues, salt';

/** Returns the columns of a row that is planned, without its salt. */
export const columnsOfRow = ({ row, payout, leftOut, texts, issues }: PlannedRow): readonly SqlValue[] & RowColumns => [
  row,
  payout?.kind ?? null,
  payout?.reference ?? null,
  payout?.name ?? null,
  (payout ?? leftOut)?.amount?.minor ?? null,
  (payout ?? leftOut)?.amount?.currency ?? null,
  payout ? encodeDetails(payout) : leftOut ? encodeReason(leftOut) : null,
  payout?.payee ?? null,
  JSON.stringify(texts),
  JSON.stringify(issues),
];

const rowText = (columns: RowColumns): string =>
  JSON.stringify(columns.map((value) => (typeof value === 'bigint' ? `${value}` : value)));

export const rowHash = (salt: string, columns: RowColumns): string => committed(salt, 'row', rowText(columns));

/** Returns the one text of a row that its plan commits to. The row is read from the ledger with `ROW_COLUMNS`. */
export function storedRowText(row: SqlRow): string {
  const { sheet_row, kind, reference, name, amount_minor, currency, payout, payee, texts, issues } = row;
  const columns = [Number(sheet_row), kind, reference, name, amount_minor, currency, payout, payee, texts, issues];
  return rowText(columns as RowColumns); // as `columnsOfRow` wrote them
}

/** Returns the hash of a row that was read from the ledger. */
export const storedRowHash = (row: SqlRow): string => committed(hexOf(row, 'salt'), 'row', storedRowText(row));

/** Returns what is left of a row when its people were deleted, as a text. */
export const leftText = ({ sheet_row, kind, amount_minor, currency }: SqlRow): string =>
  JSON.stringify([`${sheet_row}`, kind, amount_minor === null ? null : `${amount_minor}`, currency]);

/**
 * A hash over all rows of a batch, in sheet order: over the hash of each, to which a plan commits, or over what is left of
 * each when its people are deleted, to which a purge commits.
 */
export class RowsHash {
  readonly #hash = createHash('sha256');

  /** Adds the hash of a row, or what is left of it (`leftText`). */
  add(row: string): void {
    this.#hash.update(`${row}\n`);
  }

  /** Returns the hash. Called once, after every row was added. */
  value(): string {
    return this.#hash.digest('hex');
  }
}

/**
 * Returns a value with its amount as text. A spread keeps the place of a key that is then set again, so the keys stay in
 * their order.
 */
export const tagged = <T extends { readonly amount: Money }>(value: T) => ({
  ...value,
  amount: { ...value.amount, minor: { $int: value.amount.minor.toString() } },
});

/** The values of a payout that have no columns of their own. */
type PayoutDetails = Pick<Payout, 'destination' | 'network' | 'note'>;

const encodeDetails = ({ destination, network, note }: PayoutDetails): string =>
  JSON.stringify({ destination, network, note });

export const decodeDetails = (text: string): PayoutDetails => JSON.parse(text); // as it was encoded

/** Encodes why a row is left out, for which there is no column. */
const encodeReason = ({ reason }: LeftOut): string => JSON.stringify({ reason });

export const decodeReason = (text: string): string => (JSON.parse(text) as LeftOut).reason; // as it was encoded

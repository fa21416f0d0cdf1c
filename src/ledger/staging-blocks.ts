/** Staged rows in blocks on the temporary file: one text for many rows, because a statement for each took most of the time. */
import type { CurrencyCode } from '../domain/currency.ts';
import type { LeftOut } from '../domain/left-out.ts';
import type { Money } from '../domain/money.ts';
import type { Payout } from '../domain/payout.ts';
import type { StagedFor, StagedPayment, StagedRow } from '../domain/staging.ts';
import { textOf } from './database.ts';
import { tagged, untagged } from './record-text.ts';
import type { Connection } from './sqlite.ts';

/** Rows of a block: they are read, and planned, together. */
export const BLOCK_ROWS = 500;

const CREATE = 'CREATE TABLE block (number INTEGER PRIMARY KEY, rows TEXT NOT NULL)';
const INSERT = 'INSERT INTO block (number, rows) VALUES (?, ?)';
const ROWS = 'SELECT rows FROM block WHERE number = ?';

/** What a payable row is compared by. */
export type ComparedRow = Omit<StagedPayment, 'occurrence'>;

/** What a check keeps of a payable row, as a list without names: it is written for each row, and seldom read. */
type Listed = readonly [
  row: number,
  reference: string | null,
  name: string,
  payee: string,
  destination: string,
  /** An amount has 15 digits at most, which a double holds exactly. */
  minor: number,
  currency: string,
];

/** What it keeps of a row with errors. */
export type Referred = readonly [row: number, reference: string];

const listedIn = (text: string): readonly (Listed | Referred)[] => JSON.parse(text); // written below
const isPaid = (one: Listed | Referred): one is Listed => one.length > 2;

const referredIn = ({ row, payout, reference }: StagedRow): readonly Referred[] =>
  payout || reference === undefined ? [] : [[row, reference]];

export class StagingBlocks {
  readonly #connection: Connection;
  readonly #use: StagedFor;
  /** As they are written. */
  #waiting: (StoredRow | Listed | Referred)[] = [];
  #blocks = 0;

  constructor(connection: Connection, use: StagedFor) {
    this.#connection = connection;
    this.#use = use;
    connection.exec(CREATE);
  }

  add(row: StagedRow): void {
    if (this.#use === 'plan') this.#waiting.push(storedOf(row));
    else if (row.payout) this.#waiting.push(listed(row.row, row.payout));
    else if (row.reference !== undefined) this.#waiting.push([row.row, row.reference]);
    else return;
    if (this.#waiting.length === BLOCK_ROWS) this.#write();
  }

  *rows(): Generator<readonly StagedRow[]> {
    for (const text of this.#texts()) {
      const stored: readonly StoredRow[] = JSON.parse(text);
      yield stored.map(rowOf);
    }
  }

  /** The payable rows, in their order; a block may have none. */
  *compared(): Generator<readonly ComparedRow[]> {
    if (this.#use === 'plan') for (const rows of this.rows()) yield rows.flatMap(comparedIn);
    else
      for (const text of this.#texts()) yield listedIn(text).flatMap((one) => (isPaid(one) ? [comparedOf(one)] : []));
  }

  /** The references of rows with errors, in their order. */
  *referred(): Generator<readonly Referred[]> {
    if (this.#use === 'plan') for (const rows of this.rows()) yield rows.flatMap(referredIn);
    else for (const text of this.#texts()) yield listedIn(text).flatMap((one) => (isPaid(one) ? [] : [one]));
  }

  *#texts(): Generator<string> {
    if (this.#waiting.length > 0) this.#write();
    for (let number = 1; number <= this.#blocks; number++) {
      for (const stored of this.#connection.all(ROWS, [number])) yield textOf(stored, 'rows');
    }
  }

  #write(): void {
    this.#blocks += 1;
    this.#connection.run(INSERT, [this.#blocks, JSON.stringify(this.#waiting)]);
    this.#waiting = [];
  }
}

type Known = LeftOut & { readonly amount: Money };

/** A row as JSON: amounts are the only bigints. */
type StoredRow = Omit<StagedRow, 'payout' | 'leftOut'> & {
  readonly payout?: ReturnType<typeof tagged<Payout>>;
  readonly leftOut?: ReturnType<typeof tagged<Known>> | { readonly reason: string; readonly amount?: never };
};

function storedOf({ payout, leftOut, ...row }: StagedRow): StoredRow {
  if (payout) return { ...row, payout: tagged(payout) };
  if (!leftOut) return row;
  const { reason, amount } = leftOut;
  return { ...row, leftOut: amount ? tagged<Known>({ reason, amount }) : { reason } };
}

function rowOf({ payout, leftOut, ...row }: StoredRow): StagedRow {
  if (payout) return { ...row, payout: untagged<Payout>(payout) };
  if (!leftOut) return row;
  return { ...row, leftOut: leftOut.amount ? untagged<Known>(leftOut) : leftOut };
}

const listed = (row: number, { reference, name, payee, destination, amount }: Payout): Listed => [
  row,
  reference ?? null,
  name,
  payee,
  destination,
  Number(amount.minor),
  amount.currency,
];

const comparedOf = ([row, reference, name, payee, destination, minor, currency]: Listed): ComparedRow => ({
  row,
  name,
  ...(reference !== null && { reference }),
  payee,
  destination,
  amount: { minor: BigInt(minor), currency: currency as CurrencyCode }, // was stored as one
});

function comparedIn({ row, payout }: StagedRow): readonly ComparedRow[] {
  if (!payout) return [];
  const { name, reference, payee, destination, amount } = payout;
  return [{ row, name, ...(reference !== undefined && { reference }), payee, destination, amount }];
}

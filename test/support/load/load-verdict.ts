/**
 * Holds the books of the practice service to what a load was told: every request that was answered 200 is there exactly
 * once and as it was sent, none is unknown, and every sum is added up again from the requests and the charge scales.
 */
import type { Books } from '../../../src/sandbox/sandbox.ts';
import { exponents, type LoadOperation, type Promised } from './load-requests.ts';

/** Requests that were answered 200, by operation and identifier. */
export type Accepted = Readonly<Record<LoadOperation, ReadonlyMap<string, readonly Promised[]>>>;

/** Charge of an amount in minor units by transaction type, from the charge records of the service. */
export type ChargeOf = (transactionTypeId: string, minor: bigint, currency: string) => bigint;

/** Something of the books that settles. */
interface Entry {
  readonly trace: string;
  readonly payee: string;
  readonly currency: string | null;
  readonly amount: string | null;
  readonly status: number;
  readonly fee: string | null;
  readonly receipt: string | null;
}

const COMPLETED = 4;
const PENDING_AND_QUEUED: readonly number[] = [0, 1];

/** A plain decimal in minor units; it must have the digits of its currency. */
export function minorOf(decimal: string, currency: string): bigint {
  const digits = exponents[currency] ?? 0;
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  if (whole === '' || fraction.length !== digits) throw new Error(`${decimal} is no amount of ${currency}`);
  return BigInt(`${sign}${whole}${fraction}`);
}

function* entriesOf(books: Books): Generator<readonly [operation: string, id: string, entries: readonly Entry[]]> {
  for (const { id, lines } of books.orders) yield ['submit-order', id, lines];
  for (const [operation, requests] of Object.entries(books.register)) {
    for (const { id, parts } of requests) yield [operation, id, parts.map((part) => ({ trace: '', ...part }))];
  }
}

/** How many movements have no end yet. */
export function openIn(books: Books): number {
  let open = 0;
  for (const [, , entries] of entriesOf(books)) {
    for (const { status } of entries) if (PENDING_AND_QUEUED.includes(status)) open += 1;
  }
  return open;
}

interface Sums {
  paid: bigint;
  fees: bigint;
  received: bigint;
}

/** What is wrong with the books; empty: nothing. */
export function violationsIn(books: Books, accepted: Accepted, chargeOf: ChargeOf): readonly string[] {
  const found: string[] = [];
  const sums = new Map<string, Sums>(
    Object.keys(books.balance).map((code) => [code, { paid: 0n, fees: 0n, received: 0n }]),
  );
  const seen = new Set<string>();
  const sent = new Map(Object.entries(accepted));
  for (const [operation, id, entries] of entriesOf(books)) {
    const name = `${operation} ${id}`;
    const promised = sent.get(operation)?.get(id);
    if (seen.has(name)) found.push(`${name} is in the books twice`);
    seen.add(name);
    if (!promised) found.push(`${name} is in the books, but nobody was told that it was taken`);
    else found.push(...differences(name, entries, promised, chargeOf));
    for (const movement of promised ?? []) addTo(sums, movement, chargeOf);
  }
  for (const [operation, requests] of sent) {
    for (const id of requests.keys()) {
      if (!seen.has(`${operation} ${id}`)) found.push(`${operation} ${id} was answered 200 and is lost`);
    }
  }
  for (const [currency, sum] of sums) found.push(...sumViolations(books, currency, sum));
  return [...found, ...repeatedReceipts(books)];
}

function repeatedReceipts(books: Books): readonly string[] {
  const receipts = Array.from(entriesOf(books), ([, , entries]) =>
    entries.flatMap(({ receipt }) => receipt ?? []),
  ).flat();
  const seen = new Set<string>();
  return receipts.flatMap((receipt) => {
    const isRepeated = seen.has(receipt);
    seen.add(receipt);
    return isRepeated ? [`receipt ${receipt} is given twice`] : [];
  });
}

function addTo(sums: ReadonlyMap<string, Sums>, movement: Promised, chargeOf: ChargeOf): void {
  const { currency, minor, transactionTypeId, status } = movement;
  const sum = sums.get(currency);
  if (!sum || status !== COMPLETED) return;
  if (transactionTypeId === undefined) sum.received += minor;
  else {
    sum.paid += minor;
    sum.fees += chargeOf(transactionTypeId, minor, currency);
  }
}

function differences(
  name: string,
  entries: readonly Entry[],
  promised: readonly Promised[],
  chargeOf: ChargeOf,
): readonly string[] {
  const written = entries.map((entry) => {
    const { trace, payee, currency, amount, status, fee, receipt } = entry;
    const minor = amount === null || currency === null ? null : minorOf(amount, currency);
    const charged = fee === null || currency === null ? null : minorOf(fee, currency);
    return [trace, payee, currency, minor, status, charged, receipt !== null].join(' ');
  });
  const expected = promised.map(({ trace, payee, currency, minor, transactionTypeId, status }) => {
    const done = status === COMPLETED;
    const fee = done && transactionTypeId !== undefined ? chargeOf(transactionTypeId, minor, currency) : 0n;
    return [trace, payee, currency, minor, status, fee, done].join(' ');
  });
  if (written.join('\n') === expected.join('\n')) return [];
  return [`${name} is written as [${written.join(' | ')}], and was sent as [${expected.join(' | ')}]`];
}

function sumViolations(books: Books, currency: string, { paid, fees, received }: Sums): readonly string[] {
  const inBooks = (amounts: Readonly<Record<string, string>>): bigint => minorOf(amounts[currency] ?? '', currency);
  const left = inBooks(books.opening) + received - paid - fees;
  const pairs: readonly (readonly [string, bigint, bigint])[] = [
    ['paid', inBooks(books.paid), paid],
    ['fees', inBooks(books.fees), fees],
    ['received', inBooks(books.received), received],
    ['balance', inBooks(books.balance), left],
  ];
  return pairs.flatMap(([what, written, added]) =>
    written === added
      ? []
      : [`${currency} ${what} is ${written} in the books, and ${added} by the requests (minor units)`],
  );
}

/**
 * Identity: the same row of the same batch has the same ids forever, even when the ledger is lost, so a run that is repeated
 * collides with itself at the service instead of paying again.
 *
 * Every id is a UUIDv8 (RFC 9562) over SHA-256 of length-prefixed parts. The row number is never one of the parts: sorting
 * the sheet must not change an id.
 */
import { hash } from 'node:crypto';
import { invariant } from './invariant.ts';

/**
 * Identifies a batch: the operator's name for it, as names are compared, or, for a rehearsal without a name, the content
 * of the sheet.
 */
export type BatchKey = Brand<string, 'BatchKey'>;
/** Short form of a batch key for people, file names and commands. */
export type BatchId = Brand<string, 'BatchId'>;
/** Identifies a row within its batch, regardless of its position. */
export type RowKey = Brand<string, 'RowKey'>;
/** `originatorConversationId` of an order. ISO 20022: `PmtInfId`. */
export type OrderId = Brand<string, 'OrderId'>;
/** `systemTraceAuditNumber` of an order line. ISO 20022: `InstrId`. */
export type TraceNumber = Brand<string, 'TraceNumber'>;

/** Version of the derivations below. A change to any of them needs a new version, or paid rows would get new ids. */
const VERSION = 'PB2';

/**
 * Returns the SHA-256, as hexadecimal, of the parts, each prefixed with its length in bytes, so that no two lists of
 * parts hash alike.
 */
const digest = (parts: readonly string[]): string => hash('sha256', parts.map(prefixed).join(''), 'hex');

/** Returns a part, prefixed with its length in bytes. */
const prefixed = (part: string): string => `${Buffer.byteLength(part)}:${part}`;

/** Returns the UUIDv8 (RFC 9562 section 5.8) of the first 128 bits of a digest, with version (8) and variant bits (10) set. */
function uuidV8(hex: string): string {
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 0b11);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns the SHA-256 of a text or of bytes, as lower-case hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => hash('sha256', content, 'hex');

/** What distinguishes one payout from the others of its batch. */
export interface RowIdentity {
  /** The payer's own reference, normalised (NFKC, trimmed); `undefined` if the sheet has none for the row. */
  readonly reference?: string;
  /** Kind and destination in normalised form, for example `wallet|254712345678`. */
  readonly payee: string;
  readonly amountMinor: bigint;
  readonly currency: string;
}

/**
 * Returns the key of a row: its reference if it has one, or else payee, amount and currency with the number of the occurrence
 * among identical rows (from 1), so that two equal payments in one sheet remain two.
 */
export function rowKeyOf(row: RowIdentity, occurrence: number): RowKey {
  const parts =
    row.reference === undefined
      ? ['payee', row.payee, row.amountMinor.toString(), row.currency, occurrence.toString()]
      : ['reference', row.reference];
  return digest(parts) as RowKey; // only this file may make the brand
}

/** Returns the name of a batch in the form in which names are compared: case and blanks around it are ignored. */
export const comparedBatchName = (name: string): string => name.trim().toLowerCase();

/** Returns the batch key of a name that the operator gave (`--batch`). */
export const namedBatchKey = (name: string): BatchKey => `name:${comparedBatchName(name)}` as BatchKey;

/** Returns the operator's name for the batch, as it is compared; `undefined` if the key is derived from the content. */
export const nameOfKey = (key: BatchKey): string | undefined =>
  key.startsWith('name:') ? key.slice('name:'.length) : undefined;

/**
 * Fingerprint of the content of a sheet that does not depend on the order of its rows: a sum of one hash per row, in memory
 * that does not grow with the sheet. The sum is over 512 bits, so that equal sums mean equal rows.
 */
export class ContentFingerprint {
  #sum = 0n;
  #rows = 0;

  /** Adds one payout of the sheet, with everything that decides who is paid what. */
  add(row: RowIdentity, name: string): void {
    const who = prefixed(row.reference ?? '') + prefixed(row.payee);
    const text = who + prefixed(row.amountMinor.toString()) + prefixed(row.currency) + prefixed(name);
    this.#sum += BigInt(`0x${hash('sha512', text)}`);
    this.#rows += 1;
  }

  /** Returns the fingerprint of all rows added so far, as hexadecimal. */
  value(): string {
    const sum = BigInt.asUintN(512, this.#sum).toString(16);
    return digest([VERSION, 'content', this.#rows.toString(), sum]);
  }
}

/** Returns the batch key of a rehearsal that the operator gave no name. A live batch always has one. */
export const contentBatchKey = (fingerprint: string): BatchKey => `content:${fingerprint}` as BatchKey;

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns what people call the batch: its name as they `typed` it, or eight characters (40 bits) of the derived key. */
export function batchIdOf(key: BatchKey, typed = nameOfKey(key)): BatchId {
  if (typed !== undefined) return typed.trim() as BatchId;
  let bits = BigInt(`0x${digest([VERSION, 'batch', key]).slice(0, 10)}`);
  let id = '';
  for (let i = 0; i < 8; i++) {
    id = CROCKFORD.charAt(Number(bits & 31n)) + id;
    bits >>= 5n;
  }
  return id as BatchId;
}

/** Longest name of a batch or a person, in characters. */
export const PLAIN_NAME_MAX = 64;
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** The rule of `isPlainName`, as people read it. */
export const PLAIN_NAME_RULE = `Use up to ${PLAIN_NAME_MAX} letters, digits, dots, hyphens and underscores, beginning with a letter or digit.`;

/**
 * Reports whether a text can name a batch, or a person who approves. The name becomes part of file names, so it must not hold
 * anything that a path could misread.
 */
export const isPlainName = (text: string): boolean =>
  PLAIN_NAME.test(text) && text.length <= PLAIN_NAME_MAX && !text.includes('..');

/** What the ids of an attempt at a row are derived from, in addition to the row. */
export interface AttemptIdentity {
  /** `Settings.idNamespace`: keeps the ids of two accounts apart, and stays the same when names and addresses change. */
  readonly namespace: string;
  readonly batchKey: BatchKey;
  /** 1 for the first attempt; incremented only after a definite failure. */
  readonly attempt: number;
}

function idOf(use: 'order' | 'trace', { namespace, batchKey, attempt }: AttemptIdentity, row: RowKey): string {
  invariant(attempt >= 1, 'attempts are counted from 1');
  return uuidV8(digest([VERSION, use, namespace, batchKey, attempt.toString(), row]));
}

/**
 * Returns the id of an order, derived from the key of its first row alone: another grouping, or one row more, changes no
 * other order. No two orders of a batch begin with the same row, so none share an id.
 */
export const orderIdOf = (identity: AttemptIdentity, firstRow: RowKey): OrderId =>
  idOf('order', identity, firstRow) as OrderId;

/** Returns the trace number of one row, whichever order it is in. */
export const traceNumberOf = (identity: AttemptIdentity, row: RowKey): TraceNumber =>
  idOf('trace', identity, row) as TraceNumber;

/** Returns an id that no order has, to see how the service answers when it does not know an id. */
export function madeUpOrderId(random: () => number): OrderId {
  const noise = Array.from({ length: 4 }, () => random().toString(36)).join();
  return uuidV8(digest([VERSION, 'made-up', noise])) as OrderId;
}

/** Returns a trace number that was never used and never will be again, for requests that move no money and belong to no payout. */
export function freshTraceNumber(random: () => number): TraceNumber {
  const noise = Array.from({ length: 4 }, () => random().toString(36)).join();
  return uuidV8(digest([VERSION, 'fresh-trace', noise])) as TraceNumber;
}
/** A string or number that only its owning file may make: not every string is a `Brand<string, 'OrderId'>`. */
export type Brand<Base, Name extends string> = Base & { readonly __brand: Name };

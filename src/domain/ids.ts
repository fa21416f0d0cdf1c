/**
 * Identity: the same row of the same batch has the same ids for ever, even when the ledger is gone, so a run that is repeated
 * collides with itself at the service instead of paying again.
 *
 * Every id is a UUIDv8 (RFC 9562) over SHA-256 of length-prefixed parts. The row number is never one of them: sorting
 * the sheet must not change an id.
 */
import { hash } from 'node:crypto';
import { invariant } from './invariant.ts';

/** Identifies a batch: the operator's own name for it as names are compared, or else, of a rehearsal, the content of the sheet. */
export type BatchKey = Brand<string, 'BatchKey'>;
/** Short form of a batch key for people, file names and commands. */
export type BatchId = Brand<string, 'BatchId'>;
/** Identifies a row within its batch, whatever its position. */
export type RowKey = Brand<string, 'RowKey'>;
/** `originatorConversationId` of an order. ISO 20022: `PmtInfId`. */
export type OrderId = Brand<string, 'OrderId'>;
/** `systemTraceAuditNumber` of an order line. ISO 20022: `InstrId`. */
export type TraceNumber = Brand<string, 'TraceNumber'>;

/** Version of the derivations below. Changing any of them needs a new one, or paid rows would get new ids. */
const VERSION = 'PB2';

/** SHA-256 over the parts, each prefixed with its length in bytes, so that no two lists of parts read the same; hexadecimal. */
const digest = (parts: readonly string[]): string => hash('sha256', parts.map(prefixed).join(''), 'hex');

/** A part behind its length in bytes. */
const prefixed = (part: string): string => `${Buffer.byteLength(part)}:${part}`;

/** UUIDv8 (RFC 9562 section 5.8) from the first 128 bits of a digest, with version (8) and variant bits (10) set. */
function uuidV8(hex: string): string {
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 0b11);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** SHA-256 of a text or of bytes, as lower-case hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => hash('sha256', content, 'hex');

/** What tells one payout from another of the same batch. */
export interface RowIdentity {
  /** The payer's own reference, normalised (NFKC, trimmed); undefined when the sheet has none for the row. */
  readonly reference?: string;
  /** Kind and destination in normalised form, for example `wallet|254712345678`. */
  readonly payee: string;
  readonly amountMinor: bigint;
  readonly currency: string;
}

/**
 * The key of a row: its reference if it has one, or else payee, amount and currency with the number of the occurrence
 * among identical rows (from 1), so that two equal payments in one sheet stay two.
 */
export function rowKeyOf(row: RowIdentity, occurrence: number): RowKey {
  const parts =
    row.reference === undefined
      ? ['payee', row.payee, row.amountMinor.toString(), row.currency, occurrence.toString()]
      : ['reference', row.reference];
  return digest(parts) as RowKey; // the owning file makes the brand
}

/** A name of a batch as all names are compared: another case, or blanks around it, make no other batch. */
export const comparedBatchName = (name: string): string => name.trim().toLowerCase();

/** The batch key of a name given by the operator (`--batch`). */
export const namedBatchKey = (name: string): BatchKey => `name:${comparedBatchName(name)}` as BatchKey;

/** The name that the operator gave the batch, as it is compared; undefined for one whose key is derived from its content. */
export const nameOfKey = (key: BatchKey): string | undefined =>
  key.startsWith('name:') ? key.slice('name:'.length) : undefined;

/**
 * Fingerprint of the content of a sheet that does not depend on the order of its rows: a sum of one hash per row, in
 * memory that does not grow with the sheet. The sum is over 512 bits, so that equal sums mean equal rows.
 */
export class ContentFingerprint {
  /** The sum, 16 bits in each place and the lowest last. A place takes what is carried over only in the end. */
  readonly #sum = new Float64Array(32);
  #rows = 0;

  /** Adds one payout of the sheet, with everything about it that decides who gets what. */
  add(row: RowIdentity, name: string): void {
    const who = prefixed(row.reference ?? '') + prefixed(row.payee);
    const text = who + prefixed(row.amountMinor.toString()) + prefixed(row.currency) + prefixed(name);
    // One character a byte: a sum of big integers would take as long as the hash.
    const bytes = hash('sha512', text, 'binary');
    const sum = this.#sum;
    for (let place = 0; place < sum.length; place++) {
      sum[place] = (sum[place] ?? 0) + bytes.charCodeAt(2 * place) * 256 + bytes.charCodeAt(2 * place + 1);
    }
    this.#rows += 1;
  }

  /** The fingerprint of all rows added so far, as hexadecimal. */
  value(): string {
    const whole = this.#sum.reduce((sum, place) => (sum << 16n) + BigInt(place), 0n);
    const sum = BigInt.asUintN(512, whole).toString(16);
    return digest([VERSION, 'content', this.#rows.toString(), sum]);
  }
}

/** The batch key of a rehearsal that the operator gave no name: a live batch has one. */
export const contentBatchKey = (fingerprint: string): BatchKey => `content:${fingerprint}` as BatchKey;

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** What people call the batch: its name as they `typed` it, or eight characters (40 bits) of the derived key. */
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

/** Characters of a name at most. */
export const BATCH_NAME_MAX = 64;
const BATCH_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Whether a text can name a batch: it becomes part of file names, so nothing that a path could misread. */
export const isBatchName = (text: string): boolean =>
  BATCH_NAME.test(text) && text.length <= BATCH_NAME_MAX && !text.includes('..');

/** What the ids of an attempt at a row are derived from, besides the row. */
export interface AttemptIdentity {
  /** `Settings.idNamespace`: keeps the ids of two accounts apart, and stays what it is when names and addresses change. */
  readonly namespace: string;
  readonly batchKey: BatchKey;
  /** 1 for the first attempt; raised only after a definite failure. */
  readonly attempt: number;
}

function idOf(use: 'order' | 'trace', { namespace, batchKey, attempt }: AttemptIdentity, row: RowKey): string {
  invariant(attempt >= 1, 'attempts are counted from 1');
  return uuidV8(digest([VERSION, use, namespace, batchKey, attempt.toString(), row]));
}

/**
 * The id of an order, from the key of its first row alone: another grouping, or one row more, moves no other order. No
 * two orders of a batch begin with the same row, so none share an id.
 */
export const orderIdOf = (identity: AttemptIdentity, firstRow: RowKey): OrderId =>
  idOf('order', identity, firstRow) as OrderId;

/** The trace number of one row, whichever order it is in. */
export const traceNumberOf = (identity: AttemptIdentity, row: RowKey): TraceNumber =>
  idOf('trace', identity, row) as TraceNumber;

/** An id that no order has: to see how the service answers when it does not know one. */
export function madeUpOrderId(random: () => number): OrderId {
  const noise = Array.from({ length: 4 }, () => random().toString(36)).join();
  return uuidV8(digest([VERSION, 'made-up', noise])) as OrderId;
}

/** A trace number that nothing had before and nothing will have again: for requests that move no money and are no payout's. */
export function freshTraceNumber(random: () => number): TraceNumber {
  const noise = Array.from({ length: 4 }, () => random().toString(36)).join();
  return uuidV8(digest([VERSION, 'fresh-trace', noise])) as TraceNumber;
}
/** A string or number that only its owning file may make: `Brand<string, 'OrderId'>` is not any string. */
export type Brand<Base, Name extends string> = Base & { readonly __brand: Name };

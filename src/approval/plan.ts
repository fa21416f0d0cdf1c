/**
 * A plan: everything that a run would pay, frozen into one file that can be mailed. Its bytes have one form only, so that a
 * signature over their hash covers everything in the file; a file that was edited, or written by another program, is refused.
 */

import { z } from 'zod';
import type { BatchHeader, PlannedBlock } from '../domain/batch.ts';
import { canonicalText } from '../domain/canonical.ts';
import type { MoneyStatement } from '../domain/event.ts';
import { Fault, systemCode } from '../domain/fault.ts';
import { type BatchId, sha256 } from '../domain/ids.ts';
import { jsonIn } from '../domain/json.ts';
import { add, sameMoney, zero } from '../domain/money.ts';
import { readShortFile } from '../files/short-file.ts';
import { isSignedBy } from '../ledger/signing.ts';
import { isPublicKey, type Signatory } from './approver-key.ts';
import { batchId, money, moneyRecord, number, statementSchema, text } from './statement-schema.ts';

/** The only version that this paybatch writes and reads. */
const VERSION = 1;

/** The most rows of one plan, which is read into memory as a whole, unlike a sheet. */
export const PLAN_ROWS_MAX = 100_000;
/** The largest plan file, in bytes: the size of that many rows, with room for long names. */
export const PLAN_BYTES_MAX = 100 * 1024 * 1024;

/** Ending of the name of every plan file. */
export const PLAN = 'plan.json';

/** The notice at the top of every plan, for anyone who opens or forwards it. */
export const PERSONAL_DATA =
  'This file holds personal data: names, phones, accounts and amounts. Send it only to the people who must approve it, and delete it afterwards.';

/** SHA-256, as lower-case hexadecimal. */
export const hash = z.string().regex(/^[0-9a-f]{64}$/);
export const publicKey = z.string().refine(isPublicKey);
/** 64 bytes in base64url. */
export const signature = z.string().regex(/^[A-Za-z0-9_-]{86}$/);
/** ISO 8601 in UTC with milliseconds. */
export const time = z.iso.datetime({ precision: 3 });

/**
 * What the request said about the sheet, apart from its path. When the plan is applied, the sheet is read, checked and priced
 * in the same way.
 */
const request = z.strictObject({
  worksheet: text.exactOptional(),
  delimiter: text.exactOptional(),
  encoding: text.exactOptional(),
  map: text.exactOptional(),
  currency: text.exactOptional(),
  purpose: text.exactOptional(),
  decimals: z.enum(['point', 'comma']).exactOptional(),
  allowIdentical: number,
  includeHidden: number.exactOptional(),
  acceptFixes: z.boolean(),
  skipInvalid: number.exactOptional(),
  batchName: text.exactOptional(),
  allowDuplicate: text.exactOptional(),
  acceptPaidBefore: number.exactOptional(),
  acceptChangedPayees: number.exactOptional(),
  acceptUnverifiable: number.exactOptional(),
  payees: z.strictObject({ newOnly: z.boolean(), acceptNoMatch: number.exactOptional() }).exactOptional(),
});

const row = z.strictObject({ row: number, name: text, to: text, amount: money, charge: money });

/** One order: its id, and the SHA-256 of the exact bytes that it sends. */
const order = z.strictObject({
  id: z.string().regex(/^[0-9a-f-]{36}$/),
  body: hash,
  rows: z.array(row).min(1).max(1000).readonly(),
});

const unsigned = {
  v: z.literal(VERSION),
  type: z.literal('paybatch plan'),
  notice: z.literal(PERSONAL_DATA),
  batch: batchId,
  organisation: text,
  profile: text,
  sandbox: z.boolean(),
  service: text,
  maker: text,
  madeAt: time,
  expiresAt: time,
  madeWith: text,
  sheet: z.strictObject({
    name: text,
    folder: text,
    sha256: hash,
    worksheet: text.exactOptional(),
    mapping: hash.exactOptional(),
  }),
  request,
  /** Values by their names in the configuration. The remitter and the callback address are kept only as hashes. */
  settings: z
    .array(z.tuple([text, text]).readonly())
    .max(1000)
    .readonly(),
  total: money,
  charges: money,
  statement: statementSchema,
  /** Rows that are set aside because of their errors, and not paid. */
  setAside: z.array(number).max(PLAN_ROWS_MAX).readonly(),
  /** Rows that the sheet leaves out on purpose. */
  leftOut: z
    .array(z.strictObject({ row: number, reason: text, amount: money.exactOptional() }))
    .max(PLAN_ROWS_MAX)
    .readonly()
    .exactOptional(),
  orders: z.array(order).min(1).max(PLAN_ROWS_MAX).readonly(),
};

const planSchema = z.strictObject({
  ...unsigned,
  signed: z.strictObject({ name: text, key: publicKey, signature }).exactOptional(),
});

/** A plan, signed by its maker or not. */
export type Plan = z.infer<typeof planSchema>;
export type PlanRequest = Plan['request'];

/** A plan with the hash of its exact bytes: what people approve. */
export interface PlanFile {
  readonly plan: Plan;
  /** SHA-256 of the bytes, lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * Returns the text that a maker signs: the whole file except `signed`, in RFC 8785 form. No other text that a key signs has
 * this `type`.
 */
const makerText = (unsigned: object): string => canonicalText(unsigned);

/** Returns the only text of a plan. `maker` signs it; without a maker it is unsigned. */
export function planText(plan: Omit<Plan, 'signed'>, maker?: Signatory): string {
  const record = withMoneyAsText(plan);
  if (!maker) return recordText(record);
  const { name, key } = maker;
  return recordText({ ...record, signed: { name, key: key.name, signature: key.sign(makerText(record)) } });
}

/** Returns the only text of a record: a plan, or a decision on one. */
export const recordText = (record: object): string => `${JSON.stringify(record, undefined, 1)}\n`;

/** Replaces money by its text; everything else stays as it is. */
function withMoneyAsText(value: object): object;
function withMoneyAsText(value: unknown): unknown;
function withMoneyAsText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMoneyAsText);
  if (typeof value !== 'object' || value === null) return value;
  if ('minor' in value && typeof value.minor === 'bigint')
    return moneyRecord(value as Parameters<typeof moneyRecord>[0]); // only money has such a field
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withMoneyAsText(inner)]));
}

/** Reads the plan in a file. Throws a Fault `plan-refused` if the file cannot be read, or is not as it was made. */
export function planIn(file: string): PlanFile {
  let bytes: Buffer;
  try {
    bytes = readShortFile(file, PLAN_BYTES_MAX);
  } catch (error) {
    if (error instanceof RangeError) throw refusedPlan(`${file} is not a plan: ${error.message}`);
    const code = systemCode(error);
    throw code === 'ENOENT'
      ? refusedPlan(`there is no file ${file}`, 'Check the path; `paybatch plan` says where it writes a plan.')
      : refusedPlan(`${file} cannot be read (${code})`);
  }
  return readPlan(bytes);
}

/** Reads a plan and checks that it says only one thing. Throws a Fault `plan-refused` for anything else. */
export function readPlan(bytes: Uint8Array): PlanFile {
  if (!isOfPlanSize(bytes)) throw refusedPlan(NO_PLAN);
  const json = Buffer.from(bytes).toString('utf8');
  const raw = fieldsIn(withoutMark(json));
  const version = raw['v'];
  if (raw['type'] !== 'paybatch plan' || typeof version !== 'number') throw refusedPlan(NO_PLAN);
  if (version !== VERSION) {
    throw refusedPlan(`it has version ${version}, and this paybatch knows only version ${VERSION}`);
  }
  const read = planSchema.safeParse(raw);
  if (!read.success) {
    const where = read.error.issues[0]?.path.map(String).join('.') ?? '';
    throw refusedPlan(`the value at "${where}" is not valid`);
  }
  const made = recordText(raw);
  if (!Buffer.from(made).equals(bytes)) throw changedPlan(json, made);
  const plan = read.data;
  const wrong = contradictionOf(plan) ?? forgeryOf(plan, raw);
  if (wrong !== undefined) throw refusedPlan(wrong);
  return { plan, sha256: sha256(bytes) };
}

function fieldsIn(json: string): Readonly<Record<string, unknown>> {
  const value = jsonIn(json);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}; // each field is checked before it is used
}

/**
 * Returns why the figures of a plan contradict its rows, or `undefined`. People must be shown what is paid, so figures must be
 * the sum of the rows.
 */
function contradictionOf({ orders, statement, total, charges, setAside, leftOut = [] }: Plan): string | undefined {
  const rows = orders.flatMap((one) => one.rows);
  const nothing = zero(total.currency);
  if ([...rows, statement].some((one) => ('charge' in one ? one.charge : one.total).currency !== total.currency)) {
    return 'it has several currencies';
  }
  const paid = rows.reduce((sum, { amount }) => add(sum, amount), nothing);
  const charged = rows.reduce((sum, { charge }) => add(sum, charge), nothing);
  const agrees =
    sameMoney(paid, total) &&
    sameMoney(paid, statement.total) &&
    sameMoney(charged, charges) &&
    sameMoney(charged, statement.charges) &&
    statement.count === rows.length;
  if (!agrees) return 'its figures are not the sum of its rows';
  const numbers = [...rows.map(({ row: one }) => one), ...setAside, ...leftOut.map(({ row: one }) => one)];
  if (new Set(numbers).size !== numbers.length) return 'it has a row twice';
  return new Set(orders.map(({ id }) => id)).size === orders.length ? undefined : 'it has an order twice';
}

function forgeryOf({ signed }: Plan, raw: Readonly<Record<string, unknown>>): string | undefined {
  if (!signed) return undefined;
  const { signed: _, ...rest } = raw;
  return isSignedBy(signed.key, makerText(rest), signed.signature)
    ? undefined
    : 'the signature of its maker does not match its content';
}

const NO_PLAN = 'it is not a paybatch plan';
const ANEW = 'Make a new plan: paybatch plan SHEET --batch NAME';

export const refusedPlan = (why: string, remedy = ANEW): Fault =>
  new Fault('plan-refused', `The plan cannot be used: ${why}. Nothing was sent.`, remedy);

/** Returns the fault for a file that says what a plan says, but in other bytes than paybatch wrote. */
function changedPlan(json: string, made: string): Fault {
  const way = changeOnTheWay(json, (repaired) => repaired === made);
  if (way === undefined) return refusedPlan('it was edited after it was made, or saved by another program');
  return refusedPlan(way, `${SEND_AGAIN} Or make a new plan: paybatch plan SHEET --batch NAME`);
}

/** Deepest nesting of groups and lists that is read; a plan has seven levels. */
const DEPTH_MAX = 12;
/** The most values of all kinds that are read. The longest plan has half as many. */
const VALUES_MAX = 2_000_000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/** Reports whether the JSON in these bytes stays within `DEPTH_MAX` and `VALUES_MAX`, so that parsing it is safe. */
function isOfPlanSize(bytes: Uint8Array): boolean {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === COMMA) values++;
    else if (OPENING.has(byte)) {
      values++;
      depth++;
    } else if (CLOSING.has(byte)) depth--;
    if (depth > DEPTH_MAX || values > VALUES_MAX) return false;
  }
  return true;
}

/** Returns the position of the quote that ends the text beginning at `start`, or the number of bytes if the text does not end. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let end = start + 1; ; end++) {
    end = bytes.indexOf(QUOTE, end);
    if (end === -1) return bytes.length;
    let first = end;
    while (bytes[first - 1] === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
}

const MARK = '\uFEFF';

/** Returns a text without the byte order mark that some programs put in front, so that its content can be read. */
const withoutMark = (text: string): string => (text.startsWith(MARK) ? text.slice(1) : text);

/** Returns how programs changed a text in transit, or `undefined` if undoing such changes does not restore a complete text. */
export function changeOnTheWay(text: string, isWhole: (repaired: string) => boolean): string | undefined {
  const repaired = `${withoutMark(text).replaceAll('\r\n', '\n').trimEnd()}\n`;
  if (repaired === text || !isWhole(repaired)) return undefined;
  if (text.startsWith(MARK)) return 'a mark (BOM) was put in front of it on its way';
  return text.includes('\r')
    ? 'its line ends were changed on its way (CRLF)'
    : 'its last line end was changed on its way';
}

/** Mail programs may change texts, but leave archives as they are. */
const SEND_AGAIN = 'Have it sent again, inside a ZIP file.';

/** A sheet that was checked and priced, before anyone was asked to confirm it. */
export interface Offer {
  readonly batch: BatchId;
  readonly sheet: BatchHeader['sheet'];
  readonly statement: MoneyStatement;
  /** Every row and order, with the exact bytes that would be sent. Built again for each call. */
  readonly blocks: () => Iterable<PlannedBlock>;
}

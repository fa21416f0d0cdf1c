/** The contents of an evidence pack: its files by name, their shapes, and how much of them is read. */
import { z } from 'zod';
import { hash, publicKey, signature, time } from '../../approval/plan.ts';
import { SHEET_ROWS_MOST } from '../../domain/sheet-size.ts';
import { PACK_LINE } from '../../ledger/evidence.ts';

/** Raised when the contents of a pack change. A pack of another version is not judged. */
export const PACK_VERSION = 1;

/** First line of the list of hashes, a comment that tools for such lists skip. */
export const SUMS_LINE = `${PACK_LINE}${PACK_VERSION}`;

/** The names of all files, in their order in the zip. */
export const member = {
  page: 'HOW-TO-CHECK.md',
  pack: 'pack.json',
  headText: 'head.txt',
  headSignature: 'head.sig',
  key: 'ledger-key.pem',
  chains: 'chains.jsonl',
  facts: 'facts.jsonl',
  orders: 'orders.jsonl',
  rows: 'rows.jsonl',
  approvals: 'approvals.json',
  plan: 'plan.json',
  sheetBook: 'sheet.xlsx',
  sheetText: 'sheet.csv',
  summary: 'summary.json',
  csv: 'results.csv',
  lines: 'results.jsonl',
  sums: 'SHA256SUMS',
  sumsSignature: 'SHA256SUMS.sig',
} as const;

export type Member = (typeof member)[keyof typeof member];

/** Files that a pack has only if they still existed when it was made. */
export const optionalMembers: ReadonlySet<string> = new Set([member.plan, member.sheetBook, member.sheetText]);

const text = z.string();
const place = z.int().min(1);
const salt = z.string().regex(/^[0-9a-f]{32}$/);

/** What a pack says about itself. It is covered by the signature over the list of hashes. */
export const packShape = z.strictObject({
  v: z.literal(PACK_VERSION),
  type: z.literal('paybatch evidence pack'),
  notice: text,
  batch: text,
  sandbox: z.boolean(),
  /** Id of the ledger; `head` says how far it went. */
  ledger: text,
  head: z.strictObject({ seq: place, hash, key: publicKey, signature }),
  /** When the last fact of the batch was recorded. */
  asOf: time,
  facts: place,
  /** Whether the ledger may not have known everything that was sent. */
  inRecovery: z.boolean(),
  madeWith: text,
  resultsSchema: text,
  timezone: text,
  sheet: z.strictObject({ name: text, sha256: hash, member: text.nullable() }),
  plan: z.strictObject({ sha256: hash, member: text.nullable() }).nullable(),
});
export type Pack = z.infer<typeof packShape>;

export const rangeShape = z.strictObject({ seq: place, batch: text, number: place, hash });

export const factShape = z.strictObject({
  seq: place,
  number: place,
  at: z.int(),
  order: text.exactOptional(),
  type: text,
  data: text,
  hash,
  text: text.exactOptional(),
  salt: salt.exactOptional(),
});

/** `sha256`: hash of the body as it was sent, without salt. A purged order has no texts. */
export const orderShape = z.union([
  z.strictObject({ position: place, id: text, sha256: hash, body: text, origin: text, salt }),
  z.strictObject({ position: place, id: text }),
]);

/** `text`: what the plan commits to or, without a salt, what a purge has left. */
export const rowShape = z.strictObject({ row: place, text, salt: salt.exactOptional() });

const MiB = 1024 * 1024;

/** Limits for a pack of the largest batch that a sheet can hold. */
export const packLimits = {
  // A row takes about 4 kB in all files together, and 1.7 kB in the facts: room for a million rows, and as much again for
  // orders that were asked about twice.
  inflatedBytes: 16_384 * MiB,
  entryBytes: 8192 * MiB,
  // Hashes do not compress, so no file of a pack comes near this ratio.
  entryRatio: 200,
  ratioFreeBytes: 4 * MiB,
  entries: Object.keys(member).length,
} as const;

/** The longest line, in bytes: an order of a thousand lines has a body of a megabyte. */
export const LINE_BYTES_MAX = 16 * MiB;
/** The largest file that is read as a whole, in bytes, unless the caller sets another limit. */
export const SMALL_BYTES_MAX = MiB;

/** The most lines of each list that are read. Rows may have several orders, one for each attempt. */
export const linesMax = {
  chains: 1_000_000,
  facts: 20_000_000,
  orders: 10_000_000,
  rows: SHEET_ROWS_MOST,
} as const;

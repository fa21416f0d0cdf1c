/** The signed head of a ledger: which facts the ledger has, signed with a key that is not kept with it. */

import { numberOf, type Reader, type Statement, textOf } from '../database/database.ts';
import type { RecordedAccount } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import type { ChainHead } from './chain.ts';
import { isSignedBy, type SigningKey } from './signing.ts';

/** What the key of a ledger signs in addition to its head. It is not kept anywhere outside of the ledger. */
export interface SignedLedgerEnd {
  /** The end of the ledger's own chain (`ledger-chain.ts`). */
  readonly ledgerEnd: string;
  readonly signature: string;
}

/** What a ledger says about itself at one moment. */
export interface RecordedHead {
  /** Absent before the first fact. */
  readonly head?: LedgerHead;
  /** Present whenever `head` is. */
  readonly ledgerEnd?: SignedLedgerEnd;
  /** The highest number of a fact; 0 if there is none. */
  readonly lastSeq: number;
  /** Absent while the ledger belongs to no account. */
  readonly account?: Partial<RecordedAccount>;
}

/** One statement, so that no other process can write in between. */
const RECORDED = `SELECT m.service, m.token_url, m.client_id, h.seq, h.hash, h.signing_key, h.signature,
  h.told, h.told_signature, (SELECT COALESCE(MAX(f.seq), 0) FROM fact f) AS last_seq
  FROM meta m LEFT JOIN head h ON h.only_row = m.only_row WHERE m.only_row = 1`;

/** Replaces the head that the new one follows, and no other. */
const WRITE = `INSERT INTO head (only_row, seq, hash, signing_key, signature, told, told_signature)
  VALUES (1, ?, ?, ?, ?, ?, ?) ON CONFLICT (only_row) DO UPDATE SET seq = excluded.seq, hash = excluded.hash,
  signing_key = excluded.signing_key, signature = excluded.signature, told = excluded.told,
  told_signature = excluded.told_signature WHERE head.seq = ?`;

/** Locks the head for a group, unless another process has moved it. Until the group is over, no other process appends a fact. */
const BELIEVE = 'UPDATE head SET seq = seq WHERE only_row = 1 AND seq = ?';
/** Finds that there is no head. Only the plan of the first batch does, and planning is serial. */
const BELIEVE_NONE = 'SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM head)';
const LOCK = 'UPDATE head SET seq = seq WHERE only_row = 1';

/**
 * The last fact of each batch up to a given fact. The hash over the ends of all chains there follows from these. The batches
 * are read from the index of their facts, one after the other, because one that is being planned is in no other table. Batch and
 * fact are compared together: for the latest fact alone, PostgreSQL would read back through the facts of all other batches.
 */
const ENDS_AT = `WITH RECURSIVE began (batch) AS (SELECT MIN(batch) FROM fact UNION ALL
    SELECT (SELECT MIN(n.batch) FROM fact n WHERE n.batch > began.batch) FROM began WHERE began.batch IS NOT NULL)
  SELECT f.batch, f.number, f.hash FROM began JOIN fact f ON f.batch = began.batch AND f.seq = (SELECT e.seq FROM fact e
    WHERE (e.batch, e.seq) <= (began.batch, ?) ORDER BY e.batch DESC, e.seq DESC LIMIT 1)`;

/** Returns the text that is signed for a head. Nothing else that a key signs begins like it. */
export const signedHeadText = (ledger: string, { seq, hash }: ChainHead): string =>
  `paybatch head 1 ${ledger} ${seq} ${hash}`;

const ledgerEndText = (ledger: string, { seq, hash }: ChainHead, ledgerEnd: string): string =>
  `paybatch told 1 ${ledger} ${seq} ${hash} ${ledgerEnd}`;

export async function recordedHead(database: Reader): Promise<RecordedHead> {
  const [row] = await database.read(RECORDED);
  invariant(row, 'a ledger has an id');
  const head = row['seq'] !== null && {
    seq: numberOf(row, 'seq'),
    hash: textOf(row, 'hash'),
    key: textOf(row, 'signing_key'),
    signature: textOf(row, 'signature'),
  };
  const ledgerEnd = head && { ledgerEnd: textOf(row, 'told'), signature: textOf(row, 'told_signature') };
  const { service, token_url: tokenUrl, client_id: clientId } = row;
  const isTied = service !== null || tokenUrl !== null || clientId !== null;
  return {
    ...(head && { head }),
    ...(ledgerEnd && { ledgerEnd }),
    lastSeq: numberOf(row, 'last_seq'),
    ...(isTied && { account: { service, tokenUrl, clientId } as Partial<RecordedAccount> }),
  };
}

const HEAD_SEQ = 'SELECT seq FROM head WHERE only_row = 1';

/**
 * Returns the number of the last fact of the ledger, as its head says, unproven; 0 before the first. It shows whether
 * another process has appended facts.
 */
export async function headSeq(database: Reader): Promise<number> {
  const [row] = await database.read(HEAD_SEQ);
  return row ? numberOf(row, 'seq') : 0;
}

const LAST_OF_BATCH = 'SELECT COALESCE(MAX(seq), 0) AS seq FROM fact WHERE batch = ?';

export async function lastFactOf(database: Reader, batch: BatchId): Promise<number> {
  const [row] = await database.read(LAST_OF_BATCH, [batch]);
  return row ? numberOf(row, 'seq') : 0;
}

export const endsAt = (database: Reader, seq: number) => database.read(ENDS_AT, [seq]);

export const signedHead = (ledger: string, head: ChainHead, key: SigningKey): LedgerHead => ({
  ...head,
  key: key.name,
  signature: key.sign(signedHeadText(ledger, head)),
});

export const signedLedgerEnd = (
  ledger: string,
  head: ChainHead,
  ledgerEnd: string,
  key: SigningKey,
): SignedLedgerEnd => ({
  ledgerEnd,
  signature: key.sign(ledgerEndText(ledger, head, ledgerEnd)),
});

/** Returns the statement that replaces the head before, which ended with the fact `before` (0 if there was none). */
export const headStatement = (
  { seq, hash, key, signature }: LedgerHead,
  { ledgerEnd, signature: ledgerEndSignature }: SignedLedgerEnd,
  before: number,
): Statement => ({ sql: WRITE, values: [seq, hash, key, signature, ledgerEnd, ledgerEndSignature, before], expect: 1 });

/** Returns a statement that makes its group fail if the ledger does not end with this fact (0 if it has none). */
export const believing = (seq: number): Statement =>
  seq === 0 ? { sql: BELIEVE_NONE, values: [], expect: 1 } : { sql: BELIEVE, values: [seq], expect: 1 };

/** Reports whether a statement is one of `believing`. If it failed, another process has appended facts since. */
export const isBelief = (sql: string): boolean => sql === BELIEVE || sql === BELIEVE_NONE;

/** Locks the head, so that no other process appends a fact until the end of the group. */
export const lockingHead: Statement = { sql: LOCK, values: [] };

export const isRightlySigned = (ledger: string, head: LedgerHead): boolean =>
  isSignedBy(head.key, signedHeadText(ledger, head), head.signature);

export const isLedgerEndRightlySigned = (
  ledger: string,
  head: LedgerHead,
  { ledgerEnd, signature }: SignedLedgerEnd,
): boolean => isSignedBy(head.key, ledgerEndText(ledger, head, ledgerEnd), signature);

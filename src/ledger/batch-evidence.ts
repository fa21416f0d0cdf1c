/**
 * Everything that a ledger holds about one batch, as of one moment: what others need to prove the batch again without the
 * ledger. It is proven before it is handed out.
 */

import { blocksOf, hexOf, mappedBlocks, numberOf, type Reader, type SqlRow, textOf } from '../database/database.ts';
import type { BatchHeader, ResultRow, Tally } from '../domain/batch.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import { sheetRows } from './batch-proof.ts';
import { resultRows, tallies } from './batches.ts';
import type { BatchEnd } from './chain.ts';
import { leftText, storedRowText } from './commitment.ts';
import { type RawFact, rawFacts } from './facts.ts';
import { ITS_BODY, TEXTS, textsIn } from './recorded-orders.ts';
import { type RecordedRun, recordedRuns } from './runs.ts';

/** The end of a range: facts that follow each other in the ledger and belong to one batch. */
export interface ChainRange extends BatchEnd {
  /** Place in the ledger of the last fact of the range. */
  readonly seq: number;
  readonly batch: BatchId;
}

/**
 * What the sheet said about a row: the one text that its plan commits to under the salt. After a purge there is no salt, and
 * the text says what the purge left of the row.
 */
export interface EvidenceRow {
  readonly row: number;
  readonly text: string;
  readonly salt: string | undefined;
}

/** The exact bytes of an order and what they were made from. The plan of the order commits to both under the salt. */
export interface EvidenceOrder {
  /** Place among all orders of the ledger. */
  readonly position: number;
  readonly id: OrderId;
  /** `undefined` if they were purged. */
  readonly kept: { readonly body: string; readonly origin: string; readonly salt: string } | undefined;
}

/**
 * The evidence about one batch. Every list can be read several times, from the beginning each time, and keeps one block in
 * memory.
 */
export interface BatchEvidence {
  /** Id of the ledger. */
  readonly ledger: string;
  readonly header: BatchHeader;
  /** The end of the ledger at that moment. */
  readonly head: LedgerHead;
  /** The ranges of the ledger. The ends of all chains, at the head and at every fact of the batch, follow from them. */
  readonly ranges: () => AsyncIterable<readonly ChainRange[]>;
  readonly facts: () => AsyncIterable<readonly RawFact[]>;
  /** Rows in sheet order. */
  readonly rows: () => AsyncIterable<readonly EvidenceRow[]>;
  /** Orders in the order in which they were planned. */
  readonly orders: () => AsyncIterable<readonly EvidenceOrder[]>;
  readonly resultRows: () => AsyncIterable<readonly ResultRow[]>;
  readonly tallies: () => Promise<readonly Tally[]>;
  readonly runs: () => Promise<readonly RecordedRun[]>;
  /** Returns how many facts the batch has, and when the latest was recorded, in wall-clock milliseconds. */
  readonly extent: () => Promise<{ readonly facts: number; readonly latestAt: number }>;
}

const BLOCK = 500;

/** A range ends, too, where the batch itself begins after what an interrupted planning left under the same id. */
const RANGES = `SELECT f.seq, f.batch, f.number, f.hash FROM fact f
  WHERE (NOT EXISTS (SELECT 1 FROM fact n WHERE n.seq = f.seq + 1 AND n.batch = f.batch)
    OR (f.batch = ? AND f.number = (SELECT MAX(begins_after) FROM batch WHERE id = ?)))
  AND f.seq > ? ORDER BY f.seq LIMIT ${BLOCK}`;
const ORDERS = `SELECT o.position, o.id, ${TEXTS} FROM pay_order o JOIN ${ITS_BODY}
  WHERE o.batch = ? AND o.position > ? ORDER BY o.position LIMIT ${BLOCK}`;

const EXTENT = `SELECT COUNT(*) AS facts, MAX(happened_at) AS at FROM fact
  WHERE batch = ? AND number > (SELECT MAX(begins_after) FROM batch WHERE id = ?)`;

/** Returns the evidence about a batch that a reader shows. The reader must show one snapshot. */
export function evidenceIn(
  still: Reader,
  { ledger, header, head }: Pick<BatchEvidence, 'ledger' | 'header' | 'head'>,
): BatchEvidence {
  const { id } = header;
  return {
    ledger,
    header,
    head,
    ranges: () => mappedBlocks(blocksOf(still, RANGES, [id, id], 'seq'), rangeIn),
    facts: () => rawFacts(still, { batch: id }),
    rows: () => mappedBlocks(sheetRows(still, id), rowIn),
    orders: () => mappedBlocks(blocksOf(still, ORDERS, [id], 'position'), orderIn),
    // The batch was proven in the same snapshot, so its orders are current.
    resultRows: () => resultRows({ database: still, areCurrent: async () => true }, id),
    tallies: () => tallies(still, id),
    runs: () => recordedRuns(still, id),
    async extent() {
      const [found = {}] = await still.read(EXTENT, [id, id]);
      return { facts: numberOf(found, 'facts'), latestAt: numberOf(found, 'at') };
    },
  };
}

const rangeIn = (row: SqlRow): ChainRange => ({
  seq: numberOf(row, 'seq'),
  batch: textOf(row, 'batch') as BatchId, // a column of batch ids
  number: numberOf(row, 'number'),
  hash: hexOf(row, 'hash'),
});

const rowIn = (row: SqlRow): EvidenceRow =>
  row['salt'] === null
    ? { row: numberOf(row, 'sheet_row'), text: leftText(row), salt: undefined }
    : { row: numberOf(row, 'sheet_row'), text: storedRowText(row), salt: hexOf(row, 'salt') };

const orderIn = (row: SqlRow): EvidenceOrder => ({
  position: numberOf(row, 'position'),
  id: textOf(row, 'id') as OrderId, // a column of order ids
  kept: row['salt'] === null ? undefined : textsIn(row),
});

/**
 * Which batches may have something to be done, read without any proof. It only says where to look: whoever goes on with a batch
 * opens the ledger as every run does, and believes what is proven there.
 */
import type { BatchHeader } from '../domain/batch.ts';
import type { BatchId } from '../domain/ids.ts';
import { decodeRecord } from '../domain/json.ts';
import { laneNumbers } from '../domain/lanes.ts';
import { numberOf, type Reader, textOf } from './database.ts';
import { spanOfLane } from './span.ts';

/** A batch, and the number of its latest fact: while that stays, nothing has happened to the batch. */
export interface BatchEnd {
  readonly batch: BatchId;
  readonly lastFact: number;
}

const LAST = '(SELECT MAX(f.seq) FROM fact f WHERE f.batch = b.id)';
const ENDS = `SELECT b.id, ${LAST} AS last_fact FROM batch b ORDER BY b.number`;
const END = `SELECT b.id, ${LAST} AS last_fact FROM batch b WHERE b.id = ?`;
const UNSENT = "SELECT 1 AS found FROM pay_order WHERE batch = ? AND phase = 'planned' AND superseded = 0 LIMIT 1";
const OPEN =
  "SELECT 1 AS found FROM pay_order WHERE batch = ? AND phase IN ('claimed', 'in-doubt', 'accepted') LIMIT 1";

const HEADER = 'SELECT header FROM batch WHERE id = ?';
const OPENED = `SELECT data FROM fact WHERE batch = ? AND type = 'run-stopped' ORDER BY seq DESC`;
const UNSENT_BETWEEN = `${UNSENT.replace(' LIMIT 1', '')} AND position > ? AND position <= ? LIMIT 1`;

/** A batch as it was planned, which never changes; undefined: it is not in the ledger. */
export async function plannedBatch(reader: Reader, batch: BatchId): Promise<BatchHeader | undefined> {
  const [row] = await reader.read(HEADER, [batch]);
  return row && decodeRecord<BatchHeader>(textOf(row, 'header'));
}

/** The lanes of a batch that have a job of their own; the first one belongs to who works on all of it. */
export const lanesBeside = (batch: BatchHeader): readonly number[] => laneNumbers(batch).slice(1);

/** Which of these lanes have something to be sent, if the batch was opened for several. */
export async function lanesToSend(
  reader: Reader,
  header: BatchHeader,
  lanes: readonly number[],
): Promise<readonly number[]> {
  if (lanes.length === 0) return [];
  const batch = header.id;
  const ends = await reader.read(OPENED, [batch]);
  if (!ends.some((end) => textOf(end, 'data').includes('"opened":true'))) return [];
  const found: number[] = [];
  for (const lane of lanes) {
    const { after, upTo } = await spanOfLane(reader, header, lane);
    if ((await reader.read(UNSENT_BETWEEN, [batch, after, upTo])).length > 0) found.push(lane);
  }
  return found;
}

const endOf = (row: Parameters<typeof textOf>[0]): BatchEnd => ({
  batch: textOf(row, 'id') as BatchId, // a column of batch ids
  lastFact: numberOf(row, 'last_fact'),
});

/** All batches in the order of their plans. */
export const batchEnds = async (reader: Reader): Promise<readonly BatchEnd[]> => (await reader.read(ENDS)).map(endOf);

/** One of them; undefined: it is not in the ledger. */
export const batchEnd = async (reader: Reader, batch: BatchId): Promise<BatchEnd | undefined> =>
  (await reader.read(END, [batch])).map(endOf)[0];

/** Whether an order of the batch was not sent, or has no final word yet. Of a long batch that is through, it reads every order. */
export async function isUnfinished(reader: Reader, batch: BatchId): Promise<boolean> {
  for (const sql of [UNSENT, OPEN]) if ((await reader.read(sql, [batch])).length > 0) return true;
  return false;
}

/**
 * Turns evidence into lines of JSON, and back. Each record has exactly one text, so a line cannot hold anything that goes
 * unchecked.
 */
import type { z } from 'zod';
import { type BatchId, type OrderId, sha256 } from '../../domain/ids.ts';
import { jsonIn } from '../../domain/json.ts';
import type { BatchEvidence, ChainRange, EvidenceOrder, EvidenceRow } from '../../ledger/batch-evidence.ts';
import type { GivenFact } from '../../ledger/evidence-store.ts';
import { factShape, orderShape, rangeShape, rowShape } from './members.ts';

/** Yields a line for each record. `fields`: the fields of a record, in the order of its shape; an absent one is left out. */
async function* lines<T>(blocks: AsyncIterable<readonly T[]>, fields: (record: T) => object): AsyncGenerator<string> {
  for await (const block of blocks) for (const record of block) yield `${JSON.stringify(fields(record))}\n`;
}

export const rangeLines = (evidence: BatchEvidence) =>
  lines(evidence.ranges(), ({ seq, batch, number, hash }) => ({ seq, batch, number, hash }));

export const factLines = (evidence: BatchEvidence) =>
  lines(evidence.facts(), ({ seq, number, at, order, type, data, hash, text, salt }) => ({
    seq,
    number,
    at,
    order,
    type,
    data,
    hash,
    text,
    salt,
  }));

export const requestLines = (evidence: BatchEvidence) =>
  lines(evidence.orders(), ({ position, id, kept }) =>
    kept
      ? { position, id, sha256: sha256(kept.body), body: kept.body, origin: kept.origin, salt: kept.salt }
      : { position, id },
  );

export const rowLines = (evidence: BatchEvidence) =>
  lines(evidence.rows(), ({ row, text, salt }) => ({ row, text, salt }));

/** Returns the record in a line; `undefined` unless the line is exactly what paybatch would write. */
function read<S extends z.ZodType>(line: string, shape: S): z.infer<S> | undefined {
  const found = shape.safeParse(jsonIn(line));
  return found.success && JSON.stringify(found.data) === line ? found.data : undefined;
}

export const rangeOf = (line: string): ChainRange | undefined => {
  const said = read(line, rangeShape);
  return said && { ...said, batch: said.batch as BatchId }; // compared with the head
};

export const factOf = (line: string): GivenFact | undefined => {
  const said = read(line, factShape);
  const { order, text, salt, ...rest } = said ?? {};
  // Replaying the facts checks the order id.
  return said && { ...(rest as Omit<GivenFact, 'order' | 'text' | 'salt'>), order: order as OrderId, text, salt };
};

export const orderOf = (line: string): EvidenceOrder | undefined => {
  const said = read(line, orderShape);
  if (!said) return undefined;
  const { position } = said;
  const id = said.id as OrderId; // compared with the facts
  if (!('body' in said)) return { position, id, kept: undefined };
  const { body, origin, salt } = said;
  return sha256(body) === said.sha256 ? { position, id, kept: { body, origin, salt } } : undefined;
};

export const rowOf = (line: string): EvidenceRow | undefined => {
  const said = read(line, rowShape);
  return said && { row: said.row, text: said.text, salt: said.salt };
};

/** Which batches people have stopped: a fold over the facts, in the order in which they were recorded. */
import type { BatchStop } from '../domain/batch-stop.ts';
import type { BatchFact, Fact } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { decodeFact } from './fact-record.ts';
import type { RawFact } from './facts.ts';

const words: ReadonlySet<string> = new Set<BatchFact['type']>(['batch-stopped', 'batch-released']);

/** Whether a fact is the word of a person on a batch, which is recorded beside its lease and moves no order. */
export const isWordOnBatch = (type: string): boolean => words.has(type);

/** Whether a fact may be appended by who does not have the lease of its batch. */
export const isStop = ({ type }: Fact | BatchFact): boolean => type === 'batch-stopped';

/** Moves the stops that are in force by a fact that was read. Throws as `decodeFact` does. */
export function stopsFollow(stops: Map<BatchId, BatchStop>, raw: RawFact): void {
  if (!isWordOnBatch(raw.type)) return;
  followWord(stops, decodeFact(raw) as BatchFact, raw.number); // none of these is about one order
}

/** The same by a fact that stands at this place among the facts of its batch. */
export function followWord(stops: Map<BatchId, BatchStop>, fact: BatchFact, number: number): void {
  const { batch } = fact;
  if (fact.type === 'batch-stopped') stops.set(batch, { batch, number, at: fact.at, by: fact.by, reason: fact.reason });
  if (fact.type === 'batch-released' && stops.get(batch)?.number === fact.stop) stops.delete(batch);
}

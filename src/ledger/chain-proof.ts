/** Proof of the facts: every chain is complete, and the head follows from the chains and was signed with the ledger's own key. */

import { hexOf, numberOf, type Reader, type SqlRow, textOf } from '../database/database.ts';
import type { BatchStop } from '../domain/batch.ts';
import type { BatchFact, Fact, KeyChange, RecordedAccount } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { encodeRecord } from '../domain/json.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import type { PurgeRecord } from '../domain/purged.ts';
import { type BatchEnd, Chains, factHash, headHash } from './chain.ts';
import { factTextHash } from './commitment.ts';
import { textHashIn } from './fact-text.ts';
import { decodeFact, ledgerFacts, type RawFact, rawFacts } from './facts.ts';
import type { Keyring } from './keyring.ts';
import { ledgerChainAfter, ledgerChainStart, readEnds } from './ledger-chain.ts';
import type { OrderDigests } from './recorded-orders.ts';
import { isLedgerEndRightlySigned, isRightlySigned, type RecordedHead, recordedHead } from './signed-head.ts';

const BATCHES =
  'SELECT number, id, batch_key, fingerprint, planned_at, header, begins_after FROM batch ORDER BY number';
const HASH_OF = 'SELECT hash FROM fact WHERE batch = ? AND number = ? ORDER BY seq LIMIT 1';

/** What the proven facts say about the ledger as a whole. */
export interface ProvenFacts {
  readonly chains: Chains;
  /** What the table of batches must say about each of them, in the order in which they were planned. */
  readonly plans: Map<BatchId, PlannedColumns>;
  /** The hash over the rows of each batch whose plan has one. */
  readonly rows: Map<BatchId, string>;
  readonly keyChanges: KeyChange[];
  /** The latest purge of each batch, with its place among the facts of the batch. No fact before it has a text any more. */
  readonly purges: Map<BatchId, ProvenPurge>;
  /** Stops that people ordered and nobody has cancelled, by batch. */
  readonly stops: Map<BatchId, BatchStop>;
  account: RecordedAccount | undefined;
  /** The end of the ledger's own chain. */
  ledgerEnd: string;
}

/** The columns of a batch that follow from its plan. */
type PlannedColumns = Readonly<Record<'header' | 'batch_key' | 'fingerprint' | 'planned_at' | 'begins_after', unknown>>;

/** Returns the columns of a batch from its plan. The header is encoded once, because each group compares all batches. */
export const plannedColumns = ({ header, beginsAfter = 0 }: BatchPlanned): PlannedColumns => {
  const { key, fingerprint, plannedAt } = header as Record<string, unknown>; // as its plan has it, of whatever shape
  return {
    header: encodeRecord(header),
    batch_key: key,
    fingerprint,
    planned_at: plannedAt,
    begins_after: beginsAfter,
  };
};

/** The fact that a batch exists. */
export type BatchPlanned = BatchFact & { readonly type: 'batch-planned' };

interface ProvenPurge extends PurgeRecord {
  readonly number: number;
}

export interface ProvenLedger {
  readonly uuid: string;
  readonly proven: ProvenFacts;
  readonly keyring: Keyring;
}

export const noFacts = (ledgerUuid: string): ProvenFacts => ({
  chains: new Chains(ledgerUuid),
  plans: new Map(),
  rows: new Map(),
  keyChanges: [],
  purges: new Map(),
  stops: new Map(),
  account: undefined,
  ledgerEnd: ledgerChainStart(ledgerUuid),
});

/** What the ledger says about itself, and the facts of its own chain after a given one. */
export interface LedgerReading {
  readonly recorded: RecordedHead;
  readonly ledgerFacts: readonly RawFact[];
  /** The last fact of each batch. */
  readonly ends: ReadonlyMap<BatchId, BatchEnd>;
  /** The table of batches, in the order in which they were planned. */
  readonly batches: readonly SqlRow[];
}

/** Reads all of it at once, because processes that take turns at the head wait for each other meanwhile. */
export async function readLedger(still: Reader, after: number): Promise<LedgerReading> {
  const [recorded, blocks, ends, batches] = await Promise.all([
    recordedHead(still),
    Array.fromAsync(ledgerFacts(still, after)),
    readEnds(still),
    still.read(BATCHES),
  ]);
  return { recorded, ledgerFacts: blocks.flat(), ends, batches };
}

/**
 * Brings `proven` up to what the ledger says about itself now, without reading what happened to each order: compares the facts
 * about batches, and the ends of all chains, with what the ledger's key has signed. Yields every difference, in order.
 * `reading` has the facts after those that are proven. Returns the batches that got new facts from the holder of their lease;
 * stops and releases that people recorded do not count, because they move no order. The first call, which begins with no
 * facts, returns no batches.
 */
export function* ledgerDifferences(
  { recorded, ledgerFacts: facts, ends, batches }: LedgerReading,
  ledger: ProvenLedger,
): Generator<string, ReadonlySet<BatchId>> {
  const { uuid, proven, keyring } = ledger;
  const { head } = recorded;
  const before = proven.chains.copy();
  const wordsOf = new Map<BatchId, number>();
  const texts = new FactTexts();
  for (const fact of facts) {
    yield* noteFact(proven, fact, keyring);
    yield* texts.differences(fact);
    if (isStopOrRelease(fact.type)) wordsOf.set(fact.batch, (wordsOf.get(fact.batch) ?? 0) + 1);
  }
  yield* texts.unpurged(proven.purges);
  const areOfHead = head !== undefined && headHash(uuid, ends) === head.hash;
  if (head && !areOfHead) yield 'the head of the ledger: does not follow from its facts';
  if (head && areOfHead) proven.chains.endAt(head.seq, ends);
  yield* headDifferences(ledger, recorded);
  yield* plansDiffer(batches, proven, recorded);
  if (before.seq === 0 || !areOfHead) return new Set();
  const moved = [...ends].filter(
    ([batch, { number }]) => number !== before.endOf(batch).number + (wordsOf.get(batch) ?? 0),
  );
  return new Set(moved.map(([batch]) => batch));
}

/**
 * Compares the facts of one batch with the proven end of its chain: all of its facts, or those after an earlier end
 * (`from`), which was proven too. `digests` are the digests of its orders at that earlier end, and are updated by each fact.
 */
export async function* chainDifferences(
  database: Reader,
  { uuid, proven }: Pick<ProvenLedger, 'uuid' | 'proven'>,
  batch: BatchId,
  { digests, from: earlier }: { readonly digests: OrderDigests; readonly from?: Chains },
): AsyncGenerator<string> {
  const from = earlier ?? (await beginningOf(database, uuid, batch, proven));
  const end = proven.chains.endOf(batch);
  const texts = new FactTexts();
  for await (const block of rawFacts(database, { batch, after: from.seq })) {
    for (const fact of block) {
      yield* linkFact(from, fact);
      yield* texts.differences(fact);
      digests.follow(fact);
    }
  }
  const found = from.endOf(batch);
  if (found.number !== end.number || found.hash !== end.hash)
    yield `batch ${batch}: its facts do not end as the head of the ledger says`;
  yield* texts.unpurged(proven.purges);
}

/**
 * Returns the chain of a batch before its first fact. It begins after what an interrupted planning left under the same id; the
 * first fact of the batch proves the hash that is read here, because its own hash covers it.
 */
async function beginningOf(database: Reader, uuid: string, batch: BatchId, { plans }: ProvenFacts): Promise<Chains> {
  const chains = new Chains(uuid);
  const number = Number(plans.get(batch)?.begins_after ?? 0);
  if (number === 0) return chains;
  const [last] = await database.read(HASH_OF, [batch, number]);
  if (last) chains.endAt(0, [[batch, { number, hash: hexOf(last, 'hash') }]]);
  return chains;
}

/** Proves every fact of a ledger of which nothing is proven yet, and yields every difference, in order. */
export async function* factDifferences(
  database: Reader,
  ledger: ProvenLedger,
  recorded: RecordedHead,
): AsyncGenerator<string, void> {
  const { proven, keyring } = ledger;
  const texts = new FactTexts();
  const batches = await database.read(BATCHES);
  // Compared with the plans below. What a planning left behind has no batch, and only its place is proven.
  const beginsAfter = new Map(batches.map((row) => [textOf(row, 'id'), numberOf(row, 'begins_after')]));
  let seq = 0;
  for await (const block of rawFacts(database, { to: recorded.lastSeq })) {
    for (const fact of block) {
      seq += 1;
      if (fact.seq !== seq) yield `fact ${seq}: missing; the next one is ${fact.seq}`;
      seq = fact.seq;
      if (fact.number <= (beginsAfter.get(fact.batch) ?? Number.POSITIVE_INFINITY)) {
        proven.chains.follow(fact.batch, { number: fact.number, hash: fact.hash });
        continue;
      }
      yield* followFact(proven, fact, keyring);
      yield* texts.differences(fact);
    }
  }
  yield* texts.unpurged(proven.purges);
  yield* headDifferences(ledger, recorded);
  yield* plansDiffer(batches, proven, recorded);
}

const inOrder = ({ service, tokenUrl, clientId }: Partial<RecordedAccount>) => [service, tokenUrl, clientId];

/**
 * Checks the texts that are kept next to facts: each must be the one that its fact commits to, or a purge must have deleted
 * it.
 */
export class FactTexts {
  /**
   * By batch, the place of the last fact whose text is gone (`#gone`), and of the first fact that still has its text
   * (`#kept`).
   */
  readonly #gone = new Map<BatchId, number>();
  readonly #kept = new Map<BatchId, number>();

  *differences({ seq, batch, number, data, text, salt }: RawFact): Generator<string> {
    const committed = textHashIn(data);
    if (text !== undefined && salt !== undefined) {
      if (committed === undefined) yield `fact ${seq}: has a text that it does not commit to`;
      else if (factTextHash({ text, salt }) !== committed) yield `fact ${seq}: its text was changed`;
      else if (!this.#kept.has(batch)) this.#kept.set(batch, number);
    } else if (text !== undefined || salt !== undefined) yield `fact ${seq}: has half of a text`;
    else if (committed !== undefined) this.#gone.set(batch, number);
  }

  /** Yields texts that are gone without a purge, and texts that exist although they were purged. */
  *unpurged(purges: ReadonlyMap<BatchId, ProvenPurge>): Generator<string> {
    const purgedUpTo = (batch: BatchId): number => purges.get(batch)?.number ?? 0;
    for (const [batch, number] of this.#gone) {
      if (number > purgedUpTo(batch))
        yield `fact ${number} of batch ${batch}: its text is gone, and no fact has purged it`;
    }
    for (const [batch, number] of this.#kept) {
      if (number < purgedUpTo(batch)) yield `fact ${number} of batch ${batch}: has the text that was purged`;
    }
  }
}

/** Advances `proven` by one fact, and yields what is wrong with that fact. */
export function* followFact(proven: ProvenFacts, fact: RawFact, keyring: Pick<Keyring, 'isRight'>): Generator<string> {
  yield* linkFact(proven.chains, fact);
  yield* noteFact(proven, fact, keyring);
}

/** Advances the chain of a batch by one fact, and yields what is wrong with that fact. */
function* linkFact(chains: Chains, fact: RawFact): Generator<string> {
  const end = chains.endOf(fact.batch);
  if (fact.number !== end.number + 1) {
    yield `fact ${fact.seq}: does not follow the fact before it in batch ${fact.batch}`;
  }
  if (fact.position !== undefined && fact.order === undefined)
    yield `fact ${fact.seq}: the order that it is about is missing`;
  else if (factHash(end.hash, fact) !== fact.hash) yield `fact ${fact.seq}: was changed (its hash differs)`;
  chains.follow(fact.batch, { number: fact.number, hash: fact.hash });
}

/** Adds to `proven` what a fact says about the ledger, or about a batch as a whole, and yields what is wrong with that fact. */
function* noteFact(proven: ProvenFacts, fact: RawFact, keyring: Pick<Keyring, 'isRight'>): Generator<string> {
  const { plans, keyChanges, purges } = proven;
  proven.ledgerEnd = ledgerChainAfter(proven.ledgerEnd, fact);
  try {
    if (fact.type === 'batch-planned') {
      const planned = decodeFact(fact) as BatchPlanned; // by its type
      if (plans.has(fact.batch)) yield `fact ${fact.seq}: plans batch ${fact.batch} a second time`;
      plans.set(fact.batch, plannedColumns(planned));
      if (planned.rows !== undefined) proven.rows.set(fact.batch, planned.rows);
      proven.account = planned.account;
    }
    if (fact.type === 'batch-purged') {
      const { batch, seq, number, at } = fact;
      purges.set(batch, { batch, seq, number, at, by: JSON.parse(fact.data).by });
    }
    followStops(proven.stops, fact);
    if (fact.type === 'client-id-changed' && proven.account) {
      proven.account = { ...proven.account, clientId: JSON.parse(fact.data).to };
    }
    if (fact.type === 'signing-key-changed') {
      const change: KeyChange = JSON.parse(fact.data);
      if (!keyring.isRight(change)) yield `fact ${fact.seq}: the change of its key is not signed by both keys`;
      if ((keyChanges.at(-1)?.to ?? change.from) !== change.from) yield `fact ${fact.seq}: changes another key`;
      keyChanges.push(change);
    }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    yield `fact ${fact.seq}: cannot be read (${error.message})`;
  }
}

function* headDifferences(ledger: ProvenLedger, recorded: RecordedHead): Generator<string> {
  const { uuid, proven } = ledger;
  const { head, ledgerEnd, lastSeq } = recorded;
  if (!head) {
    if (lastSeq > 0) yield `fact ${lastSeq}: the ledger has no head that says so`;
    return;
  }
  const wrong = [...headFaults(ledger, head, lastSeq)];
  yield* wrong;
  // Anything that depends on a wrong head says nothing more.
  if (wrong.length > 0) return;
  if (ledgerEnd?.ledgerEnd !== proven.ledgerEnd)
    yield 'the facts about batches: are not those that the ledger was signed with';
  else if (!isLedgerEndRightlySigned(uuid, head, ledgerEnd)) yield 'the facts about batches: their signature is wrong';
}

function* headFaults({ uuid, proven, keyring }: ProvenLedger, head: LedgerHead, lastSeq: number): Generator<string> {
  // Checked first: without the key nothing else can be said.
  if (!keyring.isOurs(head.key, proven.keyChanges)) {
    yield `the head of the ledger: signed by the key ${head.key}, which is not this ledger's`;
  } else if (!isRightlySigned(uuid, head)) yield 'the head of the ledger: its signature is wrong';
  const handedOn = proven.keyChanges.at(-1);
  if (handedOn && handedOn.to !== head.key) yield 'the head of the ledger: signed by a key that was replaced';
  if (head.seq !== lastSeq)
    yield `fact ${Math.min(head.seq, lastSeq) + 1}: the head of the ledger is that of fact ${head.seq}, and the last one is ${lastSeq}`;
  else if (head.hash !== proven.chains.head.hash) yield 'the head of the ledger: does not follow from its facts';
}

/** Yields where the tables differ from what the facts say about batches and about the account. */
function* plansDiffer(
  rows: LedgerReading['batches'],
  { plans, account: bound }: ProvenFacts,
  { account = {} }: RecordedHead,
): Generator<string> {
  const planned = [...plans];
  const kept = new Map(rows.map((row) => [textOf(row, 'id') as BatchId, row])); // a column of batch ids
  for (const [index, [id, { planned_at: plannedAt, begins_after: beginsAfter, ...said }]] of planned.entries()) {
    const row = kept.get(id);
    kept.delete(id);
    if (!row) {
      yield `batch ${id}: missing, but has facts`;
      continue;
    }
    const wrong = Object.entries(said).flatMap(([column, value]) => (row[column] === value ? [] : [column]));
    if (numberOf(row, 'planned_at') !== plannedAt) wrong.push('planned_at');
    if (numberOf(row, 'begins_after') !== beginsAfter) wrong.push('begins_after');
    if (numberOf(row, 'number') !== index + 1) wrong.push('number');
    if (wrong.length > 0) yield `batch ${id}: differs from its facts in ${wrong.join(', ')}`;
  }
  for (const id of kept.keys()) yield `batch ${id}: no fact has planned it`;
  // A ledger without a batch may have been opened for any account.
  if (bound && JSON.stringify(inOrder(account)) !== JSON.stringify(inOrder(bound))) {
    yield 'the ledger: its account differs from its facts';
  }
}

const stopsAndReleases: ReadonlySet<string> = new Set<BatchFact['type']>(['batch-stopped', 'batch-released']);

/** Reports whether a fact is a stop of a batch by a person, or its release. Neither moves an order. */
const isStopOrRelease = (type: string): boolean => stopsAndReleases.has(type);

/** Reports whether a fact may be appended without the lease of its batch. */
export const isStop = ({ type }: Fact | BatchFact): boolean => type === 'batch-stopped';

/** Updates the stops in force by a fact that was read. Throws the errors of `decodeFact`. */
function followStops(stops: Map<BatchId, BatchStop>, raw: RawFact): void {
  if (!isStopOrRelease(raw.type)) return;
  followStop(stops, decodeFact(raw) as BatchFact, raw.number); // neither type is about a single order
}

/** Updates the stops in force by a fact. `number` is its place among the facts of its batch. */
export function followStop(stops: Map<BatchId, BatchStop>, fact: BatchFact, number: number): void {
  const { batch } = fact;
  if (fact.type === 'batch-stopped') stops.set(batch, { batch, number, at: fact.at, by: fact.by, reason: fact.reason });
  if (fact.type === 'batch-released' && stops.get(batch)?.number === fact.stop) stops.delete(batch);
}

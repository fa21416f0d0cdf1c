/** Proof of the facts: every chain is whole, the head is theirs and was signed by the ledger's own key. */
import type { BatchStop } from '../domain/batch.ts';
import type { BatchFact, Fact, KeyChange, RecordedAccount } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { decodeRecord, encodeRecord } from '../domain/json.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import type { PurgeRecord } from '../domain/purged.ts';
import { type BatchEnd, type ChainHead, Chains, factHash, headHash } from './chain.ts';
import { factTextHash } from './commitment.ts';
import { numberOf, type Reader, textOf } from './database.ts';
import { textHashIn } from './fact-text.ts';
import { decodeFact, type RawFact, rawFacts, toldFacts } from './facts.ts';
import type { Keyring } from './keyring.ts';
import { changed } from './proof-faults.ts';
import type { OrderDigests } from './recorded-orders.ts';
import { isRightlySigned, isToldRightlySigned, type RecordedHead } from './signed-head.ts';
import { endsOf, readEnds, toldAfter, toldOfNone } from './told-facts.ts';

const BATCHES = 'SELECT number, id, batch_key, fingerprint, planned_at, header FROM batch ORDER BY number';

/** What the facts that were proven say of the ledger as a whole. */
export interface ProvenFacts {
  readonly chains: Chains;
  /** Headers of the batches as they were planned, in that order, as text. */
  readonly plans: Map<BatchId, string>;
  readonly keyChanges: KeyChange[];
  /** The latest purge of each batch, with its place among the facts of the batch: no fact before it has a text of its own. */
  readonly purges: Map<BatchId, ProvenPurge>;
  /** The batches that people stopped and nobody has taken back. */
  readonly stops: Map<BatchId, BatchStop>;
  account: RecordedAccount | undefined;
  /** Hash over the facts that were told of batches as wholes (`told-facts.ts`). */
  told: string;
}

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
  keyChanges: [],
  purges: new Map(),
  stops: new Map(),
  account: undefined,
  told: toldOfNone(ledgerUuid),
});

/**
 * Takes over what the ledger says of itself since `proven`, without reading what happened to each order: the facts about batches, and
 * the ends of all chains, are held against what its key has signed. Tells all that does not agree, the first first. Gives the
 * batches that have new facts by whoever had their leases: the word of a person on a batch moves no order of it. At first that is none.
 */
export async function* standingDifferences(
  database: Reader,
  ledger: ProvenLedger,
  recorded: RecordedHead,
): AsyncGenerator<string, ReadonlySet<BatchId>> {
  const { uuid, proven, keyring } = ledger;
  const { head, lastSeq } = recorded;
  const before = proven.chains.copy();
  const wordsOf = new Map<BatchId, number>();
  const texts = new FactTexts();
  for await (const block of toldFacts(database, { after: before.seq, to: lastSeq })) {
    for (const fact of block) {
      yield* tellFact(proven, fact, keyring);
      yield* texts.differences(fact);
      if (isWordOnBatch(fact.type)) wordsOf.set(fact.batch, (wordsOf.get(fact.batch) ?? 0) + 1);
    }
  }
  yield* texts.unpurged(proven.purges);
  const ends = head && (await endsOf(database, uuid, head));
  if (head && !ends) yield 'the head of the ledger: does not follow from its facts';
  if (head && ends) proven.chains.standAt(head.seq, ends);
  yield* headDifferences(ledger, recorded);
  yield* plansDiffer(database, proven, recorded);
  if (before.seq === 0) return new Set();
  const moved = [...(ends ?? [])].filter(
    ([batch, { number }]) => number !== before.endOf(batch).number + (wordsOf.get(batch) ?? 0),
  );
  return new Set(moved.map(([batch]) => batch));
}

export interface ChainReading {
  readonly digests: OrderDigests;
  readonly from?: Chains;
  readonly about?: (facts: readonly RawFact[]) => AsyncIterable<string>;
}

/**
 * Holds the facts of one batch against the end of its chain, which is proven: all of them, or those that follow an earlier end,
 * which was proven too. `digests`: of its orders, as they stood there. `about`: what else is told of the facts as they go by.
 */
export async function* chainDifferences(
  database: Reader,
  { uuid, proven }: Pick<ProvenLedger, 'uuid' | 'proven'>,
  batch: BatchId,
  { digests, from = new Chains(uuid), about }: ChainReading,
): AsyncGenerator<string> {
  const end = proven.chains.endOf(batch);
  const texts = new FactTexts();
  for await (const block of rawFacts(database, { batch, after: from.seq })) {
    for (const fact of block) {
      yield* linkFact(from, fact);
      yield* texts.differences(fact);
      digests.follow(fact);
    }
    if (about) yield* about(block);
  }
  const found = from.endOf(batch);
  if (found.number !== end.number || found.hash !== end.hash)
    yield `batch ${batch}: its facts do not end as the head of the ledger says`;
  yield* texts.unpurged(proven.purges);
}

/** Proves every fact of a ledger of which nothing is proven yet, and tells all that does not agree, the first first. */
export async function* factDifferences(
  database: Reader,
  ledger: ProvenLedger,
  recorded: RecordedHead,
): AsyncGenerator<string, void> {
  const { proven, keyring } = ledger;
  const texts = new FactTexts();
  let seq = 0;
  for await (const block of rawFacts(database, { to: recorded.lastSeq })) {
    for (const fact of block) {
      seq += 1;
      if (fact.seq !== seq) yield `fact ${seq}: missing; the next one is ${fact.seq}`;
      yield* followFact(proven, fact, keyring);
      yield* texts.differences(fact);
      seq = fact.seq;
    }
  }
  yield* texts.unpurged(proven.purges);
  yield* headDifferences(ledger, recorded);
  yield* plansDiffer(database, proven, recorded);
}

const inOrder = ({ service, tokenUrl, clientId }: Partial<RecordedAccount>) => [service, tokenUrl, clientId];

/** The texts beside the facts that are read: each is the one that its fact commits to, or a purge has deleted it. */
export class FactTexts {
  /** By batch, places among its facts: the last one whose text is gone, and the first one that has its text. */
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

  /** Texts that are gone and were not purged, or that were purged and are there. */
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

/** Goes on by one fact, and tells what is wrong with it. */
export function* followFact(proven: ProvenFacts, fact: RawFact, keyring: Pick<Keyring, 'isRight'>): Generator<string> {
  yield* linkFact(proven.chains, fact);
  yield* tellFact(proven, fact, keyring);
}

/** Goes on by one fact in the chain of its batch. */
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

/** Takes over what a fact says of the ledger, or of a batch as a whole. */
function* tellFact(proven: ProvenFacts, fact: RawFact, keyring: Pick<Keyring, 'isRight'>): Generator<string> {
  const { plans, keyChanges, purges } = proven;
  proven.told = toldAfter(proven.told, fact);
  try {
    if (fact.type === 'batch-planned') {
      const { header, account } = decodeRecord<{ header: unknown; account: RecordedAccount }>(fact.data);
      if (plans.has(fact.batch)) yield `fact ${fact.seq}: plans batch ${fact.batch} a second time`;
      plans.set(fact.batch, encodeRecord(header));
      proven.account = account;
    }
    if (fact.type === 'batch-purged') {
      const { batch, seq, number, at } = fact;
      purges.set(batch, { batch, seq, number, at, by: JSON.parse(fact.data).by });
    }
    stopsFollow(proven.stops, fact);
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
  const { head, told, lastSeq } = recorded;
  if (!head) {
    if (lastSeq > 0) yield `fact ${lastSeq}: the ledger has no head that says so`;
    return;
  }
  const wrong = [...headFaults(ledger, head, lastSeq)];
  yield* wrong;
  // What hangs on a head that is wrong says nothing more.
  if (wrong.length > 0) return;
  if (told?.told !== proven.told) yield 'the facts about batches: are not those that the ledger was signed with';
  else if (!isToldRightlySigned(uuid, head, told)) yield 'the facts about batches: their signature is wrong';
}

function* headFaults({ uuid, proven, keyring }: ProvenLedger, head: LedgerHead, lastSeq: number): Generator<string> {
  // Asked first: without the key nobody can say more.
  if (!keyring.isOurs(head.key, proven.keyChanges)) {
    yield `the head of the ledger: signed by the key ${head.key}, which is not this ledger's`;
  } else if (!isRightlySigned(uuid, head)) yield 'the head of the ledger: its signature is wrong';
  const handedOn = proven.keyChanges.at(-1);
  if (handedOn && handedOn.to !== head.key) yield 'the head of the ledger: signed by a key that was replaced';
  if (head.seq !== lastSeq)
    yield `fact ${Math.min(head.seq, lastSeq) + 1}: the head of the ledger is that of fact ${head.seq}, and the last one is ${lastSeq}`;
  else if (head.hash !== proven.chains.head.hash) yield 'the head of the ledger: does not follow from its facts';
}

/** What the tables say of batches and of the account, beside what the facts say. */
async function* plansDiffer(
  database: Reader,
  { plans, account: tied }: ProvenFacts,
  { account = {} }: RecordedHead,
): AsyncGenerator<string> {
  const planned = [...plans];
  const rows = await database.read(BATCHES);
  const kept = new Map(rows.map((row) => [textOf(row, 'id') as BatchId, row])); // stored as one
  for (const [index, [id, header]] of planned.entries()) {
    const row = kept.get(id);
    kept.delete(id);
    if (!row) {
      yield `batch ${id}: missing, but has facts`;
      continue;
    }
    const { key, fingerprint, plannedAt } = decodeRecord<Record<string, unknown>>(header);
    const said = { header, batch_key: key, fingerprint };
    const wrong = Object.entries(said).flatMap(([column, value]) => (row[column] === value ? [] : [column]));
    if (numberOf(row, 'planned_at') !== plannedAt) wrong.push('planned_at');
    if (numberOf(row, 'number') !== index + 1) wrong.push('number');
    if (wrong.length > 0) yield `batch ${id}: differs from its facts in ${wrong.join(', ')}`;
  }
  for (const id of kept.keys()) yield `batch ${id}: no fact has planned it`;
  // A ledger without a batch may have been opened for any account.
  if (tied && JSON.stringify(inOrder(account)) !== JSON.stringify(inOrder(tied))) {
    yield 'the ledger: its account differs from its facts';
  }
}

const words: ReadonlySet<string> = new Set<BatchFact['type']>(['batch-stopped', 'batch-released']);

/** Whether a fact is the word of a person on a batch, which is recorded beside its lease and moves no order. */
const isWordOnBatch = (type: string): boolean => words.has(type);

/** Whether a fact may be appended by who does not have the lease of its batch. */
export const isStop = ({ type }: Fact | BatchFact): boolean => type === 'batch-stopped';

/** Moves the stops that are in force by a fact that was read. Throws as `decodeFact` does. */
function stopsFollow(stops: Map<BatchId, BatchStop>, raw: RawFact): void {
  if (!isWordOnBatch(raw.type)) return;
  followWord(stops, decodeFact(raw) as BatchFact, raw.number); // none of these is about one order
}

/** The same by a fact that stands at this place among the facts of its batch. */
export function followWord(stops: Map<BatchId, BatchStop>, fact: BatchFact, number: number): void {
  const { batch } = fact;
  if (fact.type === 'batch-stopped') stops.set(batch, { batch, number, at: fact.at, by: fact.by, reason: fact.reason });
  if (fact.type === 'batch-released' && stops.get(batch)?.number === fact.stop) stops.delete(batch);
}

/** `chains`: as they end now, proven. Fault `ledger-unsafe` when what follows that fact does not lead to them. */
export async function headAt(reader: Reader, ledgerUuid: string, chains: Chains, seq: number): Promise<ChainHead> {
  if (seq === chains.seq) return chains.head;
  const ends = await readEnds(reader, seq);
  await assertLeading(reader, new Chains(ledgerUuid), { seq, ends }, chains.head);
  return { seq, hash: headHash(ledgerUuid, ends) };
}

/** Earlier ends are right when the facts after them lead to the ends that are proven: no two ways lead to one hash. */
async function assertLeading(
  reader: Reader,
  chains: Chains,
  from: { readonly seq: number; readonly ends: ReadonlyMap<BatchId, BatchEnd> },
  to: ChainHead,
): Promise<void> {
  chains.standAt(from.seq, from.ends);
  for await (const block of rawFacts(reader, { after: from.seq, to: to.seq })) {
    for (const fact of block) for (const wrong of linkFact(chains, fact)) throw changed(wrong);
  }
  if (chains.head.hash !== to.hash) throw changed(`the facts after fact ${from.seq} do not lead to the head`);
}

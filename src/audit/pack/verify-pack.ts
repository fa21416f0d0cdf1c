/**
 * Proves an evidence pack without ledger and account: its hashes and signatures, the chain of facts, everything that the facts
 * commit to, the outcomes that follow from them, and the files that follow from those. The author of the pack is not trusted.
 */

import type { BatchHeader } from '../../domain/batch.ts';
import { isTimeZone } from '../../domain/clock.ts';
import type { BatchId } from '../../domain/ids.ts';
import { InvariantError } from '../../domain/invariant.ts';
import { jsonIn } from '../../domain/json.ts';
import { ChainRanges } from '../../ledger/chain-ranges.ts';
import { EvidenceStore } from '../../ledger/evidence-store.ts';
import { isRightlySigned } from '../../ledger/signed-head.ts';
import { isSignedBy } from '../../ledger/signing.ts';
import { approvalDifferences, claimDifferences, planDifferences } from './compare-claims.ts';
import { derivedDifferences } from './compare-derived.ts';
import { type KeptHead, keptHeadDifferences } from './compare-kept-head.ts';
import { damagesOf } from './damages.ts';
import { derivedFiles, document } from './derived.ts';
import { factOf, orderOf, rangeOf, rowOf } from './evidence-lines.ts';
import { linesMax, member, type Pack, packShape } from './members.ts';
import { type OpenPack, openPack, PackDifference, recordsIn } from './open-pack.ts';

/** The most differences that are reported; more of them would say nothing new. */
const DIFFERENCES_MAX = 200;

/** What the caller expects of a pack, in addition to what it says about itself. */
export interface PackExpectation {
  /** The key that must have signed the pack. */
  readonly key?: string | undefined;
  /** A head that somebody else has kept, and where it was read. */
  readonly head?: KeptHead | undefined;
}

export interface PackVerdict {
  /** Differences in plain words; empty if the pack is sound. */
  readonly differences: readonly string[];
  /** What was not compared, and why. */
  readonly notes: readonly string[];
  /** What the pack says about itself, as far as it could be read. */
  readonly pack?: Pack;
  readonly header?: BatchHeader;
}

/** Proves the pack in a file. Throws a Fault `usage` if there is no such file. */
export async function verifyPack(path: string, expected: PackExpectation = {}): Promise<PackVerdict> {
  const findings: Findings = { differences: [], notes: [] };
  try {
    await using pack = await openPack(path);
    for await (const one of packDifferences(pack, expected, findings)) {
      if (findings.differences.push(one) === DIFFERENCES_MAX) break;
    }
  } catch (error) {
    if (!isOfPack(error)) throw error;
    findings.differences.push(error instanceof PackDifference ? error.message : nonsense(error));
  }
  return findings;
}

/** The verdict, as it is gathered while a pack is read. */
interface Findings {
  readonly differences: string[];
  readonly notes: string[];
  pack?: Pack;
  header?: BatchHeader;
}

/**
 * Reports whether an error comes from the content of the pack. Correctly hashed facts may still say what no run records,
 * because anyone with a key can sign anything.
 */
const isOfPack = (error: unknown): error is Error =>
  error instanceof PackDifference ||
  error instanceof InvariantError ||
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof SyntaxError;

const nonsense = ({ message }: Error): string => `${member.facts}: says what no run of paybatch records (${message})`;

async function* packDifferences(pack: OpenPack, expected: PackExpectation, findings: Findings): AsyncGenerator<string> {
  let isWhole = true;
  for await (const damage of damagesOf(pack)) {
    isWhole = false;
    yield damage;
  }
  // Content is read only if every file is the one in the list.
  if (!isWhole) return;
  const said = await packIn(pack);
  findings.pack = said;
  yield* signatureDifferences(pack, said, expected);
  using store = new EvidenceStore(said.ledger, said.batch as BatchId); // the facts are compared with it
  const ranges = yield* chainDifferences(pack, said, store);
  yield* textDifferences(pack, store);
  if (findings.differences.length > 0) return;
  yield* store.differences();
  const { header } = store;
  if (!header || findings.differences.length > 0) return;
  findings.header = header;
  yield* claimDifferences(said, header, store);
  yield* approvalDifferences(header);
  yield* planDifferences(pack, header, store);
  const note = (one: string): void => void findings.notes.push(one);
  if (expected.head) yield* keptHeadDifferences(pack, said, store, expected.head);
  if (ranges.ownFacts !== said.facts)
    yield `${member.pack}: says ${said.facts} facts, and there are ${ranges.ownFacts}`;
  for (const file of await derivedFiles(store.evidence(said.head), said))
    yield* derivedDifferences(pack, file, said, note);
}

async function packIn(pack: OpenPack): Promise<Pack> {
  const text = (await pack.whole(member.pack)).toString('utf8');
  const read = packShape.safeParse(jsonIn(text));
  if (!read.success || document(read.data) !== text || !isTimeZone(read.data.timezone)) {
    throw new PackDifference(`${member.pack}: is not as paybatch writes it`);
  }
  return read.data;
}

async function* signatureDifferences(
  pack: OpenPack,
  { ledger, head }: Pack,
  { key }: PackExpectation,
): AsyncGenerator<string> {
  const sums = (await pack.whole(member.sums)).toString('utf8');
  const signature = (await pack.whole(member.sumsSignature)).toString('base64url');
  if (!isSignedBy(head.key, sums, signature)) yield `${member.sums}: its signature is not that of the key ${head.key}`;
  if (!isRightlySigned(ledger, head))
    yield `${member.pack}: the head of the ledger is not signed with the key ${head.key}`;
  if ((await pack.whole(member.headSignature)).toString('base64url') !== head.signature) {
    yield `${member.headSignature}: is not the signature that ${member.pack} says`;
  }
  if (key !== undefined && key !== head.key) yield `the pack: was signed with the key ${head.key}, and not with ${key}`;
}

/** Yields the differences in the chains of the ledger, and in the batch's own chain of facts. */
async function* chainDifferences(
  pack: OpenPack,
  { ledger, batch, head }: Pack,
  store: EvidenceStore,
): AsyncGenerator<string, ChainRanges> {
  const ranges = new ChainRanges(ledger, batch as BatchId); // compared with the facts
  for await (const range of recordsIn(pack, member.chains, rangeOf, linesMax.chains)) yield* ranges.take(range);
  const { seq, hash } = ranges.head;
  if (seq !== head.seq || hash !== head.hash) yield `${member.chains}: the head of the ledger does not follow from it`;
  for await (const fact of recordsIn(pack, member.facts, factOf, linesMax.facts)) {
    yield* store.fact(fact);
    yield* ranges.fact(fact);
  }
  if (store.facts !== ranges.ownFacts) {
    yield `${member.facts}: has ${store.facts} facts, and the ledger had ${ranges.ownFacts} of this batch`;
  }
  return ranges;
}

/** Yields the differences in what is kept next to the facts: bodies and rows. */
async function* textDifferences(pack: OpenPack, store: EvidenceStore): AsyncGenerator<string> {
  for await (const order of recordsIn(pack, member.orders, orderOf, linesMax.orders)) yield* store.order(order);
  for await (const row of recordsIn(pack, member.rows, rowOf, linesMax.rows)) yield* store.row(row);
}

/**
 * Proves an evidence pack without ledger and account: its hashes and signatures, the chain of facts, everything that the facts
 * commit to, the outcomes that follow from them, and the files that follow from those. The author of the pack is not trusted.
 */

import { approvalText } from '../../approval/decision.ts';
import { PLAN_BYTES_MAX, readPlan } from '../../approval/plan.ts';
import type { BatchHeader } from '../../domain/batch.ts';
import { isoTime, isTimeZone } from '../../domain/clock.ts';
import { Fault } from '../../domain/fault.ts';
import { type BatchId, sha256 } from '../../domain/ids.ts';
import { InvariantError } from '../../domain/invariant.ts';
import { jsonIn } from '../../domain/json.ts';
import type { LedgerHead } from '../../domain/ledger-head.ts';
import { ChainRanges } from '../../ledger/chain-ranges.ts';
import { EvidenceStore } from '../../ledger/evidence-store.ts';
import { isRightlySigned } from '../../ledger/signed-head.ts';
import { isSignedBy } from '../../ledger/signing.ts';
import { RESULTS_SCHEMA } from '../../results/made-text.ts';
import { damagesOf } from './damages.ts';
import { type DerivedFile, derivedFiles, document } from './derived.ts';
import { factOf, orderOf, rangeOf, rowOf } from './evidence-lines.ts';
import { linesMax, member, type Pack, packShape } from './members.ts';
import { type OpenPack, openPack, PackDifference, recordsIn } from './open-pack.ts';

/** The most differences that are reported; more of them would say nothing new. */
const DIFFERENCES_MAX = 200;

/** A head that somebody has kept since the day of the payment, and where it was read: only it reveals a rewritten history. */
interface KeptHead {
  readonly said: LedgerHead;
  readonly where: string;
}

/** What the caller expects of a pack, in addition to what it says about itself. */
interface PackExpectation {
  /** The key that must have signed the pack. */
  readonly key?: string | undefined;
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
  yield* chainDifferences(pack, said, store);
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
  if (store.facts !== said.facts) yield `${member.pack}: says ${said.facts} facts, and there are ${store.facts}`;
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
): AsyncGenerator<string> {
  const ranges = new ChainRanges(ledger, batch as BatchId); // compared with the facts
  for await (const range of recordsIn(pack, member.chains, rangeOf, linesMax.chains)) yield* ranges.take(range);
  const { seq, hash } = ranges.head;
  if (seq !== head.seq || hash !== head.hash) yield `${member.chains}: the head of the ledger does not follow from it`;
  for await (const fact of recordsIn(pack, member.facts, factOf, linesMax.facts)) {
    const before = store.facts === 0 ? ranges.ownEnd(fact.number - 1) : undefined;
    if (before) store.beginAfter(before);
    yield* store.fact(fact);
    yield* ranges.fact(fact);
  }
  const had = ranges.ownFacts - store.beginsAfter;
  if (store.facts !== had) yield `${member.facts}: has ${store.facts} facts, and the ledger had ${had} of this batch`;
}

/** Yields the differences in what is kept next to the facts: bodies and rows. */
async function* textDifferences(pack: OpenPack, store: EvidenceStore): AsyncGenerator<string> {
  for await (const order of recordsIn(pack, member.orders, orderOf, linesMax.orders)) yield* store.order(order);
  for await (const row of recordsIn(pack, member.rows, rowOf, linesMax.rows)) yield* store.row(row);
}

/** Yields where the pack's description of its batch contradicts the facts. */
async function* claimDifferences(said: Pack, header: BatchHeader, store: EvidenceStore): AsyncGenerator<string> {
  const { latestAt } = await store.evidence(said.head).extent();
  const { sheet, approval } = header;
  const claims: readonly (readonly [string, unknown, unknown])[] = [
    ['sandbox', said.sandbox, header.sandbox],
    ['asOf', said.asOf, isoTime(latestAt)],
    ['sheet.name', said.sheet.name, sheet.name],
    ['sheet.sha256', said.sheet.sha256, sheet.sha256],
    ['plan.sha256', said.plan?.sha256, approval?.plan],
  ];
  for (const [field, claimed, fact] of claims) {
    if (claimed !== fact) yield `${member.pack}: says in ${field} what the facts do not say`;
  }
}

function* approvalDifferences({ id, total, approval }: BatchHeader): Generator<string> {
  if (!approval) return;
  const { plan, approvals } = approval;
  for (const one of approvals) {
    const text = approvalText({ ...one, plan, batch: id, total });
    if (!isSignedBy(one.key, text, one.signature)) yield `the approval of ${one.name}: its signature is wrong`;
  }
}

/** Yields the differences if sheet or plan in the pack are not the recorded files, or if the orders are not those of the plan. */
async function* planDifferences(pack: OpenPack, header: BatchHeader, store: EvidenceStore): AsyncGenerator<string> {
  for (const name of [member.sheetBook, member.sheetText]) {
    if (pack.has(name) && (await pack.sha256(name)) !== header.sheet.sha256) {
      yield `${name}: is not the sheet of the batch`;
    }
  }
  if (!pack.has(member.plan)) return;
  const bytes = await pack.whole(member.plan, PLAN_BYTES_MAX);
  if (sha256(bytes) !== header.approval?.plan) {
    yield `${member.plan}: is not the plan that was approved`;
    return;
  }
  yield* plannedOrders(bytes, header, store);
}

function* plannedOrders(bytes: Buffer, { approval }: BatchHeader, store: EvidenceStore): Generator<string> {
  try {
    const { plan } = readPlan(bytes);
    if (plan.signed?.signature !== approval?.maker?.signature) yield `${member.plan}: is signed by another maker`;
    const planned = new Map(plan.orders.map(({ id, body }) => [id, body]));
    for (const { id, body } of store.firstBodies()) {
      if (planned.get(id) !== body) yield `order ${id}: is not the one of the plan`;
      planned.delete(id);
    }
    for (const id of planned.keys()) yield `order ${id}: is in the plan, and not in the pack`;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    yield `${member.plan}: ${error.message}`;
  }
}

/** Yields the differences if a head that somebody kept is not part of the history in the pack. */
async function* keptHeadDifferences(
  pack: OpenPack,
  said: Pack,
  store: EvidenceStore,
  { said: head, where }: KeptHead,
): AsyncGenerator<string> {
  if (!isRightlySigned(said.ledger, head)) {
    yield `${where}: its head does not belong to this ledger`;
    return;
  }
  if (head.key !== said.head.key && !store.isHandedOn(head.key, said.head.key)) {
    yield `${where}: was signed with the key ${head.key}, and the pack with ${said.head.key}; no fact of the batch says that the key was changed`;
    return;
  }
  if (head.seq > said.head.seq) {
    yield `${where}: knows fact ${head.seq}, and the pack ends with fact ${said.head.seq}: it is older, or facts were left out`;
    return;
  }
  const ranges = new ChainRanges(said.ledger, said.batch as BatchId); // the facts were compared with it before
  const own = store.factAt(head.seq);
  for await (const range of recordsIn(pack, member.chains, rangeOf, linesMax.chains)) {
    if (range.seq > head.seq) break;
    for (const _ of ranges.take(range)) throw new PackDifference(`${member.chains}: is not what it was`);
  }
  if (!own && ranges.seq !== head.seq) {
    // The caller asked for this comparison, so the pack must not count as sound without it.
    yield `${where}: was made while another batch was in progress, so the pack cannot show its head: compare one from another time`;
    return;
  }
  const then = own ? ranges.headWith(head.seq, own) : ranges.head;
  if (then.hash !== head.hash) yield `${where}: its head is of another history than the pack`;
}

/**
 * Yields the first difference between a file of the pack and the same file made from the facts. Results of another schema are
 * not compared; `note` is called with a sentence that says so.
 */
async function* derivedDifferences(
  pack: OpenPack,
  { name, pieces }: DerivedFile,
  { resultsSchema }: Pack,
  note: (note: string) => void,
): AsyncGenerator<string> {
  const isResults = name === member.csv || name === member.lines;
  if (isResults && resultsSchema !== RESULTS_SCHEMA) {
    note(
      `${name} has the schema of results ${resultsSchema}, and was not made again: this paybatch knows ${RESULTS_SCHEMA}.`,
    );
    return;
  }
  const theirs = pack.bytes(name);
  let left: Buffer = Buffer.alloc(0);
  let number = 0;
  for await (const piece of pieces()) {
    number += 1;
    const ours = Buffer.from(piece);
    while (left.length < ours.length) {
      const next = await theirs.next();
      if (next.done) break;
      left = Buffer.concat([left, next.value]);
    }
    if (!left.subarray(0, ours.length).equals(ours)) {
      yield `${name}: does not follow from the facts (piece ${number})`;
      return;
    }
    left = left.subarray(ours.length);
  }
  if (left.length > 0 || !(await theirs.next()).done) yield `${name}: says more than follows from the facts`;
}

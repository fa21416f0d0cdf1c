/**
 * Compares with the facts what a pack says outside of them, checks the signatures that it shows, and compares a head that somebody
 * has kept.
 */
import { PLAN_BYTES_MAX, readPlan } from '../../approval/plan.ts';
import { approvalText } from '../../approval/word.ts';
import type { BatchHeader } from '../../domain/batch.ts';
import { isoTime } from '../../domain/clock.ts';
import { Fault } from '../../domain/fault.ts';
import { type BatchId, sha256 } from '../../domain/ids.ts';
import type { LedgerHead } from '../../domain/ledger-head.ts';
import { ChainRanges } from '../../ledger/chain-ranges.ts';
import type { EvidenceStore } from '../../ledger/evidence-store.ts';
import { isRightlySigned } from '../../ledger/signed-head.ts';
import { isSignedBy } from '../../ledger/signing.ts';
import { rangeOf } from './evidence-lines.ts';
import { linesMax, member, type Pack } from './members.ts';
import { type OpenPack, PackDifference, recordsIn } from './open-pack.ts';

/** Yields where the pack's description of its batch contradicts the facts. */
export async function* claimDifferences(said: Pack, header: BatchHeader, store: EvidenceStore): AsyncGenerator<string> {
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

export function* approvalDifferences({ id, total, approval }: BatchHeader): Generator<string> {
  if (!approval) return;
  const { plan, approvals } = approval;
  for (const one of approvals) {
    const text = approvalText({ ...one, plan, batch: id, total });
    if (!isSignedBy(one.key, text, one.signature)) yield `the approval of ${one.name}: its signature is wrong`;
  }
}

/** Yields the differences if sheet or plan in the pack are not the recorded files, or if the orders are not those of the plan. */
export async function* planDifferences(
  pack: OpenPack,
  header: BatchHeader,
  store: EvidenceStore,
): AsyncGenerator<string> {
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

/**
 * A head that somebody has kept since the day of the payment, and where it was read: the only thing that reveals a rewritten
 * history.
 */
export interface KeptHead {
  readonly said: LedgerHead;
  readonly where: string;
}

/** Yields the differences if a head that somebody kept is not part of the history in the pack. */
export async function* keptHeadDifferences(
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

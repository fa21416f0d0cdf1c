/** Compares with the facts what a pack says outside of them, and checks the signatures that it shows. */

import { approvalText } from '../../approval/decision.ts';
import { PLAN_BYTES_MAX, readPlan } from '../../approval/plan.ts';
import type { BatchHeader } from '../../domain/batch.ts';
import { isoTime } from '../../domain/clock.ts';
import { Fault } from '../../domain/fault.ts';
import { sha256 } from '../../domain/ids.ts';
import type { EvidenceStore } from '../../ledger/evidence-store.ts';
import { isSignedBy } from '../../ledger/signing.ts';
import { member, type Pack } from './members.ts';
import type { OpenPack } from './open-pack.ts';

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

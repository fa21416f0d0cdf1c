/** Reads what the facts say about approvals: who must approve, and how much was paid since a time. */

import { type Database, minorOf, type Reader, textOf } from '../database/database.ts';
import type { ApproversChange, PolicyInForce } from '../domain/approval.ts';
import type { BatchHeader } from '../domain/batch.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import type { BatchFact } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { decodeRecord } from '../domain/json.ts';
import type { Money } from '../domain/money.ts';
import { latestBatch } from './batches.ts';
import { leaseOf, PLANNING } from './lease.ts';
import { LEDGER_FACTS } from './ledger-chain.ts';
import { POSSIBLY_PAID } from './payees.ts';
import type { Recording } from './writer.ts';

/** The part of `Ledger` about approvals. */
export interface LedgerApprovals {
  /**
   * Returns the people who must approve before money leaves, as the latest batch or change recorded them, or `undefined` if
   * the ledger knows of none.
   */
  approvalPolicy(): Promise<PolicyInForce | undefined>;
  /**
   * Returns the sum of the payments that were claimed at this time (wall-clock milliseconds) or later, and were made or may
   * still be made. Claims that the clock puts in the future count as well.
   */
  paidSince(from: number, currency: CurrencyCode): Promise<Money>;
  /**
   * Needs the lease of planning. Records that other people must approve from now on. Fault `usage` while the ledger has no
   * batch.
   */
  changeApprovers(change: ApproversChange): Promise<void>;
}

const POLICIES = `SELECT f.type, f.data FROM fact f WHERE ${LEDGER_FACTS} AND f.type IN ('batch-planned', 'approvers-changed')
  ORDER BY f.seq DESC`;
const CLAIMED = `SELECT DISTINCT position FROM fact WHERE type = 'order-claimed' AND happened_at >= ?`;
const BATCHES = `SELECT DISTINCT batch FROM fact WHERE type = 'order-claimed' AND happened_at >= ?`;
const PAID = `SELECT COALESCE(SUM(p.amount_minor), 0) AS amount FROM payout p JOIN pay_order o ON o.id = p.order_id
  WHERE p.currency = ? AND COALESCE(p.outcome, o.outcome) IN (${POSSIBLY_PAID}) AND o.position IN (${CLAIMED})`;

export async function approvalPolicy(database: Reader): Promise<PolicyInForce | undefined> {
  const rows = await database.read(POLICIES);
  const changes = rows.filter((row) => textOf(row, 'type') === 'approvers-changed').length;
  for (const row of rows) {
    const data = textOf(row, 'data');
    const policy =
      textOf(row, 'type') === 'approvers-changed'
        ? decodeRecord<ApproversChange>(data).to
        : decodeRecord<{ readonly header: BatchHeader }>(data).header.policy;
    if (policy !== undefined) return policy ? { policy, changes } : undefined;
  }
  return undefined;
}

/** Returns the batches of which an order was claimed at this time or later. */
export const claimedSince = async (database: Reader, from: number): Promise<readonly BatchId[]> =>
  (await database.read(BATCHES, [from])).map((row) => textOf(row, 'batch') as BatchId); // a column of batch ids

export async function paidSince(database: Reader, from: number, currency: CurrencyCode): Promise<Money> {
  const [sum] = await database.read(PAID, [currency, from]);
  return { minor: sum ? minorOf(sum, 'amount') : 0n, currency };
}

export async function changeApprovers(
  database: Database,
  { writer, proof }: Recording,
  change: ApproversChange,
  at: number,
): Promise<void> {
  const latest = await latestBatch(database);
  if (!latest) {
    throw new Fault(
      'usage',
      'The ledger holds no batch yet. Nothing was recorded.',
      'The approvers in the configuration apply from its first batch on.',
    );
  }
  const fact: BatchFact = { type: 'approvers-changed', batch: latest.id, at, ...change };
  await writer.write([PLANNING, leaseOf(latest.id)], (append) => [append(latest.id, fact)]);
  proof.recorded(fact);
}

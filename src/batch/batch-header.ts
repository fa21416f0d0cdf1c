/** The header of a batch, which is recorded when the batch is planned. */
import type { BatchHeader } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import type { MoneyStatement } from '../domain/event.ts';
import type { BatchId, BatchKey } from '../domain/ids.ts';
import { present } from '../domain/present.ts';
import type { Settings } from '../domain/settings.ts';
import type { CheckedSheet } from './check-rows.ts';

/** A sheet that was checked, priced and confirmed. */
interface ConfirmedSheet extends Pick<BatchHeader, 'confirmation' | 'approval' | 'paidBefore' | 'differs' | 'canary'> {
  readonly id: BatchId;
  readonly key: BatchKey;
  readonly record: BatchHeader['sheet'];
  readonly checked: CheckedSheet;
  readonly statement: MoneyStatement;
}

interface PlanningPlace extends Pick<BatchHeader, 'service' | 'maker' | 'version'> {
  readonly settings: Settings;
  readonly clock: Clock;
}

/** Returns the header of the batch that is made from a sheet now. */
export function batchHeader(
  { id, key, record, checked, statement, confirmation, approval, paidBefore, differs, canary }: ConfirmedSheet,
  {
    settings: { profile, sandbox, organisation, idNamespace, approval: policy },
    clock,
    service,
    maker,
    version,
  }: PlanningPlace,
): BatchHeader {
  const { fingerprint, total, rows, payable, leftOut, repairs } = checked;
  const { charges, balance, aboveEdge, upTo } = statement;
  return present({
    id,
    key,
    fingerprint: fingerprint(),
    sheet: record,
    profile,
    sandbox,
    service,
    organisation,
    idNamespace,
    currency: total.currency,
    total,
    rows,
    payable,
    leftOut,
    repairs: repairs > 0 ? repairs : undefined,
    charges,
    balance,
    plannedAt: clock.now(),
    maker,
    confirmation,
    policy,
    approval,
    paidBefore,
    differs,
    aboveEdge: aboveEdge.length > 0 ? aboveEdge.map(({ row, saving }) => ({ row, saving })) : undefined,
    canary,
    rowsMost: upTo,
    version,
  });
}

/**
 * Returns the number of canary rows of a new plan, which are sent first. It is recorded with the plan, so that no later
 * run forgets it.
 */
export function plannedCanary({
  canary,
  settings,
}: {
  /** The number that was asked for; it overrides the profile. */
  readonly canary?: number;
  readonly settings: Settings;
}): { readonly canary?: number } {
  const rows = canary ?? settings.sending.canary;
  return rows === undefined ? {} : { canary: rows };
}

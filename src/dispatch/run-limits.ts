/** The brakes of a run that are the batch's own matter: the rows that go ahead alone, and what its fees may be. */
import type { BatchHeader } from '../domain/batch.ts';
import { shareOf } from '../domain/money.ts';
import { sumsOf } from '../domain/run-end.ts';
import type { SendingSettings } from '../domain/settings.ts';
import type { LedgerQueries } from '../ledger/ledger.ts';
import { canaryFor, inWholeOrders } from './canary.ts';
import type { DispatchSettings } from './task.ts';

/** What fees may be above the charges quoted, in percent, where nobody says otherwise. */
const FEE_TOLERANCE_PERCENT = 1;

/** `asked`: rows that the operator of this run wants to go ahead alone, whatever was said before. */
export async function runLimits(
  batch: BatchHeader,
  ledger: LedgerQueries,
  sending: SendingSettings,
  asked: number | undefined,
): Promise<Pick<DispatchSettings, 'canary' | 'overchargeMost'>> {
  const { counts } = sumsOf(await ledger.tallies(batch.id), batch.currency);
  const ahead = canaryFor(await ledger.runHistory(batch.id), { asked, configured: sending.canary }, counts);
  return {
    canary: ahead && (await inWholeOrders(ahead, counts, ledger, batch.id)),
    overchargeMost: shareOf(batch.charges, sending.feeTolerancePercent ?? FEE_TOLERANCE_PERCENT),
  };
}

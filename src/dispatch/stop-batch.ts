/** A person stops a batch: from then on no sender claims anything of it, until a person cancels the stop. */
import { type BatchStop, STOP_REASON_MAX } from '../domain/batch.ts';
import type { Tell } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { shown } from '../domain/shown-text.ts';
import { atWorkText, type Ledger } from '../ledger/ledger.ts';
import { personNotice } from './stop-reasons.ts';

interface StoppingDeps {
  readonly ledger: Pick<Ledger, 'stopOf' | 'stopBatch' | 'othersAtWork'>;
  readonly tell: Tell;
}

/**
 * Records the stop, and reports who is still working on the batch. Returns the stop in force; `undefined` if nothing of the
 * batch is left to stop.
 */
export async function stopByPerson(
  batch: BatchId,
  said: Pick<BatchStop, 'by' | 'reason'>,
  { ledger, tell }: StoppingDeps,
): Promise<BatchStop | undefined> {
  const stop = (await ledger.stopOf(batch)) ?? (await ledger.stopBatch(batch, said));
  if (!stop) {
    tell({ type: 'notice', level: 'warning', message: OVER });
    return undefined;
  }
  tell(personNotice(stop));
  const working = (await ledger.othersAtWork()).filter((lease) => lease.batch === batch);
  const who = working.map(atWorkText).join('; ');
  const message =
    working.length === 0
      ? 'As far as paybatch can tell, no run and no worker is working on it.'
      : `Working on it: ${who}. No more payments are claimed; those in flight still arrive, and are followed.`;
  tell({ type: 'notice', level: 'info', message });
  return stop;
}

const OVER = 'Nothing of the batch is left to stop: every payment of it is finished. Nothing was recorded.';

/** Returns the reason to stop, as a person typed it. Fault `usage` if it is empty or longer than is kept. */
export function stopReason(typed: string | undefined): string {
  const reason = shown((typed ?? '').trim());
  if (reason !== '' && reason.length <= STOP_REASON_MAX) return reason;
  throw new Fault(
    'usage',
    reason === ''
      ? 'Why should the batch stop? Nothing was recorded, and nothing was stopped.'
      : `--reason takes 1 to ${STOP_REASON_MAX} characters. Nothing was recorded, and nothing was stopped.`,
    'A few words are enough: --reason "wrong sheet".',
  );
}

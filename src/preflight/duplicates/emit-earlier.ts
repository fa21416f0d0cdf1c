/** Reports, for a check without a run, what a sheet has in common with earlier batches. */
import type { Emit } from '../../domain/event.ts';
import { Fault } from '../../domain/fault.ts';
import { namedBatchKey } from '../../domain/ids.ts';
import { proposedBatchName } from '../../domain/proposed-name.ts';
import type { Settings } from '../../domain/settings.ts';
import { earlierFindings, type GuardDeps, type GuardedSheet } from './duplicate-guard.ts';

/** A ledger that is opened for the comparison and closed after it. */
interface OpenedLedger extends AsyncDisposable {
  readonly deps: Omit<GuardDeps, 'settings'>;
}

/**
 * Compares a sheet with a live ledger, as the batch whose name a run would propose. A rehearsal may be repeated, so it is
 * not compared. A ledger that cannot be read must not hide what the check found, so its Fault is only reported. `file`: file
 * name of the sheet, without its folder.
 */
export async function emitEarlier(
  sheet: Omit<GuardedSheet, 'key'> & { readonly file: string },
  { settings, emit }: { readonly settings: Settings; readonly emit: Emit },
  open: () => Promise<OpenedLedger>,
): Promise<void> {
  if (settings.sandbox) return;
  try {
    await using opened = await open();
    const { clock } = opened.deps;
    const key = namedBatchKey(proposedBatchName(sheet.file, clock.now(), settings.timezone));
    emit({ type: 'earlier', ...(await earlierFindings({ ...sheet, key }, { ...opened.deps, settings })) });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const message = `The sheet was not compared with earlier batches: ${error.message}`;
    emit({ type: 'notice', level: 'warning', message });
  }
}

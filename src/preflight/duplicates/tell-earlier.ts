/** What a check alone tells of a sheet beside earlier batches. */
import type { Tell } from '../../domain/event.ts';
import { Fault } from '../../domain/fault.ts';
import { namedBatchKey } from '../../domain/ids.ts';
import { proposedBatchName } from '../../domain/proposed-name.ts';
import type { Settings } from '../../domain/settings.ts';
import { earlierFindings, type GuardDeps, type GuardedSheet } from './duplicate-guard.ts';

/** The ledger, opened for this and given back. */
interface OpenedLedger extends AsyncDisposable {
  readonly deps: Omit<GuardDeps, 'settings'>;
}

/**
 * Holds a sheet against a live ledger, as the batch that a run would propose to call it; a rehearsal may be repeated, and is not held
 * against anything. A ledger that cannot be read must not hide what was found, so that is told and no more. `file`: without its folder.
 */
export async function tellEarlier(
  sheet: Omit<GuardedSheet, 'key'> & { readonly file: string },
  { settings, tell }: { readonly settings: Settings; readonly tell: Tell },
  open: () => Promise<OpenedLedger>,
): Promise<void> {
  if (settings.sandbox) return;
  try {
    await using opened = await open();
    const { clock } = opened.deps;
    const key = namedBatchKey(proposedBatchName(sheet.file, clock.now(), settings.timezone));
    tell({ type: 'earlier', ...(await earlierFindings({ ...sheet, key }, { ...opened.deps, settings })) });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const message = `The sheet was not held against earlier batches: ${error.message}`;
    tell({ type: 'notice', level: 'warning', message });
  }
}

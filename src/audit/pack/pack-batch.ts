/** Writes the evidence pack of a batch, from the ledger as it is at one moment. A run may continue in the meantime. */
import path from 'node:path';
import type { BatchHeader } from '../../domain/batch.ts';
import type { Settings } from '../../domain/settings.ts';
import type { WrittenFile } from '../../files/whole-file.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { batchFileName } from '../../results/file-name.ts';
import { knownEnd } from '../../results/run-end.ts';
import { type KeptFiles, keptFiles } from './kept-files.ts';
import { PACK_ENDING } from './pack-name.ts';
import { isPurged, writePack } from './write-pack.ts';

/** Where the pack goes, and which files may be added to it. */
export interface PackPlace {
  /** Folder for the pack; absent: next to the sheet. */
  readonly folder?: string | undefined;
  /** Path of the pack, which overrides `folder`. */
  readonly file?: string | undefined;
  /** Files among which sheet and plan are looked for, in addition to their original places. */
  readonly given?: readonly string[] | undefined;
}

/** Writes the pack. `kept`: the sheet and the plan that were found and added. */
export async function packBatch(
  batch: BatchHeader,
  { ledger, settings, version }: { readonly ledger: Ledger; readonly settings: Settings; readonly version: string },
  { folder = batch.sheet.folder, file, given = [] }: PackPlace = {},
): Promise<WrittenFile & { readonly kept: KeptFiles }> {
  const { unconfirmed } = await knownEnd(batch, ledger);
  const target = file ?? path.join(folder, batchFileName(batch, PACK_ENDING));
  return ledger.evidence(batch.id, async (evidence, signList) => {
    // The people of a purged batch must be forgotten, and the user's own files would still name them.
    const kept = (await isPurged(evidence)) ? {} : await keptFiles(evidence.header, given);
    const options = { version, timezone: settings.timezone, inRecovery: unconfirmed !== undefined, kept };
    return { ...(await writePack(evidence, signList, options, target)), kept };
  });
}

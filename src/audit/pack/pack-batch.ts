/** The evidence pack of a batch, from the ledger as it is at one moment: a run may go on beside it. */
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

/** Where the pack goes, and what may be taken into it. */
export interface PackPlace {
  /** Missing: beside the sheet. */
  readonly folder?: string | undefined;
  /** The file itself, whatever the folder. */
  readonly file?: string | undefined;
  /** Files among which sheet and plan are looked for, beside the places where they stood. */
  readonly given?: readonly string[] | undefined;
}

/** Writes the pack. `kept`: what was found to be taken into it. */
export async function packBatch(
  batch: BatchHeader,
  { ledger, settings, version }: { readonly ledger: Ledger; readonly settings: Settings; readonly version: string },
  { folder = batch.sheet.folder, file, given = [] }: PackPlace = {},
): Promise<WrittenFile & { readonly kept: KeptFiles }> {
  const { unconfirmed } = await knownEnd(batch, ledger);
  const target = file ?? path.join(folder, batchFileName(batch, PACK_ENDING));
  return ledger.evidence(batch.id, async (evidence, vouch) => {
    // Whom it paid was to be forgotten: the files of the user would tell.
    const kept = (await isPurged(evidence)) ? {} : await keptFiles(evidence.header, given);
    const options = { version, timezone: settings.timezone, inDoubt: unconfirmed !== undefined, kept };
    return { ...(await writePack(evidence, vouch, options, target)), kept };
  });
}

/** Whether the results of a batch can be written where they belong, asked before they are made. */
import type { BatchHeader } from '../domain/batch.ts';
import type { Tell } from '../domain/event.ts';
import { folderTrouble, requireFolder } from '../files/temporary-file.ts';

/** A Fault when the results of a batch could not be written: who decides to send more money learns that before. */
export const requireResultsFolder = (batch: BatchHeader, outFolder?: string): Promise<void> =>
  requireFolder(outFolder ?? batch.sheet.folder);

/** Tells that they could not. It stops nobody: money that is under way has to be followed. */
export async function tellFolderTrouble(batch: BatchHeader, tell: Tell, outFolder?: string): Promise<void> {
  const folder = outFolder ?? batch.sheet.folder;
  const trouble = await folderTrouble(folder);
  if (!trouble) return;
  const message = `The results cannot be written to ${folder}: ${trouble.why}. The payments go on. Write the results afterwards: paybatch report ${batch.id} --out DIR`;
  tell({ type: 'notice', level: 'warning', message });
}

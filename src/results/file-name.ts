/** Names of the files that a batch leaves behind. */
import path from 'node:path';
import type { BatchHeader } from '../domain/batch.ts';
import type { Tell } from '../domain/event.ts';
import { folderTrouble, requireFolder } from '../files/temporary-file.ts';

/** Most bytes of the sheet's own name that are kept: file systems take 255, and the batch follows. */
const STEM_BYTES_MAX = 120;

/** What a batch is called in file names and footers. A practice run says so. */
export const batchLabel = ({ id, sandbox }: Pick<BatchHeader, 'id' | 'sandbox'>): string =>
  sandbox ? `SANDBOX-${id}` : id;

/** What a file of a batch is named after. */
type Named = Pick<BatchHeader, 'id' | 'sandbox'> & { readonly sheet: Pick<BatchHeader['sheet'], 'name'> };

/** The name of a file that belongs to a batch, after its sheet: `payroll.SANDBOX-k3v9p2ma.plan.json`. */
export const batchFileName = (header: Named, ending: string): string =>
  `${shortened(path.parse(header.sheet.name).name)}.${batchLabel(header)}.${ending}`;

/** The name of the results: `payroll.SANDBOX-k3v9p2ma.results.xlsx` for `payroll.xlsx`. `of`: which part, as in `journal.results.csv`. */
export const resultsFileName = (header: Named, extension = 'xlsx', of = ''): string =>
  batchFileName(header, `${of && `${of}.`}results.${extension}`);

/** Whether a file of this name holds results of a batch, in whatever format. */
export const isResultsOf = (header: Named, name: string): boolean =>
  name.startsWith(batchFileName(header, '')) && /\.results\.[a-z]+$/.test(name);

function shortened(stem: string): string {
  let kept = '';
  let bytes = 0;
  for (const character of stem) {
    bytes += Buffer.byteLength(character);
    if (bytes > STEM_BYTES_MAX) break;
    kept += character;
  }
  return kept;
}

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

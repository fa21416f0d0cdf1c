/** Names of the files that a batch leaves behind. */
import path from 'node:path';
import type { BatchHeader } from '../domain/batch.ts';
import type { Emit } from '../domain/event.ts';
import { folderTrouble, requireFolder } from '../files/temporary-file.ts';

/** The most bytes of the sheet's own name that are kept: file systems allow 255, and the batch follows. */
const STEM_BYTES_MAX = 120;

/** Returns the name of a batch in file names and footers, which marks a practice run. */
export const batchLabel = ({ id, sandbox }: Pick<BatchHeader, 'id' | 'sandbox'>): string =>
  sandbox ? `SANDBOX-${id}` : id;

/** What a file of a batch is named after. */
type Named = Pick<BatchHeader, 'id' | 'sandbox'> & { readonly sheet: Pick<BatchHeader['sheet'], 'name'> };

/** Returns the name of a file of a batch, made from the name of its sheet: `payroll.SANDBOX-k3v9p2ma.plan.json`. */
export const batchFileName = (header: Named, ending: string): string =>
  `${shortened(path.parse(header.sheet.name).name)}.${batchLabel(header)}.${ending}`;

/**
 * Returns the name of the results: `payroll.SANDBOX-k3v9p2ma.results.xlsx` for `payroll.xlsx`. `of`: the part of the results,
 * as in `journal.results.csv`.
 */
export const resultsFileName = (header: Named, extension = 'xlsx', of = ''): string =>
  batchFileName(header, `${of && `${of}.`}results.${extension}`);

/** Reports whether a file of this name holds results of a batch, in any format. */
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

/**
 * Throws a Fault if the results of a batch could not be written, so that people learn that before they decide to send more
 * money.
 */
export const requireResultsFolder = (batch: BatchHeader, outFolder?: string): Promise<void> =>
  requireFolder(outFolder ?? batch.sheet.folder);

/** Reports it if the results could not be written, and continues: money in flight must be followed. */
export async function emitFolderTrouble(batch: BatchHeader, emit: Emit, outFolder?: string): Promise<void> {
  const folder = outFolder ?? batch.sheet.folder;
  const trouble = await folderTrouble(folder);
  if (!trouble) return;
  const message = `The results cannot be written to ${folder}: ${trouble.why}. The payments continue. Write the results afterwards: paybatch report ${batch.id} --out DIR`;
  emit({ type: 'notice', level: 'warning', message });
}

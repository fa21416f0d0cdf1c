/** Options of the commands that write results: where they go, what they show, and files that could not be a sheet. */
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { PACK, PACK_ENDING } from '../../audit/pack/pack-name.ts';
import { Fault } from '../../domain/fault.ts';
import { folderTrouble } from '../../files/temporary-file.ts';
import { type ResultsFormat, resultsFormats } from '../../results/write-results.ts';
import type { Shell } from '../shell.ts';
import { severalTexts } from './options.ts';

/** The names that a file of JSON lines may have: a sheet that can be paid never ends like this. */
const LINES = /\.(?:jsonl|ndjson)$/i;
/** The names that paybatch itself gives to results and packs, with any prefix. */
const RESULTS = /\.(?:results\.[a-z]+|pack\.zip)$/i;

const OTHER_NAME = 'Choose another name.';

/** Declares `--jsonl`, and `--group-by`, the headings by which the Summary of the results counts rows. */
export const declareResults = <Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) =>
  declareGroupBy(
    command.option(
      '--jsonl <file>',
      'write every row with its outcome at the end, for programs: one line of JSON for each row',
    ),
  );

export const declareGroupBy = <Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) =>
  command.option(
    '--group-by <heading>',
    'a table in the Summary by this column of your sheet; may be given several times',
    severalTexts,
  );

/** Returns the absolute path of the `--jsonl` file. Throws a Fault `usage`, before anything is sent, if it cannot be written. */
export async function rowsFileOf(
  { cwd }: Pick<Shell, 'cwd'>,
  { jsonl }: { readonly jsonl?: string | undefined },
): Promise<string | undefined> {
  if (jsonl === undefined) return undefined;
  if (!LINES.test(jsonl)) throw misnamed(jsonl, 'is not a name for a file of JSON lines', 'Call it NAME.jsonl.');
  return inFolder(path.resolve(cwd, jsonl), jsonl);
}

/**
 * Returns the absolute path of the `--output` file, which must end as the format requires. An existing file is replaced only if it
 * has the name of results or of JSON lines. Throws a Fault `usage` for any other name, and for a file that cannot be written.
 */
export async function outputFileOf(
  { cwd }: Pick<Shell, 'cwd'>,
  output: string | undefined,
  format: ResultsFormat | typeof PACK,
): Promise<string | undefined> {
  if (output === undefined) return undefined;
  const file = path.resolve(cwd, output);
  const ending = format === PACK ? PACK_ENDING : resultsFormats[format].extension;
  if (!file.toLowerCase().endsWith(`.${ending}`))
    throw misnamed(output, `would hold ${format}`, `Call it .${ending}, or choose another --format.`);
  if (format !== 'jsonl' && existsSync(file) && !RESULTS.test(file))
    throw misnamed(output, 'already exists', ending === 'html' ? OTHER_NAME : `${OTHER_NAME} It may be a sheet.`);
  return inFolder(file, output);
}

async function inFolder(file: string, named: string): Promise<string> {
  const trouble = await folderTrouble(path.dirname(file));
  if (trouble) throw misnamed(named, `cannot be written: ${trouble.why}`, 'Name a file in a folder that exists.');
  return file;
}

const misnamed = (file: string, why: string, remedy: string): Fault => new Fault('usage', `${file} ${why}.`, remedy);

/** The samples shipped with paybatch: a rehearsal of one must not leave its files among them. */
const SAMPLES = path.resolve(import.meta.dirname, '..', '..', '..', 'samples');

/** The folder for the files of a shipped sample, inside the working folder; git ignores it in a checkout. */
const REHEARSALS = 'results';

/** Returns the folder as an absolute path: `--out`, or `results` for a shipped sample; `undefined` means the folder of the sheet. */
export function outFolder(
  { cwd }: Pick<Shell, 'cwd'>,
  options: { readonly out?: string | undefined },
  sheetFolder: string,
): string | undefined {
  const folder = options.out ?? (isAmongSamples(sheetFolder) ? REHEARSALS : undefined);
  return folder === undefined ? undefined : path.resolve(cwd, folder);
}

const isAmongSamples = (folder: string): boolean => realPath(folder) === realPath(SAMPLES);

/** Returns a path without links: npx runs an installed package through one. A path that does not exist or cannot be read stays as it is. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return path.resolve(folder);
  }
}

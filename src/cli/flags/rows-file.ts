/** Files that a person names for results: paybatch never writes into one that could be a sheet. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { PACK, PACK_ENDING } from '../../audit/pack/pack-name.ts';
import { Fault } from '../../domain/fault.ts';
import { folderTrouble } from '../../files/temporary-file.ts';
import { type ResultsFormat, resultsFormats } from '../../results/write-results.ts';
import type { Shell } from '../shell.ts';

/** The names that a file of JSON lines may have: a sheet that can be paid never ends like this. */
const LINES = /\.(?:jsonl|ndjson)$/i;
/** The names that paybatch itself gives to results and packs, with any prefix. */
const RESULTS = /\.(?:results\.[a-z]+|pack\.zip)$/i;

const OTHER_NAME = 'Choose another name.';

export const declareRowsFile = <Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) => command.option('--jsonl <file>', 'every row and its outcome for programs, in the end: a row is a line of JSON');

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
    throw misnamed(output, `would hold ${format}`, `Call it .${ending}, or name its --format.`);
  if (format !== 'jsonl' && existsSync(file) && !RESULTS.test(file))
    throw misnamed(output, 'is there already', ending === 'html' ? OTHER_NAME : `${OTHER_NAME} It may be a sheet.`);
  return inFolder(file, output);
}

async function inFolder(file: string, named: string): Promise<string> {
  const trouble = await folderTrouble(path.dirname(file));
  if (trouble) throw misnamed(named, `cannot be written: ${trouble.why}`, 'Name a file in a folder that is there.');
  return file;
}

const misnamed = (file: string, why: string, remedy: string): Fault => new Fault('usage', `${file} ${why}.`, remedy);

/** The files that hold approvals and refusals of a plan: `PLAN.NAME.approval.json` and `PLAN.NAME.declined.json`. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Fault, systemCode } from '../domain/fault.ts';
import { writeWholeFile } from '../files/whole-file.ts';
import { changeOnTheWay } from './plan.ts';
import { type GivenWord, readWord } from './word.ts';

const endings = { approved: 'approval.json', declined: 'declined.json' } as const;

export type Decision = keyof typeof endings;

/** Returns the file name of a plan without `.json`. */
const stemOf = (plan: string): string => path.basename(plan).replace(/\.json$/, '');

/** Returns the path of a person's decision on this plan. */
export const wordPath = (plan: string, name: string, decision: Decision, folder = path.dirname(plan)): string =>
  path.join(folder, `${stemOf(plan)}.${name}.${endings[decision]}`);

/** Writes a decision file, replacing an older one. Returns its path. */
export async function writeWord(target: string, text: string): Promise<string> {
  const written = await writeWholeFile(target, 'page', async ({ stream }) => {
    stream.write(text);
  });
  return written.path;
}

/** Reports whether a person has declined the plan, as far as the files next to it show. */
export const isDeclinedBy = (plan: string, name: string): boolean => existsSync(wordPath(plan, name, 'declined'));

/** Returns the sorted names of everything in a folder. Throws a Fault `usage` if the folder cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    throw new Fault(
      'usage',
      `The folder ${folder}, where plans and approvals are looked for, cannot be read (${systemCode(error)}). Nothing was sent.`,
      'Check its path and its rights.',
      { cause: error },
    );
  }
}

/** Returns the paths of all decision files next to the plan, sorted by name. */
export function wordsBeside(plan: string): readonly string[] {
  const folder = path.dirname(plan);
  const begin = `${stemOf(plan)}.`;
  return namesIn(folder)
    .filter((file) => file.startsWith(begin) && Object.values(endings).some((ending) => file.endsWith(`.${ending}`)))
    .map((file) => path.join(folder, file));
}

/** The largest decision file that is read, in bytes. */
const WORD_BYTES_MAX = 16_384;

/** Reads a decision file. Throws a Fault `usage` if it cannot be read. */
export function wordIn(file: string): GivenWord {
  try {
    const stats = statSync(file);
    // A named pipe in this place would make reading wait forever.
    const isShort = stats.isFile() && stats.size <= WORD_BYTES_MAX;
    const text = isShort ? readFileSync(file, 'utf8') : '';
    const word = readWord(text);
    const change = word ? undefined : changeOnTheWay(text, (repaired) => readWord(repaired) !== undefined);
    return { file: path.basename(file), ...(word && { word }), ...(change !== undefined && { change }) };
  } catch (error) {
    throw new Fault(
      'usage',
      `The approval ${file} cannot be read (${systemCode(error)}). Nothing was sent.`,
      'Check its path and its rights.',
      { cause: error },
    );
  }
}

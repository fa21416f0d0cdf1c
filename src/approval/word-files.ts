/** The files that hold approvals and refusals of a plan: `PLAN.NAME.approval.json` and `PLAN.NAME.declined.json`. */

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Fault, systemCode } from '../domain/fault.ts';
import { readShortFile } from '../files/short-file.ts';
import { writeWholeText } from '../files/whole-text.ts';
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
  const { path: written } = await writeWholeText(target, 'page', [text]);
  return written;
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
      'Check its path and its permissions.',
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
  const name = path.basename(file);
  try {
    const text = readShortFile(file, WORD_BYTES_MAX).toString('utf8');
    const word = readWord(text);
    if (word) return { file: name, word };
    const change = changeOnTheWay(text, (repaired) => readWord(repaired) !== undefined);
    return { file: name, ...(change !== undefined && { change }) };
  } catch (error) {
    // No decision is that long. It counts as one that was changed, and so stops the plan.
    if (error instanceof RangeError) return { file: name };
    throw new Fault(
      'usage',
      `The approval ${file} cannot be read (${systemCode(error)}). Nothing was sent.`,
      'Check its path and its permissions.',
      { cause: error },
    );
  }
}

/** The files in which people say yes or no to a plan: `PLAN.NAME.approval.json` and `PLAN.NAME.declined.json`. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../domain/fault.ts';
import { writeWholeFile } from '../files/whole-file.ts';
import { changeOnTheWay } from './plan.ts';
import { type GivenWord, readWord } from './word.ts';

const endings = { approved: 'approval.json', declined: 'declined.json' } as const;

export type Decision = keyof typeof endings;

/** A plan's own name, without the ending of every plan file. */
const stemOf = (plan: string): string => path.basename(plan).replace(/\.json$/, '');

/** Where the word of a person on this plan stands. */
export const wordPath = (plan: string, name: string, decision: Decision, folder = path.dirname(plan)): string =>
  path.join(folder, `${stemOf(plan)}.${name}.${endings[decision]}`);

/** Writes it, in the place of an older one. Gives its path. */
export async function writeWord(target: string, text: string): Promise<string> {
  const written = await writeWholeFile(target, 'page', async ({ stream }) => {
    stream.write(text);
  });
  return written.path;
}

/** Whether a person has declined the plan, as far as the files beside it say. */
export const isDeclinedBy = (plan: string, name: string): boolean => existsSync(wordPath(plan, name, 'declined'));

/** Names of what is in a folder, in order. A Fault `usage` when it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
    throw new Fault(
      'usage',
      `The folder ${folder}, where plans and approvals are looked for, cannot be read (${String(error.code)}). Nothing was sent.`,
      'Check its path and its rights.',
      { cause: error },
    );
  }
}

/** All that stand beside the plan, by name. */
export function wordsBeside(plan: string): readonly string[] {
  const folder = path.dirname(plan);
  const begin = `${stemOf(plan)}.`;
  return namesIn(folder)
    .filter((file) => file.startsWith(begin) && Object.values(endings).some((ending) => file.endsWith(`.${ending}`)))
    .map((file) => path.join(folder, file));
}

/** Size of such a file, in bytes. */
const WORD_BYTES_MAX = 16_384;

/** What stands in such a file. A Fault `usage` where there is none. */
export function wordIn(file: string): GivenWord {
  try {
    const stats = statSync(file);
    // Reading a pipe that somebody laid there would wait for ever.
    const isShort = stats.isFile() && stats.size <= WORD_BYTES_MAX;
    const text = isShort ? readFileSync(file, 'utf8') : '';
    const word = readWord(text);
    const change = word ? undefined : changeOnTheWay(text, (repaired) => readWord(repaired) !== undefined);
    return { file: path.basename(file), ...(word && { word }), ...(change !== undefined && { change }) };
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
    throw new Fault(
      'usage',
      `The approval ${file} cannot be read (${String(error.code)}). Nothing was sent.`,
      'Check its path and its rights.',
      { cause: error },
    );
  }
}

/** The files in which people say yes or no to a plan: `PLAN.NAME.approval.json` and `PLAN.NAME.declined.json`. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { writeWholeFile } from '../../files/whole-file.ts';

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

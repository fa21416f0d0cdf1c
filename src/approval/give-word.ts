/** A person says yes or no to a plan, with the key that is theirs, in a file beside it. */
import { Fault } from '../domain/fault.ts';
import type { Signatory } from './approver-key.ts';
import type { PlanFile } from './plan.ts';
import { requireNotExpired, requireOtherThanMaker, wordText } from './word.ts';
import { isDeclinedBy, wordPath, writeWord } from './word-files.ts';

/** The plan that is meant, who speaks, and when. */
export interface WordGiven {
  readonly plan: PlanFile;
  /** Path of the plan. */
  readonly file: string;
  readonly by: Signatory;
  /** Wall-clock milliseconds. */
  readonly now: number;
  /** For the word; missing: beside the plan. */
  readonly folder?: string | undefined;
}

/**
 * Approves a plan, and gives the file. `note`: what is signed along with it, and stays where the approval does. A Fault when the
 * plan has expired, when who approves has made or declined it.
 */
export async function approvePlan({ plan, file, by, now, folder }: WordGiven, note?: string): Promise<string> {
  requireNotExpired(plan, now);
  requireOtherThanMaker(plan, by);
  if (isDeclinedBy(file, by.name)) throw declinedBefore(by.name);
  return writeWord(
    wordPath(file, by.name, 'approved', folder),
    wordText(plan, by, { decision: 'approved', now, note }),
  );
}

/** Declines a plan for a reason, and gives the file. */
export const declinePlan = ({ plan, file, by, now, folder }: WordGiven, reason: string): Promise<string> =>
  writeWord(wordPath(file, by.name, 'declined', folder), wordText(plan, by, { decision: 'declined', now, reason }));

const declinedBefore = (name: string): Fault =>
  new Fault(
    'declined',
    `${name} has declined this plan. Nothing was signed.`,
    'Have a new plan made, and approve that one.',
  );

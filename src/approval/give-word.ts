/** A person approves or declines a plan with their own key, in a file next to the plan. */
import { Fault } from '../domain/fault.ts';
import type { Signatory } from './approver-key.ts';
import type { PlanFile } from './plan.ts';
import { requireNotExpired, requireOtherThanMaker, wordText } from './word.ts';
import { isDeclinedBy, wordPath, writeWord } from './word-files.ts';

/** The plan, the person who decides on it, and when. */
export interface WordGiven {
  readonly plan: PlanFile;
  /** Path of the plan. */
  readonly file: string;
  readonly by: Signatory;
  /** Wall-clock milliseconds. */
  readonly now: number;
  /** Folder for the decision file; absent: next to the plan. */
  readonly folder?: string | undefined;
}

/**
 * Approves a plan. Returns the path of the approval. `note` is signed as part of the approval and stays with it. Throws a Fault
 * `plan-stale` if the plan has expired, `not-approved` if the signatory made it, and `declined` if the signatory has declined
 * it.
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

/** Declines a plan for a reason. Returns the path of the file that says so. */
export const declinePlan = ({ plan, file, by, now, folder }: WordGiven, reason: string): Promise<string> =>
  writeWord(wordPath(file, by.name, 'declined', folder), wordText(plan, by, { decision: 'declined', now, reason }));

const declinedBefore = (name: string): Fault =>
  new Fault(
    'declined',
    `${name} has declined this plan. Nothing was signed.`,
    'Have a new plan made, and approve that one.',
  );

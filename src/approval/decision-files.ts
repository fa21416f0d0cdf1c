/**
 * A person approves or declines a plan with their own key, in a file next to the plan or in a folder that the person names:
 * `PLAN.NAME.approval.json` and `PLAN.NAME.declined.json`.
 */

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Fault, systemCode } from '../domain/fault.ts';
import { readShortFile } from '../files/short-file.ts';
import { writeWholeText } from '../files/whole-file.ts';
import type { Signatory } from './approver-key.ts';
import {
  decisionText,
  type GivenDecision,
  readDecision,
  requireNotExpired,
  requireOtherThanMaker,
} from './decision.ts';
import { changeOnTheWay, type PlanFile } from './plan.ts';

const endings = { approved: 'approval.json', declined: 'declined.json' } as const;

type Decision = keyof typeof endings;

/** Returns the file name of a plan without `.json`. */
const stemOf = (plan: string): string => path.basename(plan).replace(/\.json$/, '');

/** Returns the path of a person's decision on this plan. */
const decisionPath = (plan: string, name: string, decision: Decision, folder = path.dirname(plan)): string =>
  path.join(folder, `${stemOf(plan)}.${name}.${endings[decision]}`);

/** Writes a decision file, replacing an older one. Returns its path. */
async function writeDecision(target: string, text: string): Promise<string> {
  const { path: written } = await writeWholeText(target, 'page', [text]);
  return written;
}

/** The plan, the person who decides on it, and when. */
interface DecisionGiven {
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
export async function approvePlan({ plan, file, by, now, folder }: DecisionGiven, note?: string): Promise<string> {
  requireNotExpired(plan, now);
  requireOtherThanMaker(plan, by);
  if ([undefined, folder].some((place) => existsSync(decisionPath(file, by.name, 'declined', place)))) {
    throw new Fault(
      'declined',
      `${by.name} has declined this plan. Nothing was signed.`,
      'Have a new plan made, and approve that one.',
    );
  }
  return writeDecision(
    decisionPath(file, by.name, 'approved', folder),
    decisionText(plan, by, { decision: 'approved', now, note }),
  );
}

/** Declines a plan for a reason. Returns the path of the file that says so. */
export const declinePlan = ({ plan, file, by, now, folder }: DecisionGiven, reason: string): Promise<string> =>
  writeDecision(
    decisionPath(file, by.name, 'declined', folder),
    decisionText(plan, by, { decision: 'declined', now, reason }),
  );

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

/**
 * Returns the paths of all decision files on the plan, next to it and in other folders where decisions are kept, sorted by name
 * within each folder.
 */
export function decisionsBeside(plan: string, otherFolders: readonly string[] = []): readonly string[] {
  const begin = `${stemOf(plan)}.`;
  const isDecision = (file: string): boolean =>
    file.startsWith(begin) && Object.values(endings).some((ending) => file.endsWith(`.${ending}`));
  return [...new Set([path.dirname(plan), ...otherFolders])].flatMap((folder) =>
    namesIn(folder)
      .filter(isDecision)
      .map((file) => path.join(folder, file)),
  );
}

/** The largest decision file that is read, in bytes. */
const DECISION_BYTES_MAX = 16_384;

/** Reads a decision file. Throws a Fault `usage` if it cannot be read. */
export function decisionIn(file: string): GivenDecision {
  const name = path.basename(file);
  try {
    const text = readShortFile(file, DECISION_BYTES_MAX).toString('utf8');
    const decided = readDecision(text);
    if (decided) return { file: name, decided };
    const change = changeOnTheWay(text, (repaired) => readDecision(repaired) !== undefined);
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

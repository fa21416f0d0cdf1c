/** Whose word on a plan counts. One that does not is never passed over: somebody believes that it was given. */
import type { ApprovalPolicy } from '../domain/approval.ts';
import type { PlanFile } from './plan.ts';
import type { Word } from './word.ts';

/** A word as it was found. */
export interface GivenWord {
  /** Name of its file. */
  readonly file: string;
  /** Missing when it is not as it was signed. */
  readonly word?: Word;
  /** What was done to it on its way, as far as its bytes show. */
  readonly change?: string;
}

interface Judged {
  /** One for each key. */
  readonly counted: readonly Word[];
  /** Why a word does not count, a line each. */
  readonly wrong: readonly string[];
  /** Somebody's no is among them. */
  readonly isDeclined: boolean;
}

/** Undefined policy: anybody's word counts, in a rehearsal. */
export function judgeWords(plan: PlanFile, given: readonly GivenWord[], policy: ApprovalPolicy | undefined): Judged {
  const byKey = new Map<string, Word>();
  const wrong: string[] = [];
  for (const { file, word, change } of given) {
    const damage = `is not as it was signed${change === undefined ? '' : `: ${change}`}`;
    const why = word ? objectionTo(word, plan, policy) : damage;
    if (why !== undefined) wrong.push(`${file}: ${why}.`);
    else if (word) byKey.set(word.key, word);
  }
  const isDeclined = given.some(({ word }) => word?.plan === plan.sha256 && word.decision === 'declined');
  return { counted: [...byKey.values()], wrong, isDeclined };
}

function objectionTo(word: Word, { plan, sha256 }: PlanFile, policy: ApprovalPolicy | undefined): string | undefined {
  const { name, at, key, reason } = word;
  if (word.plan !== sha256) return `${name} saw another plan, SHA-256 ${word.plan} then, ${sha256} now`;
  if (word.decision === 'declined') return `${name} declined it at ${at}: ${reason ?? 'no reason'}`;
  if (key === plan.signed?.key) return `${name} approved it, and made it with the same key`;
  if (at >= plan.expiresAt) return `${name} approved it at ${at}, when it had expired`;
  const known = policy && Object.hasOwn(policy.approvers, name) ? policy.approvers[name] : undefined;
  if (!policy || known === key) return undefined;
  const now = known === undefined ? 'is no approver now' : `has the key ${known} now`;
  return `${name} approved it at ${at} with the key ${key} then, and ${now}`;
}

/**
 * A plan that people approved takes the place of a person at the keyboard: the run is held to it twice. Before it asks for a
 * lease, all that would be paid is compared with the plan; and what is recorded are the plan's own orders, byte for byte.
 */
import type { ApprovalRecord } from '../domain/approval.ts';
import type { PlannedBlock } from '../domain/batch.ts';
import { isoTime } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import { sha256 } from '../domain/ids.ts';
import type { Settings } from '../domain/settings.ts';
import { typedPath } from '../domain/typed-path.ts';
import { differences } from './compare.ts';
import { type FreezeContext, freeze } from './freeze.ts';
import type { Offer, PlanFile } from './plan.ts';
import { type GivenWord, judgeWords, type Word } from './word.ts';

/** Differences that are told one by one. */
const LINES_MAX = 50;

/** The command that makes a plan once more, of the sheet that is there now. */
export const planAnew = ({ plan: { batch, signed } }: PlanFile, sheet: string): string =>
  `Make a new plan, and have that approved: paybatch plan ${typedPath(sheet)} --batch ${batch}${signed ? ' --key FILE' : ''}`;

const approveFirst = (plan: string): string => `Have it approved: paybatch approve ${typedPath(plan)} --key FILE`;

/** What to do about words that do not count, none of them a no. */
const otherWords = (plan: string): string =>
  `Find out how these files came there, and move them away. Where enough others have approved, apply it again: paybatch apply ${typedPath(plan)}   Else have it approved: paybatch approve ${typedPath(plan)} --key FILE`;

export interface ApprovedPlan {
  /** A Fault `plan-stale` with every difference when something else would be paid than what was approved. */
  readonly hold: (offer: Offer) => void;
  /** The orders as they go into the ledger; a Fault `plan-stale` at the first that is not the plan's, and when one is missing. */
  readonly only: (blocks: Iterable<PlannedBlock>) => Iterable<PlannedBlock>;
  /** For the header of the batch. */
  readonly recorded: { readonly approval: ApprovalRecord };
  /** For the record: by whose word it was paid. */
  readonly confirmation: string;
  /** The command that gets another approval, where too few people gave theirs. */
  readonly instead: string;
}

/** What applying a plan knows of the present. */
export interface ApplyContext extends Pick<FreezeContext, 'account' | 'maker' | 'version'> {
  readonly settings: Settings;
  readonly words: readonly GivenWord[];
  readonly clock: { now(): number };
  /** Paths of the plan and of its sheet as it is now, for the command to go on with. */
  readonly files: { readonly plan: string; readonly sheet: string };
}

/** A plan with the words that count; a Fault when one does not, or when too little was said at all. */
export function approvedPlan(file: PlanFile, { words, clock, files, ...rest }: ApplyContext): ApprovedPlan {
  const { settings } = rest;
  const anew = planAnew(file, files.sheet);
  const { counted, wrong, isDeclined } = judgeWords(file, words, settings.approval);
  requireInTime(file, clock.now(), anew);
  if (wrong.length > 0) throw stale(wrong, isDeclined ? anew : otherWords(files.plan));
  requireSomebody(file, counted, settings, files);
  const { plan } = file;
  return {
    hold(offer) {
      const now = clock.now();
      requireInTime(file, now, anew);
      const today = freeze(offer, { ...rest, request: plan.request, now, expiresAt: now });
      const lines = differences(plan, today);
      if (lines.length > 0) throw stale(lines, anew);
    },
    only: (blocks) => heldTo(file, blocks, anew),
    recorded: { approval: recordOf(file, counted) },
    confirmation: confirmationOf(file, counted),
    instead: approveFirst(files.plan),
  };
}

function requireInTime({ plan: { expiresAt } }: PlanFile, now: number, anew: string): void {
  if (now >= Date.parse(expiresAt))
    throw stale([`The plan has expired: it held until ${expiresAt} then, it is ${isoTime(now)} now.`], anew);
}

/** A profile that asks for nobody's word pays by control totals; a rehearsal asks for nothing. */
function requireSomebody(
  { plan }: PlanFile,
  counted: readonly Word[],
  { approval, sandbox, profile }: Settings,
  files: ApplyContext['files'],
): void {
  const sheet = typedPath(files.sheet);
  if (approval?.makerKey && !plan.signed) {
    throw unapproved(
      `The profile "${profile}" takes plans alone that their maker signed, and this one is not.`,
      `Make it anew: paybatch plan ${sheet} --batch ${plan.batch} --key FILE`,
    );
  }
  if (sandbox && !approval) return;
  if (!approval) {
    throw unapproved(
      `The profile "${profile}" names no approvers, so nobody's word counts.`,
      `Name them in approval.approvers of the profile, or pay by control totals: paybatch run ${sheet} --batch ${plan.batch}`,
    );
  }
  if (counted.length === 0)
    throw unapproved(
      'Nobody has approved this plan, as far as its folder and --approval show.',
      approveFirst(files.plan),
    );
}

/** The orders, as long as each is one of the plan; and all of them. */
function* heldTo({ plan }: PlanFile, blocks: Iterable<PlannedBlock>, anew: string): Generator<PlannedBlock> {
  const left = new Map(plan.orders.map(({ id, body }) => [id, body]));
  for (const block of blocks) {
    for (const { id, body } of block.orders) {
      const approved = left.get(id);
      if (approved !== sha256(body))
        throw stale([`The order ${id}: body ${approved ?? 'none'} then, ${sha256(body)} now.`], anew);
      left.delete(id);
    }
    yield block;
  }
  if (left.size > 0) {
    throw stale(
      [...left.keys()].map((id) => `The order ${id}: in the plan then, missing now.`),
      anew,
    );
  }
}

function recordOf({ plan: { signed }, sha256: hash }: PlanFile, counted: readonly Word[]): ApprovalRecord {
  const approvals = counted.map(({ name, key, at, note, signature }) => ({
    name,
    key,
    signature,
    at,
    ...(note !== undefined && { note }),
  }));
  return { plan: hash, ...(signed && { maker: signed }), approvals };
}

function confirmationOf({ sha256: hash }: PlanFile, counted: readonly Word[]): string {
  const by = counted.map(({ name, at }) => `${name} (${at})`).join(', ');
  return `plan ${hash.slice(0, 16)}, ${by === '' ? 'a rehearsal that nobody approved' : `approved by ${by}`}`;
}

/** Something is not as it was when people agreed to it; a line for each. */
export function stale(lines: readonly string[], remedy: string): Fault {
  const more = lines.length - LINES_MAX;
  const details = more > 0 ? [...lines.slice(0, LINES_MAX), `… and ${more} more.`] : lines;
  return new Fault('plan-stale', 'This is not what was approved any more. Nothing was sent.', remedy, { details });
}

const unapproved = (message: string, remedy: string): Fault =>
  new Fault('not-approved', `${message} Nothing was sent.`, remedy);

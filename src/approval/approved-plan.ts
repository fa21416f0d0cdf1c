/**
 * A plan that people approved replaces a person at the keyboard. The run is compared with the plan twice: before it asks for a
 * lease, with everything that would be paid; and while it records, order by order and byte for byte.
 */
import type { ApprovalRecord } from '../domain/approval.ts';
import type { PlannedBlock } from '../domain/batch.ts';
import { isoTime } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import { sha256 } from '../domain/ids.ts';
import type { Settings } from '../domain/settings.ts';
import { typedPath } from '../domain/typed-path.ts';
import { differences } from './compare.ts';
import { type GivenDecision, judgeDecisions, type SignedDecision } from './decision.ts';
import { type FreezeContext, freeze } from './freeze.ts';
import type { Offer, PlanFile } from './plan.ts';

/** The most differences that a fault lists. */
const LINES_MAX = 50;

/** Returns the remedy with the command that makes a new plan from the current sheet. */
export const planAnew = ({ plan: { batch, signed } }: PlanFile, sheet: string): string =>
  `Make a new plan, and have that approved: paybatch plan ${typedPath(sheet)} --batch ${batch}${signed ? ' --key FILE' : ''}`;

const approveFirst = (plan: string): string => `Have it approved: paybatch approve ${typedPath(plan)} --key FILE`;

/** Returns what to do about approvals that do not count, if nobody declined. */
const otherDecisions = (plan: string): string =>
  `Find out where these files came from, and move them away. If enough other people have approved the plan, apply it again: paybatch apply ${typedPath(plan)}   Otherwise have it approved: paybatch approve ${typedPath(plan)} --key FILE`;

export interface ApprovedPlan {
  /** Throws a Fault `plan-stale` with every difference if the offer is not what was approved. */
  readonly hold: (offer: Offer) => void;
  /**
   * Passes on the blocks that go into the ledger. Throws a Fault `plan-stale` at the first order that is not in the plan, and
   * at the end if an order is missing.
   */
  readonly only: (blocks: Iterable<PlannedBlock>) => Iterable<PlannedBlock>;
  /** For the header of the batch. */
  readonly recorded: { readonly approval: ApprovalRecord };
  /** How the payment was confirmed, for the record: the plan and who approved it. */
  readonly confirmation: string;
  /** The remedy with the command that adds an approval, for a plan with too few of them. */
  readonly instead: string;
}

/** The present state that a plan is compared with. */
interface ApplyContext extends Pick<FreezeContext, 'account' | 'maker' | 'version'> {
  readonly settings: Settings;
  readonly decisions: readonly GivenDecision[];
  readonly clock: { now(): number };
  /** Current paths of the plan and of its sheet, for the commands in remedies. */
  readonly files: { readonly plan: string; readonly sheet: string };
}

/**
 * Returns a plan with the approvals that count. Throws a Fault `plan-stale` if the plan has expired or any decision does not
 * count, and `not-approved` if nobody approved or a required signature of the maker is missing.
 */
export function approvedPlan(file: PlanFile, { decisions, clock, files, ...rest }: ApplyContext): ApprovedPlan {
  const { settings } = rest;
  const anew = planAnew(file, files.sheet);
  const { counted, wrong, isDeclined } = judgeDecisions(file, decisions, settings.approval);
  requireInTime(file, clock.now(), anew);
  if (wrong.length > 0)
    throw isDeclined
      ? stale(wrong, anew, 'This plan was declined.')
      : stale(wrong, otherDecisions(files.plan), 'Something next to the plan does not count as an approval.');
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
    throw stale([`The plan has expired: it was valid until ${expiresAt}, and it is ${isoTime(now)} now.`], anew);
}

/**
 * Throws a Fault `not-approved` if the profile requires the maker's signature and it is missing, if a live profile names no
 * approvers (it pays by control totals instead), or if nobody approved. A rehearsal without approvers needs no approval.
 */
function requireSomebody(
  { plan }: PlanFile,
  counted: readonly SignedDecision[],
  { approval, sandbox, profile }: Settings,
  files: ApplyContext['files'],
): void {
  const sheet = typedPath(files.sheet);
  if (approval?.makerKey && !plan.signed) {
    throw unapproved(
      `The profile "${profile}" pays only plans that their maker has signed, and this plan is not signed.`,
      `Make a new plan: paybatch plan ${sheet} --batch ${plan.batch} --key FILE`,
    );
  }
  if (sandbox && !approval) return;
  if (!approval) {
    throw unapproved(
      `The profile "${profile}" names no approvers, so no approval counts.`,
      `Name them in approval.approvers of the profile, or pay by control totals: paybatch run ${sheet} --batch ${plan.batch}`,
    );
  }
  if (counted.length === 0)
    throw unapproved(
      'Nobody has approved this plan, as far as its folder and --approval show.',
      approveFirst(files.plan),
    );
}

/**
 * Yields the blocks while each order is in the plan, byte for byte. Throws a Fault `plan-stale` at one that is not, and at the
 * end if orders of the plan are missing.
 */
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

function recordOf({ plan: { signed }, sha256: hash }: PlanFile, counted: readonly SignedDecision[]): ApprovalRecord {
  const approvals = counted.map(({ name, key, at, note, signature }) => ({
    name,
    key,
    signature,
    at,
    ...(note !== undefined && { note }),
  }));
  return { plan: hash, ...(signed && { maker: signed }), approvals };
}

function confirmationOf({ sha256: hash }: PlanFile, counted: readonly SignedDecision[]): string {
  const by = counted.map(({ name, at }) => `${name} (${at})`).join(', ');
  return `plan ${hash.slice(0, 16)}, ${by === '' ? 'a rehearsal that nobody approved' : `approved by ${by}`}`;
}

/** Returns a Fault `plan-stale` that lists what has changed since people approved, a line each. */
export function stale(lines: readonly string[], remedy: string, what = 'This is no longer what was approved.'): Fault {
  const more = lines.length - LINES_MAX;
  const details = more > 0 ? [...lines.slice(0, LINES_MAX), `… and ${more} more.`] : lines;
  return new Fault('plan-stale', `${what} Nothing was sent.`, remedy, { details });
}

const unapproved = (message: string, remedy: string): Fault =>
  new Fault('not-approved', `${message} Nothing was sent.`, remedy);

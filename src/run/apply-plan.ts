/**
 * Applies a plan: compares it with the present sheet, settings and batch, reports anything else that stops the run before that, and
 * pays it.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { approvedPlan, planAnew, stale } from '../approval/approved-plan.ts';
import { differences, settingsDifferences } from '../approval/compare.ts';
import type { GivenDecision } from '../approval/decision.ts';
import { type FrozenAccount, freeze, frozenSettings } from '../approval/freeze.ts';
import type { PlanFile } from '../approval/plan.ts';
import type { HeadingMapping } from '../batch/heading-mapping.ts';
import type { HeadingDecisions } from '../batch/heading-question.ts';
import { isoTime } from '../domain/clock.ts';
import { caughtFault, Fault } from '../domain/fault.ts';
import { present } from '../domain/present.ts';
import { endedBy, type RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import { contentHash } from '../files/file-identity.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type RunRequest, runSheet } from './paybatch.ts';
import type { RunDeps } from './run-deps.ts';

/** A plan with all decisions on it, and the current path of its sheet. */
interface PlanToApply {
  readonly plan: PlanFile;
  /** Path of the plan. */
  readonly file: string;
  readonly decisions: readonly GivenDecision[];
  readonly sheet: string;
  /** Folder for the results; absent: next to the sheet. */
  readonly outFolder?: string;
}

/** The surroundings in which a plan is applied. */
export interface ApplySite {
  readonly deps: RunDeps;
  readonly account: FrozenAccount;
  readonly decisions: HeadingDecisions;
  /** Returns the mapping of this name. Throws a Fault `usage` if there is none. */
  readonly mappingOf: (name: string) => HeadingMapping;
}

/** Pays exactly what was approved, once, without asking a person. */
export async function applyPlan(asked: PlanToApply, site: ApplySite): Promise<RunEnd> {
  const { plan, file, decisions, sheet } = asked;
  const { deps, account } = site;
  await requireNotApplied(plan, deps.ledger);
  const { settings, maker, version, clock } = deps;
  const files = { plan: file, sheet };
  const approved = approvedPlan(plan, { settings, account, decisions, maker, version, clock, files });
  const payment = plannedRequest(asked, site);
  return await staleEnd(plan, { sheet, settings, account }, () =>
    runSheet({ ...payment, dryRun: false }, { ...deps, approved, confirm: async () => approved.confirmation }),
  );
}

/** A plan compared with the present. */
export interface PlanToday {
  /**
   * What has changed since the plan was made, a line each. If `fault` is set, only changes of the sheet's file and the
   * settings.
   */
  readonly changes: readonly string[];
  /** What would stop the payment today, no matter who has approved it; absent if nothing would. */
  readonly fault?: Fault;
}

/** Compares a plan with the present, as applying it would. Records and sends nothing. */
export async function planToday(asked: Omit<PlanToApply, 'decisions'>, site: ApplySite): Promise<PlanToday> {
  const { plan, sheet } = asked;
  const { deps, account } = site;
  const { settings, maker, version } = deps;
  let changes = await changesSince(plan, { sheet, settings, account });
  const freezeNow: RunDeps['freeze'] = async (offer) => {
    const now = deps.clock.now();
    const today = freeze(offer, { settings, account, request: plan.plan.request, maker, version, now, expiresAt: now });
    changes = differences(plan.plan, today);
    return [];
  };
  const payment = plannedRequest(asked, site);
  const { fault } = await runSheet({ ...payment, dryRun: true }, { ...deps, freeze: freezeNow }).catch(
    (error: unknown): Pick<RunEnd, 'fault'> => ({ fault: caughtFault(error) }),
  );
  return { changes, ...(fault && { fault }) };
}

/** Returns the request that a plan keeps, for the sheet at its current path. */
function plannedRequest(
  { plan: { plan }, sheet, outFolder }: Pick<PlanToApply, 'plan' | 'sheet' | 'outFolder'>,
  { decisions, mappingOf }: Pick<ApplySite, 'decisions' | 'mappingOf'>,
): Omit<RunRequest, 'dryRun'> {
  const {
    worksheet,
    delimiter,
    encoding,
    map,
    currency: _,
    purpose: __,
    acceptUnverifiable: ___,
    ...rest
  } = plan.request;
  return {
    sheet,
    reading: present({ worksheet, delimiter, encoding }),
    ...(map !== undefined && { mapping: mappingOf(map) }),
    decisions,
    ...(outFolder !== undefined && { outFolder }),
    // A sheet that has errors today is not the one that was planned, so a copy to correct is of no use.
    copy: false,
    ...rest,
  };
}

/** Throws a Fault `already-paid` if the ledger has the plan's batch, recorded from this same plan: a plan is paid once. */
async function requireNotApplied({ plan, sha256 }: PlanFile, ledger: Ledger): Promise<void> {
  const earlier = await ledger.findBatchCalled(plan.batch);
  if (earlier?.approval?.plan !== sha256) return;
  throw new Fault(
    'already-paid',
    `This plan was applied already, as batch ${earlier.id} at ${isoTime(earlier.plannedAt)}. Nothing was sent.`,
    `How it ended: paybatch status ${earlier.id}   If it is not finished: paybatch resume ${earlier.id}`,
  );
}

/**
 * Returns the path of the sheet of a plan: the path that was named, else where it was planned, or next to the plan if it is
 * only there. Its content is compared with the plan later.
 */
export function sheetOf(
  { plan: { sheet } }: PlanFile,
  at: { readonly plan: string; readonly named: string | undefined; readonly cwd: string },
): string {
  if (at.named !== undefined) return path.resolve(at.cwd, at.named);
  const planned = path.join(sheet.folder, sheet.name);
  const beside = path.join(path.dirname(at.plan), path.basename(sheet.name));
  return !existsSync(planned) && existsSync(beside) ? beside : planned;
}

/** The present sheet, settings and account, for comparison with the plan. */
interface Today {
  readonly sheet: string;
  readonly settings: Settings;
  readonly account: FrozenAccount;
}

/**
 * Returns the end of applying a plan. If settings or sheet have changed since the approval, that is reported as the reason,
 * no matter what stopped the run: a limit that was lowered since then says nothing about the sheet. Such a run is always stopped
 * before it records anything.
 */
async function staleEnd(file: PlanFile, today: Today, work: () => Promise<RunEnd>): Promise<RunEnd> {
  const changed = await changesSince(file, today);
  const end = await work().catch((error: unknown) => {
    if (error instanceof Fault && changed.length > 0) return endedBy(error);
    throw error;
  });
  if (changed.length === 0 || !end.fault || end.fault.code === 'plan-stale') return end;
  const lines = [...changed, `What it would end with now: ${end.fault.message}`, ...end.fault.details];
  const fault = stale(lines, planAnew(file, today.sheet));
  return { ...end, exit: fault.exit, fault };
}

/** Returns the changes that are visible before the sheet is read. */
const changesSince = async (file: PlanFile, { settings, account, sheet }: Today): Promise<readonly string[]> => [
  ...settingsDifferences(file.plan, frozenSettings(settings, account)),
  ...(await sheetDifferences(file, sheet)),
];

async function sheetDifferences({ plan: { sheet } }: PlanFile, file: string): Promise<readonly string[]> {
  // The run itself reports a sheet that cannot be read.
  const now = await contentHash(file);
  return now === undefined || now === sheet.sha256
    ? []
    : [`The file of the sheet: SHA-256 ${sheet.sha256} then, SHA-256 ${now} now.`];
}

/** A plan that is to be paid, beside what is there today: its sheet, its batch, and whatever else stops the run before that. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import path from 'node:path';
import { approvedPlan, planAnew, stale } from '../approval/approved-plan.ts';
import { differences, settingsDifferences } from '../approval/compare.ts';
import { type FrozenAccount, freeze, frozenSettings } from '../approval/freeze.ts';
import type { PlanFile } from '../approval/plan.ts';
import type { GivenWord } from '../approval/word.ts';
import type { HeadingMapping } from '../batch/heading-mapping.ts';
import type { HeadingDecisions } from '../batch/heading-question.ts';
import { isoTime } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import { endedBy, type RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type RunDeps, type RunRequest, runSheet } from './paybatch.ts';

/** A plan with all that was said of it, and where its sheet is now. */
export interface PlanToApply {
  readonly plan: PlanFile;
  /** Its path. */
  readonly file: string;
  readonly words: readonly GivenWord[];
  readonly sheet: string;
  /** Folder for the results; missing: beside the sheet. */
  readonly outFolder?: string;
}

/** Where a plan is applied. */
export interface ApplySite {
  readonly deps: RunDeps;
  readonly account: FrozenAccount;
  readonly decisions: HeadingDecisions;
  /** The mapping of a name. Fault `usage` when there is none. */
  readonly mappingOf: (name: string) => HeadingMapping;
}

/** Pays exactly what was approved, once, and asks nobody. */
export async function applyPlan(asked: PlanToApply, site: ApplySite): Promise<RunEnd> {
  const { plan, file, words, sheet } = asked;
  const { deps, account } = site;
  await requireNotApplied(plan, deps.ledger);
  const { settings, maker, version, clock } = deps;
  const files = { plan: file, sheet };
  const approved = approvedPlan(plan, { settings, account, words, maker, version, clock, files });
  const payment = plannedRequest(asked, site);
  return await staleEnd(plan, { sheet, settings, account }, () =>
    runSheet({ ...payment, dryRun: false }, { ...deps, approved, confirm: async () => approved.confirmation }),
  );
}

/** What a plan would be today. */
export interface PlanToday {
  /** What is not as it was when it was made, a line each; of the sheet and the settings alone, where something stands against the payment. */
  readonly changes: readonly string[];
  /** What stands against the payment today, whoever has approved it; missing: nothing. */
  readonly fault?: Fault;
}

/** Holds a plan against what there is today, as applying it would. Nothing is recorded or sent. */
export async function planToday(asked: Omit<PlanToApply, 'words'>, site: ApplySite): Promise<PlanToday> {
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
    (error: unknown): Pick<RunEnd, 'fault'> => {
      if (error instanceof Fault) return { fault: error };
      throw error;
    },
  );
  return { changes, ...(fault && { fault }) };
}

/** The request that a plan keeps, for the sheet as it lies there now. */
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
    reading: {
      ...(worksheet !== undefined && { worksheet }),
      ...(delimiter !== undefined && { delimiter }),
      ...(encoding !== undefined && { encoding }),
    },
    ...(map !== undefined && { mapping: mappingOf(map) }),
    decisions,
    ...(outFolder !== undefined && { outFolder }),
    // A sheet that has errors today is not the one that was planned: nobody needs a copy to correct.
    copy: false,
    ...rest,
  };
}

/** A plan is paid once. A Fault `already-paid` when its batch is in the ledger by this very plan. */
async function requireNotApplied({ plan, sha256 }: PlanFile, ledger: Ledger): Promise<void> {
  const earlier = await ledger.findBatchCalled(plan.batch);
  if (earlier?.approval?.plan !== sha256) return;
  throw new Fault(
    'already-paid',
    `This plan was applied already, as batch ${earlier.id} at ${isoTime(earlier.plannedAt)}. Nothing was sent.`,
    `How it ended: paybatch status ${earlier.id}   If it is not finished: paybatch resume ${earlier.id}`,
  );
}

/** Where the sheet of a plan is: as was said, where it was planned, or beside the plan. Its content is held against the plan later. */
export function sheetOf(
  { plan: { sheet } }: PlanFile,
  at: { readonly plan: string; readonly named: string | undefined; readonly cwd: string },
): string {
  if (at.named !== undefined) return path.resolve(at.cwd, at.named);
  const planned = path.join(sheet.folder, sheet.name);
  const beside = path.join(path.dirname(at.plan), path.basename(sheet.name));
  return !existsSync(planned) && existsSync(beside) ? beside : planned;
}

/** What there is today in place of what was planned. */
interface Today {
  readonly sheet: string;
  readonly settings: Settings;
  readonly account: FrozenAccount;
}

/**
 * The end of applying a plan. Where settings or sheet are others than were approved, that is the reason, whatever stopped the
 * run: a limit that was lowered since is no news about the sheet. Such a run is always stopped before it records anything.
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

/** What shows before the sheet is read. */
const changesSince = async (file: PlanFile, { settings, account, sheet }: Today): Promise<readonly string[]> => [
  ...settingsDifferences(file.plan, frozenSettings(settings, account)),
  ...(await sheetDifferences(file, sheet)),
];

async function sheetDifferences({ plan: { sheet } }: PlanFile, file: string): Promise<readonly string[]> {
  const now = await hashOf(file);
  return now === undefined || now === sheet.sha256
    ? []
    : [`The file of the sheet: SHA-256 ${sheet.sha256} then, SHA-256 ${now} now.`];
}

/** Undefined: it cannot be read, which the run will say. */
async function hashOf(file: string): Promise<string | undefined> {
  try {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file)) hash.update(chunk as Uint8Array); // no encoding was set
    return hash.digest('hex');
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return undefined;
    throw error;
  }
}

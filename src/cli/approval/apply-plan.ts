/** A plan that is to be paid, beside what is there today: its sheet, its batch, and whatever else stops the run before that. */

import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import path from 'node:path';
import { approvedPlan, planAnew, stale } from '../../approval/approved-plan.ts';
import { settingsDifferences } from '../../approval/compare.ts';
import { type FrozenAccount, frozenSettings } from '../../approval/freeze.ts';
import type { PlanFile } from '../../approval/plan.ts';
import type { GivenWord } from '../../approval/word.ts';
import { isoTime } from '../../domain/clock.ts';
import { Fault } from '../../domain/fault.ts';
import { endedBy, type RunEnd } from '../../domain/run-end.ts';
import type { Settings } from '../../domain/settings.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { runSheet } from '../../paybatch.ts';
import { field } from '../flags/options.ts';
import type { Session } from '../session.ts';
import { frozenAccount } from './frozen-account.ts';
import { plannedRequest } from './plan-request.ts';

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

/** Pays exactly what was approved, once, and asks nobody. */
export async function applyPlan(
  { plan, file, words, sheet, outFolder }: PlanToApply,
  { deps, loaded }: Pick<Session, 'deps' | 'loaded'>,
): Promise<RunEnd> {
  await requireNotApplied(plan, deps.ledger);
  const account = frozenAccount(deps.service, loaded);
  const { settings, maker, version, clock } = deps;
  const files = { plan: file, sheet };
  const approved = approvedPlan(plan, { settings, account, words, maker, version, clock, files });
  const payment = plannedRequest(plan.plan.request, { sheet, home: loaded.home, ...field('outFolder', outFolder) });
  return await staleEnd(plan, { sheet, settings, account }, () =>
    runSheet({ ...payment, dryRun: false }, { ...deps, approved, confirm: async () => approved.confirmation }),
  );
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
  const changed = [
    ...settingsDifferences(file.plan, frozenSettings(today.settings, today.account)),
    ...(await sheetDifferences(file, today.sheet)),
  ];
  const end = await work().catch((error: unknown) => {
    if (error instanceof Fault && changed.length > 0) return endedBy(error);
    throw error;
  });
  if (changed.length === 0 || !end.fault || end.fault.code === 'plan-stale') return end;
  const lines = [...changed, `What it would end with now: ${end.fault.message}`, ...end.fault.details];
  const fault = stale(lines, planAnew(file, today.sheet));
  return { ...end, exit: fault.exit, fault };
}

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

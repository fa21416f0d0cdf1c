/** Plans a sheet: writes everything that a run would pay into one file that people can approve. Sends nothing. */

import path from 'node:path';
import type { Signatory } from '../approval/approver-key.ts';
import type { FrozenAccount } from '../approval/freeze.ts';
import { freeze } from '../approval/freeze.ts';
import { PLAN, type Plan, type PlanRequest, planText, readPlan } from '../approval/plan.ts';
import { DAY_MS } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import { present } from '../domain/present.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { writeWholeText } from '../files/whole-file.ts';
import { batchFileName } from '../results/file-name.ts';
import { type RunRequest, runSheet } from './paybatch.ts';
import type { RunDeps } from './run-deps.ts';

/**
 * How long a plan is valid unless the request says otherwise, in milliseconds: longer than a weekend with a holiday on each
 * side, and short enough that nobody forgets what was approved.
 */
const EXPIRES_MS = 7 * DAY_MS;
/** The longest validity of a plan, in milliseconds. Charges, people and wallets change, so an older plan must be made again. */
export const EXPIRES_MAX_MS = 31 * DAY_MS;

/** What a plan keeps of the command that made it, in addition to the payment request. */
type PlanTerms = Pick<PlanRequest, 'map' | 'currency' | 'purpose' | 'acceptUnverifiable'>;

interface PlanWish {
  readonly payment: Omit<RunRequest, 'dryRun'>;
  readonly terms?: PlanTerms;
  readonly account: FrozenAccount;
  /** Signs the plan as its maker; absent: the plan is unsigned. */
  readonly maker?: Signatory | undefined;
  /** How long the plan may be applied, in milliseconds; absent: a week. */
  readonly expiresMs?: number | undefined;
  /** Writes further files about the plan at this path, and returns them. */
  readonly beside?: (plan: string) => Promise<RunEnd['files']>;
}

/**
 * Writes the plan of a sheet next to the sheet, or into the folder of the request. Returns the end of the run, which lists the
 * plan among its files. Throws a Fault `usage` without the key of the maker if the profile wants it.
 */
export async function planSheet(wish: PlanWish, deps: RunDeps): Promise<RunEnd> {
  const { payment, terms = {}, account, maker, expiresMs = EXPIRES_MS, beside } = wish;
  const { settings, version } = deps;
  if (settings.approval?.makerKey && !maker) {
    throw new Fault(
      'usage',
      `The profile "${settings.profile}" pays only plans that their maker has signed. No plan was made.`,
      "Sign it with your own key, which is not an approver's: --key FILE",
    );
  }
  const now = deps.clock.now();
  const context = { settings, account, maker: deps.maker, version, now, expiresAt: now + expiresMs };
  const asked = requestOf(payment, terms);
  return runSheet(
    { ...payment, dryRun: true },
    {
      ...deps,
      async freeze(offer) {
        const { worksheet = offer.sheet.worksheet } = asked;
        const { changedPayees } = offer.statement;
        // A person may have typed both at a prompt, so they are not in the request.
        const answers = {
          batchName: offer.batch,
          ...(changedPayees && { acceptChangedPayees: changedPayees.count }),
        };
        const read = worksheet === undefined ? {} : { worksheet };
        const request = { ...asked, ...read, ...(!settings.sandbox && answers) };
        const made = freeze(offer, { ...context, request });
        const file = await writePlan(made, payment.outFolder ?? made.sheet.folder, maker);
        const files = [{ kind: 'plan', path: file }, ...((await beside?.(file)) ?? [])];
        for (const one of files) deps.emit({ type: 'file', ...one });
        return files;
      },
    },
  );
}

/** Returns the request as a plan keeps it: everything except paths of files. */
const requestOf = (
  { reading: { worksheet, delimiter, encoding }, ...payment }: PlanWish['payment'],
  { map, currency, purpose, acceptUnverifiable }: PlanTerms,
): PlanRequest =>
  present({
    worksheet,
    delimiter,
    encoding,
    map,
    currency,
    purpose,
    decimals: payment.decimals,
    allowIdentical: payment.allowIdentical,
    includeHidden: payment.includeHidden,
    acceptFixes: payment.acceptFixes ?? false,
    skipInvalid: payment.skipInvalid,
    batchName: payment.batchName,
    allowDuplicate: payment.allowDuplicate,
    acceptPaidBefore: payment.acceptPaidBefore,
    acceptChangedPayees: payment.acceptChangedPayees,
    acceptUnverifiable,
    payees: payment.payees,
  });

/** Writes `SHEET.BATCH.plan.json` into the folder, and keeps an older file of that name. Returns the path. */
async function writePlan(plan: Omit<Plan, 'signed'>, folder: string, maker?: Signatory): Promise<string> {
  const name = batchFileName({ ...plan, id: plan.batch }, PLAN);
  const text = planText(plan, maker);
  // A plan that cannot be read back must fail now, before anyone approves it.
  readPlan(Buffer.from(text));
  const { path: written } = await writeWholeText(path.join(folder, name), 'plan', [text]);
  return written;
}

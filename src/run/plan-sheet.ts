/** A sheet is planned: all that a run would pay goes into one file that people can approve. Nothing is sent. */
import path from 'node:path';
import type { Signatory } from '../approval/approver-key.ts';
import type { FrozenAccount } from '../approval/freeze.ts';
import { freeze } from '../approval/freeze.ts';
import { type Plan, type PlanRequest, planText, readPlan } from '../approval/plan.ts';
import { PLAN } from '../approval/plan-file.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { writeWholeFile } from '../files/whole-file.ts';
import { batchFileName } from '../results/file-name.ts';
import { type RunDeps, type RunRequest, runSheet } from './paybatch.ts';

const DAY_MS = 86_400_000;
/** Longer than a weekend with a holiday on each side, and short enough that nobody forgets what was approved. */
const EXPIRES_MS = 7 * DAY_MS;
/** Charges, people and wallets change: what is older is planned anew. */
export const EXPIRES_MAX_MS = 31 * DAY_MS;

const UNSIGNED =
  'This profile pays plans alone that their maker signed, and this one will not be. Make it with --key FILE, before anybody approves it.';

/** What a plan keeps of how it was asked for, beside the request itself. */
export type PlanTerms = Pick<PlanRequest, 'map' | 'currency' | 'purpose' | 'acceptUnverifiable'>;

export interface PlanWish {
  readonly payment: Omit<RunRequest, 'dryRun'>;
  readonly terms?: PlanTerms;
  readonly account: FrozenAccount;
  /** Signs it as its maker; missing: nobody does. */
  readonly maker?: Signatory | undefined;
  /** How long it may be applied; missing: a week. */
  readonly expiresMs?: number | undefined;
  /** Writes more files about the plan in this file, and gives them. */
  readonly beside?: (plan: string) => Promise<RunEnd['files']>;
}

/** Writes the plan of a sheet beside it, or into the folder of the request, and gives it among the files of the end. */
export async function planSheet(wish: PlanWish, deps: RunDeps): Promise<RunEnd> {
  const { payment, terms = {}, account, maker, expiresMs = EXPIRES_MS, beside } = wish;
  const { settings, version } = deps;
  if (settings.approval?.makerKey && !maker) deps.tell({ type: 'notice', level: 'warning', message: UNSIGNED });
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
        // Both may have been typed when they were asked for.
        const answers = {
          batchName: offer.batch,
          ...(changedPayees && { acceptChangedPayees: changedPayees.count }),
        };
        const read = worksheet === undefined ? {} : { worksheet };
        const request = { ...asked, ...read, ...(!settings.sandbox && answers) };
        const made = freeze(offer, { ...context, request });
        const file = await writePlan(made, payment.outFolder ?? made.sheet.folder, maker);
        const files = [{ kind: 'plan', path: file }, ...((await beside?.(file)) ?? [])];
        for (const one of files) deps.tell({ type: 'file', ...one });
        return files;
      },
    },
  );
}

/** The request as a plan keeps it: all but the places of files. */
const requestOf = (
  { reading, allowIdentical, includeHidden, acceptFixes = false, decimals, ...rest }: PlanWish['payment'],
  { map, currency, purpose, acceptUnverifiable }: PlanTerms,
): PlanRequest => ({
  ...given({ worksheet: reading.worksheet, delimiter: reading.delimiter, encoding: reading.encoding }),
  ...given({ map, currency, purpose, decimals }),
  allowIdentical,
  ...given({ includeHidden }),
  acceptFixes,
  ...given({ skipInvalid: rest.skipInvalid, batchName: rest.batchName, allowDuplicate: rest.allowDuplicate }),
  ...given({ acceptPaidBefore: rest.acceptPaidBefore, acceptChangedPayees: rest.acceptChangedPayees }),
  ...given({ acceptUnverifiable, payees: rest.payees }),
});

/** The same without what is undefined. */
const given = <T extends object>(all: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>; // the entries of `all` that are left
  };

/** Writes `SHEET.BATCH.plan.json` into the folder, beside an older one of that name. Gives its path. */
async function writePlan(plan: Omit<Plan, 'signed'>, folder: string, maker?: Signatory): Promise<string> {
  const name = batchFileName({ ...plan, id: plan.batch }, PLAN);
  const text = planText(plan, maker);
  // Before anybody signs it: one that cannot be read again is none.
  readPlan(Buffer.from(text));
  const written = await writeWholeFile(path.join(folder, name), 'plan', async ({ stream }) => {
    stream.write(text);
  });
  return written.path;
}

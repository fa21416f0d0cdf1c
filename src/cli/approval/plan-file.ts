/** The file of a plan: where it is written, and how it is read. */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Signatory } from '../../approval/approver-key.ts';
import { PLAN_BYTES_MAX, type Plan, type PlanFile, planText, readPlan, refusedPlan } from '../../approval/plan.ts';
import { Fault } from '../../domain/fault.ts';
import { writeWholeFile } from '../../files/whole-file.ts';
import { batchFileName } from '../../results/file-name.ts';
import { planPage } from './plan-page.ts';

/** How the name of a plan ends. */
export const PLAN = 'plan.json';

/** Writes `SHEET.BATCH.plan.json` into the folder, beside an older one of that name. Gives its path. */
export async function writePlan(plan: Omit<Plan, 'signed'>, folder: string, maker?: Signatory): Promise<string> {
  const name = batchFileName({ ...plan, id: plan.batch }, PLAN);
  // Before anybody signs it: one that cannot be read again is none.
  readPlan(Buffer.from(planText(plan)));
  const text = planText(plan, maker);
  const written = await writeWholeFile(path.join(folder, name), 'plan', async ({ stream }) => {
    stream.write(text);
  });
  return written.path;
}

/** Writes a plan as a page to print. Gives its path. A Fault `usage` for a name that is not one of a page. */
export async function writePlanPage(plan: PlanFile, target: string, version: string): Promise<string> {
  // An older page is replaced: a sheet that was named by mistake must not be.
  if (!/\.html?$/i.test(target)) {
    throw new Fault('usage', `${target} is no name of a page. Nothing was written.`, 'Let it end with .html');
  }
  const written = await writeWholeFile(target, 'page', async ({ stream }) => {
    stream.write(planPage(plan, version));
  });
  return written.path;
}

/** Reads the plan in a file. A Fault `plan-refused` when there is none, or when it is not as it was made. */
export async function planIn(file: string): Promise<PlanFile> {
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > PLAN_BYTES_MAX) {
      throw refusedPlan(`${file} is no file, or has more than ${PLAN_BYTES_MAX} bytes`);
    }
    return readPlan(await readFile(file));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'syscall' in error)) throw error;
    throw refusedPlan(`${file} cannot be read (${String(error.code)})`);
  }
}

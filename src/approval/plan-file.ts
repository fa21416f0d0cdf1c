/** Reads plan files. */

import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { systemCode } from '../domain/fault.ts';
import { PLAN_BYTES_MAX, type PlanFile, readPlan, refusedPlan } from './plan.ts';

/** Ending of the name of every plan file. */
export const PLAN = 'plan.json';

/** Reads the plan in a file. Throws a Fault `plan-refused` if the file cannot be read, or is not as it was made. */
export async function planIn(file: string): Promise<PlanFile> {
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > PLAN_BYTES_MAX) {
      throw refusedPlan(`${file} is not a file, or is larger than ${PLAN_BYTES_MAX} bytes`);
    }
    return readPlan(await readFile(file));
  } catch (error) {
    throw refusedPlan(`${file} cannot be read (${systemCode(error)})`);
  }
}

/** Reads plan files. */
import { systemCode } from '../domain/fault.ts';
import { readShortFile } from '../files/short-file.ts';
import { PLAN_BYTES_MAX, type PlanFile, readPlan, refusedPlan } from './plan.ts';

/** Ending of the name of every plan file. */
export const PLAN = 'plan.json';

/** Reads the plan in a file. Throws a Fault `plan-refused` if the file cannot be read, or is not as it was made. */
export function planIn(file: string): PlanFile {
  let bytes: Buffer;
  try {
    bytes = readShortFile(file, PLAN_BYTES_MAX);
  } catch (error) {
    if (error instanceof RangeError) throw refusedPlan(`${file} is not a plan: ${error.message}`);
    throw refusedPlan(`${file} cannot be read (${systemCode(error)})`);
  }
  return readPlan(bytes);
}

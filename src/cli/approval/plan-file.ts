/** A plan as a file to print. */
import type { PlanFile } from '../../approval/plan.ts';
import { Fault } from '../../domain/fault.ts';
import { writeWholeFile } from '../../files/whole-file.ts';
import { planPage } from './plan-page.ts';

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

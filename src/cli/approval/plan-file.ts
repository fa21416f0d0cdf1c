/** A plan as a file for printing. */
import type { PlanFile } from '../../approval/plan.ts';
import { Fault } from '../../domain/fault.ts';
import { writeWholeFile } from '../../files/whole-file.ts';
import { planPage } from './plan-page.ts';

/** Writes a plan as a page for printing, and returns its path. Throws a Fault `usage` for a name that does not end like a page. */
export async function writePlanPage(plan: PlanFile, target: string, version: string): Promise<string> {
  // An older page is replaced, so the ending is checked: a sheet that was named by mistake must not be replaced.
  if (!/\.html?$/i.test(target)) {
    throw new Fault(
      'usage',
      `${target} is not a name for a page. Nothing was written.`,
      'Use a name that ends in .html.',
    );
  }
  const written = await writeWholeFile(target, 'page', async ({ stream }) => {
    stream.write(planPage(plan, version));
  });
  return written.path;
}

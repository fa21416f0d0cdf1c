/** axe-core in a page: what keeps people from reading or working it. */
import axe from 'axe-core';
import type { OpenPage } from './chromium.ts';

interface Found {
  readonly violations: readonly string[];
  /** Rules that found something to look at, and nothing wrong with it. */
  readonly passed: number;
}

/** Every rule of axe, good practice too. A violation names its rule and the first elements. */
export async function axeIn(page: OpenPage): Promise<Found> {
  // Nothing of the page is asked to run it: the browser itself does, so that the policy of the page stays what it is.
  await page.evaluate(`${axe.source}; undefined`);
  return page.evaluate<Found>(`axe.run(document).then(({ violations, passes }) => ({
    passed: passes.length,
    violations: violations.map(({ id, help, nodes }) =>
      id + ': ' + help + ': ' + nodes.slice(0, 3).map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' | ')),
  }))`);
}

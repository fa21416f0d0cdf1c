/** What came of a case of the corpus, in the words of its expectation. */
import type { Judgement } from './judge-sheet.ts';
import type { Expected, Problem } from './sheet-case.ts';

const placesOf = ({ issues }: Judgement): readonly string[] =>
  issues.map(({ code, cell, row }) => `${code} ${cell ?? (row === undefined ? '' : `row ${row}`)}`.trim()).toSorted();

/** Expected and found, in one form, for a comparison that shows both. A fault that matches is shown as its pattern. */
export function compared(expected: Expected, found: Judgement): { readonly expected: object; readonly found: object } {
  const fault = found.verdict === 'fault' ? (found.fault?.message ?? '') : undefined;
  const seen = {
    verdict: found.verdict,
    ...(found.verdict === 'ready' && { total: found.total }),
    issues: placesOf(found),
  };
  if ('fault' in expected) {
    const sentence = fault !== undefined && expected.fault.test(fault) ? expected.fault : (fault ?? seen);
    return { expected: { fault: expected.fault }, found: { fault: sentence } };
  }
  const shown = fault === undefined ? seen : { fault };
  if ('problems' in expected)
    return { expected: { verdict: 'issues', issues: sorted(expected.problems) }, found: shown };
  const { total, rows, warnings } = expected;
  const counted = {
    ...(rows !== undefined && { rows: found.rows }),
    ...(warnings === undefined && fault === undefined && { issues: 'not compared' }),
  };
  const issues = warnings === undefined ? 'not compared' : sorted(warnings);
  return {
    expected: { verdict: 'ready', total, issues, ...(rows !== undefined && { rows }) },
    found: { ...shown, ...counted },
  };
}

const sorted = (problems: readonly Problem[]): readonly string[] =>
  problems.map((problem) => problem.join(' ').trim()).toSorted();

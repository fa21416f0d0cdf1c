/** What holds for a whole column is told once, at the first cell, with how many cells they are about. */
import type { Issue, IssueCode } from '../domain/issue.ts';

const gathered: ReadonlySet<IssueCode> = new Set<IssueCode>([
  'PB-FORMULA-CACHED',
  'PB-NOTE-UNSENT',
  'PB-PHONE-ZERO',
  'PB-UNUSED-VALUE',
  'PB-CURRENCY-COMPUTER',
]);

export class OncePerColumn {
  readonly #found = new Map<string, { readonly first: Issue; count: number }>();

  /** The issues of a row without those that are told for their column. */
  keep(issues: readonly Issue[]): readonly Issue[] {
    if (!issues.some(({ code }) => gathered.has(code))) return issues;
    return issues.filter((found) => {
      if (!gathered.has(found.code)) return true;
      const key = `${found.code} ${found.cell?.replace(/\d+$/, '')}`;
      const known = this.#found.get(key);
      if (known) known.count += 1;
      else this.#found.set(key, { first: found, count: 1 });
      return false;
    });
  }

  /** What was taken out of the rows, in the order in which it was first found. */
  issues(): readonly Issue[] {
    return [...this.#found.values()].map(({ first, count }) => ({
      ...first,
      parameters: { ...first.parameters, count },
    }));
  }
}
